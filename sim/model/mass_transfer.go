package model

import (
	"simdeck/sim/dynamics"
	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

const (
	// massTransferRatio is the least mass of a wheel, as a part of its chassis's mass.
	massTransferRatio = 0.125
	// minKeptMass is the least part of its own mass and moments of inertia that a chassis keeps.
	minKeptMass = 0.35
)

// transferMass moves mass from a chassis to its wheels without changing a motion. A mass on the axis of a
// hinge, or at the center of a ball joint, belongs to both ends alike. So does an inertia about all axes
// across the hinge. An iterative solver converges badly at high mass ratios: wheels of a few grams sink, lean
// and creep. The loads of force-torque sensors keep the masses of the file.
func (c *compiler) transferMass() {
	wheels := c.wheelJoints()
	for at := 0; at < len(c.edges); {
		from := c.edges[at].from
		var transfers []massTransfer
		for ; at < len(c.edges) && c.edges[at].from == from; at++ {
			if b := &c.edges[at]; b.down && wheels[b.joint] {
				transfers = c.planTransfers(transfers, b.joint)
			}
		}
		c.applyTransfers(from, transfers)
	}
}

// massTransfer is a mass that goes from a joint's parent to its child, in the frame of either.
type massTransfer struct {
	child               int
	fromParent, toChild shape.Mass
}

// planTransfers appends the mass that the child of a joint should get, if any.
func (c *compiler) planTransfers(transfers []massTransfer, joint int) []massTransfer {
	j := &c.Joints[joint]
	parent, child := &c.Bodies[j.Parent], &c.Bodies[j.Child]
	turns := j.Def.Type == dynamics.Revolute || j.Def.Type == dynamics.Continuous
	if j.Articulation > 0 || !turns && j.Def.Type != dynamics.Ball ||
		parent.Type != dynamics.Dynamic || child.Type != dynamics.Dynamic ||
		parent.NoGravity != child.NoGravity {
		return transfers
	}
	there, here := j.Def.ParentFrame.Upright(), j.Def.ChildFrame.Upright()
	x := massTransfer{child: j.Child}
	x.toChild.Mass = max(0, float64(massTransferRatio*parent.Mass.Mass)-child.Mass.Mass)
	x.fromParent.Mass = -x.toChild.Mass
	if axis, ok := j.Def.Axis.Unit(); turns && ok {
		a := here.Rot.Rotate(axis)
		along := child.Mass.COM.Sub(here.Pos).Dot(a) // where on the axle the wheel is
		here.Pos, there.Pos = here.Pos.AddScaled(along, a), there.Pos.AddScaled(along, there.Rot.Rotate(axis))
		total := x.toChild.Mass + child.Mass.Mass
		least := float64(0.5 * total * child.radius2(here.Pos, a))
		if spare := least - child.Mass.Inertia.Apply(perpendicular(a)).Dot(perpendicular(a)); spare > 0 {
			x.toChild.Inertia = discInertia(a, spare)
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

// radius2 is the square of the radius of a body's shapes about an axis through a point, in m².
func (b *Body) radius2(at, axis r3.Vec) float64 {
	most := 0.0
	for i := range b.Geoms {
		g := &b.Geoms[i].Def
		switch s := g.Shape.(type) {
		case shape.Sphere:
			most = max(most, float64(s.Radius*s.Radius))
		case shape.Cylinder:
			most = max(most, float64(s.Radius*s.Radius))
		default:
			half := s.Bounds(g.Pose).Half()
			arm := half.AddScaled(-half.Dot(axis), axis)
			most = max(most, 0.5*arm.Len2())
		}
	}
	return most
}

// applyTransfers takes the transfers from a body, or an equal part of each where the body would keep too
// little.
func (c *compiler) applyTransfers(from int, transfers []massTransfer) {
	b := &c.Bodies[from]
	for part := 1.0; part > 0.05 && len(transfers) > 0; part /= 1.5 {
		rest := b.Mass
		for i := range transfers {
			rest = rest.Plus(scaleMass(transfers[i].fromParent, part))
		}
		if !staysPositive(rest, b.Mass) {
			continue
		}
		b.Mass = rest
		for i := range transfers {
			child := &c.Bodies[transfers[i].child]
			child.Mass = child.Mass.Plus(scaleMass(transfers[i].toChild, part))
		}
		return
	}
}

// staysPositive reports whether a body has enough left of what it had.
func staysPositive(rest, had shape.Mass) bool {
	if rest.Check() != nil || rest.Mass < float64(minKeptMass*had.Mass) {
		return false
	}
	v, _ := rest.Inertia.Eigen()
	w, _ := had.Inertia.Eigen()
	return min(v.X, v.Y, v.Z) >= float64(minKeptMass*min(w.X, w.Y, w.Z))
}

// scaleMass is a mass with a part of its weight.
func scaleMass(m shape.Mass, part float64) shape.Mass {
	return shape.Mass{Mass: float64(m.Mass * part), COM: m.COM, Inertia: m.Inertia.Scale(part)}
}
