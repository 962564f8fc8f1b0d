package archtest

import "testing"

func TestAnArrowForbidsWhatMatchesButItsExceptions(t *testing.T) {
	a := Arrow{`^simdeck/sim/shape$`, `^simdeck/`, `/r3$`, "shapes are geometry only"}
	for _, c := range []struct {
		from, to string
		forbids  bool
	}{
		{"simdeck/sim/shape", "simdeck/sim/scene", true},
		{"simdeck/sim/shape", "simdeck/sim/r3", false},
		{"simdeck/sim/shape", "math", false},
		{"simdeck/sim/scene", "simdeck/ros", false},
	} {
		if got := a.forbids(c.from, c.to); got != c.forbids {
			t.Errorf("%s imports %s: forbidden %v, want %v", c.from, c.to, got, c.forbids)
		}
	}
	if a[2] = ""; !a.forbids("simdeck/sim/shape", "simdeck/sim/r3") {
		t.Error("no exception excepts everything")
	}
}
