package articulation

// computeInertia computes and factors the joint-space inertia by the composite-rigid-body algorithm
// (Featherstone, RBDA 2008, table 6.2), with armature and implicit dampers and springs.
func (art *Articulation) computeInertia(h float64) {
	art.computeLinkInertias()
	art.computeExternalForces()
	for i := len(art.links) - 1; i >= 0; i-- {
		k := &art.links[i]
		for d := k.firstDof + k.dofCount - 1; d >= k.firstDof; d-- {
			row := art.inertiaFactor.Row(int(d))
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
		art.inertiaFactor.Row(i)[i] += d.armature + float64(h*d.damping) +
			float64(art.springInertia(h)*d.stiffness)
	}
	art.inertiaFactor.Factor()
}

// computeLinkInertias computes the links' spatial inertias at their present poses.
func (tree *Tree) computeLinkInertias() {
	tree.totalMass = 0
	for i := range tree.links {
		k := &tree.links[i]
		t := k.body.Inertia.TurnedSymmetric(k.rot)
		k.inertia.set(k.body.Mass, &t, k.arm)
		tree.totalMass += k.body.Mass
		k.compositeInertia = k.inertia
	}
}

// springInertia is the inertia per unit stiffness of an implicit spring in a substep, s². The spring acts by
// its mean length; under smooth forces that is the trapezoidal rule's.
func (art *Articulation) springInertia(h float64) float64 {
	if art.step.integrator.smooth() {
		return float64(0.25 * h * h)
	}
	return float64(0.5 * h * h)
}
