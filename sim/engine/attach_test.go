package engine_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"simdeck/sim"
	"simdeck/sim/engine"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// crane is a world with a post that stands fast, and a load of a mass beside it that its plugin holds.
func crane(mass float64, plugin string) string {
	return fmt.Sprintf(`<sdf version="1.9"><world name="w"><physics name="p"><max_step_size>0.001</max_step_size></physics>
		<model name="post"><pose>0 0 1 0 0 0</pose><link name="foot"><inertial><mass>1</mass></inertial></link><joint name="j" type="fixed"><parent>world</parent><child>foot</child></joint>
		<link name="arm"><pose>0.2 0 0 0 0 0</pose><inertial><mass>2</mass><inertia><ixx>0.01</ixx><iyy>0.02</iyy><izz>0.02</izz></inertia></inertial></link>
		<joint name="boom" type="revolute"><parent>foot</parent><child>arm</child><pose>-0.2 0 0 0 0 0</pose><axis><xyz>0 1 0</xyz><dynamics><damping>0.5</damping></dynamics></axis></joint>%s</model>
		<model name="load"><pose>0.7 0 1 0 0 0.3</pose><link name="body"><inertial><mass>%g</mass><inertia><ixx>%g</ixx><iyy>%g</iyy><izz>%g</izz></inertia></inertial>
		<collision name="c"><geometry><box><size>0.2 0.2 0.2</size></box></geometry></collision></link></model></world></sdf>`,
		plugin, mass, mass/100, mass/100, mass/100)
}

const holdsLoad = `<plugin filename="gz-sim-detachable-joint-system" name="gz::sim::systems::DetachableJoint"><parent_link>arm</parent_link>
	<child_model>load</child_model><child_link>body</child_link></plugin>`

var armAndLoad = sim.LinkPair{Parent: sim.LinkName{Entity: "post", Link: "arm"},
	Child: sim.LinkName{Entity: "load", Link: "body"}}

// loadAt is the pose of the load as seen from the arm.
func loadAt(t *testing.T, w *engine.World) r3.Pose {
	t.Helper()
	arm, _, err := sim.FrameIn(w.Snapshot(), "post/arm", "")
	if err != nil {
		t.Fatal(err)
	}
	return arm.Relative(entityOf(t, w, "load").Pose)
}

// differ is the distance of two poses in metres, and the angle between them in radians.
func differ(a, b r3.Pose) (float64, float64) {
	d := a.Relative(b)
	return d.Pos.Len(), d.Rot.Vector().Len()
}

// TestAJointOfAFileHoldsAnotherModel: from the beginning, until it is let go; then the load falls freely.
// Both keep their names.
func TestAJointOfAFileHoldsAnotherModel(t *testing.T) {
	for _, mass := range []float64{0.02, 1, 100} {
		w, notes := playing(t, crane(mass, holdsLoad))
		if notes != "" {
			t.Errorf("notes: %s", notes)
		}
		if s := w.Snapshot(); len(s.Attachments) != 1 || s.Attachments[0] != armAndLoad {
			t.Fatalf("attached are %v", s.Attachments)
		}
		before, lowest := loadAt(t, w), 1.0
		for range 20 { // swinging down, it is the fastest
			advance(t, w, 100)
			if gap, turn := differ(before, loadAt(t, w)); gap > 1e-3 || turn > 2e-3 {
				t.Fatalf("a load of %g kg: %.6f m and %.6f rad from where it was attached", mass, gap, turn)
			}
			lowest = min(lowest, entityOf(t, w, "load").Pose.Pos.Z)
		}
		if lowest > 0.4 {
			t.Errorf("a load of %g kg on a boom that is free swings down to %.3f m alone", mass, lowest)
		}
		do(t, w, sim.Detach{Pairs: []sim.LinkPair{armAndLoad}})
		falls := entityOf(t, w, "load").Twist.Linear.Z
		advance(t, w, 100)
		if v := entityOf(t, w, "load").Twist.Linear.Z; math.Abs(v-falls+0.98) > 0.01 {
			t.Errorf("let go, it goes from %.4f m/s to %.4f m/s in 0.1 s, want 0.98 m/s less", falls, v)
		}
		if s := w.Snapshot(); len(s.Attachments) != 0 {
			t.Errorf("attached are %v", s.Attachments)
		}
	}
}

// TestAHeldLoadWeighsAsIfItWerePart compares a period of the swinging boom with that of one model of both.
func TestAHeldLoadWeighsAsIfItWerePart(t *testing.T) {
	held, _ := playing(t, crane(3, holdsLoad))
	one := strings.Replace(crane(3, ""), `<model name="load">`, `<joint name="tie" type="fixed"><parent>post::arm</parent><child>load::body</child></joint><model name="load">`, 1)
	whole, _ := playing(t, one)
	most := 0.0
	for range 30 {
		advance(t, held, 100)
		advance(t, whole, 100)
		a, _, err := sim.FrameIn(held.Snapshot(), "post/arm", "")
		b, _, other := sim.FrameIn(whole.Snapshot(), "post/arm", "")
		if err != nil || other != nil {
			t.Fatal(err, other)
		}
		_, turn := differ(a, b)
		most = max(most, turn)
	}
	if most > 0.01 {
		t.Errorf("over 3 s the boom is up to %.5f rad from where it is when both are one model", most)
	}
}

