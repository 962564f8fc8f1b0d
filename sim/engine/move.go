package engine

import (
	"fmt"

	"simdeck/sim"
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
		if m.e.release(w.physics) {
			w.report(sim.Info, "engine", "%q moves again", m.e.name)
		}
		if err := m.e.moveTo(w.physics, m.pose, m.twist); err != nil {
			return fmt.Errorf("%w: entity %q: %w", sim.ErrFailed, m.e.name, err)
		}
		if m.e.control.Moved(w.physics, m.turned, w.clock.control(), m.e.carSurroundings(w.physics)) {
			w.snapshots.sampleStep++
		}
	}
	if m.pushed {
		m.e.wrench, m.e.hasWrench = m.push, true
		m.e.wake(w.physics)
		w.entities.rebuildActive()
	}
	return nil
}

// moveTo puts the canonical link to a pose with a twist and the other bodies
// along with it, each moving against it as before.
func (e *entity) moveTo(p *dynamics.World, pose r3.Pose, twist r3.Twist) error {
	from := e.linkPose(p, e.model.Spec.Canonical)
	was := e.linkTwist(p, e.model.Spec.Canonical)
	shift := pose.Mul(from.Inverse())
	for _, id := range e.bodies {
		at := p.Body(id).Pose()
		own := p.Body(id).Twist()
		own.Linear = own.Linear.Sub(was.At(at.Pos.Sub(from.Pos)))
		own.Angular = own.Angular.Sub(was.Angular)
		to := shift.Mul(at)
		to.Rot, _ = to.Rot.Unit()
		if err := p.Body(id).SetPose(to); err != nil {
			return err
		}
		if e.static() {
			continue
		}
		if err := p.Body(id).SetTwist(r3.Twist{
			Linear:  twist.At(to.Pos.Sub(pose.Pos)).Add(shift.Rot.Rotate(own.Linear)),
			Angular: twist.Angular.Add(shift.Rot.Rotate(own.Angular)),
		}); err != nil {
			return err
		}
	}
	p.MeasureJoints()
	e.wake(p)
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
	return p.Body(e.bodies[at.Body]).Pose().Mul(at.Pose)
}

// linkTwist is the velocity of a link's origin in the world.
func (e *entity) linkTwist(p *dynamics.World, link int) r3.Twist {
	at := &e.model.Placements[link]
	id := e.bodies[at.Body]
	t := p.Body(id).Twist()
	t.Linear = t.At(p.Body(id).Pose().Rot.Rotate(at.Pose.Pos))
	return t
}
