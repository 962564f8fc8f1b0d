package sim

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
	// inferredDensity is that of water, in kg/m³: what a body weighs when its
	// file says nothing.
	inferredDensity = 1000
	// inferredRadius is of the ball, of 1 kg, that stands for a link whose mass
	// and shape are both unknown.
	inferredRadius = 0.1
)

// computeMasses gathers what the file says of the links' masses. Bodies of models that
// never move need none.
func (p *compiledModel) computeMasses() error {
	p.linkMasses = make([]shape.Mass, len(p.spec.Links))
	for i := range p.spec.Links {
		l := &p.spec.Links[i]
		in := l.Inertial
		if math.IsNaN(in.Mass) || math.IsInf(in.Mass, 0) || in.Mass < 0 || !in.Inertia.IsFinite() {
			return fmt.Errorf("%w: link %q has a mass of %v kg and an inertia of %v", ErrParse, l.Name, in.Mass, in.Inertia)
		}
		if in.Mass > 0 {
			p.linkMasses[i] = shape.Mass{Mass: in.Mass, Inertia: in.Inertia}.Moved(in.Pose.Upright())
		}
	}
	return nil
}

// fillMass gives every body its shapes and its mass.
func (p *compiledModel) fillMass() {
	for i := range p.spec.Links {
		p.addGeoms(i)
	}
	inferred := true
	for i, w := range p.linkMasses {
		if w.Mass > 0 {
			inferred = false
			b := &p.bodies[p.placements[i].body]
			b.mass = b.mass.Plus(w.Moved(p.placements[i].pose))
			if d, share := p.spec.Links[i].Drag, w.Mass/b.mass.Mass; d != b.drag {
				b.drag.Linear += float64(share * (d.Linear - b.drag.Linear))
				b.drag.Angular += float64(share * (d.Angular - b.drag.Angular))
			}
		}
	}
	for i := range p.bodies {
		b := &p.bodies[i]
		if b.kind != dynamics.Dynamic || b.mass.Mass == 0 && p.isVirtual(i) {
			continue
		}
		if b.mass.Mass == 0 {
			p.inferMass(b)
		}
		p.repairMass(b)
	}
	last := p.lastBelow()
	for i := len(p.bodies) - 1; i >= 0; i-- { // what hangs on a virtual link comes after it
		if b := &p.bodies[i]; b.kind == dynamics.Dynamic && b.mass.Mass == 0 {
			p.setMinimalMass(b, last[b.root])
		}
	}
	if inferred && !p.static && p.hasMovingBodies() {
		p.note(scene.Inferred, "the file gives no mass: taken from the collision shapes with the density of water")
	}
}

// hasMovingBodies reports whether something of the model is moved by forces.
func (p *compiledModel) hasMovingBodies() bool {
	return slices.ContainsFunc(p.bodies, func(b modelBody) bool { return b.kind == dynamics.Dynamic })
}

// What a link that only stands between two joints has of the mass and of the inertia of what it carries. Trees of joints
// in reduced coordinates need some: where three axes come to lie in a plane, it is all that the joint between them feels.
const (
	minMass    = 1e-4
	minInertia = 1e-3
)

// lastBelow is, by link, 1 + the last joint of which it is the parent.
func (p *compiledModel) lastBelow() []int {
	last := make([]int, len(p.spec.Links))
	for i := range p.spec.Joints {
		if parent := p.spec.Joints[i].Parent; parent != scene.World {
			last[parent] = i + 1
		}
	}
	return last
}

// setMinimalMass weighs a link that only stands between two joints, by the joint before below. What hangs on it is weighed already.
func (p *compiledModel) setMinimalMass(b *modelBody, below int) {
	m := shape.Mass{Mass: 1e-6, Inertia: r3.Diag(r3.V(1e-9, 1e-9, 1e-9))}
	if below > 0 {
		child := p.placements[p.spec.Joints[below-1].Child].body
		m = p.bodies[child].mass
		if !p.isVirtual(child) {
			even := float64(minInertia * (m.Inertia.XX + m.Inertia.YY + m.Inertia.ZZ) / 3)
			m = shape.Mass{Mass: float64(minMass * m.Mass), Inertia: r3.Diag(r3.V(even, even, even))}
		}
	}
	b.mass, b.floating = m, true
}

// inferMass weighs a body by the volume of its shapes.
func (p *compiledModel) inferMass(b *modelBody) {
	for i := range b.geoms {
		g := &b.geoms[i].def
		if m := g.Shape.Mass(inferredDensity); m.Mass > 0 {
			b.mass = b.mass.Plus(m.Moved(g.Pose))
		}
	}
	name := p.spec.Links[b.root].Name
	if b.mass.Mass > 0 {
		p.note(scene.Inferred, "link %q has no mass: %.3g kg taken from its collision shapes", name, b.mass.Mass)
		return
	}
	b.mass = shape.Sphere{Radius: inferredRadius}.Mass(1)
	b.mass.Inertia = b.mass.Inertia.Scale(1 / b.mass.Mass)
	b.mass.Mass = 1
	p.note(scene.Inferred, "link %q has neither mass nor volume: taken as a ball of 1 kg", name)
}

// repairMass makes an inertia that no real body has into the nearest that one
// could have: the solver divides by it.
func (p *compiledModel) repairMass(b *modelBody) {
	i := b.mass.Inertia
	i.XY, i.XZ, i.YZ = (i.XY+i.YX)/2, (i.XZ+i.ZX)/2, (i.YZ+i.ZY)/2
	i.YX, i.ZX, i.ZY = i.XY, i.XZ, i.YZ
	moments, axes := i.Eigen()
	// A body of this mass is at least as hard to turn as a ball of 1 mm.
	least := float64(0.4 * b.mass.Mass * 1e-6)
	if b.mass.Check() == nil && min(moments.X, moments.Y, moments.Z) >= least {
		return
	}
	v := r3.V(max(moments.X, least), max(moments.Y, least), max(moments.Z, least))
	// No moment exceeds the sum of the others: raise whichever is too small.
	v.X = atLeast(v.X, v.Y, v.Z)
	v.Y = atLeast(v.Y, v.Z, v.X)
	v.Z = atLeast(v.Z, v.X, v.Y)
	b.mass.Inertia = r3.Diag(v).Turned(axes)
	p.note(scene.Suspicious, "link %q has principal moments of inertia of %.3g, %.3g, %.3g kg·m², which no body has: taken as %.3g, %.3g, %.3g",
		p.spec.Links[b.root].Name, moments.X, moments.Y, moments.Z, v.X, v.Y, v.Z)
}

// atLeast lifts m to where neither of the others exceeds the sum of the rest.
func atLeast(m, a, b float64) float64 { return max(m, math.Abs(a-b)*(1+1e-9)) }
