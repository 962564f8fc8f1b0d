package physics

import "simdeck/sim/r3"

// limbPatch is a manifold with a link of a limb on one side or both: as patch, but every row carries
// what it does to the twists of both ends.
type limbPatch struct {
	a, b     limbEnd
	manifold int32
	first, n int32 // rows along the normal; then spin, two tangents, and three of rolling where it is resisted

	pairing
	fixed       bool
	load, reach float64
	slides      float64 // part, as in slide.go
}

// limbRow6 is one direction of a limbPatch: an impulse j pushes b along n with the moment rb about its
// COM, and a against it.
type limbRow6 struct {
	n, ra, rb  r3.Vec
	da, db     kick // by a unit of impulse
	mass       float64
	least      float64 // of what the inverse of mass is
	gap, lever float64
	j, most    float64
	was        float64 // j before the patch was last solved
	lazy       float64 // part of the recovery speed by which it pushes apart
	approach   float64
}

// touchLimb keeps a contact for the limbs when one of its bodies is a link of one that moves.
func (w *World) touchLimb(contact int32) bool {
	c := &w.contacts.all[contact]
	if w.bodies[c.bodyA].limb == 0 && w.bodies[c.bodyB].limb == 0 && !w.solver.inKnot(c.bodyA) && !w.solver.inKnot(c.bodyB) {
		return false
	}
	w.catchUp(contact)
	w.solver.touches = append(w.solver.touches, contact)
	return true
}

// prepareLimbPatches lays out the contacts of links, once all are known.
func (w *World) prepareLimbPatches() {
	s := &w.solver
	s.limbPatches, s.limbRows = s.limbPatches[:0], s.limbRows[:0]
	for _, i := range s.touches {
		c := &w.contacts.all[i]
		w.reachLink(c.bodyA)
		w.reachLink(c.bodyB)
		s.reachKnot(c.bodyA)
		s.reachKnot(c.bodyB)
	}
	for _, i := range s.touches {
		c := &w.contacts.all[i]
		for k := range c.count {
			w.prepareLimbPatch(c, &w.contacts.holds[i], c.base+k)
		}
	}
	if len(s.knotReaches) > 0 {
		s.reachKnots()
	}
	w.stats.Touching += len(s.touches)
	s.touches = s.touches[:0]
	s.tieThrifts()
}

func (w *World) prepareLimbPatch(c *contact, h *hold, index int32) {
	s := &w.solver
	m := &w.manifolds[index]
	p := limbPatch{a: w.limbEnd(c.bodyA), b: w.limbEnd(c.bodyB), manifold: index, first: int32(len(s.limbRows)), n: m.n}
	p.fixed = w.bodies[c.bodyA].kind != Dynamic || w.bodies[c.bodyB].kind != Dynamic
	grip := m.grip()
	p.pairing = w.pairing(c)
	p.mu1, p.mu2 = float64(grip*p.mu1), float64(grip*p.mu2)
	scale := w.warmScale()
	ma, mb := &w.motion[c.bodyA], &w.motion[c.bodyB]
	middle, found := m.middle()
	for k := range m.n {
		pt := &m.points[k]
		r := limbRow6{
			n: m.normal, ra: pt.arm.Cross(m.normal), rb: pt.armB(h, m).Cross(m.normal),
			gap: pt.gap, j: float64(m.impulses[k] * scale), lever: pt.arm.Sub(middle).Len(),
		}
		if r.gap < 0 {
			r.gap = min(0, r.gap+p.slack)
		}
		r.approach = m.normal.Dot(mb.v.Sub(ma.v)) + r.rb.Dot(mb.w) - r.ra.Dot(ma.w)
		s.limbRows = append(s.limbRows, r)
	}
	armA, armB := middle, middle.AddScaled(found, m.normal).Sub(h.apart)
	t1, t2 := w.tangents(c, m.normal)
	load := m.load()
	p.slides = sliding(m.friction.Dot(t1), m.friction.Dot(t2), float64(p.mu1*load), float64(p.mu2*load))
	s.limbRows = append(s.limbRows,
		limbRow6{ra: m.normal, rb: m.normal, j: float64(m.spin * scale)},
		limbRow6{n: t1, ra: armA.Cross(t1), rb: armB.Cross(t1), j: float64(scale * m.friction.Dot(t1))},
		limbRow6{n: t2, ra: armA.Cross(t2), rb: armB.Cross(t2), j: float64(scale * m.friction.Dot(t2))},
	)
	if p.rolling > 0 {
		for i := range 3 {
			e := r3.Vec{}.With(i, 1)
			s.limbRows = append(s.limbRows, limbRow6{ra: e, rb: e, j: float64(scale * m.rolling.At(i))})
		}
	}
	s.limbPatches = append(s.limbPatches, p)
}

// allRows are the rows of a patch: those along the normal, and then the rest.
func (s *solver) allRows(p *limbPatch) []limbRow6 {
	n := 3
	if p.rolling > 0 {
		n = 6
	}
	return s.limbRows[p.first : int(p.first+p.n)+n]
}

