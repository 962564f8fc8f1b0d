package simif

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"simdeck/ros/msgs/simif1"
	"simdeck/ros/msgs/simif2"
	"simdeck/ros/node"
	"simdeck/sim"
	"simdeck/sim/engine"
)

// paced is a backend whose steps take a while, in the time of the bubble.
type paced struct {
	*engine.Engine
	step time.Duration
	busy *sync.Mutex
}

func (p paced) Do(ctx context.Context, c sim.Command) (sim.Reply, error) {
	job, steps := c.(sim.StepWorld)
	if !steps || job.N == 0 || p.Snapshot().State != sim.Paused {
		return p.Engine.Do(ctx, c)
	}
	if !p.busy.TryLock() {
		return nil, fmt.Errorf("%w: another request is stepping", sim.ErrIncorrectState)
	}
	defer p.busy.Unlock()
	done := sim.Stepped{}
	for done.Completed < job.N {
		select {
		case <-ctx.Done():
			return done, ctx.Err()
		case <-time.After(p.step):
		}
		r, err := p.Engine.Do(context.WithoutCancel(ctx), sim.StepWorld{N: 1})
		if err != nil {
			return done, err
		}
		done.Completed, done.Time = done.Completed+1, r.(sim.Stepped).Time
	}
	return done, nil
}

// pacedYard is a yard where a step takes a while.
func pacedYard(t *testing.T, step time.Duration, f func(y *yard)) {
	t.Helper()
	inTheYardWith(t, func(e *engine.Engine) sim.Backend { return paced{e, step, &sync.Mutex{}} }, f)
}

type stepper = node.ActionClient[simif2.SimulateStepsGoal, stepsResult, stepsFeedback]

func (y *yard) stepper() *stepper {
	y.T.Helper()
	c, err := node.NewActionClient(y.Client, "/simulate_steps", simif2.SimulateStepsAction())
	if err != nil {
		y.T.Fatal(err)
	}
	return c
}

// steps is a goal of simulate_steps with what was heard of it.
type steps struct {
	y *yard
	h *node.GoalHandle[simif2.SimulateStepsGoal, stepsResult, stepsFeedback]

	mu    sync.Mutex
	heard []stepsFeedback
}

func (y *yard) simulate(c *stepper, n uint64) *steps {
	y.T.Helper()
	s := &steps{y: y}
	var err error
	s.h, err = c.Send(y.Soon(), &simif2.SimulateStepsGoal{Steps: n}, func(f *stepsFeedback) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.heard = append(s.heard, *f)
	})
	if err != nil {
		y.T.Fatal(err)
	}
	return s
}

// ends waits for the end and checks it; it gives what was heard on the way.
func (s *steps) ends(what string, status node.GoalStatus, code uint8) ([]stepsFeedback, string) {
	s.y.T.Helper()
	got, r, err := s.h.Result(s.y.Soon())
	if err != nil || got != status {
		s.y.T.Fatalf("%s: ends %s with %+v, %v; want %s", what, got, r, err, status)
	}
	want(s.y.T, what, r.Result, code)
	time.Sleep(50 * time.Millisecond) // feedback that is under way
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.heard, r.Result.ErrorMessage
}

// check holds feedback to its promises: it grows, it adds up, and the last is the completed number.
func check(t *testing.T, heard []stepsFeedback, asked, completed uint64) {
	t.Helper()
	last := uint64(0)
	for _, f := range heard {
		if f.CompletedSteps <= last || f.CompletedSteps+f.RemainingSteps != asked {
			t.Errorf("of %d steps, after %d: %+v", asked, last, f)
		}
		last = f.CompletedSteps
	}
	if last != completed {
		t.Errorf("the last feedback is of %d steps, %d were done", last, completed)
	}
}

func TestSimulateStepsDoesExactlyTheStepsAsked(t *testing.T) {
	inTheYard(t, func(y *yard) {
		c := y.stepper()
		heard, _ := y.simulate(c, 250).ends("250 steps", node.GoalSucceeded, ok)
		check(t, heard, 250, 250)
		if at := y.Engine.Snapshot().Time; at != time.Second {
			t.Errorf("250 steps of 4 ms end at %v", at)
		}
		heard, _ = y.simulate(c, 0).ends("no steps", node.GoalSucceeded, ok)
		check(t, heard, 0, 0)
		if at := y.Engine.Snapshot().Time; at != time.Second {
			t.Errorf("no steps end at %v", at)
		}
	})
}

