package model

import (
	"fmt"
	"math"
	"slices"

	"simdeck/sim/dynamics"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/shape"
)

const (
	// inferredDensity is the density of water in kg/m³, for bodies without a mass.
	inferredDensity = 1000
	// inferredRadius is the radius in m of a ball of 1 kg, for links with neither mass nor shape.
	inferredRadius = 0.1
	// leastMass is the mass in kg below which a link has none.
	leastMass = 1e-30
)

// computeMasses takes the mass properties of the links from the description. The error wraps scene.ErrParse.
func (c *compiler) computeMasses() error {
	c.linkMasses = make([]shape.Mass, len(c.Spec.Links))
	for i := range c.Spec.Links {
		l := &c.Spec.Links[i]
		in := l.Inertial
		if math.IsNaN(in.Mass) || math.IsInf(in.Mass, 0) || in.Mass < 0 || !in.Inertia.IsFinite() {
			return fmt.Errorf("%w: link %q has a mass of %v kg and an inertia of %v", scene.ErrParse, l.Name,
				in.Mass, in.Inertia)
		}
		if in.Mass >= leastMass {
			c.linkMasses[i] = shape.Mass{Mass: in.Mass, Inertia: in.Inertia}.Moved(in.Pose.Upright())
		}
	}
	return nil
}

// fillMass gives every body its shapes and its mass.
func (c *compiler) fillMass() {
	for i := range c.Spec.Links {
		c.addGeoms(i)
	}
	inferred := true
	for i, w := range c.linkMasses {
		if w.Mass > 0 {
			inferred = false
			b := &c.Bodies[c.Placements[i].Body]
			b.Mass = b.Mass.Plus(w.Moved(c.Placements[i].Pose))
			if d, share := c.Spec.Links[i].Drag, w.Mass/b.Mass.Mass; d != b.Drag {
				b.Drag.Linear += float64(share * (d.Linear - b.Drag.Linear))
				b.Drag.Angular += float64(share * (d.Angular - b.Drag.Angular))
			}
		}
	}
	last := c.lastBelow()
	light := make([]bool, len(c.Bodies)) // bodies between joints that weigh nothing
	for i := range c.Bodies {
		b := &c.Bodies[i]
		light[i] = b.Type == dynamics.Dynamic && b.Mass.Mass == 0 && (c.isVirtual(i) || last[i] > 0 && len(b.Geoms) == 0)
		if b.Type != dynamics.Dynamic || light[i] {
			continue
		}
		if b.Mass.Mass == 0 {
			c.inferMass(b)
		}
		c.repairMass(b)
	}
	c.setMinimalMasses(light, last)
	if inferred && !c.Static && c.hasMovingBodies() {
		c.note(scene.Inferred, "the file gives no mass: taken from the collision shapes with the density of water")
	}
}

// hasMovingBodies reports whether something of the model is moved by forces.
func (c *compiler) hasMovingBodies() bool {
	return slices.ContainsFunc(c.Bodies, func(b Body) bool { return b.Type == dynamics.Dynamic })
}

// Links between joints that weigh nothing, such as the virtual ones of joints with several axes, get these
// parts of the mass and of the mean inertia of the body that they carry. Where three axes of a wrist lie in a
// plane, the joint-space inertia of the middle one is that of the virtual link.
const (
	minMass    = 1e-4
	minInertia = 1e-3
)

// lastBelow is, by body, 1 + the last joint that moves of which it is the parent.
func (c *compiler) lastBelow() []int {
	last := make([]int, len(c.Bodies))
	for i := range c.Spec.Joints {
		j := &c.Spec.Joints[i]
		if j.Parent == scene.World || c.isFixed(j) {
			continue
		}
		if parent := c.Placements[j.Parent].Body; parent != c.Placements[j.Child].Body {
			last[parent] = i + 1
		}
	}
	return last
}

// setMinimalMasses gives the light bodies a mass by the child of the joint before last: outermost first.
func (c *compiler) setMinimalMasses(light []bool, last []int) {
	onPath := make([]bool, len(light))
	for i := len(light) - 1; i >= 0; i-- {
		var path []int
		for at := i; light[at] && c.Bodies[at].Mass.Mass == 0 && !onPath[at]; {
			path, onPath[at] = append(path, at), true
			if last[at] > 0 {
				at = c.Placements[c.Spec.Joints[last[at]-1].Child].Body
			}
		}
		for _, at := range slices.Backward(path) {
			c.setMinimalMass(at, light, last[at])
		}
	}
}

