package control

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"simdeck/ros/msgs/builtininterfaces"
	"simdeck/ros/msgs/controlmsgs"
	"simdeck/ros/msgs/trajectorymsgs"
	"simdeck/ros/node"
	"simdeck/sim"
	"simdeck/sim/scene"
)

// follower is joint_trajectory_controller. The engine interpolates and follows; whatever interface is
// claimed, the joints go to the positions.
type follower struct {
	Follower
	c        *controller
	joints   []string
	partial  bool // trajectories may leave joints out
	within   time.Duration
	path     map[string]float64 // tolerances of a joint, rad or m
	goal     map[string]float64
	told     *node.Publisher[controlmsgs.JointTrajectoryControllerState]
	msg      controlmsgs.JointTrajectoryControllerState
	index    []int // of the joints in the Spec
	toldRate float64
	current  uint64 // trajectory that is followed, or was last; 0: none since it began

	mu    sync.Mutex
	goals map[node.GoalID]context.CancelCauseFunc // under way
}

func followerParameters() []node.Declaration {
	return []node.Declaration{texts("joints"), texts("command_joints"), texts("command_interfaces"),
		texts("state_interfaces"), truth("allow_partial_joints_goal", false),
		truth("allow_nonzero_velocity_at_trajectory_end", false), truth("open_loop_control", false),
		number("state_publish_rate", 50), number("action_monitor_rate", 20), number("cmd_timeout", 0),
		number("constraints.goal_time", 0), number("constraints.stopped_velocity_tolerance", 0.01),
		text("interpolation_method", "splines")}
}

func (f *follower) configure(c *controller) (w wants, err error) {
	f.c, f.goals = c, map[node.GoalID]context.CancelCauseFunc{}
	f.Backend, f.Entity = c.manager.config.Backend, c.manager.config.Entity
	if f.joints, err = c.required("joints"); err != nil {
		return w, err
	}
	commands, states := c.texts("command_interfaces"), c.texts("state_interfaces")
	if err := checkInterfaces(commands, states); err != nil {
		return w, err
	}
	moved := f.joints
	if given := c.texts("command_joints"); len(given) > 0 {
		if len(given) != len(f.joints) {
			return w, fmt.Errorf("%w: %d command_joints for %d joints", errParameters, len(given),
				len(f.joints))
		}
		moved = given
	}
	w = wants{interfacesOf(moved, commands), interfacesOf(f.joints, states)}
	f.partial = c.truth("allow_partial_joints_goal")
	f.within = time.Duration(c.number("constraints.goal_time") * float64(time.Second))
	f.path, f.goal = map[string]float64{}, map[string]float64{}
	for _, j := range f.joints {
		f.path[j], f.goal[j] = c.number("constraints."+j+".trajectory"), c.number("constraints."+j+".goal")
		at := slices.IndexFunc(c.manager.config.Spec.Joints,
			func(o scene.Joint) bool { return o.Name == j })
		if at < 0 {
			return w, fmt.Errorf("%w: the robot has no joint %q", errParameters, j)
		}
		f.index = append(f.index, at)
	}
	return w, f.open()
}

// checkInterfaces refuses what no trajectory can be followed with.
func checkInterfaces(commands, states []string) error {
	if len(commands) == 0 {
		return fmt.Errorf("%w: command_interfaces is empty; want position, velocity or effort", errParameters)
	}
	for _, name := range commands {
		if !slices.Contains([]string{"position", "velocity", "acceleration", "effort"}, name) {
			return fmt.Errorf("%w: command_interfaces has %q; want position, velocity, acceleration or effort",
				errParameters, name)
		}
	}
	if !slices.Contains(states, "position") {
		return fmt.Errorf("%w: state_interfaces is %v; want position, and perhaps velocity", errParameters,
			states)
	}
	return nil
}

// open makes the topics and the action.
func (f *follower) open() (err error) {
	f.toldRate = f.c.number("state_publish_rate")
	f.msg.JointNames = f.joints
	n := len(f.joints)
	f.msg.Reference.Positions, f.msg.Reference.Velocities = make([]float64, n), make([]float64, n)
	if f.told, err = publish[controlmsgs.JointTrajectoryControllerState](f.c,
		"~/controller_state"); err != nil {
		return err
	}
	if err := listen(f.c, "~/joint_trajectory", f.take); err != nil {
		return err
	}
	s, err := node.NewActionServer(f.c.node.Node,
		node.ActionServerConfig[controlmsgs.FollowJointTrajectoryGoal, FollowResult, FollowFeedback]{
			Name: "~/follow_joint_trajectory", Action: controlmsgs.FollowJointTrajectoryAction(),
			Accept: f.accept, Execute: f.execute, InOrder: true})
	if err == nil {
		f.c.ends = append(f.c.ends, s)
	}
	return err
}

