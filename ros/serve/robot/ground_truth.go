package robot

import (
	"cmp"
	"time"

	"simdeck/ros/geometry"
	"simdeck/ros/msgs/navmsgs"
	"simdeck/ros/node"
	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	sensing "simdeck/sim/sensor"
)

// groundTruth publishes the true pose and velocity of a robot's base, the reference of odometry and
// localization. As in every Odometry the velocity is that of the base in its own frame.
type groundTruth struct {
	pub  *node.Publisher[navmsgs.Odometry] // nil: the robot is external
	msg  *navmsgs.Odometry
	spec *scene.Truth
	pace pace
	key  sensing.Key // of the noise, without the sample
}

// truthSensor is the number of the ground truth among the streams of noise of an entity.
const truthSensor = 1 << 58

// pace is the rate of a topic.
type pace struct {
	period time.Duration // of simulated time; 0: that of joint states
	last   time.Duration
	any    bool
}

// paceOf is the pace of a rate in Hz; 0: that of joint states.
func paceOf(rate float64) pace {
	if !(rate > 0) {
		return pace{}
	}
	return pace{period: max(1, time.Duration(float64(time.Second)/rate))}
}

// due reports whether a message is due: when joint states are, or at its own rate. Without delay it is due at
// first, and when joints were put elsewhere while time stood.
func (p *pace) due(now time.Duration, joints bool) bool {
	if p.period == 0 {
		return joints
	}
	first, was := !p.any, p.last
	p.last, p.any = now, true
	return first || joints && was == now || due(was, now, p.period)
}

func (f *RobotPublisher) addGroundTruth(r *robot, m *sim.EntityModel) error {
	called := &m.Spec.ROS.Truth
	p, err := open[navmsgs.Odometry](f, r, cmp.Or(called.Topic, "ground_truth"), burstQoS())
	if err != nil {
		return err
	}
	r.groundTruth = groundTruth{pub: p, msg: navmsgs.NewOdometry(), spec: called, pace: paceOf(called.Rate),
		key: sensing.Key{Seed: m.NoiseSeed, Sensor: truthSensor}}
	for i := range 6 { // as Gazebo publishes it, whose pose has no error
		variance := called.Noise * called.Noise
		r.groundTruth.msg.Pose.Covariance[7*i], r.groundTruth.msg.Twist.Covariance[7*i] = variance, variance
	}
	r.groundTruth.msg.Header.FrameID, r.groundTruth.msg.ChildFrameID = r.root, r.base
	if called.Frame != "" && called.Frame != worldFrame {
		r.groundTruth.msg.Header.FrameID = framed(r.prefix, called.Frame)
	}
	if called.BaseFrame != "" {
		r.groundTruth.msg.ChildFrameID = framed(r.prefix, called.BaseFrame)
	}
	return nil
}

// publish sends the truth to whoever listens, when it is due.
func (u *groundTruth) publish(s *sim.Snapshot, joints bool, on *tree, links []sim.LinkState) error {
	if u.pub == nil || !u.pace.due(s.Time, joints) || u.pub.Subscribers() == 0 {
		return nil
	}
	base := links[on.base.link].At(on.base.pose)
	pose, twist := base.Pose, base.Twist
	if u.spec.Offset.Rot != (r3.Quat{}) {
		pose = pose.Mul(u.spec.Offset)
		twist.Linear = twist.At(pose.Pos.Sub(base.Pose.Pos))
	}
	if u.spec.Shift.Rot != (r3.Quat{}) {
		pose = r3.Pose{Pos: pose.Pos.Add(u.spec.Shift.Pos), Rot: u.spec.Shift.Rot.Mul(pose.Rot)}
	}
	twist = twist.RotateBack(pose.Rot)
	if u.spec.Planar {
		pose.Pos.Z, twist.Linear.Z, twist.Angular.X, twist.Angular.Y = 0, 0, 0, 0
	}
	if u.spec.Noise > 0 {
		u.addNoise(&twist, s.Step)
	}
	u.msg.Header.Stamp = node.SimTime(s.Time)
	u.msg.Pose.Pose = geometry.Pose(pose)
	u.msg.Twist.Twist = geometry.Twist(twist)
	return u.pub.Publish(u.msg)
}

// addNoise adds the error of a step to all six velocities, those out of the plane too, as Gazebo does. It
// depends on the seed, the entity and the step alone: a step that is done again has it again.
func (u *groundTruth) addNoise(t *r3.Twist, step uint64) {
	u.key.Sample = step
	n := sensing.NewNoise(u.key)
	for _, v := range [...]*r3.Vec{&t.Linear, &t.Angular} {
		for _, x := range [...]*float64{&v.X, &v.Y, &v.Z} {
			*x += float64(u.spec.Noise * n.Normal())
		}
	}
}
