package sensor

import (
	"math"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// WGS84 (NGA.STND.0036, 2014).
const (
	earthRadius     = 6378137.0 // m, at the equator
	earthFlattening = 1 / 298.257223563
)

// Place is a place on the earth: radians, and metres above the ellipsoid.
type Place struct{ Latitude, Longitude, Altitude float64 }

// Locate returns the geographic position of a point, given as east, north and up in the tangent plane at the
// world's origin. It iterates in the earth-centered frame (Bowring, "Transformation from spatial to
// geographical coordinates", Survey Review 23, 1976).
func Locate(e *scene.Earth, enu r3.Vec) Place {
	origin := centred(Place{e.Latitude, e.Longitude, e.Elevation})
	x, y, z := tangent(e.Latitude, e.Longitude)
	return geodetic(origin.AddScaled(enu.X, x).AddScaled(enu.Y, y).AddScaled(enu.Z, z))
}

// Point is the inverse of Locate for the world frame: the point of it that is a place on the earth.
func Point(e *scene.Earth, p Place) r3.Vec {
	away := centred(p).Sub(centred(Place{e.Latitude, e.Longitude, e.Elevation}))
	x, y, z := tangent(e.Latitude, e.Longitude)
	east, north := away.Dot(x), away.Dot(y)
	s, c := r3.SinCos(e.Heading)
	return r3.V(float64(east*c)+float64(north*s), float64(north*c)-float64(east*s), away.Dot(z))
}

// East is a vector of the world frame as east, north and up at its origin.
func East(e *scene.Earth, v r3.Vec) r3.Vec {
	s, c := r3.SinCos(e.Heading)
	return r3.V(float64(v.X*c)-float64(v.Y*s), float64(v.X*s)+float64(v.Y*c), v.Z)
}

// centred is a place in the frame that turns with the earth.
func centred(p Place) r3.Vec {
	e2 := earthFlattening * (2 - earthFlattening)
	s, c := r3.SinCos(p.Latitude)
	so, co := r3.SinCos(p.Longitude)
	n := earthRadius / math.Sqrt(1-float64(e2*float64(s*s)))
	flat := (n + p.Altitude) * c
	return r3.V(flat*co, flat*so, (float64(n*(1-e2))+p.Altitude)*s)
}

// tangent are east, north and up at a place, in the centred frame.
func tangent(latitude, longitude float64) (east, north, up r3.Vec) {
	s, c := r3.SinCos(latitude)
	so, co := r3.SinCos(longitude)
	return r3.V(-so, co, 0), r3.V(-s*co, -s*so, c), r3.V(c*co, c*so, s)
}

func geodetic(v r3.Vec) Place {
	e2 := earthFlattening * (2 - earthFlattening)
	flat := math.Sqrt(float64(v.X*v.X) + float64(v.Y*v.Y))
	p := Place{Longitude: r3.Atan2(v.Y, v.X), Latitude: r3.Atan2(v.Z, flat*(1-e2))}
	for range 8 { // each step divides the error by about 300
		s, c := r3.SinCos(p.Latitude)
		n := earthRadius / math.Sqrt(1-float64(e2*float64(s*s)))
		p.Altitude = float64(flat*c) +
			float64(v.Z*s) - float64(earthRadius*math.Sqrt(1-float64(e2*float64(s*s))))
		p.Latitude = r3.Atan2(v.Z+float64(e2*float64(n*s)), flat)
	}
	return p
}
