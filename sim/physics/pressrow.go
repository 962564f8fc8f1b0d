package physics

import (
	"math"

	"simdeck/sim/r3"
)

// pressLane is a manifold of a press.
type pressLane struct {
	batch, lane int32
	row, rowEnd int32   // of pressRows: its points, then friction along both tangents and about the normal
	yield       float64 // of its softness: forget beside mass
}

// pressRow is a direction in which the bodies of a lane push each other: its normal at a point, a tangent, or turning
// about the normal.
type pressRow struct {
	row          int32 // in solver.rows; below 0: friction
	a, b         int32 // in solver.moving
	along        r3.Vec
	armA, armB   r3.Vec // what turning of A and B counts
	turnA, turnB r3.Vec // how they turn at an impulse
	massA, massB float64
	give, bias   float64 // m/s by which the row gives way to 1 N·s; velocity that works off overlaps
	j            float64 // impulse
}

const (
	// pressSlides is how many rows of friction a lane has.
	pressSlides = 3
	// pressHair is by which part of what the load yields each row yields besides to a change of its impulse, so that rows
	// that repeat others share the load: in a pass they come so near to what they should be.
	pressHair = 0.01
	// pressSpread is among how many points of a press a load is taken to be shared.
	pressSpread = 4
	// pressFrictions is how often friction is found anew for the load.
	pressFrictions = 3
	// pressMostImpulse is above every impulse, N·s.
	pressMostImpulse = 1e200
)

// layPress lays out the press that a body names.
func (w *World) layPress(root int32) {
	s := &w.solver
	p := press{lane: int32(len(s.pressLanes)), row: int32(len(s.pressRows))}
	for i := range s.pressTasks {
		t := &s.pressTasks[i]
		if s.pressRoot(t.of) != root {
			continue
		}
		b, lane := &s.batches[t.batch], t.lane
		p.load = max(p.load, s.laden[b.a[lane]], s.laden[b.b[lane]])
		l := pressLane{batch: t.batch, lane: lane, row: int32(len(s.pressRows))}
		if b.give[lane] > 0 {
			l.yield = b.forget.at(int(lane)) / b.hard.at(int(lane))
		}
		for k := b.first; k < b.first+b.n; k++ {
			if s.rows[k].mass[lane] > 0 {
				s.pressRows = append(s.pressRows, pressRow{row: k, a: b.a[lane], b: b.b[lane]})
			}
		}
		for range pressSlides {
			s.pressRows = append(s.pressRows, pressRow{row: -1, a: b.a[lane], b: b.b[lane]})
		}
		l.rowEnd = int32(len(s.pressRows))
		s.pressLanes = append(s.pressLanes, l)
	}
	p.laneEnd, p.rowEnd = int32(len(s.pressLanes)), int32(len(s.pressRows))
	if p.laneEnd-p.lane < 2 {
		s.pressLanes, s.pressRows = s.pressLanes[:p.lane], s.pressRows[:p.row]
		return
	}
	s.presses = append(s.presses, p)
}

// hushPresses leaves what presses solve to them: in the passes over all contacts their lanes keep their impulses.
func (s *solver) hushPresses() {
	for i := range s.pressLanes {
		l := &s.pressLanes[i]
		b, lane := &s.batches[l.batch], l.lane
		b.forget[lane], b.spinMass[lane], b.k11[lane], b.k12[lane], b.k22[lane] = 0, 0, 0, 0, 0
		for k := b.first; k < b.first+b.n; k++ {
			s.rows[k].mass[lane] = 0
		}
	}
}

// freePresses gives the points of presses their masses back, for what bounces.
func (s *solver) freePresses() {
	for i := range s.pressLanes {
		l := &s.pressLanes[i]
		for k := l.row; k < l.rowEnd-pressSlides; k++ {
			q := &s.pressRows[k]
			s.rows[q.row].mass[l.lane] = float32(1 / q.coupled(q))
		}
	}
}

