package dynamics

import (
	"math"

	"simdeck/sim/dynamics/linalg"
)

// contactCluster is the contacts of light bodies under the load of heavy ones, solved at once as a
// box-constrained QP. Gauss–Seidel passes hand a load down through a light body by about its own weight each,
// and soft contacts give way by the lighter mass: a body under one a thousand times as heavy would be pressed
// into the ground, and the heavy one into it. A cluster solves normals and friction directly, and is as stiff
// as if the heavy body lay on the ground itself.
type contactCluster struct {
	firstLane, laneEnd int32 // of clusterLanes
	firstRow, rowEnd   int32 // of clusterRows
	loadMass           float64
}

// clusterSolver is the contact clusters of a step.
type clusterSolver struct {
	massesDiffer    bool // the masses of some bodies differ by more than clusterMassRatio
	clusters        []contactCluster
	clusterLanes    []clusterLane
	clusterRows     []clusterRow
	qp              linalg.BoxQP
	loadedBy        []float64 // by body: kg, the heaviest whose load it bears; 0: none
	loadedBodies    int
	clusterOf       linalg.DisjointSets[int32] // of bodies: the clusters
	clusterPoints   []int32                    // by body that names a cluster: points
	clusterContacts []clusterContact
}

// clusterContact is a manifold of a cluster.
type clusterContact struct{ cluster, constraint, batch, lane int32 }

const (
	// clusterMassRatio is the mass ratio of two touching bodies from which the light one may count as loaded.
	clusterMassRatio = 8
	// minLoadRatio is how many times its own weight a loaded body bears at least.
	minLoadRatio = 4
	// maxClusterPoints bounds the points of a cluster.
	maxClusterPoints = 24
	// maxLoadedBodies bounds the loaded bodies of a world: a heap of nothing else would take many times as
	// long.
	maxLoadedBodies = 16
	// maxLoadDepth bounds the bodies through which a load is followed.
	maxLoadDepth = 8
)

// supports marks a body as loaded by a contact; true: with a heavier load than before.
func (cs *clusterSolver) supports(w *World, heavy float64, light int32, t *contactConstraint) bool {
	s := &w.solver
	m := s.masses[light].invMass
	if m == 0 || float64(heavy*m) < clusterMassRatio || cs.loadedBy[light] >= heavy {
		return false
	}
	if float64(w.contacts.normalImpulseOf(&w.solver, w.time.dt,
		t)*m) <= float64(minLoadRatio*w.time.h*w.cfg.Gravity.Len()) {
		return false
	}
	if cs.loadedBy[light] == 0 {
		if cs.loadedBodies == maxLoadedBodies {
			return false
		}
		cs.loadedBodies++
	}
	cs.loadedBy[light] = heavy
	return true
}

// normalImpulseOf is the normal impulse of a manifold in the last substep, N·s; infinite where its bodies
// will hit each other in this step.
func (cs *contactSet) normalImpulseOf(s *solver, dt float64, t *contactConstraint) float64 {
	m, h := &cs.manifolds[t.manifold], &cs.poses[t.contact]
	if j := m.normalImpulse(); j > 0 {
		return j
	}
	a, b := &s.states[t.a], &s.states[t.b]
	for k := range m.n {
		p := &m.points[k]
		armA, armB := p.arm, p.armB(h, m)
		closing := m.normal.Dot(a.v.Add(a.w.Cross(armA)).Sub(b.v).Sub(b.w.Cross(armB)))
		if closing > impactSpeed && float64(closing*dt) > p.gap {
			return math.Inf(1)
		}
	}
	return 0
}

// findLoadedBodies marks the bodies that bear much heavier ones, directly or through others; false: there are
// none.
func (cs *clusterSolver) findLoadedBodies(w *World) bool {
	s := &w.solver
	cs.loadedBy = linalg.Grow(cs.loadedBy, len(s.states))
	clear(cs.loadedBy)
	cs.loadedBodies = 0
	for n := range maxLoadDepth {
		more := false
		for i := range s.coloring.constraints {
			t := &s.coloring.constraints[i]
			wa, wb := s.masses[t.a].invMass, s.masses[t.b].invMass
			if wa == 0 || wb == 0 {
				continue
			}
			heavyA, heavyB := cs.loadedBy[t.a], cs.loadedBy[t.b]
			if n == 0 {
				heavyA, heavyB = 1/wa, 1/wb
			}
			more = cs.supports(w, heavyA, t.b, t) || cs.supports(w, heavyB, t.a, t) || more
		}
		if !more {
			return n > 0
		}
	}
	return true
}

