package sim

import (
	"simdeck/sim/dynamics"
	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

const (
	// massTransferRatio is what part of the mass of its carrier a wheel should have at least.
	massTransferRatio = 0.125
	// minKeptMass is the least part of its own mass and moments of inertia that a carrier keeps.
	minKeptMass = 0.35
)

// transferMass moves mass from what is carried to the wheels that carry it, in a way that changes no motion: a mass
// on the axis of a hinge, or at the centre of a ball joint, belongs to both ends alike, and so does an inertia
// about all axes across the hinge. Wheels of a few grams between a robot and the ground are what an iterative
// solver is worst at: they sink, lean and creep. What a sensor of forces weighs stays what the file says.
func (p *compiledModel) transferMass() {
	gear := p.wheelbase()
	for at := 0; at < len(p.jointEdges); {
		from := p.jointEdges[at].from
		var gifts []massTransfer
		for ; at < len(p.jointEdges) && p.jointEdges[at].from == from; at++ {
			if b := &p.jointEdges[at]; b.down && gear[b.joint] {
				gifts = p.planTransfers(gifts, b.joint)
			}
		}
		p.applyTransfers(from, gifts)
	}
}

// massTransfer is what a joint's child gets of its parent, seen from either.
type massTransfer struct {
	child   int
	out, in shape.Mass
}

// planTransfers appends what the child of a joint should get, if anything.
func (p *compiledModel) planTransfers(gifts []massTransfer, joint int) []massTransfer {
	j := &p.joints[joint]
	parent, child := &p.bodies[j.parent], &p.bodies[j.child]
	turns := j.def.Type == dynamics.Revolute || j.def.Type == dynamics.Continuous
	if j.tree > 0 || !turns && j.def.Type != dynamics.Ball ||
		parent.kind != dynamics.Dynamic || child.kind != dynamics.Dynamic || parent.floating != child.floating {
		return gifts
	}
	there, here := j.def.ParentFrame.Upright(), j.def.ChildFrame.Upright()
	g := massTransfer{child: j.child}
	g.in.Mass = max(0, float64(massTransferRatio*parent.mass.Mass)-child.mass.Mass)
	g.out.Mass = -g.in.Mass
	if axis, ok := j.def.Axis.Unit(); turns && ok {
		a := here.Rot.Rotate(axis)
		along := child.mass.COM.Sub(here.Pos).Dot(a) // where on the axle the wheel is
		here.Pos, there.Pos = here.Pos.AddScaled(along, a), there.Pos.AddScaled(along, there.Rot.Rotate(axis))
		total := g.in.Mass + child.mass.Mass
		least := float64(0.5 * total * child.radius2(here.Pos, a))
		if spare := least - child.mass.Inertia.Apply(perpendicular(a)).Dot(perpendicular(a)); spare > 0 {
			g.in.Inertia = discInertia(a, spare)
			g.out.Inertia = discInertia(there.Rot.Rotate(axis), -spare)
		}
	}
	g.in.COM, g.out.COM = here.Pos, there.Pos
	if g.in.Mass == 0 && g.in.Inertia == (r3.Mat{}) {
		return gifts
	}
	return append(gifts, g)
}

// perpendicular is a direction square to another.
func perpendicular(a r3.Vec) r3.Vec {
	u, _ := a.Basis()
	return u
}

// discInertia is an inertia about all axes across a, and none about a.
func discInertia(a r3.Vec, moment float64) r3.Mat {
	return r3.Diag(r3.V(moment, moment, 0)).Turned(r3.Between(r3.V(0, 0, 1), a))
}

// radius2 is the square of how far a body's shapes reach from an axis through a point, in m².
func (b *modelBody) radius2(at, axis r3.Vec) float64 {
	most := 0.0
	for i := range b.geoms {
		g := &b.geoms[i].def
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

// applyTransfers takes the gifts from a body, or an equal part of each where it would keep too little.
func (p *compiledModel) applyTransfers(from int, gifts []massTransfer) {
	b := &p.bodies[from]
	for part := 1.0; part > 0.05 && len(gifts) > 0; part /= 1.5 {
		rest := b.mass
		for i := range gifts {
			rest = rest.Plus(scaleMass(gifts[i].out, part))
		}
		if !staysPositive(rest, b.mass) {
			continue
		}
		b.mass = rest
		for i := range gifts {
			c := &p.bodies[gifts[i].child]
			c.mass = c.mass.Plus(scaleMass(gifts[i].in, part))
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
