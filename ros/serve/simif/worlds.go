package simif

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"simdeck/sim"
	"simdeck/sim/scene"
)

// worldQuery asks for worlds.
type worldQuery struct {
	Sources  []string
	Tags     []string
	TagsAll  bool
	Continue bool // a source that cannot be read does not spoil the others
}

func (s *Services) worlds(ctx context.Context, q worldQuery) ([]scene.WorldInfo, error) {
	r, err := sim.Call[sim.Worlds](ctx, s.backend, sim.ListWorlds{Sources: q.Sources})
	if err != nil {
		return nil, err
	}
	var list []scene.WorldInfo
	for _, w := range r.List {
		if tagged(w.Tags, q.Tags, q.TagsAll) {
			list = append(list, w)
		}
	}
	if len(r.Failed) > 0 && (!q.Continue || len(list) == 0) {
		return nil, fmt.Errorf("%w: %s; continue_on_error answers with the rest", sim.ErrFailed,
			strings.Join(r.Failed, "; "))
	}
	return list, nil
}

// tagged reports whether something with tags passes a filter.
func tagged(have, want []string, all bool) bool {
	missing := func(tag string) bool { return !slices.Contains(have, tag) }
	if all {
		return !slices.ContainsFunc(want, missing)
	}
	return len(want) == 0 || slices.ContainsFunc(want, func(tag string) bool { return !missing(tag) })
}

func (s *Services) world(context.Context, nothing) (scene.WorldInfo, error) {
	snap := s.backend.Snapshot()
	return snap.Model.World, worldOf(snap)
}

func (s *Services) load(ctx context.Context, c sim.LoadWorld) (scene.WorldInfo, error) {
	r, err := sim.Call[sim.WorldLoaded](ctx, s.backend, c)
	return r.World, err
}

func (s *Services) unload(ctx context.Context, _ nothing) (nothing, error) {
	_, err := s.backend.Do(ctx, sim.UnloadWorld{})
	return nothing{}, err
}
