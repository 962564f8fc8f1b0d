package control

import (
	"fmt"

	"simdeck/sim"
	"simdeck/sim/scene"
	"simdeck/sim/statecodec"
	"simdeck/sim/trajectory"
)

// Hash takes in what decides the steps to come: what motors and drives were told, how trajectories go, and
// the schedules of odometry.
func (c *Controller) Hash(d *statecodec.Digest) {
	for i := range c.motors {
		d.Word(uint64(c.motors[i].mode))
		d.Float(c.motors[i].target)
		for _, bound := range [2]float64{c.motors[i].speed, c.motors[i].effort} {
			if bound != 0 { // keeps the hashes of earlier recordings
				d.Float(bound)
			}
		}
	}
	for _, a := range c.activations {
		d.Float(a)
	}
	c.actuators.hash(d)
	c.rotorSet.hash(d)
	c.tracks.hash(d)
	c.bladderSet.hash(d)
	c.batterySet.hash(d)
	for i := range c.trajectories {
		t := &c.trajectories[i]
		d.Word(t.id)
		d.Word(uint64(t.elapsed))
		d.Word(uint64(t.status))
	}
	for i, g := range c.lamps.glows {
		if g != (scene.Glow{}) { // keeps the hashes of earlier recordings
			d.Word(uint64(i))
			for _, x := range g {
				d.Float(float64(x))
			}
		}
	}
	word := func(x *uint64) { d.Word(*x) }
	c.Actor().CodeState(word)
	c.Signal().CodeState(word)
	for i := range c.drives {
		v := &c.drives[i]
		for _, x := range v.State() {
			d.Float(x)
		}
		if v.Steered() {
			for _, x := range v.CarNumbers() {
				d.Float(x)
			}
		}
		if v.propelled() {
			d.Float(v.Target(0).Linear.Z)
			d.Word(map[bool]uint64{true: 1}[v.idle])
		}
		for _, x := range v.lags() {
			d.Float(x)
		}
		v.patrol.hash(d)
		d.Word(uint64(v.schedule.Next()))
		d.Word(v.odometry.Seq)
	}
}

// CodeMotors visits what motors were told, and how far they follow it.
func (c *Controller) CodeMotors(v statecodec.Visitor) {
	for i := range c.motors {
		statecodec.Whole(v, &c.motors[i].mode)
		v.Floats(&c.motors[i].target, &c.motors[i].speed, &c.motors[i].effort)
	}
	for i := range c.activations {
		v.Floats(&c.activations[i])
	}
	c.actuators.code(v)
	c.rotorSet.code(v)
	c.tracks.code(v)
	c.bladderSet.code(v)
	c.batterySet.code(v)
}

// CodeDrives visits what drives remember.
func (c *Controller) CodeDrives(v statecodec.Visitor) {
	for i := range c.drives {
		d := &c.drives[i]
		d.CodeState(v)
		v.Flag(&d.idle)
		for _, a := range [...]*[4]float64{&d.target.Wheels, &d.current.Wheels, &d.odometryError.radiusError,
			&d.odometryError.traveled, &d.odometryError.predicted} {
			v.Floats(&a[0], &a[1], &a[2], &a[3])
		}
		for _, a := range [...]*[2]float64{&d.target.Steer, &d.current.Steer} {
			v.Floats(&a[0], &a[1])
		}
		v.Flag(&d.odometryError.begun)
		d.schedule.CodeState(v)
		v(&d.odometry.Seq)
		v.Duration(&d.odometry.Time)
		v.Pose(&d.odometry.Pose)
		v.Twist(&d.odometry.Twist)
		v.Twist(&d.odometry.Target)
		v.Pose(&d.origin)
		v(&d.collisions)
		for k := range d.lags() {
			v.Floats(&d.course[k])
		}
		d.patrol.code(v)
	}
}

// RestorableTrajectories are the trajectories as RestoreTrajectories takes them up.
func (c *Controller) RestorableTrajectories() (out []sim.RestoredTrajectory) {
	for i := range c.trajectories {
		t := &c.trajectories[i]
		out = append(out,
			sim.RestoredTrajectory{ID: t.id, Joints: t.joints, Points: t.points, Path: t.path.Points(),
				Elapsed: t.elapsed, Within: t.within, Goal: t.goal,
				GoalWithin: t.goalWithin, Status: t.status, Why: t.why})
	}
	return out
}

// RestoreTrajectories takes up trajectories where another controller left them.
func (c *Controller) RestoreTrajectories(list []sim.RestoredTrajectory) error {
	if len(list) > maxTrajectories {
		return fmt.Errorf("%w: %d trajectories; want at most %d", sim.ErrFailed, len(list),
			maxTrajectories)
	}
	for i := range list {
		t := &list[i]
		if err := c.checkRestored(t); err != nil {
			return err
		}
		c.trajectories = append(c.trajectories,
			trajectoryExecution{t.ID, t.Joints, t.Points, trajectory.Restore(t.Path), t.Elapsed, t.Within,
				t.Goal, t.GoalWithin, t.Status, t.Why})
	}
	return nil
}

// checkRestored checks a trajectory of a file.
func (c *Controller) checkRestored(t *sim.RestoredTrajectory) error {
	for _, j := range t.Joints {
		if j < 0 || j >= len(c.joints) || !c.model.IsActuated(j) {
			return fmt.Errorf("%w: a trajectory of joint %d of %d", sim.ErrFailed, j, len(c.joints))
		}
	}
	// a path begins with one point more
	for _, points := range [...][]trajectory.Point{t.Points, t.Path[:min(1, len(t.Path))],
		t.Path[min(1, len(t.Path)):]} {
		if len(points) == 0 {
			continue
		}
		if err := trajectory.Check(len(t.Joints), points); err != nil {
			return fmt.Errorf("%w: %w", sim.ErrFailed, err)
		}
	}
	for _, list := range [...][]sim.JointTolerance{t.Within, t.Goal} {
		if len(list) != 0 && len(list) != len(t.Joints) {
			return fmt.Errorf("%w: %d tolerances for %d joints", sim.ErrFailed, len(list), len(t.Joints))
		}
	}
	return nil
}
