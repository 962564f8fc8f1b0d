package simif

import (
	"context"
	"fmt"

	"simdeck/sim"
	"simdeck/sim/scene"
)

func (s *Services) namedPoses(_ context.Context, f sim.Filter) ([]scene.NamedPose, error) {
	snap := s.backend.Snapshot()
	if err := worldOf(snap); err != nil {
		return nil, err
	}
	found, err := f.MatchPoses(snap)
	if err != nil {
		return nil, err
	}
	list := make([]scene.NamedPose, len(found))
	for i, at := range found {
		list[i] = snap.Model.NamedPoses[at]
	}
	return list, nil
}

func (s *Services) poseBounds(_ context.Context, name string) (scene.Bounds, error) {
	snap := s.backend.Snapshot()
	if err := worldOf(snap); err != nil {
		return scene.Bounds{}, err
	}
	for _, p := range snap.Model.NamedPoses {
		if p.Name == name {
			return p.Bounds, nil
		}
	}
	return scene.Bounds{}, fmt.Errorf("%w: there is no named pose %q among the %d of the world; get_named_poses lists them",
		sim.ErrNotFound, name, len(snap.Model.NamedPoses))
}
