package scene

import (
	"math"
	"testing"
)

// Values are those of mju_muscleGain and mju_muscleBias of MuJoCo 4.0 at a length of 0.75 + 0.3·x/0.1 optimal
// lengths, from the curves that its documentation draws.
func TestAMuscleIsStrongestAtItsOptimalLengthAndHasSmoothCurves(t *testing.T) {
	m := Muscle{LengthRange: [2]float64{0, 0.1}, Range: [2]float64{0.75, 1.05}, Peak: 100, Shortest: 0.5,
		Longest: 1.6, Fastest: 1.5, Passive: 1.3, Lengthening: 1.2}
	l0 := 0.1 / 0.3
	at := func(l, v float64) float64 {
		f, _, _ := m.force(1, (l-0.75)*l0, v*l0*1.5)
		return f
	}
	for _, c := range [][3]float64{ // optimal lengths, fastest speeds, N
		{1, 0, -100}, {0.5, 0, 0}, {0.75, 0, -50}, {1, -1, 0}, {1, -0.5, -25}, {1, 1, -120},
		{1.3, 0, -50 - 65}, {1.6, 0, -1.3 * 150}, {0.4, 0, 0}, {2, 0, -100 * 1.3 * (0.5 + 0.7/0.3)},
	} {
		if f := at(c[0], c[1]); math.Abs(f-c[2]) > 1e-9 {
			t.Errorf("at %v optimal lengths and %v of the fastest speed: %v N; want %v", c[0], c[1], f, c[2])
		}
	}
	const h = 1e-6
	for l := 0.41; l < 2; l += 0.0737 {
		for v := -1.2; v < 0.5; v += 0.0931 {
			x, w := (l-0.75)*l0, v*l0*1.5
			_, byLength, bySpeed := m.force(0.7, x, w)
			f := func(x, w float64) float64 { f, _, _ := m.force(0.7, x, w); return f }
			if d := (f(x+h, w) - f(x-h, w)) / (2 * h); math.Abs(d-byLength) > 1e-2 {
				t.Errorf("at %v, %v the force changes by %v with the length; said is %v", l, v, d, byLength)
			}
			if d := (f(x, w+h) - f(x, w-h)) / (2 * h); math.Abs(d-bySpeed) > 1e-2 {
				t.Errorf("at %v, %v the force changes by %v with the speed; said is %v", l, v, d, bySpeed)
			}
		}
	}
}
