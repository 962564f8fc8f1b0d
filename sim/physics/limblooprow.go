package physics

import "math"

// loopHair is by which part of what it yields at all a row of a loop yields besides, and so every row of a limb with
// loops: in a ring some of them only repeat what others hold, or contradict it by a hair. See closeLoops for hairs of
// positions.
const loopHair = 1e-9

// looseHair is the same as a part of what free bodies would yield.
const looseHair = 1e-13

// lineUpLoops makes the rows of the joints that close loops, after the limb's own.
func (w *World) lineUpLoops(l *limb) {
	l.wide = l.wide[:0]
	for i := range l.loops {
		c := &l.loops[i]
		w.lineUpLoop(l, c)
		first := len(l.rows)
		w.driveLoop(l, c)
		l.shut.exact = l.shut.exact && len(l.rows) == first
	}
	l.shut.smooth = l.quiet && l.shut.exact
	l.judgeLoops()
	switch {
	case l.shut.smooth:
		l.midway()
	case !l.swift:
		w.bendAhead(l)
	}
}

// lineUpLoop makes the rows that hold the ends of a loop.
func (w *World) lineUpLoop(l *limb, c *loop) {
	a, b := w.followLoop(l, c)
	c.first, c.ends, c.turns = len(l.rows), 0, 0
	holds := c.row.holds()
	for part, held := range holds[:axisPart] {
		if !held {
			continue
		}
		along, armA, armB := c.row.lever(uint8(part))
		row := limbRow{i: 0, j: -1, k: -1, wide: l.widen(), lo: math.Inf(-1), hi: math.Inf(1), joint: c.row.slot, kind: rowLoop}
		l.look(c, l.wideOf(&row), along, armA, armB)
		row.target = -(along.Dot(b.v.Sub(a.v)) + armB.Dot(b.w) - armA.Dot(a.w))
		l.shut.driven = l.shut.driven || row.target != 0
		row.calm = row.target
		l.rows = append(l.rows, row)
		if part < 3 {
			c.ends++
		} else {
			c.turns++
		}
	}
}

// widen makes room for a row that looks at many degrees of freedom.
func (l *limb) widen() int32 {
	at := len(l.wide)
	l.wide = grown(l.wide, at+len(l.dofs))
	return int32(at + 1)
}

func (l *limb) wideOf(r *limbRow) []float64 { return l.wide[r.wide-1:][:len(l.dofs)] }

// wideSpeed is the velocity that a wide row looks at.
func (l *limb) wideSpeed(r *limbRow) float64 {
	v := 0.0
	for d, c := range l.wideOf(r) {
		v += float64(c * l.dofs[d].v)
	}
	return v
}

// driveLoop makes the rows of what acts along the axis of a joint that closes a loop.
func (w *World) driveLoop(l *limb, c *loop) {
	j, h := &w.joints[c.row.slot], w.solver.h
	if !j.drives() {
		return
	}
	var axis knotRow
	axis.alongAxis(&c.row)
	row := limbRow{j: -1, k: -1, wide: l.widen(), joint: c.row.slot}
	l.look(c, l.wideOf(&row), axis.along, axis.armA, axis.armB)
	v := l.wideSpeed(&row)
	if j.damping > 0 || j.stiffness > 0 { // implicit, as solveDrive's
		damp, k := row, j.damping+float64(h*j.stiffness)
		damp.kind, damp.lo, damp.hi, damp.give = rowDamp, math.Inf(-1), math.Inf(1), w.solver.invH/k
		damp.target = float64((j.springRest-c.row.position)*j.stiffness) / k
		damp.calm = damp.target
		l.addRow(&damp, j)
	}
	if j.friction > 0 {
		stick := row
		stick.kind, stick.lo, stick.hi = rowStick, -float64(j.friction*h), float64(j.friction*h)
		l.addRow(&stick, j)
	}
	switch d := j.drive(h); {
	case d.on:
		l.addDrive(row, j, &d, c.row.position, h)
	case d.push != 0:
		push := row
		push.kind, push.lo, push.hi = rowDrive, d.push, d.push
		l.addRow(&push, j)
	}
	if j.speedLimit > 0 {
		l.addBrake(row, j, v)
	}
	if j.limited {
		l.addStops(row, j, c.row.position, v, h)
	}
}

// loosen gives the rows of a limb with loops their hair.
func (l *limb) loosen() {
	m := len(l.rows)
	for r := range l.rows {
		l.rows[r].hair = float64(loopHair * l.block.couple[r*m+r])
	}
	for i := range l.loops {
		c := &l.loops[i]
		l.loosenRows(c.first, c.first+c.ends, c.loose[0])
		l.loosenRows(c.first+c.ends, c.first+c.ends+c.turns, c.loose[1])
	}
}

// loosenRows gives the rows from first to end the same hair.
func (l *limb) loosenRows(first, end int, loose float64) {
	m, sum := len(l.rows), 0.0
	for r := first; r < end; r++ {
		sum += l.block.couple[r*m+r]
	}
	for r := first; r < end; r++ {
		l.rows[r].hair = float64(loopHair*sum) + float64(looseHair*loose)
	}
}

// runsSmoothly reports that nothing holds the joints but those that close loops, whose forces are smooth.
func (l *limb) runsSmoothly() bool {
	for r := range l.rows {
		if l.rows[r].kind != rowLoop {
			return false
		}
	}
	return true
}

// midway lets the mean of the velocities before and after a substep keep the loops closed in its middle, where the
// links are: then what closes them does no work.
func (l *limb) midway() {
	for r := range l.rows {
		row := &l.rows[r]
		for d, c := range l.wideOf(row) {
			row.target -= float64(c * l.dofs[d].last)
		}
		row.target += row.calm // by which the base moves
		row.calm = row.target
	}
}

// bendAhead lets the loops be closed by the velocities after a substep where the links are then.
func (w *World) bendAhead(l *limb) {
	first := len(l.wide)
	com, rot := w.basePose(l)
	w.poseLimb(l, w.solver.h, com, rot)
	for i := range l.loops {
		c := &l.loops[i]
		position := c.row.position
		w.followLoop(l, c)
		r := c.first
		l.wide = grown(l.wide, first+len(l.dofs))
		x := l.wide[first:]
		holds := c.row.holds()
		for part, held := range holds[:axisPart] {
			if held {
				along, armA, armB := c.row.lever(uint8(part))
				l.look(c, x, along, armA, armB)
				row := &l.rows[r]
				more := -l.wideSpeed(row)
				for d, k := range x {
					more += float64(k * l.dofs[d].v)
				}
				row.target -= more
				row.calm = row.target
				r++
			}
		}
		c.row.position = position
	}
	l.wide = l.wide[:first]
	w.poseLimb(l, 0, com, rot)
	for i := range l.loops {
		w.followLoop(l, &l.loops[i])
	}
}
