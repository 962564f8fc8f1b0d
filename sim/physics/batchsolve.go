package physics

import (
	"math"

	"simdeck/sim/r3"
)

// pass is what a pass over the batches must know. Assembly knows it by the fields' names.
type pass struct {
	invH               lanes // 1/s
	deepest            lanes // m/s, the negative of the speed at which overlaps are pushed apart at most
	one, half, sign    lanes // 1, 0.5, and the bit of the sign alone
	give, hard, forget lean  // softness of a pass that does not push
	push               bool  // overlaps are pushed apart
}

// makePass fills in the constants of a pass.
func (s *solver) makePass(p *pass, push bool, limit float64) {
	*p = pass{push: push}
	for i := range width {
		p.invH[i], p.deepest[i] = s.invH, -limit
		p.hard[i], p.one[i], p.half[i], p.sign[i] = 1, 1, 0.5, math.Copysign(0, -1)
	}
}

// warmLane applies the impulses of the substep before. Assembly does the same to all lanes at once, bit for
// bit: who changes one changes the other.
func (s *solver) warmLane(b *batch, i int) {
	x, y := &s.moving[b.a[i]], &s.moving[b.b[i]]
	wa, wb := x.w, y.w
	total := 0.0
	for k := b.first; k < b.first+b.n; k++ {
		r := &s.rows[k]
		j := r.j[i]
		total += j
		wa = wa.Sub(r.turnA.at(i).Scale(j))
		wb = wb.AddScaled(j, r.turnB.at(i))
	}
	j1, j2, spin := b.j1[i], b.j2[i], b.spin[i]
	impulse := b.t1.at(i).Scale(j1).AddScaled(j2, b.t2.at(i)).AddScaled(total, b.normal.at(i))
	wa = wa.Sub(b.turnA1.at(i).Scale(j1).AddScaled(j2, b.turnA2.at(i)).AddScaled(spin, b.spinA.at(i)))
	wb = wb.Add(b.turnB1.at(i).Scale(j1).AddScaled(j2, b.turnB2.at(i)).AddScaled(spin, b.spinB.at(i)))
	s.write(b, i, x.v.Sub(impulse.Scale(b.massA[i])), wa, y.v.AddScaled(b.massB[i], impulse), wb)
}

// steadyTurn is the most, in radians per substep, that a wheel turns on the spot for its friction to turn along.
const steadyTurn = 0.05

// turnFrictions lets the friction of bodies on joints go round with them: a robot that turns is held to its
// way by forces across its wheels, which turn as it does. If they lagged, wheels would creep.
func (s *solver) turnFrictions() {
	for i := range s.batches {
		b := &s.batches[i]
		for lane := 0; b.follows>>lane != 0; lane++ {
			if b.follows&(1<<lane) != 0 {
				s.turnFriction(b, lane)
			}
		}
	}
}

func (s *solver) turnFriction(b *batch, lane int) {
	body := b.a[lane]
	if b.pushed&(1<<lane) == 0 {
		body = b.b[lane]
	}
	turn := float64(s.h * b.normal.at(lane).Dot(s.moving[body].w))
	if turn == 0 || math.Abs(turn) > steadyTurn {
		return
	}
	t := float64(0.5 * turn) // near enough the tangent of half the angle
	k := 1 / (1 + float64(t*t))
	cos, sin := float64((1-float64(t*t))*k), float64(2*t*k)
	j1, j2 := b.j1[lane], b.j2[lane]
	b.j1[lane], b.j2[lane] = float64(cos*j1)-float64(sin*j2), float64(sin*j1)+float64(cos*j2)
}

// write gives the bodies of a lane their velocities, unless they cannot be pushed.
func (s *solver) write(b *batch, i int, va, wa, vb, wb r3.Vec) {
	if b.pushed&(1<<i) != 0 {
		m := &s.moving[b.a[i]]
		m.v, m.w = va, wa
	}
	if b.pushed&(1<<(width+i)) != 0 {
		m := &s.moving[b.b[i]]
		m.v, m.w = vb, wb
	}
}

// above and below are max and min as assembly has them.
func above(x, y float64) float64 {
	if x > y {
		return x
	}
	return y
}

func below(x, y float64) float64 {
	if x < y {
		return x
	}
	return y
}

// solveLane solves the points of one patch one after the other, then its friction. Assembly does the same
// to all lanes at once, bit for bit.
func (s *solver) solveLane(b *batch, i int, p *pass) {
	x, y := &s.moving[b.a[i]], &s.moving[b.b[i]]
	n := b.normal.at(i)
	wa, wb := x.w, y.w
	v, shift := n.Dot(y.v.Sub(x.v)), n.Dot(y.dp.Sub(x.dp))
	give, hard, forget := p.give.at(i), p.hard.at(i), p.forget.at(i)
	if p.push {
		give, hard, forget = b.give.at(i), b.hard.at(i), b.forget.at(i)
	}
	mass := b.massA[i] + b.massB[i]
	total, load, reach := 0.0, 0.0, 0.0
	for k := b.first; k < b.first+b.n; k++ {
		r := &s.rows[k]
		ra, rb := r.ra.at(i), r.rb.at(i)
		// The gap now, by the same linear picture that the velocities go by: exact for wheels and
		// balls, whose points of contact do not turn with them.
		gap := r.gap.at(i) + shift + rb.Dot(y.da) - ra.Dot(x.da)
		bias, ms, is := above(float64(give*gap), p.deepest[i]), hard, forget
		if gap > 0 {
			bias, ms, is = float64(gap*p.invH[i]), 1, 0
		}
		speed := v + rb.Dot(wb) - ra.Dot(wa)
		old := r.j[i]
		j := above(old-float64(float64(r.mass.at(i)*ms)*(speed+bias))-float64(is*old), 0)
		d := j - old
		r.j[i] = j
		total += d
		load += j
		reach += float64(j * r.lever.at(i))
		v += float64(d * mass)
		wa, wb = wa.Sub(r.turnA.at(i).Scale(d)), wb.AddScaled(d, r.turnB.at(i))
	}
	va := x.v.Sub(n.Scale(float64(total * b.massA[i])))
	vb := y.v.AddScaled(float64(total*b.massB[i]), n)
	s.solveFriction(b, i, load, reach, va, wa, vb, wb)
}

