package dynamics

import "simdeck/sim/r3"

// A joint in maximal coordinates may have a link of a limb at one or both of its ends: a wheel hangs on a base that
// carries an arm, or two trees hold each other. It then acts through the links' responses. One that closes a loop within
// a limb is solved with it (loop.go).

// assignEnds notes which ends of a joint are links.
func (r *jointConstraint) assignEnds(w *World, j *joint) {
	r.endB = w.constraintEnd(j.child)
	if j.parent >= 0 {
		r.endA = w.constraintEnd(j.parent)
	}
	for _, e := range [2]*constraintEnd{&r.endA, &r.endB} {
		if e.articulation != nil {
			r.onArticulation, e.articulation.step.hasExternalJoint = true, true
		}
	}
}

// publishExternallyJointed shows the solver where the links are after a substep.
func (l *articulation) publishExternallyJointed(w *World) {
	s := &w.solver
	com, rot := l.basePose(w)
	fast := !l.step.integrator.smooth() && (l.step.integrator.fast() || l.isFast(s.h, suddenFactor))
	if fast {
		l.saveMomenta(s.h)
	}
	l.forwardKinematics(w, 0, com, rot)
	if fast {
		l.computeBaseVelocity(w, com)
		l.restoreFromMomenta(w, com, rot)
	}
	for i := range l.links {
		k := &l.links[i]
		at := s.index[k.body]
		s.states[at].deltaPosition = k.com.Sub(w.motion[k.body].com)
		s.rotations[at] = k.rot
	}
}

// refreshEndVelocities reads the velocities of the links at the ends of a joint.
func (r *jointConstraint) refreshEndVelocities(s *solver) {
	for _, e := range [2]*constraintEnd{&r.endA, &r.endB} {
		if e.articulation != nil {
			k := e.velocity(s)
			s.states[e.bodyIndex].v, s.states[e.bodyIndex].w = k.v, k.w
		}
	}
}

// applyToLinks applies an impulse j and moments about the COMs, against end A and to end B.
func (r *jointConstraint) applyToLinks(s *solver, j, momentA, momentB r3.Vec) {
	r.endA.applyImpulse(s, j.Neg(), momentA.Neg())
	r.endB.applyImpulse(s, j, momentB)
	r.refreshEndVelocities(s)
}

// linkResponse is what an impulse j and moments do to the velocities of both ends.
func (r *jointConstraint) linkResponse(s *solver, j, momentA, momentB r3.Vec) (a, b velocityChange) {
	a, b = r.endA.impulseResponse(s, j.Neg(), momentA.Neg()), r.endB.impulseResponse(s, j, momentB)
	if l := r.endA.articulation; l != nil && l == r.endB.articulation {
		ra, rb := &l.response.links[r.endA.response], &l.response.links[r.endB.response]
		ab, ba := l.crossResponse(l.response.dofs, ra, rb), l.crossResponse(l.response.dofs, rb, ra)
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
	regularized := k
	regularized.XX += float64(1e-9 * size)
	regularized.YY += float64(1e-9 * size)
	regularized.ZZ += float64(1e-9 * size)
	part := float64(minYieldRatio * size)
	return k.Add(inverseSymmetric(&regularized).Scale(float64(part * part)))
}

// minYieldRatio is how little of what it yields in all a joint yields in a direction in which half of it is held.
const minYieldRatio = 1e-4

// linkAngularMass is how much the ends yield to a torque between them.
func (r *jointConstraint) linkAngularMass(s *solver) r3.Mat {
	var c [3]r3.Vec
	for i := range c {
		e := r3.Vec{}.With(i, 1)
		a, b := r.linkResponse(s, r3.Vec{}, e, e)
		c[i] = b.w.Sub(a.w)
	}
	return regularizeMass(r3.Columns(c[0], c[1], c[2]))
}

// linkMass is how much the ends yield to an impulse between them.
func (r *jointConstraint) linkMass(s *solver) r3.Mat {
	var c [3]r3.Vec
	for i := range c {
		e := r3.Vec{}.With(i, 1)
		a, b := r.linkResponse(s, e, r.armA.Cross(e), r.armB.Cross(e))
		c[i] = b.v.Add(b.w.Cross(r.armB)).Sub(a.v).Sub(a.w.Cross(r.armA))
	}
	return regularizeMass(r3.Columns(c[0], c[1], c[2]))
}
