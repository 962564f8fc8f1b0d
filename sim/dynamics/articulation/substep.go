package articulation

import "simdeck/sim/r3"

// BeginStep forgets the last step's contacts and loops, and saves the positions to which RestoreStart and
// Rewind go back. Actuated says that motors, joint friction, couplings or locked joints act.
func (art *Articulation) BeginStep(actuated bool) {
	art.response.links, art.loops, art.step.inContact, art.step.hasExternalJoint = art.response.links[:0],
		art.loops[:0], false, false
	art.step.integrator, art.step.untouched, art.step.conserved, art.step.actuated = semiImplicit, true,
		false, actuated
	for k := range art.links {
		art.links[k].response, art.links[k].rotationBefore = 0, art.links[k].rotation
	}
	for d := range art.dofs {
		art.dofs[d].qBefore = art.dofs[d].q
	}
}

// BeginSubstep begins a substep of h seconds: kinematics (at its middle, where only smooth forces act),
// smooth forces, rows and responses. Loads must be set (Tree.SetLoad).
func (art *Articulation) BeginSubstep(h float64, base *Base, joints Joints) {
	art.saveFastMomenta(h)
	if art.carried.time != 0 {
		art.forwardKinematics(0, base)
		art.computeBaseVelocity(base)
		art.restoreFromMomenta(base)
		art.step.kinematicsValid = true
	}
	if art.step.conserved = art.needsConservation(h); art.step.conserved {
		art.beginConservation(base)
	}
	art.step.integrator = chooseIntegrator(!art.step.inContact && !art.step.actuated, art.isFast(h, 1))
	if art.step.integrator == subcycleCandidate && !art.isFreeOfLimits(h, base, joints) {
		art.step.integrator = carryMomenta
	}
	if art.step.integrator == subcycleCandidate {
		art.step.integrator = subcycled
		if len(art.loops) > 0 {
			art.subcycleLoops(h, float64(art.angularSpeedBound()*h), base, joints)
			return
		}
		art.subcycle(h, float64(art.angularSpeedBound()*h), base, joints)
		return
	}
	smooth := art.step.integrator.smooth()
	if smooth {
		art.forwardKinematics(float64(0.5*h), base)
	} else if !art.step.kinematicsValid {
		art.forwardKinematics(0, base)
	}
	art.step.kinematicsValid = false
	art.computeBaseVelocity(base)
	joints.SetEfforts()
	art.computeInertia(h)
	art.integrateSmoothForces(h)
	// springs have released
	if smooth && len(art.loops) == 0 && art.isFast(h, suddenFactor) && art.isFreeOfLimits(h, base, joints) {
		art.undoSmoothForces()
		art.subcycle(h, float64(art.angularSpeedBound()*h), base, joints)
		return
	}
	if art.step.conserved {
		art.saveFreeMotion(h)
	}
	art.buildRows(h, base, joints)
	art.Rows.computeCoupling(&art.inertiaFactor)
	art.Rows.regularize(art.loops)
	art.Rows.warmStartRows(art.dofs)
	art.computeLinkResponses()
}

// buildRows builds the rows for a substep.
func (art *Articulation) buildRows(h float64, base *Base, joints Joints) {
	art.Rows.list = art.Rows.list[:0]
	joints.AddRows()
	if !art.step.conserved {
		return
	}
	art.conservation.onlyLoopImpulses = !art.step.inContact && !art.step.actuated && len(art.Rows.list) == 0
	art.conservation.drivenLoop, art.conservation.startedClosed = false, true
	if len(art.loops) > 0 {
		art.buildAllLoopRows(h, base, joints)
	}
	art.conservation.onlyLoopImpulses = art.conservation.onlyLoopImpulses && !art.hasExternalLoads()
}

// Advance integrates the joint positions. Under smooth forces alone it uses the mean of the velocities before
// and after, which is of second order. Otherwise it uses the velocity after, which limits and contacts have
// constrained. False: it was integrated in subcycles already.
func (art *Articulation) Advance(h float64) bool {
	art.step.untouched = false
	if art.step.integrator == subcycled {
		return false
	}
	old := 0.0
	if art.step.integrator.smooth() && art.Rows.hasOnlyLoopRows() {
		old = 0.5
	}
	if art.floating && (art.step.integrator.fast() || art.step.conserved && art.step.inContact) {
		art.carried.predictCenterOfMass(&art.Tree, h)
	}
	art.integrateJoints(h, old)
	return true
}

// RefreshExternallyJointed computes the links' poses after Advance, where external joints need them.
func (art *Articulation) RefreshExternallyJointed(h float64, base *Base) {
	fast := !art.step.integrator.smooth() && (art.step.integrator.fast() || art.isFast(h, suddenFactor))
	if fast {
		art.carried.save(&art.Tree, h)
	}
	art.forwardKinematics(0, base)
	if fast {
		art.computeBaseVelocity(base)
		art.restoreFromMomenta(base)
	}
}

