package physics

import (
	"math"

	"simdeck/sim/r3"
)

// patch is a manifold as the solver sees it: rows along the normal, and friction at the middle of the
// patch. Friction in one place, with the patch's own resistance to spinning, does not scrub: a wheel
// with a broad tread turns on the spot without losing way.
type patch struct {
	a, b     int32 // indices of moving
	manifold int32
	first, n int32 // rows
	fixed    bool  // one side has no mass

	rolls          int32 // its place in rolling, below 0 for none
	normal, t1, t2 r3.Vec
	armA, armB     r3.Vec // of the middle
	imA, imB       float64
	ian, ibn       r3.Vec // inverse inertia times normal
	k11, k12, k22  float64
	spinMass       float64
	mu1, mu2       float64
	torsion        float64
	j1, j2, spin   float64
}

// rolling is the resistance of a patch to rolling, where there is any.
type rolling struct {
	lever float64 // m
	mass  r3.Mat
	j     r3.Vec
}

// bouncing is a point whose bodies may part faster than it stops them.
type bouncing struct {
	patch, row  int32
	restitution float64
	approach    float64 // speed of parting when the step began
}

// row is one point of a patch, along the normal.
type row struct {
	ra, rb   r3.Vec // arm × normal
	ira, irb r3.Vec // inverse inertia times that
	mass     float64
	gap      float64
	lever    float64 // distance of the point from the patch's middle
	j        float64
	touched  float64 // the sum of all j: 0 when the point never pushed
}

func (w *World) preparePatches() {
	s := &w.solver
	s.patches, s.rows, s.rolls, s.bounces = s.patches[:0], s.rows[:0], s.rolls[:0], s.bounces[:0]
	st := &w.stats
	st.Touching = 0
	for _, i := range w.active {
		c := &w.contacts.all[i]
		if c.count == 0 || c.sensor || w.touchLimb(i) {
			continue
		}
		ia, ib := s.index[c.bodyA], s.index[c.bodyB]
		if s.weight[ia].invMass == 0 && s.weight[ib].invMass == 0 {
			continue
		}
		st.Touching++
		for k := range c.count {
			w.preparePatch(c, &w.contacts.holds[i], c.base+k, ia, ib)
		}
	}
}