// rowsOf are the rows of a patch, in two parts.
func (s *solver) rowsOf(p *limbPatch) (normal, rest []limbRow6) {
	all := s.allRows(p)
	return all[:p.n], all[p.n:]
}

// warmLimbPatches applies what the rows did in the last substep. What motors and stops pushed against them is
// in what those begin with.
func (s *solver) warmLimbPatches() {
	for i := range s.limbPatches {
		p := &s.limbPatches[i]
		var fa, ta, fb, tb r3.Vec
		rows := s.allRows(p)
		for k := range rows {
			r := &rows[k]
			fa, ta = fa.AddScaled(-r.j, r.n), ta.AddScaled(-r.j, r.ra)
			fb, tb = fb.AddScaled(r.j, r.n), tb.AddScaled(r.j, r.rb)
		}
		s.strike(&p.a, fa, ta)
		s.strike(&p.b, fb, tb)
	}
}

// weighLimbPatches finds what the rows do in this substep to the limbs as they are braced.
func (s *solver) weighLimbPatches() {
	for i := range s.limbPatches {
		s.weighLimbPatch(&s.limbPatches[i])
	}
}

// weighLimbPatch finds what the rows of a patch do.
func (s *solver) weighLimbPatch(p *limbPatch) {
	var ab, ba answers6
	same := p.a.limb != nil && p.a.limb == p.b.limb
	if same {
		l := p.a.limb
		ra, rb := &l.reaches[p.a.reach], &l.reaches[p.b.reach]
		ab, ba = l.cross(l.braced, ra, rb), l.cross(l.braced, rb, ra)
	} else if same = s.sameKnot(&p.a, &p.b); same {
		ab, ba = s.crossKnots(&p.a, &p.b)
	}
	rows := s.allRows(p)
	for k := range rows {
		r := &rows[k]
		back := r.ra.Neg()
		r.da, r.db = s.answerBraced(&p.a, r.n.Neg(), back), s.answerBraced(&p.b, r.n, r.rb)
		if same {
			x, y := ab.apply(r.n, r.rb), ba.apply(r.n.Neg(), back)
			r.da, r.db = kick{r.da.v.Add(x.v), r.da.w.Add(x.w)}, kick{r.db.v.Add(y.v), r.db.w.Add(y.w)}
		}
		r.least, r.lazy = 0, 1
		if p.a.limb != nil || p.b.limb != nil {
			fa, fb := s.answer(&p.a, r.n.Neg(), back), s.answer(&p.b, r.n, r.rb)
			r.ease(r.speed(&fa, &fb), p.lightness())
		} else {
			wa, wb := &s.weight[p.a.moving], &s.weight[p.b.moving]
			fa, fb := kick{r.n.Scale(-wa.invMass), wa.spun(back)}, kick{r.n.Scale(wb.invMass), wb.spun(r.rb)}
			r.least = float64(knotLeast * r.speed(&fa, &fb))
		}
		r.mass = invertOrZero(max(r.speed(&r.da, &r.db), r.least))
	}
}

// speed is that of b against a along the row.
func (r *limbRow6) speed(a, b *kick) float64 {
	return r.n.Dot(b.v.Sub(a.v)) + r.rb.Dot(b.w) - r.ra.Dot(a.w)
}

// push changes the impulse of the row to j.
func (r *limbRow6) push(j float64, a, b, onA, onB *kick) {
	d := j - r.j
	r.j = j
	a.v, a.w = a.v.AddScaled(d, r.da.v), a.w.AddScaled(d, r.da.w)
	b.v, b.w = b.v.AddScaled(d, r.db.v), b.w.AddScaled(d, r.db.w)
	onA.v, onA.w = onA.v.AddScaled(-d, r.n), onA.w.AddScaled(-d, r.ra)
	onB.v, onB.w = onB.v.AddScaled(d, r.n), onB.w.AddScaled(d, r.rb)
}

// solveLimbPatches is one pass over the contacts of links.
func (s *solver) solveLimbPatches(push bool, limit float64) {
	for i := range s.limbPatches {
		s.solveLimbPatch(&s.limbPatches[i], push, limit)
	}
}

func (s *solver) solveLimbPatch(p *limbPatch, push bool, limit float64) {
	for more := true; more; {
		a, b := s.velocity(&p.a), s.velocity(&p.b)
		var onA, onB kick
		s.noteImpulses(p)
		s.solveLimbNormal(p, push, limit, &a, &b, &onA, &onB)
		s.solveLimbFriction(p, &a, &b, &onA, &onB)
		more = s.strikeWithin(p, &onA, &onB) || s.letGoOf(p)
	}
}