// check says why a trajectory cannot be followed.
func (f *follower) check(t *trajectorymsgs.JointTrajectory) error {
	for _, name := range t.JointNames {
		if !slices.Contains(f.joints, name) {
			return fmt.Errorf("%w: joint %q is none of the controller's, which are %s", errCommand, name,
				strings.Join(f.joints, ", "))
		}
	}
	if len(t.JointNames) == 0 || len(t.JointNames) < len(f.joints) && !f.partial {
		return fmt.Errorf("%w: a trajectory of %d joints; want all %d (or set allow_partial_joints_goal)",
			errCommand, len(t.JointNames), len(f.joints))
	}
	before := time.Duration(-1)
	for i := range t.Points {
		p := &t.Points[i]
		at := span(p.TimeFromStart)
		if at <= before {
			return fmt.Errorf("%w: point %d is at %v and the one before at %v; want increasing times",
				errCommand, i, at, before)
		}
		before = at
		for _, list := range [][]float64{p.Positions, p.Velocities, p.Accelerations} {
			if len(list) > 0 && len(list) != len(t.JointNames) {
				return fmt.Errorf("%w: point %d has %d numbers for %d joints", errCommand, i, len(list),
					len(t.JointNames))
			}
		}
	}
	return nil
}

// take follows a trajectory whose end nobody is told of.
func (f *follower) take(ctx context.Context, t *trajectorymsgs.JointTrajectory) error {
	if err := f.c.ready(); err != nil {
		return err
	}
	if err := f.check(t); err != nil {
		return err
	}
	c, err := f.Command(t, nil, nil, 0)
	if err != nil {
		return err
	}
	return f.c.send(ctx, c)
}

// accept refuses goals that the controller cannot follow.
func (f *follower) accept(_ context.Context, _ node.Caller, g *controlmsgs.FollowJointTrajectoryGoal) error {
	if err := f.c.ready(); err != nil {
		return err
	}
	if len(g.Trajectory.Points) == 0 {
		return fmt.Errorf("%w: the trajectory has no points", errCommand)
	}
	return f.check(&g.Trajectory)
}

// execute follows a goal, with the controller's tolerances where the goal has none, until it ends or the
// controller becomes inactive.
func (f *follower) execute(ctx context.Context, g *FollowGoal) (*FollowResult, error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	f.mu.Lock()
	f.goals[g.ID] = stop
	f.mu.Unlock()
	defer func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		delete(f.goals, g.ID)
	}()
	if err := f.c.ready(); err != nil {
		return refused(err), err
	}
	q := g.Request
	q.PathTolerance = f.tolerances(q.Trajectory.JointNames, q.PathTolerance, f.path)
	q.GoalTolerance = f.tolerances(q.Trajectory.JointNames, q.GoalTolerance, f.goal)
	if span(q.GoalTimeTolerance) == 0 {
		q.GoalTimeTolerance = builtininterfaces.Duration{Sec: int32(f.within / time.Second),
			Nanosec: uint32(f.within % time.Second)}
	}
	return f.Execute(ctx, g)
}

// tolerances are those of a goal, and of the controller for joints that the goal says nothing of.
func (f *follower) tolerances(joints []string, given []controlmsgs.JointTolerance,
	own map[string]float64) []controlmsgs.JointTolerance {
	for _, j := range joints {
		said := slices.ContainsFunc(given, func(t controlmsgs.JointTolerance) bool { return t.Name == j })
		if x := own[j]; !said && x > 0 && !math.IsNaN(x) {
			given = append(given, controlmsgs.JointTolerance{Name: j, Position: x})
		}
	}
	return given
}

// begin holds the joints where they are.
func (f *follower) begin(l look) []sim.JointTarget {
	if l.snapshot == nil {
		return nil
	}
	f.current = 0
	var all []sim.JointTarget
	states := l.joints()
	for k, i := range f.index {
		f.msg.Reference.Positions[k], f.msg.Reference.Velocities[k] = states[i].Position, 0
		all = append(all, sim.JointTarget{Joint: f.joints[k], Mode: sim.JointPosition,
			Target: states[i].Position})
	}
	return all
}

// end ends the goals that are under way; the joints hold where they are.
func (f *follower) end() []sim.JointTarget {
	f.mu.Lock()
	for _, stop := range f.goals {
		stop(errInactive)
	}
	f.mu.Unlock()
	return f.begin(f.c.manager.now())
}

func (f *follower) show(l look) error {
	states, ref := l.joints(), &f.msg.Reference
	for i := range l.snapshot.Trajectories {
		t := &l.snapshot.Trajectories[i]
		if t.Entity != l.entity || len(t.Position) != len(t.Joints) ||
			t.Status != sim.TrajectoryFollowing && t.ID != f.current {
			continue
		}
		f.current = t.ID
		for k, j := range t.Joints {
			if at := slices.Index(f.index, j); at >= 0 {
				ref.Positions[at], ref.Velocities[at] = t.Position[k], t.Velocity[k]
			}
		}
	}
	if !f.c.due(l, min(f.toldRate, float64(f.c.rate))) {
		return nil
	}
	m := &f.msg
	m.Header.Stamp = node.SimTime(l.time())
	m.Feedback.Positions, m.Feedback.Velocities = m.Feedback.Positions[:0], m.Feedback.Velocities[:0]
	m.Error.Positions, m.Error.Velocities = m.Error.Positions[:0], m.Error.Velocities[:0]
	for k, i := range f.index {
		q, v := states[i].Reported()
		m.Feedback.Positions, m.Feedback.Velocities = append(m.Feedback.Positions, q),
			append(m.Feedback.Velocities, v)
		m.Error.Positions, m.Error.Velocities = append(m.Error.Positions, ref.Positions[k]-q),
			append(m.Error.Velocities, ref.Velocities[k]-v)
	}
	m.Output.Positions, m.SpeedScalingFactor = ref.Positions, 1
	return f.told.Publish(m)
}
