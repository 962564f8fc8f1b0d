package dynamics

import (
	"math"

	"simdeck/sim/dynamics/linalg"
	"simdeck/sim/r3"
)

// clusterLane is a manifold of a press.
type clusterLane struct {
	batch, lane      int32
	firstRow, rowEnd int32   // of clusterRows: its points, then friction along both tangents and about the normal
	softnessRatio    float64 // of its softness: forget beside mass
}

// clusterRow is a direction in which the bodies of a lane push each other: its normal at a point, a tangent, or turning
// about the normal.
type clusterRow struct {
	contactRow       int32 // in solver.rows; below 0: friction
	bodyA, bodyB     int32 // in solver.moving
	along            r3.Vec
	armA, armB       r3.Vec // what turning of A and B counts
	turnA, turnB     r3.Vec // how they turn at an impulse
	massA, massB     float64
	compliance, bias float64 // m/s by which the row gives way to 1 N·s; velocity that works off overlaps
	impulse          float64 // impulse
}

const (
	// clusterFrictionRows is how many rows of friction a lane has.
	clusterFrictionRows = 3
	// clusterRegularization is by which part of what the load yields each row yields besides to a change of its impulse, so that rows
	// that repeat others share the load: in a pass they come so near to what they should be.
	clusterRegularization = 0.01
	// clusterLoadPoints is among how many points of a press a load is taken to be shared.
	clusterLoadPoints = 4
	// clusterFrictionIterations is how often friction is found anew for the load.
	clusterFrictionIterations = 3
	// unboundedImpulse is above every impulse, N·s.
	unboundedImpulse = 1e200
)

// buildCluster lays out the press that a body names.
func (w *World) buildCluster(root int32) {
	s := &w.solver
	p := contactCluster{firstLane: int32(len(s.clusterLanes)), firstRow: int32(len(s.clusterRows))}
	for i := range s.clusterContacts {
		t := &s.clusterContacts[i]
		if s.clusterOf.Find(t.cluster) != root {
			continue
		}
		b, lane := &s.batches[t.batch], t.lane
		p.loadMass = max(p.loadMass, s.loadedBy[b.a[lane]], s.loadedBy[b.b[lane]])
		l := clusterLane{batch: t.batch, lane: lane, firstRow: int32(len(s.clusterRows))}
		if b.biasRate[lane] > 0 {
			l.softnessRatio = b.impulseScale.at(int(lane)) / b.massScale.at(int(lane))
		}
		for k := b.firstRow; k < b.firstRow+b.rowCount; k++ {
			if s.rows[k].mass[lane] > 0 {
				s.clusterRows = append(s.clusterRows, clusterRow{contactRow: k, bodyA: b.a[lane], bodyB: b.b[lane]})
			}
		}
		for range clusterFrictionRows {
			s.clusterRows = append(s.clusterRows, clusterRow{contactRow: -1, bodyA: b.a[lane], bodyB: b.b[lane]})
		}
		l.rowEnd = int32(len(s.clusterRows))
		s.clusterLanes = append(s.clusterLanes, l)
	}
	p.laneEnd, p.rowEnd = int32(len(s.clusterLanes)), int32(len(s.clusterRows))
	if p.laneEnd-p.firstLane < 2 {
		s.clusterLanes, s.clusterRows = s.clusterLanes[:p.firstLane], s.clusterRows[:p.firstRow]
		return
	}
	s.clusters = append(s.clusters, p)
}

// disableClusterRows leaves what presses solve to them: in the passes over all contacts their lanes keep their impulses.
func (s *solver) disableClusterRows() {
	for i := range s.clusterLanes {
		l := &s.clusterLanes[i]
		b, lane := &s.batches[l.batch], l.lane
		b.impulseScale[lane], b.spinMass[lane], b.invK11[lane], b.invK12[lane], b.invK22[lane] = 0, 0, 0, 0, 0
		for k := b.firstRow; k < b.firstRow+b.rowCount; k++ {
			s.rows[k].mass[lane] = 0
		}
	}
}

// enableClusterRows gives the points of presses their masses back, for what bounces.
func (s *solver) enableClusterRows() {
	for i := range s.clusterLanes {
		l := &s.clusterLanes[i]
		for k := l.firstRow; k < l.rowEnd-clusterFrictionRows; k++ {
			q := &s.clusterRows[k]
			s.rows[q.contactRow].mass[l.lane] = float32(1 / q.coupling(q))
		}
	}
}

// coupling is what an impulse along one row does to the velocity of another.
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

// updateCluster brings the rows of a press up to date.
func (s *solver) updateCluster(p *contactCluster, pass *iteration) {
	for i := p.firstLane; i < p.laneEnd; i++ {
		l := &s.clusterLanes[i]
		b, lane := &s.batches[l.batch], int(l.lane)
		for k := l.firstRow; k < l.rowEnd-clusterFrictionRows; k++ {
			q := &s.clusterRows[k]
			s.updateClusterPoint(q, b, lane)
			s.setClusterBias(p, l, q, pass)
		}
		slide := s.clusterRows[l.rowEnd-clusterFrictionRows : l.rowEnd]
		armA, armB, n := b.armA.at(lane), b.armB.at(lane), b.normal.at(lane)
		for k, t := range [...]r3.Vec{b.t1.at(lane), b.t2.at(lane)} {
			slide[k].along, slide[k].armA, slide[k].armB = t, armA.Cross(t), armB.Cross(t)
		}
		slide[2].along, slide[2].armA, slide[2].armB = r3.Vec{}, n, n
		slide[0].impulse, slide[1].impulse, slide[2].impulse = b.tangentImpulse1[lane], b.tangentImpulse2[lane], b.spinImpulse[lane]
		for k := range slide {
			s.updateClusterRowMass(&slide[k])
		}
	}
}