// coupled is what an impulse along one row does to the velocity of another.
func (q *pressRow) coupled(p *pressRow) float64 {
	sum, along := 0.0, q.along.Dot(p.along)
	if q.a == p.a {
		sum += float64(q.massA*along) + q.turnA.Dot(p.armA)
	}
	if q.b == p.b {
		sum += float64(q.massB*along) + q.turnB.Dot(p.armB)
	}
	if q.a == p.b {
		sum -= float64(q.massA*along) + q.turnA.Dot(p.armB)
	}
	if q.b == p.a {
		sum -= float64(q.massB*along) + q.turnB.Dot(p.armA)
	}
	return sum
}

// aimPress brings the rows of a press up to date.
func (s *solver) aimPress(p *press, pass *pass) {
	for i := p.lane; i < p.laneEnd; i++ {
		l := &s.pressLanes[i]
		b, lane := &s.batches[l.batch], int(l.lane)
		for k := l.row; k < l.rowEnd-pressSlides; k++ {
			q := &s.pressRows[k]
			s.aimPoint(q, b, lane)
			s.drawApart(p, l, q, pass)
		}
		slide := s.pressRows[l.rowEnd-pressSlides : l.rowEnd]
		armA, armB, n := b.armA.at(lane), b.armB.at(lane), b.normal.at(lane)
		for k, t := range [...]r3.Vec{b.t1.at(lane), b.t2.at(lane)} {
			slide[k].along, slide[k].armA, slide[k].armB = t, armA.Cross(t), armB.Cross(t)
		}
		slide[2].along, slide[2].armA, slide[2].armB = r3.Vec{}, n, n
		slide[0].j, slide[1].j, slide[2].j = b.j1[lane], b.j2[lane], b.spin[lane]
		for k := range slide {
			s.weighPressRow(&slide[k])
		}
	}
}

// aimPoint brings the row of a point up to date, and its lane with how the bodies turn now, by which a substep begins.
func (s *solver) aimPoint(q *pressRow, b *batch, lane int) {
	r := &s.rows[q.row]
	q.along, q.armA, q.armB, q.j = b.normal.at(lane), r.ra.at(lane), r.rb.at(lane), r.j[lane]
	s.weighPressRow(q)
	r.turnA.set(lane, q.turnA)
	r.turnB.set(lane, q.turnB)
}

// drawApart is how fast a point may close, or is pushed apart, and how much it gives way: as what presses it would on the
// ground.
func (s *solver) drawApart(p *press, l *pressLane, q *pressRow, pass *pass) {
	b, lane := &s.batches[l.batch], int(l.lane)
	x, y := &s.moving[q.a], &s.moving[q.b]
	gap := s.rows[q.row].gap.at(lane) + q.along.Dot(y.dp.Sub(x.dp)) + q.armB.Dot(y.da) - q.armA.Dot(x.da)
	q.bias, q.give = 0, 0
	switch {
	case gap > 0:
		q.bias = float64(gap * s.invH)
	case pass.push:
		q.bias = max(float64(b.give.at(lane)*gap), pass.deepest[0])
		if b.give[lane] > 0 {
			q.give = float64(l.yield * min(q.coupled(q), pressSpread/p.load))
		}
	}
}

// weighPressRow is how the bodies answer to an impulse along a row.
func (s *solver) weighPressRow(q *pressRow) {
	wa, wb := &s.weight[q.a], &s.weight[q.b]
	q.massA, q.massB = wa.invMass, wb.invMass
	q.turnA, q.turnB = wa.spun(q.armA), wb.spun(q.armB)
}

// solvePresses solves all presses.
func (s *solver) solvePresses(pass *pass) {
	for i := range s.presses {
		s.solvePress(&s.presses[i], pass)
	}
}

// solvePress solves the points and the friction of a press; friction goes by the load that there is with it.
func (s *solver) solvePress(p *press, pass *pass) {
	s.aimPress(p, pass)
	s.couplePress(p)
	for round := range pressFrictions {
		if !s.boundPress(p, round == 0) {
			break
		}
		s.boxed.solve()
	}
	rows := s.pressRows[p.row:p.rowEnd]
	for i := range rows {
		rows[i].strike(s, s.boxed.x[i])
	}
	s.keepPress(p)
}

