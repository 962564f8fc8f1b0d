// Package r3 is the simulator's three-dimensional geometry: vectors, rotations, poses, twists, boxes and
// rays, as plain values without allocation.
//
// Every result is the same bit pattern on every architecture. Go may fuse x*y + z into one rounding (arm64,
// GOAMD64=v3), so each product inside a sum is written float64(x*y). For the same reason the package has its
// own elementary functions (Sin, Atan2, Exp, ...).
//
// Units are SI; frames are right-handed; angles are radians.
package r3

import "math"

// Vec is a vector or a point.
type Vec struct{ X, Y, Z float64 }

// V makes a Vec.
func V(x, y, z float64) Vec { return Vec{x, y, z} }

// Add returns a + b.
func (a Vec) Add(b Vec) Vec { return Vec{a.X + b.X, a.Y + b.Y, a.Z + b.Z} }

// Sub returns a - b.
func (a Vec) Sub(b Vec) Vec { return Vec{a.X - b.X, a.Y - b.Y, a.Z - b.Z} }

// Neg returns -a.
func (a Vec) Neg() Vec { return Vec{-a.X, -a.Y, -a.Z} }

// Scale returns s·a.
func (a Vec) Scale(s float64) Vec {
	return Vec{float64(s * a.X), float64(s * a.Y), float64(s * a.Z)}
}

// AddScaled returns a + s·b.
func (a Vec) AddScaled(s float64, b Vec) Vec {
	return Vec{a.X + float64(s*b.X), a.Y + float64(s*b.Y), a.Z + float64(s*b.Z)}
}

// Mul returns the product by components.
func (a Vec) Mul(b Vec) Vec {
	return Vec{float64(a.X * b.X), float64(a.Y * b.Y), float64(a.Z * b.Z)}
}

// Dot returns a·b.
func (a Vec) Dot(b Vec) float64 {
	return float64(a.X*b.X) + float64(a.Y*b.Y) + float64(a.Z*b.Z)
}

// Cross returns a×b.
func (a Vec) Cross(b Vec) Vec {
	return Vec{
		float64(a.Y*b.Z) - float64(a.Z*b.Y),
		float64(a.Z*b.X) - float64(a.X*b.Z),
		float64(a.X*b.Y) - float64(a.Y*b.X),
	}
}

// Len2 returns the squared length.
func (a Vec) Len2() float64 { return a.Dot(a) }

// Len returns the length.
func (a Vec) Len() float64 { return math.Sqrt(a.Dot(a)) }

// Dist returns the distance between two points.
func (a Vec) Dist(b Vec) float64 { return a.Sub(b).Len() }

// Unit returns a divided by its length; false when a is zero, too small or too large to have a
// direction, or not finite. The vector returned with false is zero.
func (a Vec) Unit() (Vec, bool) {
	n := a.Len()
	if !(n > 1e-150) || n > 1e150 {
		return Vec{}, false
	}
	return a.Scale(1 / n), true
}

// Min returns the smaller of each component.
func (a Vec) Min(b Vec) Vec { return Vec{min(a.X, b.X), min(a.Y, b.Y), min(a.Z, b.Z)} }

// Max returns the larger of each component.
func (a Vec) Max(b Vec) Vec { return Vec{max(a.X, b.X), max(a.Y, b.Y), max(a.Z, b.Z)} }

// Abs returns the absolute value of each component.
func (a Vec) Abs() Vec { return Vec{math.Abs(a.X), math.Abs(a.Y), math.Abs(a.Z)} }

// MaxAbs returns the largest absolute component.
func (a Vec) MaxAbs() float64 { return max(math.Abs(a.X), math.Abs(a.Y), math.Abs(a.Z)) }

// Lerp returns a at t = 0 and b at t = 1.
func (a Vec) Lerp(b Vec, t float64) Vec { return a.AddScaled(t, b.Sub(a)) }

// At returns component 0, 1 or 2; any other index reads as Z.
func (a Vec) At(i int) float64 {
	switch i {
	case 0:
		return a.X
	case 1:
		return a.Y
	}
	return a.Z
}

// With returns a with component 0, 1 or 2 replaced.
func (a Vec) With(i int, v float64) Vec {
	switch i {
	case 0:
		a.X = v
	case 1:
		a.Y = v
	default:
		a.Z = v
	}
	return a
}

// IsFinite reports that no component is NaN or infinite.
func (a Vec) IsFinite() bool { return finite(a.X) && finite(a.Y) && finite(a.Z) }

// Basis returns two unit vectors u, v so that (u, v, a) is a right-handed frame; a must be of unit
// length. The choice depends continuously on a except where a.Z changes sign
// (Duff et al., "Building an Orthonormal Basis, Revisited", JCGT 2017).
func (a Vec) Basis() (u, v Vec) {
	sign := math.Copysign(1, a.Z)
	k := -1 / (sign + a.Z)
	b := float64(float64(a.X*a.Y) * k)
	u = Vec{1 + float64(float64(float64(sign*a.X)*a.X)*k), float64(sign * b), float64(-sign * a.X)}
	v = Vec{b, sign + float64(float64(a.Y*a.Y)*k), -a.Y}
	return u, v
}

func finite(x float64) bool { return x-x == 0 }
