package collide

import (
	"math"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// Geometry is a shape prepared for the narrow phase. It never changes once it is made.
type Geometry struct {
	Kind    shape.Kind
	Shape   shape.Shape
	Proxy   shape.Proxy // core and radius for GJK; of convex shapes
	Half    r3.Vec      // m; box: half extents; others: radius in X, half length in Z
	Hull    *shape.Hull
	Surface shape.Surface // a mesh or heightfield, else nil
	Field   *shape.Field
	Middle  r3.Vec // a point inside, in the shape's frame
}

// Placement is a pose in the world's frame, and its rotation as a matrix.
type Placement struct {
	Pose r3.Pose
	Mat  r3.Mat // of Pose.Rot
}

// MaxRounding bounds, in m, the radius by which GJK sees the edges of boxes and cylinders rounded. An
// overlap up to that radius needs no EPA. The radius is roundingPart of the smallest half extent.
const (
	MaxRounding  = 0.002
	roundingPart = 0.1
)

// NewGeometry prepares a shape, which must have passed its Check.
func NewGeometry(s shape.Shape) Geometry {
	g := Geometry{Kind: s.Kind(), Shape: s}
	switch s := s.(type) {
	case shape.Sphere:
		g.Half = r3.Vec{X: s.Radius}
	case shape.Capsule:
		g.Half = r3.Vec{X: s.Radius, Z: s.Half}
	case shape.Cylinder:
		g.Half = r3.Vec{X: s.Radius, Z: s.Half}
	case shape.Box:
		g.Half = s.Half
	case *shape.Hull:
		g.Hull = s
		for _, v := range s.Vertices() {
			g.Middle = g.Middle.AddScaled(1/float64(len(s.Vertices())), v)
		}
	case *shape.Mesh:
		g.Surface = s
	case *shape.Field:
		g.Surface, g.Field = s, s
	}
	if c, ok := s.(shape.Convex); ok {
		g.Proxy = shape.ProxyOf(c, min(float64(roundingPart*g.MinHalf()), MaxRounding))
	}
	return g
}

// MinHalf is the smallest half extent of a convex shape along its axes, in m; 1 for other shapes.
func (g *Geometry) MinHalf() float64 {
	switch h := g.Half; g.Kind {
	case shape.KindSphere, shape.KindCapsule:
		return h.X
	case shape.KindCylinder:
		return min(h.X, h.Z)
	case shape.KindBox:
		return min(h.X, h.Y, h.Z)
	case shape.KindHull:
		h = g.Hull.Bounds(r3.IdentityPose()).Half()
		return min(h.X, h.Y, h.Z)
	}
	return 1
}

// AABB is the axis-aligned bounding box at a placement, in the world's frame. That of a heightfield includes
// the ground below it, down to groundDepth.
func (g *Geometry) AABB(p *Placement) r3.Box {
	switch g.Kind {
	case shape.KindSphere:
		return r3.BoxAround(p.Pose.Pos, r3.Vec{X: g.Half.X, Y: g.Half.X, Z: g.Half.X})
	case shape.KindBox:
		m, h := &p.Mat, g.Half
		return r3.BoxAround(p.Pose.Pos, r3.Vec{
			X: float64(math.Abs(m.XX)*h.X) + float64(math.Abs(m.XY)*h.Y) + float64(math.Abs(m.XZ)*h.Z),
			Y: float64(math.Abs(m.YX)*h.X) + float64(math.Abs(m.YY)*h.Y) + float64(math.Abs(m.YZ)*h.Z),
			Z: float64(math.Abs(m.ZX)*h.X) + float64(math.Abs(m.ZY)*h.Y) + float64(math.Abs(m.ZZ)*h.Z),
		})
	}
	b := g.Shape.Bounds(p.Pose)
	if g.Field != nil {
		down := p.Mat.Col(2).Scale(-groundDepth)
		b = b.Union(r3.Box{Min: b.Min.Add(down), Max: b.Max.Add(down)})
	}
	return b
}

// groundDepth is the depth, m, below its lowest point to which a heightfield pushes bodies out.
const groundDepth = 1

// roundingRadius is the radius, in m, by which GJK sees the edges rounded.
func (g *Geometry) roundingRadius() float64 {
	if g.Kind == shape.KindBox || g.Kind == shape.KindCylinder {
		return g.Proxy.Radius
	}
	return 0
}

// inverseOrZero is 1/x, or 0 unless x is positive.
func inverseOrZero(x float64) float64 {
	if x > 0 {
		return 1 / x
	}
	return 0
}
