package sim

import (
	"context"
	"fmt"
)

// Simulator manages the simulation as a whole, through any Deck: the simulator
// manager of the seed documents, usable without ROS.
type Simulator struct{ Deck Deck }

// State is the state of the simulation.
func (m Simulator) State() State { return m.Deck.Snapshot().State }

// SetState asks for another state.
func (m Simulator) SetState(ctx context.Context, s State) error {
	_, err := m.Deck.Do(ctx, SetState{State: s})
	return err
}

// Play lets simulated time run.
func (m Simulator) Play(ctx context.Context) error { return m.SetState(ctx, Playing) }

// Pause holds simulated time.
func (m Simulator) Pause(ctx context.Context) error { return m.SetState(ctx, Paused) }

// Stop pauses and resets everything.
func (m Simulator) Stop(ctx context.Context) error { return m.SetState(ctx, Stopped) }

// Quit ends the simulator.
func (m Simulator) Quit(ctx context.Context) error { return m.SetState(ctx, Quitting) }

// Step runs n steps. When it is ended early, it says how many were completed
// as well as why.
func (m Simulator) Step(ctx context.Context, n uint64) (Stepped, error) {
	r, err := m.Deck.Do(ctx, StepWorld{N: n})
	s, _ := r.(Stepped)
	return s, err
}

// Reset resets what the scope says.
func (m Simulator) Reset(ctx context.Context, scope ResetScope) error {
	_, err := m.Deck.Do(ctx, Reset{Scope: scope})
	return err
}

// Pace sets the real-time factor; 0 is as fast as possible.
func (m Simulator) Pace(ctx context.Context, factor float64) error {
	_, err := m.Deck.Do(ctx, SetPacing{RealTime: factor})
	return err
}

// World names the world that is loaded; ErrNoWorld when none is.
func (m Simulator) World() (WorldInfo, error) {
	s := m.Deck.Snapshot()
	if s.State == NoWorld || s.State == LoadingWorld {
		return WorldInfo{}, fmt.Errorf("%w: the state is %s", ErrNoWorld, s.State)
	}
	return s.Model.World, nil
}

// Worlds lists the worlds that can be loaded; see ListWorlds.
func (m Simulator) Worlds(ctx context.Context, sources ...string) (Worlds, error) {
	return Call[Worlds](ctx, m.Deck, ListWorlds{Sources: sources})
}

// LoadWorld replaces the world.
func (m Simulator) LoadWorld(ctx context.Context, c LoadWorld) (WorldInfo, error) {
	r, err := Call[WorldLoaded](ctx, m.Deck, c)
	return r.World, err
}

// UnloadWorld leaves no world.
func (m Simulator) UnloadWorld(ctx context.Context) error {
	_, err := m.Deck.Do(ctx, UnloadWorld{})
	return err
}
