package articulation

import "math"

const (
	// maxSubcycleTurn is the largest rotation of links in a subcycle, rad; chosen.
	maxSubcycleTurn = 0.05
	// maxSubcycles bounds the subcycles of a substep, and so its time.
	maxSubcycles = 16
)

// subcycle integrates a fast articulation under smooth forces through a substep, in subcycles with small
// rotations. The energy of each is that at its start plus the work of weight, springs, dampers and efforts.
func (art *Articulation) subcycle(substep, turn float64, base *Base, joints Joints) {
	n := art.subcycleCount(turn)
	h := substep / n
	if !art.step.kinematicsValid {
		art.forwardKinematics(0, base)
	}
	art.computeBaseVelocity(base)
	joints.SetEfforts()
	art.computeLinkInertias()
	art.carried.save(&art.Tree, substep)
	for range int(n) {
		art.saveLinkPositions()
		art.saveMomentum()
		art.forwardKinematics(float64(0.5*h), base)
		art.computeInertia(h)
		art.integrateSmoothForces(h)
		art.carried.kineticEnergy += art.subcycleJointWork(h)
		art.integrateJoints(h, 0.5)
		art.forwardKinematics(0, base)
		art.carried.kineticEnergy += art.subcycleExternalWork(h)
		art.computeLinkInertias()
		art.saveLinkPositions()
		art.restoreMomentum(h)
		art.carried.kineticEnergy += art.externalWork()
		if art.baseMotion.twist == (spatial{}) {
			art.scaleToEnergy(art.carried.kineticEnergy, maxSpeedGain)
		}
	}
	art.carried.time, art.step.integrator = 0, subcycled
	art.step.kinematicsValid = !base.Kinematic
}

// subcycleCount is the number of subcycles for a rotation of turn, rad.
func (tree *Tree) subcycleCount(turn float64) float64 {
	for d := range tree.dofs {
		if tree.dofs[d].stiffness > 0 { // a spring may release most of the energy
			return maxSubcycles
		}
	}
	return max(1, min(maxSubcycles, math.Ceil(turn/maxSubcycleTurn)))
}

// subcycleLoops is subcycle with loops, which are projected after each subcycle.
func (art *Articulation) subcycleLoops(substep, turn float64, base *Base, joints Joints) {
	n := art.subcycleCount(turn)
	h := substep / n
	for i := range int(n) {
		if i > 0 {
			art.beginConservation(base)
		}
		art.forwardKinematics(float64(0.5*h), base)
		joints.SetEfforts()
		art.computeInertia(h)
		art.integrateSmoothForces(h)
		art.saveFreeMotion(h)
		art.buildRows(substep, base, joints)
		art.Rows.computeCoupling(&art.inertiaFactor)
		art.Rows.regularize(art.loops)
		art.SolveRows(false)
		old := 0.0
		if art.Rows.hasOnlyLoopRows() {
			old = 0.5
		}
		art.integrateJoints(h, old)
		art.EndSubstep(h, base, joints)
	}
	art.Rows.list = art.Rows.list[:0]
}

// undoSmoothForces undoes integrateSmoothForces.
func (art *Articulation) undoSmoothForces() {
	art.step.integrator = subcycled
	for d := range art.dofs {
		art.dofs[d].v = art.dofs[d].vBefore
	}
}

// subcycleJointWork is the work of springs, dampers and efforts in a subcycle, J.
func (tree *Tree) subcycleJointWork(h float64) float64 {
	sum := 0.0
	for d := range tree.dofs {
		f := &tree.dofs[d]
		mean := float64(0.5 * (f.vBefore + f.v))
		force := f.effort - float64(f.damping*f.v)
		if f.stiffness > 0 {
			force -= float64(f.stiffness * (f.q + float64(0.5*h*mean) - f.springRest))
		}
		sum += float64(h * mean * force)
	}
	return sum
}

// subcycleExternalWork is the work of weight, wrenches and body damping in a subcycle, J.
func (tree *Tree) subcycleExternalWork(h float64) float64 {
	sum := 0.0
	for i := range tree.links {
		k := &tree.links[i]
		b := &k.body
		sum += k.externalForce.lin.Dot(k.com.Sub(k.comSegmentStart)) +
			float64(h*k.load.torque.Dot(k.velocity.ang))
		if b.LinearDamping > 0 || b.AngularDamping > 0 {
			tensor := k.body.Inertia.TurnedSymmetric(k.rot)
			sum -= float64(h * k.inertia.mass * min(b.LinearDamping,
				1/h) * k.com.Sub(k.comSegmentStart).Scale(1/h).Len2())
			sum -= float64(h * min(b.AngularDamping, 1/h) * k.velocity.ang.Dot(tensor.Apply(k.velocity.ang)))
		}
	}
	return sum
}
