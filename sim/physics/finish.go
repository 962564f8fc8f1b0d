package physics

import "simdeck/sim/r3"

// finish writes the step's result back to the bodies and lets their geoms follow. It returns the slot
// of a body whose velocity is no longer finite (it is left where it was, at rest), or -1.
func (w *World) finish() int32 {
	lost := int32(-1)
	w.together(stageFinish, len(w.solver.moving), bodiesEach)
	for i := range w.desks {
		d := &w.desks[i]
		lost, w.solver.sweeps = max(lost, d.lost), append(w.solver.sweeps, d.sweeps...)
		w.solver.tied = append(w.solver.tied, d.tied...)
	}
	w.catchGeoms()
	if l := w.finishLimbs(); l >= 0 {
		lost = l
	}
	w.followTied()
	w.followFast()
	w.finishJoints()
	w.finishGears()
	return lost
}

// finishBodies is finish for the bodies from first to end, but for those of limbs.
func (w *World) finishBodies(d *desk, first, end int32) {
	s := &w.solver
	for i := first; i < end; i++ {
		slot := s.slots[i]
		if !w.moves(slot) || w.bodies[slot].limb != 0 {
			continue
		}
		m, mv := &w.motion[slot], &s.moving[i]
		b, in := &w.bodies[slot], &w.inert[slot]
		b.before.Linear, b.before.Angular = m.v, m.w
		b.force, b.torque = r3.Vec{}, r3.Vec{}
		if !mv.v.IsFinite() || !mv.w.IsFinite() || !mv.dp.IsFinite() || mv.v.Len2() > 1e12 {
			m.v, m.w, d.lost = r3.Vec{}, r3.Vec{}, slot
			continue
		}
		w.noteSweep(d, slot, mv.dp, mv.da)
		was := m.rot
		m.com = m.com.Add(mv.dp)
		m.v, m.w = mv.v, mv.w
		if s.traits[i].exact {
			m.rot = s.rots[i]
		} else {
			m.rot = m.rot.Turn(mv.da)
		}
		w.wander(slot, mv.dp.Len(), turnSince(was, m.rot).Len(), mv.v.Len())
		m.origin = m.com
		if in.com != (r3.Vec{}) {
			m.origin = m.com.Sub(m.rot.Rotate(in.com))
		}
		w.carryGeoms(d, slot, false)
	}
}
