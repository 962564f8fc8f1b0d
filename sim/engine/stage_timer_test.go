package engine

import (
	"testing"
	"time"

	"simdeck/sim"
	"simdeck/sim/dynamics"
)

func TestStagesAddUpToNoMoreThanTheStepAndSensorsCountAsOftenAsTheyMeasure(t *testing.T) {
	now := int64(0)
	timer := &stageTimer{clock: func() int64 { return now }}
	var physics dynamics.Stats
	shares, n := 0.0, 0
	const steps, control, sense, scan = 20_000, 20, 10, 4000
	for step := range uint64(steps) {
		timer.start(step)
		now += control
		timer.lap(sim.StageControl)
		now += 100
		for i := range physics.Stage {
			physics.Stage[i] = 100 / int64(len(physics.Stage))
		}
		timer.snapshot(&physics)
		now += sense
		if step%20 == 0 { // a sensor of 50 Hz at 1 kHz
			now += scan
		}
		timer.lap(sim.StageSense)
		if step < 1000 {
			continue
		}
		whole := time.Duration(0)
		parts := timer.parts(time.Millisecond)
		for _, p := range parts {
			whole += p
		}
		if whole > time.Millisecond || whole < 900*time.Microsecond {
			t.Fatalf("step %d: the stages of 1 ms add up to %v: %v", step, whole, parts)
		}
		shares, n = shares+timer.costs[sim.StageSense], n+1
	}
	const want = sense + scan/20.
	if mean := shares / float64(n); mean < 0.9*want || mean > 1.1*want {
		t.Errorf("sensing takes %.1f ns a step, want %.1f", mean, want)
	}
}