// preparePatch lays out one manifold.
func (w *World) preparePatch(c *contact, h *hold, index, ia, ib int32) {
	s := &w.solver
	m := &w.manifolds[index]
	s.patches = append(s.patches, patch{a: ia, b: ib, manifold: index, first: int32(len(s.rows)), n: m.n, normal: m.normal})
	p := &s.patches[len(s.patches)-1]
	wa, wb := &s.weight[ia], &s.weight[ib]
	p.imA, p.imB = wa.invMass, wb.invMass
	p.fixed = p.imA == 0 || p.imB == 0
	middle, found := m.middle()
	scale := w.warmScale()
	restitution := max(w.geoms[c.a].material.Restitution, w.geoms[c.b].material.Restitution)
	for k := range m.n {
		pt := &m.points[k]
		armA, armB := pt.arm, pt.armB(h, m)
		r := row{ra: armA.Cross(m.normal), rb: armB.Cross(m.normal), gap: pt.gap, j: float64(pt.impulse * scale)}
		r.ira, r.irb = wa.inv.Apply(r.ra), wb.inv.Apply(r.rb)
		r.mass = 1 / (p.imA + p.imB + r.ra.Dot(r.ira) + r.rb.Dot(r.irb))
		r.lever = pt.arm.Sub(middle).Len()
		if restitution > 0 {
			a, b := &s.moving[ia], &s.moving[ib]
			if v := p.normal.Dot(b.v.Sub(a.v)) + r.rb.Dot(b.w) - r.ra.Dot(a.w); v < -bounceSpeed {
				s.bounces = append(s.bounces, bouncing{int32(len(s.patches) - 1), int32(len(s.rows)), restitution, v})
			}
		}
		s.rows = append(s.rows, r)
	}
	p.ian, p.ibn = wa.inv.Apply(m.normal), wb.inv.Apply(m.normal)
	p.spinMass = invertOrZero(p.ian.Dot(m.normal) + p.ibn.Dot(m.normal))
	p.spin = float64(m.spin * scale)
	w.prepareFriction(p, c, m, middle, middle.AddScaled(found, m.normal).Sub(h.apart), scale)
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

// prepareFriction lays out the two tangents, with the direction of the material where it has one.
func (w *World) prepareFriction(p *patch, c *contact, m *manifold, armA, armB r3.Vec, scale float64) {
	s := &w.solver
	ga, gb := &w.geoms[c.a].material, &w.geoms[c.b].material
	p.t1, p.t2 = w.tangents(c, m.normal)
	p.mu1 = w.cfg.Mix.of(ga.Friction, gb.Friction)
	p.mu2 = w.cfg.Mix.of(ga.across(), gb.across())
	p.torsion = max(ga.Torsional, gb.Torsional)
	p.armA, p.armB = armA, armB

	wa, wb := &s.weight[p.a], &s.weight[p.b]
	a1, a2, b1, b2 := armA.Cross(p.t1), armA.Cross(p.t2), armB.Cross(p.t1), armB.Cross(p.t2)
	ia1, ia2, ib1, ib2 := wa.inv.Apply(a1), wa.inv.Apply(a2), wb.inv.Apply(b1), wb.inv.Apply(b2)
	im := p.imA + p.imB
	k11 := im + a1.Dot(ia1) + b1.Dot(ib1)
	k22 := im + a2.Dot(ia2) + b2.Dot(ib2)
	k12 := a1.Dot(ia2) + b1.Dot(ib2)
	det := invertOrZero(float64(k11*k22) - float64(k12*k12))
	p.k11, p.k12, p.k22 = float64(k22*det), float64(-k12*det), float64(k11*det)
	if p.mu2 == 0 { // slides freely across (rollers): what it does there must not lean on the other
		p.k11, p.k12, p.k22 = invertOrZero(k11), 0, 0
	}
	p.j1, p.j2 = float64(scale*m.friction.Dot(p.t1)), float64(scale*m.friction.Dot(p.t2))
	p.rolls = -1
	if lever := max(ga.Rolling, gb.Rolling); lever > 0 {
		p.rolls = int32(len(s.rolls))
		mass, _ := wa.inv.Add(wb.inv).Inverse()
		s.rolls = append(s.rolls, rolling{lever, mass, m.rolling.Scale(scale)})
	}
}

// warmScale turns impulses of the last step's substeps into those of this step's.
func (w *World) warmScale() float64 {
	if w.lastH == 0 {
		return 0
	}
	return w.solver.h / w.lastH
}

func (s *solver) warmPatches() {
	for i := range s.patches {
		p := &s.patches[i]
		a, b := &s.moving[p.a], &s.moving[p.b]
		va, wa, vb, wb := a.v, a.w, b.v, b.w
		total := 0.0
		rows := s.rows[p.first : p.first+p.n]
		for k := range rows {
			r := &rows[k]
			total += r.j
			wa = wa.AddScaled(-r.j, r.ira)
			wb = wb.AddScaled(r.j, r.irb)
		}
		friction := p.t1.Scale(p.j1).AddScaled(p.j2, p.t2)
		impulse := p.normal.Scale(total).Add(friction)
		a.v, b.v = va.AddScaled(-p.imA, impulse), vb.AddScaled(p.imB, impulse)
		turnA, turnB := p.armA.Cross(friction).AddScaled(p.spin, p.normal), p.armB.Cross(friction).AddScaled(p.spin, p.normal)
		if p.rolls >= 0 {
			roll := s.rolls[p.rolls].j
			turnA, turnB = turnA.Add(roll), turnB.Add(roll)
		}
		a.w, b.w = wa.Sub(s.weight[p.a].inv.Apply(turnA)), wb.Add(s.weight[p.b].inv.Apply(turnB))
	}
}

// solvePatches is one pass over all contacts; push says whether overlaps are pushed apart.
func (s *solver) solvePatches(push bool, limit float64) {
	for i := range s.patches {
		p := &s.patches[i]
		load, reach := s.solveNormal(p, push, limit)
		s.solveFriction(p, load, reach)
	}
}

// solveNormal solves the points of a patch one after the other and returns the sum of their impulses,
// and of impulses times levers.
func (s *solver) solveNormal(p *patch, push bool, limit float64) (load, reach float64) {
	a, b := &s.moving[p.a], &s.moving[p.b]
	va, wa, vb, wb := a.v, a.w, b.v, b.w
	dp := b.dp.Sub(a.dp).Dot(p.normal)
	da, db := a.da, b.da
	so := rigid()
	if push {
		so = s.softMoving
		if p.fixed {
			so = s.softFixed
		}
	}
	rows := s.rows[p.first : p.first+p.n]
	for k := range rows {
		r := &rows[k]
		// The gap now, by the same linear picture that the velocities go by: exact for wheels and
		// balls, whose points of contact do not turn with them.
		gap := r.gap + dp + r.rb.Dot(db) - r.ra.Dot(da)
		bias, ms, is := 0.0, 1.0, 0.0
		if gap > 0 {
			bias = float64(gap * s.invH)
		} else if push {
			bias, ms, is = max(float64(so.bias*gap), -limit), so.mass, so.impulse
		}
		v := p.normal.Dot(vb.Sub(va)) + r.rb.Dot(wb) - r.ra.Dot(wa)
		j := r.j - float64(r.mass*ms*(v+bias)) - float64(is*r.j)
		j = max(j, 0)
		d := j - r.j
		r.j = j
		r.touched += j
		load += j
		reach += float64(j * r.lever)
		va, vb = va.AddScaled(float64(-d*p.imA), p.normal), vb.AddScaled(float64(d*p.imB), p.normal)
		wa, wb = wa.AddScaled(-d, r.ira), wb.AddScaled(d, r.irb)
	}
	a.v, a.w, b.v, b.w = va, wa, vb, wb
	return load, reach
}

// solveFriction solves both tangents together within the cone of the load, then the patch's
// resistance to spinning and rolling.
func (s *solver) solveFriction(p *patch, load, reach float64) {
	a, b := &s.moving[p.a], &s.moving[p.b]
	va, wa, vb, wb := a.v, a.w, b.v, b.w

	limit := float64(0.5*(p.mu1+p.mu2)*reach) + float64(p.torsion*load)
	v := p.normal.Dot(wb.Sub(wa))
	j := max(-limit, min(limit, p.spin-float64(p.spinMass*v)))
	d := j - p.spin
	p.spin = j
	wa, wb = wa.AddScaled(-d, p.ian), wb.AddScaled(d, p.ibn)

	dv := vb.Add(wb.Cross(p.armB)).Sub(va).Sub(wa.Cross(p.armA))
	v1, v2 := p.t1.Dot(dv), p.t2.Dot(dv)
	j1 := p.j1 - (float64(p.k11*v1) + float64(p.k12*v2))
	j2 := p.j2 - (float64(p.k12*v1) + float64(p.k22*v2))
	j1, j2 = withinCone(j1, j2, float64(p.mu1*load), float64(p.mu2*load))
	d1, d2 := j1-p.j1, j2-p.j2
	p.j1, p.j2 = j1, j2
	impulse := p.t1.Scale(d1).AddScaled(d2, p.t2)
	a.v, b.v = va.AddScaled(-p.imA, impulse), vb.AddScaled(p.imB, impulse)
	a.w = wa.Sub(s.weight[p.a].inv.Apply(p.armA.Cross(impulse)))
	b.w = wb.Add(s.weight[p.b].inv.Apply(p.armB.Cross(impulse)))
	if p.rolls >= 0 {
		s.solveRolling(p, load)
	}
}

// withinCone shortens a friction impulse to the ellipse with the half axes l1 and l2.
func withinCone(j1, j2, l1, l2 float64) (float64, float64) {
	if l1 <= 0 || l2 <= 0 {
		return max(-l1, min(l1, j1)), max(-l2, min(l2, j2))
	}
	x, y := j1/l1, j2/l2
	if q := float64(x*x) + float64(y*y); q > 1 {
		k := 1 / math.Sqrt(q)
		return float64(j1 * k), float64(j2 * k)
	}
	return j1, j2
}

// solveRolling resists all turning of one body on the other, up to a torque.
func (s *solver) solveRolling(p *patch, load float64) {
	a, b, r := &s.moving[p.a], &s.moving[p.b], &s.rolls[p.rolls]
	j := limitTo(r.j.Sub(r.mass.Apply(b.w.Sub(a.w))), float64(r.lever*load))
	d := j.Sub(r.j)
	r.j = j
	a.w = a.w.Sub(s.weight[p.a].inv.Apply(d))
	b.w = b.w.Add(s.weight[p.b].inv.Apply(d))
}

// bounceSpeed is the speed of approach, m/s, below which nothing bounces.
const bounceSpeed = 0.5

// bounce gives back what restitution asks of the speed at which points met.
func (s *solver) bounce() {
	for i := range s.bounces {
		e := &s.bounces[i]
		p, r := &s.patches[e.patch], &s.rows[e.row]
		if r.touched == 0 {
			continue
		}
		a, b := &s.moving[p.a], &s.moving[p.b]
		v := p.normal.Dot(b.v.Sub(a.v)) + r.rb.Dot(b.w) - r.ra.Dot(a.w)
		j := max(0, r.j-float64(r.mass*(v+float64(e.restitution*e.approach))))
		d := j - r.j
		r.j = j
		a.v, b.v = a.v.AddScaled(float64(-d*p.imA), p.normal), b.v.AddScaled(float64(d*p.imB), p.normal)
		a.w, b.w = a.w.AddScaled(-d, r.ira), b.w.AddScaled(d, r.irb)
	}
}

// keepImpulses stores what the next step starts from.
func (w *World) keepImpulses() {
	s := &w.solver
	for i := range s.patches {
		p := &s.patches[i]
		m := &w.manifolds[p.manifold]
		for k := range p.n {
			m.points[k].impulse = s.rows[p.first+k].j
		}
		m.friction = p.t1.Scale(p.j1).AddScaled(p.j2, p.t2)
		m.spin, m.rolling = p.spin, r3.Vec{}
		if p.rolls >= 0 {
			m.rolling = s.rolls[p.rolls].j
		}
	}
	w.lastH = s.h
}
