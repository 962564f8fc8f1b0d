package articulation

import (
	"math"

	"simdeck/sim/dynamics/linalg"
)

// loopRegularization is ε of rows of an articulation with loops, relative to their diagonal: some loop
// constraints are redundant, or inconsistent by rounding. shiftRegularization is that of positions.
const loopRegularization = 1e-9

// freeRegularization is ε relative to the inverse effective mass of the free bodies.
const freeRegularization = 1e-13

// buildAllLoopRows builds the rows of loop joints, after all others.
func (art *Articulation) buildAllLoopRows(h float64, base *Base, joints Joints) {
	art.Rows.denseCoefficients = art.Rows.denseCoefficients[:0]
	for i := range art.loops {
		art.loops[i].buildRows(art, int32(i), joints.LoopDirections(i, h, false))
		first := len(art.Rows.list)
		joints.AddLoopRows(i)
		art.conservation.onlyLoopImpulses = art.conservation.onlyLoopImpulses && len(art.Rows.list) == first
	}
	art.conservation.smoothClosure = art.step.integrator.smooth() && art.conservation.onlyLoopImpulses
	art.checkLoopsClosed()
	switch {
	case art.conservation.smoothClosure:
		art.aimLoopsAtMidpoint()
	case !art.step.integrator.fast():
		art.aimLoopsAtEnd(h, base, joints)
	}
}

// buildRows builds the constraint rows of a loop.
func (c *loop) buildRows(art *Articulation, number int32, directions []Direction) {
	c.firstRow, c.linearRows, c.angularRows = len(art.Rows.list), 0, 0
	for i := range directions {
		d := &directions[i]
		row := Row{i: 0, j: -1, k: -1, dense: art.Rows.newDense(len(art.dofs)), Lower: math.Inf(-1),
			Upper: math.Inf(1), Joint: -1, loop: true, loopOf: number}
		c.jacobianRow(art, row.coefficients(&art.Rows, len(art.dofs)), d.Along, d.ArmA, d.ArmB)
		row.Target = -d.Drift
		art.conservation.drivenLoop = art.conservation.drivenLoop || row.Target != 0
		row.RelaxedTarget = row.Target
		art.Rows.list = append(art.Rows.list, row)
		if d.Angular {
			c.angularRows++
		} else {
			c.linearRows++
		}
	}
}

// regularize sets ε of the rows of an articulation with loops.
func (b *Rows) regularize(loops []loop) {
	if len(loops) == 0 {
		return
	}
	m := len(b.list)
	for r := range b.list {
		b.list[r].regularization = float64(loopRegularization * b.coupling[r*m+r])
	}
	for i := range loops {
		c := &loops[i]
		b.regularizeLoopRows(c.firstRow, c.firstRow+c.linearRows, c.freeCompliance[0])
		b.regularizeLoopRows(c.firstRow+c.linearRows, c.firstRow+c.linearRows+c.angularRows,
			c.freeCompliance[1])
	}
}

// regularizeLoopRows sets one ε for rows first to end.
func (b *Rows) regularizeLoopRows(first, end int, freeCompliance float64) {
	m, sum := len(b.list), 0.0
	for r := first; r < end; r++ {
		sum += b.coupling[r*m+r]
	}
	for r := first; r < end; r++ {
		b.list[r].regularization = float64(loopRegularization*sum) +
			float64(freeRegularization*freeCompliance)
	}
}

// hasOnlyLoopRows reports that only loop constraints act, which are smooth.
func (b *Rows) hasOnlyLoopRows() bool {
	for r := range b.list {
		if !b.list[r].loop {
			return false
		}
	}
	return true
}

// aimLoopsAtMidpoint makes the mean of the velocities before and after satisfy the loops at the substep's
// middle, where the links are. The loop constraints then do no work.
func (art *Articulation) aimLoopsAtMidpoint() {
	for r := range art.Rows.list {
		row := &art.Rows.list[r]
		for d, c := range row.coefficients(&art.Rows, len(art.dofs)) {
			row.Target -= float64(c * art.dofs[d].vBefore)
		}
		row.Target += row.RelaxedTarget // of the base's motion
		row.RelaxedTarget = row.Target
	}
}

// aimLoopsAtEnd makes the velocities after the substep satisfy the loops at the poses after it.
func (art *Articulation) aimLoopsAtEnd(h float64, base *Base, joints Joints) {
	first := len(art.Rows.denseCoefficients)
	art.forwardKinematics(h, base)
	for i := range art.loops {
		c := &art.loops[i]
		directions := joints.LoopDirections(i, h, true)
		art.Rows.denseCoefficients = linalg.Grow(art.Rows.denseCoefficients, first+len(art.dofs))
		x := art.Rows.denseCoefficients[first:]
		for n := range directions {
			along := &directions[n]
			c.jacobianRow(art, x, along.Along, along.ArmA, along.ArmB)
			row := &art.Rows.list[c.firstRow+n]
			more := -row.denseSpeed(&art.Rows, art.dofs)
			for d, k := range x {
				more += float64(k * art.dofs[d].v)
			}
			row.Target -= more
			row.RelaxedTarget = row.Target
		}
	}
	art.Rows.denseCoefficients = art.Rows.denseCoefficients[:first]
	art.forwardKinematics(0, base)
	for i := range art.loops {
		joints.LoopDirections(i, h, false)
	}
}
