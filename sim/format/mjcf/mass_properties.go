package mjcf

import (
	"math"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// massProperties adds up pieces of a mesh, by their volume or area: first and second moments about the
// origin.
type massProperties struct {
	mass   float64
	first  r3.Vec
	second r3.Mat // ∫ x xᵀ
}

// inertial is the sum as a mass distribution; false when there is none.
func (b *massProperties) inertial(at r3.Pose) (scene.Inertial, bool) {
	if !(b.mass > 1e-15) {
		return scene.Inertial{}, false
	}
	centre := b.first.Scale(1 / b.mass)
	second := b.second.Add(outer(centre).Scale(-b.mass))
	trace := second.XX + second.YY + second.ZZ
	inertia := r3.Diag(r3.V(trace, trace, trace)).Add(second.Scale(-1))
	return scene.Inertial{Mass: b.mass, Pose: r3.Pose{Pos: at.Apply(centre), Rot: at.Rot}, Inertia: inertia},
		true
}

func outer(v r3.Vec) r3.Mat { return r3.Columns(v.Scale(v.X), v.Scale(v.Y), v.Scale(v.Z)) }

// triangles are the faces of a shape's mesh in its own frame.
func (g *geom) triangles(face func(a, b, c r3.Vec)) {
	for _, t := range g.Mesh.Triangles {
		face(g.Mesh.Vertices[t[0]].Mul(g.Scale), g.Mesh.Vertices[t[1]].Mul(g.Scale),
			g.Mesh.Vertices[t[2]].Mul(g.Scale))
	}
}

// skin is the mass distribution of a mesh's surface.
func (g *geom) skin() (scene.Inertial, bool) {
	var sum massProperties
	g.triangles(func(a, b, c r3.Vec) {
		area := b.Sub(a).Cross(c.Sub(a)).Len() / 2
		all := a.Add(b).Add(c)
		sum.mass += area
		sum.first = sum.first.AddScaled(area/3, all)
		sum.second = sum.second.Add(outer(a).Add(outer(b)).Add(outer(c)).Add(outer(all)).Scale(area / 12))
	})
	return sum.inertial(g.Pose)
}

// shellInertia is the mass distribution of an ellipsoid's surface: a sum over fields of the unit sphere,
// since its area has no closed form.
func (g *geom) shellInertia() (scene.Inertial, bool) {
	const rings, fields = 128, 64
	s := g.size
	var sum massProperties
	for i := range rings {
		z := (float64(i)+0.5)*2/rings - 1 // bands of one height have one area
		around := math.Sqrt(1 - z*z)
		for k := range fields {
			sin, cos := r3.SinCos((float64(k) + 0.5) * 2 * math.Pi / fields)
			n := r3.V(around*cos, around*sin, z)
			area := n.Mul(r3.V(s.Y*s.Z, s.X*s.Z, s.X*s.Y)).Len() * 4 * math.Pi / (rings * fields)
			at := n.Mul(s)
			sum.mass += area
			sum.first = sum.first.AddScaled(area, at)
			sum.second = sum.second.Add(outer(at).Scale(area))
		}
	}
	return sum.inertial(g.Pose)
}

// solidMesh is the mass distribution of a solid mesh, by the mode of its asset. "exact" takes the enclosed
// volume, "convex" that of the convex hull. "legacy", the default, sums tetrahedra from the surface's middle
// to its faces with positive signs; a hollow mesh gets too much, never nothing.
func (g *geom) solidMesh() (scene.Inertial, bool) {
	shape := g
	if g.massProps == "convex" {
		if hull := hullOf(g.Mesh.Vertices); hull != nil {
			shape = &geom{Geom: g.Geom}
			shape.Mesh = hull
		}
	}
	middle, absolute := r3.Vec{}, shape == g && g.massProps != "exact"
	if absolute {
		middle = g.middle()
	}
	sum := shape.fill(middle, absolute)
	if absolute && sum.mass > 0 { // once more, from the centre of mass
		centre := sum.first.Scale(1 / sum.mass)
		sum = shape.fill(centre, true)
		sum.second = sum.second.Add(outer(centre).Scale(sum.mass)).
			Add(outer(sum.first.Scale(1 / sum.mass)).Scale(-sum.mass))
		sum.first = centre.Scale(sum.mass)
	}
	if sum.mass < 0 { // its faces look inward
		sum.mass, sum.first, sum.second = -sum.mass, sum.first.Neg(), sum.second.Scale(-1)
	}
	return sum.inertial(g.Pose)
}

// fill sums the tetrahedra between a point and the faces.
func (g *geom) fill(middle r3.Vec, absolute bool) massProperties {
	var sum massProperties
	g.triangles(func(a, b, c r3.Vec) {
		v := a.Sub(middle).Dot(b.Sub(middle).Cross(c.Sub(middle))) / 6
		if absolute {
			v = math.Abs(v)
		}
		all := a.Add(b).Add(c).Add(middle)
		sum.mass += v
		sum.first = sum.first.AddScaled(v/4, all)
		sum.second = sum.second.Add(outer(a).Add(outer(b)).Add(outer(c)).Add(outer(middle)).Add(outer(all)).
			Scale(v / 20))
	})
	return sum
}

// middle is the centre of a mesh's surface.
func (g *geom) middle() r3.Vec {
	var total float64
	var sum r3.Vec
	g.triangles(func(a, b, c r3.Vec) {
		area := b.Sub(a).Cross(c.Sub(a)).Len() / 2
		total += area
		sum = sum.AddScaled(area/3, a.Add(b).Add(c))
	})
	if total == 0 {
		return sum
	}
	return sum.Scale(1 / total)
}
