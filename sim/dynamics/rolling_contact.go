package dynamics

import (
	"simdeck/sim/dynamics/collide"
	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// rollingContact is a patch on which something round turns whose centre of mass is not where it is round about: a disc on its rim, an
// eccentric wheel. Its point of contact wanders: it goes with the body as far as what it is round about does, and not as far
// as it rolls. If the point stayed for a whole step where it was at the beginning, the ground would push at an arm of a
// substep long past, ahead of the body on its way up and behind it on its way down: a disc that rocks would gain energy
// with every swing. So these few points are moved along with each substep (rolling_integrate.go). Links of trees and of knots are left
// out: what holds them all at once goes by the arms of the whole step.
type rollingContact struct {
	batch, lane     int32
	body            int32 // in moving
	side            bool  // the body is B
	rot             r3.Quat
	rotation        r3.Quat // since then, when the substep began
	normal, outward r3.Vec  // out of what is round
	n               int
	points          [maxManifoldPoints]rollingPoint
	impacting       bool
	kicked          bool   // gyre is in the velocity of the body
	gyroscopicKick  r3.Vec // rad/s
}

// rollingPoint is one of its points when the step began.
type rollingPoint struct {
	arm      r3.Vec  // of the body
	bodyPart r3.Vec  // the part of it that turns with the body
	axis     r3.Vec  // of a cylinder's rim; zero: none
	radius   float64 // m, of that
	gap      float64
	inCenter bool // for the middle
}

const (
	// minEccentricity is from which part of its radius on a centre of mass is off.
	minEccentricity = 0.01
	// minTilt is from which sine on, of its axis against the ground, something long stands on one rim, and minEdgeSlope up to which
	// cosine that rim has a lowest point.
	minTilt, minEdgeSlope = 0.05, collide.MinRimTilt
	// rollingPointTolerance is within which part of its radius the lowest point of a rim must be a point of contact.
	rollingPointTolerance = 0.05
)

// rollingContactOf is the rim of a manifold, where it has one whose points wander in this step; false: it has none.
func (w *World) rollingContactOf(c *contact, h *manifoldPose, m *manifold) (rollingContact, bool) {
	s := &w.solver
	a, b := s.index[c.bodyA], s.index[c.bodyB]
	switch {
	case w.bodies[c.bodyA].kind == Dynamic && b == 0:
		return w.rollingContactOn(m, h, c.a, a, false)
	case w.bodies[c.bodyB].kind == Dynamic && a == 0:
		return w.rollingContactOn(m, h, c.b, b, true)
	}
	return rollingContact{}, false
}

// rollingContactOn is the rim of a geom of a body in moving, which is that of side B or not.
func (w *World) rollingContactOn(m *manifold, h *manifoldPose, geom, body int32, side bool) (rollingContact, bool) {
	slot := w.solver.slots[body]
	g, p := &w.geoms[geom], &w.placements[geom].Pose
	out := m.normal
	if side {
		out = out.Neg()
	}
	off, axis := p.Pos.Sub(w.motion[slot].com), p.Rot.Rotate(r3.Vec{Z: 1})
	if !g.hasMovingContactPoint(off, axis, out) {
		return rollingContact{}, false
	}
	e, ok := rollingContact{body: body, side: side, rot: w.motion[slot].rot, normal: m.normal, outward: out, n: int(m.n)}, false
	for k := range m.n {
		arm := m.points[k].arm
		if side {
			arm = m.points[k].armB(h, m)
		}
		var round bool
		if e.points[k], round = g.rollingPoint(arm, off, axis, out); round {
			ok = true
		}
		e.points[k].gap = m.points[k].gap
	}
	m.markCenterPoints(&e)
	return e, ok
}

// hasMovingContactPoint reports that points on a geom may, whose middle is off the centre of mass and whose axis lies so.
func (g *geom) hasMovingContactPoint(off, axis, out r3.Vec) bool {
	tilt := 0.0
	switch g.Kind {
	case shape.KindCapsule, shape.KindCylinder:
		off, tilt = off.AddScaled(-off.Dot(axis), axis), axis.Dot(out)
	case shape.KindSphere:
	default:
		return false
	}
	return off.Len2() >= float64(minEccentricity*minEccentricity*g.Half.X*g.Half.X) || float64(tilt*tilt) >= minTilt*minTilt
}

// addRollingContact notes the rim of a lane.
func (d *workerScratch) addRollingContact(w *World, at int32, lane int, c *contact, h *manifoldPose, m *manifold) {
	if c.hasFaces && !w.isFreshManifold(c, h) {
		return
	}
	e, ok := w.rollingContactOf(c, h, m)
	if !ok {
		return
	}
	e.batch, e.lane = at, int32(lane)
	if n := len(d.reweighted) - 1; n >= 0 && d.reweighted[n].batch == at && d.reweighted[n].lane == int32(lane) {
		e.impacting = d.reweighted[n].noWarmStart
		d.reweighted[n].rolling = !e.impacting && len(w.bodies[c.bodyA].joints)+len(w.bodies[c.bodyB].joints) == 0
	}
	d.rollingContacts = append(d.rollingContacts, e)
}

// isFreshManifold reports that the manifolds of a contact are those of where its bodies are.
func (w *World) isFreshManifold(c *contact, h *manifoldPose) bool {
	a, b := &w.motion[c.bodyA], &w.motion[c.bodyB]
	return h.turnA == a.rot && h.turnB == b.rot && h.separation == b.com.Sub(a.com)
}

// markCenterPoints marks the points that make the middle of a patch, as manifold.middle does.
func (m *manifold) markCenterPoints(e *rollingContact) {
	n := 0
	for pass := 0; pass < 2 && n == 0; pass++ {
		for k := range m.n {
			if pass == 1 || m.points[k].gap < touchDistance {
				e.points[k].inCenter = true
				n++
			}
		}
	}
}

// rollingPoint is how a point at the end of an arm wanders, of a geom whose middle is off the centre of mass; false: it does not.
func (g *geom) rollingPoint(arm, off, axis, out r3.Vec) (rollingPoint, bool) {
	stays := rollingPoint{arm: arm, bodyPart: arm}
	end := off
	if g.Kind != shape.KindSphere {
		along := arm.Sub(off).Dot(axis)
		if along < 0 {
			end = off.AddScaled(-g.Half.Z, axis)
		} else {
			end = off.AddScaled(g.Half.Z, axis)
		}
	}
	near := float64(rollingPointTolerance * rollingPointTolerance * g.Half.X * g.Half.X)
	if g.Kind != shape.KindCylinder {
		if arm.Sub(end.AddScaled(g.Half.X, out)).Len2() > near {
			return stays, false
		}
		return rollingPoint{arm: arm, bodyPart: end}, true
	}
	down := out.AddScaled(-out.Dot(axis), axis)
	u, ok := down.Unit()
	if !ok || down.Len2() < minEdgeSlope*minEdgeSlope || arm.Sub(end.AddScaled(g.Half.X, u)).Len2() > near {
		return stays, false
	}
	return rollingPoint{arm: arm, bodyPart: arm.AddScaled(-g.Half.X, u), axis: axis, radius: g.Half.X}, true
}

// at is the arm when the body has turned by q.
func (p *rollingPoint) at(q r3.Quat, out r3.Vec) r3.Vec {
	base := q.Rotate(p.bodyPart)
	if p.radius == 0 {
		return base.Add(p.arm.Sub(p.bodyPart))
	}
	axis := q.Rotate(p.axis)
	u, ok := out.AddScaled(-out.Dot(axis), axis).Unit()
	if !ok {
		return q.Rotate(p.arm)
	}
	return base.AddScaled(p.radius, u)
}
