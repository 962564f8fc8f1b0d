package physics

import (
	"math"

	"simdeck/sim/r3"
)

// Bodies that push each other, some of them on joints that are solved as one (knot.go), are thrifty: what passes have
// found in a substep may not leave them with more energy than they had, but for what springs and motors gave. Where a
// light thing lies between heavy ones, or a rod turns much within a substep, passes begin with impulses that are no
// longer right and come nowhere near those that are; left so, they throw what is heavy. Impulses that hold, less all of
// them by the same part, still hold, only less; so what is too much is taken from all impulses alike, down to the energy
// there was. Momentum stays, and friction stays within its cone.
type thrift struct {
	had    float64 // J, of motion when the substep began
	given  float64 // J, by springs and motors: their impulses times the mean of the speeds before and after; less than 0 what they took
	spends bool    // what is moved, or a tree in reduced coordinates, works on it, and nobody counts how much
	// What it has with a part x of all impulses is none + double·x + square·x².
	none, double, square float64
	part                 float64 // of its impulses that is left
}

// thriftBody is a body that is thrifty, and what it had when the substep began.
type thriftBody struct {
	at   int32  // in solver.moving
	v    r3.Vec // of its centre of mass
	turn r3.Vec // angular momentum
}

// thriving is who is thrifty in a step.
type thriving struct {
	thriftOf     []int32  // by body: its thrift, named by the lowest body; -1: none
	thrifts      []thrift // by lowest body
	thriftBodies []thriftBody
	pushes       [][2]int32 // bodies that push each other
}

const (
	// thriftSlack is the part of their energy that rounding may add.
	thriftSlack = 1e-10
	// thriftPasses is how many more passes what has more than it had is solved for.
	thriftPasses = 8
)

// tieThrifts finds what pushes each other around knots: who is in the same thrift, by index of moving, or -1.
func (s *solver) tieThrifts() {
	s.thriftBodies = s.thriftBodies[:0]
	if len(s.knots) == 0 {
		return
	}
	s.thriftOf, s.thrifts = resized(s.thriftOf, len(s.moving)), resized(s.thrifts, len(s.moving))
	for i := range s.thriftOf {
		s.thriftOf[i], s.thrifts[i] = int32(i), thrift{part: 1}
	}
	s.listPushes()
	for _, p := range s.pushes {
		if s.weight[p[0]].invMass > 0 && s.weight[p[1]].invMass > 0 {
			a, b := s.thriftRoot(p[0]), s.thriftRoot(p[1])
			s.thriftOf[max(a, b)] = min(a, b)
		}
	}
	for _, p := range s.pushes {
		for side, i := range p {
			if m := &s.moving[i]; s.weight[i].invMass == 0 && (m.v != r3.Vec{} || m.w != r3.Vec{}) {
				s.thrifts[s.thriftRoot(p[1-side])].spends = true
			}
		}
	}
	for i := range s.knots { // a part of 0 marks who has one
		s.thrifts[s.thriftRoot(s.knotBodies[s.knots[i].body].at)].part = 0
	}
	for i := range s.thriftOf {
		s.thriftOf[i] = s.thriftRoot(int32(i))
	}
	for i, root := range s.thriftOf {
		if t := &s.thrifts[root]; s.weight[i].invMass == 0 || t.spends || t.part != 0 {
			s.thriftOf[i] = -1
			continue
		}
		s.thriftBodies = append(s.thriftBodies, thriftBody{at: int32(i)})
	}
}

// listPushes lists what pushes each other, two by two.
func (s *solver) listPushes() {
	s.pushes = s.pushes[:0]
	for i := range s.joints {
		s.pushes = append(s.pushes, [2]int32{s.joints[i].a, s.joints[i].b})
	}
	for i := range s.limbPatches {
		s.pushes = append(s.pushes, [2]int32{s.limbPatches[i].a.moving, s.limbPatches[i].b.moving})
	}
	for i := range s.colouring.tasks {
		s.pushes = append(s.pushes, [2]int32{s.colouring.tasks[i].a, s.colouring.tasks[i].b})
	}
	for i := range s.gears {
		if g := &s.gears[i]; g.follower.limb == nil && g.leader.limb == nil {
			s.pushes = append(s.pushes, [2]int32{s.joints[g.follower.row].b, s.joints[g.leader.row].b})
		}
	}
}

