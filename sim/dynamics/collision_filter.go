package dynamics

import "slices"

// DisableCollision excludes two bodies from colliding with each other, as a joint between them does, until
// one of them is removed. It fails with ErrGone when one does not exist.
func (w *World) DisableCollision(a, b BodyID) error {
	first, err := w.bodies.slot(a)
	if err != nil {
		return err
	}
	second, err := w.bodies.slot(b)
	if err != nil {
		return err
	}
	if first == second || w.bodies.collisionDisabled(first, second) {
		return nil
	}
	// Copies of the world share these lists: they are never changed in place.
	w.bodies.all[first].noCollision = append(slices.Clip(w.bodies.all[first].noCollision), b)
	w.bodies.all[second].noCollision = append(slices.Clip(w.bodies.all[second].noCollision), a)
	w.contacts.dropBetween(&w.active, first, second)
	w.active.wake(&w.bodies, first)
	w.active.wake(&w.bodies, second)
	return nil
}

// collisionDisabled reports that DisableCollision was called for two bodies.
func (bs *bodySet) collisionDisabled(a, b int32) bool {
	// each is in the other's list: search the shorter
	if len(bs.all[b].noCollision) < len(bs.all[a].noCollision) {
		a, b = b, a
	}
	return slices.Contains(bs.all[a].noCollision, bs.id(b))
}
