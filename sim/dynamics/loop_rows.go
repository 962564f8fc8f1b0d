package dynamics

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
func (art *articulation) buildAllLoopRows(w *World) {
	art.qp.denseCoefficients = art.qp.denseCoefficients[:0]
	for i := range art.loops {
		c := &art.loops[i]
		c.buildRows(w, art)
		first := len(art.qp.rows)
		c.buildDriveRows(w, art)
		art.conservation.onlyLoopImpulses = art.conservation.onlyLoopImpulses && len(art.qp.rows) == first
	}
	art.conservation.smoothClosure = art.step.integrator.smooth() && art.conservation.onlyLoopImpulses
	art.checkLoopsClosed()
	switch {
	case art.conservation.smoothClosure:
		art.aimLoopsAtMidpoint()
	case !art.step.integrator.fast():
		art.aimLoopsAtEnd(w)
	}
}

// buildRows builds the constraint rows of a loop.
func (c *loopJoint) buildRows(w *World, art *articulation) {
	a, b := c.updateGeometry(w, art)
	c.firstRow, c.linearRows, c.angularRows = len(art.qp.rows), 0, 0
	holds := c.row.constrainedDirections()
	for part, held := range holds[:axisDirection] {
		if !held {
			continue
		}
		along, armA, armB := c.row.constraintJacobian(uint8(part))
		row := articulationRow{i: 0, j: -1, k: -1, dense: art.newDenseRow(), lower: math.Inf(-1),
			upper: math.Inf(1), joint: c.row.slot, kind: rowLoop}
		c.jacobianRow(art, row.denseCoefficients(art), along, armA, armB)
		row.target = -(along.Dot(b.v.Sub(a.v)) + armB.Dot(b.w) - armA.Dot(a.w))
		art.conservation.drivenLoop = art.conservation.drivenLoop || row.target != 0
		row.relaxedTarget = row.target
		art.qp.rows = append(art.qp.rows, row)
		if part < 3 {
			c.linearRows++
		} else {
			c.angularRows++
		}
	}
}

// newDenseRow allocates the Jacobian of a row on many degrees of freedom.
func (art *articulation) newDenseRow() int32 {
	at := len(art.qp.denseCoefficients)
	art.qp.denseCoefficients = linalg.Grow(art.qp.denseCoefficients, at+len(art.dofs))
	return int32(at + 1)
}

// denseCoefficients is the Jacobian of a dense row, by degree of freedom.
func (r *articulationRow) denseCoefficients(art *articulation) []float64 {
	return art.qp.denseCoefficients[r.dense-1:][:len(art.dofs)]
}

// denseSpeed is J·q̇ of a dense row, rad/s or m/s.
func (r *articulationRow) denseSpeed(art *articulation) float64 {
	v := 0.0
	for d, c := range r.denseCoefficients(art) {
		v += float64(c * art.dofs[d].v)
	}
	return v
}

// buildDriveRows builds the rows along the axis of a loop joint.
func (c *loopJoint) buildDriveRows(w *World, art *articulation) {
	j, h := &w.joints.all[c.row.slot], w.solver.h
	if !j.hasAxis() {
		return
	}
	var axis directRow
	axis.setAxis(&c.row)
	row := articulationRow{j: -1, k: -1, dense: art.newDenseRow(), joint: c.row.slot}
	c.jacobianRow(art, row.denseCoefficients(art), axis.along, axis.armA, axis.armB)
	v := row.denseSpeed(art)
	if j.damping > 0 || j.stiffness > 0 { // implicit
		damp, k := row, j.damping+float64(h*j.stiffness)
		damp.kind, damp.lower, damp.upper, damp.compliance = rowDamping, math.Inf(-1), math.Inf(1),
			w.solver.invH/k
		damp.target = float64((j.springRest-c.row.position)*j.stiffness) / k
		damp.relaxedTarget = damp.target
		art.qp.addRow(&damp, j)
	}
	if j.friction > 0 {
		stick := row
		stick.kind, stick.lower, stick.upper = rowFriction, -float64(j.friction*h), float64(j.friction*h)
		art.qp.addRow(&stick, j)
	}
	switch d := j.drive(h); {
	case d.on:
		art.qp.addMotorRow(row, j, &d, c.row.position, h)
	case d.effort != 0:
		effort := row
		effort.kind, effort.lower, effort.upper = rowDrive, d.effort, d.effort
		art.qp.addRow(&effort, j)
	}
	if j.speedLimit > 0 {
		art.qp.addVelocityLimit(row, j, v)
	}
	if j.limited {
		art.addLimits(row, j, c.row.position, v, h)
	}
}

