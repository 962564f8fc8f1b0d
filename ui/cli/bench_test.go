package cli

import (
	"context"
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"simdeck/sim"
	"simdeck/sim/engine"
)

// benchmarked measures an engine that runs a world as fast as it can.
func benchmarked(t *testing.T, b Bench, start sim.State) (string, error) {
	t.Helper()
	e, err := engine.New(engine.Config{Library: library{}, World: sim.Resource{URI: "world://empty"}, Start: start,
		RealTime: engine.AsFastAsPossible})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- e.Run(ctx) }()
	var out strings.Builder
	b.Out = &out
	err = b.Measure(ctx, e)
	stop()
	if ran := <-ended; ran != nil {
		t.Error(ran)
	}
	return out.String(), err
}

func TestWhatAStepCostsIsTold(t *testing.T) {
	text, err := benchmarked(t, Bench{Duration: 2 * time.Second}, sim.Playing)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"empty: 0 entities", "steps", "pace     ×", "control", "broad", "narrow",
		"prepare", "solve", "finish", "sleep", "sense", "allocations and"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in:\n%s", want, text)
		}
	}
	text, err = benchmarked(t, Bench{Duration: 2 * time.Second, JSON: true}, sim.Playing)
	var r benched
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		t.Fatal(err, text)
	}
	if err != nil || r.Steps == 0 || r.Step <= 0 || len(r.Stages) != int(sim.StageCount) ||
		r.Simulated <= 0 || math.Abs(float64(r.Steps)*r.StepSize-r.Simulated) > 1e-6 {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestOnlyAWorldThatPlaysIsMeasured(t *testing.T) {
	if _, err := benchmarked(t, Bench{For: time.Second}, sim.Paused); err == nil ||
		!strings.Contains(err.Error(), "want playing") {
		t.Errorf("paused: %v", err)
	}
	if l := run(t, []string{"benchmark", "--for", "0s"}, nil); ExitCode(l.err) != 2 {
		t.Errorf("for nothing: %v", l.err)
	}
	l := run(t, []string{"benchmark", "my.world", "--duration", "3s", "--workers", "2", "--sensors"}, nil)
	if l.err != nil || l.ran != "bench" || !l.bench.Sensors || l.bench.Duration != 3*time.Second ||
		l.options.Duration != 0 || !l.options.ROS.Off || l.options.Pace() != engine.AsFastAsPossible ||
		l.options.Workers != 2 {
		t.Errorf("%s: %+v, %+v, %v", l.ran, l.bench, l.options, l.err)
	}
}
