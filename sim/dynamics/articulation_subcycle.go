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
func (l *articulation) subcycle(w *World, turn float64) {
	n := l.subcycleCount(turn)
	h := w.solver.h / n
	com, rot := l.basePose(w)
	if !l.step.kinematicsValid {
		l.forwardKinematics(w, 0, com, rot)
	}
	l.computeBaseVelocity(w, com)
	l.applyMotorEfforts(w)
	l.computeLinkInertias(w)
	l.saveMomenta(w.solver.h)
	for range int(n) {
		l.saveLinkPositions()
		l.saveMomentum()
		l.forwardKinematics(w, float64(0.5*h), com, rot)
		l.computeInertia(w, h)
		l.integrateSmoothForces(w, h)
		l.carried.kineticEnergy += l.subcycleJointWork(h)
		l.integrateJoints(w, h, 0.5)
		l.forwardKinematics(w, 0, com, rot)
		l.carried.kineticEnergy += l.subcycleExternalWork(w, h)
		l.computeLinkInertias(w)
		l.saveLinkPositions()
		l.restoreMomentum(w, h)
		l.carried.kineticEnergy += l.externalWork()
		if l.root.twist == (spatial{}) {
			l.scaleToEnergy(l.carried.kineticEnergy, maxSpeedGain)
		}
	}
	l.carried.time, l.step.integrator = 0, subcycled
	l.step.kinematicsValid = l.base < 0 || w.bodies[l.base].kind == Static
}

// subcycleCount is the number of subcycles for a rotation of turn, rad.
func (l *kinematicTree) subcycleCount(turn float64) float64 {
	for d := range l.dofs {
		if l.dofs[d].stiffness > 0 { // a spring may release most of the energy
			return maxSubcycles
		}
	}
	return max(1, min(maxSubcycles, math.Ceil(turn/maxSubcycleTurn)))
}

// subcycleLoops is subcycle with loops, which are projected after each subcycle.
func (l *articulation) subcycleLoops(w *World, turn float64) {
	n := l.subcycleCount(turn)
	h := w.solver.h / n
	com, rot := l.basePose(w)
	for i := range int(n) {
		if i > 0 {
			l.beginConservation(w, com, rot)
		}
		l.forwardKinematics(w, float64(0.5*h), com, rot)
		l.applyMotorEfforts(w)
		l.computeInertia(w, h)
		l.integrateSmoothForces(w, h)
		l.saveFreeMotion(h)
		l.buildRows(w)
		l.computeCoupling()
		l.solveRowQP(false)
		old := 0.0
		if l.qp.hasOnlyLoopRows() {
			old = 0.5
		}
		l.integrateJoints(w, h, old)
		l.endConservedSubstep(w, h)
	}
	l.qp.rows = l.qp.rows[:0]
}

// undoSmoothForces undoes integrateSmoothForces.
func (l *articulation) undoSmoothForces() {
	l.step.integrator = subcycled
	for d := range l.dofs {
		l.dofs[d].v = l.dofs[d].vBefore
	}
}

// subcycleJointWork is the work of springs, dampers and efforts in a subcycle, J.
func (l *kinematicTree) subcycleJointWork(h float64) float64 {
	sum := 0.0
	for d := range l.dofs {
		f := &l.dofs[d]
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
func (l *kinematicTree) subcycleExternalWork(w *World, h float64) float64 {
	sum := 0.0
	for i := range l.links {
		k := &l.links[i]
		b := &w.bodies[k.body]
		sum += k.externalForce.lin.Dot(k.com.Sub(k.comSegmentStart)) + float64(h*b.torque.Dot(k.velocity.ang))
		if b.linDamping > 0 || b.angDamping > 0 {
			tensor := rotateTensor(&w.massProps[k.body].inertia, k.rot)
			sum -= float64(h * k.inertia.mass * min(b.linDamping, 1/h) * k.com.Sub(k.comSegmentStart).Scale(1/h).Len2())
			sum -= float64(h * min(b.angDamping, 1/h) * k.velocity.ang.Dot(tensor.Apply(k.velocity.ang)))
		}
	}
	return sum
}
