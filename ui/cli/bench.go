package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"simdeck/sim"
	"simdeck/sim/engine"
)

// Bench is the options of a measurement of steps.
type Bench struct {
	For      time.Duration // of this machine's time
	Duration time.Duration // simulated; 0: For decides
	Sensors  bool          // lidars and cameras are computed too
	JSON     bool
	Out      io.Writer
	Progress Progress
}

// warmUp is the simulated time before a measurement: memory is allocated, and the world has come to rest or
// to speed.
const warmUp = 500 * time.Millisecond

func (s *session) benchCommand() *cobra.Command {
	var b Bench
	cmd := &cobra.Command{
		Use: "benchmark [WORLD]", Short: "Step a world as fast as possible and print what a step costs",
		Args: oneWorld,
		Long: "benchmark steps a world as fast as this machine can, without console and ROS, and prints the real-time factor, what a step\n" +
			"costs and in which of its stages, and what it allocates.",
		Example: "  simdeck benchmark warehouse --for 10s\n  simdeck benchmark my.sdf --duration 60s --workers 2 --json",
		RunE: func(cmd *cobra.Command, args []string) error {
			if b.For <= 0 {
				return fmt.Errorf("%w: --for %v: want more than 0", ErrUsage, b.For)
			}
			return s.start(cmd, args, func(ctx context.Context, o Options) error {
				b.Duration, b.Out, b.Progress = o.Duration, cmd.OutOrStdout(), o.Progress
				o.ROS.Off, o.RealTime, o.Duration, o.View.Rewind, o.Recording.Later = true, 0, 0, 0, ""
				return s.Bench(ctx, o, b)
			})
		},
	}
	declare(cmd.Flags(), timed|lookup)
	cmd.Flags().DurationVar(&b.For, "for", 5*time.Second,
		"time to measure, of this machine; --duration is simulated time and goes before")
	cmd.Flags().BoolVar(&b.Sensors, "sensors", false,
		"compute what lidars and cameras see, as if every sensor were read")
	cmd.Flags().BoolVar(&b.JSON, "json", false, "as JSON")
	return cmd
}

// benched is the result of a measurement. Times of a step are in microseconds.
type benched struct {
	World     string             `json:"world"`
	Entities  int                `json:"entities"`
	Bodies    int                `json:"bodies"`
	Awake     int                `json:"awake"`
	Shapes    int                `json:"shapes"`
	Joints    int                `json:"joints"`
	Contacts  int                `json:"contacts"`
	Substeps  int                `json:"substeps"`
	StepSize  float64            `json:"step_size"` // s
	Steps     uint64             `json:"steps"`
	Simulated float64            `json:"simulated"` // s
	Took      float64            `json:"took"`      // s
	Factor    float64            `json:"real_time_factor"`
	Step      float64            `json:"step_us"`
	Stages    map[string]float64 `json:"stages_us"`
	Allocs    float64            `json:"allocations_per_step"`
	Bytes     float64            `json:"bytes_per_step"`
	Heap      uint64             `json:"heap_bytes"`
	stages    [sim.StageCount]time.Duration
}

// Measure measures an engine that runs as fast as it can.
func (b Bench) Measure(ctx context.Context, e *engine.Engine) error {
	measured := b.Progress.Begin("Measuring steps")
	defer measured.End()
	sub := e.Subscribe(sim.Latest(50 * time.Millisecond))
	defer sub.Close()
	sub.WantSensors(b.Sensors)
	from, err := next(ctx, sub)
	if err != nil {
		return err
	}
	if b.Duration == 0 {
		for began := time.Now(); time.Since(began) < warmUp; {
			if from, err = next(ctx, sub); err != nil {
				return err
			}
		}
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	began := time.Now()
	to := from
	for b.Duration > 0 && to.Time < b.Duration || b.Duration == 0 && time.Since(began) < b.For {
		if to, err = next(ctx, sub); err != nil {
			return err
		}
		measured.Report(b.far(to.Time, time.Since(began)))
	}
	took := time.Since(began)
	runtime.ReadMemStats(&after)
	steps := to.Step - from.Step
	if steps == 0 {
		return errors.New("no step completed in this time: use a longer --for")
	}
	per := func(n uint64) float64 { return float64(n) / float64(steps) }
	st := &to.Stats
	r := benched{
		World: to.Model.World.Name, Entities: len(to.Model.Entities), Bodies: st.Bodies, Awake: st.Awake,
		Shapes: st.Geoms, Joints: st.Joints, Contacts: st.Contacts, Substeps: st.Substeps,
		StepSize: to.StepSize.Seconds(), Steps: steps, Simulated: (to.Time - from.Time).Seconds(),
		Took: took.Seconds(), Factor: (to.Time - from.Time).Seconds() / took.Seconds(),
		Step: took.Seconds() * 1e6 / float64(steps), Stages: map[string]float64{},
		Allocs: per(after.Mallocs - before.Mallocs), Bytes: per(after.TotalAlloc - before.TotalAlloc),
		Heap: after.HeapInuse, stages: st.Stages,
	}
	for i, cost := range st.Stages {
		r.Stages[sim.Stage(i).String()] = cost.Seconds() * 1e6
	}
	measured.End()
	return r.print(b)
}

// far is the progress of a measurement.
func (b Bench) far(simulated, took time.Duration) string {
	if b.Duration > 0 {
		return secondsOf(simulated, b.Duration)
	}
	return secondsOf(took, b.For)
}

// print writes the result as it was asked for.
func (r *benched) print(b Bench) error {
	if b.JSON {
		return json.NewEncoder(b.Out).Encode(r)
	}
	_, err := io.WriteString(b.Out, r.text())
	return err
}

// next is the next picture of an engine.
func next(ctx context.Context, sub *sim.Subscription) (*sim.Snapshot, error) {
	select {
	case s, open := <-sub.C():
		if !open {
			return nil, errors.New("the engine has ended")
		}
		if s.Halted != "" {
			return nil, fmt.Errorf("%w: engine fault at %v: %s", ErrLost, s.Time, s.Halted)
		}
		if s.State != sim.Playing {
			return nil, fmt.Errorf("the simulation is %v: want playing", s.State)
		}
		return s, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// text is for people.
func (r *benched) text() string {
	out := fmt.Sprintf("%s: %d entities, %d bodies (%d awake), %d shapes, %d joints, %d contacts\n", r.World,
		r.Entities, r.Bodies, r.Awake, r.Shapes, r.Joints, r.Contacts)
	row := func(name, format string, args ...any) {
		out += fmt.Sprintf("  %-8s ", name) + fmt.Sprintf(format, args...) + "\n"
	}
	row("steps", "%d of %v (%d substeps): %.1f s simulated in %.1f s", r.Steps, time.Duration(r.StepSize*1e9),
		r.Substeps, r.Simulated, r.Took)
	row("pace", "×%.2f of real time", r.Factor)
	row("step", "%.1f µs", r.Step)
	var sum time.Duration
	for _, cost := range r.stages {
		sum += cost
	}
	most := slices.Max(r.stages[:])
	for i, cost := range r.stages {
		mark := ""
		if cost == most && most > 0 {
			mark = "  the most expensive"
		}
		row("", "%-8s %9.1f µs %4.0f %%%s", sim.Stage(i), cost.Seconds()*1e6,
			100*float64(cost)/float64(max(sum, 1)), mark)
	}
	row("memory", "%.2f allocations and %.0f bytes a step, %.1f MB in use", r.Allocs, r.Bytes,
		float64(r.Heap)/1e6)
	return out
}