// TestAJointOfAFileWaitsForItsModel until that is spawned; deleting it ends the joint.
func TestAJointOfAFileWaitsForItsModel(t *testing.T) {
	text := crane(1, holdsLoad)
	load := text[strings.Index(text, `<model name="load">`):strings.Index(text, `</world>`)]
	w, _ := playing(t, strings.Replace(text, load, "", 1))
	said := ""
	for _, e := range w.Snapshot().Events {
		said += e.Text + "\n"
	}
	if !strings.Contains(said, `its joint to load/body waits for a model named "load"`) {
		t.Errorf("events: %s", said)
	}
	spawn := sim.Spawn{Name: "load", Resource: scene.Resource{Document: `<sdf version="1.9">` + load + `</sdf>`},
		Pose: sim.FramedPose{Pose: r3.Pose{Pos: r3.V(0, 0.5, 1), Rot: r3.Identity()}}}
	if _, err := w.Apply(spawn, engine.Load(mounted(t), spawn)); err != nil {
		t.Fatal(err)
	}
	if n := len(w.Snapshot().Attachments); n != 1 {
		t.Fatalf("%d attachments after the model came", n)
	}
	do(t, w, sim.Delete{Names: []string{"load"}})
	if n := len(w.Snapshot().Attachments); n != 0 {
		t.Errorf("%d attachments after the model went", n)
	}
	advance(t, w, 10)
}

// TestAttachingIsJudged by names, bodies and what is attached; what is refused changes nothing.
func TestAttachingIsJudged(t *testing.T) {
	text := strings.Replace(crane(1, ""), "</world>", `<model name="wall"><static>true</static><link name="l"/></model>
		<model name="other"><pose>0 3 1 0 0 0</pose><link name="l"/></model></world>`, 1)
	w, _ := playing(t, text)
	pair := func(a, b string) sim.LinkPair {
		x, y, _ := strings.Cut(a, "/")
		p, q, _ := strings.Cut(b, "/")
		return sim.LinkPair{Parent: sim.LinkName{Entity: x, Link: y}, Child: sim.LinkName{Entity: p, Link: q}}
	}
	do(t, w, sim.Attach{Pairs: []sim.LinkPair{pair("post/arm", "load/body")}})
	hash := w.Hash()
	for _, c := range []struct {
		command sim.Command
		is      error
		says    string
	}{
		{sim.Attach{Pairs: []sim.LinkPair{pair("pots/arm", "load")}}, sim.ErrNotFound,
			`did you mean "post"?`},
		{sim.Attach{Pairs: []sim.LinkPair{pair("post/arms", "load")}}, sim.ErrNotFound,
			`did you mean "arm"?`},
		{sim.Attach{Pairs: []sim.LinkPair{pair("post/gripper", "load")}}, sim.ErrNotFound,
			`it has foot, arm`},
		{sim.Attach{Pairs: []sim.LinkPair{pair("post/arm", "load")}}, sim.ErrFailed, `attached already`},
		{sim.Attach{Pairs: []sim.LinkPair{pair("load", "post/arm")}}, sim.ErrFailed, `attached already`},
		{sim.Attach{Pairs: []sim.LinkPair{pair("load", "load/body")}}, sim.ErrFailed, `one body`},
		{sim.Attach{Pairs: []sim.LinkPair{pair("wall", "post/foot")}}, sim.ErrFailed, `do not move`},
		{sim.Attach{Pairs: []sim.LinkPair{pair("load", "other"), pair("load", "nobody")}}, sim.ErrNotFound,
			`nobody`},
		{sim.Detach{Pairs: []sim.LinkPair{pair("load", "other")}}, sim.ErrNotFound,
			`attached are post/arm and load/body`},
		{sim.Detach{Pairs: []sim.LinkPair{pair("load", "post/arm"), pair("load", "post/arm")}},
			sim.ErrNotFound, `attached`},
	} {
		_, err := w.Apply(c.command, engine.Loaded{})
		if !errors.Is(err, c.is) || !strings.Contains(fmt.Sprint(err), c.says) {
			t.Errorf("%s: %v, want %v with %q", sim.Describe(c.command), err, c.is, c.says)
		}
		if w.Hash() != hash || len(w.Snapshot().Attachments) != 1 {
			t.Fatalf("%s was refused and changed something", sim.Describe(c.command))
		}
	}
	if err := w.Validate(); err != nil {
		t.Error(err)
	}
}

