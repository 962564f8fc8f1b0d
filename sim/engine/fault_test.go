package engine

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"simdeck/sim"
)

// breakRover tells a wheel to turn with an effort that no number survives.
func breakRover(t testing.TB, w *World) {
	t.Helper()
	apply(t, w, sim.SetJoint{Name: "rover", Joint: "left", Mode: sim.JointEffort, Target: 1e300})
}

// faultOf is the fault of a contained entity; nil: it is not contained.
func faultOf(t testing.TB, w *World, name string) *sim.Fault {
	t.Helper()
	s := w.Snapshot()
	i, ok := s.Find(name)
	if !ok {
		t.Fatalf("no %q", name)
	}
	return s.Entities[i].Fault
}

func TestAnEntityThatBlowsUpIsContainedAndTheWorldGoesOn(t *testing.T) {
	w := yard(t, sim.Playing)
	steps(t, w, 100)
	p := at(0, 2, 3)
	apply(t, w, sim.SetEntityState{Name: "crate", Pose: &p})
	breakRover(t, w)
	was := w.entities.list[2].linkPose(w.physics, 0)
	steps(t, w, 1)
	f := faultOf(t, w, "rover")
	if f == nil || w.State() != sim.Playing {
		t.Fatalf("fault %v, %s", f, w.State())
	}
	if f.Step != 101 || f.Cause == "" || len(f.Hits) != 1 || f.Hits[0].Entity != "ground" {
		t.Errorf("told: %+v", f)
	}
	steps(t, w, 500)
	s := w.Snapshot()
	if i, _ := s.Find("rover"); s.Entities[i].Pose.Pos.Dist(was.Pos) > 1e-9 || !s.Entities[i].Asleep {
		t.Errorf("it stands at %v, was at %v", s.Entities[i].Pose, was)
	}
	if i, _ := s.Find("crate"); math.Abs(s.Entities[i].Pose.Pos.Z-0.25) > 0.01 {
		t.Errorf("the crate did not fall to the ground: %v", s.Entities[i].Pose)
	}
	if s.Stats.Contained != 1 {
		t.Errorf("%d are contained", s.Stats.Contained)
	}
	if !slices.ContainsFunc(s.Events, func(e sim.Event) bool {
		return e.Level == sim.Error && strings.Contains(e.Text, `"rover" is contained`) &&
			strings.Contains(e.Text, "ground")
	}) {
		t.Errorf("the log does not say it: %v", s.Events)
	}
}

func TestMovingResettingAndRewindingBringAContainedEntityBack(t *testing.T) {
	for name, bring := range map[string]func(*World){
		"a pose": func(w *World) {
			p := at(1, 0, 0.1)
			apply(t, w,
				sim.SetEntityState{Name: "rover", Pose: &p})
		},
		"a velocity": func(w *World) {
			v := twist(0.1, 0)
			apply(t, w,
				sim.SetEntityState{Name: "rover", Twist: &v})
		},
		"many at once": func(w *World) {
			p := at(1, 0, 0.1)
			apply(t, w, sim.MoveEntities{Moves: []sim.SetEntityState{{Name: "rover", Pose: &p}}})
		},
		"reset":           func(w *World) { apply(t, w, sim.Reset{}) },
		"reset of states": func(w *World) { apply(t, w, sim.Reset{Scope: sim.ResetState}) },
		"rewind": func(w *World) {
			apply(t, w, sim.Rewind{Back: 400 * time.Millisecond})
			apply(t, w,
				sim.SetState{State: sim.Playing})
		},
	} {
		w, err := NewWorld(Options{Seed: 7, Rewind: 10 * time.Second})
		if err != nil {
			t.Fatal(err)
		}
		apply(t, w, sim.LoadWorld{Resource: sim.Resource{URI: "yard"}})
		apply(t, w, sim.SetState{State: sim.Playing})
		steps(t, w, 50)
		breakRover(t, w)
		steps(t, w, 50)
		if faultOf(t, w, "rover") == nil {
			t.Fatalf("%s: it is not contained", name)
		}
		apply(t, w, sim.SetJoint{Name: "rover", Joint: "left", Mode: sim.JointEffort, Target: 0})
		bring(w)
		if f := faultOf(t, w, "rover"); f != nil {
			t.Errorf("%s: still %v", name, f)
		}
		apply(t, w, sim.DriveEntity{Name: "rover", Twist: twist(0.5, 0)})
		from := w.entities.list[2].linkPose(w.physics, 0)
		steps(t, w, 100)
		if d := w.entities.list[2].linkPose(w.physics, 0).Pos.Dist(from.Pos); d < 0.05 {
			t.Errorf("%s: it drives %v m", name, d)
		}
	}
}

