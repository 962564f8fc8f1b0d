package physics

import "simdeck/sim/r3"

// reach is how a limb answers to a force and a torque at the COM of one of its links.
type reach struct {
	link   int32
	moving int32 // index of the solver
	at     int32 // of its answers
	self   answers6
	braced answers6
}

// answer is the change of one degree of freedom by a unit of force and of torque.
type answer struct{ lin, ang r3.Vec }

// answers6 is the change of a twist by a force and a torque: v = vf·f + vt·t, w = wf·f + wt·t.
type answers6 struct{ vf, vt, wf, wt r3.Mat }

// kick is a change of a twist, of a COM, or an impulse there.
type kick struct{ v, w r3.Vec }

func (k *answers6) apply(f, t r3.Vec) kick {
	return kick{k.vf.Apply(f).Add(k.vt.Apply(t)), k.wf.Apply(f).Add(k.wt.Apply(t))}
}

// reachLink makes a reach of a link whose limb moves in this step; 0: its limb does not.
func (w *World) reachLink(body int32) {
	b := &w.bodies[body]
	if b.limb == 0 || !w.moves(body) {
		return
	}
	l := &w.limbs[b.limb-1]
	k := &l.links[b.link]
	if k.reach == 0 {
		l.reaches = append(l.reaches, reach{link: b.link, moving: w.solver.index[body]})
		k.reach = int32(len(l.reaches))
	}
	l.touched = true
}

// reachAll computes the reaches for a substep.
func (l *limb) reachAll() {
	n := len(l.dofs)
	if need := n * len(l.reaches); cap(l.answers) < need {
		l.answers = make([]answer, need, 2*need)
	} else {
		l.answers = l.answers[:need]
	}
	for r := range l.reaches {
		c := &l.reaches[r]
		c.at = int32(r * n)
		x := l.answers[r*n : r*n+n]
		clear(x)
		k := &l.links[c.link]
		for d := k.last; d >= 0; d = l.dofs[d].parent {
			s := &l.dofs[d].axis
			x[d] = answer{s.at(k.arm), s.ang}
		}
		l.divideAnswers(x, k.last)
		c.self = l.cross(l.answers, c, c)
	}
}

// divideAnswers is divide for six right-hand sides, which are zero but for the ancestors of last.
func (l *limb) divideAnswers(x []answer, last int32) {
	n := len(l.dofs)
	for i := last; i >= 0; i = l.dofs[i].parent {
		xi := &x[i]
		row := l.mass[int(i)*n : int(i)*n+n]
		for j := l.dofs[i].parent; j >= 0; j = l.dofs[j].parent {
			x[j].lin = x[j].lin.AddScaled(-row[j], xi.lin)
			x[j].ang = x[j].ang.AddScaled(-row[j], xi.ang)
		}
		inv := l.dofs[i].inverse
		xi.lin, xi.ang = xi.lin.Scale(inv), xi.ang.Scale(inv)
	}
	for i := range n {
		row := l.mass[i*n : i*n+n]
		lin, ang := x[i].lin, x[i].ang
		for j := l.dofs[i].parent; j >= 0; j = l.dofs[j].parent {
			lin = lin.AddScaled(-row[j], x[j].lin)
			ang = ang.AddScaled(-row[j], x[j].ang)
		}
		x[i] = answer{lin, ang}
	}
}

// cross is what a force and a torque at the link of b do to the link of a, by the answers to it.
func (l *limb) cross(answers []answer, a, b *reach) answers6 {
	var k answers6
	ka := &l.links[a.link]
	for d := ka.last; d >= 0; d = l.dofs[d].parent {
		s := &l.dofs[d].axis
		v, x := s.at(ka.arm), &answers[int(b.at)+int(d)]
		addOuter(&k.vf, v, x.lin)
		addOuter(&k.vt, v, x.ang)
		addOuter(&k.wf, s.ang, x.lin)
		addOuter(&k.wt, s.ang, x.ang)
	}
	return k
}

func addOuter(m *r3.Mat, a, b r3.Vec) {
	m.XX += float64(a.X * b.X)
	m.XY += float64(a.X * b.Y)
	m.XZ += float64(a.X * b.Z)
	m.YX += float64(a.Y * b.X)
	m.YY += float64(a.Y * b.Y)
	m.YZ += float64(a.Y * b.Z)
	m.ZX += float64(a.Z * b.X)
	m.ZY += float64(a.Z * b.Y)
	m.ZZ += float64(a.Z * b.Z)
}

// strike applies an impulse at the COM of a link.
func (l *limb) strike(c *reach, f, t r3.Vec) {
	for i := range l.dofs {
		x := &l.answers[int(c.at)+i]
		l.dofs[i].v += x.lin.Dot(f) + x.ang.Dot(t)
	}
}

// twistOf is the velocity of the COM of a link.
func (l *limb) twistOf(k *link) kick {
	m := l.baseTwist
	for d := k.last; d >= 0; d = l.dofs[d].parent {
		m.addScaled(l.dofs[d].v, &l.dofs[d].axis)
	}
	return kick{m.at(k.arm), m.ang}
}

// limbEnd is one side of a contact or joint: a link that moves, or a body as the solver has it.
type limbEnd struct {
	limb   *limb // nil: a body
	reach  int32
	moving int32
	knot   int32 // 1 + index of its knotReach; 0: none
}

func (w *World) limbEnd(body int32) limbEnd {
	e := limbEnd{moving: w.solver.index[body]}
	if w.solver.inKnot(body) {
		e.knot = w.solver.reachOf[e.moving]
	}
	if b := &w.bodies[body]; b.limb != 0 && !b.contained {
		l := &w.limbs[b.limb-1]
		if r := l.links[b.link].reach; r != 0 {
			e.limb, e.reach = l, r-1
		}
	}
	return e
}

// answer is how an end answers to an impulse at its COM.
func (s *solver) answer(e *limbEnd, f, t r3.Vec) kick {
	if e.limb != nil {
		return e.limb.reaches[e.reach].self.apply(f, t)
	}
	if e.knot > 0 {
		return s.knotReaches[e.knot-1].self.apply(f, t)
	}
	wt := &s.weight[e.moving]
	return kick{f.Scale(wt.invMass), wt.inv.Apply(t)}
}

// velocity is that of an end's COM now.
func (s *solver) velocity(e *limbEnd) kick {
	if e.limb != nil {
		return e.limb.twistOf(&e.limb.links[e.limb.reaches[e.reach].link])
	}
	m := &s.moving[e.moving]
	return kick{m.v, m.w}
}

// strike applies an impulse to an end.
func (s *solver) strike(e *limbEnd, f, t r3.Vec) {
	if e.limb != nil {
		e.limb.strike(&e.limb.reaches[e.reach], f, t)
		return
	}
	m, wt := &s.moving[e.moving], &s.weight[e.moving]
	m.v = m.v.AddScaled(wt.invMass, f)
	m.w = m.w.Add(wt.inv.Apply(t))
	if e.knot > 0 {
		s.strikeReach(&s.knotReaches[e.knot-1], f, t)
	}
}

// answerBraced and strikeBraced are the same for a limb whose rows push back.
func (s *solver) answerBraced(e *limbEnd, f, t r3.Vec) kick {
	if e.limb != nil {
		return e.limb.reaches[e.reach].braced.apply(f, t)
	}
	return s.answer(e, f, t)
}

func (s *solver) strikeBraced(e *limbEnd, f, t r3.Vec) {
	if e.limb != nil {
		e.limb.strikeBraced(&e.limb.reaches[e.reach], e.reach, f, t)
		return
	}
	s.strike(e, f, t)
}
