package engine

import (
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/scenetest"
	"simdeck/sim/sensing"
)

// fieldKinds says of every field of World whether it is state (decides what
// the world does next), cache (follows from state, or counts) or config.
var fieldKinds = map[string]string{
	"options": "config",
	"state":   "state", "source": "state", "physics": "state", "entities": "state", "poses": "state",
	"gravity": "state", "clock": "state", "job": "state", "onFault": "state", "events": "state",
	"history": "cache",
	"awake":   "cache", "snapshots": "cache", "stageTimer": "cache", "sensing": "cache",
}

// stateFieldKinds are those of the state of the simulation.
var stateFieldKinds = map[string]string{"now": "state", "beforeLoad": "state", "halted": "cache"}

// entityFieldKinds are those of the entities.
var entityFieldKinds = map[string]string{
	"list": "state", "attached": "state", "groups": "state", "lastID": "state",
	"medium": "cache",
	"active": "cache", "traffic": "cache", "lamps": "cache", "roads": "cache", "movers": "cache",
	"owner": "cache", "labels": "cache", "indexed": "cache", "contacts": "cache",
}

func TestEveryFieldOfTheWorldHasAKind(t *testing.T) {
	for typ, kinds := range map[reflect.Type]map[string]string{
		reflect.TypeFor[World](): fieldKinds, reflect.TypeFor[entitySet](): entityFieldKinds,
		reflect.TypeFor[runState](): stateFieldKinds,
	} {
		for i := range typ.NumField() {
			if name := typ.Field(i).Name; kinds[name] == "" {
				t.Errorf(
					"%s.%s: is it state, cache or config? State belongs into Hash, and Reset must bring it back",
					typ.Name(), name)
			}
		}
		if typ.NumField() != len(kinds) {
			t.Errorf("%s: %d fields, %d are listed", typ.Name(), typ.NumField(), len(kinds))
		}
	}
}

func TestTheHashSeesWhatDecidesTheFuture(t *testing.T) {
	for name, change := range map[string]func(*World){
		"a pose": func(w *World) {
			p := at(0, 2, 0.2500001)
			apply(t, w,
				sim.SetEntityState{Name: "crate", Pose: &p})
		},
		"a twist": func(w *World) {
			apply(t, w, sim.SetEntityState{Name: "crate", Twist: &r3.Twist{Angular: r3.V(0, 0, 1e-9)}})
		},
		"a push": func(w *World) {
			apply(t, w,
				sim.SetEntityState{Name: "crate", Accel: &r3.Twist{Linear: r3.V(1, 0, 0)}})
		},
		"a command": func(w *World) { apply(t, w, sim.DriveEntity{Name: "rover", Twist: twist(0.1, 0)}) },
		"a motor": func(w *World) {
			apply(t, w,
				sim.SetJoint{Name: "rover", Joint: "left", Mode: sim.JointEffort})
		},
		"an entity": func(w *World) { apply(t, w, sim.Delete{Names: []string{"crate"}}) },
		"the state": func(w *World) { apply(t, w, sim.SetState{State: sim.Playing}) },
		"the clock": func(w *World) { w.clock.time++ },
		"a schedule": func(w *World) {
			w.entities.list[2].sensors.Restart(sensing.Clock{Now: time.Hour, StepSize: w.clock.stepSize})
		},
	} {
		w := yard(t, sim.Paused)
		apply(t, w, sim.StepWorld{N: 10})
		before := w.Hash()
		change(w)
		if w.Hash() == before {
			t.Errorf("%s changed and the hash did not", name)
		}
	}
}

func TestOptionsThatCannotBe(t *testing.T) {
	for _, o := range []Options{{StepSize: -1}, {StepSize: time.Second}, {StepSize: 1},
		{RealTime: math.NaN()}, {RealTime: 1e9}} {
		if _, err := NewWorld(o); !errors.Is(err, sim.ErrFailed) {
			t.Errorf("%+v: %v, want ErrFailed", o, err)
		}
	}
}

