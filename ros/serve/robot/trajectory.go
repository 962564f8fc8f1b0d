package robot

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"simdeck/ros/msgs/builtininterfaces"
	"simdeck/ros/msgs/controlmsgs"
	"simdeck/ros/msgs/trajectorymsgs"
	"simdeck/ros/node"
	"simdeck/sim"
	"simdeck/sim/trajectory"
)

// Of the controller of trajectories: its name, and how often it tells how far a goal is, of the wall clock.
const (
	trajectoryController = "joint_trajectory_controller"
	feedbackPeriod       = 50 * time.Millisecond
)

type (
	followGoal = node.Goal[controlmsgs.FollowJointTrajectoryGoal,
		controlmsgs.FollowJointTrajectoryFeedback]
	followResult   = controlmsgs.FollowJointTrajectoryResult
	followFeedback = controlmsgs.FollowJointTrajectoryFeedback
)

// errGone ends a goal whose robot, or whose world, is no more.
var errGone = errors.New("the robot is gone, or was reset")

// followTopic takes trajectories that nobody waits for.
func (m *motors) followTopic(f *RobotPublisher, r *robot) error {
	return listen(f, r, f.take(r, trajectoryController+"/joint_trajectory"), m.untold)
}

// untold is a trajectory without tolerances, whose end nobody is told of.
func (m *motors) untold(t *trajectorymsgs.JointTrajectory) (sim.Command, error) {
	return m.follow(t, nil, nil, 0)
}

// followExternal takes trajectories of a controller outside, as drivers of Webots' robots send them; an
// action would publish.
func (m *motors) followExternal(f *RobotPublisher, r *robot) error {
	topic := f.take(r, "joint_trajectory_command")
	s, err := node.NewSubscription(f.node, topic, node.SensorQoS(), carryOut(f, topic, m.untold))
	if err == nil {
		r.ends = append(r.ends, s)
	}
	return err
}

// followAction takes trajectories as goals. One that cannot be followed is
// aborted, and its result says why.
func (m *motors) followAction(f *RobotPublisher, r *robot) error {
	name := f.take(r, trajectoryController+"/follow_joint_trajectory")
	s, err := node.NewActionServer(f.node,
		node.ActionServerConfig[controlmsgs.FollowJointTrajectoryGoal, followResult, followFeedback]{
			Name: name, Action: controlmsgs.FollowJointTrajectoryAction(), Execute: m.execute,
			InOrder: true}) // a later goal replaces an earlier one
	if err == nil {
		r.ends = append(r.ends, s)
	}
	return err
}

// follow is a trajectory as a command.
func (m *motors) follow(t *trajectorymsgs.JointTrajectory, path, goal []controlmsgs.JointTolerance,
	within time.Duration) (sim.Command, error) {
	c := sim.FollowTrajectory{Name: m.entity, Joints: t.JointNames, Start: node.SimDuration(t.Header.Stamp),
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

func span(d builtininterfaces.Duration) time.Duration {
	return time.Duration(d.Sec)*time.Second + time.Duration(d.Nanosec)
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

// execute follows a goal to its end.
func (m *motors) execute(ctx context.Context, g *followGoal) (*followResult, error) {
	q := g.Request
	within := span(q.GoalTimeTolerance)
	c, err := m.follow(&q.Trajectory, q.PathTolerance, q.GoalTolerance, max(0, within))
	if err == nil && len(q.Trajectory.Points) == 0 && len(q.MultiDofTrajectory.Points) > 0 {
		err = fmt.Errorf("%w: joints of several degrees of freedom are not followed", errCommand)
	}
	if err != nil {
		return refused(err), err
	}
	ctx = sim.WithSender(ctx, "ros")
	begun, err := sim.Call[sim.TrajectoryBegun](ctx, m.backend, c)
	if err != nil {
		return refused(err), err
	}
	g.Begun()
	w := &watcher{goal: g, motors: m, id: begun.ID}
	w.feedback.JointNames = q.Trajectory.JointNames
	return w.watch(ctx)
}

// refused is the result of a goal that did not begin.
func refused(err error) *followResult {
	code := controlmsgs.FollowJointTrajectoryResultInvalidGoal
	if errors.Is(err, sim.ErrNotFound) || errors.Is(err, sim.ErrUnsupported) {
		code = controlmsgs.FollowJointTrajectoryResultInvalidJoints
	}
	return &followResult{ErrorCode: code, ErrorString: err.Error()}
}

// watcher looks how far a goal is.
type watcher struct {
	goal     *followGoal
	motors   *motors
	id       uint64
	feedback followFeedback
}

// watch publishes the progress of the goal until it ends.
func (w *watcher) watch(ctx context.Context) (*followResult, error) {
	pictures := w.motors.backend.Subscribe(sim.Latest(feedbackPeriod))
	defer pictures.Close()
	pictures.WantSensors(false)
	for s := w.motors.backend.Snapshot(); ; {
		i := slices.IndexFunc(s.Trajectories, func(t sim.TrajectoryState) bool { return t.ID == w.id })
		if i < 0 {
			return &followResult{ErrorCode: controlmsgs.FollowJointTrajectoryResultInvalidGoal,
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
func (w *watcher) cancel(ctx context.Context) (*followResult, error) {
	_, err := w.motors.backend.Do(context.WithoutCancel(ctx),
		sim.EndTrajectory{Name: w.motors.entity, ID: w.id})
	if err != nil && !errors.Is(err, sim.ErrNotFound) {
		return &followResult{ErrorString: err.Error()}, err
	}
	return &followResult{ErrorString: "cancelled"}, context.Cause(ctx)
}

// ended is the result of a trajectory that ended by itself.
func ended(t *sim.TrajectoryState) (*followResult, error) {
	r := &followResult{ErrorString: t.Why}
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
	f.Header = header(s.Time, "")
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
