package dynamics

import "slices"

// DisableCollision lets two bodies pass through each other, as a joint between them does; it holds until one of them is removed.
func (w *World) DisableCollision(a, b BodyID) error {
	first, err := w.bodySlot(a)
	if err != nil {
		return err
	}
	second, err := w.bodySlot(b)
	if err != nil {
		return err
	}
	if first == second || w.collisionDisabled(first, second) {
		return nil
	}
	// Copies of the world share these lists, so that they are never changed in place.
	w.bodies[first].noCollision = append(slices.Clip(w.bodies[first].noCollision), b)
	w.bodies[second].noCollision = append(slices.Clip(w.bodies[second].noCollision), a)
	w.dropContactsBetween(first, second)
	w.wake(first)
	w.wake(second)
	return nil
}

// collisionDisabled reports that two bodies are kept apart.
func (w *World) collisionDisabled(a, b int32) bool {
	if len(w.bodies[b].noCollision) < len(w.bodies[a].noCollision) { // each is in the other's list: the shorter one knows as well
		a, b = b, a
	}
	return slices.Contains(w.bodies[a].noCollision, w.bodyID(b))
}
