package dynamics

import (
	"math"

	"simdeck/sim/dynamics/articulation"
	"simdeck/sim/r3"
)

// prepareArticulations prepares awake articulations for a step.
func prepareArticulations(w *World) {
	s := &w.solver
	s.activeArticulations = s.activeArticulations[:0]
	scale := w.time.warmStartRatio(w.solver.h)
	for i := range w.articulations {
		art := &w.articulations[i]
		if !art.live {
			continue
		}
		if !w.bodies.isAwake(art.links[0].body) {
			art.Stop()
			continue
		}
		s.activeArticulations = append(s.activeArticulations, int32(i))
		art.loops = art.loops[:0]
		art.BeginStep(art.isActuated(w))
		for k := range art.links {
			if j := art.links[k].joint; j >= 0 {
				w.joints.all[j].scaleImpulses(scale)
			}
		}
	}
}

// moveAlone reports that only articulations and free bodies move. Half the substeps suffice then: the
// integrator is of second order, and links cannot separate.
func (as articulationList) moveAlone(joints *jointSet, contacts *contactSet) bool {
	found := false
	for i := range as {
		found = found || as[i].live
	}
	if !found {
		return false
	}
	for i := range joints.all {
		if joints.ids.inUse(int32(i)) && joints.all[i].articulation == 0 {
			return false
		}
	}
	for _, r := range contacts.pairs.sorted { // asleep too: stored impulses are per substep
		if c := &contacts.all[r.contact]; c.count > 0 && !c.sensor {
			return false
		}
	}
	return true
}

// scaleImpulses scales stored impulses to this step's substep length.
func (j *joint) scaleImpulses(k float64) {
	if k == 1 {
		return
	}
	for _, m := range [...]*float64{&j.impulseDrive, &j.impulseFriction, &j.impulseFriction2,
		&j.impulseFriction3, &j.impulseLower, &j.impulseUpper, &j.impulseCoupling, &j.impulseVelocityLimit} {
		*m = float64(*m * k)
	}
}

// baseOf is the base of an articulation in this substep.
func (art *worldArticulation) baseOf(w *World) articulation.Base {
	b := art.baseAtStepEnd(w)
	if !b.Kinematic {
		return b
	}
	if i := w.solver.index[art.base]; i != 0 {
		mv := &w.solver.states[i]
		b.COM, b.Rot = b.COM.Add(mv.deltaPosition), b.Rot.Turn(mv.deltaRotation)
	}
	return b
}

// baseAtStepEnd is the base of an articulation between steps.
func (art *worldArticulation) baseAtStepEnd(w *World) articulation.Base {
	if art.base < 0 {
		return articulation.Base{Rot: r3.Identity()}
	}
	m := &w.bodies.motion[art.base]
	return articulation.Base{COM: m.com, Rot: m.rot, V: m.v, W: m.w,
		Kinematic: w.bodies.all[art.base].kind == Kinematic}
}

// setLoads tells an articulation the weight of its links and the wrenches applied to them.
func (art *worldArticulation) setLoads(w *World) {
	for i := range art.links {
		b := &w.bodies.all[art.links[i].body]
		f := b.force
		if !b.noGravity {
			f = f.AddScaled(w.bodies.massProps[art.links[i].body].mass, w.cfg.Gravity)
		}
		art.SetLoad(int32(i), f, b.torque)
	}
}

// beginArticulationSubstep begins a substep: kinematics, responses, and smooth forces.
func beginArticulationSubstep(w *World) {
	s := &w.solver
	for _, i := range s.activeArticulations {
		art := &w.articulations[i]
		art.setLoads(w)
		base := art.baseOf(w)
		art.BeginSubstep(s.h, &base, art.joints(w))
	}
	s.clearFastWarmStart()
	s.warmStartArticulationContacts()
}

// solveRows is one iteration over the row QPs of all articulations.
func (as articulationList) solveRows(s *solver, useBias bool) {
	for _, i := range s.activeArticulations {
		as[i].SolveRows(!useBias)
	}
}

// publishLinkVelocities writes the velocities of links in contact to the solver.
func (as articulationList) publishLinkVelocities(s *solver) {
	for _, i := range s.activeArticulations {
		art := &as[i]
		if !art.InContact() {
			continue
		}
		art.ComputeTwists()
		for k := range art.links {
			m := &s.states[s.index[art.links[k].body]]
			m.v, m.w = art.LinkTwist(int32(k))
		}
	}
}

