package source

import (
	"math"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// Solid is the mass distribution of a shape filled with a density in kg/m³, in the link frame. False for
// shapes without a volume.
func Solid(g *scene.Geom, density float64) (scene.Inertial, bool) {
	var volume float64
	var per r3.Vec // principal moments of the unit mass
	centre := r3.Vec{}
	switch g.Kind {
	case scene.Box:
		s := g.Size
		volume = s.X * s.Y * s.Z
		per = r3.V(s.Y*s.Y+s.Z*s.Z, s.X*s.X+s.Z*s.Z, s.X*s.X+s.Y*s.Y).Scale(1.0 / 12)
	case scene.Sphere:
		volume = 4.0 / 3 * math.Pi * g.Radius * g.Radius * g.Radius
		per = r3.V(1, 1, 1).Scale(0.4 * g.Radius * g.Radius)
	case scene.Cylinder:
		volume = math.Pi * g.Radius * g.Radius * g.Length
		side := (3*g.Radius*g.Radius + g.Length*g.Length) / 12
		per = r3.V(side, side, g.Radius*g.Radius/2)
	case scene.Capsule:
		return capsule(g, density), true
	case scene.MeshGeom:
		return solidMesh(g, density)
	default:
		return scene.Inertial{}, false
	}
	mass := volume * density
	at := r3.Pose{Pos: g.Pose.Apply(centre), Rot: g.Pose.Rot}
	return scene.Inertial{Mass: mass, Pose: at, Inertia: r3.Diag(per.Scale(mass))}, mass > 0
}

func capsule(g *scene.Geom, density float64) scene.Inertial {
	r, l := g.Radius, g.Length
	rod, ball := density*math.Pi*r*r*l, density*4.0/3*math.Pi*r*r*r
	axial := rod*r*r/2 + ball*2*r*r/5
	side := rod*(3*r*r+l*l)/12 + ball*(2*r*r/5+l*l/4+3*l*r/8)
	return scene.Inertial{Mass: rod + ball, Pose: g.Pose, Inertia: r3.Diag(r3.V(side, side, axial))}
}

// solidMesh sums the tetrahedra from the origin to every triangle; false when the mesh encloses no volume.
func solidMesh(g *scene.Geom, density float64) (scene.Inertial, bool) {
	var volume float64
	var first r3.Vec
	var second r3.Mat // ∫ x xᵀ dV
	for _, t := range g.Mesh.Triangles {
		a := g.Mesh.Vertices[t[0]].Mul(g.Scale)
		b := g.Mesh.Vertices[t[1]].Mul(g.Scale)
		c := g.Mesh.Vertices[t[2]].Mul(g.Scale)
		v := a.Dot(b.Cross(c)) / 6
		sum := a.Add(b).Add(c)
		volume += v
		first = first.AddScaled(v/4, sum)
		second = second.Add(outer(a).Add(outer(b)).Add(outer(c)).Add(outer(sum)).Scale(v / 20))
	}
	if !(volume > 1e-12) {
		return scene.Inertial{}, false
	}
	centre := first.Scale(1 / volume)
	second = second.Add(outer(centre).Scale(-volume))
	trace := second.XX + second.YY + second.ZZ
	inertia := r3.Diag(r3.V(trace, trace, trace)).Add(second.Scale(-1)).Scale(density)
	at := r3.Pose{Pos: g.Pose.Apply(centre), Rot: g.Pose.Rot}
	return scene.Inertial{Mass: volume * density, Pose: at, Inertia: inertia}, true
}

func outer(v r3.Vec) r3.Mat {
	return r3.Columns(v.Scale(v.X), v.Scale(v.Y), v.Scale(v.Z))
}

// Sum is the mass distribution of several together, its axes those of the link.
func Sum(parts []scene.Inertial) scene.Inertial {
	total := scene.Inertial{Pose: r3.IdentityPose()}
	for _, p := range parts {
		total.Mass += p.Mass
		total.Pose.Pos = total.Pose.Pos.AddScaled(p.Mass, p.Pose.Pos)
	}
	if total.Mass == 0 {
		return scene.Inertial{Pose: r3.IdentityPose()}
	}
	total.Pose.Pos = total.Pose.Pos.Scale(1 / total.Mass)
	for _, p := range parts {
		arm := p.Pose.Pos.Sub(total.Pose.Pos)
		shift := r3.Diag(r3.V(1, 1, 1).Scale(arm.Len2())).Add(outer(arm).Scale(-1)).Scale(p.Mass)
		total.Inertia = total.Inertia.Add(p.Inertia.Turned(p.Pose.Rot)).Add(shift)
	}
	return total
}

// SuspiciousInertia says what is wrong with a mass distribution that is legal to write; empty when nothing
// is.
func SuspiciousInertia(in scene.Inertial) string {
	if in.Mass == 0 {
		return "mass is zero"
	}
	v, _ := in.Inertia.Eigen()
	switch least := min(v.X, v.Y, v.Z); {
	case least < 0:
		return "inertia has a negative principal moment"
	case least == 0:
		return "inertia has a principal moment of zero"
	}
	if most := max(v.X, v.Y, v.Z); most > (v.X+v.Y+v.Z-most)*1.0001 {
		return "principal moments of inertia break the triangle inequality: no body has them"
	}
	return ""
}
