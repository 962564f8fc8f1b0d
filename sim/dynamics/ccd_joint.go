package dynamics

import (
	"cmp"
	"math"
	"slices"

	"simdeck/sim/dynamics/linalg"
	"simdeck/sim/r3"
)

// Continuous collision of jointed bodies: they are swept against static and kinematic geoms and stopped
// together. At the first impact of a core the step ends for all bodies connected by joints. Sweeps are screws
// from the pose before the step to that after it, since a body on a hinge moves along an arc. Articulations
// go back in joint coordinates, so that their joints hold. Other joints open by the difference between the
// screws and the true motions; the solver closes them.

// addFastJointed notes the motion of a fast jointed body, which is still at the pose where the step began.
func (bs *bodySet) addFastJointed(d *workerScratch, slot int32, com r3.Vec, rot r3.Quat) {
	m := &bs.motion[slot]
	if bs.all[slot].kind == Dynamic {
		d.fastJointed = append(d.fastJointed, bs.screwSweep(slot, r3.Pose{Pos: m.com, Rot: m.rot}, com,
			rot))
	}
}

// screwSweep is the screw motion of a body's center of mass and axes from one pose to another.
func (bs *bodySet) screwSweep(slot int32, from r3.Pose, com r3.Vec, rot r3.Quat) motionSweep {
	radius := bs.massProps[slot].radius
	sw := motionSweep{slot: slot, com: from.Pos, rot: from.Rot, translation: com.Sub(from.Pos),
		rotation: rot.Mul(from.Rot.Conj()).Vector(), radius: radius, fraction: 1, screwMotion: true}
	sw.turning = float64(sw.rotation.Len() * radius)
	sw.screwVelocity = screwVelocity(sw.translation, sw.rotation)
	return sw
}

// screwMotion is the displacement at fraction t of a point with this initial velocity in a frame that rotates
// by t·da.
func screwMotion(velocity, da r3.Vec, t float64) r3.Vec {
	angle := float64(t * da.Len())
	out := velocity.Scale(t)
	if angle < 1e-6 {
		return out
	}
	sin, cos := r3.SinCos(angle)
	u, _ := da.Unit()
	across := out.Sub(u.Scale(u.Dot(out)))
	return out.AddScaled(sin/angle-1, across).AddScaled((1-cos)/angle, u.Cross(across))
}

// screwVelocity is the initial velocity with which screwMotion arrives at dp for t = 1.
func screwVelocity(dp, da r3.Vec) r3.Vec {
	half := float64(0.5 * da.Len())
	if half < 1e-6 {
		return dp
	}
	sin, cos := r3.SinCos(half)
	u, _ := da.Unit()
	across := dp.Sub(u.Scale(u.Dot(dp)))
	return dp.AddScaled(float64(half*cos)/sin-1, across).AddScaled(-half, u.Cross(across))
}

// arcHeight bounds the height of the screw's arc over its chord, in m.
func (sw *motionSweep) arcHeight() float64 {
	if !sw.screwMotion {
		return 0
	}
	return float64(0.5*sw.translation.Len()) * math.Tan(min(0.25*sw.rotation.Len(), 1))
}

// publishFastLinks is publishArticulation at the end of a step; it notes the motions of fast links.
func (l *worldArticulation) publishFastLinks(w *World) {
	s := &w.solver
	s.startPoses = linalg.Grow(s.startPoses, len(l.links))
	for i := range l.links {
		m := &w.bodies.motion[l.links[i].body]
		s.startPoses[i].Pos, s.startPoses[i].Rot = m.com, m.rot
	}
	l.publish(w, true)
	for i := range l.links {
		slot := l.links[i].body
		in, m := &w.bodies.massProps[slot], &w.bodies.motion[slot]
		if in.halfThickness > 1e9 || w.bodies.all[slot].kind != Dynamic {
			continue
		}
		// π·|vector part| of the quaternion is at least the rotation angle: a quick bound to sort out slow
		// links.
		way := m.com.Dist(s.startPoses[i].Pos)
		q := m.rot.Mul(s.startPoses[i].Rot.Conj())
		turn := float64(math.Pi * math.Sqrt(float64(q.X*q.X)+float64(q.Y*q.Y)+float64(q.Z*q.Z)))
		if way+float64(turn*max(0, in.radius-in.halfThickness)) > float64(fastThreshold*in.halfThickness) {
			s.fastJointed = append(s.fastJointed, w.bodies.screwSweep(slot, s.startPoses[i], m.com, m.rot))
		}
	}
}

