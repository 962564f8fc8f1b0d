package dynamics

// computeInertia computes and factors the joint-space inertia by the composite-rigid-body algorithm
// (Featherstone, RBDA 2008, table 6.2), with armature and implicit dampers and springs.
func (l *articulation) computeInertia(w *World, h float64) {
	l.computeLinkInertias(w)
	l.computeExternalForces(w)
	n := len(l.dofs)
	for i := len(l.links) - 1; i >= 0; i-- {
		k := &l.links[i]
		for d := k.firstDof + k.dofCount - 1; d >= k.firstDof; d-- {
			row := l.inertiaFactor[int(d)*n : int(d)*n+n]
			axis := &l.dofs[d].axis
			ang, lin := k.compositeInertia.apply(axis.ang, axis.lin)
			for a := d; a >= 0; a = l.dofs[a].parent {
				axis := &l.dofs[a].axis
				row[a] = axis.ang.Dot(ang) + axis.lin.Dot(lin)
			}
		}
		if k.parent >= 0 {
			l.links[k.parent].compositeInertia.add(&k.compositeInertia)
		}
	}
	for i := range l.dofs {
		d := &l.dofs[i]
		l.inertiaFactor[i*n+i] += d.armature + float64(h*d.damping) + float64(l.springInertia(h)*d.stiffness)
	}
	l.factorInertia()
}

// computeLinkInertias computes the links' spatial inertias at their present poses.
func (l *kinematicTree) computeLinkInertias(w *World) {
	l.totalMass = 0
	for i := range l.links {
		k := &l.links[i]
		in := &w.massProps[k.body]
		t := rotateTensor(&in.inertia, k.rot)
		k.inertia.set(in.mass, &t, k.arm)
		l.totalMass += in.mass
		k.compositeInertia = k.inertia
	}
}

// springInertia is the inertia per unit stiffness of an implicit spring in a substep, s². The spring acts by
// its mean length; under smooth forces that is the trapezoidal rule's.
func (l *articulation) springInertia(h float64) float64 {
	if l.step.integrator.smooth() {
		return float64(0.25 * h * h)
	}
	return float64(0.5 * h * h)
}

// factorInertia computes M = LᵀDL and touches only the non-zeros of branches (Featherstone, Efficient
// factorization of the joint-space inertia matrix for branched kinematic trees, 2005; RBDA 2008, table 6.3).
func (l *kinematicTree) factorInertia() {
	n := len(l.dofs)
	for k := n - 1; k >= 0; k-- {
		row := l.inertiaFactor[k*n : k*n+n]
		inv := 1 / row[k]
		l.dofs[k].inverseDiagonal = inv
		for i := l.dofs[k].parent; i >= 0; i = l.dofs[i].parent {
			a := float64(row[i] * inv)
			up := l.inertiaFactor[int(i)*n : int(i)*n+n]
			for j := i; j >= 0; {
				top := l.dofs[j].runStart
				for e := top; e <= j; e++ {
					up[e] -= float64(a * row[e])
				}
				j = l.dofs[top].parent
			}
			row[i] = a
		}
	}
}

// solveInertia replaces x by M⁻¹·x.
func (l *kinematicTree) solveInertia(x []float64) {
	n, dofs := len(l.dofs), l.dofs
	x = x[:n]
	for i := n - 1; i >= 0; i-- {
		xi := x[i]
		if xi == 0 {
			continue
		}
		row := l.inertiaFactor[i*n : i*n+n]
		for j := dofs[i].parent; j >= 0; {
			top := dofs[j].runStart
			for k := top; k <= j; k++ {
				x[k] -= float64(row[k] * xi)
			}
			j = dofs[top].parent
		}
		x[i] = float64(xi * dofs[i].inverseDiagonal)
	}
	for i := range n {
		row := l.inertiaFactor[i*n : i*n+n]
		xi := x[i]
		for j := dofs[i].parent; j >= 0; {
			top := dofs[j].runStart
			for k := j; k >= top; k-- {
				xi -= float64(row[k] * x[k])
			}
			j = dofs[top].parent
		}
		x[i] = xi
	}
}
