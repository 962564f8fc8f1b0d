package dynamics

import (
	"fmt"
	"math"
	"slices"

	"simdeck/sim/dynamics/linalg"
	"simdeck/sim/r3"
)

const (
	// MaxSpeed and MaxSpin bound, in m/s and rad/s, how fast a body may move; MaxExtent, in metres, how far
	// from the origin it may be. Beyond these bounds a state has no physical meaning.
	MaxSpeed  = 1e6
	MaxSpin   = 1e9
	MaxExtent = 1e9
)

// containment is the scratch of contain.
type containment struct {
	found  bool // bodies were contained in this step
	faults []Fault
	lost   []lostBody
	faulty []bool  // by body slot: its island had a fault in this step
	chief  []int32 // by root of such an island: 1 + index in lost of the body to contain
	stack  []int32
	parts  []int32 // bodies that joints tie together
	inside []bool  // by body slot: is among parts
}

type lostBody struct {
	slot  int32
	cause FaultCause
}

// Contained reports that a body was taken out of the dynamics; see Contain.
func (h Body) Contained() bool { return h.Alive() && h.w.bodies.all[h.id.slot].contained }

// Contain puts dynamic bodies, and all that joints tie to them, to rest where they are. They do not move,
// nothing wakes them, and others meet them as something fixed, until Release.
func (w *World) Contain(ids []BodyID) {
	for _, id := range ids {
		if w.Body(id).Alive() && w.bodies.all[id.slot].kind == Dynamic && !w.bodies.all[id.slot].contained {
			w.active.wake(&w.bodies, int32(id.slot))
			w.containment.collectParts(&w.bodies, &w.joints, int32(id.slot))
			w.containment.containParts(&w.bodies, &w.joints, w.articulations, &w.active)
		}
	}
}

// Release lets contained bodies, and all that joints tie to them, move again.
func (w *World) Release(ids []BodyID) {
	for _, id := range ids {
		if !w.Body(id).Contained() {
			continue
		}
		slot := int32(id.slot)
		for i := slot; ; {
			w.bodies.all[i].contained = false
			if i = w.bodies.all[i].nextInIsland; i == slot {
				break
			}
		}
		w.active.wakeAround(&w.bodies, &w.contacts, slot)
	}
}

// contain looks for bodies whose motion the solver has lost, before it is written back. In each island
// with a fault, the body that was fastest before the step is contained with all bodies on its joints. So are
// bodies that were beyond the bounds before the step. The others of the island keep the pose and the motion
// that they had: what the solver says of them may come from the fault. Trees of joints among them stand
// still. A fault that had another origin shows again in the next step. It reports whether it found any.
func (c *containment) contain(bodies *bodySet, joints *jointSet, articulations articulationList,
	transmissions *transmissionSet, contacts *contactSet, active *activeSet, islands *islandBuilder,
	s *solver) bool {
	c.faults, c.lost = c.faults[:0], c.lost[:0]
	c.findLost(bodies, articulations, s)
	if len(c.lost) == 0 {
		return false
	}
	islands.join(bodies, joints, articulations, transmissions, contacts, active)
	c.faulty, c.chief = linalg.Grow(c.faulty, len(bodies.all)), linalg.Grow(c.chief, len(bodies.all))
	clear(c.faulty)
	clear(c.chief)
	for i, l := range c.lost {
		if was := &c.chief[islands.Find(l.slot)]; *was == 0 ||
			bodies.speedOf(l.slot) > bodies.speedOf(c.lost[*was-1].slot) {
			*was = int32(i + 1)
		}
	}
	for _, i := range active.bodies {
		if bodies.all[i].kind == Dynamic && c.chief[islands.Find(i)] != 0 {
			c.faulty[i] = true
			c.undo(bodies, articulations, s, i)
		}
	}
	for i, l := range c.lost {
		m := &bodies.motion[l.slot]
		began := m.v.Len2() <= MaxSpeed*MaxSpeed && m.w.Len2() <= MaxSpin*MaxSpin &&
			m.com.Len2() <= MaxExtent*MaxExtent
		if !bodies.all[l.slot].contained && (int(c.chief[islands.Find(l.slot)]) == i+1 || !began) {
			c.collectParts(bodies, joints, l.slot)
			c.faults = append(c.faults, c.faultOf(bodies, contacts, active, l))
			c.containParts(bodies, joints, articulations, active)
		}
	}
	return true
}

