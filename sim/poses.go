package sim

import (
	"fmt"

	"simdeck/sim/scene"
)

// Poses manages the named poses of the world, through any Backend: the named
// poses manager of the seed documents, usable without ROS.
type Poses struct{ Backend Backend }

// List is the named poses that have the tags: any of them, or all. Without
// tags it is all poses, in the order of the world.
func (m Poses) List(tags []string, all bool) ([]scene.NamedPose, error) {
	s := m.Backend.Snapshot()
	chosen, err := Filter{Tags: tags, TagsAll: all}.MatchPoses(s)
	if err != nil {
		return nil, err
	}
	out := make([]scene.NamedPose, len(chosen))
	for i, k := range chosen {
		out[i] = s.Model.NamedPoses[k]
	}
	return out, nil
}

// Get is the named pose of a name.
func (m Poses) Get(name string) (scene.NamedPose, error) {
	model := m.Backend.Snapshot().Model
	if i, ok := model.namedPose(name); ok {
		return model.NamedPoses[i], nil
	}
	return scene.NamedPose{}, fmt.Errorf("%w: no named pose is called %q", ErrNotFound, name)
}

// Bounds is the region of a named pose, in its frame; its Kind is NoBounds
// when it has none.
func (m Poses) Bounds(name string) (scene.Bounds, error) {
	p, err := m.Get(name)
	return p.Bounds, err
}
