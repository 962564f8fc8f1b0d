package dynamics

// computeInertia computes and factors the joint-space inertia by the composite-rigid-body algorithm
// (Featherstone, RBDA 2008, table 6.2), with armature and implicit dampers and springs.
func (art *articulation) computeInertia(w *World, h float64) {
	art.computeLinkInertias(w)
	art.computeExternalForces(w)
	n := len(art.dofs)
	for i := len(art.links) - 1; i >= 0; i-- {
		k := &art.links[i]
		for d := k.firstDof + k.dofCount - 1; d >= k.firstDof; d-- {
			row := art.inertiaFactor[int(d)*n : int(d)*n+n]
			axis := &art.dofs[d].axis
			ang, lin := k.compositeInertia.apply(axis.ang, axis.lin)
			for a := d; a >= 0; a = art.dofs[a].parent {
				axis := &art.dofs[a].axis
				row[a] = axis.ang.Dot(ang) + axis.lin.Dot(lin)
			}
		}
		if k.parent >= 0 {
			art.links[k.parent].compositeInertia.add(&k.compositeInertia)
		}
	}
	for i := range art.dofs {
		d := &art.dofs[i]
		art.inertiaFactor[i*n+i] += d.armature + float64(h*d.damping) +
			float64(art.springInertia(h)*d.stiffness)
	}
	art.factorInertia()
}

// computeLinkInertias computes the links' spatial inertias at their present poses.
func (tree *kinematicTree) computeLinkInertias(w *World) {
	tree.totalMass = 0
	for i := range tree.links {
		k := &tree.links[i]
		in := &w.massProps[k.body]
		t := rotateTensor(&in.inertia, k.rot)
		k.inertia.set(in.mass, &t, k.arm)
		tree.totalMass += in.mass
		k.compositeInertia = k.inertia
	}
}

// springInertia is the inertia per unit stiffness of an implicit spring in a substep, s². The spring acts by
// its mean length; under smooth forces that is the trapezoidal rule's.
func (art *articulation) springInertia(h float64) float64 {
	if art.step.integrator.smooth() {
		return float64(0.25 * h * h)
	}
	return float64(0.5 * h * h)
}

// factorInertia computes M = LᵀDL and touches only the non-zeros of branches (Featherstone, Efficient
// factorization of the joint-space inertia matrix for branched kinematic trees, 2005; RBDA 2008, table 6.3).
func (tree *kinematicTree) factorInertia() {
	n := len(tree.dofs)
	for k := n - 1; k >= 0; k-- {
		row := tree.inertiaFactor[k*n : k*n+n]
		inv := 1 / row[k]
		tree.dofs[k].inverseDiagonal = inv
		for i := tree.dofs[k].parent; i >= 0; i = tree.dofs[i].parent {
			a := float64(row[i] * inv)
			up := tree.inertiaFactor[int(i)*n : int(i)*n+n]
			for j := i; j >= 0; {
				top := tree.dofs[j].runStart
				for e := top; e <= j; e++ {
					up[e] -= float64(a * row[e])
				}
				j = tree.dofs[top].parent
			}
			row[i] = a
		}
	}
}

// solveInertia replaces x by M⁻¹·x.
func (tree *kinematicTree) solveInertia(x []float64) {
	n, dofs := len(tree.dofs), tree.dofs
	x = x[:n]
	for i := n - 1; i >= 0; i-- {
		xi := x[i]
		if xi == 0 {
			continue
		}
		row := tree.inertiaFactor[i*n : i*n+n]
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
		row := tree.inertiaFactor[i*n : i*n+n]
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
