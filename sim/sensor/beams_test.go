package sensor

import (
	"math"
	"testing"

	"simdeck/sim/r3"
)

// TestFourBeamsGiveTheVelocityAndItsVariance: beams that are tilted by φ, a quarter of a turn apart. Their
// normal matrix is diagonal: 2·sin²φ twice, and 4·cos²φ.
func TestFourBeamsGiveTheVelocityAndItsVariance(t *testing.T) {
	const tilt, std = math.Pi / 6, 0.01
	want := r3.V(1.5, -0.4, 0.2)
	var f BeamFit
	for k := range 4 {
		turn := math.Pi/4 + float64(k)*math.Pi/2
		axis := r3.V(math.Sin(tilt)*math.Cos(turn), math.Sin(tilt)*math.Sin(turn), -math.Cos(tilt))
		if _, _, ok := f.Solve(std); ok != (k >= 3) {
			t.Errorf("%d beams: a velocity %v", k, ok)
		}
		f.Add(axis, axis.Dot(want))
	}
	got, c, ok := f.Solve(std)
	if !ok || got.Dist(want) > 1e-12 {
		t.Errorf("velocity %v, want %v", got, want)
	}
	s, k := math.Sin(tilt), math.Cos(tilt)
	for _, e := range [][2]float64{{c.XX, std * std / (2 * s * s)}, {c.YY, std * std / (2 * s * s)},
		{c.ZZ, std * std / (4 * k * k)}, {c.XY, 0}, {c.XZ, 0}, {c.YZ, 0}} {
		if math.Abs(e[0]-e[1]) > 1e-15 {
			t.Errorf("variance %g, want %g", e[0], e[1])
		}
	}
}

func TestBeamsInAPlaneGiveNoVelocity(t *testing.T) {
	var f BeamFit
	for k := range 5 {
		f.Add(r3.V(math.Sin(float64(k)), 0, -math.Cos(float64(k))), 1)
	}
	if v, _, ok := f.Solve(0.1); ok {
		t.Errorf("beams in a plane give %v across it", v)
	}
}

func TestAConeIsFullOfRays(t *testing.T) {
	if alone := Cone(0); len(alone) != 1 || alone[0] != r3.V(0, 0, -1) {
		t.Errorf("a cone without a width: %v", alone)
	}
	const half = 0.3
	rays, edge := Cone(half), 0
	for _, d := range rays {
		angle := math.Acos(-d.Z)
		if math.Abs(d.Len()-1) > 1e-12 || angle > half+1e-9 {
			t.Errorf("ray %v is %v rad off the axis", d, angle)
		}
		if angle > half-1e-9 {
			edge++
		}
	}
	if len(rays) != 61 || edge != 24 {
		t.Errorf("%d rays, %d at the side; want 61 and 24", len(rays), edge)
	}
}