func TestOptionsGoBeforeTheWorldAndTheWorldBeforeDefaults(t *testing.T) {
	for _, c := range []struct {
		o            Options
		spec         scene.WorldSpec
		wantStep     time.Duration
		wantRealTime float64
	}{
		{Options{}, scene.WorldSpec{}, DefaultStepSize, 1},
		{Options{}, scene.WorldSpec{StepSize: 0.001, RealTime: 2}, time.Millisecond, 2},
		{Options{}, scene.WorldSpec{Unpaced: true}, DefaultStepSize, 0},
		{Options{StepSize: 2 * time.Millisecond, RealTime: 3}, scene.WorldSpec{StepSize: 0.001, RealTime: 2},
			2 * time.Millisecond, 3},
		{Options{RealTime: 3}, scene.WorldSpec{Unpaced: true}, DefaultStepSize, 3},
		{Options{RealTime: AsFastAsPossible}, scene.WorldSpec{StepSize: 0.001, RealTime: 2}, time.Millisecond,
			0},
	} {
		w, err := NewWorld(c.o)
		if err != nil {
			t.Fatal(err)
		}
		lib := &scenetest.Library{WorldSpecs: map[string]*scene.WorldSpec{"w": &c.spec}}
		load := sim.LoadWorld{Resource: sim.Resource{URI: "w"}}
		if _, err := w.Apply(load, Load(lib, load)); err != nil {
			t.Fatal(err)
		}
		if s := w.Snapshot(); s.StepSize != c.wantStep || s.Pacing.Asked != c.wantRealTime {
			t.Errorf("%+v: steps of %v at %v, want %v at %v", c, s.StepSize, s.Pacing.Asked, c.wantStep,
				c.wantRealTime)
		}
	}
}

func TestANameThatIsNoneIsReplacedAndNoted(t *testing.T) {
	lib := &scenetest.Library{WorldSpecs: map[string]*scene.WorldSpec{"w": {Models: []scene.Placed{{
		Name:  "my box",
		Model: scenetest.Box(1), Pose: at(0, 0, 0)}}}}}
	w, _ := NewWorld(Options{})
	load := sim.LoadWorld{Resource: sim.Resource{URI: "w"}}
	if _, err := w.Apply(load, Load(lib, load)); err != nil {
		t.Fatal(err)
	}
	s := w.Snapshot()
	if _, ok := s.Find("my_box"); !ok || !s.Model.Notes.Has(scene.Suspicious) {
		t.Errorf("notes %v", s.Model.Notes)
	}
}

func TestAWorldThatContainsNothingPausesOnAFaultAndSaysSo(t *testing.T) {
	w, err := NewWorld(Options{Seed: 7, OnFault: sim.HaltOnFault})
	if err != nil {
		t.Fatal(err)
	}
	apply(t, w, sim.LoadWorld{Resource: sim.Resource{URI: "yard"}})
	apply(t, w, sim.SetState{State: sim.Paused})
	if _, err := w.Apply(sim.StepWorld{N: 10}, Loaded{}); err != nil {
		t.Fatal(err)
	}
	steps(t, w, 2)
	crate := w.entities.list[0].bodies[0]
	if err := w.physics.Body(crate).SetTwist(r3.Twist{Linear: r3.V(1e308, 1e308, 0), Angular: r3.V(1e308, 0,
		0)}); err != nil {
		t.Fatal(err)
	}
	if err := w.Step(); !errors.Is(err, sim.ErrFailed) {
		t.Fatalf("%v, want ErrFailed", err)
	}
	s := w.Snapshot()
	if last := s.Events[len(s.Events)-1]; s.State != sim.Paused || last.Level != sim.Error || w.Stepping() {
		t.Errorf("%v, stepping %v, the last event is %+v", s.State, w.Stepping(), last)
	}
	if out, err := w.Outcome(); out.Completed != 2 || !errors.Is(err, sim.ErrFailed) {
		t.Errorf("the steps ended with %+v, %v", out, err)
	}
	fresh := yard(t, sim.Paused)
	apply(t, w, sim.Reset{})
	if w.Hash() != fresh.Hash() {
		t.Error("a reset did not make it whole")
	}
	apply(t, w, sim.SetState{State: sim.Playing})
	steps(t, w, 10)
}

func TestEventsDoNotGrowWithWhatStrangersSend(t *testing.T) {
	w := yard(t, sim.Paused)
	w.report(sim.Info, "x", "%s", strings.Repeat("ö", 100_000))
	s := w.Snapshot()
	if n := len(s.Events[len(s.Events)-1].Text); n > maxEventLength+3 {
		t.Errorf("an event of %d bytes", n)
	}
}
