package dynamics

import (
	"math"

	"simdeck/sim/dynamics/linalg"
	"simdeck/sim/r3"
)

// energyClamp is a passivity clamp on bodies that push each other around a direct island (joint_direct.go). A
// substep may leave them no more energy than they had, except for the work of springs and motors.
// Warm-started impulses no longer fit where a light body lies between heavy ones, or where a rod turns far
// within a substep. Their remainder then throws the heavy bodies. Scaling all impulses by one fraction keeps
// momentum, keeps friction within its cone, and lets constraints hold as before, only less.
type energyClamp struct {
	kineticBefore float64 // J, when the substep began
	workDone      float64 // J, of springs and motors: impulse times the mean of the speeds before and after
	uncountedWork bool    // kinematic bodies or articulations work on it, by an amount that nothing counts
	// The energy after a fraction x of all impulses is constant + linear·x + quadratic·x², J.
	constant, linear, quadratic float64
	fraction                    float64 // of its impulses that is left
}

// clampedBody is a body that is thrifty, and what it had when the substep began.
type clampedBody struct {
	bodyIndex       int32  // in solver.moving
	v               r3.Vec // of its centre of mass
	angularMomentum r3.Vec // angular momentum
}

// energyClamps holds the energy clamps of a step.
type energyClamps struct {
	// of bodies that push each other; once built, by body: the root of its clamp, -1: none
	clampOf       linalg.DisjointSets[int32]
	clamps        []energyClamp // by lowest body
	clampedBodies []clampedBody
	interactions  [][2]int32 // bodies that push each other
}

const (
	// clampTolerance is the part of the energy that rounding may add.
	clampTolerance = 1e-10
	// clampIterations bounds the further passes over bodies with too much energy.
	clampIterations = 8
)

// build finds the bodies that push each other around direct islands, and gives each such group a clamp.
func (c *energyClamps) build(s *solver) {
	c.clampedBodies = c.clampedBodies[:0]
	if len(s.directIslands) == 0 {
		return
	}
	c.clampOf, c.clamps = c.clampOf.Reset(len(s.states)), linalg.Grow(c.clamps, len(s.states))
	for i := range c.clamps {
		c.clamps[i] = energyClamp{fraction: 1}
	}
	c.listInteractions(s)
	for _, p := range c.interactions {
		if s.masses[p[0]].invMass > 0 && s.masses[p[1]].invMass > 0 {
			c.clampOf.Union(p[0], p[1])
		}
	}
	for _, p := range c.interactions {
		for side, i := range p {
			if m := &s.states[i]; s.masses[i].invMass == 0 && (m.v != r3.Vec{} || m.w != r3.Vec{}) {
				c.clamps[c.clampOf.Find(p[1-side])].uncountedWork = true
			}
		}
	}
	c.countSurfaces(s)
	for i := range s.directIslands { // a fraction of 0 marks groups with an island
		c.clamps[c.clampOf.Find(s.directBodies[s.directIslands[i].firstBody].bodyIndex)].fraction = 0
	}
	for i := range c.clampOf {
		c.clampOf[i] = c.clampOf.Find(int32(i))
	}
	for i, root := range c.clampOf {
		if t := &c.clamps[root]; s.masses[i].invMass == 0 || t.uncountedWork || t.fraction != 0 {
			c.clampOf[i] = -1
			continue
		}
		c.clampedBodies = append(c.clampedBodies, clampedBody{bodyIndex: int32(i)})
	}
}

// countSurfaces finds the clamps of bodies that surfaces work on which move against their geoms.
func (c *energyClamps) countSurfaces(s *solver) {
	uncounted := func(m *surfaceMotion, a, b int32) {
		if *m != (surfaceMotion{}) {
			c.clamps[c.clampOf.Find(a)].uncountedWork = true
			c.clamps[c.clampOf.Find(b)].uncountedWork = true
		}
	}
	for i := range s.compliantFriction {
		e := &s.compliantFriction[i]
		b := &s.batches[e.batch]
		uncounted(&e.surface, b.a[e.lane], b.b[e.lane])
	}
	for i := range s.articulationContacts {
		p := &s.articulationContacts[i]
		uncounted(&p.surface, p.a.bodyIndex, p.b.bodyIndex)
	}
}

