package physics

import (
	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// SleepEvent says that a body has fallen asleep or woken.
type SleepEvent struct {
	Body   BodyID
	Asleep bool
}

// sleeper is the scratch of the island search.
type sleeper struct {
	parent []int32
	tired  []bool // by root: every body of the island is still and may sleep
}

// SleepEvents are the changes since the step before the last: those of the last Step, and those that
// calls between the two brought about. Valid until the next Step.
func (w *World) SleepEvents() []SleepEvent { return w.events[:w.eventsSeen] }

// forgetEvents drops what SleepEvents has had the chance to show.
func (w *World) forgetEvents() {
	w.events = append(w.events[:0], w.events[w.eventsSeen:]...)
	w.eventsSeen = 0
}

// wake wakes a body and the island that it sleeps in.
func (w *World) wake(slot int32) {
	b := &w.bodies[slot]
	if b.contained {
		return
	}
	b.still = 0
	if b.kind == Kinematic {
		w.stale = true
	}
	if !b.asleep {
		w.stale = w.stale || b.kind == Static
		return
	}
	w.stale = true
	for i := slot; ; {
		c := &w.bodies[i]
		c.asleep, c.still = false, 0
		w.events = append(w.events, SleepEvent{w.bodyID(i), false})
		i, c.ring = c.ring, i
		if i == slot {
			return
		}
	}
}

// wakeAround wakes a body and everything that touches it.
func (w *World) wakeAround(slot int32) {
	w.wake(slot)
	for _, r := range w.pairs.order {
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

// wakeWithin wakes what sleeps where the geoms of a body that does not move by itself have come to be:
// between two that do not move nothing is looked for.
func (w *World) wakeWithin(slot int32) {
	var near []int32
	for _, s := range w.bodies[slot].geoms {
		near = w.wakeIn(s, near[:0])
	}
}

// wakeIn is wakeWithin for one geom; near is room for those near it.
func (w *World) wakeIn(s int32, near []int32) []int32 {
	if w.bodies[w.geoms[s].body].kind == Dynamic || w.geoms[s].sensor {
		return near
	}
	if w.geoms[s].kind != shape.KindPlane {
		near = w.tree.query(&w.placed[s].tight, near)
	} else {
		for o := range w.geoms {
			if w.geoms[o].leaf >= 0 && w.nearPlane(int32(o), s) {
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
	w.refresh()
	w.joinIslands()
	root := w.sleep.find(int32(id.slot))
	for _, i := range w.awake {
		if w.sleep.find(i) == root && w.bodies[i].kind == Dynamic {
			w.bodies[i].still = w.cfg.SleepTime
		}
	}
	w.settleIslands()
}

// fallAsleep counts for how long bodies have been still and lets whole islands sleep.
func (w *World) fallAsleep(dt float64) {
	w.stats.Islands = 0
	if w.cfg.NoSleep {
		return
	}
	due := false
	for _, i := range w.awake {
		b, m, in := &w.bodies[i], &w.motion[i], &w.inert[i]
		speed := m.v.Len() + float64(m.w.Len()*in.reach)
		if b.kind != Dynamic || b.noSleep || speed > w.cfg.SleepSpeed {
			b.still = 0
			continue
		}
		b.still += dt
		due = due || b.still >= w.cfg.SleepTime
	}
	if !due {
		return
	}
	w.joinIslands()
	w.settleIslands()
}

func (s *sleeper) find(i int32) int32 {
	for s.parent[i] != i {
		s.parent[i] = s.parent[s.parent[i]]
		i = s.parent[i]
	}
	return i
}

// join makes one island of two; the lower slot is the root, so that the order of joining is nothing.
func (s *sleeper) join(a, b int32) {
	a, b = s.find(a), s.find(b)
	if a > b {
		a, b = b, a
	}
	s.parent[b] = a
}

// joinIslands joins awake dynamic bodies over contacts and joints.
func (w *World) joinIslands() {
	s := &w.sleep
	for len(s.parent) < len(w.bodies) {
		s.parent = append(s.parent, 0)
		s.tired = append(s.tired, false)
	}
	for _, i := range w.awake {
		s.parent[i], s.tired[i] = i, true
	}
	awake := func(i int32) bool { return w.bodies[i].kind == Dynamic && !w.bodies[i].asleep }
	for _, i := range w.active {
		c := &w.contacts.all[i]
		if c.count > 0 && !c.sensor && awake(c.bodyA) && awake(c.bodyB) {
			s.join(c.bodyA, c.bodyB)
		}
	}
	for i := range w.joints {
		j := &w.joints[i]
		if w.jointIDs.used(int32(i)) && j.parent >= 0 && awake(j.parent) && awake(j.child) {
			s.join(j.parent, j.child)
		}
	}
	w.joinGears(awake)
	for i := range w.limbs {
		for k := range w.limbs[i].links {
			if a, b := w.limbs[i].links[0].body, w.limbs[i].links[k].body; awake(a) && awake(b) {
				s.join(a, b)
			}
		}
	}
	w.forbidSleep()
}

// forbidSleep marks the islands in which something moves, drives or leans on something that moves.
func (w *World) forbidSleep() {
	s := &w.sleep
	for _, i := range w.awake {
		if b := &w.bodies[i]; b.kind != Dynamic || b.noSleep {
			s.tired[s.find(i)] = false
		}
	}
	for _, i := range w.active {
		c := &w.contacts.all[i]
		if c.count == 0 || c.sensor {
			continue
		}
		if w.bodies[c.bodyA].kind == Kinematic && w.moves(c.bodyA) && w.moves(c.bodyB) {
			s.tired[s.find(c.bodyB)] = false
		} else if w.bodies[c.bodyB].kind == Kinematic && w.moves(c.bodyB) && w.moves(c.bodyA) {
			s.tired[s.find(c.bodyA)] = false
		}
	}
	for i := range w.joints {
		j := &w.joints[i]
		if !w.jointIDs.used(int32(i)) {
			continue
		}
		kinematic := j.parent >= 0 && w.bodies[j.parent].kind == Kinematic && w.moves(j.parent)
		if !j.pushes() && !kinematic {
			continue
		}
		for _, b := range [2]int32{j.parent, j.child} {
			if b >= 0 && w.moves(b) {
				s.tired[s.find(b)] = false
			}
		}
	}
}

// settleIslands puts the islands to sleep whose bodies have all been still for long enough, and links
// each in a ring so that they wake together.
func (w *World) settleIslands() {
	s := &w.sleep
	for _, i := range w.awake {
		if w.bodies[i].kind == Dynamic && w.bodies[i].still < w.cfg.SleepTime {
			s.tired[s.find(i)] = false
		}
	}
	for _, i := range w.awake {
		root := s.find(i)
		b := &w.bodies[i]
		if root == i {
			w.stats.Islands++
		}
		if b.kind != Dynamic || !s.tired[root] {
			continue
		}
		b.asleep = true
		w.motion[i].v, w.motion[i].w = r3.Vec{}, r3.Vec{}
		b.before = r3.Twist{}
		b.ring = i
		if i != root {
			b.ring, w.bodies[root].ring = w.bodies[root].ring, i
		}
		w.events = append(w.events, SleepEvent{w.bodyID(i), true})
		w.stale = true
	}
}
