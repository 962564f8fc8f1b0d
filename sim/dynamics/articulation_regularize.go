package dynamics

import (
	"math"

	"simdeck/sim/r3"
)

// A contact near a joint axis has almost no lever, so the link's effective mass there is tons. Separating it
// at the usual recovery speed would turn the link a thousand times as fast and throw it in the next substep,
// at another lever. Links get there only by starting in the ground or in a neighbour. So where an
// articulation is less compliant than its total mass, separation is slowed: the link turns no faster than the
// recovery speed at its radius of gyration. Its effective mass is bounded by minComplianceRatio.

// minComplianceRatio is the least compliance of an articulation at a contact, as a part of its whole mass's.
// It also keeps the friction block of a link that moves in one plane only invertible.
const minComplianceRatio = 1e-3

// minConstrainedCompliance is the least compliance with held rows, as a part of the unconstrained one. Where
// held joints are all that could move, as between two links at a joint limit, a contact in overlap would
// otherwise push without bound.
const minConstrainedCompliance = 0.01

// regularize bounds the row's compliance from below, and its separation speed. inverseMass is the inverse
// effective mass, 1/kg, total that of the total mass.
func (r *articulationContactRow) regularize(inverseMass, total float64) {
	r.minCompliance = float64(minConstrainedCompliance * inverseMass)
	if r.direction == (r3.Vec{}) || inverseMass >= total {
		return // rotational rows have no lever
	}
	r.minCompliance = max(r.minCompliance, float64(minComplianceRatio*total))
	r.pushOutScale = math.Sqrt(max(0, inverseMass) / total)
}

// inverseTotalMass is 1 over the mass of the heavier articulation at the contact, 1/kg.
func (p *articulationContact) inverseTotalMass() float64 {
	heavy := 0.0
	if p.a.link.Valid() {
		heavy = p.a.link.Articulation().TotalMass()
	}
	if p.b.link.Valid() {
		heavy = max(heavy, p.b.link.Articulation().TotalMass())
	}
	return inverseOrZero(heavy)
}