// findLost lists the bodies whose motion is not finite or beyond the bounds, in the order of their slots.
func (c *containment) findLost(bodies *bodySet, articulations []worldArticulation, s *solver) {
	for i := range s.states {
		m := &s.states[i]
		if m.v.Len2() <= MaxSpeed*MaxSpeed && m.w.Len2() <= MaxSpin*MaxSpin &&
			s.masses[i].com.Add(m.deltaPosition).Len2() <= MaxExtent*MaxExtent &&
			m.deltaRotation.Len2() <= MaxSpin*MaxSpin {
			continue
		}
		if slot := s.slots[i]; slot >= 0 && bodies.isAwake(slot) && bodies.all[slot].kind == Dynamic &&
			bodies.all[slot].articulation == 0 {
			c.lost = append(c.lost, lostBody{slot, m.cause()})
		}
	}
	for _, i := range s.activeArticulations {
		l := &articulations[i]
		root := l.links[0].body
		switch {
		case !l.Finite():
			c.lost = append(c.lost, lostBody{root, l.cause()})
		case !(bodies.motion[root].com.Len2() <= MaxExtent*MaxExtent):
			c.lost = append(c.lost, lostBody{root, FaultTooFar})
		}
	}
	slices.SortFunc(c.lost, func(a, b lostBody) int { return int(a.slot - b.slot) })
}

// speedOf is the speed, in m/s, of the fastest point of a body before the step.
func (bs *bodySet) speedOf(slot int32) float64 {
	m := &bs.motion[slot]
	return m.v.Len() + float64(m.w.Len()*bs.massProps[slot].radius)
}

// undo gives a body the motion that it had before the step; a tree of joints is put where it was, at rest.
func (c *containment) undo(bodies *bodySet, articulations []worldArticulation, s *solver, slot int32) {
	s, m := s, &bodies.motion[slot]
	if n := bodies.all[slot].articulation; n != 0 {
		articulations[n-1].StepBack()
		return
	}
	if i := s.index[slot]; i != 0 {
		s.states[i], s.rotations[i] = bodyState{v: m.v, w: m.w}, m.rot
	}
}

// collectParts lists the bodies that joints and gears tie to one.
func (c *containment) collectParts(bodies *bodySet, joints *jointSet, slot int32) {
	c.inside = linalg.Grow(c.inside, len(bodies.all))
	clear(c.inside)
	c.parts, c.stack = c.parts[:0], c.stack[:0]
	c.collectPart(bodies, slot)
	for {
		for len(c.stack) > 0 {
			i := c.stack[len(c.stack)-1]
			c.stack = c.stack[:len(c.stack)-1]
			for _, j := range bodies.all[i].joints {
				c.collectPart(bodies, joints.all[j].parent)
				c.collectPart(bodies, joints.all[j].child)
			}
		}
		for i := range joints.all {
			if j := &joints.all[i]; j.coupling.on &&
				c.inside[j.child] != c.inside[joints.all[j.coupling.leader].child] {
				c.collectPart(bodies, j.child)
				c.collectPart(bodies, joints.all[j.coupling.leader].child)
			}
		}
		if len(c.stack) == 0 {
			return
		}
	}
}

// collectPart adds a body that is not static.
func (c *containment) collectPart(bodies *bodySet, slot int32) {
	if slot < 0 || c.inside[slot] || bodies.all[slot].kind == Static {
		return
	}
	c.inside[slot] = true
	c.parts, c.stack = append(c.parts, slot), append(c.stack, slot)
}

// containParts puts the listed bodies to rest, in a ring so that they are released together.
func (c *containment) containParts(bodies *bodySet, joints *jointSet, articulations []worldArticulation,
	active *activeSet) {
	c, last := c, int32(-1)
	for _, i := range c.parts {
		c.standStill(bodies, joints, articulations, i)
		b := &bodies.all[i]
		if b.kind != Dynamic {
			continue
		}
		if !b.asleep {
			active.sleepEvents.list = append(active.sleepEvents.list, SleepEvent{bodies.id(i), true})
		}
		b.asleep, b.contained, b.stillTime, b.nextInIsland = true, true, 0, i
		if last >= 0 {
			b.nextInIsland, bodies.all[last].nextInIsland = bodies.all[last].nextInIsland, i
		}
		last = i
	}
	active.dirty = true
}

// standStill takes all motion out of a body, and what its joints remember.
func (c *containment) standStill(bodies *bodySet, joints *jointSet, articulations []worldArticulation,
	slot int32) {
	b, m := &bodies.all[slot], &bodies.motion[slot]
	m.v, m.w, b.velocityBefore, b.force, b.torque = r3.Vec{}, r3.Vec{}, r3.Twist{}, r3.Vec{}, r3.Vec{}
	for _, j := range b.joints {
		joints.all[j].forget()
	}
	if b.articulation != 0 {
		articulations[b.articulation-1].Stop()
	}
}

// forget drops what the solver remembers of a joint.
func (j *joint) forget() {
	j.linearImpulse, j.angularImpulse, j.multiDofDampingImpulse, j.multiDofFrictionImpulse = r3.Vec{},
		r3.Vec{}, r3.Vec{}, r3.Vec{}
	j.impulseDrive, j.impulseDamping, j.impulseFriction, j.impulseFriction2, j.impulseFriction3,
		j.impulseLower, j.impulseUpper, j.impulseCoupling, j.impulseVelocityLimit = 0, 0, 0, 0, 0, 0, 0, 0, 0
	j.effort = 0
}

