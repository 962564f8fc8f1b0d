package dynamics

import (
	"cmp"
	"math"
	"slices"

	"simdeck/sim/r3"
)

// Bodies on joints are followed past what stands or is moved, and are stopped together: where the core of one meets
// something, the step ends for all that hang together by joints. They are swept along screws, since what hangs on a
// hinge goes along an arc, from where they were to where the step has put them. Trees in reduced coordinates go back
// by their joints, which stay whole; between others joints part by what the screws differ from the true ways, and
// the solver pulls them together as ever.

// addFastJointed remembers the way of a fast body on joints, which is still where the step began.
func (w *World) addFastJointed(d *workerScratch, slot int32, com r3.Vec, rot r3.Quat) {
	m := &w.motion[slot]
	if w.bodies[slot].kind == Dynamic {
		d.fastJointed = append(d.fastJointed, w.screwSweep(slot, r3.Pose{Pos: m.com, Rot: m.rot}, com, rot))
	}
}

// screwSweep is the way of a body's centre of mass and axes from a pose to another.
func (w *World) screwSweep(slot int32, from r3.Pose, com r3.Vec, rot r3.Quat) motionSweep {
	reach := w.massProps[slot].radius
	sw := motionSweep{slot: slot, com: from.Pos, rot: from.Rot, translation: com.Sub(from.Pos), rotation: rot.Mul(from.Rot.Conj()).Vector(), radius: reach, fraction: 1, screwMotion: true}
	sw.turning = float64(sw.rotation.Len() * reach)
	sw.screwVelocity = screwVelocity(sw.translation, sw.rotation)
	return sw
}

// screwMotion is how far a point has come at a part t of the way if it sets out by reel and what it goes by turns by t·da.
func screwMotion(reel, da r3.Vec, t float64) r3.Vec {
	angle := float64(t * da.Len())
	out := reel.Scale(t)
	if angle < 1e-6 {
		return out
	}
	sin, cos := r3.SinCos(angle)
	u, _ := da.Unit()
	across := out.Sub(u.Scale(u.Dot(out)))
	return out.AddScaled(sin/angle-1, across).AddScaled((1-cos)/angle, u.Cross(across))
}

// screwVelocity is the reel by which a point comes as far as dp in the whole time.
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

// arcHeight is how far, in metres, the way may lie off the straight one: the rise of an arc over its chord.
func (sw *motionSweep) arcHeight() float64 {
	if !sw.screwMotion {
		return 0
	}
	return float64(0.5*sw.translation.Len()) * math.Tan(min(0.25*sw.rotation.Len(), 1))
}

// publishFastLinks is publishArticulation at the end of a step, and remembers the ways of the links that are fast.
func (l *articulation) publishFastLinks(w *World) {
	s := &w.solver
	s.startPoses = resized(s.startPoses, len(l.links))
	for i := range l.links {
		m := &w.motion[l.links[i].body]
		s.startPoses[i].Pos, s.startPoses[i].Rot = m.com, m.rot
	}
	l.publish(w, true)
	for i := range l.links {
		slot := l.links[i].body
		in, m := &w.massProps[slot], &w.motion[slot]
		if in.halfThickness > 1e9 || w.bodies[slot].kind != Dynamic {
			continue
		}
		// The turn since then is 2·|vector part|, but for more than half a turn; this is enough to see who is slow.
		way := m.com.Dist(s.startPoses[i].Pos)
		q := m.rot.Mul(s.startPoses[i].Rot.Conj())
		turn := float64(math.Pi * math.Sqrt(float64(q.X*q.X)+float64(q.Y*q.Y)+float64(q.Z*q.Z)))
		if way+float64(turn*max(0, in.radius-in.halfThickness)) > float64(fastThreshold*in.halfThickness) {
			s.fastJointed = append(s.fastJointed, w.screwSweep(slot, s.startPoses[i], m.com, m.rot))
		}
	}
}

// continuousCollisionJointed ends the step of what hangs together by joints where the first core of it meets something.
func (w *World) continuousCollisionJointed() {
	s := &w.solver
	w.stats.Swept, w.stats.Stopped = len(s.fastJointed), 0
	if len(s.fastJointed) == 0 {
		return
	}
	for i := range s.fastJointed {
		w.sweepBody(&s.fastJointed[i], nil, 0)
	}
	slices.SortFunc(s.fastJointed, func(a, b motionSweep) int {
		return cmp.Or(cmp.Compare(a.fraction, b.fraction), cmp.Compare(a.slot, b.slot))
	})
	s.rewound = resized(s.rewound, len(w.bodies))
	clear(s.rewound)
	for i := range s.fastJointed {
		if sw := &s.fastJointed[i]; sw.fraction < 1 && !s.rewound[sw.slot] {
			w.stats.Stopped++
			w.rewindConnected(sw.slot, sw.fraction)
		}
	}
	s.fastJointed = s.fastJointed[:0]
}

