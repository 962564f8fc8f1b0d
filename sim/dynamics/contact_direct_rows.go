package dynamics

import (
	"math"

	"simdeck/sim/dynamics/linalg"
	"simdeck/sim/r3"
)

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
	// clusterRegularization is the compliance of rigid rows to a change of impulse, as a part of that of the
	// load, so that redundant rows share it.
	clusterRegularization = 0.01
	// clusterLoadPoints is the number of points among which a load is taken to be shared.
	clusterLoadPoints = 4
	// clusterFrictionIterations bounds the rounds in which friction bounds follow the normal impulses.
	clusterFrictionIterations = 3
	// unboundedImpulse is a bound above every impulse, N·s.
	unboundedImpulse = 1e200
)

// buildCluster builds the rows of the cluster that a body names. A single manifold makes none.
func (cs *clusterSolver) buildCluster(w *World, root int32) {
	s := &w.solver
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
// Contacts without any, in a hit, stick at first: without friction a light body between two heavy ones that
// are not quite parallel would be flung out.
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
