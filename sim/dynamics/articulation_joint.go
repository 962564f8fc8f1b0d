package dynamics

import "simdeck/sim/r3"

// A joint in maximal coordinates may have a link of a limb at one or both of its ends: a wheel hangs on a base that
// carries an arm, or two trees hold each other. It then acts through the links' responses. One that closes a loop within
// a limb is solved with it (loop.go).

// assignJointEnds notes which ends of a joint are links.
func (w *World) assignJointEnds(r *jointConstraint, j *joint) {
	r.endB = w.constraintEnd(j.child)
	if j.parent >= 0 {
		r.endA = w.constraintEnd(j.parent)
	}
	for _, e := range [2]*constraintEnd{&r.endA, &r.endB} {
		if e.articulation != nil {
			r.onArticulation, e.articulation.hasExternalJoint = true, true
		}
	}
}

// publishExternallyJointed shows the solver where the links are after a substep.
func (w *World) publishExternallyJointed(l *articulation) {
	s := &w.solver
	com, rot := w.basePose(l)
	swift := !l.smooth && (l.fast || l.isFast(s.h, suddenFactor))
	if swift {
		l.saveMomenta(s.h)
	}
	w.forwardKinematics(l, 0, com, rot)
	if swift {
		w.computeBaseVelocity(l, com)
		w.restoreFromMomenta(l, com, rot)
	}
	for i := range l.links {
		k := &l.links[i]
		at := s.index[k.body]
		s.states[at].deltaPosition = k.com.Sub(w.motion[k.body].com)
		s.rotations[at] = k.rot
	}
}

// refreshEndVelocities reads the velocities of the links at the ends of a joint.
func (s *solver) refreshEndVelocities(r *jointConstraint) {
	for _, e := range [2]*constraintEnd{&r.endA, &r.endB} {
		if e.articulation != nil {
			k := s.endVelocity(e)
			s.states[e.bodyIndex].v, s.states[e.bodyIndex].w = k.v, k.w
		}
	}
}

// applyExternalJointImpulse applies an impulse j and moments about the COMs, against end A and to end B.
func (s *solver) applyExternalJointImpulse(r *jointConstraint, j, momentA, momentB r3.Vec) {
	s.applyImpulse(&r.endA, j.Neg(), momentA.Neg())
	s.applyImpulse(&r.endB, j, momentB)
	s.refreshEndVelocities(r)
}

// externalJointResponse is what an impulse j and moments do to the velocities of both ends.
func (s *solver) externalJointResponse(r *jointConstraint, j, momentA, momentB r3.Vec) (a, b velocityChange) {
	a, b = s.impulseResponse(&r.endA, j.Neg(), momentA.Neg()), s.impulseResponse(&r.endB, j, momentB)
	if l := r.endA.articulation; l != nil && l == r.endB.articulation {
		ra, rb := &l.linkResponses[r.endA.response], &l.linkResponses[r.endB.response]
		ab, ba := l.crossResponse(l.dofResponses, ra, rb), l.crossResponse(l.dofResponses, rb, ra)
		x, y := ab.apply(j, momentB), ba.apply(j.Neg(), momentA.Neg())
		a, b = velocityChange{a.v.Add(x.v), a.w.Add(x.w)}, velocityChange{b.v.Add(y.v), b.w.Add(y.w)}
	}
	return a, b
}

// regularizeMass lets a joint yield freely in the directions in which its links do not move at all, as those of a planar loop
// or of one with joints to spare, and in the others as it does: to push there would change nothing now, but where the
// links have turned a little. It is k + ε²·k⁻¹, whose inverse is Tikhonov's of k.
func regularizeMass(k r3.Mat) r3.Mat {
	size := k.XX + k.YY + k.ZZ
	hair := k
	hair.XX += float64(1e-9 * size)
	hair.YY += float64(1e-9 * size)
	hair.ZZ += float64(1e-9 * size)
	part := float64(minYieldRatio * size)
	return k.Add(inverseSymmetric(&hair).Scale(float64(part * part)))
}

// minYieldRatio is how little of what it yields in all a joint yields in a direction in which half of it is held.
const minYieldRatio = 1e-4

// externalJointAngularMass is how much the ends yield to a torque between them.
func (s *solver) externalJointAngularMass(r *jointConstraint) r3.Mat {
	var c [3]r3.Vec
	for i := range c {
		e := r3.Vec{}.With(i, 1)
		a, b := s.externalJointResponse(r, r3.Vec{}, e, e)
		c[i] = b.w.Sub(a.w)
	}
	return regularizeMass(r3.Columns(c[0], c[1], c[2]))
}

// externalJointMass is how much the ends yield to an impulse between them.
func (s *solver) externalJointMass(r *jointConstraint) r3.Mat {
	var c [3]r3.Vec
	for i := range c {
		e := r3.Vec{}.With(i, 1)
		a, b := s.externalJointResponse(r, e, r.armA.Cross(e), r.armB.Cross(e))
		c[i] = b.v.Add(b.w.Cross(r.armB)).Sub(a.v).Sub(a.w.Cross(r.armA))
	}
	return regularizeMass(r3.Columns(c[0], c[1], c[2]))
}