// TestAnAttachedModelIsMovedAlong by SetEntityState of either, with its velocity; not where it is attached to
// what does not move.
func TestAnAttachedModelIsMovedAlong(t *testing.T) {
	text := strings.Replace(crane(1, ""), "</world>", `<model name="wall"><static>true</static><link name="l"/></model>
		<model name="other"><pose>0 3 1 0 0 0</pose><link name="l"/></model></world>`, 1)
	w, _ := playing(t, text)
	tie := sim.Attach{Pairs: []sim.LinkPair{{Parent: sim.LinkName{Entity: "load"},
		Child: sim.LinkName{Entity: "other", Link: "l"}}}}
	do(t, w, tie)
	before := entityOf(t, w, "load").Pose.Relative(entityOf(t, w, "other").Pose)
	to := r3.PoseRPY(5, 5, 5, 0.3, 0.2, 1)
	do(t, w, sim.SetEntityState{Name: "other", Pose: &to,
		Twist: &r3.Twist{Linear: r3.V(1, 0, 0), Angular: r3.V(0, 0, 2)}})
	load, other := entityOf(t, w, "load"), entityOf(t, w, "other")
	if gap, turn := differ(before, load.Pose.Relative(other.Pose)); gap > 1e-12 || turn > 1e-7 {
		t.Errorf("the load is left %g m and %g rad behind", gap, turn)
	}
	if v := other.Twist.At(load.Pose.Pos.Sub(other.Pose.Pos)); v.Sub(load.Twist.Linear).Len() > 1e-9 {
		t.Errorf("the load moves with %v, the one it is attached to with %v there", load.Twist.Linear, v)
	}
	advance(t, w, 300)
	load, other = entityOf(t, w, "load"), entityOf(t, w, "other")
	if gap, turn := differ(before, load.Pose.Relative(other.Pose)); gap > 1e-3 || turn > 1e-3 {
		t.Errorf("flying and turning, they are %g m and %g rad from where they were", gap, turn)
	}
	do(t, w, sim.Attach{Pairs: []sim.LinkPair{{Parent: sim.LinkName{Entity: "wall"},
		Child: sim.LinkName{Entity: "other"}}}})
	_, err := w.Apply(sim.SetEntityState{Name: "load", Pose: &to}, engine.Loaded{})
	if !errors.Is(err, sim.ErrFailed) || !strings.Contains(err.Error(), "wall/l") {
		t.Errorf("moving what hangs on a wall: %v", err)
	}
	advance(t, w, 100)
	if v := entityOf(t, w, "load").Twist; v.Linear.Len()+v.Angular.Len() > 1e-2 {
		t.Errorf("fixed to a wall the load moves with %v", v)
	}
}

// TestAttachmentsAreTakenBackAndTakenUp by Rewind, a reset and Restore: the same steps follow, bit for bit.
func TestAttachmentsAreTakenBackAndTakenUp(t *testing.T) {
	w, err := engine.NewWorld(engine.Options{Rewind: 10 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	load := sim.LoadWorld{Resource: scene.Resource{Document: crane(1, holdsLoad)}}
	library := mounted(t)
	if _, err := w.Apply(load, engine.Load(library, load)); err != nil {
		t.Fatal(err)
	}
	do(t, w, sim.SetState{State: sim.Playing})
	advance(t, w, 200)
	held := w.Hash()
	do(t, w, sim.Detach{Pairs: []sim.LinkPair{armAndLoad}})
	advance(t, w, 150)
	do(t, w, sim.Attach{Pairs: []sim.LinkPair{{Parent: armAndLoad.Child, Child: armAndLoad.Parent}}})
	advance(t, w, 300)

	kept, err := w.Restorable()
	if err != nil {
		t.Fatal(err)
	}
	other, err := engine.NewWorld(engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := other.Apply(kept, engine.Load(library, kept)); err != nil {
		t.Fatal(err)
	}
	advance(t, w, 100)
	advance(t, other, 100)
	if w.Hash() != other.Hash() {
		t.Error("a world that was taken up goes another way")
	}
	do(t, other, sim.Detach{Pairs: []sim.LinkPair{armAndLoad}})
	advance(t, other, 1)

	do(t, w, sim.Rewind{Back: 50 * time.Millisecond})
	if n := len(w.Snapshot().Attachments); n != 1 {
		t.Errorf("%d attachments 50 ms before", n)
	}
	do(t, w, sim.Reset{Scope: sim.ResetState})
	began := r3.Pose{Pos: r3.V(0.5, 0, 0), Rot: r3.AxisAngle(r3.V(0, 0, 1), 0.3)}
	if gap, _ := differ(loadAt(t, w), began); gap > 1e-9 ||
		w.Snapshot().Attachments[0] != armAndLoad {
		t.Errorf("reset, it stands at %v with %v", loadAt(t, w), w.Snapshot().Attachments)
	}
	do(t, w, sim.Reset{Scope: sim.ResetAll})
	do(t, w, sim.SetState{State: sim.Playing})
	advance(t, w, 200)
	if w.Hash() != held {
		t.Error("after a reset the world goes another way")
	}
	do(t, w, sim.Detach{Pairs: []sim.LinkPair{armAndLoad}})
	advance(t, w, 100)
	if _, err := w.Apply(sim.Rewind{Back: 100 * time.Millisecond}, engine.Loaded{}); err != nil {
		t.Fatal(err)
	}
	if n := len(w.Snapshot().Attachments); n != 1 {
		t.Errorf("%d attachments before it was detached", n)
	}
}
