package sim

import (
	"context"
	"fmt"
)

// ControlAPI manages the simulation as a whole, through any Backend: the simulator
// manager of the seed documents, usable without ROS.
type ControlAPI struct{ Backend Backend }

// State is the state of the simulation.
func (m ControlAPI) State() State { return m.Backend.Snapshot().State }

// SetState asks for another state.
func (m ControlAPI) SetState(ctx context.Context, s State) error {
	_, err := m.Backend.Do(ctx, SetState{State: s})
	return err
}

// Play lets simulated time run.
func (m ControlAPI) Play(ctx context.Context) error { return m.SetState(ctx, Playing) }

// Pause holds simulated time.
func (m ControlAPI) Pause(ctx context.Context) error { return m.SetState(ctx, Paused) }

// Stop pauses and resets everything.
func (m ControlAPI) Stop(ctx context.Context) error { return m.SetState(ctx, Stopped) }

// Quit ends the simulator.
func (m ControlAPI) Quit(ctx context.Context) error { return m.SetState(ctx, Quitting) }

// Step runs n steps. When it is ended early, it says how many were completed
// as well as why.
func (m ControlAPI) Step(ctx context.Context, n uint64) (Stepped, error) {
	r, err := m.Backend.Do(ctx, StepWorld{N: n})
	s, _ := r.(Stepped)
	return s, err
}

// Reset resets what the scope says.
func (m ControlAPI) Reset(ctx context.Context, scope ResetScope) error {
	_, err := m.Backend.Do(ctx, Reset{Scope: scope})
	return err
}

// Pace sets the real-time factor; 0 is as fast as possible.
func (m ControlAPI) Pace(ctx context.Context, factor float64) error {
	_, err := m.Backend.Do(ctx, SetPacing{RealTime: factor})
	return err
}

// World names the world that is loaded; ErrNoWorld when none is.
func (m ControlAPI) World() (WorldInfo, error) {
	s := m.Backend.Snapshot()
	if s.State == NoWorld || s.State == LoadingWorld {
		return WorldInfo{}, fmt.Errorf("%w: the state is %s", ErrNoWorld, s.State)
	}
	return s.Model.World, nil
}

// Worlds lists the worlds that can be loaded; see ListWorlds.
func (m ControlAPI) Worlds(ctx context.Context, sources ...string) (Worlds, error) {
	return Call[Worlds](ctx, m.Backend, ListWorlds{Sources: sources})
}

// LoadWorld replaces the world.
func (m ControlAPI) LoadWorld(ctx context.Context, c LoadWorld) (WorldInfo, error) {
	r, err := Call[WorldLoaded](ctx, m.Backend, c)
	return r.World, err
}

// UnloadWorld leaves no world.
func (m ControlAPI) UnloadWorld(ctx context.Context) error {
	_, err := m.Backend.Do(ctx, UnloadWorld{})
	return err
}
