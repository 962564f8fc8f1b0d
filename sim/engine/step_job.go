package engine

import (
	"fmt"
	"time"

	"simdeck/sim"
)

// stepJob is a StepWorld that is under way.
type stepJob struct {
	running    bool
	left, done uint64
	err        error // why it ended early
}

// begin starts a StepWorld of n steps in a state, at a simulated time. One of no steps is answered at once.
func (j *stepJob) begin(n uint64, in sim.State, now time.Duration) (sim.Reply, error) {
	if j.running {
		return nil, fmt.Errorf("%w: another request is stepping: %d steps are left", sim.ErrIncorrectState,
			j.left)
	}
	if in != sim.Paused {
		if in == sim.NoWorld {
			return nil, fmt.Errorf("%w: nothing to step", sim.ErrNoWorld)
		}
		return nil, fmt.Errorf("%w: stepping needs the state paused; it is %s", sim.ErrFailed, in)
	}
	*j = stepJob{running: n > 0, left: n}
	if n == 0 {
		return sim.Stepped{Time: now}, nil
	}
	return nil, nil
}

// advance counts a step.
func (j *stepJob) advance() {
	if j.running {
		j.done++
		j.left--
		j.running = j.left > 0
	}
}

// end ends a StepWorld early; nothing happens when none runs.
func (j *stepJob) end(why error) {
	if j.running {
		j.running, j.left, j.err = false, 0, why
	}
}

// stop ends a StepWorld because something else was asked for.
func (j *stepJob) stop(why string) {
	j.end(fmt.Errorf("%w: after %d of %d steps: %s", sim.ErrCancelled, j.done, j.done+j.left, why))
}

// outcome is the answer of the last StepWorld at a simulated time.
func (j *stepJob) outcome(now time.Duration) (sim.Stepped, error) {
	return sim.Stepped{Completed: j.done, Time: now}, j.err
}
