package sim

import (
	"simdeck/sim/physics"
	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

const (
	// fairShare is what part of the mass of its carrier a wheel should have at least.
	fairShare = 0.125
	// keptShare is the least part of its own mass and moments of inertia that a carrier keeps.
	keptShare = 0.35
)

// share moves mass from what is carried to the wheels that carry it, in a way that changes no motion: a mass
// on the axis of a hinge, or at the centre of a ball joint, belongs to both ends alike, and so does an inertia
// about all axes across the hinge. Wheels of a few grams between a robot and the ground are what an iterative
// solver is worst at: they sink, lean and creep. What a sensor of forces weighs stays what the file says.
func (p *plan) share() {
	gear := p.runningGear()
	for at := 0; at < len(p.tree); {
		from := p.tree[at].from
		var gifts []gift
		for ; at < len(p.tree) && p.tree[at].from == from; at++ {
			if b := &p.tree[at]; b.down && gear[b.joint] {
				gifts = p.give(gifts, b.joint)
			}
		}
		p.hand(from, gifts)
	}
}

// gift is what a joint's child gets of its parent, seen from either.
type gift struct {
	child           int
	given, received shape.Mass
}

// give appends what the child of a joint should get, if anything.
func (p *plan) give(gifts []gift, joint int) []gift {
	j := &p.joints[joint]
	parent, child := &p.bodies[j.parent], &p.bodies[j.child]
	turns := j.def.Type == physics.Revolute || j.def.Type == physics.Continuous
	if j.tree > 0 || !turns && j.def.Type != physics.Ball ||
		parent.kind != physics.Dynamic || child.kind != physics.Dynamic || parent.float != child.float {
		return gifts
	}
	there, here := j.def.ParentFrame.Upright(), j.def.ChildFrame.Upright()
	g := gift{child: j.child}
	g.received.Mass = max(0, float64(fairShare*parent.mass.Mass)-child.mass.Mass)
	g.given.Mass = -g.received.Mass
	if axis, ok := j.def.Axis.Unit(); turns && ok {
		a := here.Rot.Rotate(axis)
		along := child.mass.COM.Sub(here.Pos).Dot(a) // where on the axle the wheel is
		here.Pos, there.Pos = here.Pos.AddScaled(along, a), there.Pos.AddScaled(along, there.Rot.Rotate(axis))
		total := g.received.Mass + child.mass.Mass
		least := float64(0.5 * total * child.radius2(here.Pos, a))
		if spare := least - child.mass.Inertia.Apply(across(a)).Dot(across(a)); spare > 0 {
			g.received.Inertia = disc(a, spare)
			g.given.Inertia = disc(there.Rot.Rotate(axis), -spare)
		}
	}
	g.received.COM, g.given.COM = here.Pos, there.Pos
	if g.received.Mass == 0 && g.received.Inertia == (r3.Mat{}) {
		return gifts
	}
	return append(gifts, g)
}

// across is a direction square to another.
func across(a r3.Vec) r3.Vec {
	u, _ := a.Basis()
	return u
}

// disc is an inertia about all axes across a, and none about a.
func disc(a r3.Vec, moment float64) r3.Mat {
	return r3.Diag(r3.V(moment, moment, 0)).Turned(r3.Between(r3.V(0, 0, 1), a))
}

// radius2 is the square of how far a body's shapes reach from an axis through a point, in m².
func (b *planBody) radius2(at, axis r3.Vec) float64 {
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

// hand takes the gifts from a body, or an equal part of each where it would keep too little.
func (p *plan) hand(from int, gifts []gift) {
	b := &p.bodies[from]
	for part := 1.0; part > 0.05 && len(gifts) > 0; part /= 1.5 {
		rest := b.mass
		for i := range gifts {
			rest = rest.Plus(partOf(gifts[i].given, part))
		}
		if !keeps(rest, b.mass) {
			continue
		}
		b.mass = rest
		for i := range gifts {
			c := &p.bodies[gifts[i].child]
			c.mass = c.mass.Plus(partOf(gifts[i].received, part))
		}
		return
	}
}

// keeps reports whether a body has enough left of what it had.
func keeps(rest, had shape.Mass) bool {
	if rest.Check() != nil || rest.Mass < float64(keptShare*had.Mass) {
		return false
	}
	v, _ := rest.Inertia.Eigen()
	w, _ := had.Inertia.Eigen()
	return min(v.X, v.Y, v.Z) >= float64(keptShare*min(w.X, w.Y, w.Z))
}

// partOf is a mass with a part of its weight.
func partOf(m shape.Mass, part float64) shape.Mass {
	return shape.Mass{Mass: float64(m.Mass * part), COM: m.COM, Inertia: m.Inertia.Scale(part)}
}
