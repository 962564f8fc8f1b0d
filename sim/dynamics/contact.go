package dynamics

import (
	"fmt"
	"math"

	"simdeck/sim/dynamics/collide"
	"simdeck/sim/r3"
	"simdeck/sim/shape"
	"simdeck/sim/statecodec"
)

const (
	// maxManifoldPoints is the capacity of a manifold.
	maxManifoldPoints = collide.MaxPoints
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
	validUntil   float64 // m of motion of both bodies, below which nothing changes
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
	noWarmStart bool // the impulses must not warm-start: see contact_wide.go
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
	freeMulti  []int32 // blocks of collide.MaxManifolds
}

// pairList is the pairs of geoms whose fat boxes overlap, ascending by key. Contacts are found, solved,
// hashed and listed in this order.
type pairList struct {
	sorted []pairRef
	spare  []pairRef // the other half of the double buffer
	found  []uint64
}

type pairRef struct {
	key     uint64
	contact int32
}

func pairKey(a, b int32) uint64 {
	if a > b {
		a, b = b, a
	}
	return uint64(a)<<32 | uint64(b)
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

// maxManifolds is the largest number of manifolds of a contact.
func (gs *geomSet) maxManifolds(c *contact) int32 {
	if gs.all[c.b].Surface != nil {
		return collide.MaxManifolds
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
	case collide.MaxManifolds:
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

// dropBetween removes the contacts of two bodies.
func (cs *contactSet) dropBetween(active *activeSet, a, b int32) {
	for _, r := range cs.pairs.sorted {
		c := &cs.all[r.contact]
		if c.bodyA == a && c.bodyB == b || c.bodyA == b && c.bodyB == a {
			c.dead = true
		}
	}
	cs.removeDead(active)
}

// removeDead frees the contacts marked dead.
func (cs *contactSet) removeDead(active *activeSet) {
	p := &cs.pairs
	n := 0
	for _, r := range p.sorted {
		if cs.all[r.contact].dead {
			cs.release(r.contact)
			continue
		}
		p.sorted[n] = r
		n++
	}
	if n != len(p.sorted) {
		p.sorted = p.sorted[:n]
		active.dirty = true
	}
}

// compactInterval is the number of steps between compactions; it changes the time alone.
const compactInterval = 32

// compactScratch holds the output of compactContacts.
type compactScratch struct {
	all       []contact
	holds     []manifoldPose
	manifolds []manifold
}

// compact sorts contacts and manifolds into the order of the pairs, in which all stages visit them,
// and frees unused manifolds. It affects nothing but memory access time.
func (cs *contactSet) compact(bodies *bodySet, active *activeSet, steps uint64) {
	if steps%compactInterval != 0 {
		return
	}
	cs.rebaseMotion(bodies)
	t := &cs.compaction
	all, holds, manifolds := t.all[:0], t.holds[:0], t.manifolds[:0]
	for i := range cs.pairs.sorted {
		r := &cs.pairs.sorted[i]
		c := cs.all[r.contact]
		base := int32(len(manifolds))
		if c.count == 0 {
			c.base, c.capacity = 0, 0
		} else {
			manifolds = append(manifolds, cs.manifolds[c.base:c.base+c.capacity]...)
			c.base = base
		}
		holds = append(holds, cs.poses[r.contact])
		r.contact = int32(len(all))
		all = append(all, c)
	}
	cs.all, t.all = all, cs.all
	cs.poses, t.holds = holds, cs.poses
	cs.manifolds, t.manifolds = manifolds, cs.manifolds
	cs.free, cs.freeOne, cs.freeMulti = cs.free[:0], cs.freeOne[:0], cs.freeMulti[:0]
	active.dirty = true
}

// manifoldPose is the relative pose of two bodies when the manifolds between them were found. While they have
// hardly moved since, neither against each other nor in the world, the manifolds persist and only the gaps
// follow. box3d and Rapier do the same ("contact recycling"). Recycling saves the narrow phase, and it damps.
// In a tall stack a small shift of lever arms changes torques at once, while warm-started impulses lag, and
// the stack would sway.
type manifoldPose struct {
	allowedMotion float64 // m of relative motion; without manifolds: the distance
	turnA, turnB  r3.Quat
	separation    r3.Vec // center of mass of B minus that of A
}

const (
	// recycleMotionPart and maxRecycleMotion bound the relative motion while manifolds persist: a part of the
	// smaller body's radius, and meters. Stacks sway without recycling.
	recycleMotionPart = 0.01
	maxRecycleMotion  = 0.005
	// maxRecycleTurn bounds the rotation of a body meanwhile, in rad.
	maxRecycleTurn = 0.05
)

// hasFaces reports that contacts of a kind of shape persist. A shape that rolls always has a new contact
// point.
func hasFaces(k shape.Kind) bool {
	return k >= shape.KindBox
}

// rememberPoses stores the poses for which a contact's manifolds have just been found, or the geoms'
// distance, in m, when there are none. Near is the motion, in m, until their bounds no longer overlap.
func (n *narrowphase) rememberPoses(i int32, distance, near float64) {
	c, h := &n.contacts.all[i], &n.contacts.poses[i]
	a, b := &n.bodies.motion[c.bodyA], &n.bodies.motion[c.bodyB]
	*h = manifoldPose{turnA: a.rot, turnB: b.rot, separation: b.com.Sub(a.com)}
	if c.count == 0 {
		if c.recycled, h.allowedMotion = distance > 0, distance; c.recycled {
			n.bodies.setMotionBound(c, min(near, distance-speculation))
		}
		return
	}
	if c.recycled = c.hasFaces; !c.recycled {
		return
	}
	reach := n.bodies.massProps[c.bodyA].radius
	if r := n.bodies.massProps[c.bodyB].radius; r > 0 {
		reach = min(reach, r)
	}
	h.allowedMotion = min(maxRecycleMotion, float64(recycleMotionPart*reach))
}

// recycle updates the gaps of a contact whose manifolds are still valid. It reports false when the narrow
// phase must run. Near is the motion, in m, until the bounds no longer overlap.
func (n *narrowphase) recycle(i int32, margin, near float64) bool {
	c, h := &n.contacts.all[i], &n.contacts.poses[i]
	if !c.recycled {
		return false
	}
	a, b := &n.bodies.motion[c.bodyA], &n.bodies.motion[c.bodyB]
	da, db := rotationBetween(h.turnA, a.rot), rotationBetween(h.turnB, b.rot)
	shift := b.com.Sub(a.com).Sub(h.separation)
	if c.count == 0 {
		moved := shift.Len() + float64(da.Len()*n.bodies.massProps[c.bodyA].radius) +
			float64(db.Len()*n.bodies.massProps[c.bodyB].radius)
		if h.allowedMotion-moved <= margin {
			return false
		}
		n.bodies.setMotionBound(c, min(near, h.allowedMotion-moved-speculation))
		return true
	}
	limit := float64(h.allowedMotion * h.allowedMotion)
	reach := float64(h.allowedMotion / recycleMotionPart)
	turned, used := max(da.Len2(), db.Len2()), float64(db.Sub(da).Len2()*float64(reach*reach))
	if turned > maxRecycleTurn*maxRecycleTurn || used > limit {
		return false
	}
	for k := c.base; k < c.base+c.count; k++ {
		if used = max(used, n.contacts.manifolds[k].updateGaps(h, shift, da, db)); used > limit {
			return false
		}
	}
	n.setRecycledBound(c, h, near, math.Sqrt(turned), math.Sqrt(used))
	return true
}

// setRecycledBound sets how far the bodies may move until their manifolds are no longer valid. Turned is the
// rotation since they were found, in rad, and used the relative motion of their points, in m.
func (n *narrowphase) setRecycledBound(c *contact, h *manifoldPose, near, turned, used float64) {
	if c.sensor {
		return
	}
	maxA2, maxB2 := 0.0, 0.0
	for k := c.base; k < c.base+c.count; k++ {
		m := &n.contacts.manifolds[k]
		for n := range m.n {
			maxA2, maxB2 = max(maxA2, m.points[n].arm.Len2()), max(maxB2, m.points[n].armB(h, m).Len2())
		}
	}
	ratio := max(n.bodies.leverRatio(c.bodyA, math.Sqrt(maxA2)), n.bodies.leverRatio(c.bodyB,
		math.Sqrt(maxB2)))
	n.bodies.setMotionBound(c, min(near, (h.allowedMotion-used)/ratio,
		float64((maxRecycleTurn-turned)*h.allowedMotion/recycleMotionPart)))
}

// updateGaps updates the gaps of a contact that the narrow phase has skipped.
func (cs *contactSet) updateGaps(bodies *bodySet, i int32) {
	c := &cs.all[i]
	if !c.gapsStale {
		return
	}
	c.gapsStale = false
	h := &cs.poses[i]
	a, b := &bodies.motion[c.bodyA], &bodies.motion[c.bodyB]
	for k := c.base; k < c.base+c.count; k++ {
		cs.manifolds[k].updateGapsTo(h, a.com, b.com, a.rot, b.rot)
	}
}

// updateGapsTo updates the gaps to the bodies' centers of mass and rotations.
func (m *manifold) updateGapsTo(h *manifoldPose, comA, comB r3.Vec, rotA, rotB r3.Quat) {
	m.updateGaps(h, comB.Sub(comA).Sub(h.separation), rotationBetween(h.turnA, rotA),
		rotationBetween(h.turnB, rotB))
}

// updateGaps updates the gaps after a relative shift and rotations of the bodies. It returns the largest
// relative motion of a point's two sides, squared, in m².
func (m *manifold) updateGaps(h *manifoldPose, shift, da, db r3.Vec) float64 {
	most := 0.0
	for k := range m.n {
		p := &m.points[k]
		motion := shift.Add(rotateArm(db, p.armB(h, m))).Sub(rotateArm(da, p.arm))
		most = max(most, motion.Len2())
		p.gap = p.gapWhenFound + motion.Dot(m.normal)
	}
	return most
}

// armB is the lever arm from B's center of mass to B's surface.
func (p *contactPoint) armB(h *manifoldPose, m *manifold) r3.Vec {
	return p.arm.AddScaled(p.gapWhenFound, m.normal).Sub(h.separation)
}

// pointOnA is a point's position on A's surface, in the world's frame.
func (cs *contactSet) pointOnA(bodies *bodySet, i int32, p *contactPoint) r3.Vec {
	a := &bodies.motion[cs.all[i].bodyA]
	return a.com.Add(p.arm).Add(rotateArm(rotationBetween(cs.poses[i].turnA, a.rot), p.arm))
}

// rotationBetween is the rotation vector, in rad, between two orientations that are near.
func rotationBetween(from, to r3.Quat) r3.Vec {
	q := to.Mul(from.Conj())
	k := 2.0
	if q.W < 0 {
		k = -2
	}
	return r3.Vec{X: float64(k * q.X), Y: float64(k * q.Y), Z: float64(k * q.Z)}
}

// rotateArm is the motion of the end of an arm by a small rotation, to second order.
func rotateArm(d, arm r3.Vec) r3.Vec {
	x := d.Cross(arm)
	return x.AddScaled(0.5, d.Cross(x))
}

// reduceFrom begins a manifold with at most four of the points found. Com is A's center of mass.
func (m *manifold) reduceFrom(found *collide.Manifold, com r3.Vec) {
	var keep [maxManifoldPoints]int
	n := found.Reduce(&keep)
	*m = manifold{normal: found.Normal, n: int32(n)}
	for i := range n {
		p := &found.Points[keep[i]]
		m.points[i], m.ids[i] = contactPoint{arm: p.Position.Sub(com), gapWhenFound: p.Gap, gap: p.Gap}, p.ID
	}
}

// inherit warm-starts a manifold from one of the step before: friction, and the impulses of points whose
// features are the same.
func (m *manifold) inherit(old *manifold) {
	if m.normal.Dot(old.normal) > 0.9 && m.friction == (r3.Vec{}) {
		m.friction, m.rolling, m.spin = old.friction, old.rolling, old.spin
	}
	m.noWarmStart = m.noWarmStart || old.noWarmStart
	var taken [maxManifoldPoints]bool
	for i := range m.n {
		for k := range old.n {
			if old.ids[k] == m.ids[i] && !taken[k] {
				m.impulses[i], m.matched[i], taken[k] = old.impulses[k], true, true
				break
			}
		}
	}
	m.inheritNearby(old, &taken)
}

// matchDistance2 is the squared distance, m², within which points with other features are matched. The
// features change when a vertex that slips over an edge becomes a crossing of edges.
const matchDistance2 = 0.01 * 0.01

// inheritNearby gives impulses that no feature has matched to new points at the same places.
func (m *manifold) inheritNearby(old *manifold, taken *[maxManifoldPoints]bool) {
	for i := range m.n {
		if m.matched[i] {
			continue
		}
		at, best := int32(-1), matchDistance2
		for k := range old.n {
			if d := old.points[k].arm.Sub(m.points[i].arm).Len2(); !taken[k] && d < best {
				at, best = k, d
			}
		}
		if at >= 0 {
			m.impulses[i], m.matched[i], taken[at] = old.impulses[at], true, true
		}
	}
}

// Temporal coherence: most contacts of a heap are between bodies that hardly move, and the narrow phase would
// find the same again. Each contact therefore has a bound on the summed motion of its two bodies. Below it
// nothing about the contact can change: whether the bounds overlap, whether it has manifolds, whether these
// are valid. Until then the narrow phase skips it, and its gaps are updated when the solver builds its rows.
// The result is the same to the bit.

const (
	// maxCoherentMotion is the largest bound of a contact, in m. More motion invalidates it.
	maxCoherentMotion = 0.4
	// coherentPart is the part of a bound that counts: arms are a little longer than radii, and arcs than
	// chords.
	coherentPart = 0.9
	// coherenceSlop bounds the rounding error of sums of motion, in m.
	coherenceSlop = 1e-9
)

// stillValid reports that nothing about a contact can have changed.
func (bs *bodySet) stillValid(c *contact) bool {
	return bs.motionBounds[c.bodyA].predicted+bs.motionBounds[c.bodyB].predicted < c.validUntil
}

// setMotionBound sets how far the bodies of a contact may move, in m, before anything about it changes.
func (bs *bodySet) setMotionBound(c *contact, motion float64) {
	c.validUntil = bs.motionBounds[c.bodyA].accumulated + bs.motionBounds[c.bodyB].accumulated +
		float64(coherentPart*min(motion, maxCoherentMotion)) - coherenceSlop
}

// rebaseMotion restarts the sums at zero, so that small motions are not lost in large sums.
func (cs *contactSet) rebaseMotion(bodies *bodySet) {
	for _, r := range cs.pairs.sorted {
		c := &cs.all[r.contact]
		c.validUntil -= bodies.motionBounds[c.bodyA].accumulated +
			bodies.motionBounds[c.bodyB].accumulated
	}
	for i := range bodies.motionBounds {
		t := &bodies.motionBounds[i]
		t.accumulated, t.predicted = 0, t.predicted-t.accumulated
	}
}

// leverRatio is the ratio of an arm to a body's radius, at least 1; 1 for static bodies.
func (bs *bodySet) leverRatio(slot int32, arm float64) float64 {
	if bs.all[slot].kind == Static {
		return 1
	}
	radius := bs.massProps[slot].radius
	if !(radius > 0) {
		return math.Inf(1)
	}
	return max(1, arm/radius)
}

// encode replaces all contacts when it reads.
func (cs *contactSet) encode(geoms *geomSet, c *statecodec.Codec) {
	n := uint64(len(cs.pairs.sorted))
	c.Word(&n)
	if c.Reads() {
		for _, r := range cs.pairs.sorted {
			cs.release(r.contact)
		}
		cs.pairs.sorted = cs.pairs.sorted[:0]
	}
	var spare manifold
	for i := range n {
		if c.Failed() {
			return
		}
		cs.encodeContact(geoms, c, int(i), &spare)
	}
}

// encodeContact codes a contact with its manifolds. One that is read gets new slots. A dry run reads
// manifolds into the spare one.
func (cs *contactSet) encodeContact(geoms *geomSet, c *statecodec.Codec, i int, spare *manifold) {
	pair, header := &pairRef{}, &contact{}
	if c.Writing() {
		pair = &cs.pairs.sorted[i]
		header = &cs.all[pair.contact]
	}
	pairFields.CodeOwn(c, pair)
	contactFields.CodeOwn(c, header)
	if c.Failed() {
		return
	}
	a, b := pair.key>>32, pair.key&0xffffffff
	n := uint64(len(geoms.all))
	if a >= n || b >= n || !geoms.ids.inUse(int32(a)) || !geoms.ids.inUse(int32(b)) {
		c.Fail("contact %d between geoms %d and %d with %d manifolds", i, a, b, header.count)
		return
	}
	if c.Reads() {
		cs.addRead(geoms, pair.key, header)
		pair = &cs.pairs.sorted[len(cs.pairs.sorted)-1]
	}
	var pose *manifoldPose // a dry run needs none
	if !c.Dry() {
		pose = &cs.poses[pair.contact]
	}
	poseFields.Code(c, pose)
	for k := range header.count {
		m := spare
		if !c.Dry() {
			m = &cs.manifolds[cs.all[pair.contact].base+k]
		}
		m.encode(c)
		if k == 0 && c.Reads() {
			cs.all[pair.contact].points = int8(m.n)
		}
	}
}

// addRead adds a contact whose header was read, with room for its manifolds.
func (cs *contactSet) addRead(geoms *geomSet, key uint64, header *contact) {
	slot := cs.add(geoms, int32(key>>32), int32(key&0xffffffff))
	own := &cs.all[slot]
	own.count, own.recycled = header.count, header.recycled
	if own.count > 0 {
		cs.allocateManifolds(geoms, own)
	}
	cs.pairs.sorted = append(cs.pairs.sorted, pairRef{key, slot})
}

// The state of a contact: its pair, its header, the relative pose at its manifolds' discovery, and these.
var (
	pairFields     = statecodec.LayoutOf((*pairRef).fields)
	contactFields  = statecodec.LayoutOf((*contact).fields)
	poseFields     = statecodec.LayoutOf((*manifoldPose).fields)
	manifoldFields = statecodec.LayoutOf((*manifold).fields)
	pointFields    = layoutsOf((*manifold).pointFields) // by number of points
	filledFields   = layoutsOf(func(m *manifold, f *statecodec.Fields, n int) {
		m.fields(f)
		m.pointFields(f, n)
	})
)

// fields walks over the key of a contact.
func (r *pairRef) fields(f *statecodec.Fields) { statecodec.Integer(f, &r.key, statecodec.Saved) }

// fields walks over the state of a contact that does not follow from its geoms.
func (ct *contact) fields(f *statecodec.Fields) {
	statecodec.Index(f, &ct.count, collide.MaxManifolds, "the number of manifolds of a contact")
	f.Flag(&ct.recycled, statecodec.Saved)
}

// fields walks over the relative pose of a contact's bodies at which its manifolds were found.
func (p *manifoldPose) fields(f *statecodec.Fields) {
	f.Float(&p.allowedMotion, statecodec.Saved)
	f.Quat(&p.turnA, statecodec.Saved)
	f.Quat(&p.turnB, statecodec.Saved)
	f.Vec(&p.separation, statecodec.Saved)
}

// fields walks over a manifold without its points.
func (m *manifold) fields(f *statecodec.Fields) {
	f.Vec(&m.normal, statecodec.Saved)
	f.Vec(&m.friction, statecodec.Finite)
	f.Vec(&m.rolling, statecodec.Saved)
	f.Float(&m.spin, statecodec.Saved)
	f.Flag(&m.noWarmStart, statecodec.Saved)
	statecodec.Index(f, &m.n, maxManifoldPoints, "the number of points of a manifold")
}

// pointFields walks over the first points of a manifold.
func (m *manifold) pointFields(f *statecodec.Fields, n int) {
	for k := range n {
		p := &m.points[k]
		f.Vec(&p.arm, statecodec.Finite)
		f.Float(&p.gapWhenFound, statecodec.Saved)
		f.Float(&p.gap, statecodec.Number)
		f.Float(&m.impulses[k], statecodec.NonNegative)
		statecodec.Integer(f, &m.ids[k], statecodec.Saved)
		f.Flag(&m.matched[k], statecodec.Saved)
	}
}

// layoutsOf returns the layouts of manifolds with no point, one, and so on.
func layoutsOf(walk func(*manifold, *statecodec.Fields, int)) (
	out [maxManifoldPoints + 1]*statecodec.Layout[manifold]) {
	for n := range out {
		out[n] = statecodec.LayoutOf(func(m *manifold, f *statecodec.Fields) { walk(m, f, n) })
	}
	return out
}

// encode codes a manifold and its points, but none of the room for more points. A dry run fills it in.
func (m *manifold) encode(c *statecodec.Codec) {
	manifoldFields.CodeOwn(c, m)
	if !c.Failed() {
		pointFields[m.n].CodeOwn(c, m)
	}
}

func (cs *contactSet) copyFrom(o *contactSet) {
	cs.pairs.sorted = append(cs.pairs.sorted[:0], o.pairs.sorted...)
	cs.all = append(cs.all[:0], o.all...)
	cs.poses = append(cs.poses[:0], o.poses...)
	cs.free = append(cs.free[:0], o.free...)
	cs.freeOne = append(cs.freeOne[:0], o.freeOne...)
	cs.freeMulti = append(cs.freeMulti[:0], o.freeMulti...)
	cs.manifolds = append(cs.manifolds[:0], o.manifolds...)
}

// validatePairs reports pairs out of order, and contacts that are not those of their pairs.
func (cs *contactSet) validatePairs(geoms *geomSet) error {
	for i, r := range cs.pairs.sorted {
		if i > 0 && cs.pairs.sorted[i-1].key >= r.key {
			return fmt.Errorf("pair %d is out of order", i)
		}
		c := &cs.all[r.contact]
		if c.freed || c.dead || pairKey(c.a, c.b) != r.key || !geoms.ids.inUse(c.a) ||
			!geoms.ids.inUse(c.b) ||
			geoms.all[c.a].Kind > geoms.all[c.b].Kind || c.count > c.capacity {
			return fmt.Errorf("pair %d has contact %+v", i, *c)
		}
	}
	if len(cs.pairs.sorted)+len(cs.free) != len(cs.all) {
		return fmt.Errorf("%d contacts, %d in pairs, %d free", len(cs.all),
			len(cs.pairs.sorted),
			len(cs.free))
	}
	return nil
}

// validateManifolds reports manifolds without points, without a unit normal, or with invalid impulses.
func (cs *contactSet) validateManifolds() error {
	for _, r := range cs.pairs.sorted {
		c := &cs.all[r.contact]
		for k := range cs.manifolds[c.base : c.base+c.count] {
			m := &cs.manifolds[c.base+int32(k)]
			if m.n < 1 || m.n > maxManifoldPoints || math.Abs(m.normal.Len()-1) > 1e-6 {
				return fmt.Errorf("contact of geoms %d and %d: %d points, normal %v", c.a, c.b, m.n, m.normal)
			}
			if !filledFields[m.n].Valid(m) {
				return fmt.Errorf("contact of geoms %d and %d: points %+v, impulses %v, friction %v",
					c.a, c.b, m.points[:m.n], m.impulses[:m.n], m.friction)
			}
		}
	}
	return nil
}
