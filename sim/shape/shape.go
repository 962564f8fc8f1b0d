// Package shape is the geometry of bodies: spheres, capsules, cylinders, boxes, convex hulls, planes,
// triangle meshes and heightfields, each in its own frame. It has their bounds, mass, rays, support points,
// distances and overlaps.
//
// Shapes are immutable once made and may be shared between bodies, worlds and goroutines. Package
// physics builds contacts from them, package sensor its rays. Lengths are metres.
package shape

import (
	"errors"
	"fmt"
	"math"

	"simdeck/sim/r3"
)

// ErrShape says that a shape cannot exist as described; the error that wraps it says why.
var ErrShape = errors.New("invalid shape")

// Kind names the concrete type of a Shape.
type Kind uint8

// The kinds, in the order in which package physics sorts a pair.
const (
	KindSphere Kind = iota
	KindCapsule
	KindCylinder
	KindBox
	KindHull
	KindPlane
	KindMesh
	KindField
	KindCount
)

// String is the kind's name in lower case.
func (k Kind) String() string {
	names := [KindCount]string{"sphere", "capsule", "cylinder", "box", "hull", "plane", "mesh", "heightfield"}
	if k >= KindCount {
		return fmt.Sprintf("kind %d", uint8(k))
	}
	return names[k]
}

// Shape is a solid or a surface in its own frame.
type Shape interface {
	// Kind is the concrete type.
	Kind() Kind
	// Check wraps ErrShape when a size is not finite, not positive or beyond 100 km.
	Check() error
	// Bounds is the smallest axis-aligned box around the shape placed at p; a plane's is infinite.
	Bounds(p r3.Pose) r3.Box
	// Mass holds the shape's mass properties at a density in kg/m³; zero for a plane, a heightfield and an
	// open mesh.
	Mass(density float64) Mass
	// CastRay finds where a ray in the shape's frame first meets it, up to limit lengths of r.Dir. A ray from
	// within a solid hits at 0, its normal against the ray; meshes and heightfields are met from either side.
	CastRay(r r3.Ray, limit float64) (Hit, bool)
}

// Convex is a shape that is the hull of its support points.
type Convex interface {
	Shape
	// Support is a point of the shape furthest along dir, in the shape's frame.
	Support(dir r3.Vec) r3.Vec
}

// Hit is the hit of a ray on a shape.
type Hit struct {
	T      float64 // in lengths of the ray's direction
	Normal r3.Vec  // of unit length, in the shape's frame, never along the ray
	Part   int32   // the triangle of a mesh or heightfield; 0 elsewhere
}

var (
	_ Convex = Sphere{}
	_ Convex = Capsule{}
	_ Convex = Cylinder{}
	_ Convex = Box{}
	_ Convex = (*Hull)(nil)
	_ Shape  = Plane{}
	_ Shape  = (*Mesh)(nil)
)

const (
	maxSize = 1e5
	minSize = 1e-6
)

// checkSize accepts lengths between a micrometre and 100 km.
func checkSize(kind Kind, what string, v float64) error {
	if !(v >= minSize) || v > maxSize {
		return fmt.Errorf("%w: %s %s is %v m, must be between %v and %v", ErrShape, kind, what, v, minSize,
			maxSize)
	}
	return nil
}

// inside is the hit of a ray that starts within a solid.
func inside(r r3.Ray) (Hit, bool) {
	n, _ := r.Dir.Neg().Unit()
	return Hit{Normal: n}, true
}

// quadraticRoot is the smaller root of a·t² + 2·b·t + c for a > 0, in the form that keeps its digits.
func quadraticRoot(a, b, c float64) (float64, bool) {
	disc := float64(b*b) - float64(a*c)
	if disc < 0 {
		return 0, false
	}
	s := math.Sqrt(disc)
	if b < 0 {
		return c / (s - b), true
	}
	return -(b + s) / a, true
}
