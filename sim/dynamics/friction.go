package dynamics

import (
	"math"

	"simdeck/sim/r3"
	"simdeck/sim/statecodec"
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

// slidingThreshold is the part of the friction cone's radius from which a contact counts as sliding; at the
// edge it counts wholly.
const slidingThreshold = 0.9

// normalImpulse is the sum of the normal impulses of the last substep, N·s.
func (m *manifold) normalImpulse() (sum float64) {
	for k := range m.n {
		sum += m.impulses[k]
	}
	return sum
}

// frictionCenter is the point of friction: the mean of the touching points, or of all when none touches yet.
// arm and gap are as those of points.
func (m *manifold) frictionCenter() (arm r3.Vec, found float64) {
	n := 0.0
	for pass := 0; pass < 2 && n == 0; pass++ {
		for k := range m.n {
			if p := &m.points[k]; pass == 1 || p.gap < touchDistance {
				arm = arm.Add(p.arm)
				found += p.gapWhenFound
				n++
			}
		}
	}
	return arm.Scale(1 / n), found / n
}

// meanLever is the mean distance of the points from the center of friction, m.
func (m *manifold) meanLever() (lever float64) {
	center, _ := m.frictionCenter()
	for k := range m.n {
		lever += m.points[k].arm.Sub(center).Len()
	}
	return lever / float64(m.n)
}

// fullFrictionDepth and noFrictionDepth are the depths, in m, between which friction fades. No load presses
// bodies so deep into each other; they were put there. A wedge narrower than the friction cones of its two
// sides would hold them for ever.
const (
	fullFrictionDepth = 0.03
	noFrictionDepth   = 0.05
)

// frictionScale is the part of its friction, 0 to 1, that a manifold has at the depth of its deepest point.
func (m *manifold) frictionScale() float64 {
	gap := math.Inf(1)
	for k := range m.n {
		gap = min(gap, m.points[k].gap)
	}
	return max(0, min(1, (noFrictionDepth+gap)/(noFrictionDepth-fullFrictionDepth)))
}

// slidingFraction is the part, up to 1, of a friction impulse that counts as sliding in the ellipse with the
// half axes l1 and l2. When it is not above zero, the contact sticks.
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

// multiDofFriction is damping and dry friction of joint freedoms without a position: of a ball or planar
// joint, a universal joint's second. Friction opposes the remaining motion as one vector: a ball's rotation,
// or a planar joint's slide.
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
		r.anchorMass(s, &s.masses[r.a], &s.masses[r.b], &ends)
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

// surfaceMotion is the velocity of the surface of B of a contact against that of A, beyond their bodies.
type surfaceMotion struct {
	along1, along2 float64 // m/s, along the tangents
	spin           float64 // rad/s, about the normal
	// parts of the resistance to spin that sliding takes, and of that to sliding that spin takes
	spinLoss, slideLoss float64
}

// surfaceMotion is that of a manifold of a contact, whose friction acts at a place in the world.
func (gs *geomSet) surfaceMotion(c *contact, at, normal, t1, t2 r3.Vec) (m surfaceMotion) {
	for side, g := range [2]int32{c.a, c.b} {
		s := &gs.surfaces[g]
		if !s.moving() {
			continue
		}
		p := &gs.placements[g].Placement
		sign, outward := -s.speed, normal
		if side == 1 {
			sign, outward = s.speed, normal.Neg()
		}
		v, w := gs.all[g].material.Velocity.at(p.Pose.ApplyInverse(at), p.Mat.ApplyT(outward))
		v, w = p.Mat.Apply(v), p.Mat.Apply(w)
		m.along1 += float64(sign * t1.Dot(v))
		m.along2 += float64(sign * t2.Dot(v))
		m.spin += float64(sign * normal.Dot(w))
	}
	return m
}

// slideAt sets what sliding and spin take of each other's resistance: each point of a patch resists its own
// slip. A patch that slides at v and spins at ω meets v/√(v² + r²·ω²) of its force without spin. It meets
// r·ω/√(v² + r²·ω²) of its torque without sliding (Contensou, "Couplage entre frottement de glissement et
// frottement de pivotement", 1963). By that tracks turn a vehicle on the spot, and it stays there. The lever
// r is the mean of those of points, dv and dw are velocities of B against A.
func (m *surfaceMotion) slideAt(dv, dw, normal, t1, t2 r3.Vec, lever float64) {
	v := r3.Hypot(t1.Dot(dv)+m.along1, t2.Dot(dv)+m.along2)
	turn := math.Abs(float64(lever * (normal.Dot(dw) + m.spin)))
	if all := r3.Hypot(v, turn); all > 0 {
		m.spinLoss, m.slideLoss = 1-turn/all, 1-v/all
	}
}

// of is the part of the motion along a row of friction: the spin, then both tangents.
func (m *surfaceMotion) of(row int) float64 {
	switch row {
	case 0:
		return m.spin
	case 1:
		return m.along1
	case 2:
		return m.along2
	}
	return 0
}

// moving reports that the surface moves against its geom.
func (s *surface) moving() bool { return s.runs && s.speed != 0 }

// surfaceMoves reports that a surface of a contact moves against its geom.
func (gs *geomSet) surfaceMoves(c *contact) bool {
	return gs.surfaces[c.a].moving() || gs.surfaces[c.b].moving()
}

// surfaceFields is the state of a surface that moves.
var surfaceFields = statecodec.LayoutOf((*surface).fields)

// fields walks over what of a surface may change.
func (s *surface) fields(f *statecodec.Fields) { f.Float(&s.speed, statecodec.Saved) }

// encodeSurfaces codes the speeds of all surfaces that have one.
func (gs *geomSet) encodeSurfaces(c *statecodec.Codec) {
	for _, i := range gs.running {
		surfaceFields.Code(c, &gs.surfaces[i])
	}
}

// keepMovedAwake keeps bodies from falling asleep that touch surfaces which move.
func (gs *geomSet) keepMovedAwake(bodies *bodySet, contacts *contactSet, active *activeSet) {
	if len(gs.running) == 0 {
		return
	}
	for _, i := range active.contacts {
		if c := &contacts.all[i]; c.count > 0 && !c.sensor && gs.surfaceMoves(c) {
			bodies.all[c.bodyA].stillTime, bodies.all[c.bodyB].stillTime = 0, 0
		}
	}
}
