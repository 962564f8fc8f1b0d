package dynamics

import (
	"math"

	"simdeck/sim/r3"
)

// prepareArticulations prepares awake articulations for a step.
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
		l.response.links, l.loops, l.step.inContact, l.step.hasExternalJoint = l.response.links[:0], l.loops[:0], false, false
		l.step.integrator, l.step.untouched, l.step.conserved, l.step.actuated = semiImplicit, true, false, l.isActuated(w)
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

// onlyArticulations reports that only articulations and free bodies move. Half the substeps suffice then: the
// integrator is of second order, and links cannot separate.
func (w *World) onlyArticulations() bool {
	any := false
	for i := range w.articulations {
		any = any || w.articulations[i].live
	}
	if !any {
		return false
	}
	for i := range w.joints {
		if w.jointIDs.inUse(int32(i)) && w.joints[i].articulation == 0 {
			return false
		}
	}
	for _, r := range w.pairs.sorted { // asleep too: stored impulses are per substep
		if c := &w.contacts.all[r.contact]; c.count > 0 && !c.sensor {
			return false
		}
	}
	return true
}

// clearVelocities zeroes the velocities of a sleeping articulation.
func (l *kinematicTree) clearVelocities() {
	for d := range l.dofs {
		l.dofs[d].v = 0
	}
}

// scaleImpulses scales stored impulses to this step's substep length.
func (j *joint) scaleImpulses(k float64) {
	if k == 1 {
		return
	}
	for _, m := range [...]*float64{&j.impulseDrive, &j.impulseFriction, &j.impulseFriction2, &j.impulseFriction3, &j.impulseLower, &j.impulseUpper, &j.impulseCoupling, &j.impulseVelocityLimit} {
		*m = float64(*m * k)
	}
}

// beginArticulationSubstep begins a substep: kinematics (at its middle, where only smooth forces act),
// responses, and smooth forces.
func (w *World) beginArticulationSubstep() {
	s := &w.solver
	for _, i := range s.activeArticulations {
		l := &w.articulations[i]
		l.saveFastMomenta(w)
		com, rot := l.basePose(w)
		if l.carried.time != 0 {
			l.forwardKinematics(w, 0, com, rot)
			l.computeBaseVelocity(w, com)
			l.restoreFromMomenta(w, com, rot)
			l.step.kinematicsValid = true
		}
		if l.step.conserved = l.needsConservation(s.h); l.step.conserved {
			l.beginConservation(w, com, rot)
		}
		l.step.integrator = chooseIntegrator(!l.step.inContact && !l.step.actuated, l.isFast(s.h, 1))
		if l.step.integrator == subcycleCandidate && !l.isFreeOfLimits(w) {
			l.step.integrator = carryMomenta
		}
		if l.step.integrator == subcycleCandidate {
			l.step.integrator = subcycled
			if len(l.loops) > 0 {
				l.subcycleLoops(w, float64(l.angularSpeedBound()*s.h))
				continue
			}
			l.subcycle(w, float64(l.angularSpeedBound()*s.h))
			continue
		}
		smooth := l.step.integrator.smooth()
		if smooth {
			l.forwardKinematics(w, float64(0.5*s.h), com, rot)
		} else if !l.step.kinematicsValid {
			l.forwardKinematics(w, 0, com, rot)
		}
		l.step.kinematicsValid = false
		l.computeBaseVelocity(w, com)
		l.applyMotorEfforts(w)
		l.computeInertia(w, s.h)
		l.integrateSmoothForces(w, s.h)
		if smooth && len(l.loops) == 0 && l.isFast(s.h, suddenFactor) && l.isFreeOfLimits(w) { // springs have released
			l.undoSmoothForces()
			l.subcycle(w, float64(l.angularSpeedBound()*s.h))
			continue
		}
		if l.step.conserved {
			l.saveFreeMotion(s.h)
		}
		l.buildRows(w)
		l.computeCoupling()
		l.qp.warmStartRows(l.dofs)
		l.computeLinkResponses()
	}
	s.clearFastWarmStart()
	s.warmStartArticulationContacts()
}

// applyMotorEfforts sets the efforts of motors in effort mode.
func (l *kinematicTree) applyMotorEfforts(w *World) {
	for i := range l.links {
		k := &l.links[i]
		if k.joint < 0 || k.dofCount == 0 {
			continue
		}
		effort := 0.0
		if j := &w.joints[k.joint]; j.motor.mode == motorEffort {
			effort = float64(j.drive(w.solver.h).effort * w.solver.invH)
		}
		l.dofs[k.firstDof].effort = effort
	}
}

