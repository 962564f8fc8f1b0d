package dynamics

import (
	"math"
	"sort"

	"simdeck/sim/r3"
)

// solveBatches is one Gauss–Seidel pass over the batches from first to end and their extras.
func (s *solver) solveBatches(first, end int32, p *iteration) {
	switch {
	case first >= end:
		return
	case s.useSIMD:
		solveContactsWide(&s.batches[first], int(end-first), &s.rows[0], &s.states[0], p)
	default:
		for i := first; i < end; i++ {
			for lane := range width {
				s.solveContactLane(&s.batches[i], lane, p)
			}
		}
	}
	s.iterateNoWarmStart(first, end, p)
	rolls := s.rollingFrictionOf(first, end)
	for i := range rolls {
		s.solveRollingFriction(&rolls[i])
	}
	if !p.useBias {
		springs := s.contactSpringsOf(first, end)
		for i := range springs {
			s.solveContactLane(&s.batches[springs[i].batch], int(springs[i].lane), &s.biasIteration)
		}
	}
	slips := s.compliantFrictionOf(first, end)
	for i := range slips {
		s.solveCompliantFriction(&slips[i])
	}
	if len(s.restitution) == 0 {
		return
	}
	at := sort.Search(len(s.restitution), func(i int) bool { return s.restitution[i].batch >= first })
	for ; at < len(s.restitution) && s.restitution[at].batch < end; at++ {
		e := &s.restitution[at]
		e.maxImpulse += s.rows[e.row].impulse[e.lane]
	}
}

// rollingFrictionOf is the rolling friction of the batches from first to end.
func (s *solver) rollingFrictionOf(first, end int32) []rollingFriction {
	if len(s.rollingFriction) == 0 {
		return nil
	}
	from := sort.Search(len(s.rollingFriction),
		func(i int) bool { return s.rollingFriction[i].batch >= first })
	to := sort.Search(len(s.rollingFriction), func(i int) bool { return s.rollingFriction[i].batch >= end })
	return s.rollingFriction[from:to]
}

// compliantFrictionOf is the compliant friction of the batches from first to end.
func (s *solver) compliantFrictionOf(first, end int32) []compliantFriction {
	if len(s.compliantFriction) == 0 {
		return nil
	}
	from := sort.Search(len(s.compliantFriction),
		func(i int) bool { return s.compliantFriction[i].batch >= first })
	to := sort.Search(len(s.compliantFriction),
		func(i int) bool { return s.compliantFriction[i].batch >= end })
	return s.compliantFriction[from:to]
}

// contactSpringsOf is the contact springs of the batches from first to end.
func (s *solver) contactSpringsOf(first, end int32) []contactSpring {
	if len(s.contactSprings) == 0 {
		return nil
	}
	from := sort.Search(len(s.contactSprings), func(i int) bool { return s.contactSprings[i].batch >= first })
	to := sort.Search(len(s.contactSprings), func(i int) bool { return s.contactSprings[i].batch >= end })
	return s.contactSprings[from:to]
}

// contactExtras is the rows that only few lanes have, in the order of batches.
type contactExtras struct {
	rollingFriction   []rollingFriction
	compliantFriction []compliantFriction
	contactSprings    []contactSpring
	rollingContacts   []rollingContact
	restitution       []restitutionPoint
	reweighted        []reweightedContact
}

func (e *contactExtras) clear() {
	e.rollingFriction, e.compliantFriction, e.contactSprings = e.rollingFriction[:0], e.compliantFriction[:0],
		e.contactSprings[:0]
	e.rollingContacts, e.restitution, e.reweighted = e.rollingContacts[:0], e.restitution[:0],
		e.reweighted[:0]
}

func (e *contactExtras) add(o *contactExtras) {
	e.rollingFriction, e.compliantFriction,
		e.contactSprings = append(e.rollingFriction, o.rollingFriction...),
		append(e.compliantFriction, o.compliantFriction...), append(e.contactSprings, o.contactSprings...)
	e.rollingContacts = append(e.rollingContacts, o.rollingContacts...)
	e.restitution, e.reweighted = append(e.restitution, o.restitution...),
		append(e.reweighted, o.reweighted...)
}

// iteration is the constants of a pass over batches. Assembly knows the layout by the fields' names.
type iteration struct {
	invH lanes64 // 1/s
	// m/s, the negative of the speed at which overlaps are pushed apart at most
	maxPushOut                        lanes64
	one, half, sign                   lanes64 // 1, 0.5, and the bit of the sign alone
	biasRate, massScale, impulseScale lanes32 // softness of a pass that does not push
	useBias                           bool    // overlaps are pushed apart
}

