package dynamics

import (
	"math"

	"simdeck/sim/dynamics/linalg"
	"simdeck/sim/r3"
)

// contactCluster is the contacts of light bodies under the load of heavy ones, solved at once as a
// box-constrained QP. Gauss–Seidel passes transmit a load through a light body by about its own weight each,
// and soft contacts yield by the lighter mass. A body under one a thousand times as heavy would be pressed
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
	// clusterMassRatio is the mass ratio of two touching bodies from which the light one may count as loaded;
	// chosen.
	clusterMassRatio = 8
	// minLoadRatio is the least load of a loaded body, in its own weights; chosen.
	minLoadRatio = 4
	// maxClusterPoints bounds the points of a cluster, and so the time of its factors.
	maxClusterPoints = 24
	// maxLoadedBodies bounds the loaded bodies of a world: a heap of nothing else would take many times as
	// long.
	maxLoadedBodies = 16
	// maxLoadDepth bounds the bodies through which a load is followed.
	maxLoadDepth = 8
)

// supports marks a body as loaded by a contact; true: with a heavier load than before.
func (cs *clusterSolver) supports(cb *contactBuilder, heavy float64, light int32, t *contactConstraint) bool {
	s := cb.solver
	m := s.masses[light].invMass
	if m == 0 || float64(heavy*m) < clusterMassRatio || cs.loadedBy[light] >= heavy {
		return false
	}
	if float64(cb.contacts.normalImpulseOf(cb.solver, cb.time.dt,
		t)*m) <= float64(minLoadRatio*cb.time.h*cb.cfg.Gravity.Len()) {
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
func (cs *clusterSolver) findLoadedBodies(cb *contactBuilder) bool {
	s := cb.solver
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
			more = cs.supports(cb, heavyA, t.b, t) || cs.supports(cb, heavyB, t.a, t) || more
		}
		if !more {
			return n > 0
		}
	}
	return true
}

// build finds the clusters, once contacts have their lanes.
func (cs *clusterSolver) build(cb *contactBuilder) {
	s := cb.solver
	cs.clusters, cs.clusterLanes, cs.clusterRows = cs.clusters[:0], cs.clusterLanes[:0], cs.clusterRows[:0]
	if !cs.massesDiffer || !cs.findLoadedBodies(cb) {
		return
	}
	cs.join(cb)
	cs.findLanes(s)
	for i := range cs.clusterContacts {
		if root := cs.clusterOf.Find(cs.clusterContacts[i].cluster); cs.clusterPoints[root] > 0 {
			cs.buildCluster(cb, root)
			cs.clusterPoints[root] = 0
		}
	}
}

