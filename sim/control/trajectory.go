package control

import (
	"fmt"
	"math"
	"slices"
	"time"

	"simdeck/sim"
	"simdeck/sim/dynamics"
	"simdeck/sim/trajectory"
)

const (
	// maxTrajectories bounds the trajectories that an entity follows or has followed.
	maxTrajectories = 16
	// goalSpeedTolerance is the largest speed of a joint at a goal with a tolerance, as in ros2_control
	// (stopped_velocity_tolerance), rad/s or m/s.
	goalSpeedTolerance = 0.01
)

// trajectoryExecution is a trajectory that some joints of an entity follow.
type trajectoryExecution struct {
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

// Follow begins a trajectory, whose number newID gives once nothing refuses it.
func (c *Controller) Follow(p Dynamics, f *sim.FollowTrajectory, clock Clock, newID func() uint64) (uint64,
	error) {
	t, err := c.newTrajectory(f, clock.Now)
	if err != nil {
		return 0, err
	}
	for i := range c.trajectories {
		if old := &c.trajectories[i]; old.usesAny(t.joints) {
			c.endTrajectory(p, old, sim.TrajectoryReplaced, "another trajectory took its joints")
		}
	}
	c.trajectories = slices.Clone(c.trajectories) // copies of the controller keep theirs
	if len(c.trajectories) >= maxTrajectories {
		i := slices.IndexFunc(c.trajectories,
			func(t trajectoryExecution) bool { return t.status != sim.TrajectoryFollowing })
		c.trajectories = slices.Delete(c.trajectories, i, i+1)
	}
	t.id = newID()
	c.trajectories = append(c.trajectories, t)
	return t.id, nil
}

// newTrajectory checks a command and makes its execution.
func (c *Controller) newTrajectory(f *sim.FollowTrajectory, now time.Duration) (trajectoryExecution, error) {
	t := trajectoryExecution{points: f.Points, within: f.Path, goal: f.Goal, goalWithin: f.GoalTime}
	for k, name := range f.Joints {
		i, err := c.actuatedJoint(name)
		if err == nil && c.rotorOf(i) >= 0 {
			err = fmt.Errorf("%w: joint %q of %q has a rotor, which follows no trajectory", sim.ErrUnsupported, name,
				c.name)
		}
		if err != nil {
			return t, err
		}
		if slices.Contains(t.joints, i) {
			return t, fmt.Errorf("%w: joint %q of %q stands twice in the trajectory, at %d again",
				sim.ErrFailed, name, c.name, k+1)
		}
		t.joints = append(t.joints, i)
	}
	if err := trajectory.Check(len(f.Joints), f.Points); err != nil {
		return t, fmt.Errorf("%w: %q: %w", sim.ErrFailed, c.name, err)
	}
	for _, list := range [...][]sim.JointTolerance{f.Path, f.Goal} {
		if len(list) != 0 && len(list) != len(f.Joints) {
			return t, fmt.Errorf("%w: %d tolerances for %d joints of %q", sim.ErrFailed, len(list),
				len(f.Joints), c.name)
		}
	}
	if f.Start != 0 {
		t.elapsed = now - f.Start
	}
	if c.followingBeside(t.joints) >= maxTrajectories {
		return t, fmt.Errorf("%w: %q follows %d trajectories already", sim.ErrFailed, c.name,
			maxTrajectories)
	}
	if last := f.Points[len(f.Points)-1].At; t.elapsed > last {
		return t, fmt.Errorf("%w: the trajectory for %q ended at %v, it is %v", sim.ErrFailed, c.name,
			f.Start+last, now)
	}
	return t, nil
}

// followingBeside counts the trajectories that go on beside one of some joints.
func (c *Controller) followingBeside(joints []int) (n int) {
	for i := range c.trajectories {
		if t := &c.trajectories[i]; t.status == sim.TrajectoryFollowing && !t.usesAny(joints) {
			n++
		}
	}
	return n
}

func (t *trajectoryExecution) usesAny(joints []int) bool {
	return t.status == sim.TrajectoryFollowing &&
		slices.ContainsFunc(t.joints, func(j int) bool { return slices.Contains(joints, j) })
}

func (t *trajectoryExecution) end(s sim.TrajectoryStatus, why string) { t.status, t.why = s, why }

// Cancel ends a trajectory on request; its joints hold where they should be now.
func (c *Controller) Cancel(p Dynamics, id uint64) error {
	i := slices.IndexFunc(c.trajectories, func(t trajectoryExecution) bool { return t.id == id })
	if i < 0 {
		return fmt.Errorf("%w: %q follows no trajectory %d", sim.ErrNotFound, c.name, id)
	}
	if t := &c.trajectories[i]; t.status == sim.TrajectoryFollowing {
		c.endTrajectory(p, t, sim.TrajectoryCancelled, "on request")
	}
	return nil
}

// cancelForJoint ends the trajectory that a joint follows: it is commanded by itself.
func (c *Controller) cancelForJoint(p Dynamics, joint int) {
	for i := range c.trajectories {
		if t := &c.trajectories[i]; t.usesAny([]int{joint}) {
			c.endTrajectory(p, t, sim.TrajectoryReplaced,
				fmt.Sprintf("joint %q was commanded by itself", c.model.Spec.Joints[joint].Name))
		}
	}
}

// endTrajectory ends a trajectory; its joints hold where they should be now.
func (c *Controller) endTrajectory(p Dynamics, t *trajectoryExecution, s sim.TrajectoryStatus, why string) {
	if t.path != nil {
		for k, j := range t.joints {
			q, _ := t.path.At(t.elapsed, k)
			c.holdJointAt(p, j, q)
		}
	}
	t.end(s, why)
}

// holdJointAt lets a joint hold a position.
func (c *Controller) holdJointAt(p Dynamics, j int, q float64) {
	c.motors[j] = motor{mode: sim.JointPosition, target: q}
	// The joint lives as long as its entity does, and where it is is finite.
	_ = c.setMotor(p, j, c.motors[j])
}

// trackTrajectories sets the motors of what trajectories move, for the step to come.
func (c *Controller) trackTrajectories(p Dynamics, clock Clock) {
	for i := range c.trajectories {
		t := &c.trajectories[i]
		if t.status != sim.TrajectoryFollowing {
			continue
		}
		if t.elapsed += clock.StepSize; t.elapsed <= 0 {
			continue
		}
		if t.path == nil {
			c.startTrajectory(p, t)
		}
		for k, j := range t.joints {
			c.trackJoint(p, t, k, j, clock)
		}
	}
}

// startTrajectory makes the path from where the joints are.
func (c *Controller) startTrajectory(p Dynamics, t *trajectoryExecution) {
	q, v, turns := make([]float64, len(t.joints)), make([]float64, len(t.joints)),
		make([]float64, len(t.joints))
	for k, j := range t.joints {
		s := p.Joint(c.joints[j]).State()
		q[k], v[k] = s.Position, s.Velocity
		if c.model.Joints[j].Def.Type == dynamics.Continuous {
			turns[k] = 2 * math.Pi
		}
		c.release(j)
	}
	t.path = trajectory.Begin(q, v, turns, t.points)
}

// trackJoint tells one motor where its joint should be after the step. A motor without gains gets the
// velocity that reaches that position, so that it does not lag behind. It corrects an earlier error within a
// few steps.
func (c *Controller) trackJoint(p Dynamics, t *trajectoryExecution, k, j int, clock Clock) {
	spec, dt := &c.model.Spec.Joints[j], clock.dt()
	next, _ := t.path.At(t.elapsed, k)
	next = clampToLimits(spec, next)
	m := motor{mode: sim.JointPosition, target: next}
	if spec.Servo.Stiffness == 0 && t.elapsed < t.path.Length() {
		now, _ := t.path.At(t.elapsed-clock.StepSize, k)
		now = clampToLimits(spec, now)
		off := now - p.Joint(c.joints[j]).State().Position
		m = motor{mode: sim.JointVelocity, target: float64((next-now)/dt) + float64(off*min(30, 0.5/dt))}
	}
	if m == c.motors[j] {
		return // a joint at rest may sleep
	}
	c.motors[j] = m
	// The joint lives as long as its entity does, and its path is finite.
	_ = c.setMotor(p, j, m)
}

// Trajectories is the number of trajectories in progress or recently ended.
func (c *Controller) Trajectories() int { return len(c.trajectories) }

// CheckTrajectory looks after a step how a trajectory goes. One that misses its path or its goal is given up,
// and its joints hold where they are; the words say so. Otherwise they are empty.
func (c *Controller) CheckTrajectory(p Dynamics, i int) string {
	t := &c.trajectories[i]
	if t.status != sim.TrajectoryFollowing || t.path == nil {
		return ""
	}
	over := t.elapsed - t.path.Length()
	if over < 0 {
		if why := c.toleranceViolation(p, t, t.within, 0); why != "" {
			return c.giveUp(p, t, sim.TrajectoryPathMissed, why)
		}
		return ""
	}
	why := c.toleranceViolation(p, t, t.goal, goalSpeedTolerance)
	switch {
	case why == "":
		t.end(sim.TrajectoryReached, "")
	case t.goalWithin > 0 && over > t.goalWithin:
		return c.giveUp(p, t, sim.TrajectoryGoalMissed, why)
	}
	return ""
}

// giveUp gives a trajectory up: its joints hold where they are.
func (c *Controller) giveUp(p Dynamics, t *trajectoryExecution, s sim.TrajectoryStatus, why string) string {
	for _, j := range t.joints {
		c.holdJointAt(p, j, p.Joint(c.joints[j]).State().Position)
	}
	t.end(s, why)
	return fmt.Sprintf("trajectory %d: %s: %s", t.id, s, why)
}

// toleranceViolation says which joint is out of its tolerance; empty: none. Where no
// velocity is given a joint must be as slow as stoppedSpeed says, if that is not 0.
func (c *Controller) toleranceViolation(p Dynamics, t *trajectoryExecution, within []sim.JointTolerance,
	stoppedSpeed float64) string {
	for k, tol := range within {
		j := t.joints[k]
		q, v := t.path.At(t.elapsed, k)
		s := p.Joint(c.joints[j]).State()
		if tol.Velocity == 0 && tol.Position > 0 {
			tol.Velocity = stoppedSpeed
		}
		if off := math.Abs(s.Position - q); tol.Position > 0 && off > tol.Position {
			return fmt.Sprintf("joint %q is at %.4g, %.3g from %.4g; %g is allowed",
				c.model.Spec.Joints[j].Name, s.Position, off, q, tol.Position)
		}
		if off := math.Abs(s.Velocity - v); tol.Velocity > 0 && off > tol.Velocity {
			return fmt.Sprintf("joint %q moves with %.4g and not %.4g; %g is allowed",
				c.model.Spec.Joints[j].Name, s.Velocity, v, tol.Velocity)
		}
	}
	return ""
}

// AppendTrajectories appends how the trajectories go, as a snapshot shows those of its entity.
func (c *Controller) AppendTrajectories(dst []sim.TrajectoryState, entity int) []sim.TrajectoryState {
	for k := range c.trajectories {
		t := &c.trajectories[k]
		shown := sim.TrajectoryState{ID: t.id, Entity: entity, Joints: t.joints, Elapsed: t.elapsed,
			Status: t.status, Why: t.why}
		if t.path != nil {
			for n := range t.joints {
				q, v := t.path.At(t.elapsed, n)
				shown.Position, shown.Velocity = append(shown.Position, q), append(shown.Velocity, v)
			}
		}
		dst = append(dst, shown)
	}
	return dst
}
