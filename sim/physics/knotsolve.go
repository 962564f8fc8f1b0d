package physics

import (
	"math"

	"simdeck/sim/r3"
)

// knotRow is a direction in which a joint of a knot leaves no freedom.
type knotRow struct {
	joint          int32 // in solver.joints
	a, b           int32 // in solver.moving
	from, at       int32 // the first row that it is coupled to, and where its number for row 0 would be
	part           uint8 // as in holds
	along          r3.Vec
	armA, armB     r3.Vec // what turning of A and B counts
	turnA, turnB   r3.Vec // how they turn at an impulse
	massA, massB   float64
	bias           float64 // velocity that works off the error of position
	inv            float64 // 1 over the diagonal of the factor; 0: the row asks nothing that those before it do not
	stop           stop
	j, speed, push float64 // impulse in the substep; scratch
}

// tighten follows the bodies of all knots, after their joints' geometry has.
func (s *solver) tighten() {
	for i := range s.knots {
		k := &s.knots[i]
		for n := k.row; n < k.rowEnd; n++ {
			s.aim(&s.knotRows[n])
		}
		s.factor(k)
	}
	for i := range s.joints {
		s.joints[i].answered = false
	}
	s.knotAnswers = s.knotAnswers[:0]
}

// aim brings a row up to date with its joint. The farther out its end is, the faster it may be drawn in.
func (s *solver) aim(q *knotRow) {
	r := &s.joints[q.joint]
	wa, wb := &s.weight[q.a], &s.weight[q.b]
	if q.part == axisPart {
		s.aimStop(q)
		q.turnA, q.turnB, q.massA, q.massB = wa.inv.Apply(q.armA), wb.inv.Apply(q.armB), wa.invMass, wb.invMass
		return
	}
	turns := q.part >= 3
	u := r.direction(q.part)
	q.along, q.armA, q.armB = r.lever(q.part)
	if turns {
		q.bias = limitTo(r.skewed.Scale(s.softJoint.bias), unskewSpeed).Dot(u)
	} else {
		q.bias = limitTo(r.apart.Scale(s.softJoint.bias), float64(reelSpeed*max(1, r.armA.Len()))).Dot(u)
	}
	q.turnA, q.turnB, q.massA, q.massB = wa.inv.Apply(q.armA), wb.inv.Apply(q.armB), wa.invMass, wb.invMass
}

// lever is what moving and turning of B, and of A, count for a part of holds.
func (r *jointRow) lever(part uint8) (along, armA, armB r3.Vec) {
	u := r.direction(part)
	if part >= 3 {
		return r3.Vec{}, u, u
	}
	armA, armB = r.armA.Cross(u), r.armB.Cross(u)
	if r.kind == Screw && part == 2 {
		armA, armB = armA.AddScaled(-r.pitch, u), armB.AddScaled(-r.pitch, u)
	}
	return u, armA, armB
}

// direction is what a part of holds is along or about.
func (r *jointRow) direction(part uint8) r3.Vec {
	world := r.kind == Fixed || r.kind == Prismatic // of turning
	if part < 3 {
		world = r.kind != Prismatic && r.kind != Screw && r.kind != Planar
	}
	if world {
		return r3.Vec{}.With(int(part%3), 1)
	}
	return [3]r3.Vec{r.p1, r.p2, r.axis}[part%3]
}

// coupled is what an impulse along one row does to the velocity of another.
func (q *knotRow) coupled(p *knotRow) float64 {
	sum := 0.0
	if q.a == p.a {
		sum += float64(q.massA*q.along.Dot(p.along)) + q.turnA.Dot(p.armA)
	}
	if q.b == p.b {
		sum += float64(q.massB*q.along.Dot(p.along)) + q.turnB.Dot(p.armB)
	}
	if q.a == p.b {
		sum -= float64(q.massA*q.along.Dot(p.along)) + q.turnA.Dot(p.armB)
	}
	if q.b == p.a {
		sum -= float64(q.massB*q.along.Dot(p.along)) + q.turnB.Dot(p.armA)
	}
	return sum
}