// rewindConnected puts all that hangs together with a body back to a part of the step.
func (w *World) rewindConnected(slot int32, part float64) {
	s := &w.solver
	s.connected = append(s.connected[:0], slot)
	s.rewound[slot] = true
	reach := func(next int32) {
		if next >= 0 && !s.rewound[next] && w.bodies[next].kind == Dynamic {
			s.rewound[next] = true
			s.connected = append(s.connected, next)
		}
	}
	for k := 0; k < len(s.connected); k++ {
		b := &w.bodies[s.connected[k]]
		for _, j := range b.joints {
			reach(w.joints[j].parent)
			reach(w.joints[j].child)
		}
	}
	before := w.potentialEnergy(s.connected)
	for _, b := range s.connected {
		if w.bodies[b].articulation == 0 {
			w.rewindBody(b, part)
		}
	}
	for _, b := range s.connected {
		if w.bodies[b].articulation != 0 && w.bodies[b].link == 0 {
			w.rewindArticulation(&w.articulations[w.bodies[b].articulation-1], part)
		}
	}
	w.removeEnergy(s.connected, w.potentialEnergy(s.connected)-before)
}

// potentialEnergy is the energy, in J, that bodies have by where they are.
func (w *World) potentialEnergy(bodies []int32) float64 {
	sum := 0.0
	for _, b := range bodies {
		if !w.bodies[b].noGravity {
			sum -= float64(w.massProps[b].mass * w.cfg.Gravity.Dot(w.motion[b].com))
		}
	}
	return sum
}

// removeEnergy takes energy from what hangs together by joints, all of whose velocities become smaller by the same part: what
// was put back up has not fallen.
func (w *World) removeEnergy(bodies []int32, energy float64) {
	if energy <= 0 {
		return
	}
	sum := 0.0
	for _, b := range bodies {
		m, in := &w.motion[b], &w.massProps[b]
		spin := m.rot.RotateBack(m.w)
		sum += float64(0.5*in.mass*m.v.Len2()) + float64(0.5*spin.Dot(in.inertia.Apply(spin)))
	}
	part := math.Sqrt(max(0, sum-energy) / max(sum, energy))
	for _, b := range bodies {
		m := &w.motion[b]
		m.v, m.w = m.v.Scale(part), m.w.Scale(part)
		if w.bodies[b].articulation != 0 && w.bodies[b].link == 0 {
			l := &w.articulations[w.bodies[b].articulation-1]
			for d := range l.dofs {
				l.dofs[d].v = float64(part * l.dofs[d].v)
			}
		}
	}
}

// rewindBody puts one body back.
func (w *World) rewindBody(slot int32, part float64) {
	s := &w.solver
	i := s.index[slot]
	if i == 0 {
		return
	}
	m, mv := &w.motion[slot], &s.states[i]
	m.com, m.rot = m.com.AddScaled(part-1, mv.deltaPosition), m.rot.Turn(mv.deltaRotation.Scale(part-1))
	for k := range s.fastJointed {
		if sw := &s.fastJointed[k]; sw.slot == slot {
			m.com, m.rot = sw.com.Add(screwMotion(sw.screwVelocity, sw.rotation, part)), sw.rot.Turn(sw.rotation.Scale(part))
		}
	}
	m.origin = m.com.Sub(m.rot.Rotate(w.massProps[slot].com))
	mv.deltaPosition, mv.deltaRotation = mv.deltaPosition.Scale(part), mv.deltaRotation.Scale(part)
	w.placeGeoms(slot, false)
}

// rewindArticulation puts a tree back.
func (w *World) rewindArticulation(l *articulation, part float64) {
	if l.isFast(w.solver.h, 1) {
		l.computeLinkInertias(w)
		l.saveMomenta(-1)
	}
	for d := range l.dofs {
		f := &l.dofs[d]
		f.q = f.qBefore + float64(part*(f.q-f.qBefore))
	}
	for k := range l.links {
		c := &l.links[k]
		c.rotation = c.rotationBefore.Turn(c.rotation.Mul(c.rotationBefore.Conj()).Vector().Scale(part))
	}
	l.publish(w, true)
	l.storeJointState(w)
}
