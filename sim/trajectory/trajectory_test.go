package trajectory

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"
)

const ms = time.Millisecond

func TestWhatCannotBeFollowedIsRefusedWithThePlace(t *testing.T) {
	good := Point{At: time.Second, Positions: []float64{1, 2}}
	for want, points := range map[string][]Point{
		"no points": nil,
		"point 2 of 2 is at 1s; want later than the one before": {good, good},
		"point 1 of 1 is at -1s":                                {{At: -time.Second, Positions: []float64{1, 2}}},
		"point 1 has 1 positions for 2 joints":                  {{Positions: []float64{1}}},
		"point 2 has 0 positions for 2 joints":                  {good, {At: 2 * time.Second}},
		"point 1 has 1 velocities for 2 joints": {{Positions: []float64{1, 2},
			Velocities: []float64{1}}},
		"point 1 has accelerations [0 NaN]": {{Positions: []float64{1, 2},
			Accelerations: []float64{0, math.NaN()}}},
		"point 1 has positions [+Inf 0]": {{Positions: []float64{math.Inf(1), 0}}},
	} {
		if err := Check(2, points); !errors.Is(err, ErrInvalid) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if err := Check(2, []Point{{Positions: []float64{0, 0}}, good}); err != nil {
		t.Error(err)
	}
	if err := Check(MaxNumbers, make([]Point, 2)); err == nil {
		t.Error("more numbers than anybody needs are taken")
	}
}

// TestSplinesPassTheirPointsAsFastAsTheyAreTold compares the values and derivatives at both ends that define
// a spline, and its velocity with differences of positions.
func TestSplinesPassTheirPointsAsFastAsTheyAreTold(t *testing.T) {
	for name, points := range map[string][]Point{
		"cubic": {{At: 700 * ms, Positions: []float64{1.3}, Velocities: []float64{-0.4}},
			{At: 1500 * ms, Positions: []float64{-2}, Velocities: []float64{0}}},
		"quintic": {{At: 0, Positions: []float64{0.2}, Velocities: []float64{1},
			Accelerations: []float64{-3}},
			{At: 900 * ms, Positions: []float64{1}, Velocities: []float64{0.5}, Accelerations: []float64{2}},
			{At: 2000 * ms, Positions: []float64{3}, Velocities: []float64{0}, Accelerations: []float64{0}}},
	} {
		p := Begin([]float64{0.2}, []float64{1}, []float64{0}, points)
		for _, at := range points {
			before, _ := p.At(at.At-1, 0)
			q, v := p.At(at.At, 0)
			if math.Abs(q-at.Positions[0]) > 1e-12 || math.Abs(q-before) > 1e-8 {
				t.Errorf("%s: at %v it is at %v, want %v", name, at.At, q, at.Positions[0])
			}
			if at.At < p.Length() && math.Abs(v-at.Velocities[0]) > 1e-12 {
				t.Errorf("%s: at %v it goes %v, want %v", name, at.At, v, at.Velocities[0])
			}
		}
		for x := time.Duration(0); x < p.Length()-ms; x += 10 * ms {
			a, va := p.At(x, 0)
			b, vb := p.At(x+ms/10, 0)
			if slope := (b - a) / 1e-4; math.Abs(slope-(va+vb)/2) > 2e-3 {
				t.Errorf("%s: at %v its position grows by %v a second, its velocity is %v", name, x, slope,
					va)
			}
		}
		if name == "quintic" { // the acceleration of its points, by differences
			for _, at := range points[:2] {
				_, a := p.At(at.At, 0)
				_, b := p.At(at.At+ms/100, 0)
				if acc := (b - a) / 1e-5; math.Abs(acc-at.Accelerations[0]) > 1e-3 {
					t.Errorf("at %v it accelerates by %v, want %v", at.At, acc, at.Accelerations[0])
				}
			}
		}
	}
}

func TestPointsWithoutVelocitiesAreJoinedByLines(t *testing.T) {
	p := Begin([]float64{0, 5}, []float64{9, 9}, []float64{0, 0},
		[]Point{{At: time.Second, Positions: []float64{1, 5}},
			{At: 3 * time.Second, Positions: []float64{0, 6}}})
	for at, want := range map[time.Duration][2]float64{-time.Second: {0, 5}, 0: {0, 5}, 500 * ms: {0.5, 5},
		2 * time.Second: {0.5, 5.5}, 9 * time.Second: {0, 6}} {
		for j := range want {
			if q, _ := p.At(at, j); math.Abs(q-want[j]) > 1e-12 {
				t.Errorf("at %v joint %d is at %v, want %v", at, j, q, want[j])
			}
		}
	}
	if _, v := p.At(2*time.Second, 0); v != -0.5 {
		t.Errorf("it goes %v, want -0.5", v)
	}
	if _, v := p.At(time.Minute, 0); v != 0 {
		t.Errorf("after its end it goes %v", v)
	}
}

func TestAJointThatGoesRoundTakesTheShortWay(t *testing.T) {
	turn := 2 * math.Pi
	p := Begin([]float64{7 * turn, 7 * turn}, []float64{0, 0}, []float64{turn, 0},
		[]Point{{At: time.Second, Positions: []float64{3, 3}},
			{At: 2 * time.Second, Positions: []float64{4, 4}}})
	for j, want := range []float64{7*turn + 4, 4} {
		if q, _ := p.At(2*time.Second, j); math.Abs(q-want) > 1e-9 {
			t.Errorf("joint %d ends at %v, want %v", j, q, want)
		}
	}
	p = Begin([]float64{0.1}, []float64{0}, []float64{turn},
		[]Point{{At: time.Second, Positions: []float64{turn - 0.1}}})
	if q, _ := p.At(time.Second, 0); math.Abs(q+0.1) > 1e-9 {
		t.Errorf("it goes to %v and not back by 0.2", q)
	}
}

func TestOnePointAtTheBeginningIsWhereToBeNow(t *testing.T) {
	p := Begin([]float64{3}, []float64{0}, []float64{0}, []Point{{Positions: []float64{1}}})
	if q, v := p.At(0, 0); q != 1 || v != 0 || p.Length() != 0 {
		t.Errorf("at %v with %v, %v long", q, v, p.Length())
	}
}
