package simif

import (
	"context"
	"fmt"

	"simdeck/sim"
)

func (s *Services) simulation(context.Context, nothing) (sim.State, error) {
	return s.backend.Snapshot().State, nil
}

func (s *Services) setSimulation(ctx context.Context, want sim.State) (nothing, error) {
	if want > sim.LoadingWorld {
		return nothing{}, fmt.Errorf("%w: %d is no state: want 0 (stopped), 1 (playing), 2 (paused) or 3 (quitting)",
			sim.ErrFailed, want)
	}
	_, err := s.backend.Do(ctx, sim.SetState{State: want})
	return nothing{}, err
}

// step answers when the last step is done; one that was cut short says how far
// it came.
func (s *Services) step(ctx context.Context, n uint64) (sim.Stepped, error) {
	r, err := s.backend.Do(ctx, sim.StepWorld{N: n})
	done, begun := r.(sim.Stepped)
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	if err != nil && begun {
		err = fmt.Errorf("%w: ended after %d of %d steps, at %v", err, done.Completed, n, done.Time)
	}
	return done, err
}

func (s *Services) reset(ctx context.Context, scope sim.ResetScope) (nothing, error) {
	_, err := s.backend.Do(ctx, sim.Reset{Scope: scope})
	return nothing{}, err
}