func TestAPushDoesNotBringAContainedEntityBackAndDeletingItDoesNoHarm(t *testing.T) {
	w := yard(t, sim.Playing)
	apply(t, w, sim.Spawn{Name: "second", Resource: sim.Resource{URI: "rover"},
		Pose: sim.FramedPose{Pose: at(-2, 0, 0)}})
	apply(t, w, sim.SetJoint{Name: "second", Joint: "left", Mode: sim.JointEffort, Target: 1e300})
	steps(t, w, 2)
	push := twist(1, 0)
	apply(t, w, sim.SetEntityState{Name: "second", Accel: &push})
	steps(t, w, 20)
	if faultOf(t, w, "second") == nil {
		t.Error("a push released it")
	}
	apply(t, w, sim.Delete{Names: []string{"second"}})
	steps(t, w, 20)
	if n := w.Snapshot().Stats.Contained; n != 0 {
		t.Errorf("%d are contained", n)
	}
}

func TestAWorldThatPausesOnAFaultCanBePlayedOn(t *testing.T) {
	w, err := NewWorld(Options{Seed: 7, OnFault: sim.PauseOnFault})
	if err != nil {
		t.Fatal(err)
	}
	apply(t, w, sim.LoadWorld{Resource: sim.Resource{URI: "yard"}})
	apply(t, w, sim.SetState{State: sim.Paused})
	apply(t, w, sim.StepWorld{N: 10})
	breakRover(t, w)
	_, err = try(w, sim.StepWorld{N: 10})
	if !errors.Is(err, sim.ErrFailed) || !strings.Contains(err.Error(), `"rover"`) {
		t.Errorf("the steps ended with %v", err)
	}
	if s := w.Snapshot(); s.State != sim.Paused || s.Step != 11 || !strings.Contains(s.Halted, `"rover"`) {
		t.Errorf("%s after step %d: %q", s.State, s.Step, s.Halted)
	}
	apply(t, w, sim.SetState{State: sim.Playing})
	if s := w.Snapshot(); s.Halted != "" {
		t.Errorf("played on, and halted: %q", s.Halted)
	}
	steps(t, w, 100)
	if s := w.Snapshot(); s.State != sim.Playing || s.Step != 111 {
		t.Errorf("%s after step %d", s.State, s.Step)
	}
}

func TestTheFaultPolicyIsChangedByACommandAndByAnotherWorld(t *testing.T) {
	w := yard(t, sim.Playing)
	before := w.Hash()
	apply(t, w, sim.SetFaultPolicy{Policy: sim.PauseOnFault})
	if w.Hash() == before {
		t.Error("the hash is the same with another policy")
	}
	breakRover(t, w)
	for range 5 {
		_ = w.Step()
	}
	if w.State() != sim.Paused || w.Snapshot().Pacing.OnFault != sim.PauseOnFault {
		t.Errorf("%s", w.State())
	}
	apply(t, w, sim.LoadWorld{Resource: sim.Resource{URI: "yard"}})
	if w.Snapshot().Pacing.OnFault != sim.ContainFaults {
		t.Error("another world keeps the policy")
	}
	for _, p := range []sim.FaultPolicy{sim.HaltOnFault, 7} {
		if _, err := try(w, sim.SetFaultPolicy{Policy: p}); !errors.Is(err, sim.ErrUnsupported) {
			t.Errorf("%v: %v", p, err)
		}
	}
}

func TestAContainedEntityIsTakenUpAsItWas(t *testing.T) {
	w := yard(t, sim.Playing)
	steps(t, w, 20)
	breakRover(t, w)
	steps(t, w, 20)
	apply(t, w, sim.SetFaultPolicy{Policy: sim.PauseOnFault})
	c, err := w.Restorable()
	if err != nil {
		t.Fatal(err)
	}
	other, err := NewWorld(Options{Seed: 7})
	if err != nil {
		t.Fatal(err)
	}
	apply(t, other, c)
	if f := faultOf(t, other, "rover"); f == nil || f.String() != faultOf(t, w, "rover").String() {
		t.Errorf("taken up with %v", f)
	}
	if other.Snapshot().Pacing.OnFault != sim.PauseOnFault {
		t.Error("taken up with another policy")
	}
	steps(t, w, 50)
	steps(t, other, 50)
	if w.Hash() != other.Hash() {
		t.Errorf("%016x, and %016x taken up", w.Hash(), other.Hash())
	}
}

func TestRewindGoesBackThroughFaultsAndPauses(t *testing.T) {
	w, err := NewWorld(Options{Seed: 7, Rewind: 10 * time.Second, OnFault: sim.PauseOnFault})
	if err != nil {
		t.Fatal(err)
	}
	apply(t, w, sim.LoadWorld{Resource: sim.Resource{URI: "yard"}})
	apply(t, w, sim.SetState{State: sim.Playing})
	steps(t, w, 70)
	breakRover(t, w)
	steps(t, w, 1)
	apply(t, w, sim.SetState{State: sim.Playing})
	steps(t, w, 10)
	then := w.physics.Hash()
	steps(t, w, 50)
	apply(t, w, sim.Rewind{Back: 50 * w.StepSize()})
	if w.physics.Hash() != then || faultOf(t, w, "rover") == nil {
		t.Errorf("%016x, want %016x; %v", w.physics.Hash(), then, faultOf(t, w, "rover"))
	}
	apply(t, w, sim.Rewind{Back: 11 * w.StepSize()})
	if f := faultOf(t, w, "rover"); f != nil {
		t.Errorf("before the fault: %v", f)
	}
}
