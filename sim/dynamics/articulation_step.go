package dynamics

import (
	"math"

	"simdeck/sim/r3"
)

// prepareArticulations gets the limbs that move ready for a step.
func (w *World) prepareArticulations() {
	s := &w.solver
	s.activeArticulations = s.activeArticulations[:0]
	scale := w.warmStartRatio()
	for i := range w.articulations {
		l := &w.articulations[i]
		if !l.live {
			continue
		}
		if !w.isAwake(l.links[0].body) {
			l.clearVelocities()
			continue
		}
		s.activeArticulations = append(s.activeArticulations, int32(i))
		l.linkResponses, l.loops, l.inContact, l.hasExternalJoint = l.linkResponses[:0], l.loops[:0], false, false
		l.untouched, l.fast, l.subcycled, l.conserved, l.actuated = true, false, false, false, w.isActuated(l)
		for k := range l.links {
			l.links[k].response, l.links[k].rotationBefore = 0, l.links[k].rotation
			if j := l.links[k].joint; j >= 0 {
				w.joints[j].scaleImpulses(scale)
			}
		}
		for d := range l.dofs {
			l.dofs[d].qBefore = l.dofs[d].q
		}
	}
}

// onlyArticulations reports that nothing but limbs and bodies in free flight moves: half the substeps do, since
// limbs go by a rule of second order and hold together without any.
func (w *World) onlyArticulations() bool {
	limbs := false
	for i := range w.articulations {
		limbs = limbs || w.articulations[i].live
	}
	if !limbs {
		return false
	}
	for i := range w.joints {
		if w.jointIDs.inUse(int32(i)) && w.joints[i].articulation == 0 {
			return false
		}
	}
	for _, r := range w.pairs.sorted { // those that sleep too: what they remember is per substep
		if c := &w.contacts.all[r.contact]; c.count > 0 && !c.sensor {
			return false
		}
	}
	return true
}

// clearVelocities takes all speed out of a limb that sleeps.
func (l *articulation) clearVelocities() {
	for d := range l.dofs {
		l.dofs[d].v = 0
	}
}

// scaleImpulses fits remembered impulses to this step's substeps.
func (j *joint) scaleImpulses(k float64) {
	if k == 1 {
		return
	}
	for _, m := range [...]*float64{&j.impulseDrive, &j.impulseFriction, &j.impulseFriction2, &j.impulseFriction3, &j.impulseLower, &j.impulseUpper, &j.impulseCoupling, &j.impulseVelocityLimit} {
		*m = float64(*m * k)
	}
}

// beginArticulationSubstep begins a substep: where the links are (in its middle, where only smooth forces act), how
// they answer, and what moves them of itself.
func (w *World) beginArticulationSubstep() {
	s := &w.solver
	for _, i := range s.activeArticulations {
		l := &w.articulations[i]
		w.saveFastMomenta(l)
		com, rot := w.basePose(l)
		if l.carriedTime != 0 {
			w.forwardKinematics(l, 0, com, rot)
			w.computeBaseVelocity(l, com)
			w.restoreFromMomenta(l, com, rot)
			l.kinematicsValid = true
		}
		l.smooth = !l.inContact && !l.actuated
		if l.conserved = l.needsConservation(s.h); l.conserved {
			w.beginConservation(l, com, rot)
		}
		l.fast = l.isFast(s.h, 1)
		if l.subcycled = l.smooth && l.fast && w.isFreeOfLimits(l); l.subcycled {
			l.fast = false
			if len(l.loops) > 0 {
				w.subcycleLoops(l, float64(l.angularSpeedBound()*s.h))
				continue
			}
			w.subcycle(l, float64(l.angularSpeedBound()*s.h))
			continue
		}
		l.smooth = l.smooth && !l.fast
		if l.smooth {
			w.forwardKinematics(l, float64(0.5*s.h), com, rot)
		} else if !l.kinematicsValid {
			w.forwardKinematics(l, 0, com, rot)
		}
		l.kinematicsValid = false
		w.computeBaseVelocity(l, com)
		w.applyMotorEfforts(l)
		w.computeInertia(l, s.h)
		w.integrateSmoothForces(l, s.h)
		if l.smooth && len(l.loops) == 0 && l.isFast(s.h, suddenFactor) && w.isFreeOfLimits(l) { // springs let go
			l.undoSmoothForces()
			w.subcycle(l, float64(l.angularSpeedBound()*s.h))
			continue
		}
		if l.conserved {
			l.saveFreeMotion(s.h)
		}
		w.buildRows(l)
		l.computeCoupling()
		l.warmStartRows()
		l.computeLinkResponses()
	}
	s.clearFastWarmStart()
	s.warmStartArticulationContacts()
}

