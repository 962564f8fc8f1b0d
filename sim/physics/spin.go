package physics

import "math"

const (
	// spinTurn is the most, in radians, that what spins in a tree turns in a substep.
	spinTurn = 0.1
	// mostSpins is into how many substeps that cuts a step at most.
	mostSpins = 16
)

// spins is into how many parts a time is cut in which something turns by an angle.
func spins(angle float64) int {
	if angle <= spinTurn {
		return 1
	}
	return int(min(mostSpins, math.Ceil(angle/spinTurn)))
}

// substepsToSpin is how many substeps the trees need by how fast what is on their ball joints, or floats
// as their base, spins: tops and gyroscopes. What turns about an axis that is held needs none.
func (w *World) substepsToSpin(dt float64) int {
	fastest := 0.0
	for i := range w.limbs {
		l := &w.limbs[i]
		if !l.live || !w.moves(l.links[0].body) {
			continue
		}
		for d := 0; d < len(l.dofs); d++ {
			if !l.dofs[d].ball {
				continue
			}
			a, b, c := l.dofs[d].v, l.dofs[d+1].v, l.dofs[d+2].v
			fastest = max(fastest, float64(a*a)+float64(b*b)+float64(c*c))
			d += 2
		}
	}
	return spins(dt * math.Sqrt(fastest))
}
