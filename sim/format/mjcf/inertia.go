package mjcf

import (
	"math"

	"simdeck/sim/format/source"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// leastMoment is the lower bound of a moving body's mass and inertia.
const leastMoment = 1e-15

// inertial reads the mass that a file gives to a body.
func (r *reader) inertial(e elem, c context) error {
	a := attrs{e}
	in := scene.Inertial{}
	var err error
	if in.Pose, err = r.set.pose(a); err != nil {
		return err
	}
	if in.Mass, err = a.number("mass", -1); err != nil {
		return err
	}
	if in.Mass < 0 {
		return e.errorf("<inertial> with mass=%q; a mass is given and not negative", clip(e.Get("mass")))
	}
	diagonal, err := a.numbers("diaginertia", 3, 3)
	if err != nil {
		return err
	}
	full, err := a.numbers("fullinertia", 6, 6)
	switch {
	case err != nil:
		return err
	case full != nil:
		in.Inertia = r3.Mat{XX: full[0], YY: full[1], ZZ: full[2], XY: full[3], YX: full[3], XZ: full[4],
			ZX: full[4], YZ: full[5], ZY: full[5]}
	case diagonal != nil:
		in.Inertia = r3.Diag(r3.V(diagonal[0], diagonal[1], diagonal[2]))
	}
	if err := r.possible(e, &in); err != nil {
		return err
	}
	in.Pose = c.frame.Mul(in.Pose)
	if c.body == 0 {
		return e.errorf("<inertial> of the world itself")
	}
	r.out.bodies[c.body].inertial = &in
	return nil
}

// possible refuses an inertia that no body has, or repairs it where the file asks for that.
func (r *reader) possible(e elem, in *scene.Inertial) error {
	v, axes := in.Inertia.Eigen()
	most := max(v.X, v.Y, v.Z)
	switch {
	case min(v.X, v.Y, v.Z) < -1e-12*most || !v.IsFinite():
		return e.errorf("<inertial> has principal moments of %.4g, %.4g and %.4g; none is negative", v.X, v.Y,
			v.Z)
	case most <= (v.X+v.Y+v.Z-most)*(1+1e-9):
		return nil
	case r.set.balance:
		mean := (v.X + v.Y + v.Z) / 3
		in.Inertia = r3.Diag(r3.V(mean, mean, mean)).Turned(axes)
		e.note(scene.Inferred, "principal moments of %.4g, %.4g and %.4g, which no body has: %.4g each, as balanceinertia asks",
			v.X, v.Y, v.Z, mean)
		return nil
	}
	return e.errorf("<inertial> has principal moments of %.4g, %.4g and %.4g: the greatest exceeds the sum of the others, so that no body has them; balanceinertia=\"true\" repairs it",
		v.X, v.Y, v.Z)
}

// weigh finds the mass of every body.
func (b *build) weigh() error {
	for _, n := range b.bodies[1:] {
		switch {
		case n.inertial != nil && b.set.fromGeoms != "true":
			n.mass = *n.inertial
		case b.set.fromGeoms != "false":
			n.mass = n.summed(b.set.groups)
		}
		if n.mass.Pose.Rot == (r3.Quat{}) {
			n.mass.Pose.Rot = r3.Identity()
		}
	}
	b.bound()
	for _, i := range b.movers() {
		if err := b.heavyEnough(i); err != nil {
			return err
		}
	}
	b.resolveTimeConstants()
	return nil
}

// summed is the mass of a body's shapes.
func (n *body) summed(groups [2]int) scene.Inertial {
	var parts []scene.Inertial
	for _, g := range n.geoms {
		if g.group < groups[0] || g.group > groups[1] || g.mass == 0 {
			continue
		}
		if in, ok := g.weigh(); ok {
			parts = append(parts, in)
		}
	}
	return source.Sum(parts)
}

// weigh is the mass of a shape: its own, or that of its density.
func (g *geom) weigh() (scene.Inertial, bool) {
	in, ok := g.unit()
	if !ok || !(in.Mass > 0) {
		return in, false
	}
	factor := g.density
	if g.mass > 0 {
		factor = g.mass / in.Mass
	}
	in.Mass *= factor
	in.Inertia = in.Inertia.Scale(factor)
	return in, in.Mass > 0
}

// unit is the mass distribution at a density of 1 kg/m³, of a shell 1 kg/m².
func (g *geom) unit() (scene.Inertial, bool) {
	switch {
	case g.lost || g.Kind == 0 || g.Kind == scene.Plane || g.terrain != nil:
		return scene.Inertial{}, false
	case g.shell && g.ellipsoid:
		return g.shellInertia()
	case g.shell && g.Kind == scene.MeshGeom:
		return g.skin()
	case g.shell:
		return g.hollow(), true
	case g.ellipsoid:
		s := g.size
		m := 4.0 / 3 * math.Pi * s.X * s.Y * s.Z
		return scene.Inertial{Mass: m, Pose: g.Pose,
			Inertia: r3.Diag(r3.V(s.Y*s.Y+s.Z*s.Z, s.X*s.X+s.Z*s.Z, s.X*s.X+s.Y*s.Y).Scale(m / 5))}, true
	case g.Kind == scene.MeshGeom:
		return g.solidMesh()
	}
	return source.Solid(&g.Geom, 1)
}

// hollow is an evenly thin shell of a shape.
func (g *geom) hollow() scene.Inertial {
	r, h, s := g.Radius, g.Length, g.Size
	in := scene.Inertial{Pose: g.Pose}
	switch g.Kind {
	case scene.Sphere:
		in.Mass = 4 * math.Pi * r * r
		in.Inertia = r3.Diag(r3.V(1, 1, 1).Scale(in.Mass * r * r * 2 / 3))
	case scene.Cylinder:
		side, ends := 2*math.Pi*r*h, 2*math.Pi*r*r
		in.Mass = side + ends
		across := side*(r*r/2+h*h/12) + ends*(r*r/4+h*h/4)
		in.Inertia = r3.Diag(r3.V(across, across, side*r*r+ends*r*r/2))
	case scene.Capsule:
		side, ends := 2*math.Pi*r*h, 4*math.Pi*r*r
		in.Mass = side + ends
		// Two half shells: their centres are r/2 above their rims.
		across := side*(r*r/2+h*h/12) + ends*(r*r*2/3-r*r/4+(h/2+r/2)*(h/2+r/2))
		in.Inertia = r3.Diag(r3.V(across, across, side*r*r+ends*r*r*2/3))
	case scene.Box:
		x, y, z := s.X*s.X, s.Y*s.Y, s.Z*s.Z
		a, b, c := 2*s.Y*s.Z, 2*s.X*s.Z, 2*s.X*s.Y // faces across x, y, z
		in.Mass = a + b + c
		xx := a*(y+z)/12 + b*(z/12+y/4) + c*(y/12+z/4)
		yy := a*(z/12+x/4) + b*(x+z)/12 + c*(x/12+z/4)
		zz := a*(y/12+x/4) + b*(x/12+y/4) + c*(x+y)/12
		in.Inertia = r3.Diag(r3.V(xx, yy, zz))
	}
	return in
}

// bound raises masses and inertias to the least that the file allows, and scales them to the total that it
// asks for.
func (b *build) bound() {
	total := 0.0
	for _, n := range b.bodies[1:] {
		n.mass.Mass = max(n.mass.Mass, b.set.leastMass)
		if least := b.set.leastInertia; least > 0 {
			v, axes := n.mass.Inertia.Eigen()
			n.mass.Inertia = r3.Diag(v.Max(r3.V(least, least, least))).Turned(axes)
		}
		total += n.mass.Mass
	}
	if b.set.total <= 0 || total <= 0 {
		return
	}
	factor := b.set.total / total
	for _, n := range b.bodies[1:] {
		n.mass.Mass *= factor
		n.mass.Inertia = n.mass.Inertia.Scale(factor)
	}
}

// movers are the bodies that move against their parents.
func (b *build) movers() []int {
	var out []int
	for i, n := range b.bodies {
		if n.free || len(n.joints) > 0 {
			out = append(out, i)
		}
	}
	return out
}

// heavyEnough refuses a body that moves and weighs nothing, with all that is fixed to it.
func (b *build) heavyEnough(i int) error {
	fixed := map[int]bool{i: true}
	mass, lost := b.bodies[i].mass.Mass, b.bodies[i].lost
	moment := b.bodies[i].mass.Inertia
	for k := i + 1; k < len(b.bodies); k++ {
		n := b.bodies[k]
		if !fixed[n.parent] || n.free || len(n.joints) > 0 {
			if n.parent < i {
				break
			}
			continue
		}
		fixed[k] = true
		mass += n.mass.Mass
		moment = moment.Add(n.mass.Inertia)
		lost = lost || n.lost
	}
	n := b.bodies[i]
	switch {
	case lost && mass <= leastMoment:
		n.elem.note(scene.Inferred, "body %q takes its mass from a mesh that is not there", clip(n.name))
	case mass <= leastMoment:
		return n.elem.errorf("body %q moves and has no mass; a <geom> with a volume or an <inertial> gives it one",
			clip(n.name))
	}
	return nil
}
