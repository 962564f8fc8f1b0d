package dynamics

import "math"

// loopRegularization is ε of rows of an articulation with loops, relative to their diagonal: some loop
// constraints are redundant, or inconsistent by rounding. shiftRegularization is that of positions.
const loopRegularization = 1e-9

// freeRegularization is ε relative to the inverse effective mass of the free bodies.
const freeRegularization = 1e-13

// buildAllLoopRows builds the rows of loop joints, after all others.
func (l *articulation) buildAllLoopRows(w *World) {
	l.qp.denseCoefficients = l.qp.denseCoefficients[:0]
	for i := range l.loops {
		c := &l.loops[i]
		c.buildRows(w, l)
		first := len(l.qp.rows)
		c.buildDriveRows(w, l)
		l.conservation.onlyLoopImpulses = l.conservation.onlyLoopImpulses && len(l.qp.rows) == first
	}
	l.conservation.smoothClosure = l.step.integrator.smooth() && l.conservation.onlyLoopImpulses
	l.checkLoopsClosed()
	switch {
	case l.conservation.smoothClosure:
		l.aimLoopsAtMidpoint()
	case !l.step.integrator.fast():
		l.aimLoopsAtEnd(w)
	}
}

// buildRows builds the constraint rows of a loop.
func (c *loopJoint) buildRows(w *World, l *articulation) {
	a, b := c.updateGeometry(w, l)
	c.firstRow, c.linearRows, c.angularRows = len(l.qp.rows), 0, 0
	holds := c.row.constrainedDirections()
	for part, held := range holds[:axisDirection] {
		if !held {
			continue
		}
		along, armA, armB := c.row.constraintJacobian(uint8(part))
		row := articulationRow{i: 0, j: -1, k: -1, dense: l.newDenseRow(), lower: math.Inf(-1), upper: math.Inf(1), joint: c.row.slot, kind: rowLoop}
		c.jacobianRow(l, row.denseCoefficients(l), along, armA, armB)
		row.target = -(along.Dot(b.v.Sub(a.v)) + armB.Dot(b.w) - armA.Dot(a.w))
		l.conservation.drivenLoop = l.conservation.drivenLoop || row.target != 0
		row.relaxedTarget = row.target
		l.qp.rows = append(l.qp.rows, row)
		if part < 3 {
			c.linearRows++
		} else {
			c.angularRows++
		}
	}
}

// newDenseRow allocates the Jacobian of a row on many degrees of freedom.
func (l *articulation) newDenseRow() int32 {
	at := len(l.qp.denseCoefficients)
	l.qp.denseCoefficients = resizedScratch(l.qp.denseCoefficients, at+len(l.dofs))
	return int32(at + 1)
}

// denseCoefficients is the Jacobian of a dense row, by degree of freedom.
func (r *articulationRow) denseCoefficients(l *articulation) []float64 {
	return l.qp.denseCoefficients[r.dense-1:][:len(l.dofs)]
}

// denseSpeed is J·q̇ of a dense row, rad/s or m/s.
func (r *articulationRow) denseSpeed(l *articulation) float64 {
	v := 0.0
	for d, c := range r.denseCoefficients(l) {
		v += float64(c * l.dofs[d].v)
	}
	return v
}

// buildDriveRows builds the rows along the axis of a loop joint.
func (c *loopJoint) buildDriveRows(w *World, l *articulation) {
	j, h := &w.joints[c.row.slot], w.solver.h
	if !j.hasAxis() {
		return
	}
	var axis directRow
	axis.setAxis(&c.row)
	row := articulationRow{j: -1, k: -1, dense: l.newDenseRow(), joint: c.row.slot}
	c.jacobianRow(l, row.denseCoefficients(l), axis.along, axis.armA, axis.armB)
	v := row.denseSpeed(l)
	if j.damping > 0 || j.stiffness > 0 { // implicit
		damp, k := row, j.damping+float64(h*j.stiffness)
		damp.kind, damp.lower, damp.upper, damp.compliance = rowDamping, math.Inf(-1), math.Inf(1), w.solver.invH/k
		damp.target = float64((j.springRest-c.row.position)*j.stiffness) / k
		damp.relaxedTarget = damp.target
		l.qp.addRow(&damp, j)
	}
	if j.friction > 0 {
		stick := row
		stick.kind, stick.lower, stick.upper = rowFriction, -float64(j.friction*h), float64(j.friction*h)
		l.qp.addRow(&stick, j)
	}
	switch d := j.drive(h); {
	case d.on:
		l.qp.addMotorRow(row, j, &d, c.row.position, h)
	case d.effort != 0:
		effort := row
		effort.kind, effort.lower, effort.upper = rowDrive, d.effort, d.effort
		l.qp.addRow(&effort, j)
	}
	if j.speedLimit > 0 {
		l.qp.addVelocityLimit(row, j, v)
	}
	if j.limited {
		l.addLimits(row, j, c.row.position, v, h)
	}
}

// regularizeRows sets ε of the rows.
func (l *articulation) regularizeRows() {
	m := len(l.qp.rows)
	for r := range l.qp.rows {
		l.qp.rows[r].regularization = float64(loopRegularization * l.qp.coupling[r*m+r])
	}
	for i := range l.loops {
		c := &l.loops[i]
		l.qp.regularizeLoopRows(c.firstRow, c.firstRow+c.linearRows, c.freeCompliance[0])
		l.qp.regularizeLoopRows(c.firstRow+c.linearRows, c.firstRow+c.linearRows+c.angularRows, c.freeCompliance[1])
	}
}

// regularizeLoopRows sets one ε for rows first to end.
func (b *articulationQP) regularizeLoopRows(first, end int, freeCompliance float64) {
	m, sum := len(b.rows), 0.0
	for r := first; r < end; r++ {
		sum += b.coupling[r*m+r]
	}
	for r := first; r < end; r++ {
		b.rows[r].regularization = float64(loopRegularization*sum) + float64(freeRegularization*freeCompliance)
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
func (l *articulation) aimLoopsAtMidpoint() {
	for r := range l.qp.rows {
		row := &l.qp.rows[r]
		for d, c := range row.denseCoefficients(l) {
			row.target -= float64(c * l.dofs[d].vBefore)
		}
		row.target += row.relaxedTarget // of the base's motion
		row.relaxedTarget = row.target
	}
}

// aimLoopsAtEnd makes the velocities after the substep satisfy the loops at the poses after it.
func (l *articulation) aimLoopsAtEnd(w *World) {
	first := len(l.qp.denseCoefficients)
	com, rot := l.basePose(w)
	l.forwardKinematics(w, w.solver.h, com, rot)
	for i := range l.loops {
		c := &l.loops[i]
		position := c.row.position
		c.updateGeometry(w, l)
		r := c.firstRow
		l.qp.denseCoefficients = resizedScratch(l.qp.denseCoefficients, first+len(l.dofs))
		x := l.qp.denseCoefficients[first:]
		holds := c.row.constrainedDirections()
		for part, held := range holds[:axisDirection] {
			if held {
				along, armA, armB := c.row.constraintJacobian(uint8(part))
				c.jacobianRow(l, x, along, armA, armB)
				row := &l.qp.rows[r]
				more := -row.denseSpeed(l)
				for d, k := range x {
					more += float64(k * l.dofs[d].v)
				}
				row.target -= more
				row.relaxedTarget = row.target
				r++
			}
		}
		c.row.position = position
	}
	l.qp.denseCoefficients = l.qp.denseCoefficients[:first]
	l.forwardKinematics(w, 0, com, rot)
	for i := range l.loops {
		l.loops[i].updateGeometry(w, l)
	}
}
