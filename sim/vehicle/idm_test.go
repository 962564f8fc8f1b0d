package vehicle

import (
	"math"
	"testing"

	"simdeck/sim/scene"
)

// town is a driver with the parameters of the table for towns.
var town = scene.IDM{V0: 15, T: 1, A: 1, B: 1.5, S0: 2, Delta: 4}

// TestADriverKeepsTheGapOfTheModelsEquilibrium compares with equation 6 of the paper: at equal speeds the gap
// is (s0 + v T) / √(1 - (v/v0)^δ).
func TestADriverKeepsTheGapOfTheModelsEquilibrium(t *testing.T) {
	for _, speed := range []float64{0, 2, 5, 9, 13} {
		gap := (town.S0 + speed*town.T) / math.Sqrt(1-math.Pow(speed/town.V0, town.Delta))
		if a := FollowAccel(&town, speed, Lead{gap, speed}); math.Abs(a) > 1e-12 {
			t.Errorf("at %g m/s and the gap of equilibrium, %.3f m, a driver accelerates by %g m/s²", speed, gap, a)
		}
		if a := FollowAccel(&town, speed, Lead{gap - 0.1, speed}); a >= 0 {
			t.Errorf("at %g m/s and nearer than that, by %g m/s²", speed, a)
		}
	}
}

func TestAccelerationsOfADriver(t *testing.T) {
	for _, c := range []struct {
		name  string
		d     scene.IDM
		speed float64
		ahead Lead
		want  float64
	}{
		{"standing on a free road", town, 0, Free(), 1},
		{"at the desired speed", town, 15, Free(), 0},
		{"at half of it", town, 7.5, Free(), 1 - 1.0/16},
		{"much faster than desired", town, 30, Free(), -1.5},
		{"told to stand", scene.IDM{A: 1, B: 1.5, S0: 2, T: 1, Delta: 4}, 10, Free(), -1.5},
		{"close behind a wall", town, 10, Lead{Gap: 1}, -9},
		{"in it", town, 10, Lead{Gap: -3}, -9},
		{"toward a wall 100 m away", town, 10, Lead{Gap: 100},
			1 - math.Pow(10./15, 4) - math.Pow((2+10+100/(2*math.Sqrt(1.5)))/100, 2)},
		{"behind one who gets away", town, 10, Lead{Gap: 20, Speed: 30},
			1 - math.Pow(10./15, 4) - 0.01},
	} {
		if a := FollowAccel(&c.d, c.speed, c.ahead); math.Abs(a-c.want) > 1e-12 {
			t.Errorf("%s a driver accelerates by %.12g m/s², want %.12g", c.name, a, c.want)
		}
	}
}

func TestADriverStopsBehindAWallAndHitsItAtNoSpeed(t *testing.T) {
	for _, speed := range []float64{3, 10, 15} {
		for _, dt := range []float64{0.001, 0.01, 0.1} {
			x, v, nearest := 0.0, speed, math.Inf(1)
			for range int(120 / dt) {
				way, after := Advance(v, FollowAccel(&town, v, Lead{Gap: 150 - x}), dt)
				x, v = x+way, after
				nearest = min(nearest, 150-x)
			}
			if v > 1e-3 || math.Abs(nearest-town.S0) > 0.25 {
				t.Errorf("from %g m/s in steps of %g s: %.3f m before the wall at %.4f m/s; want s0 = 2 m", speed, dt,
					nearest, v)
			}
		}
	}
}

func TestNothingDrivesBackwardsByBraking(t *testing.T) {
	if way, after := Advance(2, -4, 1); after != 0 || way != 0.5 {
		t.Errorf("from 2 m/s at -4 m/s² it goes %g m, and then at %g m/s; want 0.5 m, and to stand", way, after)
	}
	if way, after := Advance(0, -4, 1); after != 0 || way != 0 {
		t.Errorf("what stands goes %g m by braking", way)
	}
}
