package shape

import (
	"math"

	"simdeck/sim/r3"
)

// Box is a solid box around the origin.
type Box struct{ Half r3.Vec } // half extents

// BoxOf is the box with full edge lengths, as URDF and SDF give them.
func BoxOf(size r3.Vec) Box { return Box{size.Scale(0.5)} }

// Kind is KindBox.
func (Box) Kind() Kind { return KindBox }

// Check accepts half extents between a micrometre and 100 km.
func (b Box) Check() error {
	for i, name := range [3]string{"half x", "half y", "half z"} {
		if err := checkSize(KindBox, name, b.Half.At(i)); err != nil {
			return err
		}
	}
	return nil
}

// Bounds is the box around the turned box.
func (b Box) Bounds(p r3.Pose) r3.Box { return r3.Box{Min: b.Half.Neg(), Max: b.Half}.Moved(p) }

// Mass is that of a solid box.
func (b Box) Mass(density float64) Mass {
	h := b.Half
	m := density * 8 * h.X * h.Y * h.Z
	xx, yy, zz := float64(h.X*h.X), float64(h.Y*h.Y), float64(h.Z*h.Z)
	return Mass{Mass: m, Inertia: r3.Diag(r3.Vec{X: yy + zz, Y: xx + zz, Z: xx + yy}).Scale(m / 3)}
}

// Support is the corner on the side of dir.
func (b Box) Support(dir r3.Vec) r3.Vec {
	return r3.Vec{
		X: math.Copysign(b.Half.X, dir.X), Y: math.Copysign(b.Half.Y, dir.Y),
		Z: math.Copysign(b.Half.Z, dir.Z),
	}
}

// CastRay meets a face.
func (b Box) CastRay(r r3.Ray, limit float64) (Hit, bool) {
	box := r3.Box{Min: b.Half.Neg(), Max: b.Half}
	if box.Holds(r.Origin) {
		return inside(r)
	}
	t, ok := box.Hit(r.Origin, r.Inverse(), limit)
	if !ok {
		return Hit{}, false
	}
	// The face is that of the entry point, relative to its size.
	p := r.At(t)
	axis, worst := 0, math.Inf(-1)
	for i := range 3 {
		d := math.Abs(p.At(i)) - b.Half.At(i)
		if float64(p.At(i)*r.Dir.At(i)) < 0 && d > worst {
			axis, worst = i, d
		}
	}
	return Hit{T: t, Normal: r3.Vec{}.With(axis, math.Copysign(1, -r.Dir.At(axis)))}, true
}
