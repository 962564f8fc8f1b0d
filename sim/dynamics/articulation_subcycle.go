package dynamics

import "math"

const (
	// maxSubcycleTurn is the largest rotation of links in a subcycle, rad.
	maxSubcycleTurn = 0.05
	// maxSubcycles bounds the subcycles of a substep.
	maxSubcycles = 16
)

// subcycle integrates a fast articulation under smooth forces through a substep, in subcycles with small
// rotations. The energy of each is that at its start plus the work of weight, springs, dampers and efforts.
func (art *articulation) subcycle(w *World, turn float64) {
	n := art.subcycleCount(turn)
	h := w.solver.h / n
	com, rot := art.basePose(w)
	if !art.step.kinematicsValid {
		art.forwardKinematics(w, 0, com, rot)
	}
	art.computeBaseVelocity(w, com)
	art.applyMotorEfforts(w)
	art.computeLinkInertias(w)
	art.saveMomenta(w.solver.h)
	for range int(n) {
		art.saveLinkPositions()
		art.saveMomentum()
		art.forwardKinematics(w, float64(0.5*h), com, rot)
		art.computeInertia(w, h)
		art.integrateSmoothForces(w, h)
		art.carried.kineticEnergy += art.subcycleJointWork(h)
		art.integrateJoints(w, h, 0.5)
		art.forwardKinematics(w, 0, com, rot)
		art.carried.kineticEnergy += art.subcycleExternalWork(w, h)
		art.computeLinkInertias(w)
		art.saveLinkPositions()
		art.restoreMomentum(w, h)
		art.carried.kineticEnergy += art.externalWork()
		if art.baseMotion.twist == (spatial{}) {
			art.scaleToEnergy(art.carried.kineticEnergy, maxSpeedGain)
		}
	}
	art.carried.time, art.step.integrator = 0, subcycled
	art.step.kinematicsValid = art.base < 0 || w.bodies.all[art.base].kind == Static
}

// subcycleCount is the number of subcycles for a rotation of turn, rad.
func (tree *kinematicTree) subcycleCount(turn float64) float64 {
	for d := range tree.dofs {
		if tree.dofs[d].stiffness > 0 { // a spring may release most of the energy
			return maxSubcycles
		}
	}
	return max(1, min(maxSubcycles, math.Ceil(turn/maxSubcycleTurn)))
}

// subcycleLoops is subcycle with loops, which are projected after each subcycle.
func (art *articulation) subcycleLoops(w *World, turn float64) {
	n := art.subcycleCount(turn)
	h := w.solver.h / n
	com, rot := art.basePose(w)
	for i := range int(n) {
		if i > 0 {
			art.beginConservation(w, com, rot)
		}
		art.forwardKinematics(w, float64(0.5*h), com, rot)
		art.applyMotorEfforts(w)
		art.computeInertia(w, h)
		art.integrateSmoothForces(w, h)
		art.saveFreeMotion(h)
		art.buildRows(w)
		art.computeCoupling()
		art.solveRowQP(false)
		old := 0.0
		if art.qp.hasOnlyLoopRows() {
			old = 0.5
		}
		art.integrateJoints(w, h, old)
		art.endConservedSubstep(w, h)
	}
	art.qp.rows = art.qp.rows[:0]
}

// undoSmoothForces undoes integrateSmoothForces.
func (art *articulation) undoSmoothForces() {
	art.step.integrator = subcycled
	for d := range art.dofs {
		art.dofs[d].v = art.dofs[d].vBefore
	}
}

// subcycleJointWork is the work of springs, dampers and efforts in a subcycle, J.
func (tree *kinematicTree) subcycleJointWork(h float64) float64 {
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
func (tree *kinematicTree) subcycleExternalWork(w *World, h float64) float64 {
	sum := 0.0
	for i := range tree.links {
		k := &tree.links[i]
		b := &w.bodies.all[k.body]
		sum += k.externalForce.lin.Dot(k.com.Sub(k.comSegmentStart)) + float64(h*b.torque.Dot(k.velocity.ang))
		if b.linDamping > 0 || b.angDamping > 0 {
			tensor := rotateTensor(&w.bodies.massProps[k.body].inertia, k.rot)
			sum -= float64(h * k.inertia.mass * min(b.linDamping,
				1/h) * k.com.Sub(k.comSegmentStart).Scale(1/h).Len2())
			sum -= float64(h * min(b.angDamping, 1/h) * k.velocity.ang.Dot(tensor.Apply(k.velocity.ang)))
		}
	}
	return sum
}
