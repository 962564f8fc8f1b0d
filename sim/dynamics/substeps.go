package dynamics

import (
	"math"

	"simdeck/sim/r3"
)

const (
	// maxSubstepTurn is the largest rotation per substep of spinning bodies with joints, rad.
	maxSubstepTurn = 0.1
	// maxRotationSubsteps bounds the substeps for rotation in a step.
	maxRotationSubsteps = 16
)

// rotationSubsteps is the number of substeps for a rotation by angle, rad.
func rotationSubsteps(angle float64) int {
	if angle <= maxSubstepTurn {
		return 1
	}
	return int(min(maxRotationSubsteps, math.Ceil(angle/maxSubstepTurn)))
}

// anchorSubsteps is the number of substeps that far joint anchors need by their speed (joint_direct.go):
// a light body at a long arm moves straight through a substep and must be drawn back.
func (js *jointSet) anchorSubsteps(bodies *bodySet, dt float64) int {
	n := 1
	for i := range js.all {
		j := &js.all[i]
		if !js.ids.inUse(int32(i)) || j.articulation != 0 {
			continue
		}
		n = max(n, bodies.anchorSubsteps(j.child, j.anchorB, dt))
		if j.parent >= 0 {
			n = max(n, bodies.anchorSubsteps(j.parent, j.anchorA, dt))
		}
	}
	return n
}

// anchorSubsteps is the number of substeps for a far anchor that circles its body.
func (bs *bodySet) anchorSubsteps(slot int32, arm r3.Vec, dt float64) int {
	m, in := &bs.motion[slot], &bs.massProps[slot]
	if float64(dt*dt*m.w.Len2()) <= maxSubstepTurn*maxSubstepTurn || !bs.isAwake(slot) ||
		!hasLongLever(in.invMass, &in.invInertia, arm) {
		return 1
	}
	return rotationSubsteps(dt * math.Sqrt(m.w.Cross(m.rot.Rotate(arm)).Len2()/arm.Len2()))
}

// substepsForSpin is the number of substeps that spherical joints and floating bases need by their spin: tops
// and gyroscopes. Rotation about a constrained axis needs none.
func substepsForSpin(bodies *bodySet, articulations []worldArticulation, dt float64) int {
	fastest := 0.0
	for i := range articulations {
		art := &articulations[i]
		if !art.live || !bodies.isAwake(art.links[0].body) {
			continue
		}
		fastest = max(fastest, art.FastestSpin2())
	}
	return rotationSubsteps(dt * math.Sqrt(fastest))
}
