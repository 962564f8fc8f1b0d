package dynamics

import "math"

// gripGap and slipGap bound, in metres, the overlaps between which friction fades. No load presses bodies
// so deep into each other; they have been put there. A wedge that is narrower than the cones of friction of
// its two sides would hold them for ever.
const (
	gripGap = 0.03
	slipGap = 0.05
)

// frictionScale is the part of its friction that a patch has.
func (m *manifold) frictionScale() float64 {
	gap := math.Inf(1)
	for k := range m.n {
		gap = min(gap, m.points[k].gap)
	}
	return max(0, min(1, (slipGap+gap)/(slipGap-gripGap)))
}
