package dynamics

import "unsafe"

// CopyFrom makes this world what the other one is now, bit for bit: both then go on alike, under the
// same ids. It reuses this world's memory, so that a copy which is taken again and again allocates
// nothing. What stands for good (shapes, meshes) is shared, and so is the configuration's clock.
//
// Only what matters between two steps is copied: the solver and other scratch stay each world's own.
func (w *World) CopyFrom(o *World) {
	w.cfg = o.cfg
	w.bodyIDs.copyFrom(&o.bodyIDs)
	w.geomIDs.copyFrom(&o.geomIDs)
	w.jointIDs.copyFrom(&o.jointIDs)
	w.copyBodies(o.bodies)
	w.motion = append(w.motion[:0], o.motion...)
	w.massProps = append(w.massProps[:0], o.massProps...)
	w.motionBounds = append(w.motionBounds[:0], o.motionBounds...)
	w.geoms = append(w.geoms[:0], o.geoms...)
	w.placements = append(w.placements[:0], o.placements...)
	w.bounds = append(w.bounds[:0], o.bounds...)
	w.surfaces = append(w.surfaces[:0], o.surfaces...)
	w.joints = append(w.joints[:0], o.joints...)
	w.copyArticulations(o.articulations)

	w.broadTree.CopyFrom(&o.broadTree)
	w.planes = append(w.planes[:0], o.planes...)
	w.moved = append(w.moved[:0], o.moved...)
	w.pairs.sorted = append(w.pairs.sorted[:0], o.pairs.sorted...)
	w.adjacency.copyFrom(&o.adjacency)
	w.static = o.static

	w.contacts.all = append(w.contacts.all[:0], o.contacts.all...)
	w.contacts.poses = append(w.contacts.poses[:0], o.contacts.poses...)
	w.contacts.free = append(w.contacts.free[:0], o.contacts.free...)
	w.contacts.freeOne = append(w.contacts.freeOne[:0], o.contacts.freeOne...)
	w.contacts.freeMulti = append(w.contacts.freeMulti[:0], o.contacts.freeMulti...)
	w.manifolds = append(w.manifolds[:0], o.manifolds...)

	w.awake = append(w.awake[:0], o.awake...)
	w.active = append(w.active[:0], o.active...)
	w.awakeGeoms = append(w.awakeGeoms[:0], o.awakeGeoms...)
	w.hasSleepingSide, w.activeDirty = o.hasSleepingSide, o.activeDirty
	w.lastDt, w.lastH, w.steps = o.lastDt, o.lastH, o.steps
	w.events = append(w.events[:0], o.events...)
	w.eventsSeen = o.eventsSeen
	w.stats = o.stats
}

// Size is about how many bytes a copy of the world takes.
func (w *World) Size() int {
	trees := 0
	for i := range w.articulations {
		l := &w.articulations[i]
		trees += sizeOf(l.links) + sizeOf(l.dofs) + l.inertiaFactor.Size()
	}
	return trees + sizeOf(w.bodies) + sizeOf(w.motion) + sizeOf(w.massProps) + sizeOf(w.motionBounds) +
		sizeOf(w.geoms) + sizeOf(w.placements) + sizeOf(w.joints) +
		w.broadTree.Size() + sizeOf(w.pairs.sorted) + sizeOf(w.adjacency.keys) + sizeOf(w.contacts.all) +
		sizeOf(w.contacts.poses) + sizeOf(w.bounds) + sizeOf(w.surfaces) + sizeOf(w.manifolds)
}

func sizeOf[T any](s []T) int {
	var one T
	return len(s) * int(unsafe.Sizeof(one))
}

func (t *slotTable) copyFrom(o *slotTable) {
	t.gen = append(t.gen[:0], o.gen...)
	t.free = append(t.free[:0], o.free...)
	t.live = o.live
}

// copyBodies keeps the lists that this world's bodies have, and fills them.
func (w *World) copyBodies(from []body) {
	w.bodies = w.bodies[:min(len(w.bodies), len(from))]
	for i := range from {
		if i == len(w.bodies) {
			w.bodies = append(w.bodies, body{})
		}
		b := &w.bodies[i]
		geoms, joints := append(b.geoms[:0], from[i].geoms...), append(b.joints[:0], from[i].joints...)
		*b = from[i]
		b.geoms, b.joints = geoms, joints
	}
}
