package physics

import (
	"math"

	"simdeck/sim/r3"
)

// prepareLimbs gets the limbs that move ready for a step.
func (w *World) prepareLimbs() {
	s := &w.solver
	s.limbs = s.limbs[:0]
	scale := w.warmScale()
	for i := range w.limbs {
		l := &w.limbs[i]
		if !l.live {
			continue
		}
		if !w.moves(l.links[0].body) {
			l.rest()
			continue
		}
		s.limbs = append(s.limbs, int32(i))
		l.reaches, l.loops, l.touched, l.tied = l.reaches[:0], l.loops[:0], false, false
		l.fresh, l.swift, l.whirled, l.counted, l.held = true, false, false, false, w.busy(l)
		for k := range l.links {
			l.links[k].reach, l.links[k].before = 0, l.links[k].turn
			if j := l.links[k].joint; j >= 0 {
				w.joints[j].rescale(scale)
			}
		}
		for d := range l.dofs {
			l.dofs[d].before = l.dofs[d].q
		}
	}
}

// onlyLimbs reports that nothing but limbs and bodies in free flight moves: half the substeps do, since
// limbs go by a rule of second order and hold together without any.
func (w *World) onlyLimbs() bool {
	limbs := false
	for i := range w.limbs {
		limbs = limbs || w.limbs[i].live
	}
	if !limbs {
		return false
	}
	for i := range w.joints {
		if w.jointIDs.used(int32(i)) && w.joints[i].limb == 0 {
			return false
		}
	}
	for _, r := range w.pairs.order { // those that sleep too: what they remember is per substep
		if c := &w.contacts.all[r.contact]; c.count > 0 && !c.sensor {
			return false
		}
	}
	return true
}

// rest takes all speed out of a limb that sleeps.
func (l *limb) rest() {
	for d := range l.dofs {
		l.dofs[d].v = 0
	}
}

// rescale fits remembered impulses to this step's substeps.
func (j *joint) rescale(k float64) {
	if k == 1 {
		return
	}
	for _, m := range [...]*float64{&j.jDrive, &j.jStick, &j.jStick2, &j.jStick3, &j.jLower, &j.jUpper, &j.jGear, &j.jBrake} {
		*m = float64(*m * k)
	}
}

// swingLimbs begins a substep: where the links are (in its middle, where only smooth forces act), how
// they answer, and what moves them of itself.
func (w *World) swingLimbs() {
	s := &w.solver
	for _, i := range s.limbs {
		l := &w.limbs[i]
		w.takeSwift(l)
		com, rot := w.basePose(l)
		if l.taken != 0 {
			w.poseLimb(l, 0, com, rot)
			w.twistBase(l, com)
			w.carryOn(l, com, rot)
			l.posed = true
		}
		l.quiet = !l.touched && !l.held
		if l.counted = l.counts(s.h); l.counted {
			w.beginBudget(l, com, rot)
		}
		l.swift = l.isSwift(s.h, 1)
		if l.whirled = l.quiet && l.swift && w.runsFree(l); l.whirled {
			l.swift = false
			if len(l.loops) > 0 {
				w.whirlLoops(l, float64(l.pace()*s.h))
				continue
			}
			w.whirl(l, float64(l.pace()*s.h))
			continue
		}
		l.quiet = l.quiet && !l.swift
		if l.quiet {
			w.poseLimb(l, float64(0.5*s.h), com, rot)
		} else if !l.posed {
			w.poseLimb(l, 0, com, rot)
		}
		l.posed = false
		w.twistBase(l, com)
		w.pushJoints(l)
		w.weighLimb(l, s.h)
		w.freeLimb(l, s.h)
		if l.quiet && len(l.loops) == 0 && l.isSwift(s.h, suddenly) && w.runsFree(l) { // springs let go
			l.takeBack()
			w.whirl(l, float64(l.pace()*s.h))
			continue
		}
		if l.counted {
			l.noteFree(s.h)
		}
		w.lineUp(l)
		l.couple()
		l.warmRows()
		l.reachAll()
	}
	s.coolSwift()
	s.warmLimbPatches()
}

// pushJoints sets the efforts of motors that push.
func (w *World) pushJoints(l *limb) {
	for i := range l.links {
		k := &l.links[i]
		if k.joint < 0 || k.count == 0 {
			continue
		}
		push := 0.0
		if j := &w.joints[k.joint]; j.motor.mode == motorEffort {
			push = float64(j.drive(w.solver.h).push * w.solver.invH)
		}
		l.dofs[k.first].push = push
	}
}

// solveLimbs is one pass over the motors, stops, gears and frictions of the limbs.
func (w *World) solveLimbs(push bool) {
	for _, i := range w.solver.limbs {
		w.limbs[i].solveRows(!push)
	}
}

// showLimbs writes the velocities of links that something touches where the solver's other parts read
// them.
func (w *World) showLimbs() {
	s := &w.solver
	for _, i := range s.limbs {
		l := &w.limbs[i]
		if !l.touched {
			continue
		}
		l.moveLinks()
		for k := range l.links {
			m := &s.moving[s.index[l.links[k].body]]
			m.v, m.w = l.links[k].motion.at(l.links[k].arm), l.links[k].motion.ang
		}
	}
}