// thriftRoot is the lowest of the bodies that push each other.
func (s *solver) thriftRoot(i int32) int32 {
	for s.thriftOf[i] != i {
		s.thriftOf[i] = s.thriftOf[s.thriftOf[i]]
		i = s.thriftOf[i]
	}
	return i
}

// beginThrift notes what thrifty bodies have when a substep begins.
func (s *solver) beginThrift() {
	for i := range s.thriftBodies {
		b := &s.thriftBodies[i]
		m, t := &s.moving[b.at], &s.thrifts[s.thriftOf[b.at]]
		if s.thriftOf[b.at] == b.at {
			*t = thrift{part: 1}
		}
		b.v, b.turn = m.v, s.momentumOf(b.at)
		t.had += s.energyOf(b.at)
	}
	for i := range s.joints {
		if r := &s.joints[i]; r.turns() || r.kind == Prismatic {
			r.began = s.speed(r)
		}
	}
}

// keepThrift takes from thrifty bodies what is more than they had, when a substep ends: passes go on for a while, since
// they take speed only, and what they leave too much is taken from all impulses.
func (s *solver) keepThrift() {
	if len(s.thriftBodies) == 0 {
		return
	}
	for range thriftPasses {
		if !s.weighThrift() {
			return
		}
		s.passThrift()
	}
	if s.weighThrift() {
		s.takeBack()
	}
}

// weighThrift finds what thrifty bodies have with each part of their impulses; false: none has more than it had.
func (s *solver) weighThrift() bool {
	for i := range s.thriftBodies {
		if b := &s.thriftBodies[i]; s.thriftOf[b.at] == b.at {
			t := &s.thrifts[b.at]
			*t = thrift{had: t.had, part: 1}
		}
	}
	for i := range s.thriftBodies {
		b := &s.thriftBodies[i]
		m, wt, t := &s.moving[b.at], &s.weight[b.at], &s.thrifts[s.thriftOf[b.at]]
		dv, turn := m.v.Sub(b.v), s.momentumOf(b.at).Sub(b.turn)
		spun := wt.spun(turn)
		t.none += float64(0.5*b.v.Len2())/wt.invMass + float64(0.5*b.turn.Dot(wt.spun(b.turn)))
		t.double += b.v.Dot(dv)/wt.invMass + spun.Dot(b.turn)
		t.square += float64(0.5*dv.Len2())/wt.invMass + float64(0.5*spun.Dot(turn))
	}
	for i := range s.joints {
		r := &s.joints[i]
		if root := max(s.thriftOf[r.a], s.thriftOf[r.b]); root >= 0 && r.kind != Ball {
			s.thrifts[root].given += float64(0.5 * (r.jDamp + r.jDrive + r.drive.push) * (r.began + s.speed(r)))
		}
	}
	wasted := false
	for i := range s.thriftBodies {
		if at := s.thriftBodies[i].at; s.thriftOf[at] == at {
			s.thrifts[at].share()
			wasted = wasted || s.thrifts[at].part < 1
		}
	}
	return wasted
}

// passThrift is a pass over what pushes bodies that have more than they had.
func (s *solver) passThrift() {
	for i := range s.joints {
		if r := &s.joints[i]; r.knot <= 0 && !r.tied && min(s.partOf(r.a), s.partOf(r.b)) < 1 {
			s.solveSkew(r, rigid())
			s.solveApart(r, rigid())
		}
	}
	for i := range s.batches {
		b := &s.batches[i]
		for lane := range width {
			if min(s.partOf(b.a[lane]), s.partOf(b.b[lane])) < 1 {
				s.solveLane(b, lane, &s.relaxing)
			}
		}
	}
	for i := range s.limbPatches {
		if p := &s.limbPatches[i]; min(s.partOf(p.a.moving), s.partOf(p.b.moving)) < 1 {
			s.solveLimbPatch(p, false, 0)
		}
	}
}

