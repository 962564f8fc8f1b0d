package robot

import (
	"time"

	"simdeck/ros/geometry"
	"simdeck/ros/msgs/geometrymsgs"
	"simdeck/ros/msgs/sensormsgs"
	"simdeck/ros/node"
	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// multiDofJoints tells of joints that no one number describes, ball joints and planar ones, as MoveIt has
// them: joint_states leaves them out.
type multiDofJoints struct {
	pub  *node.Publisher[sensormsgs.MultiDOFJointState] // nil: there are none, or the robot is external
	from []int                                          // index into the joints of the Spec
	msg  sensormsgs.MultiDOFJointState
}

func (f *RobotPublisher) addMultiDofJoints(r *robot, m *sim.EntityModel) (err error) {
	u := &r.multiDof
	for i, j := range m.Spec.Joints {
		if j.Kind == scene.Ball || j.Kind == scene.Planar {
			u.from = append(u.from, i)
			u.msg.JointNames = append(u.msg.JointNames, j.Name)
		}
	}
	if len(u.from) == 0 {
		return nil
	}
	u.msg.Header.FrameID = r.base
	u.msg.Transforms = make([]geometrymsgs.Transform, len(u.from))
	u.msg.Twist = make([]geometrymsgs.Twist, len(u.from))
	u.pub, err = open[sensormsgs.MultiDOFJointState](f, r, "multi_dof_joint_states", burstQoS())
	return err
}

// publish publishes the pose and the velocity of each, in its own frame.
func (u *multiDofJoints) publish(t time.Duration, joints []sim.JointState) error {
	if u.pub == nil {
		return nil
	}
	u.msg.Header.Stamp = node.SimTime(t)
	for k, i := range u.from {
		motion := sim.JointMotion{Pose: r3.IdentityPose()}
		if m := joints[i].Motion; m != nil { // or it is held still
			motion = *m
		}
		u.msg.Transforms[k] = geometrymsgs.Transform{Translation: geometry.Vector3(motion.Pose.Pos),
			Rotation: geometry.Quaternion(motion.Pose.Rot)}
		u.msg.Twist[k] = geometry.Twist(motion.Twist)
	}
	return u.pub.Publish(&u.msg)
}
