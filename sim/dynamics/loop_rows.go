package dynamics

import "math"

// loopRegularization is by which part of what it yields at all a row of a loop yields besides, and so every row of a limb with
// loops: in a ring some of them only repeat what others hold, or contradict it by a hair. See projectLoops for hairs of
// positions.
const loopRegularization = 1e-9

// freeRegularization is the same as a part of what free bodies would yield.
const freeRegularization = 1e-13

// buildAllLoopRows makes the rows of the joints that close loops, after the limb's own.
func (w *World) buildAllLoopRows(l *articulation) {
	l.denseCoefficients = l.denseCoefficients[:0]
	for i := range l.loops {
		c := &l.loops[i]
		w.buildLoopRows(l, c)
		first := len(l.rows)
		w.buildLoopDriveRows(l, c)
		l.projection.onlyLoopImpulses = l.projection.onlyLoopImpulses && len(l.rows) == first
	}
	l.projection.smoothClosure = l.smooth && l.projection.onlyLoopImpulses
	l.checkLoopsClosed()
	switch {
	case l.projection.smoothClosure:
		l.aimLoopsAtMidpoint()
	case !l.fast:
		w.aimLoopsAtEnd(l)
	}
}

// buildLoopRows makes the rows that hold the ends of a loop.
func (w *World) buildLoopRows(l *articulation, c *loopJoint) {
	a, b := w.updateLoopGeometry(l, c)
	c.firstRow, c.linearRows, c.angularRows = len(l.rows), 0, 0
	holds := c.row.constrainedDirections()
	for part, held := range holds[:axisDirection] {
		if !held {
			continue
		}
		along, armA, armB := c.row.constraintJacobian(uint8(part))
		row := articulationRow{i: 0, j: -1, k: -1, dense: l.newDenseRow(), lower: math.Inf(-1), upper: math.Inf(1), joint: c.row.slot, kind: rowLoop}
		l.loopJacobianRow(c, l.denseRow(&row), along, armA, armB)
		row.target = -(along.Dot(b.v.Sub(a.v)) + armB.Dot(b.w) - armA.Dot(a.w))
		l.projection.drivenLoop = l.projection.drivenLoop || row.target != 0
		row.relaxedTarget = row.target
		l.rows = append(l.rows, row)
		if part < 3 {
			c.linearRows++
		} else {
			c.angularRows++
		}
	}
}

// newDenseRow makes room for a row that looks at many degrees of freedom.
func (l *articulation) newDenseRow() int32 {
	at := len(l.denseCoefficients)
	l.denseCoefficients = resizedScratch(l.denseCoefficients, at+len(l.dofs))
	return int32(at + 1)
}

func (l *articulation) denseRow(r *articulationRow) []float64 {
	return l.denseCoefficients[r.dense-1:][:len(l.dofs)]
}

// denseRowSpeed is the velocity that a wide row looks at.
func (l *articulation) denseRowSpeed(r *articulationRow) float64 {
	v := 0.0
	for d, c := range l.denseRow(r) {
		v += float64(c * l.dofs[d].v)
	}
	return v
}

