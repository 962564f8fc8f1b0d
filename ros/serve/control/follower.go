package control

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"simdeck/ros/msgs/builtininterfaces"
	"simdeck/ros/msgs/controlmsgs"
	"simdeck/ros/msgs/stdmsgs"
	"simdeck/ros/msgs/trajectorymsgs"
	"simdeck/ros/node"
	"simdeck/sim"
	"simdeck/sim/trajectory"
)

// feedbackPeriod is the period of a goal's feedback, of the wall clock.
const feedbackPeriod = 50 * time.Millisecond

// FollowGoal, FollowResult and FollowFeedback are those of the action of trajectories.
type (
	FollowGoal = node.Goal[controlmsgs.FollowJointTrajectoryGoal,
		controlmsgs.FollowJointTrajectoryFeedback]
	FollowResult   = controlmsgs.FollowJointTrajectoryResult
	FollowFeedback = controlmsgs.FollowJointTrajectoryFeedback
)

// errGone ends a goal whose robot, or whose world, is no more.
var errGone = errors.New("the robot is gone, or was reset")

// errCommand is a message on a topic of commands that cannot be meant.
var errCommand = errors.New("not understood")

// Follower has joints of an entity follow trajectories.
type Follower struct {
	Backend sim.Backend
	Entity  string
}

// Command is a trajectory as a command.
func (f *Follower) Command(t *trajectorymsgs.JointTrajectory, path, goal []controlmsgs.JointTolerance,
	within time.Duration) (sim.Command, error) {
	c := sim.FollowTrajectory{Name: f.Entity, Joints: t.JointNames, Start: node.SimDuration(t.Header.Stamp),
		GoalTime: within}
	for i := range t.Points {
		p := &t.Points[i]
		c.Points = append(c.Points, trajectory.Point{At: span(p.TimeFromStart), Positions: p.Positions,
			Velocities: p.Velocities, Accelerations: p.Accelerations})
	}
	var err1, err2 error
	c.Path, err1 = tolerances(t.JointNames, path)
	c.Goal, err2 = tolerances(t.JointNames, goal)
	return c, errors.Join(err1, err2)
}

// tolerances are those of the joints in their order. Values below 0 are no tolerances, as in ros2_control.
func tolerances(joints []string, given []controlmsgs.JointTolerance) ([]sim.JointTolerance, error) {
	if len(given) == 0 {
		return nil, nil
	}
	out := make([]sim.JointTolerance, len(joints))
	for _, t := range given {
		i := slices.Index(joints, t.Name)
		if i < 0 {
			return nil, fmt.Errorf("%w: a tolerance for joint %q, which the trajectory has not", errCommand,
				t.Name)
		}
		out[i] = sim.JointTolerance{Position: max(0, t.Position), Velocity: max(0, t.Velocity)}
	}
	return out, nil
}

// Execute follows a goal to its end. One that cannot be followed has not begun, and its result says why.
func (f *Follower) Execute(ctx context.Context, g *FollowGoal) (*FollowResult, error) {
	q := g.Request
	within := span(q.GoalTimeTolerance)
	c, err := f.Command(&q.Trajectory, q.PathTolerance, q.GoalTolerance, max(0, within))
	if err == nil && len(q.Trajectory.Points) == 0 && len(q.MultiDofTrajectory.Points) > 0 {
		err = fmt.Errorf("%w: joints of several degrees of freedom are not followed", errCommand)
	}
	if err != nil {
		return refused(err), err
	}
	ctx = sim.WithSender(ctx, "ros")
	begun, err := sim.Call[sim.TrajectoryBegun](ctx, f.Backend, c)
	if err != nil {
		return refused(err), err
	}
	g.Begun()
	w := &watcher{goal: g, follower: f, id: begun.ID}
	w.feedback.JointNames = q.Trajectory.JointNames
	return w.watch(ctx)
}

// refused is the result of a goal that did not begin.
func refused(err error) *FollowResult {
	code := controlmsgs.FollowJointTrajectoryResultInvalidGoal
	if errors.Is(err, sim.ErrNotFound) || errors.Is(err, sim.ErrUnsupported) {
		code = controlmsgs.FollowJointTrajectoryResultInvalidJoints
	}
	return &FollowResult{ErrorCode: code, ErrorString: err.Error()}
}