// sweepJointed ends the step of bodies connected by joints at the first impact of a core of
// theirs.
func sweepJointed(w *World) {
	s := &w.solver
	w.stats.Swept, w.stats.Stopped = len(s.fastJointed), 0
	if len(s.fastJointed) == 0 {
		return
	}
	c := sweeperOf(w)
	for i := range s.fastJointed {
		c.sweep(&s.fastJointed[i], nil, 0)
	}
	slices.SortFunc(s.fastJointed, func(a, b motionSweep) int {
		return cmp.Or(cmp.Compare(a.fraction, b.fraction), cmp.Compare(a.slot, b.slot))
	})
	s.rewound = linalg.Grow(s.rewound, len(w.bodies.all))
	clear(s.rewound)
	for i := range s.fastJointed {
		if sw := &s.fastJointed[i]; sw.fraction < 1 && !s.rewound[sw.slot] {
			w.stats.Stopped++
			rewindConnected(w, sw.slot, sw.fraction)
		}
	}
	s.fastJointed = s.fastJointed[:0]
}

// rewindConnected moves all bodies connected with one back to a fraction of the step.
func rewindConnected(w *World, slot int32, part float64) {
	s := &w.solver
	s.connected = append(s.connected[:0], slot)
	s.rewound[slot] = true
	add := func(next int32) {
		if next >= 0 && !s.rewound[next] && w.bodies.all[next].kind == Dynamic {
			s.rewound[next] = true
			s.connected = append(s.connected, next)
		}
	}
	for k := 0; k < len(s.connected); k++ {
		b := &w.bodies.all[s.connected[k]]
		for _, j := range b.joints {
			add(w.joints.all[j].parent)
			add(w.joints.all[j].child)
		}
	}
	before := w.bodies.potentialEnergy(w.cfg.Gravity, s.connected)
	c := sweeperOf(w)
	for _, b := range s.connected {
		if w.bodies.all[b].articulation == 0 {
			c.rewind(b, part)
		}
	}
	for _, b := range s.connected {
		if w.bodies.all[b].articulation != 0 && w.bodies.all[b].link == 0 {
			w.rewindArticulation(&w.articulations[w.bodies.all[b].articulation-1], part)
		}
	}
	w.bodies.removeEnergy(w.articulations, s.connected, w.bodies.potentialEnergy(w.cfg.Gravity,
		s.connected)-before)
}

// potentialEnergy is the potential energy of bodies in gravity, in J.
func (bs *bodySet) potentialEnergy(gravity r3.Vec, bodies []int32) float64 {
	sum := 0.0
	for _, b := range bodies {
		if !bs.all[b].noGravity {
			sum -= float64(bs.massProps[b].mass * gravity.Dot(bs.motion[b].com))
		}
	}
	return sum
}

// removeEnergy scales the velocities of connected bodies down by one factor, so that they lose this kinetic
// energy, in J: a body that was moved back up has not fallen.
func (bs *bodySet) removeEnergy(articulations []worldArticulation, bodies []int32, energy float64) {
	if energy <= 0 {
		return
	}
	sum := 0.0
	for _, b := range bodies {
		m, in := &bs.motion[b], &bs.massProps[b]
		spin := m.rot.RotateBack(m.w)
		sum += float64(0.5*in.mass*m.v.Len2()) + float64(0.5*spin.Dot(in.inertia.Apply(spin)))
	}
	part := math.Sqrt(max(0, sum-energy) / max(sum, energy))
	for _, b := range bodies {
		m := &bs.motion[b]
		m.v, m.w = m.v.Scale(part), m.w.Scale(part)
		if bs.all[b].articulation != 0 && bs.all[b].link == 0 {
			l := &articulations[bs.all[b].articulation-1]
			l.ScaleVelocities(part)
		}
	}
}

// rewind moves one body back to a fraction of the step.
func (c *sweeper) rewind(slot int32, part float64) {
	s := c.solver
	i := s.index[slot]
	if i == 0 {
		return
	}
	m, mv := &c.bodies.motion[slot], &s.states[i]
	m.com, m.rot = m.com.AddScaled(part-1, mv.deltaPosition), m.rot.Turn(mv.deltaRotation.Scale(part-1))
	for k := range s.fastJointed {
		if sw := &s.fastJointed[k]; sw.slot == slot {
			m.com, m.rot = sw.com.Add(screwMotion(sw.screwVelocity, sw.rotation, part)),
				sw.rot.Turn(sw.rotation.Scale(part))
		}
	}
	m.origin = m.com.Sub(m.rot.Rotate(c.bodies.massProps[slot].com))
	mv.deltaPosition, mv.deltaRotation = mv.deltaPosition.Scale(part), mv.deltaRotation.Scale(part)
	c.geoms.place(c.bodies, c.time, slot, false)
}

// rewindArticulation moves an articulation back to a fraction of the step, in joint coordinates.
func (w *World) rewindArticulation(l *worldArticulation, part float64) {
	l.Rewind(part, w.solver.h)
	l.publish(w, true)
	l.storeJointState(w)
}
