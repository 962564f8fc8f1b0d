package physics

import "simdeck/sim/r3"

// width is how many manifolds are solved side by side.
const width = 4

// lanes is one number of each of them.
type lanes [width]float64

// lanes3 is one vector of each.
type lanes3 struct{ x, y, z lanes }

func (l *lanes3) set(i int, v r3.Vec) { l.x[i], l.y[i], l.z[i] = v.X, v.Y, v.Z }

func (l *lanes3) at(i int) r3.Vec { return r3.Vec{X: l.x[i], Y: l.y[i], Z: l.z[i]} }

// lean is a number of each that is only read, over and over: what the passes cost in a large world is the
// memory that goes through the processor, and where and how an impulse acts need not be known to more than
// seven digits. Computed is with all digits.
type lean [width]float32

// lean3 is one vector of each.
type lean3 struct{ x, y, z lean }

func (l *lean) set(i int, x float64) { l[i] = float32(x) }

func (l *lean) at(i int) float64 { return float64(l[i]) }

func (l *lean3) set(i int, v r3.Vec) {
	l.x[i], l.y[i], l.z[i] = float32(v.X), float32(v.Y), float32(v.Z)
}

func (l *lean3) at(i int) r3.Vec {
	return r3.Vec{X: float64(l.x[i]), Y: float64(l.y[i]), Z: float64(l.z[i])}
}

// batch is as many manifolds as there are lanes, of different bodies, as the solver sees them: rows along
// the normals, and friction at the middle of each patch. Friction in one place, with the patch's own
// resistance to spinning, does not scrub: a wheel with a broad tread turns on the spot without losing
// way. A lane that is not in use is zero. Assembly knows the layout by the fields' names.
type batch struct {
	a, b     [width]int32 // indices of moving
	first, n int32        // rows
	pushed   uint32       // bit i: lane i's a can be pushed; bit width + i: its b
	follows  uint32       // bit i: lane i is between what does not move and a body on a joint
	slips    uint32       // bit i: the friction of lane i is that of solveSlip

	j1, j2, spin       lanes  // impulses
	massA, massB       lanes  // inverse
	armA, armB         lanes3 // of the middle; exact, because wheels and balls roll by them
	normal, t1, t2     lean3
	spinA, spinB       lean3 // inverse inertia times normal
	turnA1, turnA2     lean3 // inverse inertia times arm × t1, t2
	turnB1, turnB2     lean3
	spinMass           lean
	k11, k12, k22      lean
	mu1, mu2, torsion  lean
	give, hard, forget lean // softness: bias, mass, impulse
}

// row is one point of each patch, along the normals.
type row struct {
	j            lanes
	ra, rb       lean3 // arm × normal
	turnA, turnB lean3 // inverse inertia times that
	mass         lean
	gap          lean
	lever        lean // distance of the point from the patch's middle
}

// rolling is the resistance of a patch to rolling, where there is any.
type rolling struct {
	batch, lane int32
	lever       float64 // m
	mass        r3.Mat
	j           r3.Vec
}

// bouncing is a point whose bodies may part faster than it stops them.
type bouncing struct {
	batch, lane, row int32
	restitution      float64
	approach         float64 // speed of parting when the step began
	pushed           float64 // the sum of the impulses: 0 when the point never pushed
}

// fillBatches lays out the batches from first to end.
func (w *World) fillBatches(d *desk, first, end int32) {
	s := &w.solver
	for i := first; i < end; i++ {
		if i+lotsAhead < end {
			w.fetchLot(i + lotsAhead)
		}
		l, b := &s.lots[i], &s.batches[i]
		rows := s.rows[l.first : l.first+l.n]
		if l.task[width-1] < 0 {
			*b = batch{}
			clear(rows)
		}
		b.first, b.n, b.pushed, b.follows, b.slips = l.first, l.n, 0, 0, 0
		for lane, t := range l.task {
			if t >= 0 {
				w.fillLane(d, i, lane, &l.of[lane])
			}
		}
	}
}

