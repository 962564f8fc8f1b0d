package newton

// spread computes the twists of all bodies from velocities of degrees of freedom.
func (p *Problem) spread(velocity []float64, twists []Vector6) {
	for i := range p.bodies {
		b := &p.bodies[i]
		var t Vector6
		if b.parent >= 0 {
			t = twists[b.parent]
		}
		for d := b.firstDof; d < b.firstDof+b.dofCount; d++ {
			t.addScaled(velocity[d], &p.axes[d])
		}
		twists[i] = t
	}
}

// gather computes generalized momenta of wrenches on all bodies, which it changes.
func (p *Problem) gather(wrenches []Vector6, out []float64) {
	for i := len(p.bodies) - 1; i >= 0; i-- {
		b, w := &p.bodies[i], &wrenches[i]
		for d := b.firstDof; d < b.firstDof+b.dofCount; d++ {
			out[d] = p.axes[d].Dot(w)
		}
		if b.parent >= 0 {
			wrenches[b.parent].addScaled(1, w)
		}
	}
}

// timesMass computes M·x, of which the twists are known.
func (p *Problem) timesMass(x []float64, twists []Vector6, out []float64) {
	for i := range p.bodies {
		p.wrenches[i] = p.bodies[i].inertia.times(&twists[i])
	}
	p.gather(p.wrenches, out)
	for d, v := range x {
		out[d] += float64(p.Diagonal[d] * v)
	}
}

// computeHessian computes M + Jᵀ·G·J.
func (p *Problem) computeHessian() {
	for i := range p.bodies {
		p.composites[i] = p.bodies[i].inertia
	}
	for i := range p.pairs {
		p.pairs[i].c = [6][6]float64{}
	}
	for i := range p.contacts {
		p.contacts[i].addCurvature(p)
	}
	p.hessian.Clear()
	for i := len(p.bodies) - 1; i >= 0; i-- {
		b, c := &p.bodies[i], &p.composites[i]
		for d := b.firstDof + b.dofCount - 1; d >= b.firstDof; d-- {
			f := c.times(&p.axes[d])
			p.hessian.Diagonal()[d] = f.Dot(&p.axes[d]) + p.Diagonal[d]
			columns, entries := p.hessian.Row(d)
			at := len(columns) - 1
			for a := p.dofParent[d]; a >= 0; a = p.dofParent[a] {
				for columns[at] != a {
					at--
				}
				entries[at] = f.Dot(&p.axes[a])
			}
		}
		if b.parent >= 0 {
			p.composites[b.parent].add(c)
		}
	}
	for i := range p.pairs {
		p.pairs[i].addTo(p)
	}
	for i := range p.joints {
		if j := &p.joints[i]; j.slope != 0 {
			j.addCurvature(p)
		}
	}
}

// addCurvature adds the row's to the matrix.
func (j *jointRow) addCurvature(p *Problem) {
	terms := p.termsOf(j)
	for i, t := range terms {
		k := float64(j.slope * t.coefficient)
		p.hessian.Diagonal()[t.dof] += float64(k * t.coefficient)
		for _, o := range terms[:i] {
			p.hessian.Add(max(t.dof, o.dof), min(t.dof, o.dof), float64(k*o.coefficient))
		}
	}
}

// addTo adds what couples two bodies to the matrix.
func (c *pair) addTo(p *Problem) {
	for a := p.bodies[c.a].lastDof; a >= 0; a = p.dofParent[a] {
		x := &p.axes[a]
		var f Vector6
		for k, xk := range [6]float64{x.Ang.X, x.Ang.Y, x.Ang.Z, x.Lin.X, x.Lin.Y, x.Lin.Z} {
			if xk == 0 {
				continue
			}
			r := &c.c[k]
			f.Ang.X += float64(xk * r[0])
			f.Ang.Y += float64(xk * r[1])
			f.Ang.Z += float64(xk * r[2])
			f.Lin.X += float64(xk * r[3])
			f.Lin.Y += float64(xk * r[4])
			f.Lin.Z += float64(xk * r[5])
		}
		for b := p.bodies[c.b].lastDof; b >= 0; b = p.dofParent[b] {
			e := f.Dot(&p.axes[b])
			switch {
			case a == b:
				p.hessian.Diagonal()[a] += float64(2 * e)
			case a > b:
				p.hessian.Add(a, b, e)
			default:
				p.hessian.Add(b, a, e)
			}
		}
	}
}

// addOuter adds k·f·gᵀ.
func (c *pair) addOuter(k float64, f, g *Vector6) {
	x := [6]float64{f.Ang.X, f.Ang.Y, f.Ang.Z, f.Lin.X, f.Lin.Y, f.Lin.Z}
	y := [6]float64{g.Ang.X, g.Ang.Y, g.Ang.Z, g.Lin.X, g.Lin.Y, g.Lin.Z}
	for i := range 6 {
		kx := float64(k * x[i])
		for j := range 6 {
			c.c[i][j] += float64(kx * y[j])
		}
	}
}

// addOuter adds k·J·Jᵀ of a row to the bodies of a contact.
func (c *contact) addOuter(p *Problem, k float64, a, b *Vector6) {
	if c.a >= 0 {
		p.composites[c.a].addOuter(k, a)
	}
	if c.b >= 0 {
		p.composites[c.b].addOuter(k, b)
	}
	if c.pair > 0 {
		p.pairs[c.pair-1].addOuter(k, a, b)
	}
}

// addCurvature adds Jᵀ·G·J of the contact to its bodies.
func (c *contact) addCurvature(p *Problem) {
	rows := c.rowsOf(p)
	n := int(c.Normals)
	for i := range rows[:n+1] {
		if g := rows[i].slope; g != 0 {
			c.addOuter(p, g, &rows[i].A, &rows[i].B)
		}
	}
	if l := &c.tangent; l.xx != 0 || l.yy != 0 {
		// xx·aaᵀ + xy·(abᵀ + baᵀ) + yy·bbᵀ = xx·(a + k·b)(a + k·b)ᵀ + rest·bbᵀ
		x, y, xx, yy := &rows[n+1], &rows[n+2], l.xx, l.yy
		if xx < yy {
			x, y, xx, yy = y, x, yy, xx
		}
		k := l.xy / xx
		a, b := x.A, x.B
		a.addScaled(k, &y.A)
		b.addScaled(k, &y.B)
		c.addOuter(p, xx, &a, &b)
		if rest := yy - float64(k*l.xy); rest > float64(1e-14*xx) {
			c.addOuter(p, rest, &y.A, &y.B)
		}
	}
	if c.Rolling > 0 && c.ball.slope != 0 {
		var a, b Vector6
		for i := range 3 {
			r := &rows[n+3+i]
			c.addOuter(p, c.ball.slope, &r.A, &r.B)
			a.addScaled(c.ball.along[i], &r.A)
			b.addScaled(c.ball.along[i], &r.B)
		}
		if !c.ball.sticks {
			c.addOuter(p, -c.ball.slope, &a, &b)
		}
	}
}
