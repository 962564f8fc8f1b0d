package dynamics

import (
	"math"

	"simdeck/sim/r3"
)

// A contact near the axis of a joint has next to no lever: the link yields there as if it weighed tons. To push it
// apart at the usual speed would turn the link at a thousand times that, and what was pushed would be thrown in the
// next substep, where the lever is another. Such a link begins in the ground, or its neighbour's stand does; nothing
// that a robot does brings it there. So where a tree yields less than all of its mass would alone, it is pushed apart
// so slowly that it turns no faster than the recovery speed at its own radius of inertia, and it never seems heavier
// than minComplianceRatio says.

// minComplianceRatio is how little a limb yields at least to a contact, as a part of what all of its mass would alone. It is
// also what lets a link rub that can move in one plane only: with a tangent along which nothing yields, the two have no
// inverse together.
const minComplianceRatio = 1e-3

// regularize makes the row gentle where limbs yield to it by so little as yields says; all of their mass would by whole.
func (r *articulationContactRow) regularize(yields, whole float64) {
	r.minCompliance = float64(minConstrainedCompliance * yields)
	if r.direction == (r3.Vec{}) || yields >= whole {
		return // what twists has no lever
	}
	r.minCompliance = max(r.minCompliance, float64(minComplianceRatio*whole))
	r.pushOutScale = math.Sqrt(max(0, yields) / whole)
}

// inverseTotalMass is the inverse mass of the heavier of the limbs of a patch.
func (p *articulationContact) inverseTotalMass() float64 {
	heavy := 0.0
	if p.a.articulation != nil {
		heavy = p.a.articulation.totalMass
	}
	if p.b.articulation != nil {
		heavy = max(heavy, p.b.articulation.totalMass)
	}
	return inverseOrZero(heavy)
}