// listInteractions lists the pairs of bodies that joints, contacts and couplings let push each other.
func (c *energyClamps) listInteractions(s *solver) {
	c.interactions = c.interactions[:0]
	for i := range s.jointConstraints {
		c.interactions = append(c.interactions, [2]int32{s.jointConstraints[i].a, s.jointConstraints[i].b})
	}
	for i := range s.articulationContacts {
		c.interactions = append(c.interactions,
			[2]int32{s.articulationContacts[i].a.bodyIndex, s.articulationContacts[i].b.bodyIndex})
	}
	for i := range s.coloring.constraints {
		c.interactions = append(c.interactions,
			[2]int32{s.coloring.constraints[i].a, s.coloring.constraints[i].b})
	}
	for i := range s.couplings {
		if g := &s.couplings[i]; g.follower.articulation == nil && g.leader.articulation == nil {
			c.interactions = append(c.interactions,
				[2]int32{s.jointConstraints[g.follower.row].b, s.jointConstraints[g.leader.row].b})
		}
	}
}

// begin records the energy of clamped bodies before any impulse of the substep.
func (c *energyClamps) begin(s *solver) {
	for i := range c.clampedBodies {
		b := &c.clampedBodies[i]
		m, t := &s.states[b.bodyIndex], &c.clamps[c.clampOf[b.bodyIndex]]
		if c.clampOf[b.bodyIndex] == b.bodyIndex {
			*t = energyClamp{fraction: 1}
		}
		b.v, b.angularMomentum = m.v, s.angularMomentumOf(b.bodyIndex)
		t.kineticBefore += s.kineticEnergyOf(b.bodyIndex)
	}
	for i := range s.jointConstraints {
		if r := &s.jointConstraints[i]; r.kind.Turns() || r.kind == Prismatic {
			r.speedBefore = r.speed(s)
		}
	}
}

// apply removes energy above the bound when a substep ends. Further passes come first, since they only take
// speed; the scaling of all impulses takes the rest.
func (c *energyClamps) apply(s *solver) {
	if len(c.clampedBodies) == 0 {
		return
	}
	for range clampIterations {
		if !c.evaluate(s) {
			return
		}
		c.iterate(s)
	}
	if c.evaluate(s) {
		c.scaleBack(s)
	}
}

// evaluate finds the energy of each clamp as a function of its fraction; false: none is above its bound.
func (c *energyClamps) evaluate(s *solver) bool {
	for i := range c.clampedBodies {
		if b := &c.clampedBodies[i]; c.clampOf[b.bodyIndex] == b.bodyIndex {
			t := &c.clamps[b.bodyIndex]
			*t = energyClamp{kineticBefore: t.kineticBefore, fraction: 1}
		}
	}
	for i := range c.clampedBodies {
		b := &c.clampedBodies[i]
		m, wt, t := &s.states[b.bodyIndex], &s.masses[b.bodyIndex], &c.clamps[c.clampOf[b.bodyIndex]]
		dv, turn := m.v.Sub(b.v), s.angularMomentumOf(b.bodyIndex).Sub(b.angularMomentum)
		spun := wt.applyInvInertia(turn)
		t.constant += float64(0.5*b.v.Len2())/wt.invMass +
			float64(0.5*b.angularMomentum.Dot(wt.applyInvInertia(b.angularMomentum)))
		t.linear += b.v.Dot(dv)/wt.invMass + spun.Dot(b.angularMomentum)
		t.quadratic += float64(0.5*dv.Len2())/wt.invMass + float64(0.5*spun.Dot(turn))
	}
	for i := range s.jointConstraints {
		r := &s.jointConstraints[i]
		if root := max(c.clampOf[r.a], c.clampOf[r.b]); root >= 0 && r.kind != Ball {
			c.clamps[root].workDone += float64(0.5 * (r.impulseDamping + r.impulseDrive +
				r.drive.effort) * (r.speedBefore + r.speed(s)))
		}
	}
	wasted := false
	for i := range c.clampedBodies {
		if at := c.clampedBodies[i].bodyIndex; c.clampOf[at] == at {
			c.clamps[at].computeFraction()
			wasted = wasted || c.clamps[at].fraction < 1
		}
	}
	return wasted
}

