package engine

import (
	"fmt"
	"math"
	"slices"
	"time"

	"simdeck/sim"
	"simdeck/sim/dynamics"
	"simdeck/sim/trajectory"
)

// maxTrajectories bounds the trajectories that an entity follows or has followed.
const maxTrajectories = 16

// activeTrajectory is a trajectory that some joints of an entity follow.
type activeTrajectory struct {
	id         uint64
	joints     []int // indices into Model.Joints
	points     []trajectory.Point
	path       *trajectory.Path // nil: not begun
	elapsed    time.Duration    // since it began; less than 0: until it does
	within     []sim.JointTolerance
	goal       []sim.JointTolerance
	goalWithin time.Duration
	status     sim.TrajectoryStatus
	why        string
}

// followTrajectory begins one.
func (w *World) followTrajectory(c sim.FollowTrajectory) (sim.Reply, error) {
	e, err := w.find(c.Name)
	if err != nil {
		return nil, err
	}
	t, err := w.newTrajectory(e, &c)
	if err != nil {
		return nil, err
	}
	for i := range e.trajectories {
		if old := &e.trajectories[i]; old.usesAny(t.joints) {
			w.endTrajectoryWith(e, old, sim.TrajectoryReplaced, "another trajectory took its joints")
		}
	}
	e.trajectories = slices.Clone(e.trajectories) // copies of the entity keep theirs
	if len(e.trajectories) >= maxTrajectories {
		i := slices.IndexFunc(e.trajectories,
			func(t activeTrajectory) bool { return t.status != sim.TrajectoryFollowing })
		e.trajectories = slices.Delete(e.trajectories, i, i+1)
	}
	w.lastID++
	t.id = w.lastID
	e.trajectories = append(e.trajectories, t)
	w.rebuildActive()
	return sim.TrajectoryBegun{ID: t.id}, nil
}

// newTrajectory checks a command and makes its track.
func (w *World) newTrajectory(e *entity, c *sim.FollowTrajectory) (activeTrajectory, error) {
	t := activeTrajectory{points: c.Points, within: c.Path, goal: c.Goal, goalWithin: c.GoalTime}
	for k, name := range c.Joints {
		i, err := e.actuatedJoint(name)
		if err != nil {
			return t, err
		}
		if slices.Contains(t.joints, i) {
			return t, fmt.Errorf("%w: joint %q of %q stands twice in the trajectory, at %d again",
				sim.ErrFailed,
				name, c.Name, k+1)
		}
		t.joints = append(t.joints, i)
	}
	if err := trajectory.Check(len(c.Joints), c.Points); err != nil {
		return t, fmt.Errorf("%w: %q: %w", sim.ErrFailed, c.Name, err)
	}
	for _, list := range [...][]sim.JointTolerance{c.Path, c.Goal} {
		if len(list) != 0 && len(list) != len(c.Joints) {
			return t, fmt.Errorf("%w: %d tolerances for %d joints of %q", sim.ErrFailed, len(list),
				len(c.Joints),
				c.Name)
		}
	}
	if c.Start != 0 {
		t.elapsed = w.time - c.Start
	}
	if e.activeTrajectories(t.joints) >= maxTrajectories {
		return t, fmt.Errorf("%w: %q follows %d trajectories already", sim.ErrFailed, c.Name, maxTrajectories)
	}
	if last := c.Points[len(c.Points)-1].At; t.elapsed > last {
		return t, fmt.Errorf("%w: the trajectory for %q ended at %v, it is %v", sim.ErrFailed, c.Name,
			c.Start+last, w.time)
	}
	return t, nil
}

// actuatedJoint is the index of a joint that a motor can move.
func (e *entity) actuatedJoint(name string) (int, error) {
	i, ok := e.joint(name)
	if !ok {
		return 0, fmt.Errorf("%w: entity %q has no joint %q", sim.ErrNotFound, e.name, name)
	}
	if !e.model.IsActuated(i) {
		return 0,
			fmt.Errorf("%w: joint %q of %q has no motor: it is fixed, follows another, or is a %v joint",
				sim.ErrUnsupported, name, e.name, e.model.Joints[i].Def.Type)
	}
	return i, nil
}

// activeTrajectories counts the trajectories that go on beside one of some joints.
func (e *entity) activeTrajectories(joints []int) (n int) {
	for i := range e.trajectories {
		if t := &e.trajectories[i]; t.status == sim.TrajectoryFollowing && !t.usesAny(joints) {
			n++
		}
	}
	return n
}

