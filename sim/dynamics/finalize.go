package dynamics

import "simdeck/sim/r3"

// writeBodies writes the result of the step back to the bodies and lets their geoms follow. A body whose
// velocity is not finite stays where it was, at rest, and is the solver's lostBody. With Config.Contain it is
// contained before.
func writeBodies(w *World) {
	w.containment.found = w.cfg.Contain && containLost(w)
	s := &w.solver
	s.lostBody = -1
	w.runStage(stageFinish, len(s.states), bodiesPerPart)
	for i := range w.scratch {
		d := &w.scratch[i]
		s.lostBody, s.fastBodies = max(s.lostBody, d.lostBody), append(s.fastBodies, d.fastBodies...)
		s.fastJointed = append(s.fastJointed, d.fastJointed...)
	}
	for i := range w.scratch {
		w.geoms.refresh(&w.bodies, w.scratch[i].escaped)
	}
	if l := w.finishArticulations(); l >= 0 {
		s.lostBody = l
	}
}

// sweepFastBodies ends the step of fast bodies where they first meet something: jointed ones first, which go
// back together.
func sweepFastBodies(w *World) {
	sweepJointed(w)
	c := sweeperOf(w)
	c.run(&w.stats)
}

// finishAllJoints reads the positions of joints where the bodies have come to be, and keeps their impulses;
// joints of islands with a fault keep none.
func finishAllJoints(w *World) {
	w.joints.finish(&w.bodies, &w.solver)
	finishCouplings(w)
	if w.containment.found {
		forgetFaulty(w)
	}
}

// finishBodies is writeBodies for the bodies from first to end, without links of articulations.
func finishBodies(w *World, d *workerScratch, first, end int32) {
	s, c := &w.solver, sweeperOf(w)
	for i := first; i < end; i++ {
		slot := s.slots[i]
		if !w.bodies.isAwake(slot) || w.bodies.all[slot].articulation != 0 {
			continue
		}
		m, mv := &w.bodies.motion[slot], &s.states[i]
		b, in := &w.bodies.all[slot], &w.bodies.massProps[slot]
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
		w.bodies.accumulateMotion(w.time.dt, slot, mv.deltaPosition.Len(), rotationBetween(was, m.rot).Len(),
			mv.v.Len())
		m.origin = m.com
		if in.com != (r3.Vec{}) {
			m.origin = m.com.Sub(m.rot.Rotate(in.com))
		}
		d.escaped = w.geoms.follow(&w.bodies, &w.time, slot, false, d.escaped)
	}
}
