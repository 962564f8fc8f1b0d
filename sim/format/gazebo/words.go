package gazebo

import (
	"slices"
	"strings"

	"simdeck/sim/asset/xmltree"
	"simdeck/sim/format/source"
	"simdeck/sim/scene"
)

// driveWords are the parameters of drives that are read, under the names that they have had over the years.
var driveWords = strings.Fields(`left_joint leftJoint leftFrontJoint leftRearJoint left_front left_rear right_front right_rear max_force MaxForce right_joint rightJoint rightFrontJoint rightRearJoint
	front_left_joint front_right_joint rear_left_joint rear_right_joint back_left_joint back_right_joint left_steering_joint right_steering_joint
	wheel_separation wheelSeparation wheel_radius wheel_diameter wheelDiameter wheel_base wheelbase kingpin_width steering_limit max_steer
	odom_publish_frequency odom_publisher_frequency update_rate updateRate publish_odom publishOdom publish_odom_tf publishOdomTF broadcastTF
	max_linear_velocity max_velocity max_speed max_angular_velocity max_linear_acceleration max_acceleration max_wheel_acceleration wheelAcceleration
	max_angular_acceleration max_wheel_torque wheelTorque torque ros topic command_topic commandTopic odom_topic odometry_topic odometryTopic
	frame_id odometry_frame odometryFrame child_frame_id robot_base_frame robotBaseFrame`)

// driveOthers are elements without effect here. Wheel tf and joint states are always published, and odometry
// is that of the wheels. The others concern other middleware, logs and force controllers.
var driveOthers = strings.Fields(`publish_wheel_tf publishWheelTF publishWheelJointState publish_wheel_joint_state publishTf publish_distance
	publish_distance_tf num_wheel_pairs tf_topic odometry_source odometrySource legacyMode rosDebugLevel robotNamespace alwaysOn always_on
	steering_wheel_joint max_steering_angle left_steering_pid_gain right_steering_pid_gain linear_velocity_pid_gain left_steering_i_range
	right_steering_i_range linear_velocity_i_range covariance_x covariance_y covariance_yaw wheel_pairs`)

// opposites are parameters that bound the other direction, which is bound as that of the second name is.
var opposites = map[string]string{
	"min_velocity": "max_velocity", "min_linear_velocity": "max_linear_velocity",
	"min_angular_velocity": "max_angular_velocity",
	"min_acceleration":     "max_acceleration", "min_linear_acceleration": "max_linear_acceleration",
	"min_angular_acceleration": "max_angular_acceleration",
}

// ignored notes the parameters of a drive that make no difference here, and those that nobody knows.
func ignored(d *source.Doc, n *xmltree.Node) {
	for _, k := range n.Kids {
		other, opposite := opposites[k.Name]
		switch {
		case slices.Contains(driveWords, k.Name), slices.Contains(driveOthers, k.Name),
			strings.Contains(k.Name, ":"):
		case opposite:
			low, err := source.ParseFloat(k.Text)
			high, otherwise := source.ParseFloat(n.ValueOf(other))
			if err != nil || otherwise != nil || low != -high {
				d.Note(scene.Unsupported, k, "<%s> of a drive is not run: backwards holds what <%s> says forwards",
					k.Name, other)
			}
		default:
			d.Note(scene.Unsupported, k, "<%s> of a drive is not run%s", k.Name,
				source.Near(k.Name, driveWords))
		}
	}
}
