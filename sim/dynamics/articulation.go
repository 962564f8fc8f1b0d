package dynamics

import (
	"fmt"
	"math"

	"simdeck/sim/dynamics/articulation"
	"simdeck/sim/r3"
	"simdeck/sim/statecodec"
)

// worldArticulation is an articulation with the bodies and joints of the world that are its links. Its state
// is joint positions and velocities, so links cannot separate; forward kinematics gives their poses. Arms,
// legs and wheels are articulations. Joints that close loops within an articulation are rows of it
// (articulation_rows.go); those that close others stay constraints between two bodies.
//
// Package articulation computes in joint coordinates. The world tells it the loads on its bodies, the rows of
// motors, joint friction, limits and couplings (articulation_rows.go), and the geometry of loops. Contacts
// act through the links' impulse responses (articulation_contact.go).
type worldArticulation struct {
	live  bool
	dirty bool        // a pose or a twist was set: joint coordinates must be measured
	base  int32       // slot of the body at the fixed base; -1: the world, or the base floats
	links []worldLink // by link
	loops []loopJoint // loop-closing joints in this step, by loop
	articulation.Articulation
}

// worldLink connects a link with its body and its joint in the world.
type worldLink struct {
	body  int32 // slot
	joint int32 // slot of the joint towards the base; -1: the floating base
}

// Articulate moves existing joints into reduced coordinates. They must form a tree: each body is the child of
// at most one joint, and all joints share one base. The base is the world or a body of any type; a dynamic
// base moves with the tree. Joints keep their ids, positions and motors. Removing a joint or body of the tree
// returns the rest to maximal coordinates. Errors: ErrInvalid when the joints are no tree, ErrGone for a
// removed joint.
func (w *World) Articulate(ids []JointID) error {
	art, err := w.buildArticulation(ids)
	if err != nil {
		return fmt.Errorf("reduced coordinates: %w", err)
	}
	slot := w.freeArticulationSlot()
	for i := range art.links {
		k := &art.links[i]
		w.bodies.all[k.body].articulation, w.bodies.all[k.body].link = int32(slot+1), int32(i)
		if k.joint >= 0 {
			w.joints.all[k.joint].articulation, w.joints.all[k.joint].link = int32(slot+1), int32(i)
		}
	}
	w.articulations[slot] = art
	w.articulations[slot].measure(w, true)
	w.active.wake(&w.bodies, art.links[0].body)
	return nil
}

// freeArticulationSlot returns the slot for the next articulation.
func (w *World) freeArticulationSlot() int {
	if len(w.nextArticulations) > 0 {
		slot := w.nextArticulations[0]
		w.nextArticulations = w.nextArticulations[1:]
		return int(slot)
	}
	for i := range w.articulations {
		if !w.articulations[i].live {
			return i
		}
	}
	w.articulations = append(w.articulations, worldArticulation{})
	return len(w.articulations) - 1
}

// Reduced reports whether a joint is in reduced coordinates.
func (h Joint) Reduced() bool {
	return h.alive() && h.w.joints.all[h.id.slot].articulation != 0
}

