package dynamics

import (
	"math"

	"simdeck/sim/r3"
)

const (
	// maxSubstepTurn is the most, in radians, that what spins in a tree turns in a substep.
	maxSubstepTurn = 0.1
	// maxRotationSubsteps is into how many substeps that cuts a step at most.
	maxRotationSubsteps = 16
)

// rotationSubsteps is into how many parts a time is cut in which something turns by an angle.
func rotationSubsteps(angle float64) int {
	if angle <= maxSubstepTurn {
		return 1
	}
	return int(min(maxRotationSubsteps, math.Ceil(angle/maxSubstepTurn)))
}

// substepsForAnchors is how many substeps the knots need (joint_direct.go) by how fast the far ends in them go round: what is light
// and held at a long arm goes straight ahead through a substep, and then has to be drawn back to where its joint is.
func (w *World) substepsForAnchors(dt float64) int {
	n := 1
	for i := range w.joints {
		j := &w.joints[i]
		if !w.jointIDs.inUse(int32(i)) || j.articulation != 0 {
			continue
		}
		n = max(n, w.anchorSubsteps(j.child, j.anchorB, dt))
		if j.parent >= 0 {
			n = max(n, w.anchorSubsteps(j.parent, j.anchorA, dt))
		}
	}
	return n
}

// anchorSubsteps is into how many parts a time is cut in which a far end goes round its body.
func (w *World) anchorSubsteps(slot int32, arm r3.Vec, dt float64) int {
	m, in := &w.motion[slot], &w.massProps[slot]
	if float64(dt*dt*m.w.Len2()) <= maxSubstepTurn*maxSubstepTurn || !w.isAwake(slot) || !hasLongLever(in.invMass, &in.invInertia, arm) {
		return 1
	}
	return rotationSubsteps(dt * math.Sqrt(m.w.Cross(m.rot.Rotate(arm)).Len2()/arm.Len2()))
}

// substepsForSpin is how many substeps the trees need by how fast what is on their ball joints, or floats
// as their base, spins: tops and gyroscopes. What turns about an axis that is held needs none.
func (w *World) substepsForSpin(dt float64) int {
	fastest := 0.0
	for i := range w.articulations {
		l := &w.articulations[i]
		if !l.live || !w.isAwake(l.links[0].body) {
			continue
		}
		for d := 0; d < len(l.dofs); d++ {
			if !l.dofs[d].spherical {
				continue
			}
			a, b, c := l.dofs[d].v, l.dofs[d+1].v, l.dofs[d+2].v
			fastest = max(fastest, float64(a*a)+float64(b*b)+float64(c*c))
			d += 2
		}
	}
	return rotationSubsteps(dt * math.Sqrt(fastest))
}
