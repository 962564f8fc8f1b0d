package dynamics

import "unsafe"

// CopyFrom makes this world what the other one is now, bit for bit: both then go on alike, under the
// same ids. It reuses this world's memory, so that a copy which is taken again and again allocates
// nothing. What stands for good (shapes, meshes) is shared, and so is the configuration's clock.
//
// Only what matters between two steps is copied: the solver and other scratch stay each world's own.
func (w *World) CopyFrom(o *World) {
	w.cfg = o.cfg
	w.bodies.ids.copyFrom(&o.bodies.ids)
	w.geoms.ids.copyFrom(&o.geoms.ids)
	w.joints.ids.copyFrom(&o.joints.ids)
	w.copyBodies(o.bodies.all)
	w.bodies.motion = append(w.bodies.motion[:0], o.bodies.motion...)
	w.bodies.massProps = append(w.bodies.massProps[:0], o.bodies.massProps...)
	w.bodies.motionBounds = append(w.bodies.motionBounds[:0], o.bodies.motionBounds...)
	w.geoms.all = append(w.geoms.all[:0], o.geoms.all...)
	w.geoms.placements = append(w.geoms.placements[:0], o.geoms.placements...)
	w.geoms.bounds = append(w.geoms.bounds[:0], o.geoms.bounds...)
	w.geoms.surfaces = append(w.geoms.surfaces[:0], o.geoms.surfaces...)
	w.joints.all = append(w.joints.all[:0], o.joints.all...)
	w.copyArticulations(o.articulations)

	w.geoms.tree.CopyFrom(&o.geoms.tree)
	w.geoms.planes = append(w.geoms.planes[:0], o.geoms.planes...)
	w.geoms.moved = append(w.geoms.moved[:0], o.geoms.moved...)
	w.contacts.pairs.sorted = append(w.contacts.pairs.sorted[:0], o.contacts.pairs.sorted...)
	w.geoms.adjacency.copyFrom(&o.geoms.adjacency)
	w.geoms.static = o.geoms.static

	w.contacts.all = append(w.contacts.all[:0], o.contacts.all...)
	w.contacts.poses = append(w.contacts.poses[:0], o.contacts.poses...)
	w.contacts.free = append(w.contacts.free[:0], o.contacts.free...)
	w.contacts.freeOne = append(w.contacts.freeOne[:0], o.contacts.freeOne...)
	w.contacts.freeMulti = append(w.contacts.freeMulti[:0], o.contacts.freeMulti...)
	w.contacts.manifolds = append(w.contacts.manifolds[:0], o.contacts.manifolds...)

	w.active.bodies = append(w.active.bodies[:0], o.active.bodies...)
	w.active.contacts = append(w.active.contacts[:0], o.active.contacts...)
	w.active.isAwake = append(w.active.isAwake[:0], o.active.isAwake...)
	w.active.hasSleepingSide, w.active.dirty = o.active.hasSleepingSide, o.active.dirty
	w.time.dt, w.time.h, w.time.steps = o.time.dt, o.time.h, o.time.steps
	w.active.sleepEvents.list = append(w.active.sleepEvents.list[:0], o.active.sleepEvents.list...)
	w.active.sleepEvents.seen = o.active.sleepEvents.seen
	w.stats = o.stats
}

// Size is about how many bytes a copy of the world takes.
func (w *World) Size() int {
	trees := 0
	for i := range w.articulations {
		l := &w.articulations[i]
		trees += sizeOf(l.links) + l.Size()
	}
	return trees + sizeOf(w.bodies.all) + sizeOf(w.bodies.motion) + sizeOf(w.bodies.massProps) +
		sizeOf(w.bodies.motionBounds) +
		sizeOf(w.geoms.all) + sizeOf(w.geoms.placements) + sizeOf(w.joints.all) +
		w.geoms.tree.Size() + sizeOf(w.contacts.pairs.sorted) + sizeOf(w.geoms.adjacency.keys) +
		sizeOf(w.contacts.all) +
		sizeOf(w.contacts.poses) + sizeOf(w.geoms.bounds) + sizeOf(w.geoms.surfaces) +
		sizeOf(w.contacts.manifolds)
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
	w.bodies.all = w.bodies.all[:min(len(w.bodies.all), len(from))]
	for i := range from {
		if i == len(w.bodies.all) {
			w.bodies.all = append(w.bodies.all, body{})
		}
		b := &w.bodies.all[i]
		geoms, joints := append(b.geoms[:0], from[i].geoms...), append(b.joints[:0], from[i].joints...)
		*b = from[i]
		b.geoms, b.joints = geoms, joints
	}
}
