package dynamics

import (
	"simdeck/sim/dynamics/linalg"
	"simdeck/sim/r3"
)

// islandBuilder is the scratch of the island search.
type islandBuilder struct {
	linalg.DisjointSets[int32]        // of body slots; only those of awake bodies are valid
	canSleep                   []bool // by root: every body of the island is still and may sleep
}

// joinIslands joins awake dynamic bodies over contacts and joints.
func (w *World) joinIslands() {
	s := &w.islands
	s.DisjointSets, s.canSleep = linalg.Grow(s.DisjointSets, len(w.bodies.all)),
		linalg.Grow(s.canSleep, len(w.bodies.all))
	for _, i := range w.active.bodies {
		s.DisjointSets[i], s.canSleep[i] = i, true
	}
	awake := func(i int32) bool { return w.bodies.all[i].kind == Dynamic && !w.bodies.all[i].asleep }
	for _, i := range w.active.contacts {
		c := &w.contacts.all[i]
		if c.count > 0 && !c.sensor && awake(c.bodyA) && awake(c.bodyB) {
			s.Union(c.bodyA, c.bodyB)
		}
	}
	for i := range w.joints.all {
		j := &w.joints.all[i]
		if w.joints.ids.inUse(int32(i)) && j.parent >= 0 && awake(j.parent) && awake(j.child) {
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
	for _, i := range w.active.bodies {
		if b := &w.bodies.all[i]; b.kind != Dynamic || b.noSleep {
			s.canSleep[s.Find(i)] = false
		}
	}
	for _, i := range w.active.contacts {
		c := &w.contacts.all[i]
		if c.count == 0 || c.sensor {
			continue
		}
		if w.bodies.all[c.bodyA].kind == Kinematic && w.isAwake(c.bodyA) && w.isAwake(c.bodyB) {
			s.canSleep[s.Find(c.bodyB)] = false
		} else if w.bodies.all[c.bodyB].kind == Kinematic && w.isAwake(c.bodyB) && w.isAwake(c.bodyA) {
			s.canSleep[s.Find(c.bodyA)] = false
		}
	}
	for i := range w.joints.all {
		j := &w.joints.all[i]
		if !w.joints.ids.inUse(int32(i)) {
			continue
		}
		kinematic := j.parent >= 0 && w.bodies.all[j.parent].kind == Kinematic && w.isAwake(j.parent)
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
	for _, i := range w.active.bodies {
		if w.bodies.all[i].kind == Dynamic && w.bodies.all[i].stillTime < w.cfg.SleepTime {
			s.canSleep[s.Find(i)] = false
		}
	}
	for _, i := range w.active.bodies {
		root := s.Find(i)
		b := &w.bodies.all[i]
		if root == i {
			w.stats.Islands++
		}
		if b.kind != Dynamic || !s.canSleep[root] {
			continue
		}
		b.asleep = true
		w.bodies.motion[i].v, w.bodies.motion[i].w = r3.Vec{}, r3.Vec{}
		b.velocityBefore = r3.Twist{}
		b.nextInIsland = i
		if i != root {
			b.nextInIsland, w.bodies.all[root].nextInIsland = w.bodies.all[root].nextInIsland, i
		}
		w.sleepEvents.list = append(w.sleepEvents.list, SleepEvent{w.bodyID(i), true})
		w.active.dirty = true
	}
}
