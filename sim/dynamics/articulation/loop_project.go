package articulation

import (
	"math"

	"simdeck/sim/dynamics/linalg"
)

// Loop constraints hold in two ways. Rows of the QP remove velocities that would open a loop. Links move
// straight during a substep, so position errors remain; the least change of joints in the inertia metric
// closes the loops. Velocities are projected at the new poses. Position errors therefore never become
// momentum, and a loop that cannot close stays open and at rest.

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

// EndSubstep closes the loops and clamps the energy of a conserved articulation. Poses and twists of the
// links are current then, where something is in contact with them.
func (art *Articulation) EndSubstep(h float64, base *Base, joints Joints) {
	budget := art.energyBudget(h)
	fast := !art.step.integrator.smooth() && !art.step.hasExternalJoint &&
		(art.step.integrator.fast() || art.isFast(h, suddenFactor))
	if fast {
		art.carried.save(&art.Tree, h)
	}
	art.forwardKinematics(0, base)
	art.computeBaseVelocity(base)
	if fast {
		art.restoreFromMomenta(base)
	}
	if !art.conservation.onlyLoopImpulses { // the work is counted over the projection only
		art.saveLinkPositions()
		budget += art.SpringEnergy()
	}
	if len(art.loops) > 0 {
		art.computeInertia(0)
		art.gatherProjectionRows(h, joints)
		art.projection.projectPositions(&art.Tree)
		art.projection.projectVelocities(&art.Tree)
		art.forwardKinematics(0, base)
	}
	art.computeLinkInertias()
	budget -= art.SpringEnergy()
	if art.conservation.onlyLoopImpulses {
		art.restoreMomentum(h)
		budget += art.externalWork()
	} else {
		budget += art.externalWork()
		art.restoreMomentum(h) // the work of that shift is in the budget already
	}
	art.clampEnergy(budget)
	art.step.kinematicsValid = !base.Kinematic
	if art.step.inContact {
		art.ComputeTwists()
	}
}

// gatherProjectionRows collects loop constraints, and the limits and couplings that act or are violated.
func (art *Articulation) gatherProjectionRows(h float64, joints Joints) {
	s, n := &art.projection, len(art.dofs)
	s.rows, s.jacobian, s.positionError, s.velocityError, s.regularization = 0, s.jacobian[:0],
		s.positionError[:0], s.velocityError[:0], s.regularization[:0]
	for i := range art.loops {
		c := &art.loops[i]
		directions := joints.LoopDirections(i, h, false)
		for k := range directions {
			along := &directions[k]
			x := s.addRow(n, along.Error, along.Drift)
			c.jacobianRow(art, x, along.Along, along.ArmA, along.ArmB)
			for d, k := range x {
				s.velocityError[s.rows-1] += float64(k * art.dofs[d].v)
			}
		}
	}
	for r := range art.Rows.list {
		row := &art.Rows.list[r]
		if off, holds := joints.LimitError(row, h); holds {
			row.scatter(&art.Rows, s.addRow(n, off, 0))
		}
	}
	s.computeCoupling(&art.inertiaFactor, art.loops)
}

// addRow adds a row with its position and velocity error, and returns its Jacobian row.
func (s *loopProjection) addRow(n int, off, fast float64) []float64 {
	s.rows++
	s.positionError, s.velocityError, s.regularization = append(s.positionError, off),
		append(s.velocityError, fast), append(s.regularization, 0)
	s.jacobian = linalg.Grow(s.jacobian, s.rows*n)
	return s.jacobian[(s.rows-1)*n:]
}

// computeCoupling computes J·M⁻¹·Jᵀ at the present poses.
func (s *loopProjection) computeCoupling(inertia *linalg.BranchedLTDL, loops []loop) {
	n, m := inertia.Len(), s.rows
	s.responses, s.coupling, s.factor, s.impulses = linalg.Grow(s.responses, m*n),
		linalg.Grow(s.coupling, m*m), linalg.Grow(s.factor, m*m), linalg.Grow(s.impulses, m)
	copy(s.responses, s.jacobian[:m*n])
	for r := range m {
		x := s.responses[r*n : r*n+n]
		inertia.Solve(x)
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
	for i := range loops {
		c := &loops[i]
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

// solve finds the impulses that change the rows by -want, with regularisation epsilon, and returns the change
// of each of n degrees of freedom.
func (s *loopProjection) solve(n int, want []float64, epsilon float64) []float64 {
	m := s.rows
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
func (s *loopProjection) projectVelocities(tree *Tree) {
	for d, x := range s.solve(len(tree.dofs), s.velocityError, loopRegularization) {
		tree.dofs[d].v += x
	}
}

// projectPositions removes the position errors of the loops.
func (s *loopProjection) projectPositions(tree *Tree) {
	worst := 0.0
	for _, x := range s.positionError {
		worst = max(worst, math.Abs(x))
	}
	if worst == 0 {
		return
	}
	shift := s.solve(len(tree.dofs), s.positionError, shiftRegularization)
	for d := range tree.dofs {
		f := &tree.dofs[d]
		f.vBefore, f.v = f.v, shift[d]
	}
	part := 1.0
	if turn := tree.angularSpeedBound(); turn > maxShiftAngle {
		part = maxShiftAngle / turn
	}
	tree.integrateJoints(part, 0)
	for d := range tree.dofs {
		tree.dofs[d].v = tree.dofs[d].vBefore
	}
}