// solveArticulationRows is one iteration over the row QPs of all articulations.
func (w *World) solveArticulationRows(useBias bool) {
	for _, i := range w.solver.activeArticulations {
		w.articulations[i].solveRowQP(!useBias)
	}
}

// publishLinkVelocities writes the velocities of links in contact to the solver.
func (w *World) publishLinkVelocities() {
	s := &w.solver
	for _, i := range s.activeArticulations {
		l := &w.articulations[i]
		if !l.step.inContact {
			continue
		}
		l.computeVelocities()
		for k := range l.links {
			m := &s.states[s.index[l.links[k].body]]
			m.v, m.w = l.links[k].velocity.linearAt(l.links[k].arm), l.links[k].velocity.ang
		}
	}
}

// advanceArticulations integrates the joint positions. Under smooth forces alone it uses the mean of the
// velocities before and after, which is of second order. Otherwise it uses the velocity after, which limits
// and contacts have constrained.
func (w *World) advanceArticulations() {
	h := w.solver.h
	for _, i := range w.solver.activeArticulations {
		l := &w.articulations[i]
		l.step.untouched = false
		if l.step.integrator == subcycled {
			continue
		}
		old := 0.0
		if l.step.integrator.smooth() && l.qp.hasOnlyLoopRows() {
			old = 0.5
		}
		if l.floating && (l.step.integrator.fast() || l.step.conserved && l.step.inContact) {
			l.predictCenterOfMass(h)
		}
		l.integrateJoints(w, h, old)
		if l.step.hasExternalJoint {
			l.publishExternallyJointed(w)
		}
	}
}

// integrateJoints integrates positions for a time h by old·vBefore + (1-old)·v.
func (l *kinematicTree) integrateJoints(w *World, h, old float64) {
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

// saveFastMomenta saves the momenta of an articulation that was fast in the last substep.
func (l *articulation) saveFastMomenta(w *World) {
	if l.step.untouched || l.step.integrator.smooth() || l.step.hasExternalJoint || l.step.conserved {
		return
	}
	if l.step.integrator.fast() || l.isFast(w.solver.h, suddenFactor) {
		l.saveMomenta(w.solver.h)
	}
}

// isFreeOfLimits reports that no limit is near. It builds the rows anew.
func (l *articulation) isFreeOfLimits(w *World) bool {
	l.buildRows(w)
	return l.qp.hasOnlyLoopRows()
}

// finishArticulations writes the step's result to bodies and joints. An articulation with values that are not
// finite is restored to its poses at the step's start, at rest; the slot of one of its bodies is returned,
// else -1.
func (w *World) finishArticulations() int32 {
	lost := int32(-1)
	for _, i := range w.solver.activeArticulations {
		l := &w.articulations[i]
		if !l.finite() {
			lost, l.carried.comTargetSet = l.links[0].body, false
			for d := range l.dofs {
				l.dofs[d].q, l.dofs[d].v = l.dofs[d].qBefore, 0
			}
			for k := range l.links {
				l.links[k].rotation = l.links[k].rotationBefore
			}
		}
		l.saveFastMomenta(w)
		for k := range l.links {
			b, m := &w.bodies[l.links[k].body], &w.motion[l.links[k].body]
			b.velocityBefore.Linear, b.velocityBefore.Angular = m.v, m.w
			b.force, b.torque = r3.Vec{}, r3.Vec{}
		}
		l.publishFastLinks(w)
		l.storeJointState(w)
		l.storeLoopState(w)
	}
	return lost
}

// finite reports that velocities are below 1e6 and positions below 1e12.
func (l *kinematicTree) finite() bool {
	for d := range l.dofs {
		if f := &l.dofs[d]; !(math.Abs(f.v) < 1e6) || !(math.Abs(f.q) < 1e12) {
			return false
		}
	}
	return true
}

// publish writes the links' poses and twists to the bodies; a floating base only with base.
func (l *articulation) publish(w *World, base bool) {
	com, rot := l.basePoseAtStepEnd(w)
	l.forwardKinematics(w, 0, com, rot)
	l.step.kinematicsValid = l.base < 0 || w.bodies[l.base].kind == Static
	l.computeBaseVelocity(w, com)
	if l.carried.time != 0 {
		l.restoreFromMomenta(w, com, rot)
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

// creepSpeed is the joint speed, rad/s or m/s, below which a motor has arrived: a spring motor never quite
// reaches its target under load.
const creepSpeed = 1e-4

// storeJointState stores position and effort in the joints.
func (l *kinematicTree) storeJointState(w *World) {
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
