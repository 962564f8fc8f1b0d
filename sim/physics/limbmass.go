package physics

// weighLimb composes the joint-space inertia (Featherstone's composite-rigid-body algorithm) with
// armatures, implicit dampers and springs, and factors it.
func (w *World) weighLimb(l *limb, h float64) {
	w.weighLinks(l)
	w.loadLinks(l)
	n := len(l.dofs)
	for i := len(l.links) - 1; i >= 0; i-- {
		k := &l.links[i]
		for d := k.first + k.count - 1; d >= k.first; d-- {
			row := l.mass[int(d)*n : int(d)*n+n]
			axis := &l.dofs[d].axis
			ang, lin := k.all.carries(axis.ang, axis.lin)
			for a := d; a >= 0; a = l.dofs[a].parent {
				axis := &l.dofs[a].axis
				row[a] = axis.ang.Dot(ang) + axis.lin.Dot(lin)
			}
		}
		if k.parent >= 0 {
			l.links[k.parent].all.add(&k.all)
		}
	}
	for i := range l.dofs {
		d := &l.dofs[i]
		l.mass[i*n+i] += d.rotor + float64(h*d.drag) + float64(l.springShare(h)*d.spring)
	}
	l.factor()
}

// weighLinks finds the inertias of the links where they are.
func (w *World) weighLinks(l *limb) {
	l.weight = 0
	for i := range l.links {
		k := &l.links[i]
		in := &w.inert[k.body]
		t := turned(&in.inertia, k.rot)
		k.own.set(in.mass, &t, k.arm)
		l.weight += in.mass
		k.all = k.own
	}
}

// springShare times the stiffness is the inertia that a spring has in a substep: the spring pulls by
// its mean length, which for a quiet limb is that of the trapezoidal rule.
func (l *limb) springShare(h float64) float64 {
	if l.quiet {
		return float64(0.25 * h * h)
	}
	return float64(0.5 * h * h)
}

// factor makes LᵀDL of the inertia, touching only what branches make other than zero (Featherstone
// 2005, "Efficient factorization of the joint-space inertia matrix for branched kinematic trees").
func (l *limb) factor() {
	n := len(l.dofs)
	for k := n - 1; k >= 0; k-- {
		row := l.mass[k*n : k*n+n]
		inv := 1 / row[k]
		l.dofs[k].inverse = inv
		for i := l.dofs[k].parent; i >= 0; i = l.dofs[i].parent {
			a := float64(row[i] * inv)
			up := l.mass[int(i)*n : int(i)*n+n]
			for j := i; j >= 0; {
				top := l.dofs[j].top
				for e := top; e <= j; e++ {
					up[e] -= float64(a * row[e])
				}
				j = l.dofs[top].parent
			}
			row[i] = a
		}
	}
}

// divide replaces x by the inverse inertia times x.
func (l *limb) divide(x []float64) {
	n, dofs := len(l.dofs), l.dofs
	x = x[:n]
	for i := n - 1; i >= 0; i-- {
		xi := x[i]
		if xi == 0 {
			continue
		}
		row := l.mass[i*n : i*n+n]
		for j := dofs[i].parent; j >= 0; {
			top := dofs[j].top
			for k := top; k <= j; k++ {
				x[k] -= float64(row[k] * xi)
			}
			j = dofs[top].parent
		}
		x[i] = float64(xi * dofs[i].inverse)
	}
	for i := range n {
		row := l.mass[i*n : i*n+n]
		xi := x[i]
		for j := dofs[i].parent; j >= 0; {
			top := dofs[j].top
			for k := j; k >= top; k-- {
				xi -= float64(row[k] * x[k])
			}
			j = dofs[top].parent
		}
		x[i] = xi
	}
}
