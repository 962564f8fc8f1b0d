package dynamics

import (
	"math"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// collidePlane finds the points of a convex geom near a plane. They are exact: a rolling wheel
// touches along its line at its true radius.
func collidePlane(cl *contactPoints, a *geom, pa, plane *geomPlacement, margin float64) {
	n := plane.mat.Col(2)
	cl.start(n.Neg())
	base := pa.pose.Pos.Sub(plane.pose.Pos).Dot(n)
	local := pa.mat.ApplyT(n)
	put := func(p r3.Vec, id uint32) {
		if gap := base + p.Dot(local); gap < margin {
			cl.add(pa.mat.Apply(p).Add(pa.pose.Pos), gap, id)
		}
	}
	switch a.kind {
	case shape.KindSphere:
		put(local.Scale(-a.half.X), 0)
	case shape.KindCapsule:
		down := local.Scale(-a.half.X)
		put(r3.Vec{X: down.X, Y: down.Y, Z: down.Z - a.half.Z}, 0)
		put(r3.Vec{X: down.X, Y: down.Y, Z: down.Z + a.half.Z}, 1)
	case shape.KindCylinder:
		var f feature
		cylinderFeature(a.half, local.Neg(), &f)
		on := rollingVertices(&f, local.Neg())
		for i := range f.n {
			switch {
			case i == on:
				put(f.p[i], rollingVertex)
			case on < 0 || base+f.p[i].Dot(local) < 0:
				put(f.p[i], uint32(f.id[i]))
			}
		}
	case shape.KindBox:
		for i := range 8 {
			put(boxCorner(a.half, i), uint32(i))
		}
	case shape.KindHull:
		for i, v := range a.hull.Vertices() {
			put(v, uint32(i))
		}
	}
}

// boxCorner is corner 0 to 7: bit 0 is x, bit 1 y, bit 2 z; set means the positive side.
func boxCorner(h r3.Vec, i int) r3.Vec {
	if i&1 == 0 {
		h.X = -h.X
	}
	if i&2 == 0 {
		h.Y = -h.Y
	}
	if i&4 == 0 {
		h.Z = -h.Z
	}
	return h
}

// feature is the part of a convex shape that faces a direction: a corner, an edge (or a line of a
// round side), or a face, counter-clockwise seen from outside.
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

// rollingVertex names the point on which a rim rolls, wherever on the rim it is.
const rollingVertex = 2 + capVertices

// rollingVertices is which corner of a tilted cap a cylinder rolls on, or -1. The others, which are above it, turn with the body and
// would be in its way before they touch: where they seem to come down the rim has rolled on.
func rollingVertices(f *feature, dir r3.Vec) int {
	if f.n != capVertices || float64(dir.X*dir.X)+float64(dir.Y*dir.Y) < float64(minEdgeSlope*minEdgeSlope) {
		return -1
	}
	on := 0
	for i := range f.n {
		if f.p[i].Dot(dir) > f.p[on].Dot(dir) {
			on = i
		}
	}
	return on
}

// capVertices is how many points stand for the round edge of a cylinder's cap.
const capVertices = 8

// cylinderFeature is the line of the side that faces dir, or a cap. half has the radius in X and the
// half length in Z. The corners of a cap stay with the body, but for the one nearest to the point that
// is furthest along dir: it is moved there, so that a tilted cylinder stands on its true edge.
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
		// The corner whose octant dir points into: within 22.5°, and dir must be off the axis.
		if flat > 1e-6 && float64(c[0]*x)+float64(c[1]*y) > 0.9238795325112867 {
			c = [2]float64{x, y}
		}
		f.add(r3.Vec{X: float64(c[0] * half.X), Y: float64(c[1] * half.X), Z: float64(side * half.Z)}, uint8(2+i))
	}
}