// fillLane lays out one manifold.
func (w *World) fillLane(d *desk, at int32, lane int, t *task) {
	s := &w.solver
	b := &s.batches[at]
	c, h, m := &w.contacts.all[t.contact], &w.contacts.holds[t.contact], &w.manifolds[t.manifold]
	if c.lags {
		comA, rotA := w.stand(t.a, c.bodyA)
		comB, rotB := w.stand(t.b, c.bodyB)
		m.followBodies(h, comA, comB, rotA, rotB)
	}
	wa, wb := &s.weight[t.a], &s.weight[t.b]
	b.a[lane], b.b[lane] = t.a, t.b
	b.massA[lane], b.massB[lane] = wa.invMass, wb.invMass
	if wa.invMass > 0 {
		b.pushed |= 1 << lane
	}
	if wb.invMass > 0 {
		b.pushed |= 1 << (width + lane)
	}
	jointed := w.jointed(t.a, c.bodyA) || w.jointed(t.b, c.bodyB)
	so := &s.softMoving
	if wa.invMass == 0 || wb.invMass == 0 {
		so = &s.softFixed
		if jointed {
			b.follows |= 1 << lane
		}
	}
	b.give.set(lane, so.bias)
	b.hard.set(lane, so.mass)
	b.forget.set(lane, so.impulse)
	n := m.normal
	b.normal.set(lane, n)
	middle, found := m.middle()
	warm := s.warm
	if m.cold {
		warm, m.cold = 0, false
	}
	rows := s.rows[b.first : b.first+b.n]
	for k := range rows {
		rows[k].fill(lane, m, h, k, wa, wb, middle, warm)
	}
	b.weighSpin(lane, wa, wb)
	b.spin[lane] = float64(m.spin * warm)
	var special *pairing
	if w.skins[c.a].special || w.skins[c.b].special {
		p := w.pairing(c)
		special = &p
	}
	w.fillFriction(b, lane, c, m, special, middle, middle.AddScaled(found, n).Sub(h.apart), wa, wb)
	j1, j2 := m.friction.Dot(b.t1.at(lane)), m.friction.Dot(b.t2.at(lane))
	b.slide(lane, j1, j2, m.load())
	b.j1[lane], b.j2[lane] = float64(warm*j1), float64(warm*j2)
	w.fillExtras(d, at, lane, c, m, special)
	if special != nil {
		w.fillSpecial(d, at, lane, m, special)
	}
	w.noteSwing(d, at, lane, c, m)
	if t.a*t.b == 0 {
		d.noteRim(w, at, lane, c, h, m)
	}
}

// fill lays out point k of a manifold; a lane with fewer points has rows that do nothing.
func (r *row) fill(lane int, m *manifold, h *hold, k int, wa, wb *weight, middle r3.Vec, warm float64) {
	if k >= int(m.n) {
		zero := r3.Vec{}
		r.ra.set(lane, zero)
		r.rb.set(lane, zero)
		r.turnA.set(lane, zero)
		r.turnB.set(lane, zero)
		r.mass[lane], r.gap[lane], r.lever[lane], r.j[lane] = 0, 0, 0, 0
		return
	}
	p := &m.points[k]
	ra, rb := p.arm.Cross(m.normal), p.armB(h, m).Cross(m.normal)
	r.ra.set(lane, ra)
	r.rb.set(lane, rb)
	r.weigh(lane, ra, rb, wa, wb)
	r.gap.set(lane, p.gap)
	r.lever.set(lane, p.arm.Sub(middle).Len())
	r.j[lane] = float64(m.impulses[k] * warm)
}

// middle is where friction acts: the mean of the points that touch, or of all when none does yet, as
// an arm like theirs.
func (m *manifold) middle() (arm r3.Vec, found float64) {
	n := 0.0
	for pass := 0; pass < 2 && n == 0; pass++ {
		for k := range m.n {
			if p := &m.points[k]; pass == 1 || p.gap < touch {
				arm = arm.Add(p.arm)
				found += p.found
				n++
			}
		}
	}
	return arm.Scale(1 / n), found / n
}

func invertOrZero(x float64) float64 {
	if x > 0 {
		return 1 / x
	}
	return 0
}

// fillFriction lays out the two tangents, with the direction of the material where it has one.
func (w *World) fillFriction(b *batch, lane int, c *contact, m *manifold, special *pairing, armA, armB r3.Vec, wa, wb *weight) {
	ga, gb := &w.skins[c.a], &w.skins[c.b]
	t1, t2 := w.tangents(c, m.normal)
	b.t1.set(lane, t1)
	b.t2.set(lane, t2)
	mu1, mu2, torsion := w.cfg.Mix.of(ga.friction, gb.friction), w.cfg.Mix.of(ga.across, gb.across), max(ga.torsional, gb.torsional)
	if special != nil {
		mu1, mu2, torsion = special.mu1, special.mu2, special.torsion
	}
	grip := m.grip()
	b.mu1.set(lane, float64(grip*mu1))
	b.mu2.set(lane, float64(grip*mu2))
	b.torsion.set(lane, torsion)
	b.armA.set(lane, armA)
	b.armB.set(lane, armB)
	b.weighFriction(lane, armA, armB, t1, t2, wa, wb)
}

// stand is where a body is, whose index of moving is known: its centre of mass, and how it is turned.
func (w *World) stand(at, slot int32) (r3.Vec, r3.Quat) {
	if at != 0 {
		return w.solver.weight[at].com, w.solver.rots[at]
	}
	m := &w.motion[slot]
	return m.com, m.rot
}

