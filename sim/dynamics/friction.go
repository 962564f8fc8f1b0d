package dynamics

import (
	"math"

	"simdeck/sim/r3"
)

// clampToFrictionCone shortens a friction impulse to the ellipse with the half axes l1 and l2.
func clampToFrictionCone(j1, j2, l1, l2 float64) (float64, float64) {
	area := float64(l1 * l2)
	if !(area > 0) {
		return maxAsAssembly(minAsAssembly(j1, l1), -l1), maxAsAssembly(minAsAssembly(j2, l2), -l2)
	}
	x, y := float64(j1*l2), float64(j2*l1)
	if q := float64(x*x) + float64(y*y); q > float64(area*area) {
		k := area / math.Sqrt(q)
		return float64(j1 * k), float64(j2 * k)
	}
	return j1, j2
}

// slidingThreshold is the part of the friction cone's radius from which a contact counts as sliding; at the
// edge it counts wholly.
const slidingThreshold = 0.9

// applySliding turns the friction of a manifold that slid in the last substep, with the impulses j1 and j2
// under a load, against its slip (Coulomb's law, the principle of maximal dissipation). An impulse of the
// true effective masses that is clamped to the cone leans towards the direction in which the bodies are
// heavier: a brick that slides downhill on the skew would drift to a side. With one mass for both tangents,
// the smallest that is stable, the fixed point of the passes is the impulse against the slip.
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

// normalImpulse is the sum of the normal impulses of the last substep, N·s.
func (m *manifold) normalImpulse() (sum float64) {
	for k := range m.n {
		sum += m.impulses[k]
	}
	return sum
}

// slidingFraction is how much, up to 1, a friction impulse counts as sliding in the ellipse with the half
// axes l1 and l2; not above zero: it sticks.
func slidingFraction(j1, j2, l1, l2 float64) float64 {
	x, y, area := float64(j1*l2), float64(j2*l1), float64(l1*l2)
	far := float64(x*x) + float64(y*y)
	if !(far > float64(slidingThreshold*slidingThreshold*area*area)) || area <= 0 {
		return 0
	}
	return min(1, (math.Sqrt(far)/area-slidingThreshold)/(1-slidingThreshold))
}

// equalizedMass blends the 2×2 effective mass of the tangents by a part towards a multiple of the cone's own
// metric.
func equalizedMass(b11, b12, b22, l1, l2, part float64) (e11, e12, e22 float64) {
	det := float64(b11*b22) - float64(b12*b12)
	if !(det > 0) {
		return b11, b12, b22
	}
	l1, l2 = float64(l1*l1), float64(l2*l2)
	p, q, r := float64(l1*b22)/det, float64(l2*b11)/det, b12/det
	half := float64(0.5 * (p - q))
	most := float64(0.5*(p+q)) + math.Sqrt(float64(half*half)+float64(l1*l2*r*r))
	return b11 + float64(part*(l1/most-b11)), b12 - float64(part*b12), b22 + float64(part*(l2/most-b22))
}

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

// multiDofFriction is damping and dry friction of a joint constraint in degrees of freedom without a
// position: all of a ball or planar joint, and a universal joint's second. Friction opposes the remaining
// motion as one vector: a ball's rotation, or a planar joint's slide.
type multiDofFriction struct {
	joint                           int32 // in solver.jointConstraints
	damping                         float64
	friction                        float64 // impulse per substep
	dampingImpulse, frictionImpulse r3.Vec  // along freeDirections
}

// freeDirection is one degree of freedom at the bodies' present poses: a rotation about dir, or a slide along
// it.
type freeDirection struct {
	dir    r3.Vec
	linear bool
	mass   float64 // effective mass, kg or kg·m²
}

// prepareMultiDofFriction adds a joint's damping and friction, with its warm start.
func (s *solver) prepareMultiDofFriction(at int32, j *joint, warm float64) {
	if j.damping == 0 && j.friction == 0 || j.kind != Ball && j.kind != Planar && j.kind != Universal {
		return
	}
	s.multiDofFriction = append(s.multiDofFriction, multiDofFriction{
		joint: at, damping: j.damping, friction: float64(j.friction * s.h),
		dampingImpulse:  j.multiDofDampingImpulse.Scale(warm),
		frictionImpulse: j.multiDofFrictionImpulse.Scale(warm),
	})
}

// freeDirections computes the free directions and their effective masses, and returns their number.
func (r *jointConstraint) freeDirections(s *solver, out *[3]freeDirection) int {
	n := 3
	switch r.kind {
	case Universal: // p1 is the second axis times the first
		out[0], n = freeDirection{dir: r.axis.Cross(r.p1)}, 1
	case Planar:
		out[0], out[1], out[2] = freeDirection{dir: r.p1, linear: true},
			freeDirection{dir: r.p2, linear: true}, freeDirection{dir: r.axis}
	default:
		out[0], out[1], out[2] = freeDirection{dir: r.p1}, freeDirection{dir: r.p2},
			freeDirection{dir: r.axis}
	}
	inv := s.masses[r.a].invInertia.Add(s.masses[r.b].invInertia)
	if r.onArticulation {
		inv = r.linkAngularMass(s)
	}
	var ends r3.Mat
	if r.kind == Planar {
		ends = r.anchorMass(s, &s.masses[r.a], &s.masses[r.b])
	}
	for i := range n {
		m := &inv
		if out[i].linear {
			m = &ends
		}
		out[i].mass = inverseOrZero(m.Times(out[i].dir).Dot(out[i].dir))
	}
	return n
}

