package dynamics

import (
	"simdeck/sim/dynamics/collide"
	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

const (
	// maxManifoldPoints is how many points a manifold keeps.
	maxManifoldPoints = collide.MaxPoints
	// maxMeshManifolds is how many manifolds, one for each normal, a contact with a mesh has at most.
	maxMeshManifolds = collide.MaxManifolds
)

// contact is a pair of geoms whose fat boxes overlap. A's kind is not above B's; normals point from A to B.
type contact struct {
	a, b         int32 // geoms
	bodyA, bodyB int32
	base         int32 // its first manifold, when capacity > 0
	capacity     int32 // manifolds that it owns; 0 until it first needs one
	count        int32 // manifolds in use
	sensor       bool
	dead         bool
	freed        bool
	hasFaces     bool    // both shapes have faces: manifolds may be recycled
	plane        bool    // B is a plane
	directed     bool    // friction has a direction
	points       int8    // of its first manifold
	recycled     bool    // manifolds, or their absence, may be kept from an earlier step: see recycle
	gapsStale    bool    // the gaps are those of an earlier step: see updateGaps
	validUntil   float64 // m of motion of both bodies, below which nothing changes: see contact_coherence.go
}

// manifold is a contact manifold of the solver: one normal, up to four points, and impulses for warm
// starting. Its fields fill cache lines: one that the solver writes, three that every step reads, one for the
// matching of points.
type manifold struct {
	impulses [maxManifoldPoints]float64 // N·s of the last substep
	friction r3.Vec                     // N·s on B, tangential
	spin     float64

	normal      r3.Vec
	n           int32
	noWarmStart bool // the impulses must not warm-start: see contact_reweight.go
	points      [maxManifoldPoints]contactPoint

	ids     [maxManifoldPoints]uint32 // name the features that met: see inherit
	matched [maxManifoldPoints]bool   // impulses are those of the same point before
	rolling r3.Vec                    // N·m·s on B
	_       [16]byte
}

type contactPoint struct {
	arm          r3.Vec  // from A's center of mass to its surface, when the manifold was found
	gapWhenFound float64 // m; B's surface was then at arm + gapWhenFound·normal
	gap          float64 // m, at the beginning of the step
}

// contactSet is the contacts of a world: it allocates contacts and blocks of manifolds. Slots depend on
// history, and nothing depends on them: the order of contacts is that of the pairs.
type contactSet struct {
	pairs      pairList
	all        []contact
	poses      []manifoldPose // beside all
	manifolds  []manifold
	compaction compactScratch
	free       []int32
	freeOne    []int32 // blocks of one manifold
	freeMulti  []int32 // blocks of maxMeshManifolds
}

// activeSet is the bodies that are awake and the contacts with an awake body, ascending: caches of the sets.
type activeSet struct {
	bodies          []int32
	contacts        []int32
	isAwake         []bool // by body: is among bodies
	hasSleepingSide bool   // a side of one of the contacts sleeps
	dirty           bool   // all of these must be rebuilt
}

// newContact makes the contact of two geoms and returns its slot.
func (w *World) newContact(a, b int32) int32 {
	if ga, gb := &w.geoms.all[a], &w.geoms.all[b]; ga.Kind > gb.Kind {
		a, b = b, a
	}
	c := contact{a: a, b: b, bodyA: w.geoms.all[a].body, bodyB: w.geoms.all[b].body}
	c.hasFaces = hasFaces(w.geoms.all[a].Kind) && hasFaces(w.geoms.all[b].Kind)
	c.plane = w.geoms.all[b].Kind == shape.KindPlane
	c.directed = w.geoms.surfaces[a].directed || w.geoms.surfaces[b].directed
	c.sensor = w.geoms.all[a].sensor || w.geoms.all[b].sensor
	s := &w.contacts
	if n := len(s.free); n > 0 {
		i := s.free[n-1]
		s.free = s.free[:n-1]
		s.all[i] = c
		return i
	}
	s.all, s.poses = append(s.all, c), append(s.poses, manifoldPose{})
	return int32(len(s.all) - 1)
}

// maxManifolds is how many manifolds a contact has at most.
func (w *World) maxManifolds(c *contact) int32 {
	if w.geoms.all[c.b].Surface != nil {
		return maxMeshManifolds
	}
	return 1
}

// allocateManifolds gives a contact that has none a block of manifolds.
func (w *World) allocateManifolds(c *contact) {
	if c.capacity > 0 {
		return
	}
	c.capacity = w.maxManifolds(c)
	list := &w.contacts.freeOne
	if c.capacity > 1 {
		list = &w.contacts.freeMulti
	}
	if n := len(*list); n > 0 {
		c.base = (*list)[n-1]
		*list = (*list)[:n-1]
		return
	}
	c.base = int32(len(w.contacts.manifolds))
	for range c.capacity {
		w.contacts.manifolds = append(w.contacts.manifolds, manifold{})
	}
}

// freeContact gives a contact's slot and block of manifolds back.
func (w *World) freeContact(i int32) {
	s := &w.contacts
	c := &s.all[i]
	switch c.capacity {
	case 1:
		s.freeOne = append(s.freeOne, c.base)
	case maxMeshManifolds:
		s.freeMulti = append(s.freeMulti, c.base)
	}
	s.all[i] = contact{freed: true}
	s.free = append(s.free, i)
}

// dropContacts removes all contacts of a body.
func (w *World) dropContacts(body int32) {
	for _, r := range w.contacts.pairs.sorted {
		if c := &w.contacts.all[r.contact]; c.bodyA == body || c.bodyB == body {
			c.dead = true
		}
	}
	w.removeDeadPairs()
}

// dropContactsOfGeom removes all contacts of a geom.
func (w *World) dropContactsOfGeom(s int32) {
	for _, r := range w.contacts.pairs.sorted {
		if c := &w.contacts.all[r.contact]; c.a == s || c.b == s {
			c.dead = true
		}
	}
	w.removeDeadPairs()
}

// rebuildActive rebuilds the lists of awake bodies and active contacts after a body has woken, slept, come or
// gone.
func (w *World) rebuildActive() {
	if !w.active.dirty {
		return
	}
	w.active.dirty = false
	w.active.bodies = w.active.bodies[:0]
	w.active.isAwake = w.active.isAwake[:0]
	for i := range w.bodies.all {
		moves := w.bodies.ids.inUse(int32(i)) && w.isAwake(int32(i))
		if moves {
			w.active.bodies = append(w.active.bodies, int32(i))
		}
		w.active.isAwake = append(w.active.isAwake, moves)
	}
	w.active.contacts, w.active.hasSleepingSide = w.active.contacts[:0], false
	for _, r := range w.contacts.pairs.sorted {
		c := &w.contacts.all[r.contact]
		a, b := w.active.isAwake[c.bodyA], w.active.isAwake[c.bodyB]
		if a || b {
			w.active.contacts = append(w.active.contacts, r.contact)
			w.active.hasSleepingSide = w.active.hasSleepingSide || !(a && b) && (w.sleeps(c.bodyA) ||
				w.sleeps(c.bodyB))
		}
	}
}

// isAwake reports that a body takes part in the step.
func (w *World) isAwake(slot int32) bool {
	switch b := &w.bodies.all[slot]; b.kind {
	case Dynamic:
		return !b.asleep
	case Kinematic:
		m := &w.bodies.motion[slot]
		return m.v != (r3.Vec{}) || m.w != (r3.Vec{})
	}
	return false
}
