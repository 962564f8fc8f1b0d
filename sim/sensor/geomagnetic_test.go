package sensor

import (
	"math"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// TestTheEarthsFieldHasTheValuesThatItsMakersPublish: the twelve test values of the World Magnetic Model
// 2025, rounded to 0.1 nT.
func TestTheEarthsFieldHasTheValuesThatItsMakersPublish(t *testing.T) {
	for _, c := range []struct{ year, km, latitude, longitude, north, east, down float64 }{
		{2025, 0, 80, 0, 6521.6, 145.9, 54791.5},
		{2025, 0, 0, 120, 39677.8, -109.6, -10580.2},
		{2025, 0, -80, -120, 6117.5, 15751.9, -52022.5},
		{2025, 100, 80, 0, 6216.0, 92.4, 52598.8},
		{2025, 100, 0, 120, 37688.6, -96.2, -10152.1},
		{2025, 100, -80, -120, 5907.6, 14780.3, -49540.7},
		{2027.5, 0, 80, 0, 6500.8, 294.5, 54869.4},
		{2027.5, 0, 0, 120, 39701.6, -167.4, -10381.8},
		{2027.5, 0, -80, -120, 6200.7, 15730.3, -51783.7},
		{2027.5, 100, 80, 0, 6196.7, 233.8, 52670.5},
		{2027.5, 100, 0, 120, 37711.5, -148.7, -9969.8},
		{2027.5, 100, -80, -120, 5984.0, 14760.1, -49317.7},
	} {
		e := scene.Earth{Set: true, Latitude: c.latitude * math.Pi / 180,
			Longitude: c.longitude * math.Pi / 180, Elevation: c.km * 1000}
		got := Geomagnetic(&e, r3.Vec{}, c.year).Scale(1e9)
		if want := r3.V(c.east, c.north, -c.down); got.Dist(want) > 0.1 {
			t.Errorf("%v: %.1f nT east, north, up, want %.1f", c, got, want)
		}
		e.Heading = 0.4
		if turned := East(&e, Geomagnetic(&e, r3.Vec{}, c.year).Scale(1e9)); turned.Dist(got) > 1e-6 {
			t.Errorf("%v: in a world that is turned by 0.4 rad it is %v, want %v", c, turned, got)
		}
	}
}

// TestTheFieldHasNoSources: it is the gradient of a potential, so that its divergence and curl are zero, also
// beside a pole.
func TestTheFieldHasNoSources(t *testing.T) {
	for _, latitude := range []float64{0.7, -1.2, math.Pi/2 - 1e-4} {
		e := scene.Earth{Set: true, Latitude: latitude, Longitude: 2}
		const h = 2000.0 // m
		var slope [3]r3.Vec
		for i := range slope {
			step := [...]r3.Vec{r3.V(h, 0, 0), r3.V(0, h, 0), r3.V(0, 0, h)}[i]
			change := Geomagnetic(&e, step, 2026).Sub(Geomagnetic(&e, step.Neg(), 2026))
			slope[i] = change.Scale(1e12 / (2 * h))
		}
		divergence := slope[0].X + slope[1].Y + slope[2].Z
		curl := r3.V(slope[1].Z-slope[2].Y, slope[2].X-slope[0].Z, slope[0].Y-slope[1].X)
		if most := slope[2].Len(); math.Abs(divergence) > 1e-4*most || curl.Len() > 1e-4*most {
			t.Errorf("at %v rad: divergence %g pT/m, curl %g pT/m, where it changes by %g", latitude,
				divergence, curl, most)
		}
	}
}

func TestAFieldThatAFileGivesCounts(t *testing.T) {
	here := scene.Earth{Set: true, Latitude: 0.83, Longitude: 0.2}
	model := Geomagnetic(&here, r3.Vec{}, fieldDate)
	own := r3.V(1e-5, 2e-5, 3e-5)
	for _, c := range []struct {
		set       bool
		gave, get r3.Vec
	}{{false, r3.Vec{}, usualField}, {false, own, own}, {false, formerField, formerField}, {true, own, own},
		{true, r3.Vec{}, model}, {true, usualField, model}, {true, formerField, model}} {
		e := here
		e.Set, e.Magnetic = c.set, c.gave
		if got := Field(&e, r3.Vec{}); got != c.get {
			t.Errorf("on the earth %v, file %v: %v, want %v", c.set, c.gave, got, c.get)
		}
	}
}
