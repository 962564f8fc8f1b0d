package engine

import (
	"fmt"

	"simdeck/sim"
)

// runState is the state of the simulation, and how it came there.
type runState struct {
	now        sim.State
	beforeLoad sim.State // when the world that is being read cannot be loaded, it is that again
	halted     string    // why the engine paused the world; of a state that was set since it is nothing
}

// set goes to a state that was asked for.
func (s *runState) set(to sim.State) { s.now, s.halted = to, "" }

// halt pauses a world that cannot go on, and says why.
func (s *runState) halt(why string) { s.now, s.halted = sim.Paused, why }

// beginLoad announces that a world is being read. The one that stands waits meanwhile, with a StepWorld that
// is under way.
func (s *runState) beginLoad() error {
	if s.now == sim.LoadingWorld {
		return fmt.Errorf("%w: another world is being loaded; wait for it", sim.ErrBusy)
	}
	s.beforeLoad, s.now = s.now, sim.LoadingWorld
	return nil
}

// cancelLoad goes back to before a world was read that cannot be loaded.
func (s *runState) cancelLoad() {
	if s.now == sim.LoadingWorld {
		s.now = s.beforeLoad
	}
}

// needWorld refuses commands that need a world when there is none.
func (s *runState) needWorld(c sim.Command) error {
	switch s.now {
	case sim.NoWorld:
		return fmt.Errorf("%w: %s needs one; load a world first", sim.ErrNoWorld, sim.Describe(c))
	case sim.LoadingWorld:
		return fmt.Errorf("%w: %s while a world is being loaded; wait for it", sim.ErrIncorrectState,
			sim.Describe(c))
	}
	return nil
}

// admit refuses states that cannot be asked for, or not from here.
func (s *runState) admit(to sim.State) error {
	switch to {
	case sim.Quitting:
		return nil
	case sim.Stopped, sim.Playing, sim.Paused:
		switch {
		case s.now == sim.NoWorld || s.now == sim.LoadingWorld:
			return fmt.Errorf("%w: from %s to %s: a world must be loaded first", sim.ErrTransition, s.now, to)
		case s.now == to:
			return fmt.Errorf("%w: %s", sim.ErrAlreadyInState, to)
		}
		return nil
	case sim.NoWorld, sim.LoadingWorld:
		if to == s.now {
			return fmt.Errorf("%w: %s", sim.ErrAlreadyInState, to)
		}
		return fmt.Errorf("%w: %s cannot be asked for: load or unload a world", sim.ErrTransition, to)
	}
	return fmt.Errorf("%w: %d is no state; %d (stopped), %d (playing), %d (paused) and %d (quitting) can be asked for",
		sim.ErrFailed, uint8(to), sim.Stopped, sim.Playing, sim.Paused, sim.Quitting)
}

// setState goes to another state of the simulation. Stopped is paused and
// fully reset; from there Paused begins at time zero. Where it is stepping, Paused ends that.
func (w *World) setState(to sim.State) error {
	if to == sim.Paused && w.state.now == sim.Paused && w.job.running {
		w.job.stop("the state was set to " + to.String())
		return nil
	}
	if err := w.state.admit(to); err != nil {
		return err
	}
	switch to {
	case sim.Quitting:
		w.job.stop("the simulator quits")
	default:
		w.job.stop("the state was set to " + to.String())
	}
	if to == sim.Stopped {
		if err := w.rebuildWorld(); err != nil {
			return err
		}
	}
	w.state.set(to)
	return nil
}
