package dynamics

// compliantFriction is a lane with force-dependent slip, as of a tyre or a lubricated surface (SDF's slip1
// and slip2): v = slip·F up to the edge of its friction cone.
type compliantFriction struct {
	batch, lane  int32
	slip1, slip2 float64 // m/s per N, along each tangent
}

// solveCompliantFriction solves both tangents of such a lane under the normal impulses of now.
func (s *solver) solveCompliantFriction(e *compliantFriction) {
	b, lane := &s.batches[e.batch], int(e.lane)
	load := 0.0
	for k := b.firstRow; k < b.firstRow+b.rowCount; k++ {
		load += s.rows[k].impulse[lane]
	}
	x, y := &s.states[b.a[lane]], &s.states[b.b[lane]]
	armA, armB, t1, t2 := b.armA.at(lane), b.armB.at(lane), b.t1.at(lane), b.t2.at(lane)
	a1, a2, b1, b2 := armA.Cross(t1), armA.Cross(t2), armB.Cross(t1), armB.Cross(t2)
	ia1, ia2, ib1, ib2 := b.turnA1.at(lane), b.turnA2.at(lane), b.turnB1.at(lane), b.turnB2.at(lane)
	mass := b.massA[lane] + b.massB[lane]
	g1, g2 := float64(e.slip1*s.invH), float64(e.slip2*s.invH)
	k11 := mass + a1.Dot(ia1) + b1.Dot(ib1) + g1
	k22 := mass + a2.Dot(ia2) + b2.Dot(ib2) + g2
	k12 := a1.Dot(ia2) + b1.Dot(ib2)
	dv := y.v.Sub(x.v).Add(y.w.Cross(armB)).Sub(x.w.Cross(armA))
	v1, v2 := t1.Dot(dv)+float64(g1*b.tangentImpulse1[lane]), t2.Dot(dv)+float64(g2*b.tangentImpulse2[lane])
	det := inverseOrZero(float64(k11*k22) - float64(k12*k12))
	j1 := b.tangentImpulse1[lane] - float64(det*(float64(k22*v1)-float64(k12*v2)))
	j2 := b.tangentImpulse2[lane] - float64(det*(float64(k11*v2)-float64(k12*v1)))
	j1, j2 = clampToFrictionCone(j1, j2, float64(b.mu1.at(lane)*load), float64(b.mu2.at(lane)*load))
	d1, d2 := j1-b.tangentImpulse1[lane], j2-b.tangentImpulse2[lane]
	b.tangentImpulse1[lane], b.tangentImpulse2[lane] = j1, j2
	impulse := t1.Scale(d1).AddScaled(d2, t2)
	va, vb := x.v.Sub(impulse.Scale(b.massA[lane])), y.v.AddScaled(b.massB[lane], impulse)
	wa := x.w.Sub(ia1.Scale(d1).AddScaled(d2, ia2))
	wb := y.w.Add(ib1.Scale(d1).AddScaled(d2, ib2))
	s.writeVelocities(b, lane, va, wa, vb, wb)
}
