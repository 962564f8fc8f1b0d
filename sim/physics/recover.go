package physics

import "math"

// looseFrom and looseAt bound, in metres, the overlaps between which friction fades. No load presses bodies
// so deep into each other; they have been put there. A wedge that is narrower than the cones of friction of
// its two sides would hold them for ever.
const (
	looseFrom = 0.03
	looseAt   = 0.05
)

// grip is the part of its friction that a patch has.
func (m *manifold) grip() float64 {
	gap := math.Inf(1)
	for k := range m.n {
		gap = min(gap, m.points[k].gap)
	}
	return max(0, min(1, (looseAt+gap)/(looseAt-looseFrom)))
}
