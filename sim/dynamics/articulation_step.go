package dynamics

import (
	"math"

	"simdeck/sim/r3"
)

// prepareArticulations prepares awake articulations for a step.
func (w *World) prepareArticulations() {
	s := &w.solver
	s.activeArticulations = s.activeArticulations[:0]
	scale := w.time.warmStartRatio(w.solver.h)
	for i := range w.articulations {
		art := &w.articulations[i]
		if !art.live {
			continue
		}
		if !w.bodies.isAwake(art.links[0].body) {
			art.clearVelocities()
			continue
		}
		s.activeArticulations = append(s.activeArticulations, int32(i))
		art.response.links, art.loops, art.step.inContact, art.step.hasExternalJoint = art.response.links[:0],
			art.loops[:0], false, false
		art.step.integrator, art.step.untouched, art.step.conserved, art.step.actuated = semiImplicit, true,
			false, art.isActuated(w)
		for k := range art.links {
			art.links[k].response, art.links[k].rotationBefore = 0, art.links[k].rotation
			if j := art.links[k].joint; j >= 0 {
				w.joints.all[j].scaleImpulses(scale)
			}
		}
		for d := range art.dofs {
			art.dofs[d].qBefore = art.dofs[d].q
		}
	}
}

// onlyArticulations reports that only articulations and free bodies move. Half the substeps suffice then: the
// integrator is of second order, and links cannot separate.
func (w *World) onlyArticulations() bool {
	found := false
	for i := range w.articulations {
		found = found || w.articulations[i].live
	}
	if !found {
		return false
	}
	for i := range w.joints.all {
		if w.joints.ids.inUse(int32(i)) && w.joints.all[i].articulation == 0 {
			return false
		}
	}
	for _, r := range w.contacts.pairs.sorted { // asleep too: stored impulses are per substep
		if c := &w.contacts.all[r.contact]; c.count > 0 && !c.sensor {
			return false
		}
	}
	return true
}

// clearVelocities zeroes the velocities of a sleeping articulation.
func (tree *kinematicTree) clearVelocities() {
	for d := range tree.dofs {
		tree.dofs[d].v = 0
	}
}

// scaleImpulses scales stored impulses to this step's substep length.
func (j *joint) scaleImpulses(k float64) {
	if k == 1 {
		return
	}
	for _, m := range [...]*float64{&j.impulseDrive, &j.impulseFriction, &j.impulseFriction2,
		&j.impulseFriction3, &j.impulseLower, &j.impulseUpper, &j.impulseCoupling, &j.impulseVelocityLimit} {
		*m = float64(*m * k)
	}
}

// beginArticulationSubstep begins a substep: kinematics (at its middle, where only smooth forces act),
// responses, and smooth forces.
func (w *World) beginArticulationSubstep() {
	s := &w.solver
	for _, i := range s.activeArticulations {
		art := &w.articulations[i]
		art.saveFastMomenta(w)
		com, rot := art.basePose(w)
		if art.carried.time != 0 {
			art.forwardKinematics(w, 0, com, rot)
			art.computeBaseVelocity(w, com)
			art.restoreFromMomenta(w, com, rot)
			art.step.kinematicsValid = true
		}
		if art.step.conserved = art.needsConservation(s.h); art.step.conserved {
			art.beginConservation(w, com, rot)
		}
		art.step.integrator = chooseIntegrator(!art.step.inContact && !art.step.actuated, art.isFast(s.h, 1))
		if art.step.integrator == subcycleCandidate && !art.isFreeOfLimits(w) {
			art.step.integrator = carryMomenta
		}
		if art.step.integrator == subcycleCandidate {
			art.step.integrator = subcycled
			if len(art.loops) > 0 {
				art.subcycleLoops(w, float64(art.angularSpeedBound()*s.h))
				continue
			}
			art.subcycle(w, float64(art.angularSpeedBound()*s.h))
			continue
		}
		smooth := art.step.integrator.smooth()
		if smooth {
			art.forwardKinematics(w, float64(0.5*s.h), com, rot)
		} else if !art.step.kinematicsValid {
			art.forwardKinematics(w, 0, com, rot)
		}
		art.step.kinematicsValid = false
		art.computeBaseVelocity(w, com)
		art.applyMotorEfforts(w)
		art.computeInertia(w, s.h)
		art.integrateSmoothForces(w, s.h)
		// springs have released
		if smooth && len(art.loops) == 0 && art.isFast(s.h, suddenFactor) && art.isFreeOfLimits(w) {
			art.undoSmoothForces()
			art.subcycle(w, float64(art.angularSpeedBound()*s.h))
			continue
		}
		if art.step.conserved {
			art.saveFreeMotion(s.h)
		}
		art.buildRows(w)
		art.computeCoupling()
		art.qp.warmStartRows(art.dofs)
		art.computeLinkResponses()
	}
	s.clearFastWarmStart()
	s.warmStartArticulationContacts()
}