// share finds the part of its impulses with which a thrift has no more than it had, or else the least.
func (t *thrift) share() {
	most := t.had + t.given
	if t.none+t.double+t.square <= float64((1+thriftSlack)*most) {
		return
	}
	t.part = 0
	if t.square > 0 {
		t.part = max(0, min(1, -t.double/float64(2*t.square)))
	}
	if least := t.none + float64(t.part*(t.double+float64(t.part*t.square))); least < most {
		t.part = min(1, t.part+math.Sqrt((most-least)/t.square))
	}
}

// partWithin is the largest part x of 1 for which square·x² + double·x is not above room.
func partWithin(square, double, room float64) float64 {
	if square == 0 || square+double <= room {
		return 1
	}
	room = max(0, room)
	root := math.Sqrt(float64(double*double) + float64(4*square*room))
	if double > 0 {
		return min(1, float64(2*room)/(double+root))
	}
	return min(1, (root-double)/float64(2*square))
}

// takeBack leaves of all impulses of a thrift the part that it may have.
func (s *solver) takeBack() {
	for i := range s.thriftBodies {
		b := &s.thriftBodies[i]
		m, part := &s.moving[b.at], s.partOf(b.at)
		if part == 1 {
			continue
		}
		turn := s.momentumOf(b.at)
		m.v, m.w = m.v.AddScaled(part-1, m.v.Sub(b.v)), s.weight[b.at].spun(turn.AddScaled(part-1, turn.Sub(b.turn)))
	}
	for i := range s.joints {
		s.joints[i].lessen(min(s.partOf(s.joints[i].a), s.partOf(s.joints[i].b)))
	}
	for i := range s.frees {
		f := &s.frees[i]
		part := min(s.partOf(s.joints[f.joint].a), s.partOf(s.joints[f.joint].b))
		f.damp, f.stick = f.damp.Scale(part), f.stick.Scale(part)
	}
	for i := range s.limbPatches {
		p := &s.limbPatches[i]
		part := min(s.partOf(p.a.moving), s.partOf(p.b.moving))
		rows := s.allRows(p)
		for k := range rows {
			rows[k].j = float64(part * rows[k].j)
		}
	}
	for i := range s.batches {
		b := &s.batches[i]
		for lane := range width {
			part := min(s.partOf(b.a[lane]), s.partOf(b.b[lane]))
			b.j1[lane], b.j2[lane], b.spin[lane] = float64(part*b.j1[lane]), float64(part*b.j2[lane]), float64(part*b.spin[lane])
			for k := b.first; k < b.first+b.n; k++ {
				s.rows[k].j[lane] = float64(part * s.rows[k].j[lane])
			}
		}
	}
	for i := range s.rolls {
		r := &s.rolls[i]
		b := &s.batches[r.batch]
		r.j = r.j.Scale(min(s.partOf(b.a[r.lane]), s.partOf(b.b[r.lane])))
	}
}

// partOf is the part of the impulses on a body that is left.
func (s *solver) partOf(at int32) float64 {
	if root := s.thriftOf[at]; root >= 0 {
		return s.thrifts[root].part
	}
	return 1
}

// lessen leaves a part of what a joint pushes.
func (r *jointRow) lessen(part float64) {
	if part == 1 {
		return
	}
	r.lin, r.ang = r.lin.Scale(part), r.ang.Scale(part)
	for _, j := range [...]*float64{&r.jDrive, &r.jDamp, &r.jStick, &r.jLower, &r.jUpper, &r.jBrake} {
		*j = float64(*j * part)
	}
}
