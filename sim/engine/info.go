package engine

import (
	"fmt"
	"slices"

	"simdeck/sim"
	"simdeck/sim/scene"
)

const (
	maxDescription = 1 << 16 // bytes
	maxTags        = 1 << 10
)

// setEntityInfos overrides what the sidecars say of entities, until a reset of
// the state: of all or of none.
func (w *World) setEntityInfos(list []sim.SetEntityInfo) error {
	all := make([]*entity, len(list))
	for i, c := range list {
		var err error
		if all[i], err = w.entities.find(c.Name); err != nil {
			return err
		}
		if err := checkInfo(c); err != nil {
			return err
		}
	}
	for i, e := range all {
		e.info = list[i].Info
		e.info.Tags = slices.Clone(e.info.Tags)
		if e.info.Bounds.Kind == scene.NoBounds {
			e.info.Bounds = e.model.Spec.Info.Bounds
		}
	}
	w.onStructureChanged()
	return nil
}

func checkInfo(c sim.SetEntityInfo) error {
	if c.Info.Category > scene.StaticObject || c.Info.Category == 3 {
		return fmt.Errorf("%w: %s for entity %q; want %d (object), %d (robot), %d (human), %d (dynamic object) or %d (static object)",
			sim.ErrFailed, c.Info.Category, c.Name, scene.Object, scene.Robot, scene.Human,
			scene.DynamicObject,
			scene.StaticObject)
	}
	if len(c.Info.Description) > maxDescription || len(c.Info.Tags) > maxTags {
		return fmt.Errorf("%w: entity %q: a description of %d bytes and %d tags; at most %d and %d are kept",
			sim.ErrFailed, c.Name, len(c.Info.Description), len(c.Info.Tags), maxDescription, maxTags)
	}
	return nil
}
