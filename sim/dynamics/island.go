package dynamics

import (
	"fmt"

	"simdeck/sim/dynamics/linalg"
	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// islandBuilder is the scratch of the island search.
type islandBuilder struct {
	linalg.DisjointSets[int32]        // of body slots; only those of awake bodies are valid
	canSleep                   []bool // by root: every body of the island is still and may sleep
}

// join joins awake dynamic bodies over contacts and joints.
func (s *islandBuilder) join(bodies *bodySet, joints *jointSet, articulations []worldArticulation,
	contacts *contactSet, active *activeSet) {
	s.DisjointSets, s.canSleep = linalg.Grow(s.DisjointSets, len(bodies.all)),
		linalg.Grow(s.canSleep, len(bodies.all))
	for _, i := range active.bodies {
		s.DisjointSets[i], s.canSleep[i] = i, true
	}
	awake := func(i int32) bool { return bodies.all[i].kind == Dynamic && !bodies.all[i].asleep }
	for _, i := range active.contacts {
		c := &contacts.all[i]
		if c.count > 0 && !c.sensor && awake(c.bodyA) && awake(c.bodyB) {
			s.Union(c.bodyA, c.bodyB)
		}
	}
	for i := range joints.all {
		j := &joints.all[i]
		if joints.ids.inUse(int32(i)) && j.parent >= 0 && awake(j.parent) && awake(j.child) {
			s.Union(j.parent, j.child)
		}
	}
	s.joinCouplings(joints, awake)
	for i := range articulations {
		for k := range articulations[i].links {
			if a, b := articulations[i].links[0].body, articulations[i].links[k].body; awake(a) &&
				awake(b) {
				s.Union(a, b)
			}
		}
	}
	s.forbidSleep(bodies, joints, contacts, active)
}

// forbidSleep marks islands with a kinematic or never sleeping body, an active motor, or a contact with a
// moving kinematic body.
func (s *islandBuilder) forbidSleep(bodies *bodySet, joints *jointSet, contacts *contactSet,
	active *activeSet) {
	for _, i := range active.bodies {
		if b := &bodies.all[i]; b.kind != Dynamic || b.noSleep {
			s.canSleep[s.Find(i)] = false
		}
	}
	for _, i := range active.contacts {
		c := &contacts.all[i]
		if c.count == 0 || c.sensor {
			continue
		}
		if bodies.all[c.bodyA].kind == Kinematic && bodies.isAwake(c.bodyA) && bodies.isAwake(c.bodyB) {
			s.canSleep[s.Find(c.bodyB)] = false
		} else if bodies.all[c.bodyB].kind == Kinematic && bodies.isAwake(c.bodyB) &&
			bodies.isAwake(c.bodyA) {
			s.canSleep[s.Find(c.bodyA)] = false
		}
	}
	for i := range joints.all {
		j := &joints.all[i]
		if !joints.ids.inUse(int32(i)) {
			continue
		}
		kinematic := j.parent >= 0 && bodies.all[j.parent].kind == Kinematic && bodies.isAwake(j.parent)
		if !j.motorActive() && !kinematic {
			continue
		}
		for _, b := range [2]int32{j.parent, j.child} {
			if b >= 0 && bodies.isAwake(b) {
				s.canSleep[s.Find(b)] = false
			}
		}
	}
}

// sleep puts the islands to sleep whose bodies have all been still for long enough, and links
// each in a ring so that they wake together. It returns the number of islands.
func (s *islandBuilder) sleep(bodies *bodySet, active *activeSet, sleepTime float64) (islands int) {
	for _, i := range active.bodies {
		if bodies.all[i].kind == Dynamic && bodies.all[i].stillTime < sleepTime {
			s.canSleep[s.Find(i)] = false
		}
	}
	for _, i := range active.bodies {
		root := s.Find(i)
		b := &bodies.all[i]
		if root == i {
			islands++
		}
		if b.kind != Dynamic || !s.canSleep[root] {
			continue
		}
		b.asleep = true
		bodies.motion[i].v, bodies.motion[i].w = r3.Vec{}, r3.Vec{}
		b.velocityBefore = r3.Twist{}
		b.nextInIsland = i
		if i != root {
			b.nextInIsland, bodies.all[root].nextInIsland = bodies.all[root].nextInIsland, i
		}
		active.sleepEvents.list = append(active.sleepEvents.list, SleepEvent{bodies.id(i), true})
		active.dirty = true
	}
	return islands
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
