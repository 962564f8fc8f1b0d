package engine

import (
	"errors"
	"math"
	"slices"
	"testing"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/scenetest"
)

func TestARobotIsMovedRigidly(t *testing.T) {
	w := yard(t, sim.Paused)
	apply(t, w, sim.SetJoint{Name: "rover", Joint: "left", Mode: sim.JointVelocity, Target: 3})
	apply(t, w, sim.StepWorld{N: 100})
	s := w.Snapshot()
	i, _ := s.Find("rover")
	before, joints := s.LinksOf(i), s.JointsOf(i)
	home := where(t, s, "rover").Pose
	p := r3.PoseRPY(-3, 4, 1, 0.1, 0.2, 2)
	apply(t, w, sim.SetEntityState{Name: "rover", Pose: &p,
		Twist: &r3.Twist{Linear: r3.V(1, 2, 3), Angular: r3.V(0, 0, 1)}})
	s = w.Snapshot()
	for k, l := range s.LinksOf(i) {
		want := p.Mul(home.Relative(before[k].Pose))
		if l.Pose.Pos.Dist(want.Pos) > 1e-9 {
			t.Errorf("link %d at %v, want %v", k, l.Pose.Pos, want.Pos)
		}
	}
	for k, j := range s.JointsOf(i) {
		if math.Abs(j.Position-joints[k].Position) > 1e-9 || math.Abs(j.Velocity-joints[k].Velocity) > 1e-9 {
			t.Errorf("joint %d was at %+v and is at %+v", k, joints[k], j)
		}
	}
	if got := where(t, s, "rover").Twist; !near(got.Linear, r3.V(1, 2, 3)) ||
		!near(got.Angular, r3.V(0, 0, 1)) {
		t.Errorf("moves with %+v", got)
	}
	if joints[1].Velocity < 1 {
		t.Errorf("the wheel did not turn: %+v", joints[1])
	}
}

func TestOnlyWhatIsGivenIsSet(t *testing.T) {
	w := yard(t, sim.Paused)
	p := at(0, 5, 5)
	apply(t, w, sim.SetEntityState{Name: "crate", Twist: &r3.Twist{Linear: r3.V(1, 0, 0)}})
	apply(t, w, sim.SetEntityState{Name: "crate", Pose: &p})
	if got := where(t, w.Snapshot(), "crate"); !near(got.Twist.Linear, r3.V(1, 0, 0)) ||
		!near(got.Pose.Pos, p.Pos) {
		t.Errorf("setting the pose changed the twist: %+v", got)
	}
	apply(t, w, sim.SetEntityState{Name: "crate", Twist: &r3.Twist{Angular: r3.V(0, 0, 2)}})
	if got := where(t, w.Snapshot(), "crate"); !near(got.Twist.Linear, r3.Vec{}) ||
		!near(got.Pose.Pos, p.Pos) {
		t.Errorf("setting the twist changed the pose: %+v", got)
	}
}

func TestAnAccelerationActsForOneStep(t *testing.T) {
	w := yard(t, sim.Paused)
	p := at(0, 5, 50)
	apply(t, w, sim.SetEntityState{Name: "crate", Pose: &p,
		Accel: &r3.Twist{Linear: r3.V(10, 0, 9.81), Angular: r3.V(0, 0, 5)}})
	apply(t, w, sim.StepWorld{N: 1})
	got := where(t, w.Snapshot(), "crate")
	if math.Abs(got.Accel.Linear.X-10) > 0.01 || math.Abs(got.Accel.Linear.Z) > 0.01 ||
		math.Abs(got.Accel.Angular.Z-5) > 0.01 {
		t.Errorf("accelerates with %+v, want 10 along x and 5 about z", got.Accel)
	}
	apply(t, w, sim.StepWorld{N: 1})
	got = where(t, w.Snapshot(), "crate")
	if math.Abs(got.Accel.Linear.X) > 0.01 || math.Abs(got.Accel.Linear.Z+9.81) > 0.01 ||
		math.Abs(got.Twist.Linear.X-0.04) > 1e-4 {
		t.Errorf("then with %+v at %+v, want to fall freely", got.Accel, got.Twist)
	}
}

