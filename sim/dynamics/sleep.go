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
func (w *World) SleepEvents() []SleepEvent {
	return w.active.sleepEvents.list[:w.active.sleepEvents.seen]
}

// dropSeen drops the events that SleepEvents has shown.
func (l *sleepLog) dropSeen() {
	l.list = append(l.list[:0], l.list[l.seen:]...)
	l.seen = 0
}

// wake wakes a body and the island that it sleeps in.
func (as *activeSet) wake(bodies *bodySet, slot int32) {
	b := &bodies.all[slot]
	if b.contained {
		return
	}
	b.stillTime = 0
	if b.kind == Kinematic {
		as.dirty = true
	}
	if !b.asleep {
		as.dirty = as.dirty || b.kind == Static
		return
	}
	as.dirty = true
	for i := slot; ; {
		c := &bodies.all[i]
		c.asleep, c.stillTime = false, 0
		as.sleepEvents.list = append(as.sleepEvents.list, SleepEvent{bodies.id(i), false})
		i, c.nextInIsland = c.nextInIsland, i
		if i == slot {
			return
		}
	}
}

// wakeAround wakes a body and everything that touches it.
func (as *activeSet) wakeAround(bodies *bodySet, contacts *contactSet, slot int32) {
	as.wake(bodies, slot)
	for _, r := range contacts.pairs.sorted {
		c := &contacts.all[r.contact]
		if c.count == 0 {
			continue
		}
		if c.bodyA == slot {
			as.wake(bodies, c.bodyB)
		} else if c.bodyB == slot {
			as.wake(bodies, c.bodyA)
		}
	}
}

// wakeOverlapping wakes what sleeps where the geoms of a body that does not move by itself have come to be:
// between two that do not move nothing is looked for.
func (as *activeSet) wakeOverlapping(bodies *bodySet, geoms *geomSet, slot int32) {
	var near []int32
	for _, s := range bodies.all[slot].geoms {
		near = as.wakeOverlappingGeom(bodies, geoms, s, near[:0])
	}
}

// wakeOverlappingGeom is wakeOverlapping for one geom; near is room for those near it.
func (as *activeSet) wakeOverlappingGeom(bodies *bodySet, geoms *geomSet, s int32, near []int32) []int32 {
	if bodies.all[geoms.all[s].body].kind == Dynamic || geoms.all[s].sensor {
		return near
	}
	if geoms.all[s].Kind != shape.KindPlane {
		near = geoms.tree.Query(&geoms.placements[s].tight, near)
	} else {
		for o := range geoms.all {
			if geoms.all[o].leaf >= 0 && geoms.overlapsPlane(int32(o), s) {
				near = append(near, int32(o))
			}
		}
	}
	for _, o := range near {
		if other := geoms.all[o].body; !geoms.all[o].sensor && bodies.all[other].asleep {
			as.wake(bodies, other)
		}
	}
	return near
}

// Sleep puts a dynamic body and all that rests with it to sleep at once, if nothing forbids it.
func (h Body) Sleep() {
	if !h.Awake() || h.w.cfg.NoSleep {
		return
	}
	h.w.active.rebuild(&h.w.bodies, &h.w.contacts)
	h.w.islands.join(&h.w.bodies, &h.w.joints, h.w.articulations, &h.w.contacts, &h.w.active)
	root := h.w.islands.Find(int32(h.id.slot))
	for _, i := range h.w.active.bodies {
		if h.w.islands.Find(i) == root && h.w.bodies.all[i].kind == Dynamic {
			h.w.bodies.all[i].stillTime = h.w.cfg.SleepTime
		}
	}
	h.w.stats.Islands += h.w.islands.sleep(&h.w.bodies, &h.w.active, h.w.cfg.SleepTime)
}

// fallAsleep counts for how long bodies have been still and lets whole islands sleep.
func fallAsleep(w *World) {
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
	w.islands.join(&w.bodies, &w.joints, w.articulations, &w.contacts, &w.active)
	w.stats.Islands = w.islands.sleep(&w.bodies, &w.active, w.cfg.SleepTime)
}
