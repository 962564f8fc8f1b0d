package dynamics

import (
	"fmt"
	"math"
	"slices"

	"simdeck/sim/dynamics/articulation"
	"simdeck/sim/dynamics/linalg"
	"simdeck/sim/dynamics/newton"
	"simdeck/sim/r3"
	"simdeck/sim/statecodec"
	"simdeck/sim/transmission"
)

// TransmissionDef is a transmission: forces along a length. The length is that of a path, or a sum of joint
// positions, rad or m.
type TransmissionDef struct {
	Path    transmission.Path
	Bodies  []BodyID // by the numbers of the path
	Joints  []JointTerm
	Offset  float64 // added to the length
	Passive transmission.Passive
}

// JointTerm is a joint's part in a length: its position times a coefficient.
type JointTerm struct {
	Joint       JointID
	Coefficient float64
}

// TransmissionID names a transmission: the first of its bodies, and a number among those that begin with it.
// The zero value names none.
type TransmissionID struct {
	body   BodyID
	number uint32
}

// transmissionSet is the transmissions of a world, in the order of their ids. It follows from the bodies, not
// from the order in which they came.
type transmissionSet struct{ all []worldTransmission }

// worldTransmission is a transmission with what it remembers.
type worldTransmission struct {
	id TransmissionID
	*transmissionPlan
	motor   transmission.Motor
	impulse float64 // N·s or N·m·s, of the last substep
	speed   float64 // m/s or rad/s, at the end of the last substep
}

const (
	// keptSpeedPart and keptSpeed bound the change of a transmission's speed between two substeps: a part of
	// the speed, and m/s or rad/s. A greater one is no turn of its Jacobian.
	keptSpeedPart, keptSpeed = 0.5, 0.5
)

// before is the speed at the end of the last substep, by the Jacobian of that time. now is the present one.
func (t *worldTransmission) before(now float64) float64 {
	if math.Abs(now-t.speed) <= keptSpeed+float64(keptSpeedPart*math.Abs(now)) {
		return t.speed
	}
	return now
}

// transmissionPlan is the part of a transmission that never changes; copies of a world share it.
type transmissionPlan struct {
	path    transmission.Path
	bodies  []int32 // slots, by the numbers of the path
	joints  []transmissionTerm
	offset  float64
	moved   []int32 // slots of all bodies that it moves, ascending
	passive transmission.Passive
}

// transmissionTerm is a joint's part in a length.
type transmissionTerm struct {
	joint       int32 // slot
	coefficient float64
}

// check says what is wrong with a definition.
func (d *TransmissionDef) check() error {
	if err := d.Path.Check(len(d.Bodies)); err != nil {
		return fmt.Errorf("%w: transmission: %w", ErrInvalid, err)
	}
	p := &d.Passive
	for _, x := range [...]float64{p.Stiffness, p.Damping, p.Friction, p.Armature, p.Limit.Stiffness,
		p.Limit.Damping} {
		if !(x >= 0) || math.IsInf(x, 0) || d.Offset-d.Offset != 0 {
			return fmt.Errorf("%w: transmission with stiffness %v, damping %v, friction %v, armature %v and limit %v",
				ErrInvalid, p.Stiffness, p.Damping, p.Friction, p.Armature, p.Limit)
		}
	}
	if !(p.Rest[0] <= p.Rest[1]) || math.IsInf(p.Rest[1]-p.Rest[0], 0) ||
		p.Limited && !(p.Range[0] <= p.Range[1]) {
		return fmt.Errorf("%w: transmission whose spring rests in %v and whose range is %v", ErrInvalid, p.Rest,
			p.Range)
	}
	for _, t := range d.Joints {
		if math.IsNaN(t.Coefficient) || math.IsInf(t.Coefficient, 0) {
			return fmt.Errorf("%w: transmission with a coefficient of %v", ErrInvalid, t.Coefficient)
		}
	}
	return nil
}