// Conserved reports that loops are to be closed and the energy is to be clamped at the end of this substep,
// by EndSubstep.
func (art *Articulation) Conserved() bool {
	return art.step.conserved && art.step.integrator != subcycled
}

// integrateJoints integrates positions for a time h by old·vBefore + (1-old)·v.
func (tree *Tree) integrateJoints(h, old float64) {
	mean := func(d *dof) float64 { return float64(old*d.vBefore) + float64((1-old)*d.v) }
	for d := range tree.dofs {
		f := &tree.dofs[d]
		f.q += float64(h * mean(f))
	}
	for k := range tree.links {
		c := &tree.links[k]
		first := c.firstDof
		switch {
		case c.free:
			first += 3
		case c.joint.Type != Ball:
			continue
		}
		d := tree.dofs[first : first+3]
		c.rotation = c.rotation.Turn(r3.Vec{X: mean(&d[0]), Y: mean(&d[1]), Z: mean(&d[2])}.Scale(h))
		if !c.free && d[0].stiffness > 0 {
			c.updateSpringAngles(d)
		}
	}
}

// saveFastMomenta saves the momenta of an articulation that was fast in the last substep.
func (art *Articulation) saveFastMomenta(h float64) {
	if art.step.untouched || art.step.integrator == direct || art.step.integrator.smooth() ||
		art.step.hasExternalJoint || art.step.conserved {
		return
	}
	if art.step.integrator.fast() || art.isFast(h, suddenFactor) {
		art.carried.save(&art.Tree, h)
	}
}

// isFreeOfLimits reports that no limit is near. It builds the rows anew.
func (art *Articulation) isFreeOfLimits(h float64, base *Base, joints Joints) bool {
	art.buildRows(h, base, joints)
	return art.Rows.hasOnlyLoopRows()
}

// RestoreStart restores the articulation's positions at the beginning of the step, at rest.
func (art *Articulation) RestoreStart() {
	art.Invalidate()
	art.carried.comTargetSet = false
	for d := range art.dofs {
		art.dofs[d].q, art.dofs[d].v = art.dofs[d].qBefore, 0
	}
	for k := range art.links {
		art.links[k].rotation = art.links[k].rotationBefore
	}
}

// EndStep ends a step of substeps of h seconds. True: the links carry momenta, to which the loads that are
// set then act until Refresh.
func (art *Articulation) EndStep(h float64) bool {
	art.saveFastMomenta(h)
	return art.carried.time != 0
}

// Refresh computes the links' poses and twists from the coordinates, between two steps. Newton's method has
// left the poses as the coordinates give them. Other integrators shift them by the momenta that links carry.
func (art *Articulation) Refresh(base *Base) {
	if base.Kinematic || art.step.integrator != direct || !art.step.kinematicsValid {
		art.forwardKinematics(0, base)
	}
	art.step.kinematicsValid = !base.Kinematic
	art.computeBaseVelocity(base)
	if art.carried.time != 0 {
		art.restoreFromMomenta(base)
	}
	art.ComputeTwists()
}

// Rewind goes back to a fraction of the step of substeps of h seconds, in joint coordinates. Refresh must
// follow.
func (art *Articulation) Rewind(part, h float64) {
	art.Invalidate()
	if art.isFast(h, 1) {
		art.computeLinkInertias()
		art.carried.save(&art.Tree, -1)
	}
	for d := range art.dofs {
		f := &art.dofs[d]
		f.q = f.qBefore + float64(part*(f.q-f.qBefore))
	}
	for k := range art.links {
		c := &art.links[k]
		c.rotation = c.rotationBefore.Turn(c.rotation.Mul(c.rotationBefore.Conj()).Vector().Scale(part))
	}
}

// StepBack puts the articulation where it was before the step, at rest, and forgets what was found since.
func (art *Articulation) StepBack() {
	if art.step.integrator.fast() {
		art.step.integrator = semiImplicit
	}
	art.step.kinematicsValid, art.step.untouched, art.step.maxAngularSpeed = false, true, 0
	art.carried.comTargetSet, art.carried.time, art.carried.kineticEnergy = false, 0, 0
	art.baseMotion.twist, art.baseMotion.acceleration, art.Rows.list = spatial{}, spatial{}, art.Rows.list[:0]
	clear(art.velocityDelta)
	for d := range art.dofs {
		f := &art.dofs[d]
		f.q, f.v, f.vBefore, f.effort, f.bias = f.qBefore, 0, 0, 0, 0
	}
	for k := range art.links {
		k := &art.links[k]
		k.rotation, k.velocity, k.acceleration, k.externalForce, k.carriedMomentum,
			k.angularSpeedBound = k.rotationBefore, spatial{}, spatial{}, spatial{}, spatial{}, 0
	}
}