func (s *solver) solveLimbNormal(p *limbPatch, push bool, limit float64, a, b, onA, onB *kick) {
	normal, _ := s.rowsOf(p)
	ma, mb := &s.moving[p.a.moving], &s.moving[p.b.moving]
	usual := &s.softMoving
	if p.fixed {
		usual = &s.softFixed
	}
	p.load, p.reach = 0, 0
	for k := range normal {
		r := &normal[k]
		gap := r.gap + r.n.Dot(mb.dp.Sub(ma.dp)) + r.rb.Dot(mb.da) - r.ra.Dot(ma.da)
		bias, ms, is := 0.0, 1.0, 0.0
		if gap > 0 {
			bias = float64(gap * s.invH)
		} else if so, sprung := s.sprung(&p.pairing, r.mass, *usual); sprung || push {
			bias, ms, is = max(float64(so.bias*gap), -float64(limit*r.lazy)), so.mass, so.impulse
		}
		j := r.j - float64(r.mass*ms*(r.speed(a, b)+bias)) - float64(is*r.j)
		r.push(max(j, 0), a, b, onA, onB)
		r.most = max(r.most, r.j)
		p.load += r.j
		p.reach += float64(r.j * r.lever)
	}
}

func (s *solver) solveLimbFriction(p *limbPatch, a, b, onA, onB *kick) {
	_, rest := s.rowsOf(p)
	spin, r1, r2 := &rest[0], &rest[1], &rest[2]
	limit := float64(0.5*(p.mu1+p.mu2)*p.reach) + float64(p.torsion*p.load)
	j := spin.j - float64(spin.mass*spin.speed(a, b))
	spin.push(max(-limit, min(limit, j)), a, b, onA, onB)

	// Both tangents together: what one does to the other's speed couples them.
	g1, g2 := float64(p.slip1*s.invH), float64(p.slip2*s.invH)
	k11, k22 := r1.speed(&r1.da, &r1.db)+r1.least+g1, r2.speed(&r2.da, &r2.db)+r2.least+g2
	k12 := r1.speed(&r2.da, &r2.db)
	det := invertOrZero(float64(k11*k22) - float64(k12*k12))
	b11, b12, b22 := float64(k22*det), float64(-k12*det), float64(k11*det)
	switch {
	case p.mu2 == 0:
		b11, b12, b22 = invertOrZero(k11), 0, 0
	case p.slides > 0 && g1+g2 == 0:
		b11, b12, b22 = evened(b11, b12, b22, p.mu1, p.mu2, p.slides)
	}
	v1, v2 := r1.speed(a, b)+float64(g1*r1.j), r2.speed(a, b)+float64(g2*r2.j)
	j1 := r1.j - float64(b11*v1) - float64(b12*v2)
	j2 := r2.j - float64(b12*v1) - float64(b22*v2)
	j1, j2 = withinCone(j1, j2, float64(p.mu1*p.load), float64(p.mu2*p.load))
	r1.push(j1, a, b, onA, onB)
	r2.push(j2, a, b, onA, onB)
	if p.rolling <= 0 {
		return
	}
	// All three together: a disc that is stopped about one axis is set turning about others.
	roll := rest[3:6]
	x, y, z := &roll[0], &roll[1], &roll[2]
	k := r3.Columns(x.db.w.Sub(x.da.w), y.db.w.Sub(y.da.w), z.db.w.Sub(z.da.w))
	k.XX, k.YY, k.ZZ = k.XX+x.least, k.YY+y.least, k.ZZ+z.least
	inv := inverseSymmetric(&k)
	want := limitTo(r3.Vec{X: x.j, Y: y.j, Z: z.j}.Sub(applied(&inv, b.w.Sub(a.w))), float64(p.rolling*p.load))
	for i := range roll {
		roll[i].push(want.At(i), a, b, onA, onB)
	}
}

// bounceLimbs gives back what restitution asks.
func (s *solver) bounceLimbs() {
	for i := range s.limbPatches {
		p := &s.limbPatches[i]
		if p.restitution == 0 {
			continue
		}
		a, b := s.velocity(&p.a), s.velocity(&p.b)
		var onA, onB kick
		normal, _ := s.rowsOf(p)
		for k := range normal {
			r := &normal[k]
			if r.approach > -p.threshold || r.most == 0 {
				continue
			}
			j := r.j - float64(r.mass*(r.speed(&a, &b)+float64(p.restitution*r.approach)))
			r.push(max(0, j), &a, &b, &onA, &onB)
		}
		s.strikeBraced(&p.a, onA.v, onA.w)
		s.strikeBraced(&p.b, onB.v, onB.w)
	}
}

// keepLimbImpulses stores what the next step starts from.
func (w *World) keepLimbImpulses() {
	s := &w.solver
	for i := range s.limbPatches {
		p := &s.limbPatches[i]
		m := &w.manifolds[p.manifold]
		normal, rest := s.rowsOf(p)
		for k := range normal {
			m.impulses[k] = normal[k].j
		}
		m.spin = rest[0].j
		m.friction = rest[1].n.Scale(rest[1].j).AddScaled(rest[2].j, rest[2].n)
		m.rolling = r3.Vec{}
		if p.rolling > 0 {
			m.rolling = r3.Vec{X: rest[3].j, Y: rest[4].j, Z: rest[5].j}
		}
	}
}
