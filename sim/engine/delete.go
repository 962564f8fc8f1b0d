package engine

import (
	"fmt"
	"slices"

	"simdeck/sim"
)

// delete removes entities, all or none. Entities of the loaded world stay, unless the world permits their
// deletion or the command asks for it.
func (w *World) delete(c sim.Delete) error {
	var gone []*entity
	for _, name := range c.Names {
		e, err := w.entities.find(name)
		if err != nil {
			return err
		}
		if !e.deletable && !c.OfWorld {
			return fmt.Errorf("%w: %q belongs to the world, which does not mark it as deletable", sim.ErrFailed,
				name)
		}
		if !slices.Contains(gone, e) {
			gone = append(gone, e)
		}
	}
	for _, e := range gone {
		w.entities.remove(e, w.physics)
	}
	if len(gone) > 0 {
		w.onStructureChanged()
	}
	return nil
}