// buildArticulation sorts joints into a tree.
func (w *World) buildArticulation(ids []JointID) (worldArticulation, error) {
	art := worldArticulation{live: true, base: -1}
	if len(ids) == 0 {
		return art, fmt.Errorf("%w: no joints given", ErrInvalid)
	}
	taken := make(map[int32]bool, len(ids))
	children := make(map[int32]bool, len(ids))
	for _, id := range ids {
		if !w.joints.alive(id) {
			return art, fmt.Errorf("%w: %v", ErrGone, id)
		}
		j := &w.joints.all[id.slot]
		if taken[int32(id.slot)] || j.articulation != 0 || w.bodies.all[j.child].articulation != 0 {
			return art, fmt.Errorf("%w: %v or its child is in an articulation already", ErrInvalid, id)
		}
		if w.bodies.all[j.child].kind != Dynamic {
			return art, fmt.Errorf("%w: the child of %v is %v, must be dynamic", ErrInvalid, id,
				w.bodies.all[j.child].kind)
		}
		if children[j.child] {
			return art, fmt.Errorf("%w: %v is the child of two joints", ErrInvalid, w.bodies.id(j.child))
		}
		taken[int32(id.slot)], children[j.child] = true, true
	}
	base, found := int32(0), false
	for _, id := range ids {
		p := w.joints.all[id.slot].parent
		if p >= 0 && children[p] {
			continue
		}
		if found && p != base {
			return art, fmt.Errorf("%w: the joints have two bases, %v and %v", ErrInvalid, w.bodies.id(base),
				w.bodies.id(p))
		}
		base, found = p, true
	}
	if !found {
		return art, fmt.Errorf("%w: the joints form a loop", ErrInvalid)
	}
	if err := art.setBase(w, base); err != nil {
		return art, err
	}
	return art, art.addLinks(w, ids)
}

// setBase sets the base; a dynamic body becomes link 0 with six degrees of freedom.
func (art *worldArticulation) setBase(w *World, body int32) error {
	art.base = body
	if body < 0 || w.bodies.all[body].kind != Dynamic {
		return nil
	}
	if w.bodies.all[body].articulation != 0 {
		return fmt.Errorf("%w: the base %v is in an articulation already", ErrInvalid, w.bodies.id(body))
	}
	art.base = -1
	art.AddFloatingBase(w.bodies.all[body].inArticulation(&w.bodies.massProps[body]))
	art.links = append(art.links, worldLink{body: body, joint: -1})
	return nil
}

// inArticulation is the body as a link of an articulation.
func (b *body) inArticulation(in *massProperties) articulation.Body {
	return articulation.Body{Mass: in.mass, Inertia: in.inertia, LinearDamping: b.linDamping,
		AngularDamping: b.angDamping}
}

// addLinks adds joints, those nearer to the base first, otherwise in the order given.
func (art *worldArticulation) addLinks(w *World, ids []JointID) error {
	at := map[int32]int32{} // body → link
	if art.Floating() {
		at[art.links[0].body] = 0
	}
	placed := make([]bool, len(w.joints.all))
	for again := true; again; {
		again = false
		for _, id := range ids {
			j := &w.joints.all[id.slot]
			parent, on := int32(-1), j.parent == art.base && !art.Floating()
			if !on && j.parent >= 0 {
				parent, on = findLink(at, j.parent)
			}
			if !on || placed[id.slot] {
				continue
			}
			placed[id.slot], again = true, true
			at[j.child] = art.AddLink(parent, j.inArticulation(),
				w.bodies.all[j.child].inArticulation(&w.bodies.massProps[j.child]))
			art.links = append(art.links, worldLink{body: j.child, joint: int32(id.slot)})
		}
	}
	for _, id := range ids {
		if !placed[id.slot] {
			return fmt.Errorf("%w: %v is connected to the base by a loop only", ErrInvalid, id)
		}
	}
	return nil
}

// findLink returns the link of a body.
func findLink(at map[int32]int32, body int32) (int32, bool) {
	i, ok := at[body]
	return i, ok
}

// inArticulation is the joint as one of an articulation.
func (j *joint) inArticulation() articulation.Joint {
	return articulation.Joint{Type: j.kind, Pitch: j.pitch, AnchorA: j.anchorA, AnchorB: j.anchorB,
		RotA: j.rotA, RotB: j.rotB, Damping: j.damping, Armature: j.armature, Stiffness: j.stiffness,
		SpringRest: j.springRest}
}

// toMaximal returns an articulation's links to bodies and joint constraints.
func (w *World) toMaximal(number int32) {
	art := &w.articulations[number-1]
	for i := range art.links {
		k := &art.links[i]
		w.bodies.all[k.body].articulation, w.bodies.all[k.body].link = 0, 0
		if k.joint >= 0 {
			w.joints.all[k.joint].articulation, w.joints.all[k.joint].link = 0, 0
		}
	}
	*art = worldArticulation{}
}