// applyMotorEfforts sets the efforts of motors that push.
func (w *World) applyMotorEfforts(l *articulation) {
	for i := range l.links {
		k := &l.links[i]
		if k.joint < 0 || k.dofCount == 0 {
			continue
		}
		push := 0.0
		if j := &w.joints[k.joint]; j.motor.mode == motorEffort {
			push = float64(j.drive(w.solver.h).effort * w.solver.invH)
		}
		l.dofs[k.firstDof].effort = push
	}
}

// solveArticulationRows is one pass over the motors, stops, gears and frictions of the limbs.
func (w *World) solveArticulationRows(push bool) {
	for _, i := range w.solver.activeArticulations {
		w.articulations[i].solveRowQP(!push)
	}
}

// publishLinkVelocities writes the velocities of links that something touches where the solver's other parts read
// them.
func (w *World) publishLinkVelocities() {
	s := &w.solver
	for _, i := range s.activeArticulations {
		l := &w.articulations[i]
		if !l.inContact {
			continue
		}
		l.computeVelocities()
		for k := range l.links {
			m := &s.states[s.index[l.links[k].body]]
			m.v, m.w = l.links[k].velocity.linearAt(l.links[k].arm), l.links[k].velocity.ang
		}
	}
}

// advanceArticulations moves the joints through a substep: by the mean of the velocities before and after
// where only smooth forces act, which is of second order; else by the velocity after, which is what
// stops and contacts have seen to.
func (w *World) advanceArticulations() {
	h := w.solver.h
	for _, i := range w.solver.activeArticulations {
		l := &w.articulations[i]
		l.untouched = false
		if l.subcycled {
			continue
		}
		old := 0.0
		if l.smooth && l.hasOnlyLoopRows() {
			old = 0.5
		}
		if l.floating && (l.fast || l.conserved && l.inContact) {
			l.predictCenterOfMass(h)
		}
		w.integrateJoints(l, h, old)
		if l.hasExternalJoint {
			w.publishExternallyJointed(l)
		}
	}
}

// integrateJoints moves the joints by their velocities, of which a part is to be that before the last change.
func (w *World) integrateJoints(l *articulation, h, old float64) {
	mean := func(d *dof) float64 { return float64(old*d.vBefore) + float64((1-old)*d.v) }
	for d := range l.dofs {
		f := &l.dofs[d]
		f.q += float64(h * mean(f))
	}
	for k := range l.links {
		c := &l.links[k]
		first := c.firstDof
		switch {
		case c.joint < 0:
			first += 3
		case w.joints[c.joint].kind != Ball:
			continue
		}
		d := l.dofs[first : first+3]
		c.rotation = c.rotation.Turn(r3.Vec{X: mean(&d[0]), Y: mean(&d[1]), Z: mean(&d[2])}.Scale(h))
		if c.joint >= 0 && d[0].stiffness > 0 {
			c.updateSpringAngles(d)
		}
	}
}

