package dynamics

import "simdeck/sim/r3"

// multiDofFriction is the damper and the dry friction of a joint between bodies in those of its freedoms that have no position: all
// of a ball, all of a plane, and the second of a universal joint. The first three of its parts are those of the plane that
// it slides in, or of a ball's turning; friction opposes what is left of motion as a whole there, whichever way it goes.
type multiDofFriction struct {
	joint                           int32 // in solver.joints
	damping                         float64
	friction                        float64 // impulse per substep
	dampingImpulse, frictionImpulse r3.Vec  // impulses, along dirs
}

// freeDirection is one freedom of such a joint, where its bodies are: a turn about dir, or a slide along it.
type freeDirection struct {
	dir    r3.Vec
	linear bool
	mass   float64
}

// prepareMultiDofFriction lays out what a joint has of it.
func (s *solver) prepareMultiDofFriction(at int32, j *joint, warm float64) {
	if j.damping == 0 && j.friction == 0 || j.kind != Ball && j.kind != Planar && j.kind != Universal {
		return
	}
	s.multiDofFriction = append(s.multiDofFriction, multiDofFriction{
		joint: at, damping: j.damping, friction: float64(j.friction * s.h),
		dampingImpulse: j.multiDofDampingImpulse.Scale(warm), frictionImpulse: j.multiDofFrictionImpulse.Scale(warm),
	})
}

// freeDirections finds the freedoms of a joint and what each feels of its bodies, and how many they are.
func (r *jointConstraint) freeDirections(s *solver, out *[3]freeDirection) int {
	n := 3
	switch r.kind {
	case Universal: // p1 is the second axis times the first
		out[0], n = freeDirection{dir: r.axis.Cross(r.p1)}, 1
	case Planar:
		out[0], out[1], out[2] = freeDirection{dir: r.p1, linear: true}, freeDirection{dir: r.p2, linear: true}, freeDirection{dir: r.axis}
	default:
		out[0], out[1], out[2] = freeDirection{dir: r.p1}, freeDirection{dir: r.p2}, freeDirection{dir: r.axis}
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
		out[i].mass = inverseOrZero(mulVec(m, out[i].dir).Dot(out[i].dir))
	}
	return n
}

// applyFreeDirectionImpulse applies an impulse along a freedom. Where the joint is one of a knot the others answer at the same time.
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

// freeDirectionResponse is what the rows of a knot do against an impulse along a freedom of one of its joints: none of them moves.
func (r *jointConstraint) freeDirectionResponse(s *solver, w *freeDirection, j float64) {
	k := &s.directIslands[r.directIsland-1]
	row := directRow{bodyA: r.a, bodyB: r.b, armA: w.dir, armB: w.dir}
	if w.linear {
		row.along, row.armA, row.armB = w.dir, r.armA.Cross(w.dir), r.armB.Cross(w.dir)
	}
	wa, wb := &s.masses[r.a], &s.masses[r.b]
	row.turnA, row.turnB, row.massA, row.massB = wa.invInertia.Apply(row.armA), wb.invInertia.Apply(row.armB), wa.invMass, wb.invMass
	rows := s.directRows[k.firstRow:k.rowEnd]
	for n := range rows {
		rows[n].rhs = -float64(j * row.coupling(&rows[n]))
	}
	k.solve(s)
	k.applyImpulses(s)
}

// freeDirectionSpeed is how fast a joint runs along a freedom.
func (r *jointConstraint) freeDirectionSpeed(s *solver, w *freeDirection) float64 {
	if w.linear {
		return r.anchorVelocity(s).Dot(w.dir)
	}
	return s.states[r.b].w.Sub(s.states[r.a].w).Dot(w.dir)
}

// warmStartMultiDofFriction begins a substep with the impulses of the one before.
func (s *solver) warmStartMultiDofFriction() {
	for i := range s.multiDofFriction {
		f := &s.multiDofFriction[i]
		r := &s.jointConstraints[f.joint]
		var ways [3]freeDirection
		for k := range r.freeDirections(s, &ways) {
			r.applyFreeDirectionImpulse(s, &ways[k], f.dampingImpulse.At(k)+f.frictionImpulse.At(k))
		}
	}
}

// solveMultiDofFriction is one pass over them.
func (s *solver) solveMultiDofFriction() {
	for i := range s.multiDofFriction {
		f := &s.multiDofFriction[i]
		r := &s.jointConstraints[f.joint]
		if r.onArticulation {
			r.refreshEndVelocities(s)
		}
		var ways [3]freeDirection
		n := r.freeDirections(s, &ways)
		if f.damping > 0 {
			f.solveDamping(s, r, ways[:n])
		}
		if f.friction > 0 {
			f.solveStick(s, r, ways[:n])
		}
	}
}

// solveDamping solves the dampers, each implicit as that of an axis is.
func (f *multiDofFriction) solveDamping(s *solver, r *jointConstraint, ways []freeDirection) {
	for k := range ways {
		w := &ways[k]
		if w.mass == 0 {
			continue
		}
		_, damper := springImplicitTerms(0, f.damping, w.mass, s.h)
		d := -(float64(damper*r.freeDirectionSpeed(s, w)) + float64(s.invH*f.dampingImpulse.At(k))) / (damper/w.mass + s.invH)
		f.dampingImpulse = f.dampingImpulse.With(k, f.dampingImpulse.At(k)+d)
		r.applyFreeDirectionImpulse(s, w, d)
	}
}

// solveStick solves friction: as much as stops all motion, but in a plane no more force than there is, and of a ball no more
// torque, whichever way; a plane's turning has as much torque again.
func (f *multiDofFriction) solveStick(s *solver, r *jointConstraint, ways []freeDirection) {
	for k := range ways {
		w := &ways[k]
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
	for k := range ways {
		if d := f.frictionImpulse.At(k) - want.At(k); d != 0 {
			r.applyFreeDirectionImpulse(s, &ways[k], d)
		}
	}
}

// finishMultiDofFriction keeps what the next step begins with.
func (w *World) finishMultiDofFriction() {
	s := &w.solver
	for i := range s.multiDofFriction {
		f := &s.multiDofFriction[i]
		j := &w.joints[s.jointConstraints[f.joint].slot]
		j.multiDofDampingImpulse, j.multiDofFrictionImpulse = f.dampingImpulse, f.frictionImpulse
	}
}
