package dynamics

import (
	"simdeck/sim/dynamics/linalg"
	"simdeck/sim/r3"
)

// Velocity correction fails where a loop of a direct island is stretched to its limit, with a light link
// between heavy ones. It would throw the link, and the error of ε would open the loop further. Such loops are
// projected like those of an articulation: bodies shift by the least change in the metric of inertia, and no
// momentum results. The shifts come from impulses between bodies, so the common centre of mass stays.

const (
	// openAnchorRatio is the gap of a loop's joint, as a part of its levers, from which the island is
	// projected.
	openAnchorRatio = 0.05
	// projectionRegularization is loopRowRegularization for position projection.
	projectionRegularization = 1e-5
	// maxProjectionTurn bounds the rotation by one projection, rad.
	maxProjectionTurn = 0.4
	// maxProjections bounds the projections per substep: large rotations are nonlinear.
	maxProjections = 16
)

// projectOpenIslands projects the direct islands whose loops are open.
func (s *solver) projectOpenIslands(bodies *bodySet) {
	projected := false
	for i := range s.directIslands {
		k := &s.directIslands[i]
		for n := 0; n < maxProjections && k.regularization > 0 && k.isOpen(s); n++ {
			k.project(s, bodies)
			projected = true
		}
	}
	if projected {
		s.refreshDirectResponses()
	}
}

// isOpen reports that a joint's ends are far apart.
func (k *directIsland) isOpen(s *solver) bool {
	for _, i := range s.directJoints[k.firstJoint:k.endJoint] {
		if r := &s.jointConstraints[i]; r.positionErrorVector.Len() > float64(openAnchorRatio*(r.armA.Len()+
			r.armB.Len())) {
			return true
		}
	}
	return false
}

// project shifts the bodies to close the joints.
func (k *directIsland) project(s *solver, all *bodySet) {
	k.regularization = projectionRegularization
	k.factor(s)
	bodies := s.directBodies[k.firstBody:k.bodyEnd]
	s.savedBodies = linalg.Grow(s.savedBodies, len(bodies))
	for n := range bodies {
		m := &s.states[bodies[n].bodyIndex]
		s.savedBodies[n] = *m
		m.v, m.w = r3.Vec{}, r3.Vec{}
	}
	for n := k.firstRow; n < k.rowEnd; n++ {
		if q := &s.directRows[n]; q.part == axisDirection {
			s.directRHS[n] = 0
		} else {
			s.directRHS[n] = -s.jointConstraints[q.joint].positionError(q.part)
		}
	}
	k.solve(s)
	k.applyImpulses(s)
	most := 0.0
	for n := k.firstRow; n < k.rowEnd; n++ {
		s.directRows[n].impulse -= s.directRHS[n]
	}
	for n := range bodies {
		most = max(most, s.states[bodies[n].bodyIndex].w.Len())
	}
	part := maxProjectionTurn / max(most, maxProjectionTurn)
	for n := range bodies {
		m, old := &s.states[bodies[n].bodyIndex], &s.savedBodies[n]
		move, turn := m.v.Scale(part), m.w.Scale(part)
		old.w, m.v, m.w = turn, old.v, old.w
		m.deltaPosition, m.deltaRotation = m.deltaPosition.Add(move), m.deltaRotation.Add(turn)
		at := bodies[n].bodyIndex
		back := s.rotations[at].RotateBack(m.w)
		s.rotations[at] = s.rotations[at].Turn(turn)
		m.w = s.rotations[at].Rotate(back) // its kinetic energy stays
		s.masses[at].invInertia = all.massProps[s.slots[at]].invInertia.TurnedSymmetric(s.rotations[at])
	}
	for _, i := range s.directJoints[k.firstJoint:k.endJoint] {
		s.jointConstraints[i].updateGeometry(s)
	}
	k.regularization = loopRowRegularization
	for n := k.firstRow; n < k.rowEnd; n++ {
		s.directRows[n].update(s)
	}
	k.factor(s)
}
