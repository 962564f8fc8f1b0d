package dynamics

import (
	"math"

	"simdeck/sim/r3"
)

// measureArticulations measures the joints of articulations whose bodies were set from outside, and moves the
// links to the allowed poses.
func (w *World) measureArticulations(fresh bool) {
	for i := range w.articulations {
		if art := &w.articulations[i]; art.live && art.dirty {
			art.measure(w, fresh)
		}
	}
}

// measure computes joint positions and velocities from the bodies. An angle equal to the old one modulo 2π
// keeps its turns. Otherwise it restarts within [-π, π] when fresh, else it takes the nearest turn.
func (art *articulation) measure(w *World, fresh bool) {
	art.dirty = false
	if art.floating {
		m, k := &w.bodies.motion[art.links[0].body], &art.links[0]
		for i := range 3 {
			art.dofs[i].q, art.dofs[i].v = m.com.At(i), m.v.At(i)
			art.dofs[3+i].v = m.w.At(i)
		}
		k.rotation = m.rot
	}
	for i := range art.links {
		if k := &art.links[i]; k.joint >= 0 && k.dofCount > 0 {
			k.measure(w, art, fresh)
		}
	}
	art.shareMomenta(w)
	art.publish(w, false)
	art.storeJointState(w)
}

// shareMomenta projects the bodies' velocities onto the joints in the metric of kinetic energy. A twist that
// is set for one body therefore spreads like a hit.
func (art *articulation) shareMomenta(w *World) {
	com, rot := art.basePoseAtStepEnd(w)
	art.forwardKinematics(w, 0, com, rot)
	art.computeBaseVelocity(w, com)
	art.computeInertia(w, 0)
	art.carried.origin = art.baseMotion.origin
	for i := range art.links {
		k := &art.links[i]
		m := &w.bodies.motion[k.body]
		given := spatial{m.w, m.v.Sub(m.w.Cross(k.arm))}
		k.carriedMomentum = k.inertia.momentum(&given)
	}
	art.projectMomenta()
	if art.floating {
		m, d := &w.bodies.motion[art.links[0].body], art.dofs
		m.v, m.w = r3.Vec{X: d[0].v, Y: d[1].v, Z: d[2].v}, r3.Vec{X: d[3].v, Y: d[4].v, Z: d[5].v}
	}
}

// measure computes a link's joint positions and velocities.
func (k *link) measure(w *World, art *articulation, fresh bool) {
	j := &w.joints.all[k.joint]
	a, b := j.ends(&w.bodies)
	va, vb := j.twistsAt(&w.bodies, b.Pos)
	spin, slide := a.Rot.RotateBack(vb.Angular.Sub(va.Angular)), a.Rot.RotateBack(vb.Linear.Sub(va.Linear))
	shift := a.Rot.RotateBack(b.Pos.Sub(a.Pos))
	d := art.dofs[k.firstDof : k.firstDof+k.dofCount]
	switch j.kind {
	case Revolute, Continuous, Screw:
		d[0].q, d[0].v = unwrapAngle(d[0].q, twistAngle(a.Rot, b.Rot), fresh), spin.Z
	case Prismatic:
		d[0].q, d[0].v = shift.Z, slide.Z
	case Ball:
		k.rotation = a.Rot.Conj().Mul(b.Rot)
		d[0].v, d[1].v, d[2].v = spin.X, spin.Y, spin.Z
		if d[0].stiffness > 0 {
			k.updateSpringAngles(d)
		}
	case Planar:
		d[0].q, d[1].q, d[2].q = shift.X, shift.Y, unwrapAngle(d[2].q, twistAngle(a.Rot, b.Rot), fresh)
		d[0].v, d[1].v, d[2].v = slide.X, slide.Y, spin.Z
	case Universal:
		x := a.Rot.RotateBack(b.Rot.Rotate(r3.Vec{X: 1}))
		first := r3.Atan2(x.Y, x.X)
		d[0].q = unwrapAngle(d[0].q, first, fresh)
		f := aboutZ(first)
		half := f.Conj().Mul(a.Rot.Conj().Mul(b.Rot))
		d[1].q = unwrapAngle(d[1].q, wrap(float64(2*r3.Atan2(half.X, half.W))), fresh)
		d[0].v, d[1].v = spin.Z, spin.Dot(f.Rotate(r3.Vec{X: 1}))
	}
}

// unwrapAngle continues an angle measured modulo 2π from its last value.
func unwrapAngle(was, angle float64, fresh bool) float64 {
	on := was + wrap(angle-was)
	if fresh && math.Abs(on-was) > 1e-6 {
		return angle
	}
	return on
}
