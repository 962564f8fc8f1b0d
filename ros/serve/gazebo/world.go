package gazebo

import (
	"context"
	"errors"

	"simdeck/ros/msgs/stdsrvs"
	"simdeck/sim"
)

// serveWorld makes the services that pause and reset the world, whose requests and answers are empty. Their
// errors are told in the log alone.
func (s *server) serveWorld() error {
	return errors.Join(
		s.serveEmpty("pause_physics", "set_simulation_state", sim.SetState{State: sim.Paused}),
		s.serveEmpty("unpause_physics", "set_simulation_state", sim.SetState{State: sim.Playing}),
		s.serveEmpty("reset_world", "reset_simulation", sim.Reset{Scope: sim.ResetState}),
		s.serveEmpty("reset_simulation", "reset_simulation",
			sim.Reset{Scope: sim.ResetTime | sim.ResetState}))
}

// serveEmpty makes a service that does a command. Asking for the present state is no failure.
func (s *server) serveEmpty(name, instead string, c sim.Command) error {
	return answer(s, name, instead, stdsrvs.EmptyService(),
		func(ctx context.Context, _ *stdsrvs.EmptyRequest) (*stdsrvs.EmptyResponse, error) {
			_, err := s.backend.Do(ctx, c)
			if errors.Is(err, sim.ErrAlreadyInState) {
				err = nil
			}
			return &stdsrvs.EmptyResponse{}, err
		}, func(error) *stdsrvs.EmptyResponse { return &stdsrvs.EmptyResponse{} })
}
