package sim

import (
	"fmt"
	"slices"

	"simdeck/sim/scene"
)

const (
	maxDescription = 1 << 16 // bytes
	maxTags        = 1 << 10
)

// setEntityInfo overrides what the sidecar says of an entity, until a reset of
// the state.
func (w *World) setEntityInfo(c SetEntityInfo) error {
	e, err := w.find(c.Name)
	if err != nil {
		return err
	}
	if c.Info.Category > scene.StaticObject || c.Info.Category == 3 {
		return fmt.Errorf("%w: %s for entity %q; %d (object), %d (robot), %d (human), %d (dynamic object) and %d (static object) are right",
			ErrFailed, c.Info.Category, c.Name, scene.Object, scene.Robot, scene.Human, scene.DynamicObject, scene.StaticObject)
	}
	if len(c.Info.Description) > maxDescription || len(c.Info.Tags) > maxTags {
		return fmt.Errorf("%w: entity %q: a description of %d bytes and %d tags; at most %d and %d are kept",
			ErrFailed, c.Name, len(c.Info.Description), len(c.Info.Tags), maxDescription, maxTags)
	}
	e.info = c.Info
	e.info.Tags = slices.Clone(c.Info.Tags)
	if c.Info.Bounds.Kind == scene.NoBounds {
		e.info.Bounds = e.plan.spec.Info.Bounds
	}
	w.structured()
	return nil
}
