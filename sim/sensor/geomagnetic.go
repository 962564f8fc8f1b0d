package sensor

import (
	"math"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// Fields that Gazebo writes into every world: SDF's default, and what that was before.
var (
	usualField  = r3.V(5.5645e-6, 22.8758e-6, -42.3884e-6)
	formerField = r3.V(6e-6, 2.3e-5, -4.2e-5)
)

// Field is the magnetic field at a point of a world, in its frame, in tesla: the world's own, if it has one.
// A field that Gazebo writes into every world does not count where the world says where on the earth it lies.
// There it is the earth's, by the World Magnetic Model.
func Field(e *scene.Earth, at r3.Vec) r3.Vec {
	given := e.Magnetic != (r3.Vec{})
	switch usual := e.Magnetic == usualField || e.Magnetic == formerField; {
	case e.Set && (usual || !given):
		return Geomagnetic(e, at, fieldDate)
	case given:
		return e.Magnetic
	}
	return usualField
}

const (
	// fieldDate is the middle of the five years for which the model is made.
	fieldDate   = 2027.5
	fieldEpoch  = 2025.0
	fieldDegree = 12
	fieldRadius = 6371200.0 // m, to which the coefficients belong
	leastSine   = 1e-10     // of the angle from a pole: there east is any direction
)

// Geomagnetic is the earth's magnetic field at a point of a world, in its frame, in tesla, in a decimal year.
// It is that of the World Magnetic Model 2025. Source: Chulliat et al., "The US/UK World Magnetic Model for
// 2020-2025", NOAA, 2020, section 1.2.
func Geomagnetic(e *scene.Earth, at r3.Vec, year float64) r3.Vec {
	enu := East(e, at)
	x, y, z := tangent(e.Latitude, e.Longitude)
	p := centred(Place{e.Latitude, e.Longitude, e.Elevation}).AddScaled(enu.X, x).AddScaled(enu.Y, y).
		AddScaled(enu.Z, z)
	b := harmonics(p, year-fieldEpoch)
	east, north := b.Dot(x), b.Dot(y)
	s, c := r3.SinCos(e.Heading)
	return r3.V(float64(east*c)+float64(north*s), float64(north*c)-float64(east*s), b.Dot(z))
}

// harmonics sums the series at a place in the frame that turns with the earth, so many years after the epoch.
// The Legendre functions are Schmidt's; each order begins at its own degree.
func harmonics(p r3.Vec, years float64) r3.Vec {
	r, flat := p.Len(), math.Sqrt(float64(p.X*p.X)+float64(p.Y*p.Y))
	cos, sin := p.Z/r, max(flat/r, leastSine)
	co, so := 1.0, 0.0
	if flat > 0 {
		co, so = p.X/flat, p.Y/flat
	}
	var scale [fieldDegree + 1]float64 // (radius/r)^(n+2)
	scale[0] = float64((fieldRadius / r) * (fieldRadius / r))
	for n := 1; n <= fieldDegree; n++ {
		scale[n] = scale[n-1] * (fieldRadius / r)
	}
	var up, south, east float64
	cm, sm := 1.0, 0.0     // of the order's multiple of the longitude
	top, slope := 1.0, 0.0 // the function of degree m, and its derivative by the angle from the pole
	for m := range fieldDegree + 1 {
		p, d, p1, d1 := top, slope, 0.0, 0.0
		for n := m; n <= fieldDegree; n++ {
			if n > m {
				k, root := float64(2*n-1), math.Sqrt(float64(n*n-m*m))
				less := math.Sqrt(float64((n-1)*(n-1) - m*m))
				next := (float64(k*float64(cos*p)) - float64(less*p1)) / root
				turn := (float64(k*(float64(cos*d)-float64(sin*p))) - float64(less*d1)) / root
				p, d, p1, d1 = next, turn, p, d
			}
			if n == 0 {
				continue
			}
			k := &gauss[n*(n+1)/2+m-1]
			g, h := k[0]+float64(k[2]*years), k[1]+float64(k[3]*years)
			along, across := float64(g*cm)+float64(h*sm), float64(g*sm)-float64(h*cm)
			up += float64(float64(scale[n]*float64(n+1)) * float64(along*p))
			south -= float64(scale[n] * float64(along*d))
			east += float64(float64(scale[n]*float64(m)) * float64(across*p) / sin)
		}
		cm, sm = float64(cm*co)-float64(sm*so), float64(sm*co)+float64(cm*so)
		grow := 1.0
		if m > 0 {
			grow = math.Sqrt(float64(2*m+1) / float64(2*m+2))
		}
		top, slope = float64(grow*float64(sin*top)), float64(grow*(float64(cos*top)+float64(sin*slope)))
	}
	const tesla = 1e-9
	return r3.V(sin*co, sin*so, cos).Scale(up*tesla).AddScaled(south*tesla, r3.V(cos*co, cos*so, -sin)).
		AddScaled(east*tesla, r3.V(-so, co, 0))
}
