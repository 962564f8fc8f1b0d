package physics

import "slices"

// KeepApart lets two bodies pass through each other, as a joint between them does; it holds until one of them is removed.
func (w *World) KeepApart(a, b BodyID) error {
	first, err := w.bodySlot(a)
	if err != nil {
		return err
	}
	second, err := w.bodySlot(b)
	if err != nil {
		return err
	}
	if first == second || w.apart(first, second) {
		return nil
	}
	// Copies of the world share these lists, so that they are never changed in place.
	w.bodies[first].apart = append(slices.Clip(w.bodies[first].apart), b)
	w.bodies[second].apart = append(slices.Clip(w.bodies[second].apart), a)
	w.dropContactsBetween(first, second)
	w.wake(first)
	w.wake(second)
	return nil
}

// apart reports that two bodies are kept apart.
func (w *World) apart(a, b int32) bool {
	if len(w.bodies[b].apart) < len(w.bodies[a].apart) { // each is in the other's list: the shorter one knows as well
		a, b = b, a
	}
	return slices.Contains(w.bodies[a].apart, w.bodyID(b))
}
