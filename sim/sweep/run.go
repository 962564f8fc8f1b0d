package sweep

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"simdeck/sim"
	"simdeck/sim/engine"
	"simdeck/sim/scenario"
	"simdeck/sim/scene"
)

// Outcome is the kind of a run's end.
type Outcome string

// Outcomes. The caller states outcomes that do not come from the world itself.
const (
	Passed  Outcome = "passed"
	Failed  Outcome = "failed"  // it did not come to what it should
	Invalid Outcome = "invalid" // a file of it cannot be had or read
	Fault   Outcome = "fault"   // the engine broke, or lost a number
	Crashed Outcome = "crashed" // its process ended before it did
	Late    Outcome = "timeout" // it took too long by the wall clock
)

// Result is the result of a run. All of it is the same each time, but for runs that crashed or took too long.
type Result struct {
	Index   int     `json:"index"`
	Outcome Outcome `json:"outcome"`
	Reason  string  `json:"reason,omitempty"`
	Time    float64 `json:"time"`  // s, simulated, at the end
	Steps   uint64  `json:"steps"` // done
	// of the world at the end, see engine.World; empty: it did not come that far
	Hash  string               `json:"hash"`
	State map[string][]float64 `json:"state,omitempty"`
}

// StateColumns are the columns of an entity in Result.State: position, rotation about z in the world frame,
// and speed.
func StateColumns() []string { return []string{"x", "y", "z", "yaw", "speed"} }

// RunContext is a run with what it needs.
type RunContext struct {
	Sweep      *Sweep
	Run        *Run
	Scenario   *scenario.Scenario // nil: none
	Library    scene.Library
	World      scene.Resource
	OnProgress func(time.Duration) // simulated time, now and then; nil: no reader
}

// Execute does a run on an engine of its own, as fast as it can and without sensors. The scenario and the
// checks depend on simulated time alone.
func (t RunContext) Execute(ctx context.Context) Result {
	r := Result{Index: t.Run.Index}
	e, err := engine.NewContext(ctx, engine.Config{Library: varied{t.Library, t.Run}, World: t.World,
		Start: sim.Paused, OnFault: sim.PauseOnFault, RealTime: engine.AsFastAsPossible,
		StepSize: t.Run.Step, Seed: t.Run.Seed, Sensors: engine.SensorsNever})
	if err == nil {
		err = t.checkNames(e.Snapshot())
	}
	if err != nil {
		r.Outcome, r.Reason = Invalid, err.Error()
		return r
	}
	ended := make(chan error, 1)
	go func() { ended <- e.Run(context.WithoutCancel(ctx)) }()
	r.Outcome, r.Reason = t.play(sim.WithSender(ctx, "sweep"), e)
	last := e.Snapshot()
	// an engine that broke has ended already
	_, _ = e.Do(context.WithoutCancel(ctx), sim.SetState{State: sim.Quitting})
	if err := <-ended; err != nil {
		r.Outcome, r.Reason = Fault, err.Error()
	}
	r.Time, r.Steps, r.State = last.Time.Seconds(), last.Step, t.state(last)
	if hash := e.Hash(); hash != 0 {
		r.Hash = fmt.Sprintf("%016x", hash)
	}
	return r
}

// play goes on until it is known what becomes of the run.
func (t RunContext) play(ctx context.Context, e *engine.Engine) (Outcome, string) {
	p := scenario.Player{Backend: e, Publish: func(string, string) error { return nil }} // nobody listens
	picture := e.Snapshot()
	begun, done := picture.Time, t.Scenario == nil
	p.Begin(picture)
	for {
		if !done {
			var err error
			if done, err = p.At(ctx, t.Scenario, picture); err != nil {
				return verdict(err)
			}
			picture = e.Snapshot()
		}
		after := picture.Time - begun
		if c := t.failCondition(picture, after); c != nil {
			return Failed, fmt.Sprintf("after %v: %s", after, c)
		}
		over := after >= t.Run.Duration
		switch {
		case done && (len(t.Sweep.Pass) > 0 || t.Scenario != nil) && t.passCondition(picture, after), done &&
			over && t.passCondition(picture, after):
			return Passed, ""
		case over && !done:
			return Failed, fmt.Sprintf("the scenario had not ended after %v", t.Run.Duration)
		case over:
			return Failed, fmt.Sprintf("not all of pass held within %v", t.Run.Duration)
		}
		if t.OnProgress != nil {
			t.OnProgress(after)
		}
		if _, err := e.Do(ctx, sim.StepWorld{N: steps(picture.StepSize, t.Run.Duration-after)}); err != nil {
			return verdict(err)
		}
		picture = e.Snapshot()
	}
}

// steps are those until the next look, or the end.
func steps(dt, left time.Duration) uint64 {
	look := min(max(dt, scenario.Look), left)
	return uint64(max(1, (look+dt/2)/dt))
}

// verdict is the outcome of a run that ended with an error, and the reason.
func verdict(err error) (Outcome, string) {
	switch {
	case errors.Is(err, scenario.ErrAction):
		return Failed, err.Error()
	case errors.Is(err, context.DeadlineExceeded):
		return Late, err.Error()
	}
	return Fault, err.Error()
}

// failCondition is a condition of fail that holds; nil: none does.
func (t RunContext) failCondition(s *sim.Snapshot, after time.Duration) *scenario.Condition {
	for _, c := range t.Sweep.Fail {
		if c.Holds(s, after) {
			return c
		}
	}
	return nil
}

func (t RunContext) passCondition(s *sim.Snapshot, after time.Duration) bool {
	for _, c := range t.Sweep.Pass {
		if !c.Holds(s, after) {
			return false
		}
	}
	return true
}

// checkNames looks for entities that conditions name: one that is neither in the world nor spawned by the
// scenario was mistyped.
func (t RunContext) checkNames(s *sim.Snapshot) error {
	var names []string
	for i := range s.Model.Entities {
		names = append(names, s.Model.Entities[i].Name)
	}
	if t.Scenario != nil {
		for _, phase := range t.Scenario.Phases {
			for _, a := range phase.Do {
				if a.Kind == "spawn" {
					names = append(names, a.Entity)
				}
			}
		}
	}
	var conditions []string
	for _, c := range append(append([]*scenario.Condition{}, t.Sweep.Pass...), t.Sweep.Fail...) {
		conditions = append(conditions, c.Entity, c.To)
	}
	for _, name := range append(conditions, t.Sweep.Report...) {
		if name != "" && !slices.Contains(names, name) {
			return missing(name, "world "+strconv.Quote(s.Model.World.Name), names)
		}
	}
	return nil
}

// state is the reported state of entities.
func (t RunContext) state(s *sim.Snapshot) map[string][]float64 {
	out := map[string][]float64{}
	for _, name := range t.Sweep.Report {
		if i, ok := s.Find(name); ok {
			e := &s.Entities[i]
			out[name] = []float64{e.Pose.Pos.X, e.Pose.Pos.Y, e.Pose.Pos.Z, e.Pose.Rot.Yaw(),
				e.Twist.Linear.Len()}
		}
	}
	return out
}
