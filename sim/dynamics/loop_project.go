package dynamics

import (
	"math"

	"simdeck/sim/dynamics/linalg"
)

// Loop constraints hold in two ways. Rows of the QP remove velocities that would open a loop. Links move
// straight during a substep, so position errors remain; at its end joints are shifted by the least change in
// the metric of inertia that closes the loops. Velocities are projected at the new poses. Position errors
// therefore never become momentum, and a loop that cannot close stays open and at rest.

// loopProjection is the scratch for projecting loops.
type loopProjection struct {
	jacobian       []float64 // by row and degree of freedom
	responses      []float64 // likewise: M⁻¹·Jᵀ
	coupling       []float64 // by row and row: J·M⁻¹·Jᵀ
	factor         []float64
	positionError  []float64 // by row, m or rad
	velocityError  []float64 // by row, m/s or rad/s
	regularization []float64
	pivotShift     []float64 // of the factorization in hand
	impulses       []float64
	shift          []float64 // by degree of freedom
	rows           int
}

const (
	// shiftRegularization is loopRegularization for position projection. Directions in which a loop is held
	// by less than about this part of its inertia stay open, since closing them would take large shifts.
	shiftRegularization = 1e-5
	// maxShiftAngle bounds the rotation of links by a projection, rad.
	maxShiftAngle = 0.1
)

// endConservedSubsteps closes loops and clamps energies at the end of a substep.
func (w *World) endConservedSubsteps() {
	for _, i := range w.solver.activeArticulations {
		if art := &w.articulations[i]; art.step.conserved && art.step.integrator != subcycled {
			art.endConservedSubstep(w, w.solver.h)
		}
	}
}

// endConservedSubstep closes the loops and clamps the energy.
func (art *articulation) endConservedSubstep(w *World, h float64) {
	com, rot := art.basePose(w)
	budget := art.energyBudget(w, h)
	fast := !art.step.integrator.smooth() && !art.step.hasExternalJoint &&
		(art.step.integrator.fast() || art.isFast(h, suddenFactor))
	if fast {
		art.saveMomenta(h)
	}
	art.forwardKinematics(w, 0, com, rot)
	art.computeBaseVelocity(w, com)
	if fast {
		art.restoreFromMomenta(w, com, rot)
	}
	if !art.conservation.onlyLoopImpulses { // the work is counted over the projection only
		art.saveLinkPositions()
		budget += art.springEnergy()
	}
	if len(art.loops) > 0 {
		art.projectLoops(w, h)
		art.forwardKinematics(w, 0, com, rot)
	}
	art.computeLinkInertias(w)
	budget -= art.springEnergy()
	if art.conservation.onlyLoopImpulses {
		art.restoreMomentum(w, h)
		budget += art.externalWork()
	} else {
		budget += art.externalWork()
		art.restoreMomentum(w, h) // the work of that shift is in the budget already
	}
	art.clampEnergy(budget)
	art.step.kinematicsValid = art.base < 0 || w.bodies.all[art.base].kind == Static
	if art.step.inContact {
		art.publishProjectedLinks(w)
	}
}

// projectLoops projects positions and then velocities onto the loops.
func (art *articulation) projectLoops(w *World, h float64) {
	art.computeInertia(w, 0)
	art.gatherProjectionRows(w, h)
	art.projectPositions(w)
	art.projectVelocities()
}

// gatherProjectionRows collects loop constraints, and the limits and couplings that act or are violated.
func (art *articulation) gatherProjectionRows(w *World, h float64) {
	s, n := &art.projection, len(art.dofs)
	s.rows, s.jacobian, s.positionError, s.velocityError, s.regularization = 0, s.jacobian[:0],
		s.positionError[:0], s.velocityError[:0], s.regularization[:0]
	most, mostTurn := float64(maxLinearRecovery*h), float64(maxAngularRecovery*h)
	for i := range art.loops {
		c := &art.loops[i]
		a, b := c.updateGeometry(w, art)
		c.row.positionErrorVector, c.row.angularError = clampLength(c.row.positionErrorVector, most),
			clampLength(c.row.angularError, mostTurn)
		holds := c.row.constrainedDirections()
		for part, held := range holds[:axisDirection] {
			if !held {
				continue
			}
			along, armA, armB := c.row.constraintJacobian(uint8(part))
			x := s.addRow(n, c.row.positionError(uint8(part)),
				along.Dot(b.v.Sub(a.v))+armB.Dot(b.w)-armA.Dot(a.w))
			c.jacobianRow(art, x, along, armA, armB)
			for d, k := range x {
				s.velocityError[s.rows-1] += float64(k * art.dofs[d].v)
			}
		}
	}
	for r := range art.qp.rows {
		row := &art.qp.rows[r]
		if off, holds := row.limitError(w, art); holds {
			row.scatter(art, s.addRow(n, max(-mostTurn, min(mostTurn, off)), 0))
		}
	}
	art.computeProjectionCoupling()
}

// addRow adds a row with its position and velocity error, and returns its Jacobian row.
func (s *loopProjection) addRow(n int, off, fast float64) []float64 {
	s.rows++
	s.positionError, s.velocityError, s.regularization = append(s.positionError, off),
		append(s.velocityError, fast), append(s.regularization, 0)
	s.jacobian = linalg.Grow(s.jacobian, s.rows*n)
	return s.jacobian[(s.rows-1)*n:]
}