// solveFriction solves a patch's resistance to spinning, then both tangents together within the cone of
// the load.
func (s *solver) solveFriction(b *batch, i int, load, reach float64, va, wa, vb, wb r3.Vec) {
	limit := float64(float64(0.5*(b.mu1.at(i)+b.mu2.at(i)))*reach) + float64(b.torsion.at(i)*load)
	v := b.normal.at(i).Dot(wb.Sub(wa))
	j := above(below(b.spin[i]-float64(b.spinMass.at(i)*v), limit), -limit)
	d := j - b.spin[i]
	b.spin[i] = j
	wa, wb = wa.Sub(b.spinA.at(i).Scale(d)), wb.AddScaled(d, b.spinB.at(i))

	dv := vb.Sub(va).Add(wb.Cross(b.armB.at(i))).Sub(wa.Cross(b.armA.at(i)))
	t1, t2 := b.t1.at(i), b.t2.at(i)
	v1, v2 := t1.Dot(dv), t2.Dot(dv)
	j1 := b.j1[i] - (float64(b.k11.at(i)*v1) + float64(b.k12.at(i)*v2))
	j2 := b.j2[i] - (float64(b.k12.at(i)*v1) + float64(b.k22.at(i)*v2))
	j1, j2 = withinCone(j1, j2, float64(b.mu1.at(i)*load), float64(b.mu2.at(i)*load))
	d1, d2 := j1-b.j1[i], j2-b.j2[i]
	b.j1[i], b.j2[i] = j1, j2
	impulse := t1.Scale(d1).AddScaled(d2, t2)
	va, vb = va.Sub(impulse.Scale(b.massA[i])), vb.AddScaled(b.massB[i], impulse)
	wa = wa.Sub(b.turnA1.at(i).Scale(d1).AddScaled(d2, b.turnA2.at(i)))
	wb = wb.Add(b.turnB1.at(i).Scale(d1).AddScaled(d2, b.turnB2.at(i)))
	s.write(b, i, va, wa, vb, wb)
}

// withinCone shortens a friction impulse to the ellipse with the half axes l1 and l2.
func withinCone(j1, j2, l1, l2 float64) (float64, float64) {
	area := float64(l1 * l2)
	if !(area > 0) {
		return above(below(j1, l1), -l1), above(below(j2, l2), -l2)
	}
	x, y := float64(j1*l2), float64(j2*l1)
	if q := float64(x*x) + float64(y*y); q > float64(area*area) {
		k := area / math.Sqrt(q)
		return float64(j1 * k), float64(j2 * k)
	}
	return j1, j2
}

// solveRolling resists all turning of one body on the other, up to a torque.
func (s *solver) solveRolling(r *rolling) {
	p := &s.batches[r.batch]
	load := 0.0
	for k := p.first; k < p.first+p.n; k++ {
		load += s.rows[k].j[r.lane]
	}
	a, b := p.a[r.lane], p.b[r.lane]
	j := limitTo(r.j.Sub(r.mass.Apply(s.moving[b].w.Sub(s.moving[a].w))), float64(r.lever*load))
	d := j.Sub(r.j)
	r.j = j
	s.twist(p, r.lane, d)
}

// twist applies an angular impulse to the bodies of a lane.
func (s *solver) twist(p *batch, lane int32, j r3.Vec) {
	if p.pushed&(1<<lane) != 0 {
		m := &s.moving[p.a[lane]]
		m.w = m.w.Sub(s.weight[p.a[lane]].spun(j))
	}
	if p.pushed&(1<<(width+lane)) != 0 {
		m := &s.moving[p.b[lane]]
		m.w = m.w.Add(s.weight[p.b[lane]].spun(j))
	}
}

// bounceSpeed is the speed of approach, m/s, below which nothing bounces.
const bounceSpeed = 0.5

// bounce gives back what restitution asks of the speed at which points met.
func (s *solver) bounce() {
	for i := range s.bounces {
		e := &s.bounces[i]
		if e.pushed == 0 {
			continue
		}
		p, r, lane := &s.batches[e.batch], &s.rows[e.row], int(e.lane)
		x, y := &s.moving[p.a[lane]], &s.moving[p.b[lane]]
		n := p.normal.at(lane)
		v := n.Dot(y.v.Sub(x.v)) + r.rb.at(lane).Dot(y.w) - r.ra.at(lane).Dot(x.w)
		j := max(0, r.j[lane]-float64(r.mass.at(lane)*(v+float64(e.restitution*e.approach))))
		d := j - r.j[lane]
		r.j[lane] = j
		va, vb := x.v.AddScaled(float64(-d*p.massA[lane]), n), y.v.AddScaled(float64(d*p.massB[lane]), n)
		wa, wb := x.w.AddScaled(-d, r.turnA.at(lane)), y.w.AddScaled(d, r.turnB.at(lane))
		s.write(p, lane, va, wa, vb, wb)
	}
}