// join assigns contacts of loaded bodies to clusters.
func (cs *clusterSolver) join(cb *contactBuilder) {
	s := cb.solver
	cs.clusterOf, cs.clusterPoints = cs.clusterOf.Reset(len(s.states)),
		linalg.Grow(cs.clusterPoints, len(s.states))
	clear(cs.clusterPoints)
	cs.clusterContacts = cs.clusterContacts[:0]
	for _, bearing := range [...]bool{true, false} { // contacts with a normal impulse first
		for i := range s.coloring.constraints {
			t := &s.coloring.constraints[i]
			if cs.loadedBy[t.a]+cs.loadedBy[t.b] > 0 &&
				cb.contacts.manifolds[t.manifold].normalImpulse() > 0 == bearing &&
				!cb.geoms.isCompliant(cb.cfg.Mix, &cb.contacts.all[t.contact]) {
				cs.joinCluster(int32(i), t, cb.contacts.manifolds[t.manifold].n)
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

// isCompliant reports that the material of a contact has a spring or a slip, or a surface that moves:
// clusters leave it out.
func (gs *geomSet) isCompliant(mix Mix, c *contact) bool {
	if !gs.surfaces[c.a].special && !gs.surfaces[c.b].special {
		return false
	}
	p := gs.combineMaterials(mix, c)
	return p.stiffness > 0 || p.slip1+p.slip2 > 0 || gs.surfaceMoves(c)
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

// clusterLane is a manifold of a cluster, with its rows.
type clusterLane struct {
	batch, lane int32
	// of clusterRows: its points, then friction along both tangents and about the normal
	firstRow, rowEnd int32
	softnessRatio    float64 // impulseScale / massScale
}

// clusterRow is a row of the Jacobian of a cluster: the normal at a point, a tangent, or the spin about the
// normal.
type clusterRow struct {
	contactRow       int32 // in solver.rows; below 0: friction
	bodyA, bodyB     int32 // in solver.states
	along            r3.Vec
	armA, armB       r3.Vec // angular parts of the Jacobian, of A and B
	turnA, turnB     r3.Vec // inverse inertia times these
	massA, massB     float64
	compliance, bias float64 // m/s per N·s; m/s that works off overlaps
	impulse          float64 // N·s
}

const (
	// clusterFrictionRows is the number of friction rows of a lane: two tangents and the spin.
	clusterFrictionRows = 3
	// clusterRegularization is the compliance of rigid rows, as a part of the load's, so that redundant rows
	// share an impulse.
	clusterRegularization = 0.01
	// clusterLoadPoints is the number of points among which a load is taken to be shared.
	clusterLoadPoints = 4
	// clusterFrictionIterations bounds the rounds in which friction bounds follow the normal impulses.
	clusterFrictionIterations = 3
	// unboundedImpulse is a bound above every impulse, N·s.
	unboundedImpulse = 1e200
)

// buildCluster builds the rows of the cluster that a body names. A single manifold makes none.
func (cs *clusterSolver) buildCluster(cb *contactBuilder, root int32) {
	s := cb.solver
	p := contactCluster{firstLane: int32(len(cs.clusterLanes)), firstRow: int32(len(cs.clusterRows))}
	for i := range cs.clusterContacts {
		t := &cs.clusterContacts[i]
		if cs.clusterOf.Find(t.cluster) != root {
			continue
		}
		b, lane := &s.batches[t.batch], t.lane
		p.loadMass = max(p.loadMass, cs.loadedBy[b.a[lane]], cs.loadedBy[b.b[lane]])
		l := clusterLane{batch: t.batch, lane: lane, firstRow: int32(len(cs.clusterRows))}
		if b.biasRate[lane] > 0 {
			l.softnessRatio = b.impulseScale.at(int(lane)) / b.massScale.at(int(lane))
		}
		for k := b.firstRow; k < b.firstRow+b.rowCount; k++ {
			if s.rows[k].mass[lane] > 0 {
				cs.clusterRows = append(cs.clusterRows,
					clusterRow{contactRow: k, bodyA: b.a[lane], bodyB: b.b[lane]})
			}
		}
		for range clusterFrictionRows {
			cs.clusterRows = append(cs.clusterRows,
				clusterRow{contactRow: -1, bodyA: b.a[lane], bodyB: b.b[lane]})
		}
		l.rowEnd = int32(len(cs.clusterRows))
		cs.clusterLanes = append(cs.clusterLanes, l)
	}
	p.laneEnd, p.rowEnd = int32(len(cs.clusterLanes)), int32(len(cs.clusterRows))
	if p.laneEnd-p.firstLane < 2 {
		cs.clusterLanes, cs.clusterRows = cs.clusterLanes[:p.firstLane], cs.clusterRows[:p.firstRow]
		return
	}
	cs.clusters = append(cs.clusters, p)
}

// disableRows gives the lanes of clusters no effective mass, so that passes over all contacts keep their
// impulses.
func (cs *clusterSolver) disableRows(s *solver) {
	for i := range cs.clusterLanes {
		l := &cs.clusterLanes[i]
		b, lane := &s.batches[l.batch], l.lane
		b.impulseScale[lane], b.spinMass[lane], b.invK11[lane], b.invK12[lane], b.invK22[lane] = 0, 0, 0, 0, 0
		for k := b.firstRow; k < b.firstRow+b.rowCount; k++ {
			s.rows[k].mass[lane] = 0
		}
	}
}

// enableRows gives the points of clusters their effective masses back, for restitution.
func (cs *clusterSolver) enableRows(s *solver) {
	for i := range cs.clusterLanes {
		l := &cs.clusterLanes[i]
		for k := l.firstRow; k < l.rowEnd-clusterFrictionRows; k++ {
			q := &cs.clusterRows[k]
			s.rows[q.contactRow].mass[l.lane] = float32(1 / q.coupling(q))
		}
	}
}

// coupling is an entry of J·M⁻¹·Jᵀ: the velocity along one row per impulse along another.
func (q *clusterRow) coupling(p *clusterRow) float64 {
	sum, along := 0.0, q.along.Dot(p.along)
	if q.bodyA == p.bodyA {
		sum += float64(q.massA*along) + q.turnA.Dot(p.armA)
	}
	if q.bodyB == p.bodyB {
		sum += float64(q.massB*along) + q.turnB.Dot(p.armB)
	}
	if q.bodyA == p.bodyB {
		sum -= float64(q.massA*along) + q.turnA.Dot(p.armB)
	}
	if q.bodyB == p.bodyA {
		sum -= float64(q.massB*along) + q.turnB.Dot(p.armA)
	}
	return sum
}

// updateCluster updates the rows of a cluster to where its bodies are.
func (cs *clusterSolver) updateCluster(s *solver, p *contactCluster, pass *iteration) {
	for i := p.firstLane; i < p.laneEnd; i++ {
		l := &cs.clusterLanes[i]
		b, lane := &s.batches[l.batch], int(l.lane)
		for k := l.firstRow; k < l.rowEnd-clusterFrictionRows; k++ {
			q := &cs.clusterRows[k]
			cs.updateClusterPoint(s, q, b, lane)
			cs.setClusterBias(s, p, l, q, pass)
		}
		slide := cs.clusterRows[l.rowEnd-clusterFrictionRows : l.rowEnd]
		armA, armB, n := b.armA.at(lane), b.armB.at(lane), b.normal.at(lane)
		for k, t := range [...]r3.Vec{b.t1.at(lane), b.t2.at(lane)} {
			slide[k].along, slide[k].armA, slide[k].armB = t, armA.Cross(t), armB.Cross(t)
		}
		slide[2].along, slide[2].armA, slide[2].armB = r3.Vec{}, n, n
		slide[0].impulse, slide[1].impulse, slide[2].impulse = b.tangentImpulse1[lane],
			b.tangentImpulse2[lane], b.spinImpulse[lane]
		for k := range slide {
			s.updateClusterRowMass(&slide[k])
		}
	}
}

// updateClusterPoint updates the row of a point, and the lane from which the next substep warm starts.
func (cs *clusterSolver) updateClusterPoint(s *solver, q *clusterRow, b *contactBatch, lane int) {
	r := &s.rows[q.contactRow]
	q.along, q.armA, q.armB, q.impulse = b.normal.at(lane), r.armCrossNormalA.at(lane),
		r.armCrossNormalB.at(lane), r.impulse[lane]
	s.updateClusterRowMass(q)
	r.turnA.set(lane, q.turnA)
	r.turnB.set(lane, q.turnB)
}

// setClusterBias sets the bias and the compliance of a point; it is as stiff as if the load lay on the
// ground.
func (cs *clusterSolver) setClusterBias(s *solver, p *contactCluster, l *clusterLane, q *clusterRow,
	pass *iteration) {
	b, lane := &s.batches[l.batch], int(l.lane)
	x, y := &s.states[q.bodyA], &s.states[q.bodyB]
	gap := s.rows[q.contactRow].gap.at(lane) + q.along.Dot(y.deltaPosition.Sub(x.deltaPosition)) +
		q.armB.Dot(y.deltaRotation) - q.armA.Dot(x.deltaRotation)
	q.bias, q.compliance = 0, 0
	switch {
	case gap > 0:
		q.bias = float64(gap * s.invH)
	case pass.useBias:
		q.bias = max(float64(b.biasRate.at(lane)*gap), pass.maxPushOut[0])
		if b.biasRate[lane] > 0 {
			q.compliance = float64(l.softnessRatio * min(q.coupling(q), clusterLoadPoints/p.loadMass))
		}
	}
}

// updateClusterRowMass updates the inverse masses of a row.
func (s *solver) updateClusterRowMass(q *clusterRow) {
	wa, wb := &s.masses[q.bodyA], &s.masses[q.bodyB]
	q.massA, q.massB = wa.invMass, wb.invMass
	q.turnA, q.turnB = wa.applyInvInertia(q.armA), wb.applyInvInertia(q.armB)
}

// solve solves all clusters, in a pass with bias or without.
func (cs *clusterSolver) solve(s *solver, pass *iteration) {
	for i := range cs.clusters {
		cs.solveCluster(s, &cs.clusters[i], pass)
	}
}

// solveCluster solves normals and friction of a cluster together; friction bounds follow the normal impulses.
func (cs *clusterSolver) solveCluster(s *solver, p *contactCluster, pass *iteration) {
	cs.updateCluster(s, p, pass)
	cs.computeClusterCoupling(s, p)
	for round := range clusterFrictionIterations {
		if !cs.boundClusterFriction(s, p, round == 0) {
			break
		}
		cs.qp.Solve()
	}
	rows := cs.clusterRows[p.firstRow:p.rowEnd]
	for i := range rows {
		rows[i].setImpulse(s, cs.qp.X[i])
	}
	cs.storeClusterImpulses(s, p)
}

// computeClusterCoupling builds the QP of a cluster: its Hessian J·M⁻¹·Jᵀ + compliance and its linear term.
func (cs *clusterSolver) computeClusterCoupling(s *solver, p *contactCluster) {
	rows, b := cs.clusterRows[p.firstRow:p.rowEnd], &cs.qp
	b.Reset(len(rows))
	for i := range rows {
		q := &rows[i]
		for k := range rows[:i+1] {
			c := q.coupling(&rows[k])
			b.Hessian[i*b.N+k], b.Hessian[k*b.N+i] = c, c
		}
		b.X[i], b.Lower[i], b.Upper[i] = q.impulse, 0, unboundedImpulse
	}
	for i := range rows {
		q := &rows[i]
		epsilon := 0.0
		if q.compliance == 0 {
			epsilon = float64(clusterRegularization * min(b.Hessian[i*b.N+i], clusterLoadPoints/p.loadMass))
		}
		u, v := &s.states[q.bodyA], &s.states[q.bodyB]
		speed := q.along.Dot(v.v.Sub(u.v)) + q.armB.Dot(v.w) - q.armA.Dot(u.w)
		b.Linear[i] = speed + q.bias - linalg.Dot(b.Hessian[i*b.N:i*b.N+b.N],
			b.X) - float64(epsilon*q.impulse)
		b.Hessian[i*b.N+i] += q.compliance + epsilon
	}
}

// boundClusterFriction bounds friction by the normal impulses as they are now; false: that changes nothing.
// Impacting contacts without any stick at first: else a light body between two heavy, not quite parallel ones
// would be flung out.
func (cs *clusterSolver) boundClusterFriction(s *solver, p *contactCluster, first bool) (changed bool) {
	x := cs.qp.X
	for i := p.firstLane; i < p.laneEnd; i++ {
		l := &cs.clusterLanes[i]
		t, lane := &s.batches[l.batch], int(l.lane)
		load, reach := 0.0, 0.0
		for k := l.firstRow; k < l.rowEnd-clusterFrictionRows; k++ {
			j := max(0, x[k-p.firstRow])
			load += j
			reach += float64(j * s.rows[cs.clusterRows[k].contactRow].lever.at(lane))
		}
		if load == 0 && first {
			load, reach = unboundedImpulse, unboundedImpulse
		}
		spin := float64(float64(0.5*(t.mu1.at(lane)+t.mu2.at(lane)))*reach) + float64(t.torsion.at(lane)*load)
		l1, l2 := float64(t.mu1.at(lane)*load), float64(t.mu2.at(lane)*load)
		at := int(l.rowEnd - clusterFrictionRows - p.firstRow)
		if !first { // from the corner of the two to where the cone is in that direction
			if j1, j2 := clampToFrictionCone(x[at], x[at+1], l1, l2); j1 != x[at] || j2 != x[at+1] {
				l1, l2 = math.Abs(j1), math.Abs(j2)
			}
		}
		for k, limit := range [...]float64{l1, l2, spin} {
			changed = cs.qp.SetSymmetricBound(at+k, limit) || first || changed
		}
	}
	return changed
}

// setImpulse changes the impulse of a row, and the velocities of its bodies by the difference.
func (q *clusterRow) setImpulse(s *solver, j float64) {
	d := j - q.impulse
	q.impulse = j
	a, b := &s.states[q.bodyA], &s.states[q.bodyB]
	a.v, a.w = a.v.AddScaled(float64(-q.massA*d), q.along), a.w.AddScaled(-d, q.turnA)
	b.v, b.w = b.v.AddScaled(float64(q.massB*d), q.along), b.w.AddScaled(d, q.turnB)
}

// storeClusterImpulses writes the impulses of a cluster to its lanes.
func (cs *clusterSolver) storeClusterImpulses(s *solver, p *contactCluster) {
	for i := p.firstLane; i < p.laneEnd; i++ {
		l := &cs.clusterLanes[i]
		for k := l.firstRow; k < l.rowEnd-clusterFrictionRows; k++ {
			s.rows[cs.clusterRows[k].contactRow].impulse[l.lane] = cs.clusterRows[k].impulse
		}
		slide := cs.clusterRows[l.rowEnd-clusterFrictionRows : l.rowEnd]
		b := &s.batches[l.batch]
		b.tangentImpulse1[l.lane], b.tangentImpulse2[l.lane], b.spinImpulse[l.lane] = slide[0].impulse,
			slide[1].impulse, slide[2].impulse
	}
}
