package robot

import (
	"cmp"
	"time"

	"simdeck/ros/geometry"
	"simdeck/ros/msgs/navmsgs"
	"simdeck/ros/node"
	"simdeck/sim"
	"simdeck/sim/scene"
)

// groundTruth publishes the true pose and velocity of a robot's base, the reference of odometry and
// localization. As in every Odometry the velocity is that of the base in its own frame.
type groundTruth struct {
	pub *node.Publisher[navmsgs.Odometry] // nil: the robot is external
	msg *navmsgs.Odometry
}

func (f *RobotPublisher) addGroundTruth(r *robot, called *scene.Truth) error {
	p, err := open[navmsgs.Odometry](f, r, cmp.Or(called.Topic, "ground_truth"), burstQoS())
	if err != nil {
		return err
	}
	r.groundTruth = groundTruth{pub: p, msg: navmsgs.NewOdometry()}
	r.groundTruth.msg.Header.FrameID, r.groundTruth.msg.ChildFrameID = r.root, r.base
	if called.Frame != "" && called.Frame != worldFrame {
		r.groundTruth.msg.Header.FrameID = framed(r.prefix, called.Frame)
	}
	if called.BaseFrame != "" {
		r.groundTruth.msg.ChildFrameID = framed(r.prefix, called.BaseFrame)
	}
	return nil
}

// publish sends the truth to whoever listens.
func (u *groundTruth) publish(t time.Duration, on *tree, links []sim.LinkState) error {
	if u.pub == nil || u.pub.Subscribers() == 0 {
		return nil
	}
	base := links[on.base.link].At(on.base.pose)
	u.msg.Header.Stamp = node.SimTime(t)
	u.msg.Pose.Pose = geometry.Pose(base.Pose)
	u.msg.Twist.Twist = geometry.Twist(base.Twist.RotateBack(base.Pose.Rot))
	return u.pub.Publish(u.msg)
}
