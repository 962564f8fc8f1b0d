package simif

import (
	"context"
	"fmt"
	"strings"

	"simdeck/sim"
)

// spawnables lists what can be spawned; sources that could not be read are
// told beside the list.
func (s *Services) spawnables(ctx context.Context, sources []string) (sim.Spawnables, error) {
	return sim.Call[sim.Spawnables](ctx, s.backend, sim.ListSpawnables{Sources: sources})
}

func (s *Services) spawn(ctx context.Context, c sim.Spawn) (string, error) {
	r, err := sim.Call[sim.Spawned](ctx, s.backend, c)
	return r.Name, err
}

// spawnAll answers for each; the error, when any failed, says how many.
func (s *Services) spawnAll(ctx context.Context, list []sim.Spawn) ([]sim.SpawnResult, error) {
	r, err := sim.Call[sim.BatchSpawned](ctx, s.backend, sim.SpawnBatch{Spawns: list})
	if err != nil {
		return nil, err
	}
	var failed []string
	for i, one := range r.Results {
		if one.Err != nil {
			failed = append(failed, fmt.Sprintf("%d (%s)", i, list[i].Name))
		}
	}
	if len(failed) > 0 {
		err = fmt.Errorf("%w: %d of %d were not spawned, the others stay; see the results of request %s",
			errBatch, len(failed), len(list), strings.Join(failed, ", "))
	}
	return r.Results, err
}

func (s *Services) remove(ctx context.Context, name string) (nothing, error) {
	_, err := s.backend.Do(ctx, sim.Delete{Names: []string{name}})
	return nothing{}, err
}
