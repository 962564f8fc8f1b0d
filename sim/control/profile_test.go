package control

import (
	"math"
	"testing"
)

// TestAProfileReachesItsTargetWithinItsBounds goes through profiles step by step. Speed and acceleration stay
// within their bounds, and the joint arrives in the time of a trapezoid without passing its target.
func TestAProfileReachesItsTargetWithinItsBounds(t *testing.T) {
	const dt = 0.01
	for name, c := range map[string]struct{ from, to, speed, acceleration, seconds float64 }{
		"a jump of a step":        {0, 0.5, math.Inf(1), 0, dt},
		"at its speed":            {0, -1, 2, 0, 0.5},
		"trapezoid":               {1, 3, 1, 2, 2 + 0.5},     // by its speed, and from rest
		"triangle":                {0, 0.5, 10, 2, 2 * 0.5},  // half of it each way
		"slow trapezoid":          {0, -4, 0.5, 0.25, 8 + 2}, // as the first
		"less than a step's way":  {0, 1e-5, 1, 0, dt},       // in one step
		"less than is worth it":   {0, 1e-7, 1, 0, 0},        // stays
		"bounded by acceleration": {0, 0.02, math.Inf(1), 2, 2 * 0.1},
	} {
		q, v, steps := c.from, 0.0, 0
		for ; steps < 10000; steps++ {
			next := profileVelocity(c.to-q, v, c.speed, c.acceleration, dt)
			if math.Abs(next) > c.speed+1e-12 ||
				c.acceleration > 0 && math.Abs(next-v) > c.acceleration*dt+1e-12 {
				t.Fatalf("%s: from %g to %g in a step", name, v, next)
			}
			if v = next; v == 0 {
				break
			}
			q += v * dt
			if past := (q - c.to) * math.Copysign(1, c.to-c.from); past > 1e-9 {
				t.Fatalf("%s: %g past its target", name, past)
			}
		}
		took := float64(steps) * dt
		if math.Abs(q-c.to) > reachedWithin || math.Abs(took-c.seconds) > 0.03+0.02*c.seconds {
			t.Errorf("%s: at %g after %g s, want %g after %g s", name, q, took, c.to, c.seconds)
		}
	}
}
