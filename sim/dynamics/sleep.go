package dynamics

import "simdeck/sim/shape"

// SleepEvent says that a body has fallen asleep or woken.
type SleepEvent struct {
	Body   BodyID
	Asleep bool
}

// sleepLog is the events since the step before the last.
type sleepLog struct {
	list []SleepEvent
	seen int // of the list, shown by SleepEvents
}

// SleepEvents lists the changes since the step before the last: those of the last Step, and those of calls
// between the two. Valid until the next Step.
func (w *World) SleepEvents() []SleepEvent { return w.sleepEvents.list[:w.sleepEvents.seen] }

// dropSleepEvents drops the events that SleepEvents has shown.
func (w *World) dropSleepEvents() {
	w.sleepEvents.list = append(w.sleepEvents.list[:0], w.sleepEvents.list[w.sleepEvents.seen:]...)
	w.sleepEvents.seen = 0
}

// wake wakes a body and the island that it sleeps in.
func (w *World) wake(slot int32) {
	b := &w.bodies.all[slot]
	if b.contained {
		return
	}
	b.stillTime = 0
	if b.kind == Kinematic {
		w.active.dirty = true
	}
	if !b.asleep {
		w.active.dirty = w.active.dirty || b.kind == Static
		return
	}
	w.active.dirty = true
	for i := slot; ; {
		c := &w.bodies.all[i]
		c.asleep, c.stillTime = false, 0
		w.sleepEvents.list = append(w.sleepEvents.list, SleepEvent{w.bodyID(i), false})
		i, c.nextInIsland = c.nextInIsland, i
		if i == slot {
			return
		}
	}
}

// wakeAround wakes a body and everything that touches it.
func (w *World) wakeAround(slot int32) {
	w.wake(slot)
	for _, r := range w.contacts.pairs.sorted {
		c := &w.contacts.all[r.contact]
		if c.count == 0 {
			continue
		}
		if c.bodyA == slot {
			w.wake(c.bodyB)
		} else if c.bodyB == slot {
			w.wake(c.bodyA)
		}
	}
}

// wakeOverlapping wakes what sleeps where the geoms of a body that does not move by itself have come to be:
// between two that do not move nothing is looked for.
func (w *World) wakeOverlapping(slot int32) {
	var near []int32
	for _, s := range w.bodies.all[slot].geoms {
		near = w.wakeOverlappingGeom(s, near[:0])
	}
}

// wakeOverlappingGeom is wakeOverlapping for one geom; near is room for those near it.
func (w *World) wakeOverlappingGeom(s int32, near []int32) []int32 {
	if w.bodies.all[w.geoms.all[s].body].kind == Dynamic || w.geoms.all[s].sensor {
		return near
	}
	if w.geoms.all[s].Kind != shape.KindPlane {
		near = w.geoms.tree.Query(&w.geoms.placements[s].tight, near)
	} else {
		for o := range w.geoms.all {
			if w.geoms.all[o].leaf >= 0 && w.overlapsPlane(int32(o), s) {
				near = append(near, int32(o))
			}
		}
	}
	for _, o := range near {
		if other := w.geoms.all[o].body; !w.geoms.all[o].sensor && w.bodies.all[other].asleep {
			w.wake(other)
		}
	}
	return near
}

// Sleep puts a dynamic body and all that rests with it to sleep at once, if nothing forbids it.
func (w *World) Sleep(id BodyID) {
	if !w.Awake(id) || w.cfg.NoSleep {
		return
	}
	w.rebuildActive()
	w.joinIslands()
	root := w.islands.Find(int32(id.slot))
	for _, i := range w.active.bodies {
		if w.islands.Find(i) == root && w.bodies.all[i].kind == Dynamic {
			w.bodies.all[i].stillTime = w.cfg.SleepTime
		}
	}
	w.sleepIslands()
}

// fallAsleep counts for how long bodies have been still and lets whole islands sleep.
func (w *World) fallAsleep() {
	w.stats.Islands = 0
	if w.cfg.NoSleep {
		return
	}
	due := false
	for _, i := range w.active.bodies {
		b, m, in := &w.bodies.all[i], &w.bodies.motion[i], &w.bodies.massProps[i]
		speed := m.v.Len() + float64(m.w.Len()*in.radius)
		if b.kind != Dynamic || b.noSleep || speed > w.cfg.SleepSpeed {
			b.stillTime = 0
			continue
		}
		b.stillTime += w.time.dt
		due = due || b.stillTime >= w.cfg.SleepTime
	}
	if !due {
		return
	}
	w.joinIslands()
	w.sleepIslands()
}
