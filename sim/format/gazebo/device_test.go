package gazebo

import (
	"slices"
	"strings"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// walker is a body and a foot on a joint.
func walker() *scene.ModelSpec {
	return &scene.ModelSpec{Links: []scene.Link{{Name: "n::body", Pose: r3.IdentityPose()},
		{Name: "n::foot", Pose: r3.IdentityPose()}},
		Joints: []scene.Joint{{Name: "n::ankle", Kind: scene.Revolute, Child: 1,
			Pose: r3.PoseRPY(0, 0, 0.1, 0, 0, 0)}}}
}

func TestPluginsThatAreSensorsBecomeSensors(t *testing.T) {
	for text, want := range map[string]scene.Sensor{
		`<plugin name="i" filename="libhector_gazebo_ros_imu.so"><robotNamespace>/</robotNamespace><updateRate>50.0</updateRate><bodyName>body</bodyName>
			<topicName>imu/data</topicName><frameId>f</frameId><accelGaussianNoise>0.1 0.2 0.3</accelGaussianNoise><rateGaussianNoise>0.4</rateGaussianNoise>
			<xyzOffset>1 2 3</xyzOffset></plugin>`: {Name: "i", Kind: scene.IMU, Rate: 50, Topic: "/imu/data", Frame: "f", Pose: r3.PoseRPY(1, 2, 3, 0, 0, 0),
			IMU: scene.IMUSpec{Turn: [3]scene.Noise{{Std: 0.4}, {Std: 0.4}, {Std: 0.4}},
				Force: [3]scene.Noise{{Std: 0.1}, {Std: 0.2}, {Std: 0.3}}}},
		`<plugin name="i" filename="libgazebo_ros_imu.so"><bodyName>body</bodyName><topicName>imu</topicName><gaussianNoise>0.5</gaussianNoise></plugin>`: {Name: "i",
			Kind: scene.IMU, Topic: "imu", Pose: r3.IdentityPose(),
			IMU: scene.IMUSpec{Turn: [3]scene.Noise{{Std: 0.5}, {Std: 0.5}, {Std: 0.5}},
				Force: [3]scene.Noise{{Std: 0.5}, {Std: 0.5}, {Std: 0.5}}}},
		`<plugin name="g" filename="libhector_gazebo_ros_gps.so"><bodyName>body</bodyName><topicName>fix</topicName><updateRate>4</updateRate><gaussianNoise>1 1 2</gaussianNoise></plugin>`: {
			Name: "g", Kind: scene.GPS, Rate: 4, Topic: "fix", Pose: r3.IdentityPose(),
			GPS: scene.GPSSpec{Horizontal: scene.Noise{Std: 1}, Vertical: scene.Noise{Std: 2}}},
		`<plugin name="m" filename="libhector_gazebo_ros_magnetic.so"><bodyName>body</bodyName></plugin>`: {Name: "m",
			Kind: scene.Magnetometer, Pose: r3.IdentityPose()},
	} {
		d, spec := open(t, text), walker()
		if err := Plugin(d, d.Tree.Root, spec, map[string]int{"n::ankle": 0}, "n::"); err != nil ||
			len(*d.Notes) > 0 || len(spec.Links[0].Sensors) != 1 {
			t.Errorf("%s: %v, notes %v, sensors %v", text, err, *d.Notes, spec.Links[0].Sensors)
			continue
		}
		got := spec.Links[0].Sensors[0]
		if got.Name != want.Name || got.Kind != want.Kind || got.Rate != want.Rate ||
			got.Topic != want.Topic || got.Frame != want.Frame ||
			got.Pose != want.Pose || got.IMU != want.IMU || got.GPS != want.GPS {
			t.Errorf("%s:\n%+v, want\n%+v", text, got, want)
		}
	}
}

func TestAForceSensorOfAJointStandsInIt(t *testing.T) {
	d, spec := open(t, `<plugin name="f" filename="libgazebo_ros_ft_sensor.so"><joint_name>ankle</joint_name><ros><namespace>/leg</namespace>
		<remapping>wrench:=load</remapping></ros><update_rate>100</update_rate></plugin>`), walker()
	if err := Plugin(d, d.Tree.Root, spec, map[string]int{"n::ankle": 0}, "n::"); err != nil ||
		len(*d.Notes) > 0 || len(spec.Links[1].Sensors) != 1 {
		t.Fatalf("%v, notes %v, sensors %v", err, *d.Notes, spec.Links[1].Sensors)
	}
	s := spec.Links[1].Sensors[0]
	if s.Kind != scene.ForceTorque || !s.Force.Set || s.Force.Joint != 0 || s.Topic != "/leg/load" ||
		s.Rate != 100 || s.Pose != spec.Joints[0].Pose {
		t.Errorf("sensor %+v", s)
	}
}

func TestWhereARobotTrulyIsIsToldAsTheFileCallsIt(t *testing.T) {
	for text, want := range map[string]scene.Truth{
		`<plugin filename="gz-sim-odometry-publisher-system" name="gz::sim::systems::OdometryPublisher"><odom_frame>map</odom_frame>
			<robot_base_frame>b</robot_base_frame><odom_topic>/truth</odom_topic></plugin>`: {Asked: true, Topic: "/truth", Frame: "map", BaseFrame: "b"},
		`<plugin filename="libgazebo_ros_p3d.so" name="p"><ros><namespace>/r</namespace><remapping>odom:=gt</remapping></ros>
			<body_name>n::body</body_name><frame_name>world</frame_name></plugin>`: {Asked: true, Topic: "/r/gt", Frame: "world"},
	} {
		d, spec := open(t, text), walker()
		if err := Plugin(d, d.Tree.Root, spec, nil, ""); err != nil || len(*d.Notes) > 0 ||
			spec.ROS.Truth != want {
			t.Errorf("%s: %v, notes %v, %+v", text, err, *d.Notes, spec.ROS.Truth)
		}
	}
}

func TestAPluginOnALinkOrJointThatIsNotThereSaysWhichWasMeant(t *testing.T) {
	for text, want := range map[string]string{
		`<plugin name="i" filename="libgazebo_ros_imu.so"><bodyName>bdy</bodyName></plugin>`:           `did you mean "n::body"?`,
		`<plugin name="i" filename="libgazebo_ros_ft_sensor.so"><jointName>ankel</jointName></plugin>`: `did you mean "n::ankle"?`,
		`<plugin name="x" filename="libdances.so"/>`:                                                   "libdances.so (x) is not run",
		`<plugin name="d" filename="libgazebo_ros_diff_drive.so"><left_joint>ankle</left_joint><right_joint>ankle</right_joint>
			<wheel_seperation>1</wheel_seperation></plugin>`: `did you mean "wheel_separation"?`,
		`<plugin name="d" filename="gz-sim-velocity-control-system"><max_velocity>1</max_velocity><min_velocity>-2</min_velocity></plugin>`: "<min_velocity> of a drive is not run",
	} {
		d, spec := open(t, text), walker()
		said := ""
		if err := Plugin(d, d.Tree.Root, spec, map[string]int{"n::ankle": 0}, "n::"); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		for _, n := range *d.Notes {
			said += n.Text + "\n"
		}
		if !strings.Contains(said, want) {
			t.Errorf("%s: notes %q, want %q", text, said, want)
		}
	}
}

func TestADriveMayLeaveOdometryAndItsTransformToOthers(t *testing.T) {
	for text, want := range map[string][2]bool{
		"": {}, "<publish_odom>false</publish_odom>": {true, false},
		"<publish_odom_tf>0</publish_odom_tf>":                                  {false, true},
		"<publishOdomTF>false</publishOdomTF><publish_odom>true</publish_odom>": {false, true},
		"<broadcastTF>0</broadcastTF>":                                          {false, true},
	} {
		d, spec := open(t, `<plugin name="d" filename="libgazebo_ros_planar_move.so">`+text+`</plugin>`),
			walker()
		if err := Plugin(d, d.Tree.Root, spec, nil, ""); err != nil || len(spec.Drives) != 1 ||
			spec.Drives[0].Odometry.Off != want[0] || spec.Drives[0].Odometry.NoTF != want[1] {
			t.Errorf("%s: %v, %+v, want %v", text, err, spec.Drives, want)
		}
	}
}

// No element of a plugin that is run is passed over in silence: it is read, has no effect here, or is not run.
func TestPublishersAreReadWithAllTheirElements(t *testing.T) {
	joints := map[string]int{"n::ankle": 0}
	for _, c := range []struct {
		text   string
		truth  scene.Truth
		states scene.JointStates
		notes  []string
	}{
		{text: `<plugin filename="gz-sim-joint-state-publisher-system" name="s"><topic>/all</topic><joint_name>ankle</joint_name></plugin>`,
			states: scene.JointStates{Topic: "/all", Joints: []string{"n::ankle"}}},
		{text: `<plugin filename="libgazebo_ros_joint_state_publisher.so" name="s"><ros><namespace>/r</namespace><remapping>joint_states:=js</remapping></ros>
			<update_rate>30</update_rate><joint_name>ankle</joint_name><joint_name>knee</joint_name></plugin>`,
			states: scene.JointStates{Topic: "/r/js", Joints: []string{"n::ankle"}, Rate: 30}, notes: []string{`suspicious: there is no joint "knee"`}},
		{text: `<plugin filename="libgazebo_ros_joint_state_publisher.so" name="s"><robotNamespace>/r</robotNamespace><jointName>ankle, ankle</jointName><updateRate>5</updateRate></plugin>`,
			states: scene.JointStates{Joints: []string{"n::ankle", "n::ankle"}, Rate: 5}},
		{text: `<plugin filename="gz-sim-odometry-publisher-system" name="o"><dimensions>2</dimensions><odom_publish_frequency>10</odom_publish_frequency>
			<xyz_offset>1 2 3</xyz_offset><gaussian_noise>0.1</gaussian_noise><tf_topic>/tf</tf_topic></plugin>`,
			truth: scene.Truth{Asked: true, Rate: 10, Planar: true, Offset: r3.Pose{Pos: r3.V(1, 2, 3), Rot: r3.Identity()}, Noise: 0.1},
			notes: []string{"ignored: <tf_topic>"}},
		{text: `<plugin filename="gz-sim-odometry-publisher-system" name="o"><gaussian_noise>0</gaussian_noise><xyz_ofset>1 0 0</xyz_ofset></plugin>`,
			truth: scene.Truth{Asked: true}, notes: []string{`did you mean "xyz_offset"?`}},
		{text: `<plugin filename="libgazebo_ros_p3d.so" name="p"><body_name>n::body</body_name><update_rate>20</update_rate><xyz_offsets>0 0 1</xyz_offsets><gaussianNoise>0.2</gaussianNoise></plugin>`,
			truth: scene.Truth{Asked: true, Rate: 20, Shift: r3.Pose{Pos: r3.V(0, 0, 1), Rot: r3.Identity()}, Noise: 0.2}},
		{text: `<plugin filename="gz-sim-pose-publisher-system" name="p"><publish_link_pose>true</publish_link_pose><publsh>1</publsh></plugin>`,
			notes: []string{"ignored: <publish_link_pose>", "unsupported: <publsh>"}},
		{text: `<plugin filename="gz-sim-joint-position-controller-system" name="p"><joint_name>ankle</joint_name><i_gain>3</i_gain><cmd_offset>1</cmd_offset></plugin>`,
			notes: []string{"ignored: <i_gain>", "unsupported: <cmd_offset>"}},
		{text: `<plugin filename="libgazebo_ros_imu.so" name="i"><body_name>body</body_name><rateDrift>0.1 0.1 0.1</rateDrift><accelDrift>0 0 0</accelDrift></plugin>`,
			notes: []string{"unsupported: <rateDrift>"}},
	} {
		d, spec := open(t, c.text), walker()
		if err := Plugin(d, d.Tree.Root, spec, joints, "n::"); err != nil {
			t.Errorf("%s: %v", c.text, err)
		}
		if got := spec.ROS.States; spec.ROS.Truth != c.truth || got.Topic != c.states.Topic || got.Rate != c.states.Rate ||
			!slices.Equal(got.Joints, c.states.Joints) {
			t.Errorf("%s: %+v", c.text, spec.ROS)
		}
		said := ""
		for _, n := range *d.Notes {
			said += n.String() + "\n"
		}
		for _, want := range c.notes {
			if !strings.Contains(said, want) {
				t.Errorf("%s: notes\n%swant %q", c.text, said, want)
			}
		}
		if len(*d.Notes) != len(c.notes) {
			t.Errorf("%s: notes\n%s", c.text, said)
		}
	}
}