// couplePress lays out what the rows of a press do to each other.
func (s *solver) couplePress(p *press) {
	rows, b := s.pressRows[p.row:p.rowEnd], &s.boxed
	b.reset(len(rows))
	for i := range rows {
		q := &rows[i]
		for k := range rows[:i+1] {
			c := q.coupled(&rows[k])
			b.a[i*b.n+k], b.a[k*b.n+i] = c, c
		}
		b.x[i], b.low[i], b.high[i] = q.j, 0, pressMostImpulse
	}
	for i := range rows {
		q := &rows[i]
		hair := 0.0
		if q.give == 0 {
			hair = float64(pressHair * min(b.a[i*b.n+i], pressSpread/p.load))
		}
		u, v := &s.moving[q.a], &s.moving[q.b]
		speed := q.along.Dot(v.v.Sub(u.v)) + q.armB.Dot(v.w) - q.armA.Dot(u.w)
		b.q[i] = speed + q.bias - dot(b.a[i*b.n:i*b.n+b.n], b.x) - float64(hair*q.j)
		b.a[i*b.n+i] += q.give + hair
	}
}

// boundPress bounds friction by the load as it is now; false: that changes nothing. What begins without a load, in a hit,
// is taken to stick at first: without friction a light body between heavy ones that are not quite parallel would be
// flung out by them like a wet pip.
func (s *solver) boundPress(p *press, first bool) (changed bool) {
	x := s.boxed.x
	for i := p.lane; i < p.laneEnd; i++ {
		l := &s.pressLanes[i]
		t, lane := &s.batches[l.batch], int(l.lane)
		load, reach := 0.0, 0.0
		for k := l.row; k < l.rowEnd-pressSlides; k++ {
			j := max(0, x[k-p.row])
			load += j
			reach += float64(j * s.rows[s.pressRows[k].row].lever.at(lane))
		}
		if load == 0 && first {
			load, reach = pressMostImpulse, pressMostImpulse
		}
		spin := float64(float64(0.5*(t.mu1.at(lane)+t.mu2.at(lane)))*reach) + float64(t.torsion.at(lane)*load)
		l1, l2 := float64(t.mu1.at(lane)*load), float64(t.mu2.at(lane)*load)
		at := int(l.rowEnd - pressSlides - p.row)
		if !first { // from the corner of the two to where the cone is in that direction
			if j1, j2 := withinCone(x[at], x[at+1], l1, l2); j1 != x[at] || j2 != x[at+1] {
				l1, l2 = math.Abs(j1), math.Abs(j2)
			}
		}
		for k, limit := range [...]float64{l1, l2, spin} {
			changed = s.boxed.bound(at+k, limit) || first || changed
		}
	}
	return changed
}

// strike changes the impulse of a row.
func (q *pressRow) strike(s *solver, j float64) {
	d := j - q.j
	q.j = j
	a, b := &s.moving[q.a], &s.moving[q.b]
	a.v, a.w = a.v.AddScaled(float64(-q.massA*d), q.along), a.w.AddScaled(-d, q.turnA)
	b.v, b.w = b.v.AddScaled(float64(q.massB*d), q.along), b.w.AddScaled(d, q.turnB)
}

// keepPress gives the lanes of a press their impulses.
func (s *solver) keepPress(p *press) {
	for i := p.lane; i < p.laneEnd; i++ {
		l := &s.pressLanes[i]
		for k := l.row; k < l.rowEnd-pressSlides; k++ {
			s.rows[s.pressRows[k].row].j[l.lane] = s.pressRows[k].j
		}
		slide := s.pressRows[l.rowEnd-pressSlides : l.rowEnd]
		b := &s.batches[l.batch]
		b.j1[l.lane], b.j2[l.lane], b.spin[l.lane] = slide[0].j, slide[1].j, slide[2].j
	}
}
