package dynamics

import (
	"fmt"

	"simdeck/sim/shape"
)

// activeSet is the bodies that are awake and the contacts with an awake body, ascending: caches of the sets.
type activeSet struct {
	bodies          []int32
	contacts        []int32
	isAwake         []bool // by body: is among bodies
	hasSleepingSide bool   // a side of one of the contacts sleeps
	dirty           bool   // all of these must be rebuilt
	sleepEvents     sleepLog
}

// rebuild rebuilds the lists of awake bodies and active contacts after a body has woken, slept, come or
// gone.
func (as *activeSet) rebuild(bodies *bodySet, contacts *contactSet) {
	if !as.dirty {
		return
	}
	as.dirty = false
	as.bodies = as.bodies[:0]
	as.isAwake = as.isAwake[:0]
	for i := range bodies.all {
		moves := bodies.ids.inUse(int32(i)) && bodies.isAwake(int32(i))
		if moves {
			as.bodies = append(as.bodies, int32(i))
		}
		as.isAwake = append(as.isAwake, moves)
	}
	as.contacts, as.hasSleepingSide = as.contacts[:0], false
	for _, r := range contacts.pairs.sorted {
		c := &contacts.all[r.contact]
		a, b := as.isAwake[c.bodyA], as.isAwake[c.bodyB]
		if a || b {
			as.contacts = append(as.contacts, r.contact)
			as.hasSleepingSide = as.hasSleepingSide || !(a && b) && (bodies.sleeps(c.bodyA) ||
				bodies.sleeps(c.bodyB))
		}
	}
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

// wakeOverlapping wakes sleeping bodies where a non-dynamic body's geoms have come: no pairs are sought
// between two motionless bodies.
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

func (as *activeSet) copyFrom(o *activeSet) {
	as.bodies = append(as.bodies[:0], o.bodies...)
	as.contacts = append(as.contacts[:0], o.contacts...)
	as.isAwake = append(as.isAwake[:0], o.isAwake...)
	as.hasSleepingSide, as.dirty = o.hasSleepingSide, o.dirty
	as.sleepEvents.list = append(as.sleepEvents.list[:0], o.sleepEvents.list...)
	as.sleepEvents.seen = o.sleepEvents.seen
}

func (as *activeSet) validate(bodies *bodySet) error {
	if as.dirty {
		return nil
	}
	n := 0
	for i := range bodies.all {
		if bodies.ids.inUse(int32(i)) && bodies.isAwake(int32(i)) {
			if n >= len(as.bodies) || as.bodies[n] != int32(i) {
				return fmt.Errorf("body %d is awake but not number %d of that list", i, n)
			}
			n++
		}
	}
	if n != len(as.bodies) {
		return fmt.Errorf("%d bodies awake, %d listed", n, len(as.bodies))
	}
	return nil
}