// regularizeRows sets ε of the rows.
func (art *articulation) regularizeRows() {
	m := len(art.qp.rows)
	for r := range art.qp.rows {
		art.qp.rows[r].regularization = float64(loopRegularization * art.qp.coupling[r*m+r])
	}
	for i := range art.loops {
		c := &art.loops[i]
		art.qp.regularizeLoopRows(c.firstRow, c.firstRow+c.linearRows, c.freeCompliance[0])
		art.qp.regularizeLoopRows(c.firstRow+c.linearRows, c.firstRow+c.linearRows+c.angularRows,
			c.freeCompliance[1])
	}
}

// regularizeLoopRows sets one ε for rows first to end.
func (b *articulationQP) regularizeLoopRows(first, end int, freeCompliance float64) {
	m, sum := len(b.rows), 0.0
	for r := first; r < end; r++ {
		sum += b.coupling[r*m+r]
	}
	for r := first; r < end; r++ {
		b.rows[r].regularization = float64(loopRegularization*sum) +
			float64(freeRegularization*freeCompliance)
	}
}

// hasOnlyLoopRows reports that only loop constraints act, which are smooth.
func (b *articulationQP) hasOnlyLoopRows() bool {
	for r := range b.rows {
		if b.rows[r].kind != rowLoop {
			return false
		}
	}
	return true
}

// aimLoopsAtMidpoint makes the mean of the velocities before and after satisfy the loops at the substep's
// middle, where the links are. The loop constraints then do no work.
func (art *articulation) aimLoopsAtMidpoint() {
	for r := range art.qp.rows {
		row := &art.qp.rows[r]
		for d, c := range row.denseCoefficients(art) {
			row.target -= float64(c * art.dofs[d].vBefore)
		}
		row.target += row.relaxedTarget // of the base's motion
		row.relaxedTarget = row.target
	}
}

// aimLoopsAtEnd makes the velocities after the substep satisfy the loops at the poses after it.
func (art *articulation) aimLoopsAtEnd(w *World) {
	first := len(art.qp.denseCoefficients)
	com, rot := art.basePose(w)
	art.forwardKinematics(w, w.solver.h, com, rot)
	for i := range art.loops {
		c := &art.loops[i]
		position := c.row.position
		c.updateGeometry(w, art)
		r := c.firstRow
		art.qp.denseCoefficients = linalg.Grow(art.qp.denseCoefficients, first+len(art.dofs))
		x := art.qp.denseCoefficients[first:]
		holds := c.row.constrainedDirections()
		for part, held := range holds[:axisDirection] {
			if held {
				along, armA, armB := c.row.constraintJacobian(uint8(part))
				c.jacobianRow(art, x, along, armA, armB)
				row := &art.qp.rows[r]
				more := -row.denseSpeed(art)
				for d, k := range x {
					more += float64(k * art.dofs[d].v)
				}
				row.target -= more
				row.relaxedTarget = row.target
				r++
			}
		}
		c.row.position = position
	}
	art.qp.denseCoefficients = art.qp.denseCoefficients[:first]
	art.forwardKinematics(w, 0, com, rot)
	for i := range art.loops {
		art.loops[i].updateGeometry(w, art)
	}
}
