package engine

import (
	"fmt"
	"math"
	"slices"

	"simdeck/sim"
	"simdeck/sim/control"
	"simdeck/sim/dynamics"
	"simdeck/sim/model"
	"simdeck/sim/r3"
)

// maxSpeed is the speed, in m/s and rad/s and their rates, that can be asked for.
const maxSpeed = model.MaxSpeed

// relocation is a SetEntityState that has been checked.
type relocation struct {
	e      *entity
	pose   r3.Pose
	twist  r3.Twist
	moves  bool // to pose and twist
	turned bool // the twist was asked for
	push   r3.Twist
	pushed bool
	back   bool // to where it was: nothing refuses it
}

// setEntityState moves an entity rigidly by its canonical link: the joints
// keep their positions and their velocities.
func (w *World) setEntityState(c sim.SetEntityState) error {
	m, err := w.relocation(c)
	if err != nil {
		return err
	}
	return w.move(m)
}

// moveEntities does all of a list or nothing.
func (w *World) moveEntities(list []sim.SetEntityState) error {
	motions := make([]relocation, len(list))
	for i, c := range list {
		var err error
		if motions[i], err = w.relocation(c); err != nil {
			return err
		}
	}
	back := make([]relocation, len(list))
	for i, m := range motions {
		back[i] = relocation{e: m.e, pose: m.e.linkPose(w.physics, m.e.model.Spec.Canonical),
			twist: m.e.linkTwist(w.physics, m.e.model.Spec.Canonical), moves: m.moves, turned: true,
			back: true}
	}
	for i, m := range motions {
		if err := w.move(m); err != nil {
			for k := i; k >= 0; k-- {
				_ = w.move(back[k]) // where it was an instant ago
			}
			return err
		}
	}
	return nil
}

// relocation checks a SetEntityState and changes nothing.
func (w *World) relocation(c sim.SetEntityState) (relocation, error) {
	e, err := w.entities.find(c.Name)
	if err != nil {
		return relocation{}, err
	}
	frame, carried, err := resolveFrame(c.Frame, w.Snapshot)
	if err != nil {
		return relocation{}, fmt.Errorf("entity %q: %w", c.Name, err)
	}
	return e.relocation(w.physics, c, frame, carried)
}

// relocation checks a SetEntityState in a frame that is carried along.
func (e *entity) relocation(p *dynamics.World, c sim.SetEntityState, frame r3.Pose,
	carried r3.Twist) (relocation, error) {
	m := relocation{e: e, pose: e.linkPose(p, e.model.Spec.Canonical), moves: c.Pose != nil || c.Twist != nil,
		turned: c.Twist != nil}
	if c.Pose != nil {
		pose, err := checkPose(*c.Pose)
		if err != nil {
			return m, fmt.Errorf("entity %q: %w", c.Name, err)
		}
		m.pose = frame.Mul(pose)
	}
	if err := e.checkTwist("twist", c.Twist); err != nil {
		return m, err
	}
	if err := e.checkTwist("acceleration", c.Accel); err != nil {
		return m, err
	}
	m.twist = e.linkTwist(p, e.model.Spec.Canonical)
	if c.Twist != nil {
		m.twist = absolute(frame, carried, m.pose.Pos, *c.Twist)
	}
	if m.pushed = c.Accel != nil && !e.static(); m.pushed {
		m.push = c.Accel.Rotate(frame.Rot)
	}
	return m, nil
}

// checkTwist refuses a twist, or an acceleration, that an entity cannot have.
func (e *entity) checkTwist(what string, t *r3.Twist) error {
	switch {
	case t == nil:
		return nil
	case !t.IsFinite() || t.Linear.MaxAbs() > maxSpeed || t.Angular.MaxAbs() > maxSpeed:
		return fmt.Errorf("%w: %s %v for entity %q; want finite numbers up to %g", sim.ErrFailed, what,
			*t,
			e.name, maxSpeed)
	case *t != r3.Twist{} && e.static():
		return fmt.Errorf("%w: entity %q is static; a %s other than zero cannot be set", sim.ErrFailed,
			e.name,
			what)
	}
	return nil
}