// updateClusterPoint brings the row of a point up to date, and its lane with how the bodies turn now, by which a substep begins.
func (s *solver) updateClusterPoint(q *clusterRow, b *contactBatch, lane int) {
	r := &s.rows[q.contactRow]
	q.along, q.armA, q.armB, q.impulse = b.normal.at(lane), r.armCrossNormalA.at(lane), r.armCrossNormalB.at(lane), r.impulse[lane]
	s.updateClusterRowMass(q)
	r.turnA.set(lane, q.turnA)
	r.turnB.set(lane, q.turnB)
}

// setClusterBias is how fast a point may close, or is pushed apart, and how much it gives way: as what presses it would on the
// ground.
func (s *solver) setClusterBias(p *contactCluster, l *clusterLane, q *clusterRow, pass *iteration) {
	b, lane := &s.batches[l.batch], int(l.lane)
	x, y := &s.states[q.bodyA], &s.states[q.bodyB]
	gap := s.rows[q.contactRow].gap.at(lane) + q.along.Dot(y.deltaPosition.Sub(x.deltaPosition)) + q.armB.Dot(y.deltaRotation) - q.armA.Dot(x.deltaRotation)
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

// updateClusterRowMass is how the bodies answer to an impulse along a row.
func (s *solver) updateClusterRowMass(q *clusterRow) {
	wa, wb := &s.masses[q.bodyA], &s.masses[q.bodyB]
	q.massA, q.massB = wa.invMass, wb.invMass
	q.turnA, q.turnB = wa.applyInvInertia(q.armA), wb.applyInvInertia(q.armB)
}

// solveClusters solves all presses.
func (s *solver) solveClusters(pass *iteration) {
	for i := range s.clusters {
		s.solveCluster(&s.clusters[i], pass)
	}
}

// solveCluster solves the points and the friction of a press; friction goes by the load that there is with it.
func (s *solver) solveCluster(p *contactCluster, pass *iteration) {
	s.updateCluster(p, pass)
	s.computeClusterCoupling(p)
	for round := range clusterFrictionIterations {
		if !s.boundClusterFriction(p, round == 0) {
			break
		}
		s.qp.Solve()
	}
	rows := s.clusterRows[p.firstRow:p.rowEnd]
	for i := range rows {
		rows[i].setImpulse(s, s.qp.X[i])
	}
	s.storeClusterImpulses(p)
}

// computeClusterCoupling lays out what the rows of a press do to each other.
func (s *solver) computeClusterCoupling(p *contactCluster) {
	rows, b := s.clusterRows[p.firstRow:p.rowEnd], &s.qp
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
		hair := 0.0
		if q.compliance == 0 {
			hair = float64(clusterRegularization * min(b.Hessian[i*b.N+i], clusterLoadPoints/p.loadMass))
		}
		u, v := &s.states[q.bodyA], &s.states[q.bodyB]
		speed := q.along.Dot(v.v.Sub(u.v)) + q.armB.Dot(v.w) - q.armA.Dot(u.w)
		b.Linear[i] = speed + q.bias - linalg.Dot(b.Hessian[i*b.N:i*b.N+b.N], b.X) - float64(hair*q.impulse)
		b.Hessian[i*b.N+i] += q.compliance + hair
	}
}

// boundClusterFriction bounds friction by the load as it is now; false: that changes nothing. What begins without a load, in a hit,
// is taken to stick at first: without friction a light body between heavy ones that are not quite parallel would be
// flung out by them like a wet pip.
func (s *solver) boundClusterFriction(p *contactCluster, first bool) (changed bool) {
	x := s.qp.X
	for i := p.firstLane; i < p.laneEnd; i++ {
		l := &s.clusterLanes[i]
		t, lane := &s.batches[l.batch], int(l.lane)
		load, reach := 0.0, 0.0
		for k := l.firstRow; k < l.rowEnd-clusterFrictionRows; k++ {
			j := max(0, x[k-p.firstRow])
			load += j
			reach += float64(j * s.rows[s.clusterRows[k].contactRow].lever.at(lane))
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
			changed = s.qp.SetSymmetricBound(at+k, limit) || first || changed
		}
	}
	return changed
}

// setImpulse changes the impulse of a row.
func (q *clusterRow) setImpulse(s *solver, j float64) {
	d := j - q.impulse
	q.impulse = j
	a, b := &s.states[q.bodyA], &s.states[q.bodyB]
	a.v, a.w = a.v.AddScaled(float64(-q.massA*d), q.along), a.w.AddScaled(-d, q.turnA)
	b.v, b.w = b.v.AddScaled(float64(q.massB*d), q.along), b.w.AddScaled(d, q.turnB)
}

// storeClusterImpulses gives the lanes of a press their impulses.
func (s *solver) storeClusterImpulses(p *contactCluster) {
	for i := p.firstLane; i < p.laneEnd; i++ {
		l := &s.clusterLanes[i]
		for k := l.firstRow; k < l.rowEnd-clusterFrictionRows; k++ {
			s.rows[s.clusterRows[k].contactRow].impulse[l.lane] = s.clusterRows[k].impulse
		}
		slide := s.clusterRows[l.rowEnd-clusterFrictionRows : l.rowEnd]
		b := &s.batches[l.batch]
		b.tangentImpulse1[l.lane], b.tangentImpulse2[l.lane], b.spinImpulse[l.lane] = slide[0].impulse, slide[1].impulse, slide[2].impulse
	}
}
