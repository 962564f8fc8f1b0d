package engine

import (
	"slices"
	"testing"
	"time"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/scenetest"
	"simdeck/sim/sensing"
)

// TestGoingBackShowsWhatSensorsSawThen: a rewind shows the scan, picture and reading of its moment, each
// computed once, and none of the steps before.
func TestGoingBackShowsWhatSensorsSawThen(t *testing.T) {
	for _, workers := range []int{0, 2} {
		w, err := NewWorld(Options{Seed: 3, Rewind: time.Minute})
		if err != nil {
			t.Fatal(err)
		}
		lib := &scenetest.Library{WorldSpecs: map[string]*scene.WorldSpec{"w": {Name: "w",
			Gravity: earthward(), StepSize: 0.004,
			Earth: scene.Earth{Set: true, Latitude: 0.83, Longitude: 0.2},
			Models: []scene.Placed{{Name: "ground", Model: scenetest.Ground(), Pose: r3.IdentityPose()},
				{Name: "wall", Model: scenetest.Wall(), Pose: at(3, 0, 0.5)},
				{Name: "rover", Model: instrumented(), Pose: at(0, 0, 0.02)}}}}}
		load := sim.LoadWorld{Resource: sim.Resource{URI: "w"}}
		if _, err := w.Apply(load, Load(lib, load)); err != nil {
			t.Fatal(err)
		}
		apply(t, w, sim.SetState{State: sim.Playing})
		apply(t, w, sim.DriveEntity{Name: "rover", Twist: twist(0.4, 0.7)})
		if workers > 0 {
			c := sensing.NewPool()
			c.Start(workers)
			defer c.Stop()
			w.sensing.Submit = c.Submit
		}
		shown := func() (lines []string) {
			w.drainSamples()
			s := w.Snapshot()
			i, _ := s.Find("rover")
			for _, sample := range s.SamplesOf(i) {
				if sample.Data == nil {
					lines = append(lines, "nothing yet")
					continue
				}
				lines = append(lines, said(sample))
			}
			return lines
		}
		before, stops, age := map[int][]string{}, []int{400, 333, 129, 96}, 0
		for age < 420 {
			steps(t, w, 1)
			if age++; slices.Contains(stops, age) {
				before[age] = shown()
			}
		}
		samples := w.snapshots.sampleStep
		for _, to := range stops {
			apply(t, w, sim.Rewind{Back: time.Duration(age-to) * w.clock.stepSize})
			age = to
			for k, line := range shown() {
				if line != before[to][k] {
					t.Errorf("%d workers, back to step %d: sensor %d shows %.120s; then it was %.120s",
						workers, to, k, line, before[to][k])
				}
			}
		}
		if n := w.snapshots.sampleStep - samples; n > uint64(4*len(stops)*len(before[96])) {
			t.Errorf("%d workers: %d samples were made to show %d", workers, n, len(stops)*len(before[96]))
		}
	}
}
