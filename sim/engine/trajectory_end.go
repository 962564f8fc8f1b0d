package engine

import (
	"fmt"
	"math"

	"simdeck/sim"
)

// goalSpeedTolerance is how slow a joint must be at a goal that has a tolerance, as in
// ros2_control (stopped_velocity_tolerance), rad/s or m/s.
const goalSpeedTolerance = 0.01

// checkTrajectories looks after a step how an entity's trajectories go.
func (w *World) checkTrajectories(e *entity) {
	for i := range e.trajectories {
		if t := &e.trajectories[i]; t.status == sim.TrajectoryFollowing && t.path != nil {
			w.checkTrajectory(e, t)
		}
	}
}

func (w *World) checkTrajectory(e *entity, t *activeTrajectory) {
	over := t.elapsed - t.path.Length()
	if over < 0 {
		if why := w.toleranceViolation(e, t, t.within, 0); why != "" {
			w.finishTrajectory(e, t, sim.TrajectoryPathMissed, why)
		}
		return
	}
	why := w.toleranceViolation(e, t, t.goal, goalSpeedTolerance)
	switch {
	case why == "":
		t.end(sim.TrajectoryReached, "")
	case t.goalWithin > 0 && over > t.goalWithin:
		w.finishTrajectory(e, t, sim.TrajectoryGoalMissed, why)
	}
}

// finishTrajectory gives a trajectory up: its joints hold where they are.
func (w *World) finishTrajectory(e *entity, t *activeTrajectory, s sim.TrajectoryStatus, why string) {
	for _, j := range t.joints {
		w.holdJointAt(e, j, w.physics.Joint(e.joints[j]).State().Position)
	}
	t.end(s, why)
	w.report(sim.Warn, e.name, "trajectory %d: %s: %s", t.id, s, why)
}

// toleranceViolation says which joint is out of its tolerance; empty: none. Where no
// velocity is given a joint must be as slow as still says, if that is not 0.
func (w *World) toleranceViolation(e *entity, t *activeTrajectory, within []sim.JointTolerance,
	stoppedSpeed float64) string {
	for k, tol := range within {
		j := t.joints[k]
		q, v := t.path.At(t.elapsed, k)
		s := w.physics.Joint(e.joints[j]).State()
		if tol.Velocity == 0 && tol.Position > 0 {
			tol.Velocity = stoppedSpeed
		}
		if off := math.Abs(s.Position - q); tol.Position > 0 && off > tol.Position {
			return fmt.Sprintf("joint %q is at %.4g, %.3g from %.4g; %g is allowed",
				e.model.Spec.Joints[j].Name, s.Position, off, q, tol.Position)
		}
		if off := math.Abs(s.Velocity - v); tol.Velocity > 0 && off > tol.Velocity {
			return fmt.Sprintf("joint %q moves with %.4g and not %.4g; %g is allowed",
				e.model.Spec.Joints[j].Name, s.Velocity, v, tol.Velocity)
		}
	}
	return ""
}

// copyTrajectories copies how the trajectories go.
func (w *World) copyTrajectories(s *sim.Snapshot) {
	for i, e := range w.entities {
		for k := range e.trajectories {
			t := &e.trajectories[k]
			shown := sim.TrajectoryState{ID: t.id, Entity: i, Joints: t.joints, Elapsed: t.elapsed,
				Status: t.status, Why: t.why}
			if t.path != nil {
				for n := range t.joints {
					q, v := t.path.At(t.elapsed, n)
					shown.Position, shown.Velocity = append(shown.Position, q), append(shown.Velocity, v)
				}
			}
			s.Trajectories = append(s.Trajectories, shown)
		}
	}
}