// setMinimalMass gives a light body a mass by the child of the joint before below.
func (c *compiler) setMinimalMass(i int, light []bool, below int) {
	b := &c.Bodies[i]
	m := shape.Mass{Mass: 1e-6, Inertia: r3.Diag(r3.V(1e-9, 1e-9, 1e-9))}
	if below > 0 {
		child := c.Placements[c.Spec.Joints[below-1].Child].Body
		switch carried := c.Bodies[child].Mass; {
		case carried.Mass == 0: // of a circle of light bodies, or of one that does not move
		case light[child]:
			m = carried
		default:
			even := float64(minInertia * (carried.Inertia.XX + carried.Inertia.YY + carried.Inertia.ZZ) / 3)
			m = shape.Mass{Mass: float64(minMass * carried.Mass), Inertia: r3.Diag(r3.V(even, even, even))}
		}
	}
	b.Mass, b.NoGravity = m, true
	if !c.isVirtual(i) {
		c.note(scene.Inferred, "link %q between joints has no mass: as little as the solver bears, %.2g kg",
			c.Spec.Links[b.Root].Name, m.Mass)
	}
}

// inferMass gives a body a mass by the volume of its shapes.
func (c *compiler) inferMass(b *Body) {
	for i := range b.Geoms {
		g := &b.Geoms[i].Def
		if m := g.Shape.Mass(inferredDensity); m.Mass > 0 {
			b.Mass = b.Mass.Plus(m.Moved(g.Pose))
		}
	}
	name := c.Spec.Links[b.Root].Name
	if b.Mass.Mass > 0 {
		c.note(scene.Inferred, "link %q has no mass: %.3g kg taken from its collision shapes", name,
			b.Mass.Mass)
		return
	}
	b.Mass = shape.Sphere{Radius: inferredRadius}.Mass(1)
	b.Mass.Inertia = b.Mass.Inertia.Scale(1 / b.Mass.Mass)
	b.Mass.Mass = 1
	c.note(scene.Inferred, "link %q has neither mass nor volume: taken as a ball of 1 kg", name)
}

// repairMass replaces an inertia that is not positive or breaks the triangle inequality by one near it: the
// solver divides by it.
func (c *compiler) repairMass(b *Body) {
	i := b.Mass.Inertia
	// The largest moment of inertia is that of a ball of this mass and a radius of MaxDistance.
	most := float64(0.4 * b.Mass.Mass * MaxDistance * MaxDistance)
	bounded := true
	for _, m := range [...]*float64{&i.XX, &i.XY, &i.XZ, &i.YX, &i.YY, &i.YZ, &i.ZX, &i.ZY, &i.ZZ} {
		bounded = bounded && math.Abs(*m) <= most
		*m = max(-most, min(*m, most))
	}
	i.XY, i.XZ, i.YZ = (i.XY+i.YX)/2, (i.XZ+i.ZX)/2, (i.YZ+i.ZY)/2
	i.YX, i.ZX, i.ZY = i.XY, i.XZ, i.YZ
	moments, axes := i.Eigen()
	// The least moment of inertia is that of a ball of this mass and a radius of 1 mm.
	least := float64(0.4 * b.Mass.Mass * 1e-6)
	if b.Mass.Check() == nil && bounded && min(moments.X, moments.Y, moments.Z) >= least {
		return
	}
	v := r3.V(max(moments.X, least), max(moments.Y, least), max(moments.Z, least))
	// Triangle inequality: no principal moment exceeds the sum of the others.
	v.X = atLeast(v.X, v.Y, v.Z)
	v.Y = atLeast(v.Y, v.Z, v.X)
	v.Z = atLeast(v.Z, v.X, v.Y)
	b.Mass.Inertia = r3.Diag(v).Turned(axes)
	c.note(scene.Suspicious, "link %q has principal moments of inertia of %.3g, %.3g, %.3g kg·m², which no body has: taken as %.3g, %.3g, %.3g",
		c.Spec.Links[b.Root].Name, moments.X, moments.Y, moments.Z, v.X, v.Y, v.Z)
}

// atLeast raises a moment m until neither of the others exceeds the sum of m and the third.
func atLeast(m, a, b float64) float64 { return max(m, math.Abs(a-b)*(1+1e-9)) }

// isVirtual reports whether a body only stands between two joints.
func (c *compiler) isVirtual(body int) bool { return c.Spec.Links[c.Bodies[body].Root].Virtual }