// move does what was checked.
func (w *World) move(m relocation) error {
	if m.moves {
		if err := admitMove(w.options.Limits.Overlaps, w.physics, m.e, m.pose); err != nil && !m.back {
			return fmt.Errorf("entity %q: %w", m.e.name, err)
		}
		group, err := w.entities.carried(w.physics, m.e)
		if err != nil {
			return err
		}
		for _, e := range group {
			if e.release(w.physics) {
				w.report(sim.Info, "engine", "%q moves again", e.name)
			}
		}
		if err := m.e.moveTo(w.physics, m.pose, m.twist, group[1:]...); err != nil {
			return fmt.Errorf("%w: entity %q: %w", sim.ErrFailed, m.e.name, err)
		}
		for _, e := range group {
			if e.control.Moved(w.physics, m.turned, w.clock.control(), e.carSurroundings(w.physics)) {
				w.snapshots.sampleStep++
			}
		}
	}
	if m.pushed {
		m.e.wrench, m.e.hasWrench = m.push, true
		m.e.wake(w.physics)
		w.entities.rebuildActive()
	}
	return nil
}

// rigidMotion takes what stood at a pose, and moved with a twist, to others.
type rigidMotion struct {
	from, to r3.Pose
	was, is  r3.Twist
}

// moveTo puts the canonical link to a pose with a twist. The other bodies go along with it, each moving
// against it as before, and so do those of others.
func (e *entity) moveTo(p *dynamics.World, pose r3.Pose, twist r3.Twist, others ...*entity) error {
	m := rigidMotion{from: e.linkPose(p, e.model.Spec.Canonical), to: pose,
		was: e.linkTwist(p, e.model.Spec.Canonical), is: twist}
	err := e.carry(p, &m)
	for i := 0; i < len(others) && err == nil; i++ {
		err = others[i].carry(p, &m)
	}
	if err != nil {
		return err
	}
	p.MeasureJoints()
	e.wake(p)
	return nil
}

// carry takes all bodies of an entity along with a motion.
func (e *entity) carry(p *dynamics.World, m *rigidMotion) error {
	shift := m.to.Mul(m.from.Inverse())
	for _, id := range e.bodies {
		at := p.Body(id).Pose()
		own := p.Body(id).Twist()
		own.Linear = own.Linear.Sub(m.was.At(at.Pos.Sub(m.from.Pos)))
		own.Angular = own.Angular.Sub(m.was.Angular)
		to := shift.Mul(at)
		to.Rot, _ = to.Rot.Unit()
		if err := p.Body(id).SetPose(to); err != nil {
			return err
		}
		if e.static() {
			continue
		}
		if err := p.Body(id).SetTwist(r3.Twist{
			Linear:  m.is.At(to.Pos.Sub(m.to.Pos)).Add(shift.Rot.Rotate(own.Linear)),
			Angular: m.is.Angular.Add(shift.Rot.Rotate(own.Angular)),
		}); err != nil {
			return err
		}
	}
	return nil
}

func (e *entity) wake(p *dynamics.World) {
	for _, id := range e.bodies {
		p.Body(id).Wake()
	}
}

// linkPose is a link's frame in the world.
func (e *entity) linkPose(p *dynamics.World, link int) r3.Pose {
	at := &e.model.Placements[link]
	pose := p.Body(e.bodies[at.Body]).Pose().Mul(at.Pose)
	if r := e.model.SpunBy(link); r >= 0 {
		angle, _ := e.control.Rotor(r)
		pose = pose.Mul(e.model.Turned(r, angle))
	}
	return pose
}