// factor finds what the rows of a knot do to each other, and its Cholesky factor within the rows' reach.
func (s *solver) factor(k *knot) {
	for i := k.row; i < k.rowEnd; i++ {
		q := &s.knotRows[i]
		own := s.knotNumbers[q.at+q.from : q.at+i+1]
		for n := q.from; n < i; n++ {
			p := &s.knotRows[n]
			first := max(q.from, p.from)
			sum := q.coupled(p)
			left, right := s.knotNumbers[q.at+first:q.at+n], s.knotNumbers[p.at+first:p.at+n]
			for m, x := range left {
				sum -= float64(x * right[m])
			}
			own[n-q.from] = float64(sum * p.inv)
		}
		whole := q.coupled(q)
		left := float64(whole * (1 + k.hair))
		for _, x := range own[:i-q.from] {
			left -= float64(x * x)
		}
		q.inv = 0
		if left > float64(loosePivot*whole) && !q.stop.away {
			q.inv = 1 / math.Sqrt(left)
		}
	}
}

// divideKnot finds the impulses whose answer the rows' push is, in place.
func (s *solver) divideKnot(k *knot) {
	for i := k.row; i < k.rowEnd; i++ {
		q := &s.knotRows[i]
		sum := q.push
		for n, x := range s.knotNumbers[q.at+q.from : q.at+i] {
			sum -= float64(x * s.knotRows[int(q.from)+n].push)
		}
		q.push = float64(sum * q.inv)
	}
	for i := k.rowEnd - 1; i >= k.row; i-- {
		q := &s.knotRows[i]
		q.push = float64(q.push * q.inv)
		for n, x := range s.knotNumbers[q.at+q.from : q.at+i] {
			s.knotRows[int(q.from)+n].push -= float64(x * q.push)
		}
	}
}

// strikeRow applies an impulse along a row.
func (s *solver) strikeRow(q *knotRow, j float64) {
	q.j += j
	a, b := &s.moving[q.a], &s.moving[q.b]
	a.v = a.v.AddScaled(float64(-q.massA*j), q.along)
	b.v = b.v.AddScaled(float64(q.massB*j), q.along)
	a.w = a.w.AddScaled(-j, q.turnA)
	b.w = b.w.AddScaled(j, q.turnB)
}

// knotBody is a body of a knot.
type knotBody struct {
	at   int32  // in solver.moving
	v, w r3.Vec // of its velocity, what works off errors of position
}

// solveKnots holds the joints of all knots.
func (s *solver) solveKnots(push bool) {
	for i := range s.knots {
		if k := &s.knots[i]; push {
			s.pushKnot(k)
		} else {
			s.relaxKnot(k)
		}
	}
}

// pushKnot holds the joints and draws their ends together; by which velocities it does so the bodies remember.
func (s *solver) pushKnot(k *knot) {
	s.holdKnot(k)
	bodies := s.knotBodies[k.body:k.bodyEnd]
	for n := range bodies {
		m := &s.moving[bodies[n].at]
		bodies[n].v, bodies[n].w = m.v, m.w
	}
	for n := k.row; n < k.rowEnd; n++ {
		s.knotRows[n].push = -s.knotRows[n].bias
	}
	s.divideKnot(k)
	s.strikeKnot(k)
	s.forgetPush(k)
	for n := range bodies {
		m := &s.moving[bodies[n].at]
		bodies[n].v, bodies[n].w = m.v.Sub(bodies[n].v), m.w.Sub(bodies[n].w)
	}
}

// relaxKnot takes what drew the ends together out again, as far as it would have given the bodies energy. Some of it
// is theirs: a body that circles its joint has gone off the circle, straight ahead, and what draws it back turns it.
func (s *solver) relaxKnot(k *knot) {
	bodies := s.knotBodies[k.body:k.bodyEnd]
	before := 0.0
	for n := range bodies {
		b := &bodies[n]
		m := &s.moving[b.at]
		m.v, m.w = m.v.Sub(b.v), m.w.Sub(b.w)
		before += s.energyOf(b.at)
	}
	s.holdKnot(k)
	after := 0.0
	for n := range bodies {
		b := &bodies[n]
		after += s.energyOf(b.at)
		m := &s.moving[b.at]
		b.v, m.v = m.v, b.v
		b.w, m.w = m.w, b.w
	}
	s.stillKnot(k, false) // what drew, held by the joints as they are now
	s.forgetPush(k)
	double, square := 0.0, 0.0
	for n := range bodies {
		b := &bodies[n]
		m, wt := &s.moving[b.at], &s.weight[b.at]
		turn := s.momentumOf(b.at)
		square += float64(0.5*m.v.Len2())/wt.invMass + float64(0.5*m.w.Dot(turn))
		double += m.v.Dot(b.v)/wt.invMass + turn.Dot(b.w)
	}
	part := partWithin(square, double, before-after)
	for n := range bodies {
		b := &bodies[n]
		m := &s.moving[b.at]
		m.v, m.w = b.v.AddScaled(part, m.v), b.w.AddScaled(part, m.w)
	}
}

