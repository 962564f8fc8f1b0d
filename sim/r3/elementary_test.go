package r3

import (
	"math"
	"math/rand/v2"
	"testing"
)

// ulps is the distance of two numbers in units of the last place of the larger.
func ulps(a, b float64) float64 {
	if a == b || (a != a && b != b) {
		return 0
	}
	m := max(math.Abs(a), math.Abs(b))
	return math.Abs(a-b) / (math.Nextafter(m, math.Inf(1)) - m)
}

func TestElementaryFunctionsAgreeWithPackageMath(t *testing.T) {
	cases := []struct {
		name      string
		own, ref  func(float64) float64
		lo, hi    float64
		ulp, near float64 // allowed: ulp units, or an absolute error where the result crosses zero
	}{
		{"sin", Sin, math.Sin, -1000, 1000, 2, 1e-16},
		{"cos", Cos, math.Cos, -1000, 1000, 2, 1e-16},
		{"tan", Tan, math.Tan, -1.5, 1.5, 4, 0},
		{"atan", Atan, math.Atan, -30, 30, 2, 0},
		{"asin", Asin, math.Asin, -1, 1, 4, 2e-15},
		{"acos", Acos, math.Acos, -1, 1, 4, 2e-15},
		{"exp", Exp, math.Exp, -700, 700, 4, 0},
		{"log", Log, math.Log, 1e-6, 1e6, 4, 0},
	}
	for _, c := range cases {
		r := rand.New(rand.NewPCG(1, 2))
		for range 20000 {
			x := c.lo + (c.hi-c.lo)*r.Float64()
			got, want := c.own(x), c.ref(x)
			if ulps(got, want) > c.ulp && math.Abs(got-want) > c.near {
				t.Fatalf("%s(%v) = %v, package math says %v (%.1f ulp)", c.name, x, got, want,
					ulps(got, want))
			}
		}
	}
}

func TestElementaryFunctionsAtTheirEdges(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, y := range []float64{0, math.Copysign(0, -1), 1, -1, inf, -inf, nan, 1e-300, 5e300} {
		for _, x := range []float64{0, math.Copysign(0, -1), 1, -1, inf, -inf, nan, 1e-300, 5e300} {
			got, want := Atan2(y, x), math.Atan2(y, x)
			if ulps(got, want) > 2 || (want == 0 && math.Signbit(got) != math.Signbit(want)) {
				t.Errorf("Atan2(%v, %v) = %v, want %v", y, x, got, want)
			}
		}
	}
	for _, c := range []struct{ got, want float64 }{
		{Sin(inf), nan}, {Cos(nan), nan}, {Exp(-1e4), 0}, {Exp(1e4), inf}, {Exp(nan), nan}, {Exp(0), 1},
		{Log(0), -inf}, {Log(-1), nan}, {Log(inf), inf}, {Log(1), 0}, {Asin(1.0000001), math.Pi / 2},
		{Acos(-1.1), math.Pi}, {Acos(nan), nan}, {Sin(0), 0}, {Cos(0), 1},
	} {
		if ulps(c.got, c.want) > 1 {
			t.Errorf("got %v, want %v", c.got, c.want)
		}
	}
	if s, c := SinCos(1e9); math.Abs(s*s+c*c-1) > 1e-15 {
		t.Errorf("SinCos(1e9) is not on the unit circle: %v %v", s, c)
	}
}