// invalidateJoints marks the articulations of a body whose pose or twist was set from outside, and lets
// transmissions forget their speed.
func (w *World) invalidateJoints(slot int32) {
	w.transmissions.forgetSpeeds(&w.bodies, slot)
	for i := range w.articulations {
		if art := &w.articulations[i]; art.live &&
			(art.base == slot || w.bodies.all[slot].articulation == int32(i+1)) {
			art.dirty = true
		}
	}
}

// measureArticulations measures the joints of articulations whose bodies were set from outside, and moves the
// links to the allowed poses.
func (w *World) measureArticulations(fresh bool) {
	for i := range w.articulations {
		if art := &w.articulations[i]; art.live && art.dirty {
			art.measure(w, fresh)
		}
	}
}

// measure computes joint positions and velocities from the bodies. An angle equal to the old one modulo 2π
// keeps its turns. Otherwise it restarts within [-π, π] when fresh, else it takes the nearest turn.
func (art *worldArticulation) measure(w *World, fresh bool) {
	art.dirty = false
	art.setLoads(&w.bodies, w.cfg.Gravity)
	if art.Floating() {
		m := &w.bodies.motion[art.links[0].body]
		art.SetFloatingBase(m.com, m.rot, m.v, m.w)
	}
	for i := range art.links {
		if _, count := art.FirstDOF(int32(i)); art.links[i].joint >= 0 && count > 0 {
			j := &w.joints.all[art.links[i].joint]
			a, b := j.ends(&w.bodies)
			va, vb := j.twistsAt(&w.bodies, b.Pos)
			art.MeasureJoint(int32(i), a, b, va, vb, fresh)
		}
	}
	base := art.baseAtStepEnd(&w.bodies)
	art.ShareMomenta(&base, func(link int) (r3.Vec, r3.Vec) {
		m := &w.bodies.motion[art.links[link].body]
		return m.v, m.w
	})
	if art.Floating() {
		m := &w.bodies.motion[art.links[0].body]
		m.v, m.w = r3.Vec{X: art.V(0), Y: art.V(1), Z: art.V(2)},
			r3.Vec{X: art.V(3), Y: art.V(4), Z: art.V(5)}
	}
	art.Invalidate()
	w.geoms.refresh(&w.bodies, art.publish(&w.bodies, &w.geoms, &w.time, false, nil))
	art.storeJointState(&w.joints, w.solver.invH)
}

// articulationFields is the state of an articulation besides its coordinates.
var articulationFields = statecodec.LayoutOf((*worldArticulation).fields)

func (art *worldArticulation) fields(f *statecodec.Fields) { f.Flag(&art.dirty, statecodec.Saved) }

// encode codes the state of articulations.
func (as articulationList) encode(c *statecodec.Codec) {
	c.Match(uint64(len(as)), "number of articulations")
	for i := range as {
		art := &as[i]
		c.Match(uint64(art.DOFs()), "number of degrees of freedom of an articulation")
		articulationFields.Code(c, art)
		art.Encode(c)
	}
}

// articulationList is the articulations of a world.
type articulationList []worldArticulation

// copyFrom copies the articulations of another world; scratch stays this world's.
func (as *articulationList) copyFrom(from articulationList) {
	*as = (*as)[:min(len(*as), len(from))]
	for i := range from {
		if i == len(*as) {
			*as = append(*as, worldArticulation{})
		}
		art, o := &(*as)[i], &from[i]
		art.live, art.dirty, art.base = o.live, o.dirty, o.base
		art.links = append(art.links[:0], o.links...)
		art.Articulation.CopyFrom(&o.Articulation)
	}
}

