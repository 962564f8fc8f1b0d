package dynamics

import (
	"math"

	"simdeck/sim/dynamics/linalg"
)

// A press is light bodies under the load of heavy ones, with all that touches them, solved at once. Passes over one contact
// after the other hand a load down through a light body by about what the light body weighs each time, and contacts give
// way by the lighter mass: what lies under a thing a thousand times as heavy would be pressed into the ground and the heavy
// thing into it. In a press the contacts, friction too, are one system, which is solved directly; and they are as stiff as
// if the heavy thing lay on the ground itself.
type contactCluster struct {
	firstLane, laneEnd int32 // of clusterLanes
	firstRow, rowEnd   int32 // of clusterRows
	loadMass           float64
}

// clusterSolver is the presses of a step.
type clusterSolver struct {
	massesDiffer    bool // the masses of some bodies differ by more than clusterMassRatio
	clusters        []contactCluster
	clusterLanes    []clusterLane
	clusterRows     []clusterRow
	qp              linalg.BoxQP
	loadedBy        []float64 // by body: the heaviest, in kg, whose load it bears; 0: none
	loadedBodies    int
	clusterOf       linalg.DisjointSets[int32] // of bodies: the clusters
	clusterPoints   []int32                    // by body that names a press: points
	clusterContacts []clusterContact
}

// clusterContact is a manifold of a press.
type clusterContact struct{ cluster, constraint, batch, lane int32 }

const (
	// clusterMassRatio is how many times as heavy a body is as one that it presses, from where on this makes a press.
	clusterMassRatio = 8
	// minLoadRatio is how many times its own weight it must bear.
	minLoadRatio = 4
	// maxClusterPoints is how many points a press has at most.
	maxClusterPoints = 24
	// maxLoadedBodies is how many bodies of a world bear what presses them in presses, at most: a heap in which most do would take
	// many times as long.
	maxLoadedBodies = 16
	// maxLoadDepth is through how many bodies a load is followed.
	maxLoadDepth = 8
)

// supports notes whose load a body bears in a contact; true: that is more than was known.
func (w *World) supports(heavy float64, light int32, t *contactConstraint) bool {
	s := &w.solver
	m := s.masses[light].invMass
	if m == 0 || float64(heavy*m) < clusterMassRatio || s.loadedBy[light] >= heavy {
		return false
	}
	if float64(w.normalImpulseOf(t)*m) <= float64(minLoadRatio*w.lastH*w.cfg.Gravity.Len()) {
		return false
	}
	if s.loadedBy[light] == 0 {
		if s.loadedBodies == maxLoadedBodies {
			return false
		}
		s.loadedBodies++
	}
	s.loadedBy[light] = heavy
	return true
}

// normalImpulseOf is what a manifold bore in the last substep, N·s; infinite if its bodies will hit each other there in this step.
func (w *World) normalImpulseOf(t *contactConstraint) float64 {
	s := &w.solver
	m, h := &w.manifolds[t.manifold], &w.contacts.poses[t.contact]
	if j := m.normalImpulse(); j > 0 {
		return j
	}
	a, b := &s.states[t.a], &s.states[t.b]
	for k := range m.n {
		p := &m.points[k]
		armA, armB := p.arm, p.armB(h, m)
		closing := m.normal.Dot(a.v.Add(a.w.Cross(armA)).Sub(b.v).Sub(b.w.Cross(armB)))
		if closing > impactSpeed && float64(closing*w.lastDt) > p.gap {
			return math.Inf(1)
		}
	}
	return 0
}

