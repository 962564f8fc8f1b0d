package shape

import (
	"math"

	"simdeck/sim/r3"
)

// Plane is the endless half-space below z = 0; its surface looks along +z. For static bodies only.
type Plane struct{}

// Kind is KindPlane.
func (Plane) Kind() Kind { return KindPlane }

// Check accepts every plane.
func (Plane) Check() error { return nil }

// Bounds is infinite.
func (Plane) Bounds(r3.Pose) r3.Box {
	i := math.Inf(1)
	return r3.Box{Min: r3.Vec{X: -i, Y: -i, Z: -i}, Max: r3.Vec{X: i, Y: i, Z: i}}
}

// Mass is zero: a plane does not move.
func (Plane) Mass(float64) Mass { return Mass{} }

// CastRay meets the surface from above.
func (Plane) CastRay(r r3.Ray, limit float64) (Hit, bool) {
	if r.Origin.Z <= 0 {
		return inside(r)
	}
	if r.Dir.Z >= 0 {
		return Hit{}, false
	}
	t := -r.Origin.Z / r.Dir.Z
	return Hit{T: t, Normal: r3.Vec{Z: 1}}, t <= limit
}
