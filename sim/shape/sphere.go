package shape

import "simdeck/sim/r3"

// Sphere is a ball around the origin.
type Sphere struct{ Radius float64 }

// Kind is KindSphere.
func (Sphere) Kind() Kind { return KindSphere }

// Check accepts a radius between a micrometre and 100 km.
func (s Sphere) Check() error { return checkSize(KindSphere, "radius", s.Radius) }

// Bounds is a cube around the centre.
func (s Sphere) Bounds(p r3.Pose) r3.Box {
	return r3.BoxAround(p.Pos, r3.Vec{X: s.Radius, Y: s.Radius, Z: s.Radius})
}

// Mass is that of a solid ball.
func (s Sphere) Mass(density float64) Mass {
	r2 := float64(s.Radius * s.Radius)
	m := density * (4.0 / 3 * pi) * r2 * s.Radius
	i := 0.4 * m * r2
	return Mass{Mass: m, Inertia: r3.Diag(r3.Vec{X: i, Y: i, Z: i})}
}

// Support is the point of the surface along dir; the top for a zero direction.
func (s Sphere) Support(dir r3.Vec) r3.Vec {
	u, ok := dir.Unit()
	if !ok {
		u = r3.Vec{Z: 1}
	}
	return u.Scale(s.Radius)
}

// CastRay meets the ball's surface.
func (s Sphere) CastRay(r r3.Ray, limit float64) (Hit, bool) {
	return castBall(r, r3.Vec{}, s.Radius, limit)
}

func castBall(r r3.Ray, centre r3.Vec, radius, limit float64) (Hit, bool) {
	o := r.Origin.Sub(centre)
	c := o.Len2() - float64(radius*radius)
	if c <= 0 {
		return inside(r)
	}
	b := o.Dot(r.Dir)
	if b >= 0 {
		return Hit{}, false
	}
	t, ok := quadraticRoot(r.Dir.Len2(), b, c)
	if !ok || t > limit {
		return Hit{}, false
	}
	n, _ := o.AddScaled(t, r.Dir).Unit()
	return Hit{T: t, Normal: n}, true
}
