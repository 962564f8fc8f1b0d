package physics

import "math"

// slidingFrom is the part of the cone's edge from which on friction counts as sliding, at the edge itself wholly.
const slidingFrom = 0.9

// slide makes the friction of a patch that has slid in the last substep one that pulls against the way it
// slides (Coulomb's law, the principle of the most dissipation). Solved with the true masses and
// shortened to the cone, an impulse leans towards the direction in which the bodies are heavier: a wheel
// that rolls easily and skids heavily would be held sideways more than its friction allows lengthwise.
// With one mass for both directions, the smallest that is safe, what stays the same from pass to pass
// is exactly the impulse against the slip. It is for what hangs on joints: wheels and feet.
func (b *batch) slide(lane int, m *manifold) {
	load := 0.0
	for k := range m.n {
		load += m.impulses[k]
	}
	l1, l2 := float64(b.mu1.at(lane)*load), float64(b.mu2.at(lane)*load)
	if !(float64(l1*l2) > 0) {
		return
	}
	x, y := m.friction.Dot(b.t1.at(lane))/l1, m.friction.Dot(b.t2.at(lane))/l2
	part := (math.Sqrt(float64(x*x)+float64(y*y)) - slidingFrom) / (1 - slidingFrom)
	if part <= 0 {
		return
	}
	k11, k12, k22 := b.k11.at(lane), b.k12.at(lane), b.k22.at(lane)
	det := float64(k11*k22) - float64(k12*k12)
	if !(det > 0) {
		return
	}
	l1, l2 = float64(l1*l1), float64(l2*l2)
	p, q, r := float64(l1*k22)/det, float64(l2*k11)/det, k12/det
	half := float64(0.5 * (p - q))
	most := float64(0.5*(p+q)) + math.Sqrt(float64(half*half)+float64(l1*l2*r*r))
	part = min(part, 1)
	b.k11.set(lane, k11+float64(part*(l1/most-k11)))
	b.k12.set(lane, k12-float64(part*k12))
	b.k22.set(lane, k22+float64(part*(l2/most-k22)))
}