// advanceArticulations integrates the joint positions.
func advanceArticulations(w *World) {
	for _, i := range w.solver.activeArticulations {
		art := &w.articulations[i]
		if art.Advance(w.solver.h) && art.HasExternalJoint() {
			art.publishExternallyJointed(w)
		}
	}
}

// endConservedSubsteps closes loops and clamps energies at the end of a substep.
func endConservedSubsteps(w *World) {
	for _, i := range w.solver.activeArticulations {
		art := &w.articulations[i]
		if !art.Conserved() {
			continue
		}
		base := art.baseOf(w)
		art.EndSubstep(w.solver.h, &base, art.joints(w))
		if art.InContact() {
			art.publishProjectedLinks(w)
		}
	}
}

// publishProjectedLinks writes the links' projected poses and velocities to the solver.
func (art *worldArticulation) publishProjectedLinks(w *World) {
	s := &w.solver
	for i := range art.links {
		slot := art.links[i].body
		at, was := s.index[slot], &w.bodies.motion[slot]
		m := &s.states[at]
		com, rot := art.LinkPose(int32(i))
		m.deltaPosition, s.rotations[at] = com.Sub(was.com), rot
		m.deltaRotation = rot.Mul(was.rot.Conj()).Vector()
		m.v, m.w = art.LinkTwist(int32(i))
	}
}

// finishArticulations writes the step's result to bodies and joints. An articulation with values that are not
// finite is restored to its poses at the step's start, at rest; the slot of one of its bodies is returned,
// else -1.
func finishArticulations(w *World) int32 {
	lost := int32(-1)
	for _, i := range w.solver.activeArticulations {
		art := &w.articulations[i]
		if !art.Finite() {
			lost = art.links[0].body
			art.RestoreStart()
		}
		carried := art.EndStep(w.solver.h)
		for k := range art.links {
			b, m := &w.bodies.all[art.links[k].body], &w.bodies.motion[art.links[k].body]
			b.velocityBefore.Linear, b.velocityBefore.Angular = m.v, m.w
			b.force, b.torque = r3.Vec{}, r3.Vec{}
		}
		if carried {
			art.setLoads(w) // weight alone is left
		}
		art.publishFastLinks(w)
		art.storeJointState(w)
		art.storeLoopState(w)
	}
	return lost
}

// publish writes the links' poses and twists to the bodies; a floating base only with base.
func (art *worldArticulation) publish(w *World, base bool) {
	below := art.baseAtStepEnd(w)
	art.Refresh(&below)
	for i := range art.links {
		k := &art.links[i]
		if k.joint < 0 && !base {
			continue
		}
		m, in := &w.bodies.motion[k.body], &w.bodies.massProps[k.body]
		com, rot := art.LinkPose(int32(i))
		shift, was := com.Sub(m.com), m.rot
		m.com, m.origin = com, com
		m.rot, _ = rot.Unit()
		if in.com != (r3.Vec{}) {
			m.origin = m.com.Sub(m.rot.Rotate(in.com))
		}
		m.v, m.w = art.LinkTwist(int32(i))
		w.bodies.accumulateMotion(w.time.dt, k.body, shift.Len(), rotationBetween(was, m.rot).Len(),
			m.v.Len())
		w.geoms.placeAccumulated(&w.bodies, &w.time, k.body, false)
	}
}

// creepSpeed is the joint speed, rad/s or m/s, below which a motor has arrived: a spring motor never quite
// reaches its target under load.
const creepSpeed = 1e-4

// storeJointState stores position and effort in the joints.
func (art *worldArticulation) storeJointState(w *World) {
	for i := range art.links {
		slot := art.links[i].joint
		if slot < 0 {
			continue
		}
		j := &w.joints.all[slot]
		if !j.kind.HasAxis() {
			continue
		}
		first, _ := art.FirstDOF(int32(i))
		j.position = art.Q(first)
		j.nearlyStill = math.Abs(art.V(first)) < creepSpeed
		j.effort = float64(j.impulseDrive * w.solver.invH)
		if j.motor.mode == motorOff {
			j.effort = 0
		} else if j.motor.mode == motorEffort {
			j.effort = art.Effort(int32(i))
		}
	}
}
