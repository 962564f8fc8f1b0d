package dynamics

// warmStartRatio is the ratio of this step's substep to the last step's, by which impulses scale; 0 in the
// first step.
func (t *stepTime) warmStartRatio(h float64) float64 {
	if t.h == 0 {
		return 0
	}
	return h / t.h
}

// warmStartBatches applies the impulses of the substep before, of the batches from first to end and of their
// extras.
func (s *solver) warmStartBatches(first, end int32) {
	switch {
	case first >= end:
		return
	case s.useSIMD:
		warmStartContactsWide(&s.batches[first], int(end-first), &s.rows[0], &s.states[0])
	default:
		for i := first; i < end; i++ {
			for lane := range width {
				s.warmStartLane(&s.batches[i], lane)
			}
		}
	}
	rolls := s.rollingFrictionOf(first, end)
	for i := range rolls {
		r := &rolls[i]
		s.applyAngularImpulse(&s.batches[r.batch], r.lane, r.impulse)
	}
}

// warmStartLane applies the impulses of the substep before to a lane. Assembly does the same to all lanes at
// once, to the bit: a change of one is a change of the other.
func (s *solver) warmStartLane(b *contactBatch, i int) {
	x, y := &s.states[b.a[i]], &s.states[b.b[i]]
	wa, wb := x.w, y.w
	total := 0.0
	for k := b.firstRow; k < b.firstRow+b.rowCount; k++ {
		r := &s.rows[k]
		j := r.impulse[i]
		total += j
		wa = wa.Sub(r.turnA.at(i).Scale(j))
		wb = wb.AddScaled(j, r.turnB.at(i))
	}
	j1, j2, spin := b.tangentImpulse1[i], b.tangentImpulse2[i], b.spinImpulse[i]
	impulse := b.t1.at(i).Scale(j1).AddScaled(j2, b.t2.at(i)).AddScaled(total, b.normal.at(i))
	wa = wa.Sub(b.turnA1.at(i).Scale(j1).AddScaled(j2, b.turnA2.at(i)).AddScaled(spin, b.spinA.at(i)))
	wb = wb.Add(b.turnB1.at(i).Scale(j1).AddScaled(j2, b.turnB2.at(i)).AddScaled(spin, b.spinB.at(i)))
	s.writeVelocities(b, i, x.v.Sub(impulse.Scale(b.massA[i])), wa, y.v.AddScaled(b.massB[i], impulse), wb)
}