// findLoadedBodies finds who bears the load of something much heavier, itself or through others; false: nobody.
func (w *World) findLoadedBodies() bool {
	s := &w.solver
	s.loadedBy = resized(s.loadedBy, len(s.states))
	clear(s.loadedBy)
	s.loadedBodies = 0
	for n := range maxLoadDepth {
		more := false
		for i := range s.coloring.constraints {
			t := &s.coloring.constraints[i]
			wa, wb := s.masses[t.a].invMass, s.masses[t.b].invMass
			if wa == 0 || wb == 0 {
				continue
			}
			heavyA, heavyB := s.loadedBy[t.a], s.loadedBy[t.b]
			if n == 0 {
				heavyA, heavyB = 1/wa, 1/wb
			}
			more = w.supports(heavyA, t.b, t) || w.supports(heavyB, t.a, t) || more
		}
		if !more {
			return n > 0
		}
	}
	return true
}

// buildClusters finds the presses, once contacts have their lanes.
func (w *World) buildClusters() {
	s := &w.solver
	s.clusters, s.clusterLanes, s.clusterRows = s.clusters[:0], s.clusterLanes[:0], s.clusterRows[:0]
	if !s.massesDiffer || !w.findLoadedBodies() {
		return
	}
	w.joinClusters()
	s.findClusterLanes()
	for i := range s.clusterContacts {
		if root := s.clusterOf.Find(s.clusterContacts[i].cluster); s.clusterPoints[root] > 0 {
			w.buildCluster(root)
			s.clusterPoints[root] = 0
		}
	}
}

// joinClusters finds which contacts belong to a press, and which to the same.
func (w *World) joinClusters() {
	s := &w.solver
	s.clusterOf, s.clusterPoints = s.clusterOf.Reset(len(s.states)), resized(s.clusterPoints, len(s.states))
	clear(s.clusterPoints)
	s.clusterContacts = s.clusterContacts[:0]
	for _, bearing := range [...]bool{true, false} { // first what bears something
		for i := range s.coloring.constraints {
			t := &s.coloring.constraints[i]
			if s.loadedBy[t.a]+s.loadedBy[t.b] > 0 && w.manifolds[t.manifold].normalImpulse() > 0 == bearing && !w.isCompliant(&w.contacts.all[t.contact]) {
				s.joinCluster(int32(i), t, w.manifolds[t.manifold].n)
			}
		}
	}
}

// joinCluster adds a manifold with n points to the press of its bodies, as far as there is room.
func (s *solver) joinCluster(i int32, t *contactConstraint, n int32) {
	a, b := s.clusterOf.Find(t.a), s.clusterOf.Find(t.b)
	if s.loadedBy[t.a] == 0 {
		a = b
	} else if s.loadedBy[t.b] == 0 {
		b = a
	}
	if a != b && s.clusterPoints[a]+s.clusterPoints[b]+n <= maxClusterPoints {
		root := s.clusterOf.Union(a, b)
		s.clusterPoints[root] = s.clusterPoints[a] + s.clusterPoints[b]
		a, b = root, root
	}
	if s.clusterPoints[b] < s.clusterPoints[a] {
		a = b
	}
	if s.clusterPoints[a]+n <= maxClusterPoints {
		s.clusterPoints[a] += n
		s.clusterContacts = append(s.clusterContacts, clusterContact{cluster: a, constraint: i})
	}
}

// isCompliant reports that a contact has a spring of its own, or friction that gives way: it is none of a press.
func (w *World) isCompliant(c *contact) bool {
	if !w.surfaces[c.a].special && !w.surfaces[c.b].special {
		return false
	}
	p := w.combineMaterials(c)
	return p.stiffness > 0 || p.slip1+p.slip2 > 0
}

// findClusterLanes finds the lanes of the manifolds of presses.
func (s *solver) findClusterLanes() {
	c := &s.coloring
	c.nextLane = resized(c.nextLane, len(c.constraints))
	for i := range s.packs {
		for lane, t := range s.packs[i].constraintIndex {
			if t >= 0 {
				c.nextLane[t] = int32(i)*width + int32(lane)
			}
		}
	}
	for i := range s.clusterContacts {
		t := &s.clusterContacts[i]
		t.batch, t.lane = c.nextLane[t.constraint]/width, c.nextLane[t.constraint]%width
	}
}
