package collide

import (
	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// rimID names the point of a rim on which a cylinder rolls, wherever on the rim it is.
const rimID = 2 + capVertices

// collidePlane finds the vertices of a convex geometry near a plane, whose normal is Z of its frame. They are
// exact, without GJK's rounding: a wheel rolls on its line at its true radius. Of a tilted cylinder only the
// support vertex counts until others are below the plane. They turn with the body, and would block it before
// they touch.
func (m *Manifold) collidePlane(a Instance, plane *Placement, margin float64) {
	pa, half := a.Placement, a.Half
	n := plane.Mat.Col(2)
	m.start(n.Neg())
	base := pa.Pose.Pos.Sub(plane.Pose.Pos).Dot(n)
	local := pa.Mat.ApplyT(n)
	put := func(p r3.Vec, id uint32) {
		if gap := base + p.Dot(local); gap < margin {
			m.add(pa.Mat.Apply(p).Add(pa.Pose.Pos), gap, id)
		}
	}
	switch a.Kind {
	case shape.KindSphere:
		put(local.Scale(-half.X), 0)
	case shape.KindCapsule:
		down := local.Scale(-half.X)
		put(r3.Vec{X: down.X, Y: down.Y, Z: down.Z - half.Z}, 0)
		put(r3.Vec{X: down.X, Y: down.Y, Z: down.Z + half.Z}, 1)
	case shape.KindCylinder:
		var f feature
		cylinderFeature(half, local.Neg(), &f)
		support := f.supportVertex(local.Neg())
		for i := range f.n {
			switch {
			case i == support:
				put(f.p[i], rimID)
			case support < 0 || base+f.p[i].Dot(local) < 0:
				put(f.p[i], uint32(f.id[i]))
			}
		}
	case shape.KindBox:
		for i := range 8 {
			put(boxVertex(half, i), uint32(i))
		}
	case shape.KindHull:
		for i, v := range a.Hull.Vertices() {
			put(v, uint32(i))
		}
	}
}

// boxVertex is vertex 0 to 7 of a box with half extents h: bits 0, 1 and 2 mean x, y and z; set: positive.
func boxVertex(h r3.Vec, i int) r3.Vec {
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
