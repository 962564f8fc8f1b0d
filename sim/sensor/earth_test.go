package sensor

import (
	"math"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// heikkinen is the closed form of Heikkinen ("Geschlossene Formeln zur
// Berechnung räumlicher geodätischer Koordinaten", ZfV 107, 1982), which
// shares nothing with the iteration under test.
func heikkinen(x, y, z float64) (lat, lon, h float64) {
	const a, f = 6378137.0, 1 / 298.257223563
	b := a * (1 - f)
	e2, ep2 := (a*a-b*b)/(a*a), (a*a-b*b)/(b*b)
	r := math.Hypot(x, y)
	F := 54 * b * b * z * z
	G := r*r + (1-e2)*z*z - e2*(a*a-b*b)
	c := e2 * e2 * F * r * r / (G * G * G)
	s := math.Cbrt(1 + c + math.Sqrt(c*c+2*c))
	k := s + 1 + 1/s
	P := F / (3 * k * k * G * G)
	Q := math.Sqrt(1 + 2*e2*e2*P)
	r0 := -P*e2*r/(1+Q) + math.Sqrt(a*a/2*(1+1/Q)-P*(1-e2)*z*z/(Q*(1+Q))-P*r*r/2)
	U := math.Hypot(r-e2*r0, z)
	V := math.Sqrt((r-e2*r0)*(r-e2*r0) + (1-e2)*z*z)
	return math.Atan((z + ep2*b*b*z/(a*V)) / r), math.Atan2(y, x), U * (1 - b*b/(a*V))
}

func TestPlacesAgreeWithAClosedForm(t *testing.T) {
	for _, e := range []scene.Earth{
		{Latitude: 0.8, Longitude: 0.15, Elevation: 430},
		{Latitude: -0.6, Longitude: 2.5},
		{Latitude: 0.01, Longitude: -3, Elevation: 2000},
		{Latitude: 1.4, Longitude: 1},
	} {
		for _, enu := range []r3.Vec{{}, {X: 10, Y: 20, Z: 3}, {X: -5000, Y: 800, Z: 120},
			{X: 40, Y: -30000, Z: -2}} {
			got := Locate(&e, enu)
			sl, cl, so, co := math.Sin(e.Latitude), math.Cos(e.Latitude), math.Sin(e.Longitude),
				math.Cos(e.Longitude)
			const a, e2 = 6378137.0, 0.00669437999014
			n := a / math.Sqrt(1-e2*sl*sl)
			x := (n+e.Elevation)*cl*co - so*enu.X - sl*co*enu.Y + cl*co*enu.Z
			y := (n+e.Elevation)*cl*so + co*enu.X - sl*so*enu.Y + cl*so*enu.Z
			z := (n*(1-e2)+e.Elevation)*sl + cl*enu.Y + sl*enu.Z
			lat, lon, h := heikkinen(x, y, z)
			if d := math.Hypot((got.Latitude-lat)*a, (got.Longitude-lon)*a*cl); d > 1e-4 ||
				math.Abs(got.Altitude-h) > 1e-3 {
				t.Errorf("%v of %+v: %+v, the closed form has %v, %v, %v: %g m off", enu, e, got, lat, lon, h,
					d)
			}
		}
	}
}

func TestTheWorldsAxesAreTurnedByItsHeading(t *testing.T) {
	e := scene.Earth{Heading: math.Pi / 2}
	if got := East(&e, r3.V(3, 1, 2)); got.Dist(r3.V(-1, 3, 2)) > 1e-12 {
		t.Errorf("3 m ahead of a world that looks north is %v east, north, up", got)
	}
}

func TestAPointIsWhereItsPlaceIs(t *testing.T) {
	for _, e := range []scene.Earth{{Latitude: 0.8, Longitude: 0.15, Elevation: 430, Heading: 0.4},
		{Latitude: -0.6, Longitude: 2.5}, {Latitude: 1.4, Longitude: 1, Heading: -2}} {
		for _, at := range []r3.Vec{{}, {X: 10, Y: 20, Z: 3}, {X: -5000, Y: 800, Z: 120},
			{X: 40, Y: -30000, Z: -2}} {
			if got := Point(&e, Locate(&e, East(&e, at))); got.Dist(at) > 1e-6 {
				t.Errorf("%v of %+v: its place is at %v", at, e, got)
			}
		}
	}
}
