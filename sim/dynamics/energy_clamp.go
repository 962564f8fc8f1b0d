package dynamics

import (
	"math"

	"simdeck/sim/dynamics/linalg"
	"simdeck/sim/r3"
)

// Bodies that push each other, some of them on joints that are solved as one (joint_direct.go), are thrifty: what passes have
// found in a substep may not leave them with more energy than they had, but for what springs and motors gave. Where a
// light thing lies between heavy ones, or a rod turns much within a substep, passes begin with impulses that are no
// longer right and come nowhere near those that are; left so, they throw what is heavy. Impulses that hold, less all of
// them by the same part, still hold, only less; so what is too much is taken from all impulses alike, down to the energy
// there was. Momentum stays, and friction stays within its cone.
type energyClamp struct {
	kineticBefore float64 // J, of motion when the substep began
	workDone      float64 // J, by springs and motors: their impulses times the mean of the speeds before and after; less than 0 what they took
	uncountedWork bool    // what is moved, or a tree in reduced coordinates, works on it, and nobody counts how much
	// What it has with a part x of all impulses is none + double·x + square·x².
	constant, linear, quadratic float64
	fraction                    float64 // of its impulses that is left
}

// clampedBody is a body that is thrifty, and what it had when the substep began.
type clampedBody struct {
	bodyIndex       int32  // in solver.moving
	v               r3.Vec // of its centre of mass
	angularMomentum r3.Vec // angular momentum
}

// energyClamps is who is thrifty in a step.
type energyClamps struct {
	clampOf       linalg.DisjointSets[int32] // of bodies that push each other; once built, by body: the root of its clamp, -1: none
	clamps        []energyClamp              // by lowest body
	clampedBodies []clampedBody
	interactions  [][2]int32 // bodies that push each other
}

const (
	// clampTolerance is the part of their energy that rounding may add.
	clampTolerance = 1e-10
	// clampIterations is how many more passes what has more than it had is solved for.
	clampIterations = 8
)

// buildEnergyClamps finds what pushes each other around knots: who is in the same thrift, by index of moving, or -1.
func (s *solver) buildEnergyClamps() {
	s.clampedBodies = s.clampedBodies[:0]
	if len(s.directIslands) == 0 {
		return
	}
	s.clampOf, s.clamps = s.clampOf.Reset(len(s.states)), resized(s.clamps, len(s.states))
	for i := range s.clamps {
		s.clamps[i] = energyClamp{fraction: 1}
	}
	s.listInteractions()
	for _, p := range s.interactions {
		if s.masses[p[0]].invMass > 0 && s.masses[p[1]].invMass > 0 {
			s.clampOf.Union(p[0], p[1])
		}
	}
	for _, p := range s.interactions {
		for side, i := range p {
			if m := &s.states[i]; s.masses[i].invMass == 0 && (m.v != r3.Vec{} || m.w != r3.Vec{}) {
				s.clamps[s.clampOf.Find(p[1-side])].uncountedWork = true
			}
		}
	}
	for i := range s.directIslands { // a part of 0 marks who has one
		s.clamps[s.clampOf.Find(s.directBodies[s.directIslands[i].firstBody].bodyIndex)].fraction = 0
	}
	for i := range s.clampOf {
		s.clampOf[i] = s.clampOf.Find(int32(i))
	}
	for i, root := range s.clampOf {
		if t := &s.clamps[root]; s.masses[i].invMass == 0 || t.uncountedWork || t.fraction != 0 {
			s.clampOf[i] = -1
			continue
		}
		s.clampedBodies = append(s.clampedBodies, clampedBody{bodyIndex: int32(i)})
	}
}

// listInteractions lists what pushes each other, two by two.
func (s *solver) listInteractions() {
	s.interactions = s.interactions[:0]
	for i := range s.jointConstraints {
		s.interactions = append(s.interactions, [2]int32{s.jointConstraints[i].a, s.jointConstraints[i].b})
	}
	for i := range s.articulationContacts {
		s.interactions = append(s.interactions, [2]int32{s.articulationContacts[i].a.bodyIndex, s.articulationContacts[i].b.bodyIndex})
	}
	for i := range s.coloring.constraints {
		s.interactions = append(s.interactions, [2]int32{s.coloring.constraints[i].a, s.coloring.constraints[i].b})
	}
	for i := range s.couplings {
		if g := &s.couplings[i]; g.follower.articulation == nil && g.leader.articulation == nil {
			s.interactions = append(s.interactions, [2]int32{s.jointConstraints[g.follower.row].b, s.jointConstraints[g.leader.row].b})
		}
	}
}

