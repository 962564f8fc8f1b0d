package engine

import (
	"testing"
	"time"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/scenetest"
	"simdeck/sim/sensing"
)

// TestFlowOfAPeriodDoesNotDependOnReadersRewindsOrSavedStates that fall into it: neither do hashes.
func TestFlowOfAPeriodDoesNotDependOnReadersRewindsOrSavedStates(t *testing.T) {
	lib := &scenetest.Library{WorldSpecs: map[string]*scene.WorldSpec{"w": {Name: "w", Gravity: earthward(),
		StepSize: 0.004,
		Models: []scene.Placed{{Name: "ground", Model: scenetest.Ground(), Pose: r3.IdentityPose()},
			{Name: "wall", Model: scenetest.Wall(), Pose: at(3, 0, 0.5)},
			{Name: "rover", Model: instrumented(), Pose: at(0, 0, 0.02)}}}}}
	const until, within = 60, 56 // the last period of 50 ms begins after step 50
	begun := func(wanted func(uint64, int) bool) *World {
		w, err := NewWorld(Options{Seed: 3, Rewind: time.Minute})
		if err != nil {
			t.Fatal(err)
		}
		load := sim.LoadWorld{Resource: sim.Resource{URI: "w"}}
		if _, err := w.Apply(load, Load(lib, load)); err != nil {
			t.Fatal(err)
		}
		w.sensing.Wanted, w.sensing.CameraWanted = wanted, sensing.Never
		apply(t, w, sim.SetState{State: sim.Playing})
		apply(t, w, sim.DriveEntity{Name: "rover", Twist: twist(0.4, 0.7)})
		steps(t, w, within)
		return w
	}
	// ends is the flow of the period that ends with step 63, and the hash in it.
	ends := func(w *World) (flow sim.OpticalFlow, hash uint64) {
		t.Helper()
		steps(t, w, until-within)
		hash = w.Hash()
		steps(t, w, 3)
		w.drainSamples()
		s := w.Snapshot()
		i, _ := s.Find("rover")
		for k, m := range s.Model.Entities[i].Sensors {
			if d, ok := s.SamplesOf(i)[k].Data.(*sim.OpticalFlow); ok && m.Spec.Name == "flow" {
				flow = *d
				flow.Spec = nil
				return flow, hash
			}
		}
		t.Fatal("there is no flow")
		return flow, hash
	}
	first := begun(sensing.Always)
	want, hash := ends(first)
	if want.Quality == 0 || want.X == 0 || want.Turn == (r3.Vec{}) {
		t.Fatalf("%+v: this test shows nothing", want)
	}
	check := func(what string, w *World) {
		t.Helper()
		if flow, same := ends(w); flow != want || same != hash {
			t.Errorf("%s: %+v and hash %x, want %+v and %x", what, flow, same, want, hash)
		}
	}
	apply(t, first, sim.Rewind{Back: (until + 3 - within) * first.clock.stepSize})
	apply(t, first, sim.SetState{State: sim.Playing})
	check("after a rewind", first)
	unseen := begun(sensing.Never)
	unseen.sensing.Wanted = sensing.Always
	check("with a reader that comes within the period", unseen)
	check("taken up from a saved state", takenUp(t, begun(sensing.Always), lib))
}
