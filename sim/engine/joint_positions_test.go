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

// twoTurns is a world with a box beside an arm, which has two turns and two fingers. One finger follows the
// other.
const twoTurns = `<sdf version="1.11"><world name="w"><gravity>0 0 0</gravity><physics name="p"><max_step_size>0.001</max_step_size></physics><model name="arm"><link name="base"/><joint name="f" type="fixed"><parent>world</parent><child>base</child></joint>
	<link name="upper"><pose>0 0 1 0 0 0</pose><inertial><mass>2</mass></inertial></link><joint name="turn" type="revolute"><parent>base</parent><child>upper</child><axis><xyz>0 0 1</xyz><limit><lower>-6.3</lower><upper>6.3</upper></limit></axis></joint>
	<link name="fore"><pose>1 0 1 0 0 0</pose><inertial><mass>1</mass></inertial></link><joint name="bend" type="revolute"><parent>upper</parent><child>fore</child><axis><xyz>0 1 0</xyz><limit><lower>-2</lower><upper>2</upper></limit></axis></joint>
	<link name="left"><pose>1.5 0.1 1 0 0 0</pose><inertial><mass>0.1</mass></inertial></link><joint name="grip" type="prismatic"><parent>fore</parent><child>left</child><axis><xyz>0 1 0</xyz><limit><lower>-0.1</lower><upper>0.1</upper></limit></axis></joint>
	<link name="right"><pose>1.5 -0.1 1 0 0 0</pose><inertial><mass>0.1</mass></inertial></link><joint name="follow" type="prismatic"><parent>fore</parent><child>right</child><axis><xyz>0 1 0</xyz><limit><lower>-0.1</lower><upper>0.1</upper></limit><mimic joint="grip"><multiplier>-1</multiplier><offset>0</offset><reference>0</reference></mimic></axis></joint></model>
	<model name="box"><pose>2 0 1 0 0 0</pose><link name="l"/></model></world></sdf>`

// places are the positions of the arm's joints.
func places(w *engine.World) map[string]sim.JointState {
	s, out := w.Snapshot(), map[string]sim.JointState{}
	i, _ := s.Find("arm")
	for k, j := range s.JointsOf(i) {
		out[s.Model.Entities[i].Spec.Joints[k].Name] = j
	}
	return out
}

func put(pairs ...any) sim.SetJointPositions {
	c := sim.SetJointPositions{Name: "arm"}
	for i := 0; i < len(pairs); i += 2 {
		c.Positions = append(c.Positions,
			sim.JointPlace{Joint: pairs[i].(string), Position: pairs[i+1].(float64)})
	}
	return c
}