// advanceLimbs moves the joints through a substep: by the mean of the velocities before and after
// where only smooth forces act, which is of second order; else by the velocity after, which is what
// stops and contacts have seen to.
func (w *World) advanceLimbs() {
	h := w.solver.h
	for _, i := range w.solver.limbs {
		l := &w.limbs[i]
		l.fresh = false
		if l.whirled {
			continue
		}
		old := 0.0
		if l.quiet && l.runsSmoothly() {
			old = 0.5
		}
		if l.floats && (l.swift || l.counted && l.touched) {
			l.aim(h)
		}
		w.moveJoints(l, h, old)
		if l.tied {
			w.placeTied(l)
		}
	}
}

// moveJoints moves the joints by their velocities, of which a part is to be that before the last change.
func (w *World) moveJoints(l *limb, h, old float64) {
	mean := func(d *dof) float64 { return float64(old*d.last) + float64((1-old)*d.v) }
	for d := range l.dofs {
		f := &l.dofs[d]
		f.q += float64(h * mean(f))
	}
	for k := range l.links {
		c := &l.links[k]
		first := c.first
		switch {
		case c.joint < 0:
			first += 3
		case w.joints[c.joint].kind != Ball:
			continue
		}
		d := l.dofs[first : first+3]
		c.turn = c.turn.Turn(r3.Vec{X: mean(&d[0]), Y: mean(&d[1]), Z: mean(&d[2])}.Scale(h))
		if c.joint >= 0 && d[0].spring > 0 {
			c.stretch(d)
		}
	}
}

// takeSwift lets the links of a tree that turned far in the substep before take their momenta along.
func (w *World) takeSwift(l *limb) {
	if l.fresh || l.quiet || l.whirled || l.tied || l.counted {
		return
	}
	if l.swift || l.isSwift(w.solver.h, suddenly) {
		l.takeAlong(w.solver.h)
	}
}

// runsFree reports that no stop is near.
func (w *World) runsFree(l *limb) bool {
	w.lineUp(l)
	return l.runsSmoothly()
}

// finishLimbs writes the result of a step to the bodies and joints. It returns the slot of a body whose
// limb left the finite numbers, and was put to rest where it was, or -1.
func (w *World) finishLimbs() int32 {
	lost := int32(-1)
	for _, i := range w.solver.limbs {
		l := &w.limbs[i]
		if !l.finite() {
			lost, l.bound = l.links[0].body, false
			for d := range l.dofs {
				l.dofs[d].q, l.dofs[d].v = l.dofs[d].before, 0
			}
			for k := range l.links {
				l.links[k].turn = l.links[k].before
			}
		}
		w.takeSwift(l)
		for k := range l.links {
			b, m := &w.bodies[l.links[k].body], &w.motion[l.links[k].body]
			b.before.Linear, b.before.Angular = m.v, m.w
			b.force, b.torque = r3.Vec{}, r3.Vec{}
		}
		w.placeSwept(l)
		w.readLimb(l)
		w.readLoops(l)
	}
	return lost
}

func (l *limb) finite() bool {
	for d := range l.dofs {
		if f := &l.dofs[d]; !(math.Abs(f.v) < 1e6) || !(math.Abs(f.q) < 1e12) {
			return false
		}
	}
	return true
}

// placeLimb puts the links where the joints say; a floating base only when told.
func (w *World) placeLimb(l *limb, base bool) {
	com, rot := w.baseNow(l)
	w.poseLimb(l, 0, com, rot)
	l.posed = l.base < 0 || w.bodies[l.base].kind == Static
	w.twistBase(l, com)
	if l.taken != 0 {
		w.carryOn(l, com, rot)
	}
	l.moveLinks()
	for i := range l.links {
		k := &l.links[i]
		if k.joint < 0 && !base {
			continue
		}
		m, in := &w.motion[k.body], &w.inert[k.body]
		shift, was := k.com.Sub(m.com), m.rot
		m.com, m.origin = k.com, k.com
		m.rot, _ = k.rot.Unit()
		if in.com != (r3.Vec{}) {
			m.origin = m.com.Sub(m.rot.Rotate(in.com))
		}
		m.v, m.w = k.motion.at(k.arm), k.motion.ang
		w.wander(k.body, shift.Len(), turnSince(was, m.rot).Len(), m.v.Len())
		w.letFollow(k.body, false)
	}
}

// creep is the speed, in rad/s or m/s, below which a joint that a motor pulls at has arrived where it
// can: a motor that is a spring never quite holds what it bears.
const creep = 1e-4

// readLimb copies what encoders and torque sensors say to the joints.
func (w *World) readLimb(l *limb) {
	for i := range l.links {
		k := &l.links[i]
		if k.joint < 0 || k.count == 0 {
			continue
		}
		j := &w.joints[k.joint]
		if !j.drives() {
			continue
		}
		j.position = l.dofs[k.first].q
		j.slow = math.Abs(l.dofs[k.first].v) < creep
		j.effort = float64(j.jDrive * w.solver.invH)
		if j.motor.mode == motorOff {
			j.effort = 0
		} else if j.motor.mode == motorEffort {
			j.effort = l.dofs[k.first].push
		}
	}
}