// AddTransmission adds a transmission, without a motor. It goes with the first of its bodies and joints that
// is removed. Errors: ErrInvalid, ErrGone.
func (w *World) AddTransmission(d TransmissionDef) (TransmissionID, error) {
	if err := d.check(); err != nil {
		return TransmissionID{}, err
	}
	p := &transmissionPlan{path: d.Path, offset: d.Offset, passive: d.Passive}
	for _, id := range d.Bodies {
		slot, err := w.bodies.slot(id)
		if err != nil {
			return TransmissionID{}, fmt.Errorf("transmission: %w", err)
		}
		p.bodies, p.moved = append(p.bodies, slot), append(p.moved, slot)
	}
	for _, t := range d.Joints {
		if !w.joints.alive(t.Joint) || !w.joints.all[t.Joint.slot].kind.HasAxis() {
			return TransmissionID{}, fmt.Errorf("%w: transmission of %v, which is gone or has no axis", ErrGone,
				t.Joint)
		}
		j := &w.joints.all[t.Joint.slot]
		p.joints = append(p.joints, transmissionTerm{int32(t.Joint.slot), t.Coefficient})
		p.moved = append(p.moved, j.child)
		if j.parent >= 0 {
			p.moved = append(p.moved, j.parent)
		}
	}
	slices.Sort(p.moved)
	p.moved = slices.Compact(p.moved)
	if len(p.moved) == 0 {
		return TransmissionID{}, fmt.Errorf("%w: a transmission that moves nothing", ErrInvalid)
	}
	for _, slot := range p.moved {
		w.active.wake(&w.bodies, slot)
	}
	id := TransmissionID{body: w.bodies.id(p.moved[0]), number: 1}
	at := 0
	for ; at < len(w.transmissions.all); at++ {
		o := w.transmissions.all[at].id
		if o.body.slot > id.body.slot {
			break
		}
		if o.body == id.body {
			id.number = o.number + 1
		}
	}
	w.transmissions.all = slices.Insert(w.transmissions.all, at,
		worldTransmission{id: id, transmissionPlan: p})
	return id, nil
}

// removeOf removes the transmissions of a body, and wakes what else they moved.
func (ts *transmissionSet) removeOf(bodies *bodySet, active *activeSet, slot int32) {
	ts.all = slices.DeleteFunc(ts.all, func(t worldTransmission) bool {
		if !slices.Contains(t.moved, slot) {
			return false
		}
		for _, b := range t.moved {
			active.wake(bodies, b)
		}
		return true
	})
}

// removeOfJoint removes the transmissions of a joint.
func (ts *transmissionSet) removeOfJoint(joint int32) {
	ts.all = slices.DeleteFunc(ts.all, func(t worldTransmission) bool {
		return slices.ContainsFunc(t.joints, func(term transmissionTerm) bool { return term.joint == joint })
	})
}

// forgetSpeeds lets the transmissions of a body, or of its articulation, measure their speeds anew.
func (ts *transmissionSet) forgetSpeeds(bodies *bodySet, slot int32) {
	number := bodies.all[slot].articulation
	for i := range ts.all {
		t := &ts.all[i]
		if slices.ContainsFunc(t.moved, func(b int32) bool {
			return b == slot || number > 0 && bodies.all[b].articulation == number
		}) {
			t.speed = math.MaxFloat64
		}
	}
}

// find returns a transmission; nil: it is gone.
func (ts *transmissionSet) find(id TransmissionID) *worldTransmission {
	for i := range ts.all {
		if ts.all[i].id == id {
			return &ts.all[i]
		}
	}
	return nil
}

// Transmission is a transmission of a world by its id, to be asked and to be driven.
type Transmission struct {
	w  *World
	id TransmissionID
}

// Transmission is the transmission with an id.
func (w *World) Transmission(id TransmissionID) Transmission { return Transmission{w, id} }

// State is a transmission's length, m or rad, and its change, m/s or rad/s, at the present poses. It is zero
// for one that is gone.
func (h Transmission) State() (length, speed float64) {
	t := h.w.transmissions.find(h.id)
	if t == nil {
		return 0, 0
	}
	bodies := &h.w.bodies
	along, wrenches := t.path.Measure(func(i int32) r3.Pose {
		m := &bodies.motion[t.bodies[i]]
		return r3.Pose{Pos: m.origin, Rot: m.rot}
	}, nil)
	length = along + t.offset
	for _, k := range wrenches {
		if k.Body >= 0 {
			m := &bodies.motion[t.bodies[k.Body]]
			v := r3.Twist{Linear: m.v, Angular: m.w}
			speed += k.Force.Dot(v.At(k.Point.Sub(m.com))) + k.Torque.Dot(m.w)
		}
	}
	for _, term := range t.joints {
		s := h.w.Joint(h.w.joints.id(term.joint)).State()
		length += float64(term.coefficient * s.Position)
		speed += float64(term.coefficient * s.Velocity)
	}
	return length, speed
}

