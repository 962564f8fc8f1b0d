package r3

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestHypotIsTheLengthOnEveryMachine(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for range 100_000 {
		x, y := random.NormFloat64()*math.Exp(20*random.NormFloat64()), random.NormFloat64()*math.Exp(20*random.NormFloat64())
		if got, want := Hypot(x, y), math.Hypot(x, y); math.Abs(got-want) > 4e-16*want {
			t.Fatalf("of %g and %g: %g, want %g", x, y, got, want)
		}
	}
	for _, c := range [][3]float64{{0, 0, 0}, {3, -4, 5}, {-3e300, 4e300, 5e300}, {math.Inf(-1), 1, math.Inf(1)}, {0, -2, 2}} {
		if got := Hypot(c[0], c[1]); got != c[2] {
			t.Errorf("of %g and %g: %g, want %g", c[0], c[1], got, c[2])
		}
	}
	if got := Hypot(math.NaN(), 1); got == got {
		t.Errorf("of NaN: %g", got)
	}
	// 1 + q² rounds another way when it is fused: the bits are those of amd64 without it.
	if got := math.Float64bits(Hypot(0.1, 0.7)); got != math.Float64bits(0.7*math.Sqrt(1+float64((0.1/0.7)*(0.1/0.7)))) {
		t.Errorf("bits %x", got)
	}
}
