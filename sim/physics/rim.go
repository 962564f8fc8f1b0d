package physics

import (
	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// rim is a patch on which something round turns whose centre of mass is not where it is round about: a disc on its rim, an
// eccentric wheel. Its point of contact wanders: it goes with the body as far as what it is round about does, and not as far
// as it rolls. If the point stayed for a whole step where it was at the beginning, the ground would push at an arm of a
// substep long past, ahead of the body on its way up and behind it on its way down: a disc that rocks would gain energy
// with every swing. So these few points are moved along with each substep (roll.go). Links of trees and of knots are left
// out: what holds them all at once goes by the arms of the whole step.
type rim struct {
	batch, lane int32
	body        int32 // in moving
	side        bool  // the body is B
	rot         r3.Quat
	turned      r3.Quat // since then, when the substep began
	normal, out r3.Vec  // out of what is round
	n           int
	points      [pointsMax]rimPoint
	hits        bool
	gyres       bool   // gyre is in the velocity of the body
	gyre        r3.Vec // rad/s
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
	e, ok := rim{body: body, side: side, rot: w.motion[slot].rot, normal: m.normal, out: out, n: int(m.n)}, false
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
	if c.faces && !w.justFound(c, h) {
		return
	}
	e, ok := w.rimOf(c, h, m)
	if !ok {
		return
	}
	e.batch, e.lane = at, int32(lane)
	if n := len(d.swings) - 1; n >= 0 && d.swings[n].batch == at && d.swings[n].lane == int32(lane) {
		e.hits = d.swings[n].cold
		d.swings[n].rolls = !e.hits && len(w.bodies[c.bodyA].joints)+len(w.bodies[c.bodyB].joints) == 0
	}
	d.rims = append(d.rims, e)
}

// justFound reports that the manifolds of a contact are those of where its bodies are.
func (w *World) justFound(c *contact, h *hold) bool {
	a, b := &w.motion[c.bodyA], &w.motion[c.bodyB]
	return h.turnA == a.rot && h.turnB == b.rot && h.apart == b.com.Sub(a.com)
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
