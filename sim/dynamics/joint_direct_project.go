package dynamics

import "simdeck/sim/r3"

// Where the joints of a knot close a ring at the end of its reach, with a light link that hardly turns between heavy ones,
// what would draw its ends together would throw the link, and what the hair lets through parts them further. There the ring
// is shut as a loop of a tree is: its bodies are shifted, by the least that does it, measured by their inertia, and nothing
// of that ever becomes motion. Since the shifts come from impulses between the bodies, the whole stays where it is.

const (
	// openAnchorRatio is by which part of its levers a joint of a ring is apart that is shut so.
	openAnchorRatio = 0.05
	// projectionRegularization is loopRowRegularization for shifts.
	projectionRegularization = 1e-5
	// maxProjectionTurn is how far, in radians, one shift turns bodies at most.
	maxProjectionTurn = 0.4
	// maxProjections is how often a ring is shifted in a substep: what turns far goes not straight there.
	maxProjections = 16
)

// projectOpenIslands shuts the rings that are open.
func (w *World) projectOpenIslands() {
	s := &w.solver
	projected := false
	for i := range s.directIslands {
		k := &s.directIslands[i]
		for n := 0; n < maxProjections && k.regularization > 0 && k.isOpen(s); n++ {
			k.project(w)
			projected = true
		}
	}
	if projected {
		s.refreshDirectResponses()
	}
}

// isOpen reports that the ends of a joint of a knot are far apart.
func (k *directIsland) isOpen(s *solver) bool {
	for _, i := range s.directJoints[k.firstJoint:k.endJoint] {
		if r := &s.jointConstraints[i]; r.positionErrorVector.Len() > float64(openAnchorRatio*(r.armA.Len()+r.armB.Len())) {
			return true
		}
	}
	return false
}

// project shifts the bodies of a knot to where its joints are whole.
func (k *directIsland) project(w *World) {
	s := &w.solver
	k.regularization = projectionRegularization
	k.factor(s)
	bodies := s.directBodies[k.firstBody:k.bodyEnd]
	s.savedBodies = resized(s.savedBodies, len(bodies))
	for n := range bodies {
		m := &s.states[bodies[n].bodyIndex]
		s.savedBodies[n] = *m
		m.v, m.w = r3.Vec{}, r3.Vec{}
	}
	for n := k.firstRow; n < k.rowEnd; n++ {
		if q := &s.directRows[n]; q.part == axisDirection {
			q.rhs = 0
		} else {
			q.rhs = -s.jointConstraints[q.joint].positionError(q.part)
		}
	}
	k.solve(s)
	k.applyImpulses(s)
	most := 0.0
	for n := k.firstRow; n < k.rowEnd; n++ {
		s.directRows[n].impulse -= s.directRows[n].rhs
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
		m.w = s.rotations[at].Rotate(back) // which leaves it its energy
		s.masses[at].invInertia = rotateTensor(&w.massProps[s.slots[at]].invInertia, s.rotations[at])
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
