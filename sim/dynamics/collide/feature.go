package collide

import (
	"math"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// feature is the part of a convex shape that faces a direction: a vertex, an edge (or a generatrix), or a
// face, counter-clockwise from outside.
type feature struct {
	n      int
	p      [16]r3.Vec
	id     [16]uint8
	normal r3.Vec // of a face
}

func (f *feature) add(p r3.Vec, id uint8) {
	f.p[f.n], f.id[f.n] = p, id
	f.n++
}

// solid is one side of the convex–convex test: a convex geometry, or a triangle of a surface.
type solid struct {
	geometry *Geometry // nil for a triangle
	proxy    *shape.Proxy
	triangle [3]r3.Vec
}

// feature finds the part of the solid that faces dir, in its own frame.
func (s *solid) feature(dir r3.Vec, f *feature) {
	f.n = 0
	if s.geometry == nil {
		for i, p := range s.triangle {
			f.add(p, uint8(i))
		}
		f.normal, _ = s.triangle[1].Sub(s.triangle[0]).Cross(s.triangle[2].Sub(s.triangle[0])).Unit()
		if f.normal.Dot(dir) < 0 { // seen from the back
			f.normal = f.normal.Neg()
			f.p[1], f.p[2], f.id[1], f.id[2] = f.p[2], f.p[1], 2, 1
		}
		return
	}
	switch h := s.geometry.Half; s.geometry.Kind {
	case shape.KindSphere:
		u, _ := dir.Unit()
		f.add(u.Scale(h.X), 0)
	case shape.KindCapsule:
		capsuleFeature(h, dir, f)
	case shape.KindCylinder:
		cylinderFeature(h, dir, f)
	case shape.KindBox:
		boxFeature(h, dir, f)
	case shape.KindHull:
		hullFeature(s.geometry.Hull, dir, f)
	}
}

// capsuleFeature is the line of the side that faces dir, or the support point of a hemisphere where dir
// points mainly along the axis. Half has the radius in X and the half length in Z.
func capsuleFeature(half, dir r3.Vec, f *feature) {
	u, _ := dir.Unit()
	if math.Abs(u.Z) > 0.7 {
		f.add(r3.Vec{X: float64(u.X * half.X), Y: float64(u.Y * half.X),
			Z: float64(u.Z*half.X) + math.Copysign(half.Z, u.Z)}, 0)
		return
	}
	side, _ := r3.Vec{X: u.X, Y: u.Y}.Unit()
	side = side.Scale(half.X)
	f.add(r3.Vec{X: side.X, Y: side.Y, Z: -half.Z}, 0)
	f.add(r3.Vec{X: side.X, Y: side.Y, Z: half.Z}, 1)
}

// boxFeature is the face of a box with half extents h that faces dir most.
func boxFeature(h, dir r3.Vec, f *feature) {
	axis := 0
	for i := range 3 {
		if math.Abs(dir.At(i)) > math.Abs(dir.At(axis)) {
			axis = i
		}
	}
	side := math.Copysign(1, dir.At(axis))
	f.normal = r3.Vec{}.With(axis, side)
	u, v := (axis+1)%3, (axis+2)%3
	for i, s := range [4][2]float64{{1, 1}, {-1, 1}, {-1, -1}, {1, -1}} {
		p := r3.Vec{}.With(axis, float64(side*h.At(axis))).With(u, float64(s[0]*h.At(u)))
		f.add(p.With(v, float64(float64(side*s[1])*h.At(v))), uint8(axis<<3|i))
	}
}

// hullFeature is the face of a hull that faces dir most. Of a face with too many vertices every second,
// third, … one stands for it.
func hullFeature(hull *shape.Hull, dir r3.Vec, f *feature) {
	at := hull.FaceAlong(dir)
	f.normal = hull.Normal(at)
	face, v := hull.Faces()[at], hull.Vertices()
	step := (len(face) + len(f.p) - 1) / len(f.p)
	for i := 0; i < len(face); i += step {
		f.add(v[face[i]], uint8(face[i]))
	}
}

// capVertices is the number of vertices for the rim of a cylinder's cap.
const capVertices = 8

// cylinderFeature is the line of the side that faces dir, or a cap. Half has the radius in X and the half
// length in Z. The vertices of a cap stay with the body. Only the one nearest to the support point along dir
// moves there, so that a tilted cylinder stands on its true rim.
func cylinderFeature(half, dir r3.Vec, f *feature) {
	f.n = 0
	flat := math.Sqrt(float64(dir.X*dir.X) + float64(dir.Y*dir.Y))
	var x, y float64
	if flat > 1e-9 {
		x, y = dir.X/flat, dir.Y/flat
	}
	if math.Abs(dir.Z) < float64(0.7*dir.Len()) {
		x, y = float64(x*half.X), float64(y*half.X)
		f.add(r3.Vec{X: x, Y: y, Z: -half.Z}, 0)
		f.add(r3.Vec{X: x, Y: y, Z: half.Z}, 1)
		return
	}
	side := math.Copysign(1, dir.Z)
	f.normal = r3.Vec{Z: side}
	const d = math.Sqrt2 / 2
	rim := [capVertices][2]float64{{1, 0}, {d, d}, {0, 1}, {-d, d}, {-1, 0}, {-d, -d}, {0, -1}, {d, -d}}
	for i := range rim {
		c := rim[i]
		if side < 0 {
			c[1] = -c[1] // keep the order counter-clockwise from outside
		}
		// The vertex within 22.5° of dir (its cosine here); dir must be off the axis.
		if flat > 1e-6 && float64(c[0]*x)+float64(c[1]*y) > 0.9238795325112867 {
			c = [2]float64{x, y}
		}
		f.add(r3.Vec{X: float64(c[0] * half.X), Y: float64(c[1] * half.X), Z: float64(side * half.Z)},
			uint8(2+i))
	}
}

// MinRimTilt is the sine of the tilt from the upright up to which a cylinder stands on its whole cap. Above
// it the cylinder stands, and rolls, on one point of its rim.
const MinRimTilt = 0.02

// supportVertex is the index of a tilted cap's vertex furthest along dir; -1 when the feature is no cap, or
// not tilted.
func (f *feature) supportVertex(dir r3.Vec) int {
	if f.n != capVertices || float64(dir.X*dir.X)+float64(dir.Y*dir.Y) < float64(MinRimTilt*MinRimTilt) {
		return -1
	}
	at := 0
	for i := range f.n {
		if f.p[i].Dot(dir) > f.p[at].Dot(dir) {
			at = i
		}
	}
	return at
}