// Force is the mean force along the transmission in the last substep, N or N·m.
func (h Transmission) Force() float64 {
	if t := h.w.transmissions.find(h.id); t != nil && h.w.time.h > 0 {
		return t.impulse / h.w.time.h
	}
	return 0
}

// Mobility returns J·M⁻¹·Jᵀ in the last step, the change of speed by a unit impulse, and the length of M⁻¹·Jᵀ
// over all degrees of freedom. It is zero where nothing acted along the transmission, or Newton's method did.
func (h Transmission) Mobility() (inverseMass, response float64) {
	s := &h.w.solver
	for i := range s.transmissionRows {
		r := &s.transmissionRows[i]
		if int(r.at) >= len(h.w.transmissions.all) || h.w.transmissions.all[r.at].id != h.id {
			continue
		}
		sum := 0.0
		for k := range r.trees {
			for _, x := range r.trees[k].response {
				sum += float64(x * x)
			}
		}
		for k := range r.bodies {
			b := &r.bodies[k]
			m := &s.masses[b.index]
			sum += float64(m.invMass*m.invMass*b.force.Len2()) + m.invInertia.Apply(b.torque).Len2()
		}
		return r.inverseMass, math.Sqrt(sum)
	}
	return 0, 0
}

// SetMotor sets the force of a transmission's actuator until it is changed. Errors: ErrGone, ErrInvalid.
func (h Transmission) SetMotor(m transmission.Motor) error {
	t := h.w.transmissions.find(h.id)
	if t == nil {
		return fmt.Errorf("%w: transmission of %v", ErrGone, h.id.body)
	}
	if m.Effort-m.Effort != 0 || !(m.Stiffness >= 0) || !(m.Damping >= 0) || !(m.Lower <= m.Upper) ||
		math.IsInf(m.Stiffness+m.Damping, 1) {
		return fmt.Errorf("%w: motor %+v of a transmission", ErrInvalid, m)
	}
	if m == t.motor {
		return nil
	}
	t.motor = m
	for _, b := range t.moved {
		h.w.active.wake(&h.w.bodies, b)
	}
	return nil
}

// transmissionFields is the state of a transmission.
var transmissionFields = statecodec.LayoutOf((*worldTransmission).fields)

// fields walks over the state of a transmission.
func (t *worldTransmission) fields(f *statecodec.Fields) {
	f.Float(&t.motor.Effort, statecodec.Saved)
	f.Float(&t.motor.Stiffness, statecodec.Saved)
	f.Float(&t.motor.Damping, statecodec.Saved)
	f.Float(&t.motor.Lower, statecodec.Saved)
	f.Float(&t.motor.Upper, statecodec.Saved)
	f.Float(&t.impulse, statecodec.Finite)
	f.Float(&t.speed, statecodec.Finite)
}

// encode codes the state of transmissions; without any there is none.
func (ts *transmissionSet) encode(c *statecodec.Codec) {
	if len(ts.all) == 0 {
		return
	}
	c.Match(uint64(len(ts.all)), "number of transmissions")
	for i := range ts.all {
		transmissionFields.Code(c, &ts.all[i])
	}
}

func (ts *transmissionSet) copyFrom(o *transmissionSet) { ts.all = append(ts.all[:0], o.all...) }

// pushes reports that a motor may move what is at rest.
func (t *worldTransmission) pushes() bool { return t.motor.Effort != 0 && t.motor.Stiffness == 0 }

// transmissionRow is a transmission in a substep: its Jacobian on trees and on free bodies, and the law along
// it.
type transmissionRow struct {
	at          int32 // in transmissionSet.all
	trees       []transmissionTree
	bodies      []transmissionBody
	drift       float64 // speed that no impulse changes: of kinematic bases
	inverseMass float64
	law         transmission.Law
	impulse     float64
	wrenches    []transmission.Wrench // scratch
}

