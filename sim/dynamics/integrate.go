package dynamics

import (
	"math"

	"simdeck/sim/r3"
)

// maxTurn is the most, rad, that a free body turns in a substep.
const maxTurn = 0.5 * math.Pi

// integrateVelocities applies forces and damping to the bodies from first to end.
func (s *solver) integrateVelocities(first, end int32) {
	fastest := float64(maxTurn * s.invH)
	for i := first; i < end; i++ {
		m, wt, p := &s.states[i], &s.masses[i], &s.forces[i]
		m.v = m.v.AddScaled(s.h, p.linear).Scale(wt.linearDamping)
		m.w = clampLength(m.w.AddScaled(s.h, p.angular).Scale(wt.angularDamping), fastest)
	}
}

// integratePositions moves the bodies from first to end by their velocities through one substep.
func (s *solverBodies) integratePositions(bodies *bodySet, h float64, first, end int32) {
	for i := first; i < end; i++ {
		m := &s.states[i]
		m.deltaPosition = m.deltaPosition.AddScaled(h, m.v)
		m.deltaRotation = m.deltaRotation.AddScaled(h, m.w)
		if s.flags[i].tracksRotation {
			s.integrateRotation(bodies, h, i)
		}
	}
}

// integrateRotation rotates a body through a substep. An anisotropic body keeps its angular momentum, not its
// angular velocity.
func (s *solverBodies) integrateRotation(bodies *bodySet, h float64, i int32) {
	m, rot, wt, in := &s.states[i], &s.rotations[i], &s.masses[i], &bodies.massProps[s.slots[i]]
	switch {
	case !s.flags[i].gyroscopic:
		*rot = rot.Turn(m.w.Scale(h))
		if wt.invMass == 0 {
			return
		}
	default:
		momentum := rot.Rotate(in.inertia.Apply(rot.RotateBack(m.w)))
		if m.w.Cross(momentum).Len2()*h*h <= 1e-12*momentum.Len2() { // about a principal axis
			*rot = rot.Turn(m.w.Scale(h))
			break
		}
		*rot = in.splitRotation(*rot, momentum, h)
		m.w = rot.Rotate(in.invInertia.Apply(rot.RotateBack(momentum)))
	}
	wt.invInertia = in.invInertia.TurnedSymmetric(*rot)
}

// maxSplittingSteps bounds the parts of a substep in splitRotation.
const maxSplittingSteps = 8

// splitRotation is the orientation of a free body after h seconds at constant angular momentum. The
// Hamiltonian is that of a sphere with the middle principal moment plus two corrections about one axis each.
// Each part is a rotation about a constant axis, and the first commutes with the others. Energy is exact with
// two equal moments, else bounded (Dullweber, Leimkuhler and McLachlan, Symplectic splitting methods for
// rigid body molecular dynamics, 1997).
func (in *massProperties) splitRotation(rot r3.Quat, momentum r3.Vec, h float64) r3.Quat {
	first, middle, last := in.momentOrder()
	moment := in.principalMoments.At(middle)
	k, l := 1/in.principalMoments.At(first)-1/moment, 1/in.principalMoments.At(last)-1/moment
	if math.Abs(k) < math.Abs(l) {
		first, last, k, l = last, first, l, k
	}
	q := rot.Mul(in.principalAxes)
	most := float64(momentum.Len() * h)
	n := 1.0
	if l != 0 {
		n = max(1, min(maxSplittingSteps, math.Ceil(float64(2*most*math.Sqrt(math.Abs(float64(k*l)))))))
	}
	for range int(n) {
		q = rotateAboutPrincipalAxis(q, momentum, last, float64(0.5*l*h)/n)
		q = rotateAboutPrincipalAxis(q, momentum, first, float64(k*h)/n)
		q = rotateAboutPrincipalAxis(q, momentum, last, float64(0.5*l*h)/n)
	}
	return q.Mul(in.principalAxes.Conj()).Turn(momentum.Scale(h / moment))
}

// momentOrder is the axes of the smallest, middle and largest principal moment.
func (in *massProperties) momentOrder() (first, middle, last int) {
	first, middle, last = 0, 1, 2
	if in.principalMoments.X > in.principalMoments.Y {
		first, middle = 1, 0
	}
	if z := in.principalMoments.Z; z < in.principalMoments.At(first) {
		return 2, first, middle
	} else if z < in.principalMoments.At(middle) {
		return first, 2, middle
	}
	return first, middle, last
}

// rotateAboutPrincipalAxis rotates about a principal axis by each times the momentum about it.
func rotateAboutPrincipalAxis(q r3.Quat, momentum r3.Vec, axis int, each float64) r3.Quat {
	if each == 0 {
		return q
	}
	about := q.Rotate(r3.Vec{}.With(axis, 1))
	return q.Turn(about.Scale(float64(each * about.Dot(momentum))))
}

// finishBodies writes the result of the step back to the bodies from first to end, but links of
// articulations, and lets their geoms follow. A body whose velocity is not finite stays where it was, at
// rest, and is the lostBody.
func (c *sweeper) finishBodies(d *workerScratch, first, end int32) {
	s, bodies := c.solver, c.bodies
	for i := first; i < end; i++ {
		slot := s.slots[i]
		if !bodies.isAwake(slot) || bodies.all[slot].articulation != 0 {
			continue
		}
		m, mv := &bodies.motion[slot], &s.states[i]
		b, in := &bodies.all[slot], &bodies.massProps[slot]
		b.velocityBefore.Linear, b.velocityBefore.Angular = m.v, m.w
		b.force, b.torque = r3.Vec{}, r3.Vec{}
		if !mv.v.IsFinite() || !mv.w.IsFinite() || !mv.deltaPosition.IsFinite() || mv.v.Len2() > 1e12 {
			m.v, m.w, d.lostBody = r3.Vec{}, r3.Vec{}, slot
			continue
		}
		c.addFast(d, slot, mv.deltaPosition, mv.deltaRotation)
		was := m.rot
		m.com = m.com.Add(mv.deltaPosition)
		m.v, m.w = mv.v, mv.w
		if s.flags[i].tracksRotation {
			m.rot = s.rotations[i]
		} else {
			m.rot = m.rot.Turn(mv.deltaRotation)
		}
		bodies.accumulateMotion(c.time.dt, slot, mv.deltaPosition.Len(), rotationBetween(was, m.rot).Len(),
			mv.v.Len())
		m.origin = m.com
		if in.com != (r3.Vec{}) {
			m.origin = m.com.Sub(m.rot.Rotate(in.com))
		}
		d.escaped = c.geoms.follow(bodies, c.time, slot, false, d.escaped)
	}
}

// finishArticulations writes the step's result to bodies and joints. An articulation with non-finite values
// is restored to its poses at the step's start, at rest.
func (c *sweeper) finishArticulations(d *workerScratch, articulations []int32) {
	s := c.solver
	for _, i := range articulations {
		art := &c.articulations[i]
		if !art.Finite() {
			d.lostBody = art.links[0].body
			art.RestoreStart()
		}
		carried := art.EndStep(s.h)
		for k := range art.links {
			b, m := &c.bodies.all[art.links[k].body], &c.bodies.motion[art.links[k].body]
			b.velocityBefore.Linear, b.velocityBefore.Angular = m.v, m.w
			b.force, b.torque = r3.Vec{}, r3.Vec{}
		}
		if carried {
			art.setLoads(c.bodies, c.cfg.Gravity) // weight alone is left
		}
		c.publishFastLinks(d, art)
		art.storeJointState(c.joints, s.invH)
		art.storeLoopState(c.bodies, c.joints, s.invH)
	}
}