// saveFastMomenta lets the links of a tree that turned far in the substep before take their momenta along.
func (w *World) saveFastMomenta(l *articulation) {
	if l.untouched || l.smooth || l.subcycled || l.hasExternalJoint || l.conserved {
		return
	}
	if l.fast || l.isFast(w.solver.h, suddenFactor) {
		l.saveMomenta(w.solver.h)
	}
}

// isFreeOfLimits reports that no stop is near.
func (w *World) isFreeOfLimits(l *articulation) bool {
	w.buildRows(l)
	return l.hasOnlyLoopRows()
}

// finishArticulations writes the result of a step to the bodies and joints. It returns the slot of a body whose
// limb left the finite numbers, and was put to rest where it was, or -1.
func (w *World) finishArticulations() int32 {
	lost := int32(-1)
	for _, i := range w.solver.activeArticulations {
		l := &w.articulations[i]
		if !l.finite() {
			lost, l.comTargetSet = l.links[0].body, false
			for d := range l.dofs {
				l.dofs[d].q, l.dofs[d].v = l.dofs[d].qBefore, 0
			}
			for k := range l.links {
				l.links[k].rotation = l.links[k].rotationBefore
			}
		}
		w.saveFastMomenta(l)
		for k := range l.links {
			b, m := &w.bodies[l.links[k].body], &w.motion[l.links[k].body]
			b.velocityBefore.Linear, b.velocityBefore.Angular = m.v, m.w
			b.force, b.torque = r3.Vec{}, r3.Vec{}
		}
		w.publishFastLinks(l)
		w.storeJointState(l)
		w.storeLoopState(l)
	}
	return lost
}

func (l *articulation) finite() bool {
	for d := range l.dofs {
		if f := &l.dofs[d]; !(math.Abs(f.v) < 1e6) || !(math.Abs(f.q) < 1e12) {
			return false
		}
	}
	return true
}

// publishArticulation puts the links where the joints say; a floating base only when told.
func (w *World) publishArticulation(l *articulation, base bool) {
	com, rot := w.basePoseAtStepEnd(l)
	w.forwardKinematics(l, 0, com, rot)
	l.kinematicsValid = l.base < 0 || w.bodies[l.base].kind == Static
	w.computeBaseVelocity(l, com)
	if l.carriedTime != 0 {
		w.restoreFromMomenta(l, com, rot)
	}
	l.computeVelocities()
	for i := range l.links {
		k := &l.links[i]
		if k.joint < 0 && !base {
			continue
		}
		m, in := &w.motion[k.body], &w.massProps[k.body]
		shift, was := k.com.Sub(m.com), m.rot
		m.com, m.origin = k.com, k.com
		m.rot, _ = k.rot.Unit()
		if in.com != (r3.Vec{}) {
			m.origin = m.com.Sub(m.rot.Rotate(in.com))
		}
		m.v, m.w = k.velocity.linearAt(k.arm), k.velocity.ang
		w.accumulateMotion(k.body, shift.Len(), rotationBetween(was, m.rot).Len(), m.v.Len())
		w.invalidateArticulation(k.body, false)
	}
}

// creepSpeed is the speed, in rad/s or m/s, below which a joint that a motor pulls at has arrived where it
// can: a motor that is a spring never quite holds what it bears.
const creepSpeed = 1e-4

// storeJointState copies what encoders and torque sensors say to the joints.
func (w *World) storeJointState(l *articulation) {
	for i := range l.links {
		k := &l.links[i]
		if k.joint < 0 || k.dofCount == 0 {
			continue
		}
		j := &w.joints[k.joint]
		if !j.hasAxis() {
			continue
		}
		j.position = l.dofs[k.firstDof].q
		j.nearlyStill = math.Abs(l.dofs[k.firstDof].v) < creepSpeed
		j.effort = float64(j.impulseDrive * w.solver.invH)
		if j.motor.mode == motorOff {
			j.effort = 0
		} else if j.motor.mode == motorEffort {
			j.effort = l.dofs[k.firstDof].effort
		}
	}
}