// beginEnergyClamp notes what thrifty bodies have when a substep begins.
func (s *solver) beginEnergyClamp() {
	for i := range s.clampedBodies {
		b := &s.clampedBodies[i]
		m, t := &s.states[b.bodyIndex], &s.clamps[s.clampOf[b.bodyIndex]]
		if s.clampOf[b.bodyIndex] == b.bodyIndex {
			*t = energyClamp{fraction: 1}
		}
		b.v, b.angularMomentum = m.v, s.angularMomentumOf(b.bodyIndex)
		t.kineticBefore += s.kineticEnergyOf(b.bodyIndex)
	}
	for i := range s.jointConstraints {
		if r := &s.jointConstraints[i]; r.turns() || r.kind == Prismatic {
			r.speedBefore = r.speed(s)
		}
	}
}

// clampEnergy takes from thrifty bodies what is more than they had, when a substep ends: passes go on for a while, since
// they take speed only, and what they leave too much is taken from all impulses.
func (s *solver) clampEnergy() {
	if len(s.clampedBodies) == 0 {
		return
	}
	for range clampIterations {
		if !s.evaluateClamps() {
			return
		}
		s.iterateClamped()
	}
	if s.evaluateClamps() {
		s.scaleBackImpulses()
	}
}

// evaluateClamps finds what thrifty bodies have with each part of their impulses; false: none has more than it had.
func (s *solver) evaluateClamps() bool {
	for i := range s.clampedBodies {
		if b := &s.clampedBodies[i]; s.clampOf[b.bodyIndex] == b.bodyIndex {
			t := &s.clamps[b.bodyIndex]
			*t = energyClamp{kineticBefore: t.kineticBefore, fraction: 1}
		}
	}
	for i := range s.clampedBodies {
		b := &s.clampedBodies[i]
		m, wt, t := &s.states[b.bodyIndex], &s.masses[b.bodyIndex], &s.clamps[s.clampOf[b.bodyIndex]]
		dv, turn := m.v.Sub(b.v), s.angularMomentumOf(b.bodyIndex).Sub(b.angularMomentum)
		spun := wt.applyInvInertia(turn)
		t.constant += float64(0.5*b.v.Len2())/wt.invMass + float64(0.5*b.angularMomentum.Dot(wt.applyInvInertia(b.angularMomentum)))
		t.linear += b.v.Dot(dv)/wt.invMass + spun.Dot(b.angularMomentum)
		t.quadratic += float64(0.5*dv.Len2())/wt.invMass + float64(0.5*spun.Dot(turn))
	}
	for i := range s.jointConstraints {
		r := &s.jointConstraints[i]
		if root := max(s.clampOf[r.a], s.clampOf[r.b]); root >= 0 && r.kind != Ball {
			s.clamps[root].workDone += float64(0.5 * (r.impulseDamping + r.impulseDrive + r.drive.effort) * (r.speedBefore + r.speed(s)))
		}
	}
	wasted := false
	for i := range s.clampedBodies {
		if at := s.clampedBodies[i].bodyIndex; s.clampOf[at] == at {
			s.clamps[at].computeFraction()
			wasted = wasted || s.clamps[at].fraction < 1
		}
	}
	return wasted
}

// iterateClamped is a pass over what pushes bodies that have more than they had.
func (s *solver) iterateClamped() {
	for i := range s.jointConstraints {
		if r := &s.jointConstraints[i]; r.directIsland <= 0 && !r.onArticulation && min(s.impulseFraction(r.a), s.impulseFraction(r.b)) < 1 {
			r.solveAngular(s, rigid())
			r.solveLinear(s, rigid())
		}
	}
	for i := range s.batches {
		b := &s.batches[i]
		for lane := range width {
			if min(s.impulseFraction(b.a[lane]), s.impulseFraction(b.b[lane])) < 1 {
				s.solveContactLane(b, lane, &s.relaxIteration)
			}
		}
	}
	for i := range s.articulationContacts {
		if p := &s.articulationContacts[i]; min(s.impulseFraction(p.a.bodyIndex), s.impulseFraction(p.b.bodyIndex)) < 1 {
			p.solve(s, false, 0)
		}
	}
}