// buildLoopDriveRows makes the rows of what acts along the axis of a joint that closes a loop.
func (w *World) buildLoopDriveRows(l *articulation, c *loopJoint) {
	j, h := &w.joints[c.row.slot], w.solver.h
	if !j.hasAxis() {
		return
	}
	var axis directRow
	axis.setAxis(&c.row)
	row := articulationRow{j: -1, k: -1, dense: l.newDenseRow(), joint: c.row.slot}
	l.loopJacobianRow(c, l.denseRow(&row), axis.along, axis.armA, axis.armB)
	v := l.denseRowSpeed(&row)
	if j.damping > 0 || j.stiffness > 0 { // implicit, as solveAxis's
		damp, k := row, j.damping+float64(h*j.stiffness)
		damp.kind, damp.lower, damp.upper, damp.compliance = rowDamping, math.Inf(-1), math.Inf(1), w.solver.invH/k
		damp.target = float64((j.springRest-c.row.position)*j.stiffness) / k
		damp.relaxedTarget = damp.target
		l.addRow(&damp, j)
	}
	if j.friction > 0 {
		stick := row
		stick.kind, stick.lower, stick.upper = rowFriction, -float64(j.friction*h), float64(j.friction*h)
		l.addRow(&stick, j)
	}
	switch d := j.drive(h); {
	case d.on:
		l.addMotorRow(row, j, &d, c.row.position, h)
	case d.effort != 0:
		push := row
		push.kind, push.lower, push.upper = rowDrive, d.effort, d.effort
		l.addRow(&push, j)
	}
	if j.speedLimit > 0 {
		l.addVelocityLimit(row, j, v)
	}
	if j.limited {
		l.addLimits(row, j, c.row.position, v, h)
	}
}

// regularizeRows gives the rows of a limb with loops their hair.
func (l *articulation) regularizeRows() {
	m := len(l.rows)
	for r := range l.rows {
		l.rows[r].regularization = float64(loopRegularization * l.qp.coupling[r*m+r])
	}
	for i := range l.loops {
		c := &l.loops[i]
		l.regularizeLoopRows(c.firstRow, c.firstRow+c.linearRows, c.freeCompliance[0])
		l.regularizeLoopRows(c.firstRow+c.linearRows, c.firstRow+c.linearRows+c.angularRows, c.freeCompliance[1])
	}
}

// regularizeLoopRows gives the rows from first to end the same hair.
func (l *articulation) regularizeLoopRows(first, end int, loose float64) {
	m, sum := len(l.rows), 0.0
	for r := first; r < end; r++ {
		sum += l.qp.coupling[r*m+r]
	}
	for r := first; r < end; r++ {
		l.rows[r].regularization = float64(loopRegularization*sum) + float64(freeRegularization*loose)
	}
}

// hasOnlyLoopRows reports that nothing holds the joints but those that close loops, whose forces are smooth.
func (l *articulation) hasOnlyLoopRows() bool {
	for r := range l.rows {
		if l.rows[r].kind != rowLoop {
			return false
		}
	}
	return true
}

// aimLoopsAtMidpoint lets the mean of the velocities before and after a substep keep the loops closed in its middle, where the
// links are: then what closes them does no work.
func (l *articulation) aimLoopsAtMidpoint() {
	for r := range l.rows {
		row := &l.rows[r]
		for d, c := range l.denseRow(row) {
			row.target -= float64(c * l.dofs[d].vBefore)
		}
		row.target += row.relaxedTarget // by which the base moves
		row.relaxedTarget = row.target
	}
}

// aimLoopsAtEnd lets the loops be closed by the velocities after a substep where the links are then.
func (w *World) aimLoopsAtEnd(l *articulation) {
	first := len(l.denseCoefficients)
	com, rot := w.basePose(l)
	w.forwardKinematics(l, w.solver.h, com, rot)
	for i := range l.loops {
		c := &l.loops[i]
		position := c.row.position
		w.updateLoopGeometry(l, c)
		r := c.firstRow
		l.denseCoefficients = resizedScratch(l.denseCoefficients, first+len(l.dofs))
		x := l.denseCoefficients[first:]
		holds := c.row.constrainedDirections()
		for part, held := range holds[:axisDirection] {
			if held {
				along, armA, armB := c.row.constraintJacobian(uint8(part))
				l.loopJacobianRow(c, x, along, armA, armB)
				row := &l.rows[r]
				more := -l.denseRowSpeed(row)
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
	l.denseCoefficients = l.denseCoefficients[:first]
	w.forwardKinematics(l, 0, com, rot)
	for i := range l.loops {
		w.updateLoopGeometry(l, &l.loops[i])
	}
}
