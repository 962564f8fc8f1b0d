package dynamics

import "math"

// slidingThreshold is the part of the friction cone's radius from which a contact counts as sliding; at the
// edge it counts wholly.
const slidingThreshold = 0.9

// applySliding turns the friction of a manifold that slid in the last substep, with the impulses j1 and j2
// under a load, against its slip (Coulomb's law, the principle of maximal dissipation). An impulse of the
// true effective masses that is clamped to the cone leans towards the direction in which the bodies are
// heavier: a brick that slides downhill on the skew would drift to a side. With one mass for both tangents,
// the smallest that is stable, the fixed point of the passes is the impulse against the slip.
func (b *contactBatch) applySliding(lane int, j1, j2, load float64) {
	l1, l2 := float64(b.mu1.at(lane)*load), float64(b.mu2.at(lane)*load)
	part := slidingFraction(j1, j2, l1, l2)
	if part <= 0 {
		return
	}
	b11, b12, b22 := equalizedMass(b.invK11.at(lane), b.invK12.at(lane), b.invK22.at(lane), l1, l2, part)
	b.invK11.set(lane, b11)
	b.invK12.set(lane, b12)
	b.invK22.set(lane, b22)
}

// normalImpulse is the sum of the normal impulses of the last substep, N·s.
func (m *manifold) normalImpulse() (sum float64) {
	for k := range m.n {
		sum += m.impulses[k]
	}
	return sum
}

// slidingFraction is how much, up to 1, a friction impulse counts as sliding in the ellipse with the half
// axes l1 and l2; not above zero: it sticks.
func slidingFraction(j1, j2, l1, l2 float64) float64 {
	x, y, area := float64(j1*l2), float64(j2*l1), float64(l1*l2)
	far := float64(x*x) + float64(y*y)
	if !(far > float64(slidingThreshold*slidingThreshold*area*area)) || area <= 0 {
		return 0
	}
	return min(1, (math.Sqrt(far)/area-slidingThreshold)/(1-slidingThreshold))
}

// equalizedMass blends the 2×2 effective mass of the tangents by a part towards a multiple of the cone's own
// metric.
func equalizedMass(b11, b12, b22, l1, l2, part float64) (e11, e12, e22 float64) {
	det := float64(b11*b22) - float64(b12*b12)
	if !(det > 0) {
		return b11, b12, b22
	}
	l1, l2 = float64(l1*l1), float64(l2*l2)
	p, q, r := float64(l1*b22)/det, float64(l2*b11)/det, b12/det
	half := float64(0.5 * (p - q))
	most := float64(0.5*(p+q)) + math.Sqrt(float64(half*half)+float64(l1*l2*r*r))
	return b11 + float64(part*(l1/most-b11)), b12 - float64(part*b12), b22 + float64(part*(l2/most-b22))
}
