package physics

import (
	"math"

	"simdeck/sim/r3"
)

// A contact near the axis of a joint has next to no lever: the link yields there as if it weighed tons. To push it
// apart at the usual speed would turn the link at a thousand times that, and what was pushed would be thrown in the
// next substep, where the lever is another. Such a link begins in the ground, or its neighbour's stand does; nothing
// that a robot does brings it there. So where a tree yields less than all of its mass would alone, it is pushed apart
// so slowly that it turns no faster than the recovery speed at its own radius of inertia, and it never seems heavier
// than easeLeast says.

// easeLeast is how little a limb yields at least to a contact, as a part of what all of its mass would alone. It is
// also what lets a link rub that can move in one plane only: with a tangent along which nothing yields, the two have no
// inverse together.
const easeLeast = 1e-3

// ease makes the row gentle where limbs yield to it by so little as yields says; all of their mass would by whole.
func (r *limbRow6) ease(yields, whole float64) {
	r.least = float64(bracedLeast * yields)
	if r.n == (r3.Vec{}) || yields >= whole {
		return // what twists has no lever
	}
	r.least = max(r.least, float64(easeLeast*whole))
	r.lazy = math.Sqrt(max(0, yields) / whole)
}

// lightness is the inverse mass of the heavier of the limbs of a patch.
func (p *limbPatch) lightness() float64 {
	heavy := 0.0
	if p.a.limb != nil {
		heavy = p.a.limb.weight
	}
	if p.b.limb != nil {
		heavy = max(heavy, p.b.limb.weight)
	}
	return invertOrZero(heavy)
}