// buildIteration sets the constants of a pass; limit is the fastest push-out, m/s.
func (s *solver) buildIteration(p *iteration, useBias bool, limit float64) {
	*p = iteration{useBias: useBias}
	for i := range width {
		p.invH[i], p.maxPushOut[i] = s.invH, -limit
		p.massScale[i], p.one[i], p.half[i], p.sign[i] = 1, 1, 0.5, math.Copysign(0, -1)
	}
}

// maxFrictionTurn is the most, rad per substep, that a body turns about the normal for its friction to turn
// along.
const maxFrictionTurn = 0.05

// rotateFrictionImpulses rotates the friction impulses of bodies on joints with the bodies. A robot that
// turns is guided by forces across its wheels, which turn as it does; if they lagged, wheels would creep.
func (s *solver) rotateFrictionImpulses() {
	for i := range s.batches {
		b := &s.batches[i]
		for lane := 0; b.followsBodyMask>>lane != 0; lane++ {
			if b.followsBodyMask&(1<<lane) != 0 {
				s.rotateFrictionImpulse(b, lane)
			}
		}
	}
}

func (s *solver) rotateFrictionImpulse(b *contactBatch, lane int) {
	body := b.a[lane]
	if b.movableMask&(1<<lane) == 0 {
		body = b.b[lane]
	}
	turn := float64(s.h * b.normal.at(lane).Dot(s.states[body].w))
	if turn == 0 || math.Abs(turn) > maxFrictionTurn {
		return
	}
	t := float64(0.5 * turn) // about the tangent of half the angle
	k := 1 / (1 + float64(t*t))
	cos, sin := float64((1-float64(t*t))*k), float64(2*t*k)
	j1, j2 := b.tangentImpulse1[lane], b.tangentImpulse2[lane]
	b.tangentImpulse1[lane], b.tangentImpulse2[lane] = float64(cos*j1)-float64(sin*j2),
		float64(sin*j1)+float64(cos*j2)
}

// writeVelocities writes the velocities of the bodies of a lane that can be pushed.
func (s *solver) writeVelocities(b *contactBatch, i int, va, wa, vb, wb r3.Vec) {
	if b.movableMask&(1<<i) != 0 {
		m := &s.states[b.a[i]]
		m.v, m.w = va, wa
	}
	if b.movableMask&(1<<(width+i)) != 0 {
		m := &s.states[b.b[i]]
		m.v, m.w = vb, wb
	}
}

// maxAsAssembly is max as MAXPD has it.
func maxAsAssembly(x, y float64) float64 {
	if x > y {
		return x
	}
	return y
}

// minAsAssembly is min as MINPD has it.
func minAsAssembly(x, y float64) float64 {
	if x < y {
		return x
	}
	return y
}

// solveContactLane solves the points of a lane one after the other, then its friction. Assembly does the same
// to all lanes at once, to the bit.
func (s *solver) solveContactLane(b *contactBatch, i int, p *iteration) {
	x, y := &s.states[b.a[i]], &s.states[b.b[i]]
	n := b.normal.at(i)
	wa, wb := x.w, y.w
	v, shift := n.Dot(y.v.Sub(x.v)), n.Dot(y.deltaPosition.Sub(x.deltaPosition))
	give, hard, forget := p.biasRate.at(i), p.massScale.at(i), p.impulseScale.at(i)
	if p.useBias {
		give, hard, forget = b.biasRate.at(i), b.massScale.at(i), b.impulseScale.at(i)
	}
	mass := b.massA[i] + b.massB[i]
	total, load, reach := 0.0, 0.0, 0.0
	for k := b.firstRow; k < b.firstRow+b.rowCount; k++ {
		r := &s.rows[k]
		ra, rb := r.armCrossNormalA.at(i), r.armCrossNormalB.at(i)
		// The gap now, linear in the motion since the step began: exact for wheels and balls, whose
		// contact points do not turn with them.
		gap := r.gap.at(i) + shift + rb.Dot(y.deltaRotation) - ra.Dot(x.deltaRotation)
		bias, ms, is := maxAsAssembly(float64(give*gap), p.maxPushOut[i]), hard, forget
		if gap > 0 {
			bias, ms, is = float64(gap*p.invH[i]), 1, 0
		}
		speed := v + rb.Dot(wb) - ra.Dot(wa)
		old := r.impulse[i]
		j := maxAsAssembly(old-float64(float64(r.mass.at(i)*ms)*(speed+bias))-float64(is*old), 0)
		d := j - old
		r.impulse[i] = j
		total += d
		load += j
		reach += float64(j * r.lever.at(i))
		v += float64(d * mass)
		wa, wb = wa.Sub(r.turnA.at(i).Scale(d)), wb.AddScaled(d, r.turnB.at(i))
	}
	va := x.v.Sub(n.Scale(float64(total * b.massA[i])))
	vb := y.v.AddScaled(float64(total*b.massB[i]), n)
	s.solveFriction(b, i, load, reach, va, wa, vb, wb)
}

