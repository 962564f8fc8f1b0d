package sim

import "fmt"

// setState goes to another state of the simulation. Stopped is paused and
// fully reset; from there Paused begins at time zero.
func (w *World) setState(to State) error {
	switch to {
	case Quitting:
		w.stopSteps("the simulator quits")
		w.state = Quitting
		return nil
	case Stopped, Playing, Paused:
		return w.setRunState(to)
	case NoWorld, LoadingWorld:
		if to == w.state {
			return fmt.Errorf("%w: %s", ErrAlreadyInState, to)
		}
		return fmt.Errorf("%w: %s cannot be asked for: load or unload a world", ErrTransition, to)
	}
	return fmt.Errorf("%w: %d is no state; %d (stopped), %d (playing), %d (paused) and %d (quitting) can be asked for",
		ErrFailed, uint8(to), Stopped, Playing, Paused, Quitting)
}

func (w *World) setRunState(to State) error {
	switch {
	case w.state == NoWorld || w.state == LoadingWorld:
		return fmt.Errorf("%w: from %s to %s: a world must be loaded first", ErrTransition, w.state, to)
	case w.state == to:
		return fmt.Errorf("%w: %s", ErrAlreadyInState, to)
	}
	w.stopSteps("the state was set to " + to.String())
	if to == Stopped {
		if err := w.rebuildWorld(); err != nil {
			return err
		}
	}
	w.state, w.halted = to, ""
	return nil
}

// setPace sets the real-time factor.
func (w *World) setPace(factor float64) error {
	if err := checkPace(factor); err != nil {
		return err
	}
	w.realTimeFactor = factor
	return nil
}
