package gazebo

import (
	"slices"
	"strings"

	"simdeck/sim/asset/xmltree"
	"simdeck/sim/format/source"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// pluginElements are the elements of a plugin that the engine runs: those that are read, and those without
// effect here. Any other is noted as unsupported. A value that asks for what is done anyway is silent.
type pluginElements struct {
	plugin     string // as plain has it
	read, idle string
}

// knownElements has a row for each plugin whose reader has no list of its own. The first whose name is
// in a plugin's counts. The elements are those of the plugins' documentation: gz-sim 7 to 9, gazebo_ros_pkgs for
// ROS 2 and for ROS 1, hector_gazebo_plugins.
var knownElements = []pluginElements{
	{"jointstatepublisher", "topic joint_name jointName update_rate updateRate ros robotNamespace topicName", "alwaysOn always_on"},
	{"posepublisher", "", `publish_link_pose publish_visual_pose publish_collision_pose publish_sensor_pose
		publish_model_pose publish_nested_model_pose use_pose_vector_msg update_frequency static_publisher
		static_update_frequency`},
	{"odometrypublisher", `odom_topic odom_frame robot_base_frame odom_publish_frequency dimensions xyz_offset rpy_offset gaussian_noise`,
		"tf_topic odom_covariance_topic"},
	{"gazeborosp3d", `ros robotNamespace body_name bodyName topic_name topicName frame_name frameName update_rate
		updateRate xyz_offset xyz_offsets xyzOffset xyzOffsets rpy_offset rpy_offsets rpyOffset rpyOffsets gaussian_noise gaussianNoise`, "alwaysOn always_on"},
	{"gazeborosimu", `ros robotNamespace body_name bodyName topic_name topicName serviceName frame_name frameName frameId
		frame_id update_rate updateRate xyzOffset rpyOffset gaussianNoise rateGaussianNoise accelGaussianNoise`,
		"alwaysOn always_on initial_orientation_as_reference"},
	{"gazeborosgps", `ros robotNamespace body_name bodyName topic_name topicName serviceName frame_name frameName frameId
		frame_id update_rate updateRate xyzOffset rpyOffset gaussianNoise velocityGaussianNoise`, "alwaysOn always_on"},
	{"gazeborosmagnetic", `ros robotNamespace body_name bodyName topic_name topicName serviceName frame_name frameName
		frameId frame_id update_rate updateRate xyzOffset rpyOffset`, "alwaysOn always_on"},
	{"gazeborosftsensor", `ros robotNamespace joint_name jointName topic_name topicName frame_name frameName frameId frame_id
		update_rate updateRate`, "alwaysOn always_on"},
	{"jointpositioncontroller", "joint_name topic sub_topic p_gain initial_position use_velocity_commands cmd_max",
		"i_gain d_gain i_max i_min cmd_min"},
	{"jointtrajectorycontroller", "topic joint_name initial_position position_p_gain",
		`position_i_gain position_d_gain position_i_min position_i_max position_cmd_min position_cmd_max velocity_p_gain
		velocity_i_gain velocity_d_gain velocity_i_min velocity_i_max velocity_cmd_min velocity_cmd_max`},
	{"jointcontroller", "joint_name topic sub_topic initial_velocity cmd_max",
		"use_force_commands p_gain i_gain d_gain i_max i_min cmd_min"},
	{"jointposetrajectory", "", "ros robotNamespace topicName topic_name serviceName updateRate update_rate"},
	{"ros2control", "parameters ros controller_manager_name controller_manager_node_name",
		"robot_param robot_param_node robotNamespace hold_joints position_proportional_gain control_period"},
	{"roscontrol", "", `robotNamespace robotParam robotSimType legacyModeNS controlPeriod ros parameters robot_param
		robot_param_node robot_sim_type`},
}

// elements notes the elements of a plugin that are not run, by its row of knownElements.
func elements(d *source.Doc, n *xmltree.Node) {
	word := plain(n)
	for _, row := range knownElements {
		if !strings.Contains(word, row.plugin) {
			continue
		}
		read, idle := strings.Fields(row.read), strings.Fields(row.idle)
		for _, k := range n.Kids {
			switch {
			case strings.Contains(k.Name, ":"), slices.Contains(read, k.Name), isNothing(k):
			case slices.Contains(idle, k.Name):
				d.Note(scene.Ignored, k, "<%s> of %s has no effect here", k.Name, PluginName(n))
			default:
				unread(d, k, PluginName(n), append(read, idle...))
			}
		}
		return
	}
}

// isNothing reports that an element asks for no effect: it is empty, or all of its numbers are zero.
func isNothing(k *xmltree.Node) bool {
	if len(k.Kids) > 0 {
		return false
	}
	for _, word := range strings.Fields(k.Text) {
		if f, err := source.ParseFloat(word); err != nil || f != 0 {
			return false
		}
	}
	return true
}

// jointStates reads the plugins that publish joint states: Gazebo's, and those of Gazebo Classic. The first of
// a model names the topic; others add joints to it.
func (r *reader) jointStates(spec *scene.ModelSpec, joints map[string]int, prefix string) {
	topic := r.text("topic")
	if topic == "" {
		topic = named(r.space(), r.topic("joint_states"))
	}
	rate := r.first(0, "update_rate", "updateRate")
	var names []string
	for _, word := range [...]string{"joint_name", "jointName"} {
		for _, k := range r.n.All(word) {
			for _, name := range strings.FieldsFunc(k.Value(), func(c rune) bool { return c == ',' || c == ' ' }) {
				if _, ok := joints[prefix+name]; !ok {
					r.d.Note(scene.Suspicious, k, "there is no joint %q%s", name, source.NearKey(prefix+name, joints))
					continue
				}
				names = append(names, prefix+name)
			}
		}
	}
	s := &spec.ROS.States
	switch {
	case s.Topic == "" && s.Joints == nil && s.Rate == 0:
		*s = scene.JointStates{Topic: topic, Joints: names, Rate: min(rate, mostRate)}
	case topic != s.Topic:
		r.d.Note(scene.Unsupported, r.n, "plugin %s is left out: a second topic of joint states", PluginName(r.n))
	case names == nil:
		s.Joints = nil
	case s.Joints != nil:
		s.Joints = append(s.Joints, names...)
	}
}

// odometryPublisher reads Gazebo's OdometryPublisher, which publishes the true pose of a robot.
func (r *reader) odometryPublisher(spec *scene.ModelSpec) {
	t := scene.Truth{Asked: true, Topic: r.text("odom_topic"), Frame: r.text("odom_frame"), BaseFrame: r.text("robot_base_frame"),
		Rate: min(r.first(0, "odom_publish_frequency"), mostRate), Noise: r.first(0, "gaussian_noise")}
	if at := r.offset("xyz_offset", "rpy_offset"); at != r3.IdentityPose() {
		t.Offset = at
	}
	switch dimensions := r.text("dimensions"); dimensions {
	case "", "3":
	case "2":
		t.Planar = true
	default:
		r.d.Note(scene.Suspicious, r.n.Child("dimensions"), "<dimensions> is %q; want 2 or 3; using 3", dimensions)
	}
	spec.ROS.Truth = t
}

// p3d reads Gazebo Classic's publisher of ground truth.
func (r *reader) p3d(spec *scene.ModelSpec, prefix string) {
	t := scene.Truth{Asked: true, Topic: named(r.space(), r.topic("odom")), Frame: r.text("frame_name", "frameName"),
		Rate: min(r.first(0, "update_rate", "updateRate"), mostRate), Noise: r.first(0, "gaussian_noise", "gaussianNoise")}
	for _, names := range [][2]string{{"xyz_offset", "rpy_offset"}, {"xyz_offsets", "rpy_offsets"},
		{"xyzOffset", "rpyOffset"}, {"xyzOffsets", "rpyOffsets"}} {
		if at := r.offset(names[0], names[1]); at != r3.IdentityPose() {
			t.Shift = at
		}
	}
	if of := func(l scene.Link) bool { return l.Name == prefix+t.Frame }; t.Frame != "" &&
		slices.ContainsFunc(spec.Links, of) {
		r.d.Note(scene.Unsupported, r.n, "plugin %s: the pose is in the world, not in link %q", PluginName(r.n), t.Frame)
	}
	if body := r.text("body_name", "bodyName"); body != spec.Links[spec.Canonical].Name {
		r.d.Note(scene.Inferred, r.n, "plugin %s tells of the base of the robot, not of %q", PluginName(r.n), body)
	}
	spec.ROS.Truth = t
}
