package shape

import (
	"math"

	"simdeck/sim/r3"
)

// Capsule is the set of points within Radius of the segment from -Half to +Half on the z axis.
type Capsule struct{ Radius, Half float64 }

// Kind is KindCapsule.
func (Capsule) Kind() Kind { return KindCapsule }

// Check accepts sizes between a micrometre and 100 km.
func (c Capsule) Check() error {
	if err := checkSize(KindCapsule, "radius", c.Radius); err != nil {
		return err
	}
	return checkSize(KindCapsule, "half length", c.Half)
}

// Bounds is the box around both end balls.
func (c Capsule) Bounds(p r3.Pose) r3.Box {
	a := p.Rot.Rotate(r3.Vec{Z: c.Half}).Abs()
	return r3.BoxAround(p.Pos, a.Add(r3.Vec{X: c.Radius, Y: c.Radius, Z: c.Radius}))
}

// Mass is that of a solid capsule.
func (c Capsule) Mass(density float64) Mass {
	r, h := c.Radius, 2*c.Half
	r2 := float64(r * r)
	mc := float64(density * pi * r2 * h)
	mb := float64(density * (4.0 / 3 * pi) * r2 * r)
	z := float64(0.5*mc*r2) + float64(0.4*float64(mb*r2))
	// The end balls are two halves whose centres of mass sit 3r/8 beyond the straight part.
	x := float64(mc*(float64(0.25*r2)+float64(h*h)/12)) +
		float64(mb*(float64(0.4*r2)+float64(0.25*h*h)+float64(0.375*h*r)))
	return Mass{Mass: mc + mb, Inertia: r3.Diag(r3.Vec{X: x, Y: x, Z: z})}
}

// Support is the far point of the far end ball.
func (c Capsule) Support(dir r3.Vec) r3.Vec {
	p := Sphere{c.Radius}.Support(dir)
	p.Z += math.Copysign(c.Half, dir.Z)
	return p
}

// CastRay meets the straight part or an end ball.
func (c Capsule) CastRay(r r3.Ray, limit float64) (Hit, bool) {
	nearest := r3.Vec{Z: max(-c.Half, min(c.Half, r.Origin.Z))}
	if r.Origin.Sub(nearest).Len2() <= float64(c.Radius*c.Radius) {
		return inside(r)
	}
	if t, ok := castTube(r, c.Radius, limit); ok {
		p := r.At(t)
		if math.Abs(p.Z) <= c.Half {
			return Hit{T: t, Normal: r3.Vec{X: p.X / c.Radius, Y: p.Y / c.Radius}}, true
		}
	}
	best, found := Hit{T: limit}, false
	for _, z := range [2]float64{-c.Half, c.Half} {
		if h, ok := castBall(r, r3.Vec{Z: z}, c.Radius, best.T); ok {
			best, found = h, true
		}
	}
	return best, found
}

// castTube is the parameter at which a ray enters the infinite cylinder about z from outside.
func castTube(r r3.Ray, radius, limit float64) (float64, bool) {
	a := float64(r.Dir.X*r.Dir.X) + float64(r.Dir.Y*r.Dir.Y)
	b := float64(r.Origin.X*r.Dir.X) + float64(r.Origin.Y*r.Dir.Y)
	c := float64(r.Origin.X*r.Origin.X) + float64(r.Origin.Y*r.Origin.Y) - float64(radius*radius)
	if c <= 0 || b >= 0 || a == 0 {
		return 0, false
	}
	t, ok := quadraticRoot(a, b, c)
	return t, ok && t <= limit
}
