package dynamics

import (
	"simdeck/sim/dynamics/linalg"
	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// SleepEvent says that a body has fallen asleep or woken.
type SleepEvent struct {
	Body   BodyID
	Asleep bool
}

// islandBuilder is the scratch of the island search.
type islandBuilder struct {
	linalg.DisjointSets[int32]        // of body slots; only those of awake bodies are valid
	canSleep                   []bool // by root: every body of the island is still and may sleep
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

// joinIslands joins awake dynamic bodies over contacts and joints.
func (w *World) joinIslands() {
	s := &w.islands
	s.DisjointSets, s.canSleep = linalg.Grow(s.DisjointSets, len(w.bodies)),
		linalg.Grow(s.canSleep, len(w.bodies))
	for _, i := range w.awake {
		s.DisjointSets[i], s.canSleep[i] = i, true
	}
	awake := func(i int32) bool { return w.bodies[i].kind == Dynamic && !w.bodies[i].asleep }
	for _, i := range w.active {
		c := &w.contacts.all[i]
		if c.count > 0 && !c.sensor && awake(c.bodyA) && awake(c.bodyB) {
			s.Union(c.bodyA, c.bodyB)
		}
	}
	for i := range w.joints {
		j := &w.joints[i]
		if w.jointIDs.inUse(int32(i)) && j.parent >= 0 && awake(j.parent) && awake(j.child) {
			s.Union(j.parent, j.child)
		}
	}
	w.joinCouplingIslands(awake)
	for i := range w.articulations {
		for k := range w.articulations[i].links {
			if a, b := w.articulations[i].links[0].body, w.articulations[i].links[k].body; awake(a) &&
				awake(b) {
				s.Union(a, b)
			}
		}
	}
	w.forbidSleep()
}

// forbidSleep marks islands with a kinematic or never sleeping body, an active motor, or a contact with a
// moving kinematic body.
func (w *World) forbidSleep() {
	s := &w.islands
	for _, i := range w.awake {
		if b := &w.bodies[i]; b.kind != Dynamic || b.noSleep {
			s.canSleep[s.Find(i)] = false
		}
	}
	for _, i := range w.active {
		c := &w.contacts.all[i]
		if c.count == 0 || c.sensor {
			continue
		}
		if w.bodies[c.bodyA].kind == Kinematic && w.isAwake(c.bodyA) && w.isAwake(c.bodyB) {
			s.canSleep[s.Find(c.bodyB)] = false
		} else if w.bodies[c.bodyB].kind == Kinematic && w.isAwake(c.bodyB) && w.isAwake(c.bodyA) {
			s.canSleep[s.Find(c.bodyA)] = false
		}
	}
	for i := range w.joints {
		j := &w.joints[i]
		if !w.jointIDs.inUse(int32(i)) {
			continue
		}
		kinematic := j.parent >= 0 && w.bodies[j.parent].kind == Kinematic && w.isAwake(j.parent)
		if !j.motorActive() && !kinematic {
			continue
		}
		for _, b := range [2]int32{j.parent, j.child} {
			if b >= 0 && w.isAwake(b) {
				s.canSleep[s.Find(b)] = false
			}
		}
	}
}

// sleepIslands puts the islands to sleep whose bodies have all been still for long enough, and links
// each in a ring so that they wake together.
func (w *World) sleepIslands() {
	s := &w.islands
	for _, i := range w.awake {
		if w.bodies[i].kind == Dynamic && w.bodies[i].stillTime < w.cfg.SleepTime {
			s.canSleep[s.Find(i)] = false
		}
	}
	for _, i := range w.awake {
		root := s.Find(i)
		b := &w.bodies[i]
		if root == i {
			w.stats.Islands++
		}
		if b.kind != Dynamic || !s.canSleep[root] {
			continue
		}
		b.asleep = true
		w.motion[i].v, w.motion[i].w = r3.Vec{}, r3.Vec{}
		b.velocityBefore = r3.Twist{}
		b.nextInIsland = i
		if i != root {
			b.nextInIsland, w.bodies[root].nextInIsland = w.bodies[root].nextInIsland, i
		}
		w.events = append(w.events, SleepEvent{w.bodyID(i), true})
		w.activeDirty = true
	}
}
