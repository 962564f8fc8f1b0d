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
	sleepEvents     sleepLog
}

// add makes the contact of two geoms and returns its slot.
func (cs *contactSet) add(geoms *geomSet, a, b int32) int32 {
	if ga, gb := &geoms.all[a], &geoms.all[b]; ga.Kind > gb.Kind {
		a, b = b, a
	}
	c := contact{a: a, b: b, bodyA: geoms.all[a].body, bodyB: geoms.all[b].body}
	c.hasFaces = hasFaces(geoms.all[a].Kind) && hasFaces(geoms.all[b].Kind)
	c.plane = geoms.all[b].Kind == shape.KindPlane
	c.directed = geoms.surfaces[a].directed || geoms.surfaces[b].directed
	c.sensor = geoms.all[a].sensor || geoms.all[b].sensor
	if n := len(cs.free); n > 0 {
		i := cs.free[n-1]
		cs.free = cs.free[:n-1]
		cs.all[i] = c
		return i
	}
	cs.all, cs.poses = append(cs.all, c), append(cs.poses, manifoldPose{})
	return int32(len(cs.all) - 1)
}

// maxManifolds is how many manifolds a contact has at most.
func (gs *geomSet) maxManifolds(c *contact) int32 {
	if gs.all[c.b].Surface != nil {
		return maxMeshManifolds
	}
	return 1
}

// allocateManifolds gives a contact that has none a block of manifolds.
func (cs *contactSet) allocateManifolds(geoms *geomSet, c *contact) {
	if c.capacity > 0 {
		return
	}
	c.capacity = geoms.maxManifolds(c)
	list := &cs.freeOne
	if c.capacity > 1 {
		list = &cs.freeMulti
	}
	if n := len(*list); n > 0 {
		c.base = (*list)[n-1]
		*list = (*list)[:n-1]
		return
	}
	c.base = int32(len(cs.manifolds))
	for range c.capacity {
		cs.manifolds = append(cs.manifolds, manifold{})
	}
}

// release gives a contact's slot and block of manifolds back.
func (cs *contactSet) release(i int32) {
	c := &cs.all[i]
	switch c.capacity {
	case 1:
		cs.freeOne = append(cs.freeOne, c.base)
	case maxMeshManifolds:
		cs.freeMulti = append(cs.freeMulti, c.base)
	}
	cs.all[i] = contact{freed: true}
	cs.free = append(cs.free, i)
}

// dropOfBody removes all contacts of a body.
func (cs *contactSet) dropOfBody(active *activeSet, body int32) {
	for _, r := range cs.pairs.sorted {
		if c := &cs.all[r.contact]; c.bodyA == body || c.bodyB == body {
			c.dead = true
		}
	}
	cs.removeDead(active)
}

// dropOfGeom removes all contacts of a geom.
func (cs *contactSet) dropOfGeom(active *activeSet, s int32) {
	for _, r := range cs.pairs.sorted {
		if c := &cs.all[r.contact]; c.a == s || c.b == s {
			c.dead = true
		}
	}
	cs.removeDead(active)
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

// isAwake reports that a body takes part in the step.
func (bs *bodySet) isAwake(slot int32) bool {
	switch b := &bs.all[slot]; b.kind {
	case Dynamic:
		return !b.asleep
	case Kinematic:
		m := &bs.motion[slot]
		return m.v != (r3.Vec{}) || m.w != (r3.Vec{})
	}
	return false
}