// transmissionTree is a row's Jacobian on an articulation.
type transmissionTree struct {
	number   int32     // articulation
	jacobian []float64 // by degree of freedom
	response []float64 // M⁻¹·Jᵀ
}

// transmissionBody is a row's Jacobian on a free or kinematic body: an impulse at its center of mass.
type transmissionBody struct {
	index         int32 // in solver.states
	force, torque r3.Vec
}

// transmissionSolver is the transmissions of a step.
type transmissionSolver struct {
	transmissionRows  []transmissionRow
	transmissionTrees []int32 // articulations that they move, ascending
}

// transmissionStepper is the parts of a world that transmissions work on.
type transmissionStepper struct {
	*solver
	transmissions *transmissionSet
	bodies        *bodySet
	joints        *jointSet
	articulations articulationList
}

// prepare finds the transmissions that move something in this step.
func (s *transmissionStepper) prepare() {
	n := 0
	for i := range s.transmissions.all {
		t := &s.transmissions.all[i]
		if t.impulse = float64(t.impulse * s.warmStartScale); t.impulse-t.impulse != 0 {
			t.impulse = 0 // a body was lost
		}
		awake := false
		for _, b := range t.moved {
			if s.bodies.all[b].kind != Dynamic || !s.bodies.isAwake(b) {
				continue
			}
			awake = true
		}
		if !awake || t.passive == (transmission.Passive{}) && t.motor == (transmission.Motor{}) {
			t.impulse = 0
			continue
		}
		s.transmissionRows = linalg.Grow(s.transmissionRows, n+1)
		s.transmissionRows[n].at = int32(i)
		n++
	}
	s.transmissionRows = s.transmissionRows[:n]
}

// eachTie calls join with pairs of what transmissions tie together: entries in states.
func (ts *transmissionSet) eachTie(s *solver, moves func(at int32) bool, join func(a, b int32)) {
	for i := range s.transmissionRows {
		last := int32(0)
		for _, b := range ts.all[s.transmissionRows[i].at].moved {
			at := s.index[b]
			if !moves(at) {
				continue
			}
			if last > 0 {
				join(last, at)
			}
			last = at
		}
	}
}

// moveToIslands hands the transmissions of islands that Newton's method solves to these.
func (ts *transmissionSet) moveToIslands(s *solver, bodies *bodySet) {
	n := 0
	for i := range s.transmissionRows {
		at, island := s.transmissionRows[i].at, int32(0)
		for _, b := range ts.all[at].moved {
			if k := s.index[b]; k > 0 && bodies.all[b].kind == Dynamic {
				island = max(island, s.newtonRoots[s.newtonSets.Find(k)].island)
			}
		}
		if island > 0 {
			k := &s.newtonIslands[island-1]
			k.transmissions = append(k.transmissions, at)
			continue
		}
		s.transmissionRows[n].at = at
		n++
	}
	s.transmissionRows = s.transmissionRows[:n]
}

// mark tells articulations that transmissions move them in passes.
func (s *transmissionStepper) mark() {
	s.transmissionTrees = s.transmissionTrees[:0]
	for i := range s.transmissionRows {
		for _, b := range s.transmissions.all[s.transmissionRows[i].at].moved {
			if number := s.bodies.all[b].articulation; number > 0 && s.bodies.isAwake(b) {
				s.articulations[number-1].MarkContact()
				s.transmissionTrees = append(s.transmissionTrees, number-1)
			}
		}
	}
	slices.Sort(s.transmissionTrees)
	s.transmissionTrees = slices.Compact(s.transmissionTrees)
}

// begin measures lengths and Jacobians at the present poses, and applies the impulses of the substep before.
func (s *transmissionStepper) begin() {
	for i := range s.transmissionRows {
		r := &s.transmissionRows[i]
		t := &s.transmissions.all[r.at]
		length := s.measure(r, t)
		s.respond(r)
		r.law, r.impulse = transmission.Law{}, 0
		if r.inverseMass > 0 {
			speed := s.speed(r)
			r.law = transmission.NewLaw(&t.passive, &t.motor, length, speed, t.before(speed), r.inverseMass,
				s.h)
			s.apply(r, t.impulse)
		}
	}
}