// TestJointsArePutAtPositions: at rest, with those that follow them and what is attached; others stay. Whole
// turns count, and motors hold what they held. Rewind takes it back.
func TestJointsArePutAtPositions(t *testing.T) {
	w, err := engine.NewWorld(engine.Options{Rewind: 10 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	load := sim.LoadWorld{Resource: scene.Resource{Document: twoTurns}}
	if _, err := w.Apply(load, engine.Load(mounted(t), load)); err != nil {
		t.Fatal(err)
	}
	do(t, w, sim.SetState{State: sim.Playing})
	do(t, w, sim.SetJoint{Name: "arm", Joint: "bend", Mode: sim.JointPosition, Target: 0.3})
	do(t, w, sim.SetJoint{Name: "arm", Joint: "turn", Mode: sim.JointVelocity, Target: 2})
	advance(t, w, 500)
	do(t, w, sim.Attach{Pairs: []sim.LinkPair{{Parent: sim.LinkName{Entity: "arm", Link: "fore"},
		Child: sim.LinkName{Entity: "box"}}}})
	box, _, _ := sim.FrameIn(w.Snapshot(), "box", "arm/fore")
	before := places(w)
	do(t, w, put("turn", 5.0, "bend", -1.0, "grip", 0.05))
	now := places(w)
	for name, want := range map[string]float64{"turn": 5, "bend": -1, "grip": 0.05, "follow": -0.05} {
		if j := now[name]; math.Abs(j.Position-want) > 1e-9 || math.Abs(j.Velocity) > 1e-9 {
			t.Errorf("%s is at %v with %v, want %v at rest", name, j.Position, j.Velocity, want)
		}
	}
	tip, _, _ := sim.FrameIn(w.Snapshot(), "arm/fore", "")
	if want := r3.V(math.Cos(5), math.Sin(5), 1); tip.Pos.Dist(want) > 1e-9 {
		t.Errorf("the elbow is at %v, want %v", tip.Pos, want)
	}
	if held, _, _ := sim.FrameIn(w.Snapshot(), "box", "arm/fore"); held.Pos.Dist(box.Pos) > 1e-9 {
		t.Errorf("the box that is attached stands at %v on its link, and stood at %v", held.Pos, box.Pos)
	}
	advance(t, w, 200)
	now = places(w)
	if j := now["bend"]; math.Abs(j.Position+1) > 1e-3 {
		t.Errorf("a motor that held a position lets the joint go to %v", j.Position)
	}
	if j := now["turn"]; math.Abs(j.Velocity-2) > 0.05 || j.Position < 5.2 {
		t.Errorf("a motor that held 2 rad/s turns the joint at %v with %v", j.Position, j.Velocity)
	}
	do(t, w, put("turn", -4.0))
	if j := places(w); math.Abs(j["turn"].Position+4) > 1e-9 || math.Abs(j["bend"].Position+1) > 1e-3 {
		t.Errorf("told the turn alone, it is at %v and the bend at %v", j["turn"].Position,
			j["bend"].Position)
	}
	advance(t, w, 1)
	do(t, w, sim.Rewind{Back: 201 * time.Millisecond})
	if j := places(w)["turn"]; math.Abs(j.Position-before["turn"].Position) > 1e-9 {
		t.Errorf("taken back, the turn is at %v, and was at %v", j.Position, before["turn"].Position)
	}
	if err := w.Validate(); err != nil {
		t.Error(err)
	}
}

// TestPositionsOfJointsAreJudged: what is refused changes nothing.
func TestPositionsOfJointsAreJudged(t *testing.T) {
	w, _ := playing(t, strings.Replace(twoTurns, "</world>",
		`<model name="wall"><static>true</static><link name="l"/></model></world>`, 1))
	do(t, w, sim.Attach{Pairs: []sim.LinkPair{{Parent: sim.LinkName{Entity: "wall"},
		Child: sim.LinkName{Entity: "arm", Link: "fore"}}}})
	hash := w.Hash()
	for _, c := range []struct {
		command sim.SetJointPositions
		is      error
		says    string
	}{
		{put("tern", 1.0), sim.ErrNotFound, `did you mean "turn"?`},
		{put("shoulder", 1.0), sim.ErrNotFound, `it has turn, bend, grip, follow`},
		{put("f", 1.0), sim.ErrUnsupported, `fixed`},
		{put("follow", 0.01), sim.ErrUnsupported, `follows joint "grip"`},
		{put("bend", 2.5), sim.ErrFailed, `stops are at -2 and 2`},
		{put("bend", math.NaN()), sim.ErrFailed, `finite`},
		{put("turn", math.Inf(1)), sim.ErrFailed, `finite`},
		{put("bend", 1.0, "bend", 0.0), sim.ErrFailed, `twice`},
		{put("turn", 1.0), sim.ErrFailed, `wall/l`},
		{sim.SetJointPositions{Name: "ar"}, sim.ErrNotFound, `did you mean "arm"?`},
	} {
		_, err := w.Apply(c.command, engine.Loaded{})
		if !errors.Is(err, c.is) || !strings.Contains(fmt.Sprint(err), c.says) {
			t.Errorf("%+v: %v, want %v with %q", c.command, err, c.is, c.says)
		}
		if w.Hash() != hash {
			t.Fatalf("%+v was refused and changed something", c.command)
		}
	}
	do(t, w, put("grip", 0.02)) // nothing attached hangs on it
}