// solveFriction solves the spin of a lane, then both tangents together within the friction cone of the load.
func (s *solver) solveFriction(b *contactBatch, i int, load, reach float64, va, wa, vb, wb r3.Vec) {
	limit := float64(float64(0.5*(b.mu1.at(i)+b.mu2.at(i)))*reach) + float64(b.torsion.at(i)*load)
	v := b.normal.at(i).Dot(wb.Sub(wa))
	j := maxAsAssembly(minAsAssembly(b.spinImpulse[i]-float64(b.spinMass.at(i)*v), limit), -limit)
	d := j - b.spinImpulse[i]
	b.spinImpulse[i] = j
	wa, wb = wa.Sub(b.spinA.at(i).Scale(d)), wb.AddScaled(d, b.spinB.at(i))

	dv := vb.Sub(va).Add(wb.Cross(b.armB.at(i))).Sub(wa.Cross(b.armA.at(i)))
	t1, t2 := b.t1.at(i), b.t2.at(i)
	v1, v2 := t1.Dot(dv), t2.Dot(dv)
	j1 := b.tangentImpulse1[i] - (float64(b.invK11.at(i)*v1) + float64(b.invK12.at(i)*v2))
	j2 := b.tangentImpulse2[i] - (float64(b.invK12.at(i)*v1) + float64(b.invK22.at(i)*v2))
	j1, j2 = clampToFrictionCone(j1, j2, float64(b.mu1.at(i)*load), float64(b.mu2.at(i)*load))
	d1, d2 := j1-b.tangentImpulse1[i], j2-b.tangentImpulse2[i]
	b.tangentImpulse1[i], b.tangentImpulse2[i] = j1, j2
	impulse := t1.Scale(d1).AddScaled(d2, t2)
	va, vb = va.Sub(impulse.Scale(b.massA[i])), vb.AddScaled(b.massB[i], impulse)
	wa = wa.Sub(b.turnA1.at(i).Scale(d1).AddScaled(d2, b.turnA2.at(i)))
	wb = wb.Add(b.turnB1.at(i).Scale(d1).AddScaled(d2, b.turnB2.at(i)))
	s.writeVelocities(b, i, va, wa, vb, wb)
}

// solveRollingFriction resists all relative rotation, up to a torque in proportion to the load.
func (s *solver) solveRollingFriction(r *rollingFriction) {
	p := &s.batches[r.batch]
	load := 0.0
	for k := p.firstRow; k < p.firstRow+p.rowCount; k++ {
		load += s.rows[k].impulse[r.lane]
	}
	a, b := p.a[r.lane], p.b[r.lane]
	j := clampLength(r.impulse.Sub(r.mass.Apply(s.states[b].w.Sub(s.states[a].w))), float64(r.radius*load))
	d := j.Sub(r.impulse)
	r.impulse = j
	s.applyAngularImpulse(p, r.lane, d)
}

// applyAngularImpulse applies an angular impulse to the bodies of a lane.
func (s *solver) applyAngularImpulse(p *contactBatch, lane int32, j r3.Vec) {
	if p.movableMask&(1<<lane) != 0 {
		m := &s.states[p.a[lane]]
		m.w = m.w.Sub(s.masses[p.a[lane]].applyInvInertia(j))
	}
	if p.movableMask&(1<<(width+lane)) != 0 {
		m := &s.states[p.b[lane]]
		m.w = m.w.Add(s.masses[p.b[lane]].applyInvInertia(j))
	}
}

// restitutionThreshold is the speed of approach, m/s, below which nothing bounces.
const restitutionThreshold = 0.5
