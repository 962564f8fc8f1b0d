package physics

import "simdeck/sim/r3"

// freeRow is the damper and the dry friction of a joint between bodies in those of its freedoms that have no position: all
// of a ball, all of a plane, and the second of a universal joint. The first three of its parts are those of the plane that
// it slides in, or of a ball's turning; friction opposes what is left of motion as a whole there, whichever way it goes.
type freeRow struct {
	joint       int32 // in solver.joints
	damping     float64
	friction    float64 // impulse per substep
	damp, stick r3.Vec  // impulses, along dirs
}

// freeWay is one freedom of such a joint, where its bodies are: a turn about dir, or a slide along it.
type freeWay struct {
	dir    r3.Vec
	slides bool
	mass   float64
}

// prepareFree lays out what a joint has of it.
func (s *solver) prepareFree(at int32, j *joint, warm float64) {
	if j.damping == 0 && j.friction == 0 || j.kind != Ball && j.kind != Planar && j.kind != Universal {
		return
	}
	s.frees = append(s.frees, freeRow{
		joint: at, damping: j.damping, friction: float64(j.friction * s.h),
		damp: j.freeDamp.Scale(warm), stick: j.freeStick.Scale(warm),
	})
}

// ways finds the freedoms of a joint and what each feels of its bodies, and how many they are.
func (s *solver) ways(r *jointRow, out *[3]freeWay) int {
	n := 3
	switch r.kind {
	case Universal: // p1 is the second axis times the first
		out[0], n = freeWay{dir: r.axis.Cross(r.p1)}, 1
	case Planar:
		out[0], out[1], out[2] = freeWay{dir: r.p1, slides: true}, freeWay{dir: r.p2, slides: true}, freeWay{dir: r.axis}
	default:
		out[0], out[1], out[2] = freeWay{dir: r.p1}, freeWay{dir: r.p2}, freeWay{dir: r.axis}
	}
	inv := s.weight[r.a].inv.Add(s.weight[r.b].inv)
	if r.tied {
		inv = s.tiedTurning(r)
	}
	var ends r3.Mat
	if r.kind == Planar {
		ends = s.endMass(&s.weight[r.a], &s.weight[r.b], r)
	}
	for i := range n {
		m := &inv
		if out[i].slides {
			m = &ends
		}
		out[i].mass = invertOrZero(applied(m, out[i].dir).Dot(out[i].dir))
	}
	return n
}

// strikeWay applies an impulse along a freedom. Where the joint is one of a knot the others answer at the same time.
func (s *solver) strikeWay(r *jointRow, w *freeWay, j float64) {
	if r.knot > 0 {
		s.answerWay(r, w, j)
	}
	if w.slides {
		s.pull(r, w.dir.Scale(j))
	} else {
		s.wring(r, w.dir.Scale(j))
	}
}

// answerWay is what the rows of a knot do against an impulse along a freedom of one of its joints: none of them moves.
func (s *solver) answerWay(r *jointRow, w *freeWay, j float64) {
	k := &s.knots[r.knot-1]
	row := knotRow{a: r.a, b: r.b, armA: w.dir, armB: w.dir}
	if w.slides {
		row.along, row.armA, row.armB = w.dir, r.armA.Cross(w.dir), r.armB.Cross(w.dir)
	}
	wa, wb := &s.weight[r.a], &s.weight[r.b]
	row.turnA, row.turnB, row.massA, row.massB = wa.inv.Apply(row.armA), wb.inv.Apply(row.armB), wa.invMass, wb.invMass
	rows := s.knotRows[k.row:k.rowEnd]
	for n := range rows {
		rows[n].push = -float64(j * row.coupled(&rows[n]))
	}
	s.divideKnot(k)
	s.strikeKnot(k)
}

// speedOf is how fast a joint runs along a freedom.
func (s *solver) speedOf(r *jointRow, w *freeWay) float64 {
	if w.slides {
		return s.parting(r).Dot(w.dir)
	}
	return s.moving[r.b].w.Sub(s.moving[r.a].w).Dot(w.dir)
}

// warmFrees begins a substep with the impulses of the one before.
func (s *solver) warmFrees() {
	for i := range s.frees {
		f := &s.frees[i]
		r := &s.joints[f.joint]
		var ways [3]freeWay
		for k := range s.ways(r, &ways) {
			s.strikeWay(r, &ways[k], f.damp.At(k)+f.stick.At(k))
		}
	}
}

// solveFrees is one pass over them.
func (s *solver) solveFrees() {
	for i := range s.frees {
		f := &s.frees[i]
		r := &s.joints[f.joint]
		if r.tied {
			s.refreshTied(r)
		}
		var ways [3]freeWay
		n := s.ways(r, &ways)
		if f.damping > 0 {
			s.dampWays(f, r, ways[:n])
		}
		if f.friction > 0 {
			s.stickWays(f, r, ways[:n])
		}
	}
}

// dampWays solves the dampers, each implicit as that of an axis is.
func (s *solver) dampWays(f *freeRow, r *jointRow, ways []freeWay) {
	for k := range ways {
		w := &ways[k]
		if w.mass == 0 {
			continue
		}
		_, damper := springAhead(0, f.damping, w.mass, s.h)
		d := -(float64(damper*s.speedOf(r, w)) + float64(s.invH*f.damp.At(k))) / (damper/w.mass + s.invH)
		f.damp = f.damp.With(k, f.damp.At(k)+d)
		s.strikeWay(r, w, d)
	}
}

// stickWays solves friction: as much as stops all motion, but in a plane no more force than there is, and of a ball no more
// torque, whichever way; a plane's turning has as much torque again.
func (s *solver) stickWays(f *freeRow, r *jointRow, ways []freeWay) {
	for k := range ways {
		w := &ways[k]
		d := -float64(w.mass * s.speedOf(r, w))
		f.stick = f.stick.With(k, f.stick.At(k)+d)
		s.strikeWay(r, w, d)
	}
	want := f.stick
	if r.kind == Planar {
		turn := max(-f.friction, min(f.friction, want.Z))
		f.stick = limitTo(r3.Vec{X: want.X, Y: want.Y}, f.friction).With(2, turn)
	} else {
		f.stick = limitTo(want, f.friction)
	}
	for k := range ways {
		if d := f.stick.At(k) - want.At(k); d != 0 {
			s.strikeWay(r, &ways[k], d)
		}
	}
}

// finishFrees keeps what the next step begins with.
func (w *World) finishFrees() {
	s := &w.solver
	for i := range s.frees {
		f := &s.frees[i]
		j := &w.joints[s.joints[f.joint].slot]
		j.freeDamp, j.freeStick = f.damp, f.stick
	}
}
