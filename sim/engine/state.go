package engine

import (
	"fmt"

	"simdeck/sim"
)

// setState goes to another state of the simulation. Stopped is paused and
// fully reset; from there Paused begins at time zero.
func (w *World) setState(to sim.State) error {
	switch to {
	case sim.Quitting:
		w.job.stop("the simulator quits")
		w.state = sim.Quitting
		return nil
	case sim.Stopped, sim.Playing, sim.Paused:
		return w.setRunState(to)
	case sim.NoWorld, sim.LoadingWorld:
		if to == w.state {
			return fmt.Errorf("%w: %s", sim.ErrAlreadyInState, to)
		}
		return fmt.Errorf("%w: %s cannot be asked for: load or unload a world", sim.ErrTransition, to)
	}
	return fmt.Errorf("%w: %d is no state; %d (stopped), %d (playing), %d (paused) and %d (quitting) can be asked for",
		sim.ErrFailed, uint8(to), sim.Stopped, sim.Playing, sim.Paused, sim.Quitting)
}

func (w *World) setRunState(to sim.State) error {
	switch {
	case w.state == sim.NoWorld || w.state == sim.LoadingWorld:
		return fmt.Errorf("%w: from %s to %s: a world must be loaded first", sim.ErrTransition, w.state, to)
	case w.state == to:
		return fmt.Errorf("%w: %s", sim.ErrAlreadyInState, to)
	}
	w.job.stop("the state was set to " + to.String())
	if to == sim.Stopped {
		if err := w.rebuildWorld(); err != nil {
			return err
		}
	}
	w.state, w.halted = to, ""
	return nil
}
