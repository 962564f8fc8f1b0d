package physics

import (
	"math"

	"simdeck/sim/r3"
)

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

// substepsToFling is how many substeps the knots need (knot.go) by how fast the far ends in them go round: what is light
// and held at a long arm goes straight ahead through a substep, and then has to be drawn back to where its joint is.
func (w *World) substepsToFling(dt float64) int {
	n := 1
	for i := range w.joints {
		j := &w.joints[i]
		if !w.jointIDs.used(int32(i)) || j.limb != 0 {
			continue
		}
		n = max(n, w.flings(j.child, j.anchorB, dt))
		if j.parent >= 0 {
			n = max(n, w.flings(j.parent, j.anchorA, dt))
		}
	}
	return n
}

// flings is into how many parts a time is cut in which a far end goes round its body.
func (w *World) flings(slot int32, arm r3.Vec, dt float64) int {
	m, in := &w.motion[slot], &w.inert[slot]
	if float64(dt*dt*m.w.Len2()) <= spinTurn*spinTurn || !w.moves(slot) || !levered(in.invMass, &in.inv, arm) {
		return 1
	}
	return spins(dt * math.Sqrt(m.w.Cross(m.rot.Rotate(arm)).Len2()/arm.Len2()))
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