// momentumOf is a body's angular momentum.
func (s *solver) momentumOf(at int32) r3.Vec {
	inertia := inverseSymmetric(&s.weight[at].inv)
	return inertia.Apply(s.moving[at].w)
}

// energyOf is what a body moves with, J.
func (s *solver) energyOf(at int32) float64 {
	m := &s.moving[at]
	return float64(0.5*m.v.Len2())/s.weight[at].invMass + float64(0.5*m.w.Dot(s.momentumOf(at)))
}

// holdKnot takes all velocity out that the joints leave no freedom for. Stops hold that are come to, and let go where
// they would pull, until all do as they must.
func (s *solver) holdKnot(k *knot) {
	turned := true
	for i := int32(0); turned && i <= k.stops; i++ {
		s.stillKnot(k, true)
		turned = s.turnStops(k)
	}
	if turned {
		s.stillKnot(k, true)
	}
	if k.hair == 0 {
		return
	}
	for range ringPasses {
		s.stillKnot(k, true)
	}
}

// stillKnot takes all velocity out along the rows that hold; closing leaves stops what takes them to where they are.
func (s *solver) stillKnot(k *knot, closing bool) {
	for n := k.row; n < k.rowEnd; n++ {
		q := &s.knotRows[n]
		q.push = -s.speedAlong(q)
		if closing {
			q.push -= float64(q.stop.sign * q.stop.free)
		}
	}
	s.divideKnot(k)
	s.strikeKnot(k)
}

// speedAlong is the velocity of B against A along a row.
func (s *solver) speedAlong(q *knotRow) float64 {
	a, b := &s.moving[q.a], &s.moving[q.b]
	return q.along.Dot(b.v.Sub(a.v)) + q.armB.Dot(b.w) - q.armA.Dot(a.w)
}

// strikeKnot applies the impulses along all rows.
func (s *solver) strikeKnot(k *knot) {
	for n := k.row; n < k.rowEnd; n++ {
		s.strikeRow(&s.knotRows[n], s.knotRows[n].push)
	}
}

// answerKnot finds what the joints of a knot answer to an impulse of 1 along the axis of one of them, and how heavy
// that axis is then.
func (s *solver) answerKnot(r *jointRow) {
	k := &s.knots[r.knot-1]
	rows := s.knotRows[k.row:k.rowEnd]
	axis := knotRow{a: r.a, b: r.b}
	axis.alongAxis(r)
	wa, wb := &s.weight[r.a], &s.weight[r.b]
	axis.turnA, axis.turnB, axis.massA, axis.massB = wa.inv.Apply(axis.armA), wb.inv.Apply(axis.armB), wa.invMass, wb.invMass
	for n := range rows {
		rows[n].speed = axis.coupled(&rows[n])
		rows[n].push = -rows[n].speed
	}
	s.divideKnot(k)
	whole := axis.coupled(&axis)
	left := whole
	r.answer = int32(len(s.knotAnswers))
	for n := range rows {
		left += float64(rows[n].speed * rows[n].push)
		s.knotAnswers = append(s.knotAnswers, rows[n].push)
	}
	r.answered, r.axisMass = true, 0
	if left > float64(knotLeast*whole) {
		r.axisMass = 1 / left
	}
}

// answerAlong applies what a knot answers to an impulse along the axis of one of its joints.
func (s *solver) answerAlong(r *jointRow, j float64) {
	k := &s.knots[r.knot-1]
	for n, y := range s.knotAnswers[r.answer : r.answer+k.rowEnd-k.row] {
		s.strikeRow(&s.knotRows[int(k.row)+n], float64(y*j))
	}
}

// untieKnots tells the joints what held them in the last substep.
func (s *solver) untieKnots() {
	for i := range s.knotRows {
		q := &s.knotRows[i]
		r := &s.joints[q.joint]
		if q.part == axisPart {
			r.keepStop(q)
		} else if q.part < 3 {
			r.lin = r.lin.With(int(q.part), q.j)
		} else {
			r.ang = r.ang.With(int(q.part-3), q.j)
		}
	}
}