// build finds the clusters, once contacts have their lanes.
func (cs *clusterSolver) build(w *World) {
	s := &w.solver
	cs.clusters, cs.clusterLanes, cs.clusterRows = cs.clusters[:0], cs.clusterLanes[:0], cs.clusterRows[:0]
	if !cs.massesDiffer || !cs.findLoadedBodies(w) {
		return
	}
	cs.join(w)
	cs.findLanes(s)
	for i := range cs.clusterContacts {
		if root := cs.clusterOf.Find(cs.clusterContacts[i].cluster); cs.clusterPoints[root] > 0 {
			cs.buildCluster(w, root)
			cs.clusterPoints[root] = 0
		}
	}
}

// join assigns contacts of loaded bodies to clusters.
func (cs *clusterSolver) join(w *World) {
	s := &w.solver
	cs.clusterOf, cs.clusterPoints = cs.clusterOf.Reset(len(s.states)),
		linalg.Grow(cs.clusterPoints, len(s.states))
	clear(cs.clusterPoints)
	cs.clusterContacts = cs.clusterContacts[:0]
	for _, bearing := range [...]bool{true, false} { // contacts with a normal impulse first
		for i := range s.coloring.constraints {
			t := &s.coloring.constraints[i]
			if cs.loadedBy[t.a]+cs.loadedBy[t.b] > 0 &&
				w.contacts.manifolds[t.manifold].normalImpulse() > 0 == bearing &&
				!w.geoms.isCompliant(w.cfg.Mix, &w.contacts.all[t.contact]) {
				cs.joinCluster(int32(i), t, w.contacts.manifolds[t.manifold].n)
			}
		}
	}
}

// joinCluster adds a manifold with n points to the cluster of its bodies, as far as there is room.
func (cs *clusterSolver) joinCluster(i int32, t *contactConstraint, n int32) {
	a, b := cs.clusterOf.Find(t.a), cs.clusterOf.Find(t.b)
	if cs.loadedBy[t.a] == 0 {
		a = b
	} else if cs.loadedBy[t.b] == 0 {
		b = a
	}
	if a != b && cs.clusterPoints[a]+cs.clusterPoints[b]+n <= maxClusterPoints {
		root := cs.clusterOf.Union(a, b)
		cs.clusterPoints[root] = cs.clusterPoints[a] + cs.clusterPoints[b]
		a, b = root, root
	}
	if cs.clusterPoints[b] < cs.clusterPoints[a] {
		a = b
	}
	if cs.clusterPoints[a]+n <= maxClusterPoints {
		cs.clusterPoints[a] += n
		cs.clusterContacts = append(cs.clusterContacts, clusterContact{cluster: a, constraint: i})
	}
}

// isCompliant reports that the material of a contact has a spring or a slip: clusters leave it out.
func (gs *geomSet) isCompliant(mix Mix, c *contact) bool {
	if !gs.surfaces[c.a].special && !gs.surfaces[c.b].special {
		return false
	}
	p := gs.combineMaterials(mix, c)
	return p.stiffness > 0 || p.slip1+p.slip2 > 0
}

// findLanes finds the lanes of the manifolds of clusters.
func (cs *clusterSolver) findLanes(s *solver) {
	c := &s.coloring
	c.nextLane = linalg.Grow(c.nextLane, len(c.constraints))
	for i := range s.packs {
		for lane, t := range s.packs[i].constraintIndex {
			if t >= 0 {
				c.nextLane[t] = int32(i)*width + int32(lane)
			}
		}
	}
	for i := range cs.clusterContacts {
		t := &cs.clusterContacts[i]
		t.batch, t.lane = c.nextLane[t.constraint]/width, c.nextLane[t.constraint]%width
	}
}