// linkTwist is the velocity of a link's origin in the world.
func (e *entity) linkTwist(p *dynamics.World, link int) r3.Twist {
	at := &e.model.Placements[link]
	id := e.bodies[at.Body]
	t := p.Body(id).Twist()
	t.Linear = t.At(p.Body(id).Pose().Rot.Rotate(at.Pose.Pos))
	if r := e.model.SpunBy(link); r >= 0 {
		_, speed := e.control.Rotor(r)
		axis := p.Body(id).Pose().Rot.Rotate(at.Pose.Rot.Rotate(e.model.Rotors[r].Axis))
		t.Angular = t.Angular.AddScaled(speed, axis)
	}
	return t
}

// placing is a SetJointPositions that has been checked.
type placing struct {
	e      *entity
	joints []int           // that were asked for, in their order
	at     map[int]float64 // positions by joint, those of mimics included
}

// setJointPositions puts joints at positions. Bodies that hang on them, and entities attached to
// those, go along.
func (s *entitySet) setJointPositions(p *dynamics.World, c sim.SetJointPositions, clock *clock) error {
	m, err := s.placing(c)
	if err != nil {
		return err
	}
	e := m.e
	base, twist := e.linkPose(p, e.model.Spec.Canonical), e.linkTwist(p, e.model.Spec.Canonical)
	to := e.model.PosesBy(base, func(j int) r3.Pose {
		if q, set := m.at[j]; set {
			return e.model.JointTransform(j, q)
		}
		return e.jointPose(p, j)
	})
	others, err := s.hanging(p, e, to)
	if err != nil {
		return err
	}
	for i, id := range e.bodies {
		goes := rigidMotion{from: p.Body(id).Pose(), to: to[i], was: p.Body(id).Twist(),
			is: r3.Twist{Linear: twist.At(to[i].Pos.Sub(base.Pos)), Angular: twist.Angular}}
		for _, o := range others[i] {
			if err := o.carry(p, &goes); err != nil {
				return fmt.Errorf("%w: entity %q: %w", sim.ErrFailed, o.name, err)
			}
		}
		if p.Body(id).Type() == dynamics.Static {
			continue
		}
		if err := p.Body(id).SetPose(to[i]); err != nil {
			return fmt.Errorf("%w: entity %q: %w", sim.ErrFailed, e.name, err)
		}
		if err := p.Body(id).SetTwist(goes.is); err != nil {
			return fmt.Errorf("%w: entity %q: %w", sim.ErrFailed, e.name, err)
		}
	}
	p.MeasureJoints()
	e.wake(p)
	for j, q := range m.at {
		p.Joint(e.joints[j]).CountTurns(q)
	}
	for _, j := range m.joints {
		if err := control.Placed(&e.control, p, j, m.at[j]); err != nil {
			return err
		}
	}
	e.control.Moved(p, false, clock.control(), e.carSurroundings(p))
	return nil
}

// placing checks a SetJointPositions and changes nothing.
func (s *entitySet) placing(c sim.SetJointPositions) (placing, error) {
	e, err := s.find(c.Name)
	if err != nil {
		return placing{}, err
	}
	m := placing{e: e, at: map[int]float64{}}
	switch {
	case e.fault != nil:
		return m, fmt.Errorf("%w: entity %q is contained: move it, or reset the state", sim.ErrFailed, e.name)
	case !e.model.IsTree():
		return m, fmt.Errorf(
			"%w: the joints of %q close a loop, or do not connect its bodies: positions cannot be set",
			sim.ErrUnsupported, e.name)
	}
	for _, at := range c.Positions {
		j, err := e.placeable(at)
		if err != nil {
			return m, err
		}
		if _, again := m.at[j]; again {
			return m, fmt.Errorf("%w: joint %q of %q is given twice", sim.ErrFailed, at.Joint, e.name)
		}
		m.joints, m.at[j] = append(m.joints, j), at.Position
	}
	for range e.model.Joints { // a mimic of a mimic follows as well
		for j := range e.model.Joints {
			follow := &e.model.Spec.Joints[j].Mimic
			if q, led := m.at[follow.Joint]; led && e.model.IsMimic(j) {
				m.at[j] = float64(follow.Multiplier*q) + follow.Offset
			}
		}
	}
	return m, nil
}