// watcher looks how far a goal is.
type watcher struct {
	goal     *FollowGoal
	follower *Follower
	id       uint64
	feedback FollowFeedback
}

// watch publishes the progress of the goal until it ends.
func (w *watcher) watch(ctx context.Context) (*FollowResult, error) {
	pictures := w.follower.Backend.Subscribe(sim.Latest(feedbackPeriod))
	defer pictures.Close()
	pictures.WantSensors(false)
	for s := w.follower.Backend.Snapshot(); ; {
		i := slices.IndexFunc(s.Trajectories, func(t sim.TrajectoryState) bool { return t.ID == w.id })
		if i < 0 {
			return &FollowResult{ErrorCode: controlmsgs.FollowJointTrajectoryResultInvalidGoal,
				ErrorString: errGone.Error()}, errGone
		}
		w.tell(s, &s.Trajectories[i])
		if t := &s.Trajectories[i]; t.Status != sim.TrajectoryFollowing {
			return ended(t)
		}
		more := true
		select {
		case <-ctx.Done():
			return w.cancel(ctx)
		case s, more = <-pictures.C():
		}
		if !more {
			return nil, sim.ErrClosed
		}
	}
}

// cancel ends the trajectory because its client asked for that, or the node ends.
func (w *watcher) cancel(ctx context.Context) (*FollowResult, error) {
	_, err := w.follower.Backend.Do(context.WithoutCancel(ctx),
		sim.EndTrajectory{Name: w.follower.Entity, ID: w.id})
	if err != nil && !errors.Is(err, sim.ErrNotFound) {
		return &FollowResult{ErrorString: err.Error()}, err
	}
	return &FollowResult{ErrorString: "cancelled"}, context.Cause(ctx)
}

// ended is the result of a trajectory that ended by itself.
func ended(t *sim.TrajectoryState) (*FollowResult, error) {
	r := &FollowResult{ErrorString: t.Why}
	switch t.Status {
	case sim.TrajectoryReached:
		return r, nil
	case sim.TrajectoryPathMissed:
		r.ErrorCode = controlmsgs.FollowJointTrajectoryResultPathToleranceViolated
	case sim.TrajectoryGoalMissed:
		r.ErrorCode = controlmsgs.FollowJointTrajectoryResultGoalToleranceViolated
	default:
		r.ErrorCode = controlmsgs.FollowJointTrajectoryResultInvalidGoal
	}
	return r, fmt.Errorf("%w: %s: %s", sim.ErrFailed, t.Status, t.Why)
}

// tell sends the feedback of a moment.
func (w *watcher) tell(s *sim.Snapshot, t *sim.TrajectoryState) {
	joints := s.JointsOf(t.Entity)
	if len(t.Position) == 0 {
		return // it has not begun
	}
	f := &w.feedback
	f.Header = stdmsgs.Header{Stamp: node.SimTime(s.Time)}
	desired, actual, off := &f.Desired, &f.Actual, &f.Error
	*desired = trajectorymsgs.JointTrajectoryPoint{Positions: t.Position, Velocities: t.Velocity}
	*actual, *off = trajectorymsgs.JointTrajectoryPoint{}, trajectorymsgs.JointTrajectoryPoint{}
	at := max(0, t.Elapsed)
	desired.TimeFromStart = builtininterfaces.Duration{Sec: int32(at / time.Second),
		Nanosec: uint32(at % time.Second)}
	actual.TimeFromStart, off.TimeFromStart = desired.TimeFromStart, desired.TimeFromStart
	for k, j := range t.Joints {
		q := joints[j]
		actual.Positions, actual.Velocities = append(actual.Positions, q.Position),
			append(actual.Velocities, q.Velocity)
		off.Positions, off.Velocities = append(off.Positions, t.Position[k]-q.Position),
			append(off.Velocities, t.Velocity[k]-q.Velocity)
	}
	// Feedback that cannot be sent leaves the result, which says all.
	_ = w.goal.Feedback(f)
}
