package shape

import (
	"fmt"
	"math"
	"sync/atomic"

	"simdeck/sim/r3"
)

// Hull is a convex polyhedron with at most 255 vertices. Make it with ConvexHull.
type Hull struct {
	vertices []r3.Vec
	faces    [][]int32                    // vertex indices, counter-clockwise seen from outside
	normals  []r3.Vec                     // of the faces, outward
	offsets  []float64                    // normal·x = offset on the face
	supports atomic.Pointer[hullSupports] // nil until they are needed
}

// Kind is KindHull.
func (*Hull) Kind() Kind { return KindHull }

// Vertices are the corners; not to be modified.
func (h *Hull) Vertices() []r3.Vec { return h.vertices }

// Faces are the corners of each face, counter-clockwise seen from outside; not to be modified.
func (h *Hull) Faces() [][]int32 { return h.faces }

// Normal is the outward normal of a face.
func (h *Hull) Normal(face int) r3.Vec { return h.normals[face] }

// Offset is the distance of a face from the origin, in metres along its normal.
func (h *Hull) Offset(face int) float64 { return h.offsets[face] }

// Check accepts what ConvexHull has made.
func (h *Hull) Check() error {
	if h == nil || len(h.vertices) < 4 {
		return fmt.Errorf("%w: a hull without vertices; make it with ConvexHull", ErrShape)
	}
	return nil
}

// prepare is the maps of the hull, which it makes at the first call.
func (h *Hull) prepare() *hullSupports {
	s := h.supports.Load()
	if s == nil {
		s = supportsOf(h)
		h.supports.Store(s)
	}
	return s
}

// Bounds is the box around the placed vertices.
func (h *Hull) Bounds(p r3.Pose) r3.Box {
	b, m := r3.EmptyBox(), p.Rot.Mat()
	if s := h.supports.Load(); s != nil && s.vertices != nil {
		x, y, z := r3.Vec{X: m.XX, Y: m.XY, Z: m.XZ}, r3.Vec{X: m.YX, Y: m.YY, Z: m.YZ},
			r3.Vec{X: m.ZX, Y: m.ZY, Z: m.ZZ}
		b.Min = r3.Vec{X: h.Support(x.Neg()).Dot(x), Y: h.Support(y.Neg()).Dot(y),
			Z: h.Support(z.Neg()).Dot(z)}
		b.Max = r3.Vec{X: h.Support(x).Dot(x), Y: h.Support(y).Dot(y), Z: h.Support(z).Dot(z)}
		return r3.Box{Min: b.Min.Add(p.Pos), Max: b.Max.Add(p.Pos)}
	}
	for _, v := range h.vertices {
		b = b.Extend(m.Apply(v))
	}
	return r3.Box{Min: b.Min.Add(p.Pos), Max: b.Max.Add(p.Pos)}
}

// Mass is that of the solid.
func (h *Hull) Mass(density float64) Mass {
	return solidMass(h.vertices, func(yield func(a, b, c int32)) {
		for _, f := range h.faces {
			for i := 2; i < len(f); i++ {
				yield(f[0], f[i-1], f[i])
			}
		}
	}, density)
}

// Support is the vertex furthest along dir, the first of equals.
func (h *Hull) Support(dir r3.Vec) r3.Vec {
	if s := h.supports.Load(); s != nil {
		return h.vertices[s.vertices.furthest(h.vertices, dir, dir.Mul(s.stretch))]
	}
	return h.vertices[furthestIndex(h.vertices, dir)]
}

// FaceAlong is the face whose normal points along dir most, the first of equals.
func (h *Hull) FaceAlong(dir r3.Vec) int {
	if s := h.supports.Load(); s != nil {
		return s.normals.furthest(h.normals, dir, dir.Mul(s.stretch))
	}
	return furthestIndex(h.normals, dir)
}

// CastRay meets the last face plane that the ray enters before it leaves any.
func (h *Hull) CastRay(r r3.Ray, limit float64) (Hit, bool) {
	near, far, face := math.Inf(-1), limit, -1
	for i, n := range h.normals {
		gap := n.Dot(r.Origin) - h.offsets[i]
		speed := n.Dot(r.Dir)
		switch {
		case speed < 0:
			if t := -gap / speed; t > near {
				near, face = t, i
			}
		case speed > 0:
			far = min(far, -gap/speed)
		case gap > 0:
			return Hit{}, false
		}
	}
	if face < 0 || near > far {
		return Hit{}, false
	}
	if near < 0 {
		if far < 0 {
			return Hit{}, false
		}
		return inside(r)
	}
	return Hit{T: near, Normal: h.normals[face]}, true
}