// measure finds a row's Jacobian, and returns the length.
func (s *transmissionStepper) measure(r *transmissionRow, t *worldTransmission) (length float64) {
	r.trees, r.bodies, r.drift, r.inverseMass = r.trees[:0], r.bodies[:0], 0, 0
	length, r.wrenches = t.path.Measure(func(k int32) r3.Pose { return s.pose(t.bodies[k]) }, r.wrenches[:0])
	for _, k := range r.wrenches {
		if k.Body >= 0 {
			s.addWrench(r, t.bodies[k.Body], k.Point, k.Force, k.Torque)
		}
	}
	length += t.offset
	for _, term := range t.joints {
		length += float64(term.coefficient * s.addJoint(r, term))
	}
	if p := t.path.Thruster; p != nil && p.Relative && min(p.Site.Body, p.Ref.Body) >= 0 {
		s.clearShared(r, t.bodies[p.Site.Body], t.bodies[p.Ref.Body])
	}
	return length
}

// pose is the pose of a body's frame in this substep.
func (s *transmissionStepper) pose(slot int32) r3.Pose {
	m, com := &s.bodies.motion[slot], r3.Vec{}
	rot := m.rot
	switch at := s.index[slot]; {
	case s.bodies.all[slot].articulation > 0 && s.bodies.isAwake(slot):
		b := &s.bodies.all[slot]
		com, rot = s.articulations[b.articulation-1].LinkPose(b.link)
	case at > 0:
		com, rot = m.com.Add(s.states[at].deltaPosition), s.rotations[at]
	default:
		return r3.Pose{Pos: m.origin, Rot: m.rot}
	}
	return r3.Pose{Pos: com.Sub(rot.Rotate(s.bodies.massProps[slot].com)), Rot: rot}
}

// addWrench adds what a unit of impulse does to a body.
func (s *transmissionStepper) addWrench(r *transmissionRow, slot int32, point, force, torque r3.Vec) {
	b := &s.bodies.all[slot]
	if !s.bodies.isAwake(slot) || b.kind == Static {
		return
	}
	if b.articulation > 0 {
		art := &s.articulations[b.articulation-1]
		com, _ := art.LinkPose(b.link)
		torque = torque.Add(point.Sub(com).Cross(force))
		t := s.tree(r, b.articulation-1)
		articulation.AddJacobian(&art.Articulation, t.jacobian, b.link, force, torque)
		if art.base >= 0 && s.bodies.all[art.base].kind == Kinematic {
			v, w := art.BaseTwistAt(b.link)
			r.drift += force.Dot(v) + torque.Dot(w)
		}
		return
	}
	at := s.index[slot]
	torque = torque.Add(point.Sub(s.bodies.motion[slot].com.Add(s.states[at].deltaPosition)).Cross(force))
	for i := range r.bodies {
		if k := &r.bodies[i]; k.index == at {
			k.force, k.torque = k.force.Add(force), k.torque.Add(torque)
			return
		}
	}
	r.bodies = append(r.bodies, transmissionBody{at, force, torque})
}

// tree is the row's Jacobian on an articulation.
func (s *transmissionStepper) tree(r *transmissionRow, number int32) *transmissionTree {
	for i := range r.trees {
		if r.trees[i].number == number {
			return &r.trees[i]
		}
	}
	n := len(r.trees)
	r.trees = linalg.Grow(r.trees, n+1)
	t, dofs := &r.trees[n], s.articulations[number].DOFs()
	t.number = number
	t.jacobian, t.response = linalg.Grow(t.jacobian, dofs), linalg.Grow(t.response, dofs)
	clear(t.jacobian)
	return t
}

// addJoint adds a joint to the row, and returns its position.
func (s *transmissionStepper) addJoint(r *transmissionRow, term transmissionTerm) float64 {
	j := &s.joints.all[term.joint]
	if j.articulation > 0 && s.bodies.isAwake(j.child) {
		art := &s.articulations[j.articulation-1]
		first, _ := art.FirstDOF(j.link)
		s.tree(r, j.articulation-1).jacobian[first] += term.coefficient
		return art.Q(first)
	}
	position := j.position
	at, found := slices.BinarySearchFunc(s.jointConstraints, term.joint,
		func(c jointConstraint, slot int32) int { return int(c.slot - slot) })
	if !found {
		return position
	}
	c := &s.jointConstraints[at]
	axis := c.axis.Scale(term.coefficient)
	anchor := s.pose(j.child).Apply(s.bodies.massProps[j.child].com).Add(c.armB)
	force, torque := r3.Vec{}, axis
	if c.kind == Prismatic {
		force, torque = axis, r3.Vec{}
	}
	s.addWrench(r, j.child, anchor, force, torque)
	if j.parent >= 0 {
		s.addWrench(r, j.parent, anchor, force.Neg(), torque.Neg())
	}
	return c.position
}

