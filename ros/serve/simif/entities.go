package simif

import (
	"context"
	"errors"
	"fmt"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// errBatch is the error of a batch of which some failed.
var errBatch = errors.New("entities spawn failed")

// entityState is an entity's state with the picture's time.
type entityState struct {
	Name  string
	State sim.EntityState
}

// states are those of one moment.
type states struct {
	Snapshot *sim.Snapshot
	List     []entityState
}

func (s *Services) names(ctx context.Context, f sim.Filter) ([]string, error) {
	all, err := s.states(ctx, f)
	if err != nil {
		return nil, err
	}
	names := make([]string, len(all.List))
	for i, e := range all.List {
		names[i] = e.Name
	}
	return names, nil
}

// states are the entities that a filter lets through, in the world frame.
func (s *Services) states(_ context.Context, f sim.Filter) (states, error) {
	snap := s.backend.Snapshot()
	if err := worldOf(snap); err != nil {
		return states{}, err
	}
	found, err := s.habits.filter(f).Match(snap)
	if err != nil {
		return states{}, err
	}
	all := states{Snapshot: snap}
	for _, i := range found {
		all.List = append(all.List, entityState{snap.Model.Entities[i].Name, snap.Entities[i]})
	}
	return all, nil
}

func (s *Services) state(_ context.Context, name string) (states, error) {
	snap := s.backend.Snapshot()
	i, err := find(snap, s.habits.entity(name))
	if err != nil {
		return states{}, err
	}
	return states{snap, []entityState{{snap.Model.Entities[i].Name, snap.Entities[i]}}}, nil
}

func (s *Services) setState(ctx context.Context, c sim.SetEntityState) (nothing, error) {
	_, err := s.backend.Do(ctx, c)
	return nothing{}, err
}

func (s *Services) info(_ context.Context, name string) (scene.Info, error) {
	snap := s.backend.Snapshot()
	i, err := find(snap, s.habits.entity(name))
	if err != nil {
		return scene.Info{}, err
	}
	return snap.Model.Entities[i].Info, nil
}

// setInfo overrides what the interface can say; the bounds of the sidecar stay.
func (s *Services) setInfo(ctx context.Context, c sim.SetEntityInfo) (nothing, error) {
	old, err := s.info(ctx, c.Name)
	if err != nil {
		return nothing{}, err
	}
	switch c.Info.Category {
	case scene.Object, scene.Robot, scene.Human, scene.DynamicObject, scene.StaticObject:
	default:
		return nothing{}, fmt.Errorf("%w: %d is no category: want 0 (object), 1 (robot), 2 (human), 4 (dynamic object) or 5 (static object)",
			sim.ErrFailed, c.Info.Category)
	}
	c.Info.Bounds = old.Bounds
	_, err = s.backend.Do(ctx, c)
	return nothing{}, err
}

// entityBounds returns the bounds of an entity's sidecar where they are of the kind that is asked for, or a box
// is; else those computed from its collision geometry.
func (s *Services) entityBounds(_ context.Context, name string) (scene.Bounds, error) {
	snap := s.backend.Snapshot()
	i, err := find(snap, s.habits.entity(name))
	if err != nil {
		return scene.Bounds{}, err
	}
	s.mu.Lock()
	kind := s.bounds
	s.mu.Unlock()
	own := snap.Model.Entities[i].Info.Bounds
	box := own.Box()
	switch {
	case box.IsEmpty():
	case own.Kind == kind:
		return own, nil
	case kind == scene.BoxBounds:
		return scene.Bounds{Kind: kind, Points: []r3.Vec{box.Max, box.Min}}, nil
	}
	return sim.BoundsOf(snap, i, kind)
}

// find is the index of an entity of a picture.
func find(snap *sim.Snapshot, name string) (int, error) {
	if err := worldOf(snap); err != nil {
		return 0, err
	}
	i, found := snap.Find(name)
	if !found {
		return 0, fmt.Errorf("%w: there is no entity %q among the %d of the world; get_entities lists them",
			sim.ErrNotFound, name, len(snap.Model.Entities))
	}
	return i, nil
}

// worldOf is an error while there is no world to ask about.
func worldOf(snap *sim.Snapshot) error {
	switch snap.State {
	case sim.NoWorld:
		return fmt.Errorf("%w: load_world loads one", sim.ErrNoWorld)
	case sim.LoadingWorld:
		return fmt.Errorf("%w: a world is being loaded; ask again when the state is another",
			sim.ErrIncorrectState)
	}
	return nil
}