func TestAccelerationIsThatOfTheLinksOrigin(t *testing.T) {
	m := scenetest.Box(0.5)
	m.Links[0].Inertial.Pose = at(1, 0, 0) // the origin circles the centre of mass
	w, err := NewWorld(Options{})
	if err != nil {
		t.Fatal(err)
	}
	l := Load(&scenetest.Library{WorldSpecs: map[string]*scene.WorldSpec{"w": {Models: []scene.Placed{{
		Name:  "m",
		Model: m, Pose: r3.IdentityPose()}}}}}, sim.LoadWorld{Resource: sim.Resource{URI: "w"}})
	if _, err := w.Apply(sim.LoadWorld{}, l); err != nil {
		t.Fatal(err)
	}
	apply(t, w, sim.SetState{State: sim.Paused})
	apply(t, w, sim.SetEntityState{Name: "m", Twist: &r3.Twist{Linear: r3.V(0, -2, 0),
		Angular: r3.V(0, 0, 2)}})
	apply(t, w, sim.StepWorld{N: 1})
	got := where(t, w.Snapshot(), "m").Accel.Linear
	if got.Dist(r3.V(4, 0, 0)) > 0.1 {
		t.Errorf("accelerates with %v, want 4 m/s² towards the centre", got)
	}
}

func TestWhatCannotMoveIsPutButNotPushed(t *testing.T) {
	w := yard(t, sim.Paused)
	p := at(3, 1, 0.5)
	apply(t, w, sim.SetEntityState{Name: "wall", Pose: &p, Twist: &r3.Twist{}, Accel: &r3.Twist{}})
	if got := where(t, w.Snapshot(), "wall").Pose.Pos; !near(got, p.Pos) {
		t.Errorf("the wall stands at %v", got)
	}
	for name, c := range map[string]sim.SetEntityState{
		"twist":        {Name: "wall", Twist: &r3.Twist{Linear: r3.V(1, 0, 0)}},
		"acceleration": {Name: "wall", Accel: &r3.Twist{Angular: r3.V(1, 0, 0)}},
		"NaN twist":    {Name: "crate", Twist: &r3.Twist{Linear: r3.V(nan(), 0, 0)}},
		"NaN accel":    {Name: "crate", Accel: &r3.Twist{Linear: r3.V(nan(), 0, 0)}},
		"too fast":     {Name: "crate", Twist: &r3.Twist{Linear: r3.V(1e9, 0, 0)}},
	} {
		before := w.Hash()
		if _, err := try(w, c); !errors.Is(err, sim.ErrFailed) || w.Hash() != before {
			t.Errorf("%s: %v, want ErrFailed and no change", name, err)
		}
	}
	bad := at(nan(), 0, 0)
	for name, c := range map[string]struct {
		c    sim.SetEntityState
		want error
	}{
		"pose":   {sim.SetEntityState{Name: "crate", Pose: &bad}, sim.ErrInvalidPose},
		"frame":  {sim.SetEntityState{Name: "crate", Pose: &p, Frame: "nowhere"}, sim.ErrInvalidPose},
		"entity": {sim.SetEntityState{Name: "nobody", Pose: &p}, sim.ErrNotFound},
	} {
		if _, err := try(w, c.c); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

func TestMovingAnArmMovesWhatItIsBoltedTo(t *testing.T) {
	w := yard(t, sim.Paused)
	apply(t, w, sim.Spawn{Name: "arm", Resource: sim.Resource{URI: "arm"},
		Pose: sim.FramedPose{Pose: at(5, 5, 1)}})
	p := r3.PoseRPY(-5, 5, 2, 0, 0, math.Pi)
	apply(t, w, sim.SetEntityState{Name: "arm", Pose: &p})
	for range 250 {
		apply(t, w, sim.StepWorld{N: 1})
		if err := w.Validate(); err != nil {
			t.Fatal(err)
		}
	}
	s := w.Snapshot()
	i, _ := s.Find("arm")
	if got := s.LinksOf(i)[0].Pose.Pos; !near(got, p.Pos) {
		t.Errorf("the base went to %v", got)
	}
	if got := s.LinksOf(i)[1].Pose.Pos; got.Dist(r3.V(-5.5, 5, 2)) > 0.01 {
		t.Errorf("the shoulder is at %v, want where the base holds it", got)
	}
}

func TestAnOverlapIsUndoneGently(t *testing.T) {
	w := yard(t, sim.Playing)
	p := at(0, 2, -0.2) // deep in the ground
	apply(t, w, sim.SetEntityState{Name: "crate", Pose: &p})
	for range 500 {
		steps(t, w, 1)
		if v := where(t, w.Snapshot(), "crate").Twist.Linear.Len(); v > 3 {
			t.Fatalf("thrown out at %v m/s", v)
		}
	}
	if z := where(t, w.Snapshot(), "crate").Pose.Pos.Z; math.Abs(z-0.25) > 0.02 {
		t.Errorf("rests at %v m, want 0.25", z)
	}
}

func TestInfoIsOverriddenUntilTheStateIsReset(t *testing.T) {
	w := yard(t, sim.Paused)
	info := func() scene.Info {
		s := w.Snapshot()
		i, _ := s.Find("rover")
		return s.Model.Entities[i].Info
	}
	was, revision := info(), w.Snapshot().Model.Revision
	apply(t, w, sim.SetEntityInfo{Name: "rover",
		Info: scene.Info{Category: scene.Human, Description: "x", Tags: []string{"y"}}})
	if got := info(); got.Category != scene.Human || got.Description != "x" ||
		w.Snapshot().Model.Revision <= revision {
		t.Errorf("info is %+v", got)
	}
	apply(t, w, sim.Reset{Scope: sim.ResetTime})
	if info().Category != scene.Human {
		t.Error("a reset of time undid it")
	}
	apply(t, w, sim.Reset{Scope: sim.ResetState})
	if got := info(); got.Category != was.Category || got.Description != was.Description {
		t.Errorf("after the reset %+v, want %+v", got, was)
	}
	for name, c := range map[string]sim.SetEntityInfo{
		"category":    {Name: "rover", Info: scene.Info{Category: 3}},
		"beyond":      {Name: "rover", Info: scene.Info{Category: 77}},
		"description": {Name: "rover", Info: scene.Info{Description: string(make([]byte, 1<<17))}},
	} {
		if _, err := try(w, c); !errors.Is(err, sim.ErrFailed) {
			t.Errorf("%s: %v, want ErrFailed", name, err)
		}
	}
}

func TestSeveralAreInformedTogetherOrNotAtAll(t *testing.T) {
	w := yard(t, sim.Paused)
	tags := func(name string) []string {
		s := w.Snapshot()
		i, _ := s.Find(name)
		return s.Model.Entities[i].Info.Tags
	}
	list := []sim.SetEntityInfo{{Name: "rover", Info: scene.Info{Tags: []string{"a"}}},
		{Name: "crate", Info: scene.Info{Tags: []string{"b"}}}}
	for name, worse := range map[string]sim.SetEntityInfo{"one that is not there": {Name: "ghost"},
		"a category that is none": {Name: "wall", Info: scene.Info{Category: 77}}} {
		if _, err := try(w, sim.SetEntityInfos{Infos: append(slices.Clone(list), worse)}); err == nil ||
			slices.Contains(tags("rover"), "a") {
			t.Errorf("%s: %v, and the rover's tags are %v", name, err, tags("rover"))
		}
	}
	apply(t, w, sim.SetEntityInfos{Infos: list})
	if a, b := tags("rover"), tags("crate"); !slices.Equal(a, []string{"a"}) ||
		!slices.Equal(b, []string{"b"}) {
		t.Errorf("tags %v and %v", a, b)
	}
}

func TestSeveralMoveTogetherOrNotAtAll(t *testing.T) {
	w := yard(t, sim.Paused)
	before, hash := w.Snapshot(), w.Hash()
	p, q, off := r3.PoseRPY(-3, 4, 1, 0, 0, 2), r3.PoseRPY(1, 0, 0.5, 0, 0, 0),
		r3.PoseRPY(math.NaN(), 0, 0, 0, 0, 0)
	for name, list := range map[string][]sim.SetEntityState{
		"one that is not there": {{Name: "rover", Pose: &p}, {Name: "ghost", Pose: &q}},
		"a pose that is none":   {{Name: "rover", Pose: &p}, {Name: "crate", Pose: &off}},
		"a wall that flies": {{Name: "rover", Pose: &p},
			{Name: "wall", Twist: &r3.Twist{Linear: r3.V(1, 0, 0)}}},
	} {
		if _, err := try(w, sim.MoveEntities{Moves: list}); err == nil || w.Hash() != hash {
			t.Errorf("%s: %v, and something moved: %v", name, err, w.Hash() != hash)
		}
	}
	// The crate goes to a pose in the rover's frame as that was before.
	apply(t, w, sim.MoveEntities{Moves: []sim.SetEntityState{{Name: "rover", Pose: &p},
		{Name: "crate", Frame: "rover", Pose: &q}}})
	s := w.Snapshot()
	if got := where(t, s, "rover").Pose; got.Pos.Dist(p.Pos) > 1e-9 {
		t.Errorf("the rover is at %v", got)
	}
	if got, want := where(t, s, "crate").Pose.Pos,
		where(t, before, "rover").Pose.Mul(q).Pos; got.Dist(want) > 1e-9 {
		t.Errorf("the crate is at %v, want %v", got, want)
	}
}