// validate checks that coordinates are finite, links and bodies agree, and joints have no gap.
func (as articulationList) validate(bodies *bodySet, joints *jointSet) error {
	for i := range as {
		art := &as[i]
		if d := art.NotFinite(); d >= 0 {
			return fmt.Errorf("articulation %d: degree of freedom %d has position %v and velocity %v", i, d,
				art.Q(d), art.V(d))
		}
		for k := range art.links {
			n := &art.links[k]
			if bodies.all[n.body].articulation != int32(i+1) || bodies.all[n.body].link != int32(k) {
				return fmt.Errorf("articulation %d: link %d is body %d, whose link differs", i, k, n.body)
			}
			if n.joint < 0 {
				continue
			}
			if j := &joints.all[n.joint]; j.articulation != int32(i+1) || j.link != int32(k) ||
				j.child != n.body {
				return fmt.Errorf("articulation %d: link %d has joint %d, whose link differs", i, k, n.joint)
			}
			com, _ := art.LinkPose(int32(k))
			if gap := joints.gap(bodies, n.joint); !art.dirty && gap > 1e-9*(1+com.MaxAbs()) {
				return fmt.Errorf("articulation %d: joint %d has a gap of %v m", i, n.joint, gap)
			}
		}
	}
	return nil
}

func (as articulationList) hash(h *statecodec.WordHash) {
	for i := range as {
		as[i].Hash(h)
	}
}

// prepare prepares awake articulations for a step.
func (as articulationList) prepare(bodies *bodySet, joints *jointSet, s *solver) {
	s.activeArticulations = s.activeArticulations[:0]
	for i := range as {
		art := &as[i]
		if !art.live {
			continue
		}
		if !bodies.isAwake(art.links[0].body) {
			art.Stop()
			continue
		}
		s.activeArticulations = append(s.activeArticulations, int32(i))
		art.loops = art.loops[:0]
		art.BeginStep(art.isActuated(joints))
		for k := range art.links {
			if j := art.links[k].joint; j >= 0 {
				joints.all[j].scaleImpulses(s.warmStartScale)
			}
		}
	}
}

// baseOf is the base of an articulation in this substep.
func (art *worldArticulation) baseOf(bodies *bodySet, s *solver) articulation.Base {
	b := art.baseAtStepEnd(bodies)
	if !b.Kinematic {
		return b
	}
	if i := s.index[art.base]; i != 0 {
		mv := &s.states[i]
		b.COM, b.Rot = b.COM.Add(mv.deltaPosition), b.Rot.Turn(mv.deltaRotation)
	}
	return b
}

// baseAtStepEnd is the base of an articulation between steps.
func (art *worldArticulation) baseAtStepEnd(bodies *bodySet) articulation.Base {
	if art.base < 0 {
		return articulation.Base{Rot: r3.Identity()}
	}
	m := &bodies.motion[art.base]
	return articulation.Base{COM: m.com, Rot: m.rot, V: m.v, W: m.w,
		Kinematic: bodies.all[art.base].kind == Kinematic}
}

// setLoads tells an articulation the weight of its links and the wrenches applied to them.
func (art *worldArticulation) setLoads(bodies *bodySet, gravity r3.Vec) {
	for i := range art.links {
		b := &bodies.all[art.links[i].body]
		f := b.force
		if !b.noGravity {
			f = f.AddScaled(bodies.massProps[art.links[i].body].mass, gravity)
		}
		art.SetLoad(int32(i), f, b.torque)
	}
}

