package physics

import "simdeck/sim/r3"

// Where the joints of a knot close a ring at the end of its reach, with a light link that hardly turns between heavy ones,
// what would draw its ends together would throw the link, and what the hair lets through parts them further. There the ring
// is shut as a loop of a tree is: its bodies are shifted, by the least that does it, measured by their inertia, and nothing
// of that ever becomes motion. Since the shifts come from impulses between the bodies, the whole stays where it is.

const (
	// openPart is by which part of its levers a joint of a ring is apart that is shut so.
	openPart = 0.05
	// knotShutHair is ringHair for shifts.
	knotShutHair = 1e-5
	// mostKnotShift is how far, in radians, one shift turns bodies at most.
	mostKnotShift = 0.4
	// shutMost is how often a ring is shifted in a substep: what turns far goes not straight there.
	shutMost = 16
)

// shutOpenKnots shuts the rings that are open.
func (w *World) shutOpenKnots() {
	s := &w.solver
	shut := false
	for i := range s.knots {
		k := &s.knots[i]
		for n := 0; n < shutMost && k.hair > 0 && s.isOpen(k); n++ {
			w.shutKnot(k)
			shut = true
		}
	}
	if shut {
		s.followKnots()
	}
}

// isOpen reports that the ends of a joint of a knot are far apart.
func (s *solver) isOpen(k *knot) bool {
	for _, i := range s.knotted[k.first:k.end] {
		if r := &s.joints[i]; r.apart.Len() > float64(openPart*(r.armA.Len()+r.armB.Len())) {
			return true
		}
	}
	return false
}

// shutKnot shifts the bodies of a knot to where its joints are whole.
func (w *World) shutKnot(k *knot) {
	s := &w.solver
	k.hair = knotShutHair
	s.factor(k)
	bodies := s.knotBodies[k.body:k.bodyEnd]
	s.kept = resized(s.kept, len(bodies))
	for n := range bodies {
		m := &s.moving[bodies[n].at]
		s.kept[n] = *m
		m.v, m.w = r3.Vec{}, r3.Vec{}
	}
	for n := k.row; n < k.rowEnd; n++ {
		if q := &s.knotRows[n]; q.part == axisPart {
			q.push = 0
		} else {
			q.push = -s.joints[q.joint].off(q.part)
		}
	}
	s.divideKnot(k)
	s.strikeKnot(k)
	most := 0.0
	for n := k.row; n < k.rowEnd; n++ {
		s.knotRows[n].j -= s.knotRows[n].push
	}
	for n := range bodies {
		most = max(most, s.moving[bodies[n].at].w.Len())
	}
	part := mostKnotShift / max(most, mostKnotShift)
	for n := range bodies {
		m, old := &s.moving[bodies[n].at], &s.kept[n]
		move, turn := m.v.Scale(part), m.w.Scale(part)
		old.w, m.v, m.w = turn, old.v, old.w
		m.dp, m.da = m.dp.Add(move), m.da.Add(turn)
		at := bodies[n].at
		back := s.rots[at].RotateBack(m.w)
		s.rots[at] = s.rots[at].Turn(turn)
		m.w = s.rots[at].Rotate(back) // which leaves it its energy
		s.weight[at].inv = turned(&w.inert[s.slots[at]].inv, s.rots[at])
	}
	for _, i := range s.knotted[k.first:k.end] {
		s.follow(&s.joints[i])
	}
	k.hair = ringHair
	for n := k.row; n < k.rowEnd; n++ {
		s.aim(&s.knotRows[n])
	}
	s.factor(k)
}