// clearShared takes out of a row what moves both of its bodies alike.
func (s *transmissionStepper) clearShared(r *transmissionRow, a, b int32) {
	x, y := &s.bodies.all[a], &s.bodies.all[b]
	if x.articulation > 0 && x.articulation == y.articulation && s.bodies.isAwake(a) {
		articulation.ClearShared(&s.articulations[x.articulation-1].Articulation,
			s.tree(r, x.articulation-1).jacobian, x.link, y.link)
	}
}

// respond computes what a unit of impulse changes.
func (s *transmissionStepper) respond(r *transmissionRow) {
	for i := range r.trees {
		t := &r.trees[i]
		copy(t.response, t.jacobian)
		s.articulations[t.number].SolveInertia(t.response)
		for d := range t.jacobian {
			r.inverseMass += float64(t.jacobian[d] * t.response[d])
		}
	}
	for i := range r.bodies {
		k := &r.bodies[i]
		m := &s.masses[k.index]
		r.inverseMass += float64(m.invMass*k.force.Len2()) + k.torque.Dot(m.invInertia.Apply(k.torque))
	}
	if !(r.inverseMass > minInverseMass) || math.IsInf(r.inverseMass, 0) {
		r.inverseMass = 0
	}
}

// minInverseMass is the least inverse effective mass of a transmission, 1/kg or 1/(kg·m²): with less it moves
// nothing.
const minInverseMass = 1e-12

// speed is the rate of a row's length.
func (s *transmissionStepper) speed(r *transmissionRow) float64 {
	v := r.drift
	for i := range r.trees {
		t := &r.trees[i]
		art := &s.articulations[t.number]
		for d, c := range t.jacobian {
			v += float64(c * art.V(int32(d)))
		}
	}
	for i := range r.bodies {
		k := &r.bodies[i]
		m := &s.states[k.index]
		v += k.force.Dot(m.v) + k.torque.Dot(m.w)
	}
	return v
}

// apply adds an impulse.
func (s *transmissionStepper) apply(r *transmissionRow, impulse float64) {
	r.impulse += impulse
	for i := range r.trees {
		t := &r.trees[i]
		s.articulations[t.number].AddScaledVelocities(impulse, t.response)
	}
	for i := range r.bodies {
		k := &r.bodies[i]
		m, wt := &s.states[k.index], &s.masses[k.index]
		m.v = m.v.AddScaled(float64(impulse*wt.invMass), k.force)
		m.w = m.w.AddScaled(impulse, wt.invInertia.Apply(k.torque))
	}
}

// transmissionRounds is the number of times that transmissions and the rows of the articulations that they
// move are solved in turn in a pass; chosen.
const transmissionRounds = 4

// solve is a pass over the transmissions.
func (s *transmissionStepper) solve(useBias bool) {
	if len(s.transmissionRows) == 0 {
		return
	}
	if !useBias {
		for i := range s.transmissionRows {
			s.transmissionRows[i].law.Relax()
		}
	}
	for range transmissionRounds {
		for i := range s.transmissionRows {
			r := &s.transmissionRows[i]
			if r.inverseMass == 0 {
				continue
			}
			free := s.speed(r) - float64(r.inverseMass*r.impulse)
			s.apply(r, r.law.Impulse(free, r.inverseMass)-r.impulse)
		}
		for _, i := range s.transmissionTrees {
			s.articulations[i].SolveRows(!useBias)
		}
	}
}

// store keeps the impulses for the next substep.
func (s *transmissionStepper) store() {
	for i := range s.transmissionRows {
		r := &s.transmissionRows[i]
		t := &s.transmissions.all[r.at]
		t.impulse, t.speed = r.impulse, s.speed(r)
	}
}