// applyMotorEfforts sets the efforts of motors in effort mode.
func (tree *kinematicTree) applyMotorEfforts(w *World) {
	for i := range tree.links {
		k := &tree.links[i]
		if k.joint < 0 || k.dofCount == 0 {
			continue
		}
		effort := 0.0
		if j := &w.joints.all[k.joint]; j.motor.mode == motorEffort {
			effort = float64(j.drive(w.solver.h).effort * w.solver.invH)
		}
		tree.dofs[k.firstDof].effort = effort
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
		art := &w.articulations[i]
		if !art.step.inContact {
			continue
		}
		art.computeVelocities()
		for k := range art.links {
			m := &s.states[s.index[art.links[k].body]]
			m.v, m.w = art.links[k].velocity.linearAt(art.links[k].arm), art.links[k].velocity.ang
		}
	}
}

// advanceArticulations integrates the joint positions. Under smooth forces alone it uses the mean of the
// velocities before and after, which is of second order. Otherwise it uses the velocity after, which limits
// and contacts have constrained.
func (w *World) advanceArticulations() {
	h := w.solver.h
	for _, i := range w.solver.activeArticulations {
		art := &w.articulations[i]
		art.step.untouched = false
		if art.step.integrator == subcycled {
			continue
		}
		old := 0.0
		if art.step.integrator.smooth() && art.qp.hasOnlyLoopRows() {
			old = 0.5
		}
		if art.floating && (art.step.integrator.fast() || art.step.conserved && art.step.inContact) {
			art.predictCenterOfMass(h)
		}
		art.integrateJoints(w, h, old)
		if art.step.hasExternalJoint {
			art.publishExternallyJointed(w)
		}
	}
}

// integrateJoints integrates positions for a time h by old·vBefore + (1-old)·v.
func (tree *kinematicTree) integrateJoints(w *World, h, old float64) {
	mean := func(d *dof) float64 { return float64(old*d.vBefore) + float64((1-old)*d.v) }
	for d := range tree.dofs {
		f := &tree.dofs[d]
		f.q += float64(h * mean(f))
	}
	for k := range tree.links {
		c := &tree.links[k]
		first := c.firstDof
		switch {
		case c.joint < 0:
			first += 3
		case w.joints.all[c.joint].kind != Ball:
			continue
		}
		d := tree.dofs[first : first+3]
		c.rotation = c.rotation.Turn(r3.Vec{X: mean(&d[0]), Y: mean(&d[1]), Z: mean(&d[2])}.Scale(h))
		if c.joint >= 0 && d[0].stiffness > 0 {
			c.updateSpringAngles(d)
		}
	}
}

// saveFastMomenta saves the momenta of an articulation that was fast in the last substep.
func (art *articulation) saveFastMomenta(w *World) {
	if art.step.untouched || art.step.integrator.smooth() || art.step.hasExternalJoint || art.step.conserved {
		return
	}
	if art.step.integrator.fast() || art.isFast(w.solver.h, suddenFactor) {
		art.saveMomenta(w.solver.h)
	}
}

