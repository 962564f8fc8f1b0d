package scene

import (
	"strings"
	"testing"
)

func TestNumbersThatNobodyReadsToTheirEndAreCut(t *testing.T) {
	long := "1" + strings.Repeat("0", 308)
	for text, want := range map[string]string{
		`"` + long + `" in <mass> is not a finite number`: `"10000000000000000000…(309 digits)" in <mass> is not a finite number`,
		"0." + long: "0.10000000000000000000…(309 digits)",
		"/home/0123456789012345678901234567890123456789/world.sdf:3:17: 1e308": "/home/0123456789012345678901234567890123456789/world.sdf:3:17: 1e308",
	} {
		if got := Brief(text); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