// islandStrings is the transmissions of an island of Newton's method: each piece of a law is a row there.
type islandStrings struct {
	transmissionStepper
	*stringScratch
}

// stringScratch is the memory of islandStrings.
type stringScratch struct {
	row          transmissionRow
	added        []addedString
	dofs         []int32
	coefficients []float64
}

// addedString is a transmission in a problem: its rows, and the impulse that is no row.
type addedString struct {
	at, firstRow, rows int32
	constant           float64
	before             float64 // speed at the substep's beginning
}

// add adds the transmissions of an island to its problem, in a substep of h seconds. Links stand where they
// will be in its middle, or where they are.
func (n *islandStrings) add(k *newtonIsland, p *newton.Problem, h float64, middle bool) {
	n.added = n.added[:0]
	r := &n.row
	for _, at := range k.transmissions {
		t := &n.transmissions.all[at]
		length := n.measure(r, t)
		speed := n.speed(r)
		n.collect(k, r)
		if middle {
			for i := range r.trees {
				for d, c := range r.trees[i].jacobian {
					length -= float64(0.5 * h * c * n.articulations[r.trees[i].number].V(int32(d)))
				}
			}
		}
		if !(r.inverseMass > minInverseMass) || len(n.dofs) == 0 {
			continue
		}
		out := addedString{at: at, firstRow: p.JointRows(), before: speed}
		if t.passive.Armature > 0 {
			out.before = t.before(speed)
		}
		law := transmission.NewLaw(&t.passive, &t.motor, length, speed, out.before, r.inverseMass, h)
		for i := range law.Pieces() {
			piece := &law.Pieces()[i]
			if piece.Slope == 0 {
				j := piece.At(0)
				out.constant += j
				for at, d := range n.dofs {
					p.Momentum[d] += float64(j * n.coefficients[at])
				}
				continue
			}
			out.rows++
			p.AddJointRow(&newton.Row{Target: piece.Offset/piece.Slope - r.drift, Compliance: 1 / piece.Slope,
				RelaxedTarget: (piece.Offset-piece.Recovery)/piece.Slope - r.drift,
				Lower:         piece.Lower, Upper: piece.Upper}, n.dofs, n.coefficients)
		}
		n.added = append(n.added, out)
	}
}

// collect finds the row's degrees of freedom in the problem, and its inverse effective mass.
func (n *islandStrings) collect(k *newtonIsland, r *transmissionRow) {
	n.dofs, n.coefficients = n.dofs[:0], n.coefficients[:0]
	for i := range r.trees {
		t := &r.trees[i]
		at := slices.Index(k.articulations, t.number)
		if at < 0 {
			continue
		}
		tree := k.trees[at]
		r.inverseMass += tree.InverseWeight(t.jacobian)
		for d, c := range t.jacobian {
			if c != 0 {
				n.dofs, n.coefficients = append(n.dofs, tree.FirstDOF()+int32(d)), append(n.coefficients, c)
			}
		}
	}
	for i := range r.bodies {
		b := &r.bodies[i]
		m, v := &n.masses[b.index], &n.states[b.index]
		at, found := slices.BinarySearch(k.bodies, b.index)
		if !found { // it moves as the problem does not change
			r.drift += b.force.Dot(v.v) + b.torque.Dot(v.w)
			continue
		}
		r.inverseMass += float64(m.invMass*b.force.Len2()) + b.torque.Dot(m.invInertia.Apply(b.torque))
		for axis := range 3 {
			n.dofs = append(n.dofs, k.firstDof+int32(6*at+axis), k.firstDof+int32(6*at+3+axis))
			n.coefficients = append(n.coefficients, b.force.At(axis), b.torque.At(axis))
		}
	}
}

// takeImpulses keeps the impulses of the solved problem.
func (n *islandStrings) takeImpulses(p *newton.Problem) {
	for i := range n.added {
		a := &n.added[i]
		sum := a.constant
		for row := range a.rows {
			sum += p.JointImpulse(a.firstRow + row)
		}
		t := &n.transmissions.all[a.at]
		t.impulse, t.speed = sum, a.before
		if m := t.passive.Armature; m > 0 && a.rows > 0 { // its row is the first
			t.speed -= p.JointImpulse(a.firstRow) / m
		}
	}
}
