package robot

import (
	"simdeck/ros/msgs/controlmsgs"
	"simdeck/ros/msgs/trajectorymsgs"
	"simdeck/ros/node"
	"simdeck/ros/serve/control"
	"simdeck/sim"
)

// trajectoryController is the name of the controller of trajectories.
const trajectoryController = "joint_trajectory_controller"

// follower has the joints follow trajectories.
func (m *motors) follower() *control.Follower {
	return &control.Follower{Backend: m.backend, Entity: m.entity}
}

// followTopic takes trajectories that nobody waits for.
func (m *motors) followTopic(f *RobotPublisher, r *robot) error {
	return listen(f, r, f.take(r, trajectoryController+"/joint_trajectory"), m.untold)
}

// untold is a trajectory without tolerances, whose end nobody is told of.
func (m *motors) untold(t *trajectorymsgs.JointTrajectory) (sim.Command, error) {
	return m.follower().Command(t, nil, nil, 0)
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
		node.ActionServerConfig[controlmsgs.FollowJointTrajectoryGoal, control.FollowResult,
			control.FollowFeedback]{
			Name: name, Action: controlmsgs.FollowJointTrajectoryAction(), Execute: m.follower().Execute,
			InOrder: true}) // a later goal replaces an earlier one
	if err == nil {
		r.ends = append(r.ends, s)
	}
	return err
}
