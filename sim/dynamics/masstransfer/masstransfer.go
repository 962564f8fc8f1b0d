// Package masstransfer moves mass from a chassis to its wheels without changing a motion. A mass on the axis
// of a hinge, or at the center of a ball joint, belongs to both ends alike. So does an inertia about all axes
// across the hinge. An iterative solver converges badly at high mass ratios: wheels of a few grams sink, lean
// and creep.
//
// It is pure: masses and joints in, masses out. The world of package dynamics applies it to what is added as
// one assembly, and tells everybody the masses that it was given. Units are SI: kilograms, metres.
package masstransfer

import (
	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

const (
	// transferRatio is the least mass of a wheel, as a part of its chassis's mass.
	transferRatio = 0.125
	// minKept is the least part of its own mass and moments of inertia that a chassis keeps.
	minKept = 0.35
)

// Joint ties a wheel to its chassis: a hinge, or a ball.
type Joint struct {
	Parent, Child           int // bodies: the chassis and the wheel
	Hinge                   bool
	ParentFrame, ChildFrame r3.Pose // of the joint in either body
	Axis                    r3.Vec  // of a hinge, in the joint's frame
	Shapes                  []Shape // of the wheel
}

// Shape is a shape of a wheel in the frame of its body.
type Shape struct {
	shape.Shape
	Pose r3.Pose
}

// Redistribute changes the masses of bodies, each in the frame of its body. The joints of one chassis stand
// together, those nearer to the base first.
func Redistribute(masses []shape.Mass, joints []Joint) {
	for at := 0; at < len(joints); {
		parent := joints[at].Parent
		var transfers []transfer
		for ; at < len(joints) && joints[at].Parent == parent; at++ {
			transfers = plan(transfers, masses, &joints[at])
		}
		apply(masses, parent, transfers)
	}
}

// transfer is a mass that goes from a joint's parent to its child, in the frame of either.
type transfer struct {
	child               int
	fromParent, toChild shape.Mass
}

// plan appends the mass that the child of a joint should get, if any.
func plan(transfers []transfer, masses []shape.Mass, j *Joint) []transfer {
	mass := &masses[j.Child]
	there, here := j.ParentFrame.Upright(), j.ChildFrame.Upright()
	x := transfer{child: j.Child}
	x.toChild.Mass = max(0, float64(transferRatio*masses[j.Parent].Mass)-mass.Mass)
	x.fromParent.Mass = -x.toChild.Mass
	if axis, ok := j.Axis.Unit(); j.Hinge && ok {
		axle := here.Rot.Rotate(axis)
		along := mass.COM.Sub(here.Pos).Dot(axle) // where on the axle the wheel is
		here.Pos = here.Pos.AddScaled(along, axle)
		there.Pos = there.Pos.AddScaled(along, there.Rot.Rotate(axis))
		total := x.toChild.Mass + mass.Mass
		least := float64(0.5 * total * radius2(j.Shapes, axle))
		if spare := least - mass.Inertia.Apply(perpendicular(axle)).Dot(perpendicular(axle)); spare > 0 {
			x.toChild.Inertia = discInertia(axle, spare)
			x.fromParent.Inertia = discInertia(there.Rot.Rotate(axis), -spare)
		}
	}
	x.toChild.COM, x.fromParent.COM = here.Pos, there.Pos
	if x.toChild.Mass == 0 && x.toChild.Inertia == (r3.Mat{}) {
		return transfers
	}
	return append(transfers, x)
}

// perpendicular is a unit vector at a right angle to another.
func perpendicular(a r3.Vec) r3.Vec {
	u, _ := a.Basis()
	return u
}

// discInertia is an inertia about all axes across a, and none about a.
func discInertia(a r3.Vec, moment float64) r3.Mat {
	return r3.Diag(r3.V(moment, moment, 0)).Turned(r3.Between(r3.V(0, 0, 1), a))
}

// radius2 is the square of the radius of a wheel's shapes about its axle, in m².
func radius2(shapes []Shape, axle r3.Vec) float64 {
	most := 0.0
	for i := range shapes {
		switch s := shapes[i].Shape.(type) {
		case shape.Sphere:
			most = max(most, float64(s.Radius*s.Radius))
		case shape.Cylinder:
			most = max(most, float64(s.Radius*s.Radius))
		default:
			half := s.Bounds(shapes[i].Pose).Half()
			arm := half.AddScaled(-half.Dot(axle), axle)
			most = max(most, 0.5*arm.Len2())
		}
	}
	return most
}

// apply takes the transfers from a body, or an equal part of each where the body would keep too
// little.
func apply(masses []shape.Mass, from int, transfers []transfer) {
	for part := 1.0; part > 0.05 && len(transfers) > 0; part /= 1.5 {
		rest := masses[from]
		for i := range transfers {
			rest = rest.Plus(scaleMass(transfers[i].fromParent, part))
		}
		if !staysPositive(rest, masses[from]) {
			continue
		}
		masses[from] = rest
		for i := range transfers {
			child := &masses[transfers[i].child]
			*child = child.Plus(scaleMass(transfers[i].toChild, part))
		}
		return
	}
}

// staysPositive reports whether a body has enough left of what it had.
func staysPositive(rest, had shape.Mass) bool {
	if rest.Check() != nil || rest.Mass < float64(minKept*had.Mass) {
		return false
	}
	v, _ := rest.Inertia.Eigen()
	w, _ := had.Inertia.Eigen()
	return min(v.X, v.Y, v.Z) >= float64(minKept*min(w.X, w.Y, w.Z))
}

// scaleMass is a mass with a part of its weight.
func scaleMass(m shape.Mass, part float64) shape.Mass {
	return shape.Mass{Mass: float64(m.Mass * part), COM: m.COM, Inertia: m.Inertia.Scale(part)}
}
