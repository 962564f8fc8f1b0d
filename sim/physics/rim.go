package physics

import (
	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// rim is a patch on which something round turns whose centre of mass is not where it is round about: a disc on its rim, an
// eccentric wheel. Its point of contact wanders: it goes with the body as far as what it is round about does, and not as far
// as it rolls. If the point stayed for a whole step where it was at the beginning, the ground would push at an arm of a
// substep long past, ahead of the body on its way up and behind it on its way down: a disc that rocks would gain energy
// with every swing. So these few points are moved along with each substep. Links of
// trees and of knots are left out: what holds them all at once goes by the arms of the whole step.
type rim struct {
	batch, lane int32
	body        int32 // in moving
	side        bool  // the body is B
	rot         r3.Quat
	normal, out r3.Vec // out of what is round
	n           int
	thick       float64 // its radius as a part of how far from the centre of mass it is, up to 1
	points      [pointsMax]rimPoint
}

// rimPoint is one of its points when the step began.
type rimPoint struct {
	arm    r3.Vec  // of the body
	base   r3.Vec  // the part of it that turns with the body
	axis   r3.Vec  // of a cylinder's rim; zero: none
	radius float64 // m, of that
	gap    float64
	counts bool // for the middle
}

const (
	// rimOff is from which part of its radius on a centre of mass is off.
	rimOff = 0.01
	// rimTilt is from which sine on, of its axis against the ground, something long stands on one rim, and rimFlat up to which
	// cosine that rim has a lowest point.
	rimTilt, rimFlat = 0.05, 0.02
	// rimNear is within which part of its radius the lowest point of a rim must be a point of contact.
	rimNear = 0.05
	// rimAhead is for which part of a substep points are taken ahead of where they are when it begins. With none, what rolls
	// on rims keeps its energy to a part in ten thousand a second, some of it on the wrong side; in the middle it would lose
	// visibly.
	rimAhead = 0.05
	// rimTurn is how far, in radians, a body may have turned within a step for its points to be moved: what turns more hits
	// more than it rolls, and the impulses of the substep before would throw it from new arms; the more so if it is thin.
	rimTurn = 0.035
)

// rimOf is the rim of a manifold, where it has one whose points wander in this step; false: it has none.
func (w *World) rimOf(c *contact, h *hold, m *manifold) (rim, bool) {
	s := &w.solver
	a, b := s.index[c.bodyA], s.index[c.bodyB]
	switch {
	case w.bodies[c.bodyA].kind == Dynamic && b == 0:
		return w.rimOn(m, h, c.a, a, false)
	case w.bodies[c.bodyB].kind == Dynamic && a == 0:
		return w.rimOn(m, h, c.b, b, true)
	}
	return rim{}, false
}

// rimOn is the rim of a geom of a body in moving, which is that of side B or not.
func (w *World) rimOn(m *manifold, h *hold, geom, body int32, side bool) (rim, bool) {
	slot := w.solver.slots[body]
	g, p := &w.geoms[geom], &w.placed[geom].pose
	out := m.normal
	if side {
		out = out.Neg()
	}
	off, axis := p.Pos.Sub(w.motion[slot].com), p.Rot.Rotate(r3.Vec{Z: 1})
	if !g.wanders(off, axis, out) {
		return rim{}, false
	}
	e, ok := rim{body: body, side: side, rot: w.motion[slot].rot, normal: m.normal, out: out, n: int(m.n), thick: 1}, false
	for k := range m.n {
		arm := m.points[k].arm
		if side {
			arm = m.points[k].armB(h, m)
		}
		var round bool
		if e.points[k], round = g.rimPoint(arm, off, axis, out); round {
			ok = true
		}
		e.points[k].gap = m.points[k].gap
		e.thick = min(e.thick, g.half.X/arm.Len())
	}
	m.count(&e)
	return e, ok
}

// wanders reports that points on a geom may, whose middle is off the centre of mass and whose axis lies so.
func (g *geom) wanders(off, axis, out r3.Vec) bool {
	tilt := 0.0
	switch g.kind {
	case shape.KindCapsule, shape.KindCylinder:
		off, tilt = off.AddScaled(-off.Dot(axis), axis), axis.Dot(out)
	case shape.KindSphere:
	default:
		return false
	}
	return off.Len2() >= float64(rimOff*rimOff*g.half.X*g.half.X) || float64(tilt*tilt) >= rimTilt*rimTilt
}

// noteRim notes the rim of a lane.
func (d *desk) noteRim(w *World, at int32, lane int, c *contact, h *hold, m *manifold) {
	if e, ok := w.rimOf(c, h, m); ok {
		e.batch, e.lane = at, int32(lane)
		d.rims = append(d.rims, e)
	}
}

// count marks the points that make the middle of a patch, as manifold.middle does.
func (m *manifold) count(e *rim) {
	n := 0
	for pass := 0; pass < 2 && n == 0; pass++ {
		for k := range m.n {
			if pass == 1 || m.points[k].gap < touch {
				e.points[k].counts = true
				n++
			}
		}
	}
}

// rimPoint is how a point at the end of an arm wanders, of a geom whose middle is off the centre of mass; false: it does not.
func (g *geom) rimPoint(arm, off, axis, out r3.Vec) (rimPoint, bool) {
	stays := rimPoint{arm: arm, base: arm}
	end := off
	if g.kind != shape.KindSphere {
		along := arm.Sub(off).Dot(axis)
		if along < 0 {
			end = off.AddScaled(-g.half.Z, axis)
		} else {
			end = off.AddScaled(g.half.Z, axis)
		}
	}
	near := float64(rimNear * rimNear * g.half.X * g.half.X)
	if g.kind != shape.KindCylinder {
		if arm.Sub(end.AddScaled(g.half.X, out)).Len2() > near {
			return stays, false
		}
		return rimPoint{arm: arm, base: end}, true
	}
	down := out.AddScaled(-out.Dot(axis), axis)
	u, ok := down.Unit()
	if !ok || down.Len2() < rimFlat*rimFlat || arm.Sub(end.AddScaled(g.half.X, u)).Len2() > near {
		return stays, false
	}
	return rimPoint{arm: arm, base: arm.AddScaled(-g.half.X, u), axis: axis, radius: g.half.X}, true
}

// at is the arm when the body has turned by q.
func (p *rimPoint) at(q r3.Quat, out r3.Vec) r3.Vec {
	base := q.Rotate(p.base)
	if p.radius == 0 {
		return base.Add(p.arm.Sub(p.base))
	}
	axis := q.Rotate(p.axis)
	u, ok := out.AddScaled(-out.Dot(axis), axis).Unit()
	if !ok {
		return q.Rotate(p.arm)
	}
	return base.AddScaled(p.radius, u)
}

// turned is by how much the body has turned since the step began, and a little ahead of that.
func (s *solver) turnedBy(e *rim) (now, then r3.Quat) {
	m := &s.moving[e.body]
	if now = r3.Identity().Turn(m.da); s.traits[e.body].exact {
		now = s.rots[e.body].Mul(e.rot.Conj())
	}
	return now, now.Turn(m.w.Scale(float64(rimAhead * s.h)))
}

// rollRims moves the points of rims to where they are when a substep begins.
func (s *solver) rollRims() {
	for i := range s.rims {
		if e := &s.rims[i]; s.steady(e) {
			s.rollRim(e)
		}
	}
}

// steady reports that a body turns so little that impulses of the substep before are still right at the new arms.
func (s *solver) steady(e *rim) bool {
	m := &s.moving[e.body]
	most := float64(rimTurn * e.thick)
	most = float64(most * most)
	return float64(m.w.Len2()*float64(s.h*s.h)) < most && m.da.Len2() < most
}

// gapOf is what the gap of a point was when the step began, seen from an arm with the moment r, so that with what has moved
// since it comes out as it is now.
func (s *solver) gapOf(e *rim, p *rimPoint, now r3.Quat, r r3.Vec) float64 {
	arm := p.at(now, e.out)
	way, turned := e.normal.Dot(arm.Sub(p.arm)), r.Dot(s.moving[e.body].da)
	if e.side {
		return p.gap + way - turned
	}
	return p.gap - way + turned
}

func (s *solver) rollRim(e *rim) {
	b, lane := &s.batches[e.batch], int(e.lane)
	now, then := s.turnedBy(e)
	wa, wb := &s.weight[b.a[lane]], &s.weight[b.b[lane]]
	n, load, middle := 0.0, 0.0, r3.Vec{}
	for k := range e.n {
		r, p := &s.rows[int(b.first)+k], &e.points[k]
		arm := p.at(then, e.out)
		load += r.j[lane]
		if p.counts {
			n, middle = n+1, middle.Add(arm)
		}
		ra, rb := r.ra.at(lane), r.rb.at(lane)
		if e.side {
			rb = arm.Cross(e.normal)
			r.rb.set(lane, rb)
			r.gap.set(lane, s.gapOf(e, p, now, r.rb.at(lane)))
		} else {
			ra = arm.Cross(e.normal)
			r.ra.set(lane, ra)
			r.gap.set(lane, s.gapOf(e, p, now, r.ra.at(lane)))
		}
		r.weigh(lane, ra, rb, wa, wb)
	}
	armA, armB := b.armA.at(lane), b.armB.at(lane)
	if e.side {
		armB = middle.Scale(1 / n)
		b.armB.set(lane, armB)
	} else {
		armA = middle.Scale(1 / n)
		b.armA.set(lane, armA)
	}
	b.weighSpin(lane, wa, wb)
	b.weighFriction(lane, armA, armB, b.t1.at(lane), b.t2.at(lane), wa, wb)
	b.slide(lane, b.j1[lane], b.j2[lane], load)
	if b.slips&(1<<lane) != 0 {
		b.k11[lane], b.k12[lane], b.k22[lane] = 0, 0, 0
	}
}
