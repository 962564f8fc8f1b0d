package dynamics

import "simdeck/sim/r3"

// finish writes the step's result back to the bodies and lets their geoms follow. It returns the slot
// of a body whose velocity is no longer finite (it is left where it was, at rest), or -1.
func (w *World) finish() int32 {
	lost := int32(-1)
	w.runStage(stageFinish, len(w.solver.states), bodiesPerPart)
	for i := range w.scratch {
		d := &w.scratch[i]
		lost, w.solver.fastBodies = max(lost, d.lostBody), append(w.solver.fastBodies, d.fastBodies...)
		w.solver.fastJointed = append(w.solver.fastJointed, d.fastJointed...)
	}
	w.refreshEscapedGeoms()
	if l := w.finishArticulations(); l >= 0 {
		lost = l
	}
	w.continuousCollisionJointed()
	w.continuousCollision()
	w.finishJoints()
	w.finishCouplings()
	return lost
}

// finishBodies is finish for the bodies from first to end, but for those of limbs.
func (w *World) finishBodies(d *workerScratch, first, end int32) {
	s := &w.solver
	for i := first; i < end; i++ {
		slot := s.slots[i]
		if !w.isAwake(slot) || w.bodies[slot].articulation != 0 {
			continue
		}
		m, mv := &w.motion[slot], &s.states[i]
		b, in := &w.bodies[slot], &w.massProps[slot]
		b.velocityBefore.Linear, b.velocityBefore.Angular = m.v, m.w
		b.force, b.torque = r3.Vec{}, r3.Vec{}
		if !mv.v.IsFinite() || !mv.w.IsFinite() || !mv.deltaPosition.IsFinite() || mv.v.Len2() > 1e12 {
			m.v, m.w, d.lostBody = r3.Vec{}, r3.Vec{}, slot
			continue
		}
		w.addFastBody(d, slot, mv.deltaPosition, mv.deltaRotation)
		was := m.rot
		m.com = m.com.Add(mv.deltaPosition)
		m.v, m.w = mv.v, mv.w
		if s.flags[i].tracksRotation {
			m.rot = s.rotations[i]
		} else {
			m.rot = m.rot.Turn(mv.deltaRotation)
		}
		w.accumulateMotion(slot, mv.deltaPosition.Len(), rotationBetween(was, m.rot).Len(), mv.v.Len())
		m.origin = m.com
		if in.com != (r3.Vec{}) {
			m.origin = m.com.Sub(m.rot.Rotate(in.com))
		}
		w.updateMovedGeoms(d, slot, false)
	}
}
