package physics

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

// noteTied remembers the way of a fast body on joints, which is still where the step began.
func (w *World) noteTied(d *desk, slot int32, com r3.Vec, rot r3.Quat) {
	m := &w.motion[slot]
	if w.bodies[slot].kind == Dynamic {
		d.tied = append(d.tied, w.screwOf(slot, r3.Pose{Pos: m.com, Rot: m.rot}, com, rot))
	}
}

// screwOf is the way of a body's centre of mass and axes from a pose to another.
func (w *World) screwOf(slot int32, from r3.Pose, com r3.Vec, rot r3.Quat) sweep {
	reach := w.inert[slot].reach
	sw := sweep{slot: slot, com: from.Pos, rot: from.Rot, dp: com.Sub(from.Pos), da: rot.Mul(from.Rot.Conj()).Vector(), reach: reach, first: 1, curved: true}
	sw.turning = float64(sw.da.Len() * reach)
	sw.reel = unscrew(sw.dp, sw.da)
	return sw
}

// screw is how far a point has come at a part t of the way if it sets out by reel and what it goes by turns by t·da.
func screw(reel, da r3.Vec, t float64) r3.Vec {
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

// unscrew is the reel by which a point comes as far as dp in the whole time.
func unscrew(dp, da r3.Vec) r3.Vec {
	half := float64(0.5 * da.Len())
	if half < 1e-6 {
		return dp
	}
	sin, cos := r3.SinCos(half)
	u, _ := da.Unit()
	across := dp.Sub(u.Scale(u.Dot(dp)))
	return dp.AddScaled(float64(half*cos)/sin-1, across).AddScaled(-half, u.Cross(across))
}

// sag is how far, in metres, the way may lie off the straight one: the rise of an arc over its chord.
func (sw *sweep) sag() float64 {
	if !sw.curved {
		return 0
	}
	return float64(0.5*sw.dp.Len()) * math.Tan(min(0.25*sw.da.Len(), 1))
}

// placeSwept is placeLimb at the end of a step, and remembers the ways of the links that are fast.
func (w *World) placeSwept(l *limb) {
	s := &w.solver
	s.began = resized(s.began, len(l.links))
	for i := range l.links {
		m := &w.motion[l.links[i].body]
		s.began[i].Pos, s.began[i].Rot = m.com, m.rot
	}
	w.placeLimb(l, true)
	for i := range l.links {
		slot := l.links[i].body
		in, m := &w.inert[slot], &w.motion[slot]
		if in.thin > 1e9 || w.bodies[slot].kind != Dynamic {
			continue
		}
		// The turn since then is 2·|vector part|, but for more than half a turn; this is enough to see who is slow.
		way := m.com.Dist(s.began[i].Pos)
		q := m.rot.Mul(s.began[i].Rot.Conj())
		turn := float64(math.Pi * math.Sqrt(float64(q.X*q.X)+float64(q.Y*q.Y)+float64(q.Z*q.Z)))
		if way+float64(turn*max(0, in.reach-in.thin)) > float64(fastPart*in.thin) {
			s.tied = append(s.tied, w.screwOf(slot, s.began[i], m.com, m.rot))
		}
	}
}

// followTied ends the step of what hangs together by joints where the first core of it meets something.
func (w *World) followTied() {
	s := &w.solver
	w.stats.Swept, w.stats.Stopped = len(s.tied), 0
	if len(s.tied) == 0 {
		return
	}
	for i := range s.tied {
		w.sweepBody(&s.tied[i], nil, 0)
	}
	slices.SortFunc(s.tied, func(a, b sweep) int { return cmp.Or(cmp.Compare(a.first, b.first), cmp.Compare(a.slot, b.slot)) })
	s.pulled = resized(s.pulled, len(w.bodies))
	clear(s.pulled)
	for i := range s.tied {
		if sw := &s.tied[i]; sw.first < 1 && !s.pulled[sw.slot] {
			w.stats.Stopped++
			w.pullBack(sw.slot, sw.first)
		}
	}
	s.tied = s.tied[:0]
}

// pullBack puts all that hangs together with a body back to a part of the step.
func (w *World) pullBack(slot int32, part float64) {
	s := &w.solver
	s.group = append(s.group[:0], slot)
	s.pulled[slot] = true
	reach := func(next int32) {
		if next >= 0 && !s.pulled[next] && w.bodies[next].kind == Dynamic {
			s.pulled[next] = true
			s.group = append(s.group, next)
		}
	}
	for k := 0; k < len(s.group); k++ {
		b := &w.bodies[s.group[k]]
		for _, j := range b.joints {
			reach(w.joints[j].parent)
			reach(w.joints[j].child)
		}
	}
	before := w.height(s.group)
	for _, b := range s.group {
		if w.bodies[b].limb == 0 {
			w.pullBody(b, part)
		}
	}
	for _, b := range s.group {
		if w.bodies[b].limb != 0 && w.bodies[b].link == 0 {
			w.pullLimb(&w.limbs[w.bodies[b].limb-1], part)
		}
	}
	w.slow(s.group, w.height(s.group)-before)
}

// height is the energy, in J, that bodies have by where they are.
func (w *World) height(bodies []int32) float64 {
	sum := 0.0
	for _, b := range bodies {
		if !w.bodies[b].noGravity {
			sum -= float64(w.inert[b].mass * w.cfg.Gravity.Dot(w.motion[b].com))
		}
	}
	return sum
}

// slow takes energy from what hangs together by joints, all of whose velocities become smaller by the same part: what
// was put back up has not fallen.
func (w *World) slow(bodies []int32, energy float64) {
	if energy <= 0 {
		return
	}
	sum := 0.0
	for _, b := range bodies {
		m, in := &w.motion[b], &w.inert[b]
		spin := m.rot.RotateBack(m.w)
		sum += float64(0.5*in.mass*m.v.Len2()) + float64(0.5*spin.Dot(in.inertia.Apply(spin)))
	}
	part := math.Sqrt(max(0, sum-energy) / max(sum, energy))
	for _, b := range bodies {
		m := &w.motion[b]
		m.v, m.w = m.v.Scale(part), m.w.Scale(part)
		if w.bodies[b].limb != 0 && w.bodies[b].link == 0 {
			l := &w.limbs[w.bodies[b].limb-1]
			for d := range l.dofs {
				l.dofs[d].v = float64(part * l.dofs[d].v)
			}
		}
	}
}

// pullBody puts one body back.
func (w *World) pullBody(slot int32, part float64) {
	s := &w.solver
	i := s.index[slot]
	if i == 0 {
		return
	}
	m, mv := &w.motion[slot], &s.moving[i]
	m.com, m.rot = m.com.AddScaled(part-1, mv.dp), m.rot.Turn(mv.da.Scale(part-1))
	for k := range s.tied {
		if sw := &s.tied[k]; sw.slot == slot {
			m.com, m.rot = sw.com.Add(screw(sw.reel, sw.da, part)), sw.rot.Turn(sw.da.Scale(part))
		}
	}
	m.origin = m.com.Sub(m.rot.Rotate(w.inert[slot].com))
	mv.dp, mv.da = mv.dp.Scale(part), mv.da.Scale(part)
	w.placeGeoms(slot, false)
}

// pullLimb puts a tree back.
func (w *World) pullLimb(l *limb, part float64) {
	if l.isSwift(w.solver.h, 1) {
		w.weighLinks(l)
		l.takeAlong(-1)
	}
	for d := range l.dofs {
		f := &l.dofs[d]
		f.q = f.before + float64(part*(f.q-f.before))
	}
	for k := range l.links {
		c := &l.links[k]
		c.turn = c.before.Turn(c.turn.Mul(c.before.Conj()).Vector().Scale(part))
	}
	w.placeLimb(l, true)
	w.readLimb(l)
}