// isFreeOfLimits reports that no limit is near. It builds the rows anew.
func (art *articulation) isFreeOfLimits(w *World) bool {
	art.buildRows(w)
	return art.qp.hasOnlyLoopRows()
}

// finishArticulations writes the step's result to bodies and joints. An articulation with values that are not
// finite is restored to its poses at the step's start, at rest; the slot of one of its bodies is returned,
// else -1.
func (w *World) finishArticulations() int32 {
	lost := int32(-1)
	for _, i := range w.solver.activeArticulations {
		art := &w.articulations[i]
		if !art.finite() {
			lost, art.carried.comTargetSet = art.links[0].body, false
			for d := range art.dofs {
				art.dofs[d].q, art.dofs[d].v = art.dofs[d].qBefore, 0
			}
			for k := range art.links {
				art.links[k].rotation = art.links[k].rotationBefore
			}
		}
		art.saveFastMomenta(w)
		for k := range art.links {
			b, m := &w.bodies.all[art.links[k].body], &w.bodies.motion[art.links[k].body]
			b.velocityBefore.Linear, b.velocityBefore.Angular = m.v, m.w
			b.force, b.torque = r3.Vec{}, r3.Vec{}
		}
		art.publishFastLinks(w)
		art.storeJointState(w)
		art.storeLoopState(w)
	}
	return lost
}

// finite reports that velocities are below 1e6 and positions below 1e12.
func (tree *kinematicTree) finite() bool {
	for d := range tree.dofs {
		if f := &tree.dofs[d]; !(math.Abs(f.v) < 1e6) || !(math.Abs(f.q) < 1e12) {
			return false
		}
	}
	return true
}

// publish writes the links' poses and twists to the bodies; a floating base only with base.
func (art *articulation) publish(w *World, base bool) {
	com, rot := art.basePoseAtStepEnd(w)
	art.forwardKinematics(w, 0, com, rot)
	art.step.kinematicsValid = art.base < 0 || w.bodies.all[art.base].kind == Static
	art.computeBaseVelocity(w, com)
	if art.carried.time != 0 {
		art.restoreFromMomenta(w, com, rot)
	}
	art.computeVelocities()
	for i := range art.links {
		k := &art.links[i]
		if k.joint < 0 && !base {
			continue
		}
		m, in := &w.bodies.motion[k.body], &w.bodies.massProps[k.body]
		shift, was := k.com.Sub(m.com), m.rot
		m.com, m.origin = k.com, k.com
		m.rot, _ = k.rot.Unit()
		if in.com != (r3.Vec{}) {
			m.origin = m.com.Sub(m.rot.Rotate(in.com))
		}
		m.v, m.w = k.velocity.linearAt(k.arm), k.velocity.ang
		w.bodies.accumulateMotion(w.time.dt, k.body, shift.Len(), rotationBetween(was, m.rot).Len(),
			m.v.Len())
		w.geoms.placeAccumulated(&w.bodies, &w.time, k.body, false)
	}
}

// creepSpeed is the joint speed, rad/s or m/s, below which a motor has arrived: a spring motor never quite
// reaches its target under load.
const creepSpeed = 1e-4

// storeJointState stores position and effort in the joints.
func (tree *kinematicTree) storeJointState(w *World) {
	for i := range tree.links {
		k := &tree.links[i]
		if k.joint < 0 || k.dofCount == 0 {
			continue
		}
		j := &w.joints.all[k.joint]
		if !j.hasAxis() {
			continue
		}
		j.position = tree.dofs[k.firstDof].q
		j.nearlyStill = math.Abs(tree.dofs[k.firstDof].v) < creepSpeed
		j.effort = float64(j.impulseDrive * w.solver.invH)
		if j.motor.mode == motorOff {
			j.effort = 0
		} else if j.motor.mode == motorEffort {
			j.effort = tree.dofs[k.firstDof].effort
		}
	}
}
