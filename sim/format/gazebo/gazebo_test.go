package gazebo

import (
	"math"
	"strings"
	"testing"

	"simdeck/sim/asset"
	"simdeck/sim/asset/markup"
	"simdeck/sim/format/source"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

func open(t testing.TB, text string) *source.Doc {
	t.Helper()
	tree, err := markup.Parse([]byte(text), markup.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return source.Open("f", asset.Ref{}, tree, nil)
}

// cart is a base with two wheels.
func cart() *scene.ModelSpec {
	wheel := func(y float64) scene.Link {
		return scene.Link{Pose: r3.PoseRPY(0, y, 0.2, -math.Pi/2, 0, 0),
			Collisions: []scene.Geom{{Kind: scene.Cylinder, Radius: 0.2, Length: 0.1, Pose: r3.IdentityPose()}}}
	}
	return &scene.ModelSpec{Links: []scene.Link{{Pose: r3.IdentityPose()}, wheel(0.5), wheel(-0.5)}, Joints: []scene.Joint{
		{Name: "l", Kind: scene.Continuous, Child: 1, Pose: r3.IdentityPose(), Axis: r3.V(0, 0, 1)},
		{Name: "r", Kind: scene.Continuous, Child: 2, Pose: r3.IdentityPose(), Axis: r3.V(0, 0, 1)}}}
}

var drives = []struct {
	text string
	want scene.Drive
}{
	{`<plugin filename="gz-sim-diff-drive-system" name="gz::sim::systems::DiffDrive"><left_joint>l</left_joint><right_joint>r</right_joint>
		<wheel_separation>1.1</wheel_separation><wheel_radius>.3</wheel_radius><odom_publish_frequency>9</odom_publish_frequency><max_linear_velocity>2</max_linear_velocity>
		<max_linear_acceleration>1</max_linear_acceleration><topic>go</topic><frame_id>o</frame_id><child_frame_id>b</child_frame_id></plugin>`,
		scene.Drive{Separation: 1.1, Radius: .3, OdomRate: 9, MaxLinearSpeed: 2, MaxLinearAccel: 1, Topic: "go", OdomFrame: "o", BaseFrame: "b"}},
	{`<plugin filename="ignition-gazebo-diff-drive-system" name="ignition::gazebo::systems::DiffDrive"><left_joint>l</left_joint><right_joint>r</right_joint></plugin>`,
		scene.Drive{Separation: 1, Radius: .2}},
	{`<plugin filename="libgazebo_ros_diff_drive.so" name="d"><left_joint>l</left_joint><right_joint>r</right_joint><wheel_diameter>.5</wheel_diameter>
		<max_wheel_torque>20</max_wheel_torque><command_topic>cmd</command_topic><odometry_frame>o</odometry_frame></plugin>`,
		scene.Drive{Separation: 1, Radius: .25, MaxTorque: 20, Topic: "cmd", OdomFrame: "o"}},
	{`<plugin filename="libgazebo_ros_skid_steer_drive.so" name="d"><leftFrontJoint>l</leftFrontJoint><rightFrontJoint>r</rightFrontJoint><wheelSeparation>.9</wheelSeparation><robotBaseFrame>b</robotBaseFrame></plugin>`,
		scene.Drive{Separation: .9, Radius: .2, BaseFrame: "b"}},
}

func TestDrivesAreReadUnderTheNamesOfEveryRelease(t *testing.T) {
	for _, c := range drives {
		d := open(t, c.text)
		got, _, err := Drive(d, d.Tree.Root, cart(), map[string]int{"n::l": 0, "n::r": 1}, "n::")
		if err != nil || got == nil {
			t.Errorf("%s: %v, notes %v", c.text, err, *d.Notes)
			continue
		}
		if got.Left[0] != 0 || got.Right[0] != 1 || got.Kind != scene.Differential {
			t.Errorf("wheels %+v", got)
		}
		got.Left, got.Right, got.Kind = nil, nil, 0
		if math.Abs(got.Separation-c.want.Separation) > 1e-9 {
			t.Errorf("separation %g, want %g", got.Separation, c.want.Separation)
		}
		got.Separation = c.want.Separation
		if got.Topic != c.want.Topic || got.Radius != c.want.Radius || got.MaxTorque != c.want.MaxTorque || got.OdomFrame != c.want.OdomFrame ||
			got.BaseFrame != c.want.BaseFrame || got.OdomRate != c.want.OdomRate || got.MaxLinearSpeed != c.want.MaxLinearSpeed || got.MaxLinearAccel != c.want.MaxLinearAccel {
			t.Errorf("drive %+v, want %+v", got, c.want)
		}
	}
}

func TestWhatIsNoDriveIsLeftOut(t *testing.T) {
	for text, known := range map[string]bool{
		`<plugin filename="gz-sim-joint-state-publisher-system" name="x"/>`:                                                        true,
		`<plugin filename="libgazebo_ros_joint_state_publisher.so" name="x"/>`:                                                     true,
		`<plugin filename="libmystery.so" name="x"/>`:                                                                              false,
		`<plugin filename="gz-sim-diff-drive-system" name="x"><left_joint>ghost</left_joint><right_joint>r</right_joint></plugin>`: true,
	} {
		d := open(t, text)
		got, saysKnown, err := Drive(d, d.Tree.Root, cart(), map[string]int{"l": 0, "r": 1}, "")
		if got != nil || err != nil || saysKnown != known {
			t.Errorf("%s: %+v, known %v, %v", text, got, saysKnown, err)
		}
	}
}

func TestSensorsAreReadWithTheirTopicsAndFrames(t *testing.T) {
	d := open(t, `<sensor name="s" type="ray"><update_rate>5</update_rate><always_on>0</always_on><ray><scan><horizontal><samples>10</samples><resolution>2</resolution><min_angle>1</min_angle><max_angle>-1</max_angle></horizontal>
		<vertical><samples>4</samples><min_angle>-.1</min_angle><max_angle>.1</max_angle></vertical></scan><range><min>.1</min><max>inf</max></range><noise><stddev>.01</stddev></noise></ray>
		<plugin filename="libgazebo_ros_ray_sensor.so" name="p"><ros><namespace>/n</namespace><remapping>~/out:=scan</remapping></ros><frame_name>laser</frame_name></plugin></sensor>`)
	s := Sensor(d, d.Tree.Root, r3.IdentityPose())
	want := scene.LidarSpec{Columns: 20, Rows: 4, MinAngle: -1, MaxAngle: 1, MinElevation: -.1, MaxElevation: .1, MinRange: .1, MaxRange: 1e9, NoiseStd: .01}
	if s.Kind != scene.Lidar || s.Lidar != want || s.Topic != "/n/scan" || s.Frame != "laser" || s.Rate != 5 || !s.Off {
		t.Errorf("sensor %+v", s)
	}
	if len(*d.Notes) != 1 || !strings.Contains((*d.Notes)[0].Text, "swapped") {
		t.Errorf("notes %v", *d.Notes)
	}
}

func TestNoSensorAsksForMoreRaysThanThereMayBe(t *testing.T) {
	for _, c := range []struct{ columns, rows string }{{"1e9", "1"}, {"100000", "100000"}, {"-5", "0"}, {"nan", "nan"}} {
		d := open(t, `<sensor name="s" type="gpu_lidar"><lidar><scan><horizontal><samples>`+c.columns+`</samples></horizontal><vertical><samples>`+c.rows+`</samples></vertical></scan></lidar></sensor>`)
		l := Sensor(d, d.Tree.Root, r3.IdentityPose()).Lidar
		if l.Columns < 1 || l.Rows < 1 || l.Columns*l.Rows > maxRays || len(*d.Notes) == 0 {
			t.Errorf("%+v: %d × %d rays, notes %v", c, l.Columns, l.Rows, *d.Notes)
		}
	}
}

func TestOtherSensorsAreKeptAndNoted(t *testing.T) {
	for kind, want := range map[string]scene.SensorKind{"imu": scene.IMU, "camera": scene.Camera, "depth": scene.DepthCamera, "contact": scene.Contact, "navsat": scene.GPS, "sonar": scene.OtherSensor} {
		d := open(t, `<sensor name="s" type="`+kind+`"><update_rate>-1</update_rate></sensor>`)
		s := Sensor(d, d.Tree.Root, r3.IdentityPose())
		if s.Kind != want || s.Rate != 0 || !d.Notes.Has(scene.Unsupported) || !d.Notes.Has(scene.Suspicious) {
			t.Errorf("%s: %+v, notes %v", kind, s, *d.Notes)
		}
	}
}