// iterate is a pass without bias over the constraints of bodies above their bound.
func (c *energyClamps) iterate(s *solver) {
	for i := range s.jointConstraints {
		if r := &s.jointConstraints[i]; r.directIsland <= 0 && !r.onArticulation &&
			min(c.impulseFraction(r.a), c.impulseFraction(r.b)) < 1 {
			r.solveAngular(s, rigid())
			r.solveLinear(s, rigid())
		}
	}
	for i := range s.batches {
		b := &s.batches[i]
		for lane := range width {
			if min(c.impulseFraction(b.a[lane]), c.impulseFraction(b.b[lane])) < 1 {
				s.solveContactLane(b, lane, &s.relaxIteration)
			}
		}
	}
	for i := range s.articulationContacts {
		if p := &s.articulationContacts[i]; min(c.impulseFraction(p.a.bodyIndex),
			c.impulseFraction(p.b.bodyIndex)) < 1 {
			p.solve(s, false, 0)
		}
	}
}

// computeFraction finds the largest fraction within the energy bound, or else the one of least energy.
func (t *energyClamp) computeFraction() {
	most := t.kineticBefore + t.workDone
	if t.constant+t.linear+t.quadratic <= float64((1+clampTolerance)*most) {
		return
	}
	t.fraction = 0
	if t.quadratic > 0 {
		t.fraction = max(0, min(1, -t.linear/float64(2*t.quadratic)))
	}
	if least := t.constant + float64(t.fraction*(t.linear+float64(t.fraction*t.quadratic))); least < most {
		t.fraction = min(1, t.fraction+math.Sqrt((most-least)/t.quadratic))
	}
}

// scaleBack scales all impulses of each clamp by its fraction.
func (c *energyClamps) scaleBack(s *solver) {
	for i := range c.clampedBodies {
		b := &c.clampedBodies[i]
		m, part := &s.states[b.bodyIndex], c.impulseFraction(b.bodyIndex)
		if part == 1 {
			continue
		}
		turn := s.angularMomentumOf(b.bodyIndex)
		m.v, m.w = m.v.AddScaled(part-1, m.v.Sub(b.v)),
			s.masses[b.bodyIndex].applyInvInertia(turn.AddScaled(part-1, turn.Sub(b.angularMomentum)))
	}
	for i := range s.jointConstraints {
		s.jointConstraints[i].scaleImpulses(min(c.impulseFraction(s.jointConstraints[i].a),
			c.impulseFraction(s.jointConstraints[i].b)))
	}
	for i := range s.multiDofFriction {
		f := &s.multiDofFriction[i]
		part := min(c.impulseFraction(s.jointConstraints[f.joint].a),
			c.impulseFraction(s.jointConstraints[f.joint].b))
		f.dampingImpulse, f.frictionImpulse = f.dampingImpulse.Scale(part), f.frictionImpulse.Scale(part)
	}
	for i := range s.articulationContacts {
		p := &s.articulationContacts[i]
		part := min(c.impulseFraction(p.a.bodyIndex), c.impulseFraction(p.b.bodyIndex))
		rows := p.allRows(s)
		for k := range rows {
			rows[k].impulse = float64(part * rows[k].impulse)
		}
	}
	for i := range s.batches {
		b := &s.batches[i]
		for lane := range width {
			part := min(c.impulseFraction(b.a[lane]), c.impulseFraction(b.b[lane]))
			b.tangentImpulse1[lane], b.tangentImpulse2[lane],
				b.spinImpulse[lane] = float64(part*b.tangentImpulse1[lane]),
				float64(part*b.tangentImpulse2[lane]), float64(part*b.spinImpulse[lane])
			for k := b.firstRow; k < b.firstRow+b.rowCount; k++ {
				s.rows[k].impulse[lane] = float64(part * s.rows[k].impulse[lane])
			}
		}
	}
	for i := range s.rollingFriction {
		r := &s.rollingFriction[i]
		b := &s.batches[r.batch]
		r.impulse = r.impulse.Scale(min(c.impulseFraction(b.a[r.lane]), c.impulseFraction(b.b[r.lane])))
	}
}

// impulseFraction is the fraction of the impulses on a body that is left.
func (c *energyClamps) impulseFraction(at int32) float64 {
	if root := c.clampOf[at]; root >= 0 {
		return c.clamps[root].fraction
	}
	return 1
}

// scaleImpulses scales the impulses of a joint.
func (r *jointConstraint) scaleImpulses(part float64) {
	if part == 1 {
		return
	}
	r.linearImpulse, r.angularImpulse = r.linearImpulse.Scale(part), r.angularImpulse.Scale(part)
	for _, j := range [...]*float64{&r.impulseDrive, &r.impulseDamping, &r.impulseFriction, &r.impulseLower,
		&r.impulseUpper, &r.impulseVelocityLimit} {
		*j = float64(*j * part)
	}
}
