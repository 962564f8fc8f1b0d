package articulation

import "simdeck/sim/r3"

// forwardKinematics computes the poses and axes of all links, with joints at q + ahead·q̇.
func (tree *Tree) forwardKinematics(ahead float64, base *Base) {
	if tree.floating {
		tree.setBaseFrame(ahead)
	}
	for i := range tree.links {
		k := &tree.links[i]
		if k.free {
			continue
		}
		j := &k.joint
		pc, pr := base.COM, base.Rot
		if k.parent >= 0 {
			pc, pr = tree.links[k.parent].com, tree.links[k.parent].rot
		}
		f, p := pr.Mul(j.RotA), pc.Add(pr.Rotate(j.AnchorA))
		if i == 0 {
			tree.baseMotion.origin = p
		}
		f, p = k.jointKinematics(tree, ahead, f, p)
		k.rot = f.Mul(k.jointToBody)
		k.com = p.Sub(k.rot.Rotate(j.AnchorB))
		k.arm = k.com.Sub(tree.baseMotion.origin)
	}
}

// setBaseFrame sets a floating base's pose and six axes: translations, then rotations, along the world's
// axes.
func (tree *Tree) setBaseFrame(ahead float64) {
	k, d := &tree.links[0], tree.dofs[:6]
	step := r3.Vec{X: d[0].v, Y: d[1].v, Z: d[2].v}
	k.com = r3.Vec{X: d[0].q, Y: d[1].q, Z: d[2].q}.AddScaled(ahead, step)
	k.rot = k.rotation
	if ahead != 0 {
		k.rot = k.rotation.Turn(r3.Vec{X: d[3].v, Y: d[4].v, Z: d[5].v}.Scale(ahead))
	}
	tree.baseMotion.origin, k.arm = k.com, r3.Vec{}
	for i := range 3 {
		e := r3.Vec{}.With(i, 1)
		d[i].axis, d[3+i].axis = spatial{lin: e}, spatial{ang: e}
	}
}

// jointKinematics takes a joint's frame f at p from the parent side to the child side, and sets its axes.
func (k *link) jointKinematics(tree *Tree, ahead float64, f r3.Quat, p r3.Vec) (r3.Quat, r3.Vec) {
	switch j := &k.joint; j.Type {
	case Revolute, Continuous, Screw:
		q := tree.turningAxis(k.firstDof, j.Pitch, ahead, f, p)
		f = f.Mul(aboutZ(q))
		if j.Pitch != 0 {
			p = p.AddScaled(float64(j.Pitch*q), tree.dofs[k.firstDof].axis.ang)
		}
	case Prismatic:
		p = tree.slidingAxis(k.firstDof, ahead, f.Rotate(r3.Vec{Z: 1}), p)
	case Universal:
		q := tree.turningAxis(k.firstDof, 0, ahead, f, p)
		f = f.Mul(aboutZ(q))
		d := &tree.dofs[k.firstDof+1]
		q = d.q + float64(ahead*d.v)
		u := f.Rotate(r3.Vec{X: 1})
		d.axis = spatial{u, p.Sub(tree.baseMotion.origin).Cross(u)}
		s, c := r3.SinCos(float64(0.5 * q))
		f = f.Mul(r3.Quat{W: c, X: s})
	case Planar:
		p = tree.slidingAxis(k.firstDof, ahead, f.Rotate(r3.Vec{X: 1}), p)
		p = tree.slidingAxis(k.firstDof+1, ahead, f.Rotate(r3.Vec{Y: 1}), p)
		f = f.Mul(aboutZ(tree.turningAxis(k.firstDof+2, 0, ahead, f, p)))
	case Ball:
		d := tree.dofs[k.firstDof : k.firstDof+3]
		arm := p.Sub(tree.baseMotion.origin)
		turn := k.rotation
		if ahead != 0 {
			turn = turn.Turn(r3.Vec{X: d[0].v, Y: d[1].v, Z: d[2].v}.Scale(ahead))
		}
		for i := range 3 {
			u := f.Rotate(r3.Vec{}.With(i, 1))
			d[i].axis = spatial{u, arm.Cross(u)}
		}
		f = f.Mul(turn)
	}
	return f, p
}

// aboutZ is a rotation by q, rad, about z.
func aboutZ(q float64) r3.Quat {
	s, c := r3.SinCos(float64(0.5 * q))
	return r3.Quat{W: c, Z: s}
}

// turningAxis sets the axis of a hinge or screw along z of f, and returns its angle.
func (tree *Tree) turningAxis(i int32, pitch, ahead float64, f r3.Quat, p r3.Vec) float64 {
	d := &tree.dofs[i]
	u := f.Rotate(r3.Vec{Z: 1})
	d.axis = spatial{u, p.Sub(tree.baseMotion.origin).Cross(u)}
	if pitch != 0 {
		d.axis.lin = d.axis.lin.AddScaled(pitch, u)
	}
	return d.q + float64(ahead*d.v)
}

// slidingAxis sets the axis of a prismatic degree of freedom along u, and returns the point after it.
func (tree *Tree) slidingAxis(i int32, ahead float64, u, p r3.Vec) r3.Vec {
	d := &tree.dofs[i]
	d.axis = spatial{lin: u}
	return p.AddScaled(d.q+float64(ahead*d.v), u)
}

// ComputeTwists computes the links' velocities from the joint velocities.
func (tree *Tree) ComputeTwists() {
	for i := range tree.links {
		k := &tree.links[i]
		from := &tree.baseMotion.twist
		if k.parent >= 0 {
			from = &tree.links[k.parent].velocity
		}
		ang, lin := from.ang, from.lin
		for d := k.firstDof; d < k.firstDof+k.dofCount; d++ {
			f := &tree.dofs[d]
			ang, lin = ang.AddScaled(f.v, f.axis.ang), lin.AddScaled(f.v, f.axis.lin)
		}
		k.velocity.ang, k.velocity.lin = ang, lin
	}
}

// computeBaseVelocity sets the twist and the acceleration that a kinematic base prescribes.
func (tree *Tree) computeBaseVelocity(base *Base) {
	tree.baseMotion.twist, tree.baseMotion.acceleration = spatial{}, spatial{}
	if base.Kinematic {
		arm := tree.baseMotion.origin.Sub(base.COM)
		tree.baseMotion.twist = spatial{base.W, base.V.Add(base.W.Cross(arm))}
		tree.baseMotion.acceleration.lin = base.V.Cross(base.W)
	}
}

// updateSpringAngles sets the spring angles of a spherical joint: its rotation vector, rad.
func (k *link) updateSpringAngles(d []dof) {
	v := k.rotation.Vector()
	d[0].q, d[1].q, d[2].q = v.X, v.Y, v.Z
}
