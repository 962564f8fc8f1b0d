package dynamics

import "math"

// loopRegularization is by which part of what it yields at all a row of a loop yields besides, and so every row of a limb with
// loops: in a ring some of them only repeat what others hold, or contradict it by a hair. See projectLoops for hairs of
// positions.
const loopRegularization = 1e-9

// freeRegularization is the same as a part of what free bodies would yield.
const freeRegularization = 1e-13

// buildAllLoopRows makes the rows of the joints that close loops, after the limb's own.
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

// buildRows makes the rows that hold the ends of a loop.
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

// newDenseRow makes room for a row that looks at many degrees of freedom.
func (l *articulation) newDenseRow() int32 {
	at := len(l.qp.denseCoefficients)
	l.qp.denseCoefficients = resizedScratch(l.qp.denseCoefficients, at+len(l.dofs))
	return int32(at + 1)
}

func (r *articulationRow) denseCoefficients(l *articulation) []float64 {
	return l.qp.denseCoefficients[r.dense-1:][:len(l.dofs)]
}

// denseSpeed is the velocity that a wide row looks at.
func (r *articulationRow) denseSpeed(l *articulation) float64 {
	v := 0.0
	for d, c := range r.denseCoefficients(l) {
		v += float64(c * l.dofs[d].v)
	}
	return v
}

// buildDriveRows makes the rows of what acts along the axis of a joint that closes a loop.
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
	if j.damping > 0 || j.stiffness > 0 { // implicit, as solveAxis's
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

// regularizeRows gives the rows of a limb with loops their hair.
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

// regularizeLoopRows gives the rows from first to end the same hair.
func (b *articulationQP) regularizeLoopRows(first, end int, freeCompliance float64) {
	m, sum := len(b.rows), 0.0
	for r := first; r < end; r++ {
		sum += b.coupling[r*m+r]
	}
	for r := first; r < end; r++ {
		b.rows[r].regularization = float64(loopRegularization*sum) + float64(freeRegularization*freeCompliance)
	}
}

// hasOnlyLoopRows reports that nothing holds the joints but those that close loops, whose forces are smooth.
func (b *articulationQP) hasOnlyLoopRows() bool {
	for r := range b.rows {
		if b.rows[r].kind != rowLoop {
			return false
		}
	}
	return true
}

// aimLoopsAtMidpoint lets the mean of the velocities before and after a substep keep the loops closed in its middle, where the
// links are: then what closes them does no work.
func (l *articulation) aimLoopsAtMidpoint() {
	for r := range l.qp.rows {
		row := &l.qp.rows[r]
		for d, c := range row.denseCoefficients(l) {
			row.target -= float64(c * l.dofs[d].vBefore)
		}
		row.target += row.relaxedTarget // by which the base moves
		row.relaxedTarget = row.target
	}
}

// aimLoopsAtEnd lets the loops be closed by the velocities after a substep where the links are then.
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
