package shape

import (
	"math"

	"simdeck/sim/r3"
)

// Cylinder is a solid cylinder about the z axis from -Half to +Half.
type Cylinder struct{ Radius, Half float64 }

// Kind is KindCylinder.
func (Cylinder) Kind() Kind { return KindCylinder }

// Check accepts sizes between a micrometre and 100 km.
func (c Cylinder) Check() error {
	if err := checkSize(KindCylinder, "radius", c.Radius); err != nil {
		return err
	}
	return checkSize(KindCylinder, "half length", c.Half)
}

// Bounds is exact: along each axis the cap's edge reaches Radius·sin of the angle to the axis.
func (c Cylinder) Bounds(p r3.Pose) r3.Box {
	a := p.Rot.Rotate(r3.Vec{Z: 1})
	reach := func(k float64) float64 {
		s := math.Sqrt(max(0, 1-float64(k*k)))
		return float64(c.Half*math.Abs(k)) + float64(c.Radius*s)
	}
	return r3.BoxAround(p.Pos, r3.Vec{X: reach(a.X), Y: reach(a.Y), Z: reach(a.Z)})
}

// Mass is that of a solid cylinder.
func (c Cylinder) Mass(density float64) Mass {
	r2 := float64(c.Radius * c.Radius)
	m := density * pi * r2 * (2 * c.Half)
	x := float64(m * (float64(0.25*r2) + float64(c.Half*c.Half)/3))
	return Mass{Mass: m, Inertia: r3.Diag(r3.Vec{X: x, Y: x, Z: float64(m*r2) / 2})}
}

// Support is a point of the edge of the cap that faces dir; the cap's centre when dir is its axis.
func (c Cylinder) Support(dir r3.Vec) r3.Vec {
	p := r3.Vec{Z: math.Copysign(c.Half, dir.Z)}
	n := math.Sqrt(float64(dir.X*dir.X) + float64(dir.Y*dir.Y))
	if n > 1e-150 {
		p.X, p.Y = float64(c.Radius*(dir.X/n)), float64(c.Radius*(dir.Y/n))
	}
	return p
}

// CastRay meets the side or a cap.
func (c Cylinder) CastRay(r r3.Ray, limit float64) (Hit, bool) {
	o := r.Origin
	r2 := float64(c.Radius * c.Radius)
	if math.Abs(o.Z) <= c.Half && float64(o.X*o.X)+float64(o.Y*o.Y) <= r2 {
		return inside(r)
	}
	if math.Abs(o.Z) > c.Half && float64(o.Z*r.Dir.Z) < 0 {
		side := math.Copysign(1, o.Z)
		t := (float64(side*c.Half) - o.Z) / r.Dir.Z
		p := r.At(t)
		if t <= limit && float64(p.X*p.X)+float64(p.Y*p.Y) <= r2 {
			return Hit{T: t, Normal: r3.Vec{Z: side}}, true
		}
	}
	t, ok := castTube(r, c.Radius, limit)
	if !ok {
		return Hit{}, false
	}
	p := r.At(t)
	if math.Abs(p.Z) > c.Half {
		return Hit{}, false
	}
	return Hit{T: t, Normal: r3.Vec{X: p.X / c.Radius, Y: p.Y / c.Radius}}, true
}