// limitError is the position error of a limit or coupling; false: it neither acts nor is violated.
func (row *articulationRow) limitError(w *World, art *articulation) (off float64, holds bool) {
	j := &w.joints.all[row.joint]
	q := 0.0
	switch {
	case row.kind != rowLower && row.kind != rowUpper && row.kind != rowCoupling:
		return 0, false
	case j.kind == Ball:
		q = art.links[j.link].rotation.Vector().Len()
	case row.dense > 0:
		q = art.loopPosition(row.joint)
	default:
		q = art.dofs[row.i].q
	}
	switch {
	case row.kind == rowCoupling:
		return row.couplingError(w, art, j), true
	case row.kind == rowUpper:
		off = max(0, q-j.upper)
	case j.locked():
		return q - j.lower, true
	default:
		off = min(0, q-j.lower)
	}
	return off, off != 0 || row.impulse != 0
}

// loopPosition is the position of a loop joint, rad or m.
func (art *articulation) loopPosition(slot int32) float64 {
	for i := range art.loops {
		if art.loops[i].row.slot == slot {
			return art.loops[i].row.position
		}
	}
	return 0
}

// couplingError is the follower's position error, rad or m.
func (row *articulationRow) couplingError(w *World, art *articulation, j *joint) float64 {
	lead := &w.joints.all[j.coupling.leader]
	want := float64(j.coupling.ratio*art.dofs[art.links[lead.link].firstDof].q) + j.coupling.offset
	if row.j < 0 {
		want = max(j.lower, min(j.upper, want))
	}
	return art.dofs[row.i].q - want
}

// computeProjectionCoupling computes J·M⁻¹·Jᵀ at the present poses.
func (art *articulation) computeProjectionCoupling() {
	s, n := &art.projection, len(art.dofs)
	m := s.rows
	s.responses, s.coupling, s.factor, s.impulses = linalg.Grow(s.responses, m*n),
		linalg.Grow(s.coupling, m*m), linalg.Grow(s.factor, m*m), linalg.Grow(s.impulses, m)
	copy(s.responses, s.jacobian[:m*n])
	for r := range m {
		x := s.responses[r*n : r*n+n]
		art.inertiaFactor.Solve(x)
		for o := range r + 1 {
			sum := 0.0
			for d, k := range s.jacobian[o*n : o*n+n] {
				sum += float64(k * x[d])
			}
			s.coupling[r*m+o] = sum
		}
	}
	for r := range m {
		s.regularization[r] = s.coupling[r*m+r]
	}
	r := 0
	for i := range art.loops {
		c := &art.loops[i]
		s.regularizeTogether(r, r+c.linearRows, c.freeCompliance[0])
		s.regularizeTogether(r+c.linearRows, r+c.linearRows+c.angularRows, c.freeCompliance[1])
		r += c.linearRows + c.angularRows
	}
}

// regularizeTogether sets one ε for rows first to end: the sum of their diagonals.
func (s *loopProjection) regularizeTogether(first, end int, freeCompliance float64) {
	sum := float64(freeRegularization / loopRegularization * freeCompliance)
	for r := first; r < end; r++ {
		sum += s.coupling[r*s.rows+r]
	}
	for r := first; r < end; r++ {
		s.regularization[r] = sum
	}
}

// solveProjection finds the impulses that change the rows by -want, with regularisation epsilon, and returns
// the change of each degree of freedom.
func (art *articulation) solveProjection(want []float64, epsilon float64) []float64 {
	s, n, m := &art.projection, len(art.dofs), art.projection.rows
	copy(s.factor, s.coupling[:m*m])
	s.pivotShift = linalg.Grow(s.pivotShift, m)
	for i := range m {
		s.pivotShift[i] = float64(epsilon * s.regularization[i])
		s.impulses[i] = -want[i]
	}
	linalg.FactorCholesky(s.factor, m, s.pivotShift)
	linalg.SolveCholesky(s.factor, m, s.impulses)
	s.shift = linalg.Grow(s.shift, n)
	clear(s.shift)
	for i := range m {
		for d, x := range s.responses[i*n : i*n+n] {
			s.shift[d] += float64(s.impulses[i] * x)
		}
	}
	return s.shift
}

// projectVelocities removes the velocity errors of the loops.
func (art *articulation) projectVelocities() {
	for d, x := range art.solveProjection(art.projection.velocityError, loopRegularization) {
		art.dofs[d].v += x
	}
}

// projectPositions removes the position errors of the loops.
func (art *articulation) projectPositions(w *World) {
	worst := 0.0
	for _, x := range art.projection.positionError {
		worst = max(worst, math.Abs(x))
	}
	if worst == 0 {
		return
	}
	shift := art.solveProjection(art.projection.positionError, shiftRegularization)
	for d := range art.dofs {
		f := &art.dofs[d]
		f.vBefore, f.v = f.v, shift[d]
	}
	part := 1.0
	if turn := art.angularSpeedBound(); turn > maxShiftAngle {
		part = maxShiftAngle / turn
	}
	art.integrateJoints(w, part, 0)
	for d := range art.dofs {
		art.dofs[d].v = art.dofs[d].vBefore
	}
}

// publishProjectedLinks writes the links' projected poses and velocities to the solver.
func (tree *kinematicTree) publishProjectedLinks(w *World) {
	s := &w.solver
	tree.computeVelocities()
	for i := range tree.links {
		k := &tree.links[i]
		at := s.index[k.body]
		m := &s.states[at]
		m.deltaPosition, s.rotations[at] = k.com.Sub(w.bodies.motion[k.body].com), k.rot
		m.deltaRotation = k.rot.Mul(w.bodies.motion[k.body].rot.Conj()).Vector()
		m.v, m.w = k.velocity.linearAt(k.arm), k.velocity.ang
	}
}
