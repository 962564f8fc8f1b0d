package dynamics

import (
	"math"
	"slices"

	"simdeck/sim/dynamics/linalg"
	"simdeck/sim/r3"
)

// islandBuilder is the scratch of the island search.
type islandBuilder struct {
	linalg.DisjointSets[int32]        // of body slots; only those of awake bodies are valid
	canSleep                   []bool // by root: every body of the island is still and may sleep
}

// join joins awake dynamic bodies over contacts and joints.
func (s *islandBuilder) join(bodies *bodySet, joints *jointSet, articulations []worldArticulation,
	transmissions *transmissionSet, contacts *contactSet, active *activeSet) {
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
	s.joinTransmissions(transmissions, awake)
	for i := range articulations {
		for k := range articulations[i].links {
			if a, b := articulations[i].links[0].body, articulations[i].links[k].body; awake(a) &&
				awake(b) {
				s.Union(a, b)
			}
		}
	}
	s.forbidSleep(bodies, joints, contacts, active)
	s.forbidSleepOfMotors(bodies, transmissions)
}

// joinTransmissions unites the islands of what transmissions move.
func (s *islandBuilder) joinTransmissions(transmissions *transmissionSet, awake func(int32) bool) {
	for i := range transmissions.all {
		first := int32(-1)
		for _, b := range transmissions.all[i].moved {
			if !awake(b) {
				continue
			}
			if first < 0 {
				first = b
			}
			s.Union(first, b)
		}
	}
}

// forbidSleepOfMotors marks islands with a transmission whose motor pushes, or that hangs on a kinematic body
// that moves.
func (s *islandBuilder) forbidSleepOfMotors(bodies *bodySet, transmissions *transmissionSet) {
	for i := range transmissions.all {
		t := &transmissions.all[i]
		kinematic := slices.ContainsFunc(t.moved, func(b int32) bool {
			return bodies.all[b].kind == Kinematic && bodies.isAwake(b)
		})
		if !kinematic && !t.pushes() {
			continue
		}
		for _, b := range t.moved {
			if bodies.isAwake(b) {
				s.canSleep[s.Find(b)] = false
			}
		}
	}
}

// joinCouplings unites the islands of coupled joints.
func (s *islandBuilder) joinCouplings(joints *jointSet, awake func(int32) bool) {
	for i := range joints.all {
		j := &joints.all[i]
		if !j.coupling.on {
			continue
		}
		first := int32(math.MaxInt32)
		for _, k := range [2]*joint{j, &joints.all[j.coupling.leader]} {
			for _, b := range [2]int32{k.parent, k.child} {
				if b < 0 || !awake(b) {
					continue
				}
				if first == math.MaxInt32 {
					first = b
				}
				s.Union(first, b)
			}
		}
	}
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

// sleep puts islands to sleep whose bodies have all been still long enough, and links each in a ring to wake
// together. It returns the number of islands.
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

// Sleep puts a dynamic body and all that rests with it to sleep at once, if nothing forbids it.
func (h Body) Sleep() {
	if !h.Awake() || h.w.cfg.NoSleep {
		return
	}
	h.w.active.rebuild(&h.w.bodies, &h.w.contacts)
	h.w.islands.join(&h.w.bodies, &h.w.joints, h.w.articulations, &h.w.transmissions, &h.w.contacts,
		&h.w.active)
	root := h.w.islands.Find(int32(h.id.slot))
	for _, i := range h.w.active.bodies {
		if h.w.islands.Find(i) == root && h.w.bodies.all[i].kind == Dynamic {
			h.w.bodies.all[i].stillTime = h.w.cfg.SleepTime
		}
	}
	h.w.stats.Islands += h.w.islands.sleep(&h.w.bodies, &h.w.active, h.w.cfg.SleepTime)
}

// fallAsleep counts for how long bodies have been still and lets whole islands sleep. It returns the number
// of islands, where something may sleep.
func (s *islandBuilder) fallAsleep(bodies *bodySet, joints *jointSet, articulations articulationList,
	transmissions *transmissionSet, contacts *contactSet, active *activeSet, cfg *Config, dt float64) int {
	if cfg.NoSleep {
		return 0
	}
	due := false
	for _, i := range active.bodies {
		b, m, in := &bodies.all[i], &bodies.motion[i], &bodies.massProps[i]
		speed := m.v.Len() + float64(m.w.Len()*in.radius)
		if b.kind != Dynamic || b.noSleep || speed > cfg.SleepSpeed {
			b.stillTime = 0
			continue
		}
		b.stillTime += dt
		due = due || b.stillTime >= cfg.SleepTime
	}
	if !due {
		return 0
	}
	s.join(bodies, joints, articulations, transmissions, contacts, active)
	return s.sleep(bodies, active, cfg.SleepTime)
}

// newtonRoot is the properties of an island by which its solver is chosen.
type newtonRoot struct {
	articulated, refused bool
	touches, grounded    bool    // parts of it touch, and one touches or hangs on what is not of it
	spin                 float64 // rad/s, of its fastest link
	speed                float64 // m/s, likewise of a center of mass
	parts, pairs         int32   // articulations and free bodies, and pairs of them that touch
	island               int32   // 1 + its index
}

// solvable reports that Newton's method solves the island in n substeps.
func (r *newtonRoot) solvable(n int) bool {
	return r.articulated && r.touches && !r.refused && n <= maxNewtonSubsteps && r.work() <= maxNewtonWork
}

// work bounds the number of block operations that factor the matrix of the island. Each cycle of parts that
// touch makes it wider by one part.
func (r *newtonRoot) work() int {
	cycles := max(0, int(r.pairs-r.parts)+1)
	width := min(int(r.parts), 1+cycles)
	return int(r.parts) * width * width
}

// substeps is the number of substeps of the island in a step of dt seconds.
func (r *newtonRoot) substeps(dt float64) int {
	return int(max(1, math.Ceil(float64(dt*newtonRate)-1e-9), math.Ceil(float64(dt*r.spin)/newtonTurn),
		math.Ceil(float64(dt*r.speed)/newtonTravel)))
}
