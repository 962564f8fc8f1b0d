package sim

import (
	"context"
	"fmt"

	"simdeck/sim/scene"
)

// Entities manages what stands in the world, through any Backend: the entities
// manager of the seed documents, usable without ROS.
type Entities struct{ Backend Backend }

// Names lists the entities that a filter chooses, in the order of names.
func (m Entities) Names(f Filter) ([]string, error) {
	s := m.Backend.Snapshot()
	chosen, err := f.Match(s)
	if err != nil {
		return nil, err
	}
	out := make([]string, len(chosen))
	for i, k := range chosen {
		out[i] = s.Model.Entities[k].Name
	}
	return out, nil
}

// State is an entity's state as seen from a frame; see StateIn.
func (m Entities) State(name, frame string) (EntityState, error) {
	s := m.Backend.Snapshot()
	i, err := s.index(name)
	if err != nil {
		return EntityState{}, err
	}
	return StateIn(s, i, frame)
}

// NamedState is the state of one of several entities.
type NamedState struct {
	Name  string
	State EntityState
}

// States are the states of the entities that a filter chooses, all of one
// moment, as seen from a frame.
func (m Entities) States(f Filter, frame string) ([]NamedState, error) {
	s := m.Backend.Snapshot()
	chosen, err := f.Match(s)
	if err != nil {
		return nil, err
	}
	out := make([]NamedState, len(chosen))
	for i, k := range chosen {
		state, err := StateIn(s, k, frame)
		if err != nil {
			return nil, err
		}
		out[i] = NamedState{s.Model.Entities[k].Name, state}
	}
	return out, nil
}

// Info returns the description of an entity.
func (m Entities) Info(name string) (scene.Info, error) {
	s := m.Backend.Snapshot()
	i, err := s.index(name)
	if err != nil {
		return scene.Info{}, err
	}
	return s.Model.Entities[i].Info, nil
}

// Bounds is a region around an entity in its canonical link's frame; see
// BoundsOf.
func (m Entities) Bounds(name string, kind scene.BoundsKind) (scene.Bounds, error) {
	s := m.Backend.Snapshot()
	i, err := s.index(name)
	if err != nil {
		return scene.Bounds{}, err
	}
	return BoundsOf(s, i, kind)
}

// Spawnables lists the models that can be spawned; see ListSpawnables.
func (m Entities) Spawnables(ctx context.Context, sources ...string) (Spawnables, error) {
	return Call[Spawnables](ctx, m.Backend, ListSpawnables{Sources: sources})
}

// Spawn puts a model into the world and returns the name that it got.
func (m Entities) Spawn(ctx context.Context, c Spawn) (string, error) {
	r, err := Call[Spawned](ctx, m.Backend, c)
	return r.Name, err
}

// SpawnAll spawns several at one step boundary.
func (m Entities) SpawnAll(ctx context.Context, list ...Spawn) ([]SpawnResult, error) {
	r, err := Call[BatchSpawned](ctx, m.Backend, SpawnBatch{Spawns: list})
	return r.Results, err
}

// Delete removes entities, all or none.
func (m Entities) Delete(ctx context.Context, names ...string) error {
	_, err := m.Backend.Do(ctx, Delete{Names: names})
	return err
}

// SetState moves an entity.
func (m Entities) SetState(ctx context.Context, c SetEntityState) error {
	_, err := m.Backend.Do(ctx, c)
	return err
}

// SetInfo overrides what is known of an entity.
func (m Entities) SetInfo(ctx context.Context, name string, info scene.Info) error {
	_, err := m.Backend.Do(ctx, SetEntityInfo{Name: name, Info: info})
	return err
}

// index is Find with the error to answer.
func (s *Snapshot) index(name string) (int, error) {
	if i, ok := s.Find(name); ok {
		return i, nil
	}
	return 0, fmt.Errorf("%w: no entity is named %q", ErrNotFound, name)
}