// placeable is the joint that is put at a position, where it can be there.
func (e *entity) placeable(at sim.JointPlace) (int, error) {
	names := make([]string, 0, len(e.model.Spec.Joints))
	for j := range e.model.Spec.Joints {
		spec := &e.model.Spec.Joints[j]
		if spec.Name != at.Joint {
			if e.model.Joints[j].Moves {
				names = append(names, spec.Name)
			}
			continue
		}
		kind := e.model.Joints[j].Def.Type
		switch {
		case e.model.IsMimic(j):
			return 0, fmt.Errorf("%w: joint %q of %q follows joint %q; set that", sim.ErrUnsupported,
				at.Joint, e.name, e.model.Spec.Joints[spec.Mimic.Joint].Name)
		case !e.model.Joints[j].Moves, !e.model.Joints[j].IsSingleDOF(), kind == dynamics.Screw:
			return 0, fmt.Errorf(
				"%w: joint %q of %q is a %v joint: positions of revolute, continuous and prismatic ones can be set",
				sim.ErrUnsupported, at.Joint, e.name, kind)
		case !(math.Abs(at.Position) <= model.MaxDistance):
			return 0, fmt.Errorf("%w: position %v for joint %q of %q; want a finite number up to %g",
				sim.ErrFailed, at.Position, at.Joint, e.name, model.MaxDistance)
		case spec.Limit.Set && kind != dynamics.Continuous &&
			!(at.Position >= spec.Limit.Lower && at.Position <= spec.Limit.Upper):
			return 0, fmt.Errorf("%w: position %v for joint %q of %q, whose stops are at %v and %v", sim.ErrFailed,
				at.Position, at.Joint, e.name, spec.Limit.Lower, spec.Limit.Upper)
		}
		return j, nil
	}
	return 0, fmt.Errorf("%w: entity %q has no joint %q%s", sim.ErrNotFound, e.name, at.Joint,
		oneOf(at.Joint, names))
}

// jointPose is a joint's child frame in its parent frame.
func (e *entity) jointPose(p *dynamics.World, j int) r3.Pose {
	joint := &e.model.Joints[j]
	return p.Body(e.bodies[joint.Parent]).Pose().Mul(joint.Def.ParentFrame).
		Relative(p.Body(e.bodies[joint.Child]).Pose().Mul(joint.Def.ChildFrame))
}

// hanging are the entities that are attached to each body of one, and those attached to them. It fails where
// a body that goes elsewhere is attached to something that does not move.
func (s *entitySet) hanging(p *dynamics.World, e *entity, to []r3.Pose) ([][]*entity, error) {
	out, seen := make([][]*entity, len(e.bodies)), []*entity{e}
	for i := range s.attached {
		a := &s.attached[i]
		own, other := a.parent, a.child
		if own.entity != e.name {
			own, other = other, own
		}
		if own.entity != e.name || other.entity == e.name {
			continue
		}
		body := e.model.Placements[own.link].Body
		o, err := s.find(other.entity)
		if err != nil {
			return nil, err
		}
		goes := p.Body(e.bodies[body]).Pose().Relative(to[body])
		if goes.Pos.Len()+goes.Rot.Vector().Len() < 1e-9 || slices.Contains(seen, o) {
			continue
		}
		if p.Body(o.bodies[o.model.Placements[other.link].Body]).Type() != dynamics.Dynamic {
			return nil, fmt.Errorf("%w: link %v of %q is attached to %v, which does not move; detach them first",
				sim.ErrFailed, s.nameOf(own), e.name, s.nameOf(other))
		}
		group, err := s.carried(p, o, e)
		if err != nil {
			return nil, err
		}
		for _, g := range group {
			if !slices.Contains(seen, g) {
				seen, out[body] = append(seen, g), append(out[body], g)
			}
		}
	}
	return out, nil
}
