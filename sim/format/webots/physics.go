package webots

import (
	"simdeck/sim/format/source"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

const usualDensity = 1000 // kg/m³

// physics reads the mass of a Solid into its link: from the shapes of its bounding object, or as it is
// written.
func (b *builder) physics(r, p ref, link int, in frame) {
	l := &b.spec.Links[link]
	density, mass := b.num(p, "density", usualDensity), b.num(p, "mass", -1)
	var parts []scene.Inertial
	for i := range l.Collisions {
		if part, ok := source.Solid(&l.Collisions[i], 1); ok { // its mass is then its volume
			parts = append(parts, part)
		}
	}
	own := source.Sum(parts)
	switch {
	case density > 0:
		mass = own.Mass * density
	case mass <= 0:
		b.noteAt(scene.Suspicious, p, "Physics with a density of %g and a mass of %g; using the density of water",
			density, mass)
		mass = own.Mass * usualDensity
	}
	if own.Mass <= 0 {
		if mass <= 0 {
			mass = 1
		}
		b.noteAt(scene.Suspicious, p, "Physics of %q without a bounding object that has a volume: taken as a ball of %g kg with a radius of 0.1 m",
			l.Name, mass)
		own = scene.Inertial{Mass: mass, Pose: r3.Pose{Pos: b.turn.Rotate(in.pose.Pos), Rot: r3.Identity()},
			Inertia: r3.Diag(r3.V(1, 1, 1).Scale(0.4 * mass * 0.01))}
	}
	own.Inertia = own.Inertia.Scale(mass / own.Mass)
	own.Mass = mass
	b.written(p, &own, in)
	if bad := source.SuspiciousInertia(own); bad != "" {
		b.noteAt(scene.Suspicious, p, "Physics of %q: %s", l.Name, bad)
	}
	l.Drag = b.damping
	if d, ok := b.node(p, "damping"); ok {
		l.Drag = b.drag(d)
	}
	if !own.Pose.IsFinite() || !own.Inertia.IsFinite() {
		b.fail(p.file, p.n.Pos, "mass and inertia of %q are no finite numbers", l.Name)
		return
	}
	l.Inertial = own
}

// drag reads a Damping: the share of its velocity that a Solid loses in a second.
func (rd *reader) drag(r ref) scene.Drag {
	return scene.Drag{Linear: source.Drag(rd.num(r, "linear", 0.2), 1),
		Angular: source.Drag(rd.num(r, "angular", 0.2), 1)}
}

// written takes the centre of mass and the inertia that the file gives in place of those of the shapes.
func (b *builder) written(p ref, own *scene.Inertial, in frame) {
	if v, ok := b.get(p, "centerOfMass"); ok && !v.Empty() {
		c := b.many(p, "centerOfMass")
		if len(c) != 3 {
			b.wrong(v, "three numbers")
			return
		}
		own.Pose.Pos = b.turn.Rotate(in.pose.Apply(r3.V(c[0], c[1], c[2]).Mul(in.scale)))
	}
	v, ok := b.get(p, "inertiaMatrix")
	if !ok || v.Empty() {
		return
	}
	m := b.many(p, "inertiaMatrix")
	if len(m) != 6 {
		b.wrong(v, "six numbers: the moments and the products of inertia")
		return
	}
	own.Inertia = r3.Mat{XX: m[0], YY: m[1], ZZ: m[2], XY: m[3], YX: m[3], XZ: m[4], ZX: m[4], YZ: m[5],
		ZY: m[5]}
	own.Pose.Rot = b.turn.Mul(in.pose.Rot)
}
