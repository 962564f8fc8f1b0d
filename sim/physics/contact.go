package physics

import (
	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

const (
	// pointsMax is how many points a manifold keeps.
	pointsMax = 4
	// meshManifolds is how many manifolds, one for each direction, a contact with a mesh keeps.
	meshManifolds = 4
)

// contact is a pair of geoms that are near each other. A's kind is not above B's; normals point from
// A to B.
type contact struct {
	a, b         int32 // geoms
	bodyA, bodyB int32
	base         int32 // its first manifold, once it has had any
	room         int32 // manifolds that it owns; 0: none yet
	count        int32 // manifolds in use
	sensor       bool
	dead         bool
	free         bool
	faces        bool    // both sides have faces: the manifolds may be held
	plane        bool    // B is a plane
	directed     bool    // friction has a direction
	points       int8    // of its first manifold
	held         bool    // manifolds, or that there are none, are those of an earlier step: see hold
	lags         bool    // the gaps are those of an earlier step: see catchUp
	calm         float64 // m of travel of both bodies, up to which nothing changes: see calm.go
}

// manifold is a patch of contact: one normal, up to four points, and what the solver remembers. It fills cache
// lines: one with what the solver writes, three with what every step reads, one with what new manifolds need.
type manifold struct {
	impulses [pointsMax]float64 // N·s of the last substep
	friction r3.Vec             // N·s on B, tangential
	spin     float64

	normal r3.Vec
	n      int32
	cold   bool // nothing may begin with the impulses: see swing.go
	points [pointsMax]point

	ids     [pointsMax]uint32 // name the features that met, to find impulses again in the next step
	known   [pointsMax]bool   // impulses were found again
	rolling r3.Vec            // N·m·s on B
	_       [16]byte
}

type point struct {
	arm   r3.Vec  // from A's centre of mass to its surface, when the manifold was found
	found float64 // m, the gap then; B's surface was at arm + found·normal
	gap   float64 // m, when the step began
}

// contactStore hands out contacts and blocks of manifolds. Their places follow from history and
// decide nothing: the order is that of World.pairs.
type contactStore struct {
	all       []contact
	holds     []hold // beside all
	free      []int32
	freeOne   []int32 // blocks of one manifold
	freeMulti []int32 // blocks of meshManifolds
}

func (w *World) newContact(a, b int32) int32 {
	if ga, gb := &w.geoms[a], &w.geoms[b]; ga.kind > gb.kind {
		a, b = b, a
	}
	c := contact{a: a, b: b, bodyA: w.geoms[a].body, bodyB: w.geoms[b].body}
	c.faces = hasFaces(w.geoms[a].kind) && hasFaces(w.geoms[b].kind)
	c.plane = w.geoms[b].kind == shape.KindPlane
	c.directed = w.skins[a].directed || w.skins[b].directed
	c.sensor = w.geoms[a].sensor || w.geoms[b].sensor
	s := &w.contacts
	if n := len(s.free); n > 0 {
		i := s.free[n-1]
		s.free = s.free[:n-1]
		s.all[i] = c
		return i
	}
	s.all, s.holds = append(s.all, c), append(s.holds, hold{})
	return int32(len(s.all) - 1)
}

// roomFor is how many manifolds a contact has at most.
func (w *World) roomFor(c *contact) int32 {
	if w.geoms[c.b].surface != nil {
		return meshManifolds
	}
	return 1
}

// giveRoom gives a contact that has none a block of manifolds.
func (w *World) giveRoom(c *contact) {
	if c.room > 0 {
		return
	}
	c.room = w.roomFor(c)
	list := &w.contacts.freeOne
	if c.room > 1 {
		list = &w.contacts.freeMulti
	}
	if n := len(*list); n > 0 {
		c.base = (*list)[n-1]
		*list = (*list)[:n-1]
		return
	}
	c.base = int32(len(w.manifolds))
	for range c.room {
		w.manifolds = append(w.manifolds, manifold{})
	}
}

func (w *World) freeContact(i int32) {
	s := &w.contacts
	c := &s.all[i]
	switch c.room {
	case 1:
		s.freeOne = append(s.freeOne, c.base)
	case meshManifolds:
		s.freeMulti = append(s.freeMulti, c.base)
	}
	s.all[i] = contact{free: true}
	s.free = append(s.free, i)
}

// dropContacts forgets all contacts of a body.
func (w *World) dropContacts(body int32) {
	for _, r := range w.pairs.order {
		if c := &w.contacts.all[r.contact]; c.bodyA == body || c.bodyB == body {
			c.dead = true
		}
	}
	w.sweepPairs()
}

func (w *World) dropContactsOfGeom(s int32) {
	for _, r := range w.pairs.order {
		if c := &w.contacts.all[r.contact]; c.a == s || c.b == s {
			c.dead = true
		}
	}
	w.sweepPairs()
}

// refresh rebuilds the lists of what is awake after something has woken, slept, come or gone.
func (w *World) refresh() {
	if !w.stale {
		return
	}
	w.stale = false
	w.awake = w.awake[:0]
	w.lively = w.lively[:0]
	for i := range w.bodies {
		moves := w.bodyIDs.used(int32(i)) && w.moves(int32(i))
		if moves {
			w.awake = append(w.awake, int32(i))
		}
		w.lively = append(w.lively, moves)
	}
	w.active, w.drowsy = w.active[:0], false
	for _, r := range w.pairs.order {
		c := &w.contacts.all[r.contact]
		a, b := w.lively[c.bodyA], w.lively[c.bodyB]
		if a || b {
			w.active = append(w.active, r.contact)
			w.drowsy = w.drowsy || !(a && b) && (w.sleeps(c.bodyA) || w.sleeps(c.bodyB))
		}
	}
}

// moves reports that a body takes part in the step.
func (w *World) moves(slot int32) bool {
	switch b := &w.bodies[slot]; b.kind {
	case Dynamic:
		return !b.asleep
	case Kinematic:
		m := &w.motion[slot]
		return m.v != (r3.Vec{}) || m.w != (r3.Vec{})
	}
	return false
}
