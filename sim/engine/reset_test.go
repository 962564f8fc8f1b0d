package engine

import (
	"errors"
	"testing"

	"simdeck/sim"
	"simdeck/sim/scene"
	"simdeck/sim/scenetest"
)

// TestAResetThatIsRefusedChangesNothing: the overlaps limit refuses a Move after the reset's scopes were
// applied, which must be undone: removed bodies, restarted sensors and clock.
func TestAResetThatIsRefusedChangesNothing(t *testing.T) {
	for _, scope := range []sim.ResetScope{sim.ResetSpawned, sim.ResetState, sim.ResetTime,
		sim.ResetSpawned | sim.ResetTime, sim.ResetSpawned | sim.ResetState, 0} {
		lib := scenetest.NewLibrary()
		lib.WorldSpecs["crowd"] = alike(3, scenetest.Ball(), row(0.01, 1))
		lib.WorldSpecs["crowd"].Models = append(lib.WorldSpecs["crowd"].Models,
			scene.Placed{Name: "far", Model: scenetest.Ball(), Pose: at(0, 5, 1)},
			scene.Placed{Name: "rover", Model: scenetest.Rover(), Pose: at(5, 5, 0.1)})
		w, err := NewWorld(Options{Limits: sim.Limits{Overlaps: 3}})
		if err != nil {
			t.Fatal(err)
		}
		do := func(c sim.Command) {
			t.Helper()
			if _, err := w.Apply(c, Load(lib, c)); err != nil {
				t.Fatalf("%s: %v", sim.Describe(c), err)
			}
		}
		do(sim.LoadWorld{Resource: sim.Resource{URI: "crowd"}})
		do(sim.SetState{State: sim.Playing})
		for i, name := range []string{"a", "z", "m"} {
			do(sim.Spawn{Name: name, Resource: sim.Resource{URI: "ball"},
				Pose: sim.FramedPose{Pose: at(float64(i), -5, 1)}})
		}
		steps(t, w, 20)
		hash, was := w.Hash(), w.Snapshot()
		_, err = w.Apply(sim.Reset{Scope: scope, Move: "far", To: at(0.01, 0, 1)}, Loaded{})
		if !errors.Is(err, sim.ErrLimit) {
			t.Fatalf("scope %d: %v, want ErrLimit", scope, err)
		}
		if err := w.Validate(); err != nil {
			t.Errorf("scope %d was refused and broke the world: %v", scope, err)
		}
		if w.Hash() != hash {
			t.Errorf("scope %d was refused and changed the hash", scope)
		}
		now := w.Snapshot()
		if len(now.Samples) == 0 || len(now.Samples) != len(was.Samples) {
			t.Fatalf("scope %d was refused: %d samples, %d before", scope, len(now.Samples), len(was.Samples))
		}
		for i := range now.Samples {
			if now.Samples[i].Seq != was.Samples[i].Seq || now.Samples[i].Time != was.Samples[i].Time {
				t.Errorf("scope %d was refused: sample %d is number %d of %v, was %d of %v", scope, i,
					now.Samples[i].Seq, now.Samples[i].Time, was.Samples[i].Seq, was.Samples[i].Time)
			}
		}
		for _, e := range was.Model.Entities {
			if _, ok := now.Find(e.Name); !ok {
				t.Errorf("scope %d was refused: %q is gone", scope, e.Name)
			}
		}
		steps(t, w, 20)
		do(sim.Delete{Names: []string{"a", "z", "m"}})
		steps(t, w, 1)
	}
}
