package dynamics

import "simdeck/sim/r3"

// basePose is the pose of the base body in this substep.
func (l *kinematicTree) basePose(w *World) (com r3.Vec, rot r3.Quat) {
	if l.base < 0 {
		return r3.Vec{}, r3.Identity()
	}
	m := &w.motion[l.base]
	if i := w.solver.index[l.base]; i != 0 && w.bodies[l.base].kind == Kinematic {
		mv := &w.solver.states[i]
		return m.com.Add(mv.deltaPosition), m.rot.Turn(mv.deltaRotation)
	}
	return m.com, m.rot
}

// basePoseAtStepEnd is the pose of the base body between steps.
func (l *kinematicTree) basePoseAtStepEnd(w *World) (com r3.Vec, rot r3.Quat) {
	if l.base < 0 {
		return r3.Vec{}, r3.Identity()
	}
	return w.motion[l.base].com, w.motion[l.base].rot
}

// forwardKinematics computes the poses and axes of all links, with joints at q + ahead·q̇. The base is at
// com, rot.
func (l *kinematicTree) forwardKinematics(w *World, ahead float64, com r3.Vec, rot r3.Quat) {
	if l.floating {
		l.setBaseFrame(ahead)
	}
	for i := range l.links {
		k := &l.links[i]
		if k.joint < 0 {
			continue
		}
		j := &w.joints[k.joint]
		pc, pr := com, rot
		if k.parent >= 0 {
			pc, pr = l.links[k.parent].com, l.links[k.parent].rot
		}
		f, p := pr.Mul(j.rotA), pc.Add(pr.Rotate(j.anchorA))
		if i == 0 {
			l.root.origin = p
		}
		f, p = k.jointKinematics(l, j, ahead, f, p)
		k.rot = f.Mul(k.jointToBody)
		k.com = p.Sub(k.rot.Rotate(j.anchorB))
		k.arm = k.com.Sub(l.root.origin)
	}
}

// setBaseFrame sets a floating base's pose and six axes: translations, then rotations, along the world's
// axes.
func (l *kinematicTree) setBaseFrame(ahead float64) {
	k, d := &l.links[0], l.dofs[:6]
	step := r3.Vec{X: d[0].v, Y: d[1].v, Z: d[2].v}
	k.com = r3.Vec{X: d[0].q, Y: d[1].q, Z: d[2].q}.AddScaled(ahead, step)
	k.rot = k.rotation
	if ahead != 0 {
		k.rot = k.rotation.Turn(r3.Vec{X: d[3].v, Y: d[4].v, Z: d[5].v}.Scale(ahead))
	}
	l.root.origin, k.arm = k.com, r3.Vec{}
	for i := range 3 {
		e := r3.Vec{}.With(i, 1)
		d[i].axis, d[3+i].axis = spatial{lin: e}, spatial{ang: e}
	}
}

// jointKinematics takes a joint's frame f at p from the parent side to the child side, and sets its axes.
func (k *link) jointKinematics(l *kinematicTree, j *joint, ahead float64, f r3.Quat, p r3.Vec) (r3.Quat, r3.Vec) {
	switch j.kind {
	case Revolute, Continuous, Screw:
		q := l.turningAxis(k.firstDof, j.pitch, ahead, f, p)
		f = f.Mul(aboutZ(q))
		if j.pitch != 0 {
			p = p.AddScaled(float64(j.pitch*q), l.dofs[k.firstDof].axis.ang)
		}
	case Prismatic:
		p = l.slidingAxis(k.firstDof, ahead, f.Rotate(r3.Vec{Z: 1}), p)
	case Universal:
		q := l.turningAxis(k.firstDof, 0, ahead, f, p)
		f = f.Mul(aboutZ(q))
		d := &l.dofs[k.firstDof+1]
		q = d.q + float64(ahead*d.v)
		u := f.Rotate(r3.Vec{X: 1})
		d.axis = spatial{u, p.Sub(l.root.origin).Cross(u)}
		s, c := r3.SinCos(float64(0.5 * q))
		f = f.Mul(r3.Quat{W: c, X: s})
	case Planar:
		p = l.slidingAxis(k.firstDof, ahead, f.Rotate(r3.Vec{X: 1}), p)
		p = l.slidingAxis(k.firstDof+1, ahead, f.Rotate(r3.Vec{Y: 1}), p)
		f = f.Mul(aboutZ(l.turningAxis(k.firstDof+2, 0, ahead, f, p)))
	case Ball:
		d := l.dofs[k.firstDof : k.firstDof+3]
		arm := p.Sub(l.root.origin)
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
func (l *kinematicTree) turningAxis(i int32, pitch, ahead float64, f r3.Quat, p r3.Vec) float64 {
	d := &l.dofs[i]
	u := f.Rotate(r3.Vec{Z: 1})
	d.axis = spatial{u, p.Sub(l.root.origin).Cross(u)}
	if pitch != 0 {
		d.axis.lin = d.axis.lin.AddScaled(pitch, u)
	}
	return d.q + float64(ahead*d.v)
}

// slidingAxis sets the axis of a prismatic degree of freedom along u, and returns the point after it.
func (l *kinematicTree) slidingAxis(i int32, ahead float64, u, p r3.Vec) r3.Vec {
	d := &l.dofs[i]
	d.axis = spatial{lin: u}
	return p.AddScaled(d.q+float64(ahead*d.v), u)
}

// computeVelocities computes the links' velocities from the joint velocities.
func (l *kinematicTree) computeVelocities() {
	for i := range l.links {
		k := &l.links[i]
		from := &l.root.twist
		if k.parent >= 0 {
			from = &l.links[k.parent].velocity
		}
		ang, lin := from.ang, from.lin
		for d := k.firstDof; d < k.firstDof+k.dofCount; d++ {
			f := &l.dofs[d]
			ang, lin = ang.AddScaled(f.v, f.axis.ang), lin.AddScaled(f.v, f.axis.lin)
		}
		k.velocity.ang, k.velocity.lin = ang, lin
	}
}

// computeBaseVelocity reads the base body's twist, of a kinematic body.
func (l *kinematicTree) computeBaseVelocity(w *World, com r3.Vec) {
	l.root.twist, l.root.acceleration = spatial{}, spatial{}
	if l.base >= 0 && w.bodies[l.base].kind == Kinematic {
		m := &w.motion[l.base]
		l.root.twist = spatial{m.w, m.v.Add(m.w.Cross(l.root.origin.Sub(com)))}
		l.root.acceleration.lin = m.v.Cross(m.w)
	}
}