func (t *activeTrajectory) usesAny(joints []int) bool {
	return t.status == sim.TrajectoryFollowing &&
		slices.ContainsFunc(t.joints, func(j int) bool { return slices.Contains(joints, j) })
}

func (t *activeTrajectory) end(s sim.TrajectoryStatus, why string) { t.status, t.why = s, why }

// endTrajectory ends one on request.
func (w *World) endTrajectory(c sim.EndTrajectory) error {
	e, err := w.find(c.Name)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(e.trajectories, func(t activeTrajectory) bool { return t.id == c.ID })
	if i < 0 {
		return fmt.Errorf("%w: %q follows no trajectory %d", sim.ErrNotFound, c.Name, c.ID)
	}
	t := &e.trajectories[i]
	if t.status == sim.TrajectoryFollowing {
		w.endTrajectoryWith(e, t, sim.TrajectoryCancelled, "on request")
	}
	return nil
}

// endTrajectoryWith ends a trajectory; its joints hold where they should be now.
func (w *World) endTrajectoryWith(e *entity, t *activeTrajectory, s sim.TrajectoryStatus, why string) {
	if t.path != nil {
		for k, j := range t.joints {
			q, _ := t.path.At(t.elapsed, k)
			w.holdJointAt(e, j, q)
		}
	}
	t.end(s, why)
}

// holdJointAt lets a joint hold a position.
func (w *World) holdJointAt(e *entity, j int, q float64) {
	e.motors[j] = motor{sim.JointPosition, q}
	// The joint lives as long as its entity does, and where it is is finite.
	_ = w.setMotor(e, j, e.motors[j])
}

// cancelForJoint ends the trajectory that a joint follows: it is commanded by itself.
func (w *World) cancelForJoint(e *entity, joint int) {
	for i := range e.trajectories {
		if t := &e.trajectories[i]; t.usesAny([]int{joint}) {
			w.endTrajectoryWith(e, t, sim.TrajectoryReplaced,
				fmt.Sprintf("joint %q was commanded by itself", e.model.Spec.Joints[joint].Name))
		}
	}
}

// trackTrajectories sets the motors of what an entity's trajectories move, for the step to come.
func (w *World) trackTrajectories(e *entity, dt float64) {
	for i := range e.trajectories {
		t := &e.trajectories[i]
		if t.status != sim.TrajectoryFollowing {
			continue
		}
		if t.elapsed += w.stepSize; t.elapsed <= 0 {
			continue
		}
		if t.path == nil {
			w.startTrajectory(e, t)
		}
		for k, j := range t.joints {
			w.trackJoint(e, t, k, j, dt)
		}
	}
}

// startTrajectory makes the path from where the joints are.
func (w *World) startTrajectory(e *entity, t *activeTrajectory) {
	q, v, turns := make([]float64, len(t.joints)), make([]float64, len(t.joints)),
		make([]float64, len(t.joints))
	for k, j := range t.joints {
		s := w.physics.Joint(e.joints[j]).State()
		q[k], v[k] = s.Position, s.Velocity
		if e.model.Joints[j].Def.Type == dynamics.Continuous {
			turns[k] = 2 * math.Pi
		}
		e.release(j)
	}
	t.path = trajectory.Begin(q, v, turns, t.points)
}

// trackJoint tells one motor where its joint should be after the step. A motor
// without gains of its own is given the velocity that goes there, so that it
// does not lag behind; what it was off before it makes good in a few steps.
func (w *World) trackJoint(e *entity, t *activeTrajectory, k, j int, dt float64) {
	spec := &e.model.Spec.Joints[j]
	next, _ := t.path.At(t.elapsed, k)
	next = clampToLimits(spec, next)
	m := motor{sim.JointPosition, next}
	if spec.Servo.Stiffness == 0 && t.elapsed < t.path.Length() {
		now, _ := t.path.At(t.elapsed-w.stepSize, k)
		now = clampToLimits(spec, now)
		off := now - w.physics.Joint(e.joints[j]).State().Position
		m = motor{sim.JointVelocity, float64((next-now)/dt) + float64(off*min(30, 0.5/dt))}
	}
	if m == e.motors[j] {
		return // a joint at rest may sleep
	}
	e.motors[j] = m
	// The joint lives as long as its entity does, and its path is finite.
	_ = w.setMotor(e, j, m)
}