// beginSubstep begins a substep: kinematics, responses, and smooth forces.
func (as articulationList) beginSubstep(bodies *bodySet, joints *jointSet, gravity r3.Vec, s *solver) {
	for _, i := range s.activeArticulations {
		art := &as[i]
		art.setLoads(bodies, gravity)
		base := art.baseOf(bodies, s)
		art.BeginSubstep(s.h, &base, art.joints(bodies, joints, s))
	}
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

// advance integrates the joint positions.
func (as articulationList) advance(bodies *bodySet, s *solver) {
	for _, i := range s.activeArticulations {
		art := &as[i]
		if art.Advance(s.h) && art.HasExternalJoint() {
			art.publishExternallyJointed(bodies, s)
		}
	}
}

// publishExternallyJointed writes the links' poses after a substep to the solver.
func (art *worldArticulation) publishExternallyJointed(bodies *bodySet, s *solver) {
	base := art.baseOf(bodies, s)
	art.RefreshExternallyJointed(s.h, &base)
	for i := range art.links {
		slot := art.links[i].body
		at := s.index[slot]
		com, rot := art.LinkPose(int32(i))
		s.states[at].deltaPosition = com.Sub(bodies.motion[slot].com)
		s.rotations[at] = rot
	}
}

// endConservedSubsteps closes loops and clamps energies at the end of a substep.
func (as articulationList) endConservedSubsteps(bodies *bodySet, joints *jointSet, s *solver) {
	for _, i := range s.activeArticulations {
		art := &as[i]
		if !art.Conserved() {
			continue
		}
		base := art.baseOf(bodies, s)
		art.EndSubstep(s.h, &base, art.joints(bodies, joints, s))
		if art.InContact() {
			art.publishProjectedLinks(bodies, s)
		}
	}
}

// publishProjectedLinks writes the links' projected poses and velocities to the solver.
func (art *worldArticulation) publishProjectedLinks(bodies *bodySet, s *solver) {
	for i := range art.links {
		slot := art.links[i].body
		at, was := s.index[slot], &bodies.motion[slot]
		m := &s.states[at]
		com, rot := art.LinkPose(int32(i))
		m.deltaPosition, s.rotations[at] = com.Sub(was.com), rot
		m.deltaRotation = rot.Mul(was.rot.Conj()).Vector()
		m.v, m.w = art.LinkTwist(int32(i))
	}
}

// publish writes the links' poses and twists to the bodies; a floating base only with base.
func (art *worldArticulation) publish(bodies *bodySet, geoms *geomSet, time *stepTime, base bool,
	escaped []int32) []int32 {
	below := art.baseAtStepEnd(bodies)
	art.Refresh(&below)
	for i := range art.links {
		k := &art.links[i]
		if k.joint < 0 && !base {
			continue
		}
		m, in := &bodies.motion[k.body], &bodies.massProps[k.body]
		com, rot := art.LinkPose(int32(i))
		shift, was := com.Sub(m.com), m.rot
		m.com, m.origin = com, com
		m.rot, _ = rot.Unit()
		if in.com != (r3.Vec{}) {
			m.origin = m.com.Sub(m.rot.Rotate(in.com))
		}
		m.v, m.w = art.LinkTwist(int32(i))
		bodies.accumulateMotion(time.dt, k.body, shift.Len(), rotationBetween(was, m.rot).Len(), m.v.Len())
		escaped = geoms.follow(bodies, time, k.body, false, escaped)
	}
	return escaped
}

// creepSpeed is the joint speed, rad/s or m/s, below which a motor has arrived: a spring motor never quite
// reaches its target under load.
const creepSpeed = 1e-4

// storeJointState stores position and effort in the joints.
func (art *worldArticulation) storeJointState(joints *jointSet, invH float64) {
	for i := range art.links {
		slot := art.links[i].joint
		if slot < 0 {
			continue
		}
		j := &joints.all[slot]
		if !j.kind.HasAxis() {
			continue
		}
		first, _ := art.FirstDOF(int32(i))
		j.position = art.Q(first)
		j.nearlyStill = math.Abs(art.V(first)) < creepSpeed
		j.effort = float64(j.impulseDrive * invH)
		if j.motor.mode == motorOff {
			j.effort = 0
		} else if j.motor.mode == motorEffort {
			j.effort = art.Effort(int32(i))
		}
	}
}
