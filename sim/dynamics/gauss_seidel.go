package dynamics

import (
	"math"
	"sort"

	"simdeck/sim/r3"
)

// width is the number of manifolds solved side by side.
const width = 4

// lanes64 is one number of each of them.
type lanes64 [width]float64

// lanes64x3 is one vector of each.
type lanes64x3 struct{ x, y, z lanes64 }

func (l *lanes64x3) set(i int, v r3.Vec) { l.x[i], l.y[i], l.z[i] = v.X, v.Y, v.Z }

func (l *lanes64x3) at(i int) r3.Vec { return r3.Vec{X: l.x[i], Y: l.y[i], Z: l.z[i]} }

// lanes32 is a number of each that passes only read. Memory traffic dominates the cost of passes in a large
// world, and seven digits suffice for an impulse's position and direction. Arithmetic is in float64.
type lanes32 [width]float32

// lanes32x3 is one vector of each.
type lanes32x3 struct{ x, y, z lanes32 }

func (l *lanes32) set(i int, x float64) { l[i] = float32(x) }

func (l *lanes32) at(i int) float64 { return float64(l[i]) }

func (l *lanes32x3) set(i int, v r3.Vec) {
	l.x[i], l.y[i], l.z[i] = float32(v.X), float32(v.Y), float32(v.Z)
}

func (l *lanes32x3) at(i int) r3.Vec {
	return r3.Vec{X: float64(l.x[i]), Y: float64(l.y[i]), Z: float64(l.z[i])}
}

// contactBatch is a manifold in each lane, of different bodies: rows along the normals, and friction at the
// centre of each manifold. Friction at one place with its own spin resistance does not scrub: a wheel with a
// broad tread turns on the spot. Lanes not in use are zero. Assembly knows the layout by the fields' names.
type contactBatch struct {
	a, b               [width]int32 // in solver.states
	firstRow, rowCount int32        // rows
	movableMask        uint32       // bit i: lane i's a can be pushed; bit width + i: its b
	followsBodyMask    uint32       // bit i: lane i is between what does not move and a body on a joint
	slipMask           uint32       // bit i: the friction of lane i is that of solveCompliantFriction

	tangentImpulse1, tangentImpulse2, spinImpulse lanes64 // impulses
	massA, massB                                  lanes64 // inverse
	// of the middle; exact, because wheels and balls roll by them
	armA, armB     lanes64x3
	normal, t1, t2 lanes32x3
	frictionResponse
	mu1, mu2, torsion                 lanes32
	biasRate, massScale, impulseScale lanes32 // softness: bias, mass, impulse
}

// frictionResponse is the response of a batch's bodies to friction: the rotation by a unit impulse, and the
// effective masses.
type frictionResponse struct {
	spinA, spinB           lanes32x3 // inverse inertia times normal
	turnA1, turnA2         lanes32x3 // inverse inertia times arm × t1, t2
	turnB1, turnB2         lanes32x3
	spinMass               lanes32
	invK11, invK12, invK22 lanes32
}

// contactRow is one point of each patch, along the normals.
type contactRow struct {
	impulse                          lanes64
	armCrossNormalA, armCrossNormalB lanes32x3 // arm × normal
	turnA, turnB                     lanes32x3 // inverse inertia times that
	mass                             lanes32
	gap                              lanes32
	lever                            lanes32 // distance of the point from the patch's middle
}

// rollingFriction is the rolling resistance of a manifold.
type rollingFriction struct {
	batch, lane int32
	radius      float64 // m
	mass        r3.Mat
	impulse     r3.Vec
}

// restitutionPoint is a point with restitution whose bodies approach fast enough.
type restitutionPoint struct {
	batch, lane, row int32
	restitution      float64
	relativeVelocity float64 // m/s, of separation when the step began
	maxImpulse       float64 // N·s, the sum over substeps: 0 when the point never pushed
}

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
func (e *contactExtras) rollingFrictionOf(first, end int32) []rollingFriction {
	if len(e.rollingFriction) == 0 {
		return nil
	}
	from := sort.Search(len(e.rollingFriction),
		func(i int) bool { return e.rollingFriction[i].batch >= first })
	to := sort.Search(len(e.rollingFriction), func(i int) bool { return e.rollingFriction[i].batch >= end })
	return e.rollingFriction[from:to]
}

