package dynamics

import "simdeck/sim/shape"

// SleepEvent says that a body has fallen asleep or woken.
type SleepEvent struct {
	Body   BodyID
	Asleep bool
}

// SleepEvents lists the changes since the step before the last: those of the last Step, and those of calls
// between the two. Valid until the next Step.
func (w *World) SleepEvents() []SleepEvent { return w.events[:w.eventsSeen] }

// dropSleepEvents drops the events that SleepEvents has shown.
func (w *World) dropSleepEvents() {
	w.events = append(w.events[:0], w.events[w.eventsSeen:]...)
	w.eventsSeen = 0
}

// wake wakes a body and the island that it sleeps in.
func (w *World) wake(slot int32) {
	b := &w.bodies[slot]
	if b.contained {
		return
	}
	b.stillTime = 0
	if b.kind == Kinematic {
		w.activeDirty = true
	}
	if !b.asleep {
		w.activeDirty = w.activeDirty || b.kind == Static
		return
	}
	w.activeDirty = true
	for i := slot; ; {
		c := &w.bodies[i]
		c.asleep, c.stillTime = false, 0
		w.events = append(w.events, SleepEvent{w.bodyID(i), false})
		i, c.nextInIsland = c.nextInIsland, i
		if i == slot {
			return
		}
	}
}

// wakeAround wakes a body and everything that touches it.
func (w *World) wakeAround(slot int32) {
	w.wake(slot)
	for _, r := range w.pairs.sorted {
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
	for _, s := range w.bodies[slot].geoms {
		near = w.wakeOverlappingGeom(s, near[:0])
	}
}

// wakeOverlappingGeom is wakeOverlapping for one geom; near is room for those near it.
func (w *World) wakeOverlappingGeom(s int32, near []int32) []int32 {
	if w.bodies[w.geoms[s].body].kind == Dynamic || w.geoms[s].sensor {
		return near
	}
	if w.geoms[s].Kind != shape.KindPlane {
		near = w.broadTree.Query(&w.placements[s].tight, near)
	} else {
		for o := range w.geoms {
			if w.geoms[o].leaf >= 0 && w.overlapsPlane(int32(o), s) {
				near = append(near, int32(o))
			}
		}
	}
	for _, o := range near {
		if other := w.geoms[o].body; !w.geoms[o].sensor && w.bodies[other].asleep {
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
	for _, i := range w.awake {
		if w.islands.Find(i) == root && w.bodies[i].kind == Dynamic {
			w.bodies[i].stillTime = w.cfg.SleepTime
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
	for _, i := range w.awake {
		b, m, in := &w.bodies[i], &w.motion[i], &w.massProps[i]
		speed := m.v.Len() + float64(m.w.Len()*in.radius)
		if b.kind != Dynamic || b.noSleep || speed > w.cfg.SleepSpeed {
			b.stillTime = 0
			continue
		}
		b.stillTime += w.lastDt
		due = due || b.stillTime >= w.cfg.SleepTime
	}
	if !due {
		return
	}
	w.joinIslands()
	w.sleepIslands()
}