// computeFraction finds the part of its impulses with which a thrift has no more than it had, or else the least.
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

// fractionWithinEnergy is the largest part x of 1 for which square·x² + double·x is not above room.
func fractionWithinEnergy(square, double, room float64) float64 {
	if square == 0 || square+double <= room {
		return 1
	}
	room = max(0, room)
	root := math.Sqrt(float64(double*double) + float64(4*square*room))
	if double > 0 {
		return min(1, float64(2*room)/(double+root))
	}
	return min(1, (root-double)/float64(2*square))
}

// scaleBackImpulses leaves of all impulses of a thrift the part that it may have.
func (s *solver) scaleBackImpulses() {
	for i := range s.clampedBodies {
		b := &s.clampedBodies[i]
		m, part := &s.states[b.bodyIndex], s.impulseFraction(b.bodyIndex)
		if part == 1 {
			continue
		}
		turn := s.angularMomentumOf(b.bodyIndex)
		m.v, m.w = m.v.AddScaled(part-1, m.v.Sub(b.v)), s.masses[b.bodyIndex].applyInvInertia(turn.AddScaled(part-1, turn.Sub(b.angularMomentum)))
	}
	for i := range s.jointConstraints {
		s.jointConstraints[i].scaleImpulses(min(s.impulseFraction(s.jointConstraints[i].a), s.impulseFraction(s.jointConstraints[i].b)))
	}
	for i := range s.multiDofFriction {
		f := &s.multiDofFriction[i]
		part := min(s.impulseFraction(s.jointConstraints[f.joint].a), s.impulseFraction(s.jointConstraints[f.joint].b))
		f.dampingImpulse, f.frictionImpulse = f.dampingImpulse.Scale(part), f.frictionImpulse.Scale(part)
	}
	for i := range s.articulationContacts {
		p := &s.articulationContacts[i]
		part := min(s.impulseFraction(p.a.bodyIndex), s.impulseFraction(p.b.bodyIndex))
		rows := p.allRows(s)
		for k := range rows {
			rows[k].impulse = float64(part * rows[k].impulse)
		}
	}
	for i := range s.batches {
		b := &s.batches[i]
		for lane := range width {
			part := min(s.impulseFraction(b.a[lane]), s.impulseFraction(b.b[lane]))
			b.tangentImpulse1[lane], b.tangentImpulse2[lane], b.spinImpulse[lane] = float64(part*b.tangentImpulse1[lane]), float64(part*b.tangentImpulse2[lane]), float64(part*b.spinImpulse[lane])
			for k := b.firstRow; k < b.firstRow+b.rowCount; k++ {
				s.rows[k].impulse[lane] = float64(part * s.rows[k].impulse[lane])
			}
		}
	}
	for i := range s.rollingFriction {
		r := &s.rollingFriction[i]
		b := &s.batches[r.batch]
		r.impulse = r.impulse.Scale(min(s.impulseFraction(b.a[r.lane]), s.impulseFraction(b.b[r.lane])))
	}
}

// impulseFraction is the part of the impulses on a body that is left.
func (s *solver) impulseFraction(at int32) float64 {
	if root := s.clampOf[at]; root >= 0 {
		return s.clamps[root].fraction
	}
	return 1
}

// scaleImpulses leaves a part of what a joint pushes.
func (r *jointConstraint) scaleImpulses(part float64) {
	if part == 1 {
		return
	}
	r.linearImpulse, r.angularImpulse = r.linearImpulse.Scale(part), r.angularImpulse.Scale(part)
	for _, j := range [...]*float64{&r.impulseDrive, &r.impulseDamping, &r.impulseFriction, &r.impulseLower, &r.impulseUpper, &r.impulseVelocityLimit} {
		*j = float64(*j * part)
	}
}