// forgetFaulty drops what contacts and joints of islands with a fault remember, once all else is written
// back.
func (c *containment) forgetFaulty(bodies *bodySet, joints *jointSet, articulations articulationList,
	contacts *contactSet, active *activeSet) {
	for _, i := range active.contacts {
		k := &contacts.all[i]
		if !c.faulty[k.bodyA] && !c.faulty[k.bodyB] {
			continue
		}
		for n := k.base; n < k.base+k.count; n++ {
			m := &contacts.manifolds[n]
			m.impulses, m.friction, m.spin, m.rolling = [maxManifoldPoints]float64{}, r3.Vec{}, 0, r3.Vec{}
		}
	}
	for i := range bodies.all {
		if !c.faulty[i] {
			continue
		}
		for _, j := range bodies.all[i].joints {
			joints.all[j].forget()
		}
		if bodies.all[i].contained {
			c.standStill(bodies, joints, articulations, int32(i))
		}
	}
	active.rebuild(bodies, contacts)
}

// FaultCause is the error of a body's motion.
type FaultCause uint8

// Causes of faults.
const (
	FaultNotFinite FaultCause = iota + 1
	FaultTooFast
	FaultTooFar
)

// String is the cause in words.
func (c FaultCause) String() string {
	switch c {
	case FaultNotFinite:
		return "its velocity was not finite"
	case FaultTooFast:
		return fmt.Sprintf("it was faster than %g m/s or %g rad/s", MaxSpeed, MaxSpin)
	case FaultTooFar:
		return fmt.Sprintf("it was further than %g m from the origin", MaxExtent)
	}
	return fmt.Sprintf("cause %d", uint8(c))
}

// faultHits is the number of reported bodies that touched a contained one.
const faultHits = 4

// FaultHit is a body that touched a contained one, and how fast the two moved against each other before the
// step.
type FaultHit struct {
	Body  BodyID
	Speed float64 // m/s
}

// Fault is a body whose motion left the finite numbers or their bounds, and was contained.
type Fault struct {
	Body  BodyID
	Cause FaultCause
	Speed float64 // m/s, before the step
	hits  [faultHits]FaultHit
	count int
}

// Hits are bodies that touched it, or what joints tie to it, in that step; the fastest, from the fastest on.
func (f *Fault) Hits() []FaultHit { return f.hits[:f.count] }

// faultOf is the report of a lost body, with the bodies that were contained because of its joints.
func (c *containment) faultOf(bodies *bodySet, contacts *contactSet, active *activeSet, l lostBody) Fault {
	f, inside := Fault{Body: bodies.id(l.slot), Cause: l.cause, Speed: bodies.speedOf(l.slot)}, c.inside
	for _, i := range active.contacts {
		c := &contacts.all[i]
		if c.count == 0 || c.sensor || inside[c.bodyA] == inside[c.bodyB] {
			continue
		}
		own, other := c.bodyA, c.bodyB
		if inside[other] {
			own, other = other, own
		}
		ma, mb := &bodies.motion[own], &bodies.motion[other]
		at := bodies.motion[c.bodyA].com.Add(contacts.manifolds[c.base].points[0].arm)
		va := r3.Twist{Linear: ma.v, Angular: ma.w}.At(at.Sub(ma.com))
		vb := r3.Twist{Linear: mb.v, Angular: mb.w}.At(at.Sub(mb.com))
		f.hit(FaultHit{bodies.id(other), va.Sub(vb).Len()})
	}
	return f
}

// hit keeps the fastest hits, one for each body.
func (f *Fault) hit(h FaultHit) {
	at := slices.IndexFunc(f.Hits(), func(k FaultHit) bool { return k.Body == h.Body })
	switch {
	case at >= 0:
	case f.count < faultHits:
		at = f.count
		f.count++
	default:
		at = faultHits - 1
	}
	if f.hits[at].Body != (BodyID{}) && !(h.Speed > f.hits[at].Speed) {
		return
	}
	f.hits[at] = h
	slices.SortStableFunc(f.Hits(), func(a, b FaultHit) int {
		switch {
		case a.Speed > b.Speed:
			return -1
		case a.Speed < b.Speed:
			return 1
		}
		return 0
	})
}

// Faults are the bodies that the last Step contained. Valid until the next.
func (w *World) Faults() []Fault { return w.containment.faults }

// cause is the cause of the loss of a body's motion.
func (m *bodyState) cause() FaultCause {
	switch {
	case !m.v.IsFinite() || !m.w.IsFinite() || !m.deltaPosition.IsFinite() || !m.deltaRotation.IsFinite():
		return FaultNotFinite
	case m.v.Len2() <= MaxSpeed*MaxSpeed && m.w.Len2() <= MaxSpin*MaxSpin:
		return FaultTooFar
	}
	return FaultTooFast
}

// cause is the cause of the loss of an articulation's motion.
func (l *worldArticulation) cause() FaultCause {
	for d := range int32(l.DOFs()) {
		if x := l.V(d) + l.Q(d); math.IsNaN(x) || math.IsInf(x, 0) {
			return FaultNotFinite
		}
	}
	return FaultTooFast
}