// jointed reports that a body, whose index of moving is known, is on a joint.
func (w *World) jointed(at, slot int32) bool {
	if at != 0 {
		return w.solver.traits[at].jointed
	}
	return len(w.bodies[slot].joints) > 0
}

// weigh is how the bodies answer to an impulse at the point.
func (r *row) weigh(lane int, ra, rb r3.Vec, wa, wb *weight) {
	ta, tb := wa.spun(ra), r3.Vec{}
	if wb.invMass > 0 { // not the ground
		tb = wb.spun(rb)
	}
	r.turnA.set(lane, ta)
	r.turnB.set(lane, tb)
	r.mass.set(lane, 1/(wa.invMass+wb.invMass+ra.Dot(ta)+rb.Dot(tb)))
}

// weighSpin is how the bodies answer to an impulse that spins them about the normal.
func (b *batch) weighSpin(lane int, wa, wb *weight) {
	n := b.normal.at(lane)
	ia, ib := wa.spun(n), r3.Vec{}
	if wb.invMass > 0 {
		ib = wb.spun(n)
	}
	b.spinA.set(lane, ia)
	b.spinB.set(lane, ib)
	b.spinMass.set(lane, invertOrZero(ia.Dot(n)+ib.Dot(n)))
}

// weighFriction is how the bodies answer to friction.
func (b *batch) weighFriction(lane int, armA, armB, t1, t2 r3.Vec, wa, wb *weight) {
	a1, a2 := armA.Cross(t1), armA.Cross(t2)
	ia1, ia2 := wa.spun(a1), wa.spun(a2)
	var b1, b2, ib1, ib2 r3.Vec
	if wb.invMass > 0 {
		b1, b2 = armB.Cross(t1), armB.Cross(t2)
		ib1, ib2 = wb.spun(b1), wb.spun(b2)
	}
	b.turnA1.set(lane, ia1)
	b.turnA2.set(lane, ia2)
	b.turnB1.set(lane, ib1)
	b.turnB2.set(lane, ib2)
	im := wa.invMass + wb.invMass
	k11 := im + a1.Dot(ia1) + b1.Dot(ib1)
	k22 := im + a2.Dot(ia2) + b2.Dot(ib2)
	k12 := a1.Dot(ia2) + b1.Dot(ib2)
	det := invertOrZero(float64(k11*k22) - float64(k12*k12))
	b11, b12, b22 := float64(k22*det), float64(-k12*det), float64(k11*det)
	if b.mu2[lane] == 0 { // slides freely across (rollers): what it does there must not lean on the other
		b11, b12, b22 = invertOrZero(k11), 0, 0
	}
	b.k11.set(lane, b11)
	b.k12.set(lane, b12)
	b.k22.set(lane, b22)
}

// fillExtras notes what few contacts have: resistance to rolling, and restitution.
func (w *World) fillExtras(d *desk, at int32, lane int, c *contact, m *manifold, special *pairing) {
	s := &w.solver
	b := &s.batches[at]
	ga, gb := &w.skins[c.a], &w.skins[c.b]
	lever, restitution, threshold := max(ga.rolling, gb.rolling), max(ga.restitution, gb.restitution), bounceSpeed
	if special != nil {
		lever, restitution, threshold = special.rolling, special.restitution, special.threshold
	}
	if lever > 0 {
		mass, _ := s.weight[b.a[lane]].inv.Add(s.weight[b.b[lane]].inv).Inverse()
		d.rolls = append(d.rolls, rolling{at, int32(lane), lever, mass, m.rolling.Scale(s.warm)})
	}
	if restitution == 0 {
		return
	}
	x, y := &s.moving[b.a[lane]], &s.moving[b.b[lane]]
	for k := range m.n {
		r := &s.rows[b.first+k]
		v := m.normal.Dot(y.v.Sub(x.v)) + r.rb.at(lane).Dot(y.w) - r.ra.at(lane).Dot(x.w)
		if v < -threshold {
			d.bounces = append(d.bounces, bouncing{at, int32(lane), b.first + k, restitution, v, 0})
		}
	}
}

// keepImpulses stores what the next step starts from, of the batches from first to end.
func (w *World) keepImpulses(first, end int32) {
	s := &w.solver
	for i := first; i < end; i++ {
		if i+keepAhead < end {
			w.fetchManifolds(&s.lots[i+keepAhead])
		}
		b := &s.batches[i]
		for lane, t := range s.lots[i].task {
			if t < 0 {
				continue
			}
			m := &w.manifolds[s.lots[i].of[lane].manifold]
			for k := range b.n {
				m.impulses[k] = s.rows[b.first+k].j[lane]
			}
			m.friction = b.t1.at(lane).Scale(b.j1[lane]).AddScaled(b.j2[lane], b.t2.at(lane))
			m.spin = b.spin[lane]
		}
	}
}