// compliantFrictionOf is the compliant friction of the batches from first to end.
func (e *contactExtras) compliantFrictionOf(first, end int32) []compliantFriction {
	if len(e.compliantFriction) == 0 {
		return nil
	}
	from := sort.Search(len(e.compliantFriction),
		func(i int) bool { return e.compliantFriction[i].batch >= first })
	to := sort.Search(len(e.compliantFriction),
		func(i int) bool { return e.compliantFriction[i].batch >= end })
	return e.compliantFriction[from:to]
}

// contactSpringsOf is the contact springs of the batches from first to end.
func (e *contactExtras) contactSpringsOf(first, end int32) []contactSpring {
	if len(e.contactSprings) == 0 {
		return nil
	}
	from := sort.Search(len(e.contactSprings), func(i int) bool { return e.contactSprings[i].batch >= first })
	to := sort.Search(len(e.contactSprings), func(i int) bool { return e.contactSprings[i].batch >= end })
	return e.contactSprings[from:to]
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

// maxFrictionTurn is the most, rad per substep, that a body turns about the normal for its friction to turn
// along. Without, wheels creep.
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
func (s *solverBodies) writeVelocities(b *contactBatch, i int, va, wa, vb, wb r3.Vec) {
	if b.movableMask&(1<<i) != 0 {
		m := &s.states[b.a[i]]
		m.v, m.w = va, wa
	}
	if b.movableMask&(1<<(width+i)) != 0 {
		m := &s.states[b.b[i]]
		m.v, m.w = vb, wb
	}
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
func (s *solverBodies) applyAngularImpulse(p *contactBatch, lane int32, j r3.Vec) {
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

// updateMass computes the effective mass of a point.
func (r *contactRow) updateMass(lane int, ra, rb r3.Vec, wa, wb *bodyMass) {
	ta, tb := wa.applyInvInertia(ra), r3.Vec{}
	if wb.invMass > 0 { // not the ground
		tb = wb.applyInvInertia(rb)
	}
	r.turnA.set(lane, ta)
	r.turnB.set(lane, tb)
	r.mass.set(lane, 1/(wa.invMass+wb.invMass+ra.Dot(ta)+rb.Dot(tb)))
}

// updateSpinMass computes the effective mass of spin about the normal.
func (b *contactBatch) updateSpinMass(lane int, wa, wb *bodyMass) {
	n := b.normal.at(lane)
	ia, ib := wa.applyInvInertia(n), r3.Vec{}
	if wb.invMass > 0 {
		ib = wb.applyInvInertia(n)
	}
	b.spinA.set(lane, ia)
	b.spinB.set(lane, ib)
	b.spinMass.set(lane, inverseOrZero(ia.Dot(n)+ib.Dot(n)))
}

// updateFrictionMass computes the inverse of the 2×2 compliance of both tangents.
func (b *contactBatch) updateFrictionMass(lane int, armA, armB, t1, t2 r3.Vec, wa, wb *bodyMass) {
	a1, a2 := armA.Cross(t1), armA.Cross(t2)
	ia1, ia2 := wa.applyInvInertia(a1), wa.applyInvInertia(a2)
	var b1, b2, ib1, ib2 r3.Vec
	if wb.invMass > 0 {
		b1, b2 = armB.Cross(t1), armB.Cross(t2)
		ib1, ib2 = wb.applyInvInertia(b1), wb.applyInvInertia(b2)
	}
	b.turnA1.set(lane, ia1)
	b.turnA2.set(lane, ia2)
	b.turnB1.set(lane, ib1)
	b.turnB2.set(lane, ib2)
	im := wa.invMass + wb.invMass
	k11 := im + a1.Dot(ia1) + b1.Dot(ib1)
	k22 := im + a2.Dot(ia2) + b2.Dot(ib2)
	k12 := a1.Dot(ia2) + b1.Dot(ib2)
	det := inverseOrZero(float64(k11*k22) - float64(k12*k12))
	b11, b12, b22 := float64(k22*det), float64(-k12*det), float64(k11*det)
	if b.mu2[lane] == 0 { // slides freely across (rollers): what it does there must not lean on the other
		b11, b12, b22 = inverseOrZero(k11), 0, 0
	}
	b.invK11.set(lane, b11)
	b.invK12.set(lane, b12)
	b.invK22.set(lane, b22)
}

// applySliding directs the friction of a manifold that slid in the last substep against its slip (Coulomb's
// law, maximal dissipation). j1 and j2 are its impulses under a load. With the true effective masses, an
// impulse clamped to the cone leans towards the direction in which the bodies are heavier. A brick that
// slides downhill askew would drift to a side. With one mass for both tangents, the smallest that is stable,
// the fixed point of the passes is the impulse against the slip.
func (b *contactBatch) applySliding(lane int, j1, j2, load float64) {
	l1, l2 := float64(b.mu1.at(lane)*load), float64(b.mu2.at(lane)*load)
	part := slidingFraction(j1, j2, l1, l2)
	if part <= 0 {
		return
	}
	b11, b12, b22 := equalizedMass(b.invK11.at(lane), b.invK12.at(lane), b.invK22.at(lane), l1, l2, part)
	b.invK11.set(lane, b11)
	b.invK12.set(lane, b12)
	b.invK22.set(lane, b22)
}

// compliantFriction is a lane with force-dependent slip, as of tyres (SDF's slip1 and slip2): v = slip·F up
// to the edge of its cone. Surfaces that move against their geoms are solved with it, too.
type compliantFriction struct {
	batch, lane  int32
	slip1, slip2 float64 // m/s per N, along each tangent
	surface      surfaceMotion
}

// leaveFriction leaves the friction of a lane to solveCompliantFriction.
func (b *contactBatch) leaveFriction(lane int) {
	b.invK11[lane], b.invK12[lane], b.invK22[lane], b.spinMass[lane] = 0, 0, 0, 0
}

// solveCompliantFriction solves spin and both tangents of such a lane under the normal impulses of now.
func (s *solver) solveCompliantFriction(e *compliantFriction) {
	b, lane := &s.batches[e.batch], int(e.lane)
	load, reach := 0.0, 0.0
	for k := b.firstRow; k < b.firstRow+b.rowCount; k++ {
		load += s.rows[k].impulse[lane]
		reach += float64(s.rows[k].impulse[lane] * s.rows[k].lever.at(lane))
	}
	x, y := &s.states[b.a[lane]], &s.states[b.b[lane]]
	xw, yw := s.solveCompliantSpin(e, load, reach)
	armA, armB, t1, t2 := b.armA.at(lane), b.armB.at(lane), b.t1.at(lane), b.t2.at(lane)
	a1, a2, b1, b2 := armA.Cross(t1), armA.Cross(t2), armB.Cross(t1), armB.Cross(t2)
	ia1, ia2, ib1, ib2 := b.turnA1.at(lane), b.turnA2.at(lane), b.turnB1.at(lane), b.turnB2.at(lane)
	mass := b.massA[lane] + b.massB[lane]
	g1, g2 := float64(e.slip1*s.invH), float64(e.slip2*s.invH)
	k11 := mass + a1.Dot(ia1) + b1.Dot(ib1) + g1
	k22 := mass + a2.Dot(ia2) + b2.Dot(ib2) + g2
	k12 := a1.Dot(ia2) + b1.Dot(ib2)
	dv := y.v.Sub(x.v).Add(yw.Cross(armB)).Sub(xw.Cross(armA))
	v1 := t1.Dot(dv) + e.surface.along1 + float64(g1*b.tangentImpulse1[lane])
	v2 := t2.Dot(dv) + e.surface.along2 + float64(g2*b.tangentImpulse2[lane])
	det := inverseOrZero(float64(k11*k22) - float64(k12*k12))
	j1 := b.tangentImpulse1[lane] - float64(det*(float64(k22*v1)-float64(k12*v2)))
	j2 := b.tangentImpulse2[lane] - float64(det*(float64(k11*v2)-float64(k12*v1)))
	load = float64(load * (1 - e.surface.slideLoss))
	j1, j2 = clampToFrictionCone(j1, j2, float64(b.mu1.at(lane)*load), float64(b.mu2.at(lane)*load))
	d1, d2 := j1-b.tangentImpulse1[lane], j2-b.tangentImpulse2[lane]
	b.tangentImpulse1[lane], b.tangentImpulse2[lane] = j1, j2
	impulse := t1.Scale(d1).AddScaled(d2, t2)
	va, vb := x.v.Sub(impulse.Scale(b.massA[lane])), y.v.AddScaled(b.massB[lane], impulse)
	wa := xw.Sub(ia1.Scale(d1).AddScaled(d2, ia2))
	wb := yw.Add(ib1.Scale(d1).AddScaled(d2, ib2))
	s.writeVelocities(b, lane, va, wa, vb, wb)
}

// solveCompliantSpin solves the spin of such a lane, and returns the angular velocities of its bodies then.
func (s *solver) solveCompliantSpin(e *compliantFriction, load, reach float64) (wa, wb r3.Vec) {
	b, lane := &s.batches[e.batch], int(e.lane)
	n, ia, ib := b.normal.at(lane), b.spinA.at(lane), b.spinB.at(lane)
	wa, wb = s.states[b.a[lane]].w, s.states[b.b[lane]].w
	limit := float64(float64(0.5*(b.mu1.at(lane)+b.mu2.at(lane)))*reach) + float64(b.torsion.at(lane)*load)
	limit = float64(limit * (1 - e.surface.spinLoss))
	was := b.spinImpulse[lane]
	j := was - float64(inverseOrZero(ia.Dot(n)+ib.Dot(n))*(n.Dot(wb.Sub(wa))+e.surface.spin))
	b.spinImpulse[lane] = max(-limit, min(limit, j))
	return wa.AddScaled(was-b.spinImpulse[lane], ia), wb.AddScaled(b.spinImpulse[lane]-was, ib)
}

// applyRestitution gives points the separation speed that restitution asks for, once at the end of the step.
func (s *solver) applyRestitution() {
	for i := range s.restitution {
		e := &s.restitution[i]
		if e.maxImpulse == 0 {
			continue
		}
		p, r, lane := &s.batches[e.batch], &s.rows[e.row], int(e.lane)
		x, y := &s.states[p.a[lane]], &s.states[p.b[lane]]
		n := p.normal.at(lane)
		v := n.Dot(y.v.Sub(x.v)) + r.armCrossNormalB.at(lane).Dot(y.w) - r.armCrossNormalA.at(lane).Dot(x.w)
		j := max(0, r.impulse[lane]-float64(r.mass.at(lane)*(v+float64(e.restitution*e.relativeVelocity))))
		d := j - r.impulse[lane]
		r.impulse[lane] = j
		va, vb := x.v.AddScaled(float64(-d*p.massA[lane]), n), y.v.AddScaled(float64(d*p.massB[lane]), n)
		wa, wb := x.w.AddScaled(-d, r.turnA.at(lane)), y.w.AddScaled(d, r.turnB.at(lane))
		s.writeVelocities(p, lane, va, wa, vb, wb)
	}
}

// iterateNoWarmStart is the further passes over lanes without warm start, of the batches from first to end.
func (s *solver) iterateNoWarmStart(first, end int32, p *iteration) {
	if len(s.reweighted) == 0 {
		return
	}
	at := sort.Search(len(s.reweighted), func(i int) bool { return s.reweighted[i].batch >= first })
	for ; at < len(s.reweighted) && s.reweighted[at].batch < end; at++ {
		if e := &s.reweighted[at]; e.noWarmStart {
			for range noWarmStartIterations - 1 {
				s.solveContactLane(&s.batches[e.batch], int(e.lane), p)
			}
		}
	}
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
