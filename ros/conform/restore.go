package conform

import (
	"context"
	"fmt"
	"slices"
	"time"

	"simdeck/ros/attach"
	"simdeck/ros/msgs/simif2"
	"simdeck/sim"
)

// found is a simulator as it was before.
type found struct {
	state    sim.State
	knows    bool // the state
	world    string
	entities []attach.Entity
	custom   string
}

// look notes what is to be put back. State that cannot be read is left out.
func (s *suite) look(ctx context.Context) found {
	var f found
	if state, err := attach.Ask(ctx, s.remote, simif2.GetSimulationStateService(),
		&simif2.GetSimulationStateRequest{}); err == nil {
		f.state, f.knows = sim.State(state.State.State), true
	}
	if w, err := attach.Ask(ctx, s.remote, simif2.GetCurrentWorldService(),
		&simif2.GetCurrentWorldRequest{}); err == nil {
		f.world = w.World.WorldResource.URI
	}
	if _, list, err := s.remote.Entities(ctx, ""); err == nil {
		f.entities = list
	}
	if a, err := attach.Ask(ctx, s.remote, simif2.GetSimulatorFeaturesService(),
		&simif2.GetSimulatorFeaturesRequest{}); err == nil {
		f.custom = a.Features.CustomInfo
	}
	return f
}

// clean deletes what a check spawned, if it is still there.
func (s *suite) clean(ctx context.Context, names []string) {
	ctx, cancel := context.WithTimeout(ctx, restoreMayTake)
	defer cancel()
	for _, name := range names {
		// A reset may have deleted it; putBack reports a remaining one.
		_, _ = s.remote.Do(ctx, sim.Delete{Names: []string{name}})
	}
}

// loadAgain loads the world that was found, unless it is there.
func (s *suite) loadAgain(ctx context.Context) error {
	if s.before.world == "" || s.look(ctx).world == s.before.world {
		return nil
	}
	return s.load(ctx, s.before.world)
}

func (s *suite) load(ctx context.Context, uri string) error {
	_, err := s.remote.Do(ctx, sim.LoadWorld{Resource: sim.Resource{URI: uri}})
	return err
}

// restoreMayTake is the time-out of restoring the world after a run was given up.
const restoreMayTake = 10 * time.Second

// putBack brings the simulator back to what was found, and says what it could
// not.
func (s *suite) putBack(ctx context.Context) (left []string) {
	if s.gone {
		return []string{"connection to the simulator lost"}
	}
	f := s.before
	if err := s.loadAgain(ctx); err != nil {
		left = append(left, fmt.Sprintf("world %s is not loaded again: %v", f.world, err))
	}
	now := s.look(ctx)
	if f.knows && now.state != f.state && f.state <= sim.Paused {
		if _, err := s.remote.Do(ctx, sim.SetState{State: f.state}); err != nil {
			left = append(left, fmt.Sprintf("the simulation is %v, it was %v: %v", now.state, f.state, err))
		}
	}
	name := func(e attach.Entity) string { return e.Name }
	had, has := names(f.entities, name), names(now.entities, name)
	for _, n := range has {
		if !slices.Contains(had, n) {
			left = append(left, fmt.Sprintf("entity %q was not there before", n))
		}
	}
	for _, n := range had {
		if !slices.Contains(has, n) {
			left = append(left, fmt.Sprintf("entity %q is gone", n))
		}
	}
	return left
}

func names[T any](list []T, name func(T) string) []string {
	all := make([]string, len(list))
	for i, e := range list {
		all[i] = name(e)
	}
	return all
}