// applyFreeDirectionImpulse applies an impulse along a free direction, with the direct island's response.
func (r *jointConstraint) applyFreeDirectionImpulse(s *solver, w *freeDirection, j float64) {
	if r.directIsland > 0 {
		r.freeDirectionResponse(s, w, j)
	}
	if w.linear {
		r.applyLinear(s, w.dir.Scale(j))
	} else {
		r.applyAngular(s, w.dir.Scale(j))
	}
}

// freeDirectionResponse applies the reaction of the direct island's rows to an impulse along a free
// direction.
func (r *jointConstraint) freeDirectionResponse(s *solver, w *freeDirection, j float64) {
	k := &s.directIslands[r.directIsland-1]
	row := directRow{bodyA: r.a, bodyB: r.b, armA: w.dir, armB: w.dir}
	if w.linear {
		row.along, row.armA, row.armB = w.dir, r.armA.Cross(w.dir), r.armB.Cross(w.dir)
	}
	wa, wb := &s.masses[r.a], &s.masses[r.b]
	row.turnA, row.turnB, row.massA, row.massB = wa.invInertia.Apply(row.armA), wb.invInertia.Apply(row.armB),
		wa.invMass, wb.invMass
	rows := s.directRows[k.firstRow:k.rowEnd]
	for n := range rows {
		s.directRHS[int(k.firstRow)+n] = -float64(j * row.coupling(&rows[n]))
	}
	k.solve(s)
	k.applyImpulses(s)
}

// freeDirectionSpeed is the velocity along a free direction.
func (r *jointConstraint) freeDirectionSpeed(s *solver, w *freeDirection) float64 {
	if w.linear {
		return r.anchorVelocity(s).Dot(w.dir)
	}
	return s.states[r.b].w.Sub(s.states[r.a].w).Dot(w.dir)
}

// warmStartMultiDofFriction applies the impulses of the last substep.
func (s *solver) warmStartMultiDofFriction() {
	for i := range s.multiDofFriction {
		f := &s.multiDofFriction[i]
		r := &s.jointConstraints[f.joint]
		var dirs [3]freeDirection
		for k := range r.freeDirections(s, &dirs) {
			r.applyFreeDirectionImpulse(s, &dirs[k], f.dampingImpulse.At(k)+f.frictionImpulse.At(k))
		}
	}
}

// solveMultiDofFriction is one iteration.
func (s *solver) solveMultiDofFriction() {
	for i := range s.multiDofFriction {
		f := &s.multiDofFriction[i]
		r := &s.jointConstraints[f.joint]
		if r.onArticulation {
			r.refreshEndVelocities(s)
		}
		var dirs [3]freeDirection
		n := r.freeDirections(s, &dirs)
		if f.damping > 0 {
			f.solveDamping(s, r, dirs[:n])
		}
		if f.friction > 0 {
			f.solveStick(s, r, dirs[:n])
		}
	}
}

// solveDamping solves the dampers, each implicit like an axis's.
func (f *multiDofFriction) solveDamping(s *solver, r *jointConstraint, dirs []freeDirection) {
	for k := range dirs {
		w := &dirs[k]
		if w.mass == 0 {
			continue
		}
		_, damper := springImplicitTerms(0, f.damping, w.mass, s.h)
		d := -(float64(damper*r.freeDirectionSpeed(s, w)) +
			float64(s.invH*f.dampingImpulse.At(k))) / (damper/w.mass + s.invH)
		f.dampingImpulse = f.dampingImpulse.With(k, f.dampingImpulse.At(k)+d)
		r.applyFreeDirectionImpulse(s, w, d)
	}
}

// solveStick solves dry friction: impulses that stop all motion, with their vector clamped to friction. A
// planar joint's rotation has its own bound of the same number.
func (f *multiDofFriction) solveStick(s *solver, r *jointConstraint, dirs []freeDirection) {
	for k := range dirs {
		w := &dirs[k]
		d := -float64(w.mass * r.freeDirectionSpeed(s, w))
		f.frictionImpulse = f.frictionImpulse.With(k, f.frictionImpulse.At(k)+d)
		r.applyFreeDirectionImpulse(s, w, d)
	}
	want := f.frictionImpulse
	if r.kind == Planar {
		turn := max(-f.friction, min(f.friction, want.Z))
		f.frictionImpulse = clampLength(r3.Vec{X: want.X, Y: want.Y}, f.friction).With(2, turn)
	} else {
		f.frictionImpulse = clampLength(want, f.friction)
	}
	for k := range dirs {
		if d := f.frictionImpulse.At(k) - want.At(k); d != 0 {
			r.applyFreeDirectionImpulse(s, &dirs[k], d)
		}
	}
}

// storeMultiDofFriction stores the impulses for the next step.
func (js *jointSet) storeMultiDofFriction(s *solver) {
	for i := range s.multiDofFriction {
		f := &s.multiDofFriction[i]
		j := &js.all[s.jointConstraints[f.joint].slot]
		j.multiDofDampingImpulse, j.multiDofFrictionImpulse = f.dampingImpulse, f.frictionImpulse
	}
}
