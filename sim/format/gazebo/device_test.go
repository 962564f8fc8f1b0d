package gazebo

import (
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
			<robot_base_frame>b</robot_base_frame><odom_topic>/truth</odom_topic></plugin>`: {Topic: "/truth", Frame: "map", BaseFrame: "b"},
		`<plugin filename="libgazebo_ros_p3d.so" name="p"><ros><namespace>/r</namespace><remapping>odom:=gt</remapping></ros>
			<body_name>n::body</body_name><frame_name>world</frame_name></plugin>`: {Topic: "/r/gt", Frame: "world"},
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
