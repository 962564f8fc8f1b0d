package cli

import (
	"math"
	"testing"
)

func TestNumbersOfStrangersAreShort(t *testing.T) {
	for f, want := range map[float64]string{0: "0.000", -1e-9: "0.000", -2.5: "-2.500", 999999.25: "999999.250", -1e300: "-1e+300",
		1.8e16: "1.8e+16", math.Inf(1): "+Inf"} {
		if got := fixed(f, 3); got != want {
			t.Errorf("%g is %q, want %q", f, got, want)
		}
	}
}
