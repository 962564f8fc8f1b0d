package articulation

import (
	"math"

	"simdeck/sim/r3"
)

// SetFloatingBase sets the position and the velocity of a floating base to those of its body.
func (tree *Tree) SetFloatingBase(com r3.Vec, rot r3.Quat, v, w r3.Vec) {
	for i := range 3 {
		tree.dofs[i].q, tree.dofs[i].v = com.At(i), v.At(i)
		tree.dofs[3+i].v = w.At(i)
	}
	tree.links[0].rotation = rot
}

// MeasureJoint computes a link's joint positions and velocities from both joint frames' poses and both
// bodies' twists at b's frame. An angle equal to the old one modulo 2π keeps its turns. Otherwise it restarts
// within [-π, π] when fresh, else it takes the nearest turn.
func (tree *Tree) MeasureJoint(link int32, a, b r3.Pose, va, vb r3.Twist, fresh bool) {
	k := &tree.links[link]
	spin, slide := a.Rot.RotateBack(vb.Angular.Sub(va.Angular)), a.Rot.RotateBack(vb.Linear.Sub(va.Linear))
	shift := a.Rot.RotateBack(b.Pos.Sub(a.Pos))
	d := tree.dofs[k.firstDof : k.firstDof+k.dofCount]
	switch k.joint.Type {
	case Revolute, Continuous, Screw:
		d[0].q, d[0].v = UnwrapAngle(d[0].q, TwistAngle(a.Rot, b.Rot), fresh), spin.Z
	case Prismatic:
		d[0].q, d[0].v = shift.Z, slide.Z
	case Ball:
		k.rotation = a.Rot.Conj().Mul(b.Rot)
		d[0].v, d[1].v, d[2].v = spin.X, spin.Y, spin.Z
		if d[0].stiffness > 0 {
			k.updateSpringAngles(d)
		}
	case Planar:
		d[0].q, d[1].q, d[2].q = shift.X, shift.Y, UnwrapAngle(d[2].q, TwistAngle(a.Rot, b.Rot), fresh)
		d[0].v, d[1].v, d[2].v = slide.X, slide.Y, spin.Z
	case Universal:
		x := a.Rot.RotateBack(b.Rot.Rotate(r3.Vec{X: 1}))
		first := r3.Atan2(x.Y, x.X)
		d[0].q = UnwrapAngle(d[0].q, first, fresh)
		f := aboutZ(first)
		half := f.Conj().Mul(a.Rot.Conj().Mul(b.Rot))
		d[1].q = UnwrapAngle(d[1].q, WrapAngle(float64(2*r3.Atan2(half.X, half.W))), fresh)
		d[0].v, d[1].v = spin.Z, spin.Dot(f.Rotate(r3.Vec{X: 1}))
	}
}

// CountTurns adds whole turns to the first angle of a link's joint, so that it is the nearest to one, rad.
func CountTurns(tree *Tree, link int32, near float64) {
	d := &tree.dofs[tree.links[link].firstDof]
	d.q = UnwrapAngle(near, d.q, false)
}

// ShareMomenta projects velocities of the bodies onto the joints in the metric of kinetic energy. A twist
// that is set for one body therefore spreads like a hit. The bodies' twists are those of their centres of
// mass.
func (art *Articulation) ShareMomenta(base *Base, twist func(link int) (v, w r3.Vec)) {
	art.forwardKinematics(0, base)
	art.computeBaseVelocity(base)
	art.computeInertia(0)
	art.carried.origin = art.baseMotion.origin
	for i := range art.links {
		k := &art.links[i]
		v, w := twist(i)
		given := spatial{w, v.Sub(w.Cross(k.arm))}
		k.carriedMomentum = k.inertia.momentum(&given)
	}
	art.carried.project(&art.Tree)
}

// TwistAngle is the angle of b against a about their z axis, in [-π, π].
func TwistAngle(a, b r3.Quat) float64 {
	q := a.Conj().Mul(b)
	return WrapAngle(float64(2 * r3.Atan2(q.Z, q.W)))
}

// WrapAngle reduces an angle to [-π, π].
func WrapAngle(a float64) float64 {
	return a - float64(2*math.Pi*math.Floor(float64(a*(0.5/math.Pi))+0.5))
}

// UnwrapAngle continues an angle measured modulo 2π from its last value. An angle that has changed restarts
// within [-π, π] when fresh.
func UnwrapAngle(was, angle float64, fresh bool) float64 {
	on := was + WrapAngle(angle-was)
	if fresh && math.Abs(on-was) > 1e-6 {
		return angle
	}
	return on
}
