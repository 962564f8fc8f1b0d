package physics

import (
	"math"
	"sort"

	"simdeck/sim/r3"
)

// swinging is a lane with a body that is not round. While it turns, the answer of its inertia to the same impulse
// changes: a rod is light about its length and heavy across. An impulse that was still answered as when the step
// began would give a thin rod that turns fast many times the energy that it takes.
//
// Cold is what is far from rest: where bodies hit each other, whose impulse is one of a kind, or where one has turned
// so far within the step that its points of contact are no longer where they were, unless they follow it (rim.go). To begin with the impulses of the
// substep before, or to push overlaps apart, would throw such bodies: the points of a thin rod depend on each other
// so much that passes over them do not take all of it away again. What begins with nothing and only takes speed
// never gains energy, however far the passes come.
type swinging struct {
	batch, lane int32
	cold        bool
	rolls       bool      // on a rim, whose points follow it: rim.go
	turns       [2]bool   // the bodies that are not round
	began       [2]r3.Mat // inverse inertias when the step began
	weighed     [2]r3.Mat // by which the lane is weighed
}

const (
	// swingPart is by which part of its largest entry another entry of an inverse inertia may have changed before the
	// lane is weighed again, coldPart the same before it is cold.
	swingPart = 0.01
	coldPart  = 0.1
	// hitSpeed is the speed of approach, m/s, from which on two bodies that did not touch hit each other.
	hitSpeed = 0.05
	// coldPasses is how often the points of a cold lane are solved, one after the other.
	coldPasses = 8
)

func (w *World) noteSwing(d *desk, at int32, lane int, c *contact, m *manifold) {
	s := &w.solver
	b := &s.batches[at]
	i, k := b.a[lane], b.b[lane]
	if !s.traits[i].gyro && !s.traits[k].gyro {
		return
	}
	d.swings = append(d.swings, swinging{batch: at, lane: int32(lane), turns: [2]bool{s.traits[i].gyro, s.traits[k].gyro}})
	e := &d.swings[len(d.swings)-1]
	for side, body := range [2]int32{i, k} {
		if e.turns[side] {
			e.began[side] = s.weight[body].inv
			e.weighed[side] = s.weight[body].inv
		}
	}
	// What hangs on joints passes a hit on to others, which the points alone cannot answer for.
	if len(w.bodies[c.bodyA].joints)+len(w.bodies[c.bodyB].joints) == 0 && s.hits(b, lane, m) {
		e.cool(b)
	}
}

// cool makes a lane cold: it no longer pushes overlaps apart.
func (e *swinging) cool(b *batch) {
	e.cold = true
	b.give[e.lane], b.hard[e.lane], b.forget[e.lane] = 0, 1, 0
}

// hits reports that the bodies of a lane meet in a hit.
func (s *solver) hits(b *batch, lane int, m *manifold) bool {
	fastest := 0.0
	x, y := &s.moving[b.a[lane]], &s.moving[b.b[lane]]
	v := m.normal.Dot(y.v.Sub(x.v))
	for k := range m.n {
		r := &s.rows[b.first+k]
		if r.j[lane] > 0 {
			return false
		}
		fastest = min(fastest, v+r.rb.at(lane).Dot(y.w)-r.ra.at(lane).Dot(x.w))
	}
	return fastest < -hitSpeed
}

// solveCold goes on solving the cold lanes of the batches from first to end.
func (s *solver) solveCold(first, end int32, p *pass) {
	if len(s.swings) == 0 {
		return
	}
	at := sort.Search(len(s.swings), func(i int) bool { return s.swings[i].batch >= first })
	for ; at < len(s.swings) && s.swings[at].batch < end; at++ {
		if e := &s.swings[at]; e.cold {
			for range coldPasses - 1 {
				s.solveLane(&s.batches[e.batch], int(e.lane), p)
			}
		}
	}
}

// forgetCold takes the impulses of cold lanes away, so that no substep begins with them.
func (s *solver) forgetCold() {
	for i := range s.swings {
		e := &s.swings[i]
		if !e.cold {
			continue
		}
		b := &s.batches[e.batch]
		b.j1[e.lane], b.j2[e.lane], b.spin[e.lane] = 0, 0, 0
		for k := b.first; k < b.first+b.n; k++ {
			s.rows[k].j[e.lane] = 0
		}
	}
}

// keepCold remembers which manifolds are cold.
func (w *World) keepCold() {
	s := &w.solver
	for i := range s.swings {
		if e := &s.swings[i]; e.cold {
			w.manifolds[s.colouring.tasks[s.lots[e.batch].task[e.lane]].manifold].cold = true
		}
	}
}

// weighSwings weighs the lanes again whose bodies have turned.
func (s *solver) weighSwings() {
	for i := range s.swings {
		e := &s.swings[i]
		b, lane := &s.batches[e.batch], int(e.lane)
		wa, wb := &s.weight[b.a[lane]], &s.weight[b.b[lane]]
		if !e.swung(&e.weighed, wa, wb, swingPart) {
			continue
		}
		if !e.rolls && e.swung(&e.began, wa, wb, coldPart) {
			e.cool(b)
		}
		e.weighed = [2]r3.Mat{wa.inv, wb.inv}
		for k := b.first; k < b.first+b.n; k++ {
			if r := &s.rows[k]; r.mass[lane] > 0 {
				r.weigh(lane, r.ra.at(lane), r.rb.at(lane), wa, wb)
			}
		}
		b.weighSpin(lane, wa, wb)
		b.weighFriction(lane, b.armA.at(lane), b.armB.at(lane), b.t1.at(lane), b.t2.at(lane), wa, wb)
		if b.slips&(1<<lane) != 0 {
			b.k11[lane], b.k12[lane], b.k22[lane] = 0, 0, 0
		}
	}
}

// swung reports it of either body.
func (e *swinging) swung(was *[2]r3.Mat, wa, wb *weight, part float64) bool {
	return e.turns[0] && swung(&was[0], &wa.inv, part) || e.turns[1] && swung(&was[1], &wb.inv, part)
}

// swung reports that an inverse inertia is no longer what it was, by more than a part of its largest entry.
func swung(was, is *r3.Mat, part float64) bool {
	most := float64(part * max(is.XX, is.YY, is.ZZ))
	return math.Abs(is.XX-was.XX) > most || math.Abs(is.YY-was.YY) > most || math.Abs(is.ZZ-was.ZZ) > most ||
		math.Abs(is.XY-was.XY) > most || math.Abs(is.XZ-was.XZ) > most || math.Abs(is.YZ-was.YZ) > most
}