func TestSimulateStepsNeedsAPause(t *testing.T) {
	inTheYard(t, func(y *yard) {
		c := y.stepper()
		for _, s := range []sim.State{sim.Playing, sim.Stopped} {
			want(t, "to "+s.String(), y.become(s), ok)
			_, text := y.simulate(c, 3).ends("while "+s.String(), node.GoalAborted, operationFailed)
			if !strings.Contains(text, s.String()) || !strings.Contains(text, "paused") {
				t.Errorf("while %s it says %q", s, text)
			}
		}
	})
}

func TestFeedbackComesPerStepAndNoMoreThanAHundredTimesASecond(t *testing.T) {
	for _, c := range []struct {
		step     time.Duration
		n        uint64
		from, to int // messages
	}{{50 * time.Millisecond, 20, 20, 20}, {time.Millisecond, 500, 40, 51}} {
		pacedYard(t, c.step, func(y *yard) {
			heard, _ := y.simulate(y.stepper(), c.n).ends("steps", node.GoalSucceeded, ok)
			check(t, heard, c.n, c.n)
			if len(heard) < c.from || len(heard) > c.to {
				t.Errorf("%d steps of %v each give %d messages, want %d to %d", c.n, c.step, len(heard),
					c.from, c.to)
			}
		})
	}
}

func TestCancelledStepsSayHowFarTheyCame(t *testing.T) {
	pacedYard(t, 20*time.Millisecond, func(y *yard) {
		c := y.stepper()
		s := y.simulate(c, 1000)
		time.Sleep(time.Second)
		want(t, "others meanwhile", y.become(sim.Paused), 101)
		if err := s.h.Cancel(y.Soon()); err != nil {
			t.Error(err)
		}
		heard, text := s.ends("cancelled", node.GoalWasCanceled, operationFailed)
		done := uint64(y.Engine.Snapshot().Time / (4 * time.Millisecond))
		check(t, heard, 1000, done)
		if done < 40 || done > 60 || !strings.Contains(text, fmt.Sprintf("after %d of 1000 steps", done)) {
			t.Errorf("after a second of steps of 20 ms %d are done; it says %q", done, text)
		}
		before := y.Engine.Snapshot().Time
		time.Sleep(time.Second)
		if now := y.Engine.Snapshot().Time; now != before {
			t.Errorf("it goes on after it was cancelled, from %v to %v", before, now)
		}
		y.simulate(c, 2).ends("the next one", node.GoalSucceeded, ok)
	})
}

func TestOneRequestStepsAtATime(t *testing.T) {
	pacedYard(t, 20*time.Millisecond, func(y *yard) {
		c := y.stepper()
		first := y.simulate(c, 50)
		time.Sleep(100 * time.Millisecond) // goals that come together begin in any order
		heard, _ := y.simulate(c, 1).ends("a second goal", node.GoalAborted, incorrectState)
		if len(heard) > 0 {
			t.Errorf("the second goal did nothing and tells %+v", heard)
		}
		want(t, "a step beside it", y.step(1), incorrectState)
		heard, _ = first.ends("the first", node.GoalSucceeded, ok)
		check(t, heard, 50, 50)
	})
}

func TestSimulateStepsIsTheSameInBothLines(t *testing.T) {
	one, two := simif1.SimulateStepsAction(), simif2.SimulateStepsAction()
	if one.Hash != two.Hash {
		t.Errorf("the hash of 1.x is %s, of 2.x %s: each needs a codec of its own", one.Hash, two.Hash)
	}
	inTheYard(t, func(y *yard) {
		c, err := node.NewActionClient(y.Client, "simulate_steps", one)
		if err != nil {
			t.Fatal(err)
		}
		h, err := c.Send(y.Soon(), &simif1.SimulateStepsGoal{Steps: 3}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if status, r, err := h.Result(y.Soon()); err != nil || status != node.GoalSucceeded ||
			r.Result.Result != ok {
			t.Errorf("a client of 1.x gets %s %+v, %v", status, r, err)
		}
	})
}
