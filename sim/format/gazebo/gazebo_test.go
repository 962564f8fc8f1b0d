package gazebo

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"simdeck/sim/asset"
	"simdeck/sim/asset/xmltree"
	"simdeck/sim/format/source"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

func open(t testing.TB, text string) *source.Doc {
	t.Helper()
	tree, err := xmltree.Parse([]byte(text), xmltree.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return source.Open("f", asset.Ref{}, tree, nil)
}

// cart is a base with two wheels.
func cart() *scene.ModelSpec {
	wheel := func(y float64) scene.Link {
		return scene.Link{Pose: r3.PoseRPY(0, y, 0.2, -math.Pi/2, 0, 0),
			Collisions: []scene.Geom{{Kind: scene.Cylinder, Radius: 0.2, Length: 0.1,
				Pose: r3.IdentityPose()}}}
	}
	return &scene.ModelSpec{Links: []scene.Link{{Pose: r3.IdentityPose()}, wheel(0.5), wheel(-0.5)},
		Joints: []scene.Joint{
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
		scene.Drive{Separation: 1.1, Radius: .3, MaxLinearSpeed: 2, MaxLinearAccel: 1,
			Topic: "go", Odometry: scene.Odometry{Frame: "o", BaseFrame: "b", Rate: 9}}},
	{`<plugin filename="ignition-gazebo-diff-drive-system" name="ignition::gazebo::systems::DiffDrive"><left_joint>l</left_joint><right_joint>r</right_joint></plugin>`,
		scene.Drive{Separation: 1, Radius: .2}},
	{`<plugin filename="libgazebo_ros_diff_drive.so" name="d"><left_joint>l</left_joint><right_joint>r</right_joint><wheel_diameter>.5</wheel_diameter>
		<max_wheel_torque>20</max_wheel_torque><command_topic>cmd</command_topic><odometry_frame>o</odometry_frame></plugin>`,
		scene.Drive{Separation: 1, Radius: .25, MaxTorque: 20, Topic: "cmd",
			Odometry: scene.Odometry{Frame: "o"}}},
	{`<plugin filename="libgazebo_ros_skid_steer_drive.so" name="d"><leftFrontJoint>l</leftFrontJoint><rightFrontJoint>r</rightFrontJoint><wheelSeparation>.9</wheelSeparation><robotBaseFrame>b</robotBaseFrame></plugin>`,
		scene.Drive{Separation: .9, Radius: .2, Odometry: scene.Odometry{BaseFrame: "b"}}},
}

func TestDrivesAreReadUnderTheNamesOfEveryRelease(t *testing.T) {
	for _, c := range drives {
		d := open(t, c.text)
		got, _, err := driveOf(d, d.Tree.Root, cart(), map[string]int{"n::l": 0, "n::r": 1}, "n::")
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
		if got.Topic != c.want.Topic || got.Radius != c.want.Radius || got.MaxTorque != c.want.MaxTorque ||
			got.Odometry.Frame != c.want.Odometry.Frame ||
			got.Odometry.BaseFrame != c.want.Odometry.BaseFrame ||
			got.Odometry.Rate != c.want.Odometry.Rate ||
			got.MaxLinearSpeed != c.want.MaxLinearSpeed || got.MaxLinearAccel != c.want.MaxLinearAccel {
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
		got, saysKnown, err := driveOf(d, d.Tree.Root, cart(), map[string]int{"l": 0, "r": 1}, "")
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
	want := scene.LidarSpec{Columns: 20, Rows: 4, MinAngle: -1, MaxAngle: 1, MinElevation: -.1,
		MaxElevation: .1, MinRange: .1, MaxRange: 1e9, NoiseStd: .01}
	if s.Kind != scene.Lidar || !reflect.DeepEqual(s.Lidar, want) || s.Topic != "/n/scan" ||
		s.Frame != "laser" || s.Rate != 5 {
		t.Errorf("sensor %+v", s)
	}
	if len(*d.Notes) != 1 || !strings.Contains((*d.Notes)[0].Text, "swapped") {
		t.Errorf("notes %v", *d.Notes)
	}
}

func TestRingsOfALidarLookWhereItsListSays(t *testing.T) {
	text := func(list string) string {
		return `<sensor name="s" type="gpu_lidar"><lidar><scan><horizontal><samples>10</samples></horizontal><vertical><samples>4</samples><min_angle>-.1</min_angle><max_angle>.1</max_angle>` +
			`<simdeck:elevations>` + list + `</simdeck:elevations></vertical></scan></lidar></sensor>`
	}
	for _, c := range []struct {
		list  string
		want  []float64
		notes int
	}{
		{"-0.4363 0.0262\n -0.0116 0.0058 -0.1", []float64{-0.4363, -0.1, -0.0116, 0.0058, 0.0262}, 0},
		{"0.2", []float64{0.2}, 0},
		{"", nil, 0},
		{"0.1 -25", nil, 1}, // degrees
		{"0.1 nan", nil, 1},
		{"0.1 up", nil, 1},
		{strings.Repeat("0.1 ", 1025), nil, 1},
	} {
		d := open(t, text(c.list))
		l := Sensor(d, d.Tree.Root, r3.IdentityPose()).Lidar
		rows, low, high := 4, -.1, .1
		if n := len(c.want); n > 0 {
			rows, low, high = n, c.want[0], c.want[n-1]
		}
		if !slices.Equal(l.Elevations, c.want) || l.Rows != rows || l.MinElevation != low ||
			l.MaxElevation != high || len(*d.Notes) != c.notes {
			t.Errorf("%.40q: %+v, notes %v", c.list, l, *d.Notes)
		}
	}
}

func TestNoSensorAsksForMoreRaysThanThereMayBe(t *testing.T) {
	for _, c := range []struct{ columns, rows string }{{"1e9", "1"}, {"100000", "100000"}, {"-5", "0"},
		{"nan", "nan"}} {
		d := open(t, `<sensor name="s" type="gpu_lidar"><lidar><scan><horizontal><samples>`+c.columns+
			`</samples></horizontal><vertical><samples>`+c.rows+
			`</samples></vertical></scan></lidar></sensor>`)
		l := Sensor(d, d.Tree.Root, r3.IdentityPose()).Lidar
		if l.Columns < 1 || l.Rows < 1 || l.Columns*l.Rows > maxRays || len(*d.Notes) == 0 {
			t.Errorf("%+v: %d × %d rays, notes %v", c, l.Columns, l.Rows, *d.Notes)
		}
	}
}

func TestEverySensorHasItsKindAndTheUnknownAreNoted(t *testing.T) {
	for kind, want := range map[string]scene.SensorKind{"imu": scene.IMU, "camera": scene.Camera,
		"depth": scene.DepthCamera, "rgbd_camera": scene.RGBDCamera,
		"contact": scene.Contact, "navsat": scene.GPS, "force_torque": scene.ForceTorque,
		"magnetometer": scene.Magnetometer,
		"air_pressure": scene.AirPressure, "altimeter": scene.Altimeter,
		"air_speed": scene.AirSpeed, "sonar": scene.Sonar, "rfid": scene.OtherSensor} {
		d := open(t, `<sensor name="s" type="`+kind+`"><update_rate>-1</update_rate></sensor>`)
		s := Sensor(d, d.Tree.Root, r3.IdentityPose())
		rate := 0.0
		if want == scene.Camera || want == scene.DepthCamera || want == scene.RGBDCamera {
			rate = usualFrames
		}
		if s.Kind != want || s.Rate != rate || d.Notes.Has(scene.Unsupported) != (kind == "rfid") ||
			!d.Notes.Has(scene.Suspicious) {
			t.Errorf("%s: kind %d, rate %v, notes %v", kind, s.Kind, s.Rate, *d.Notes)
		}
	}
}

func TestACameraIsReadAsItIsWritten(t *testing.T) {
	d := open(t, `<sensor name="s" type="camera"><update_rate>15</update_rate><camera><horizontal_fov>1.0</horizontal_fov><image><width>640</width><height>480</height></image>
<clip><near>0.02</near><far>300</far></clip><noise><type>gaussian</type><mean>0</mean><stddev>0.007</stddev></noise>
<distortion><k1>-0.25</k1><k2>0.12</k2><k3>0.01</k3><p1>-0.0003</p1><p2>0.001</p2></distortion><optical_frame_id>opt</optical_frame_id></camera></sensor>`)
	c := Sensor(d, d.Tree.Root, r3.IdentityPose()).Camera
	f := 320 / math.Tan(0.5)
	want := scene.CameraSpec{Width: 640, Height: 480, FX: f, FY: f, CX: 320, CY: 240,
		Distortion: [5]float64{-0.25, 0.12, -0.0003, 0.001, 0.01},
		Near:       0.02, Far: 300, NoiseStd: 0.007, Optical: "opt"}
	if c != want || len(*d.Notes) > 0 {
		t.Errorf("got %+v, want %+v; notes %v", c, want, *d.Notes)
	}
	for _, odd := range []string{"<image><width>1e9</width></image>", "<horizontal_fov>7</horizontal_fov>",
		"<clip><near>5</near><far>1</far></clip>", "<lens><intrinsics><fx>-1</fx></intrinsics></lens>"} {
		d := open(t, `<sensor name="s" type="camera"><camera>`+odd+`</camera></sensor>`)
		c := Sensor(d, d.Tree.Root, r3.IdentityPose()).Camera
		if c.Width != 320 || c.Height != 240 || c.FX < 100 || c.Near != 0.1 || c.Far != 100 ||
			!d.Notes.Has(scene.Suspicious) {
			t.Errorf("%s: %+v, notes %v", odd, c, *d.Notes)
		}
	}
}

func TestNoiseIsReadByAxes(t *testing.T) {
	d := open(t, `<sensor name="s" type="imu"><imu><angular_velocity><y><noise type="gaussian"><mean>0.1</mean><stddev>0.2</stddev><bias_mean>0.3</bias_mean><bias_stddev>0.4</bias_stddev>
<dynamic_bias_stddev>0.5</dynamic_bias_stddev><dynamic_bias_correlation_time>60</dynamic_bias_correlation_time></noise></y></angular_velocity>
<linear_acceleration><z><noise type="gaussian_quantized"><stddev>1</stddev><precision>0.01</precision></noise></z><x><noise type="none"><stddev>1</stddev></noise></x></linear_acceleration></imu></sensor>`)
	s := Sensor(d, d.Tree.Root, r3.IdentityPose()).IMU
	if s.Turn[1] != (scene.Noise{Mean: 0.1, Std: 0.2, BiasMean: 0.3, BiasStd: 0.4,
		WalkStd: 0.5 * math.Sqrt(30), WalkTime: 60}) ||
		s.Force[2] != (scene.Noise{Std: 1, Precision: 0.01}) || s.Force[0] != (scene.Noise{}) {
		t.Errorf("noise %+v", s)
	}
	for text, want := range map[string]scene.IMUSpec{
		`<localization>ENU</localization>`: {Reference: r3.Identity(),
			North: true},
		`<localization>CUSTOM</localization><custom_rpy>0 0 1</custom_rpy>`: {Reference: r3.FromRPY(0,
			0, 1)},
		`<localization>CUSTOM</localization>`:                                                    {},
		`<localization>GRAV_UP</localization>`:                                                   {},
		`<localization>CUSTOM</localization><custom_rpy parent_frame="other">0 0 1</custom_rpy>`: {},
		`<localization>NED</localization><custom_rpy parent_frame="other">for nothing</custom_rpy>`: {Reference: r3.Columns(
			r3.V(0,
				1, 0), r3.V(1, 0, 0), r3.V(0, 0, -1)).Quat(), North: true},
	} {
		d := open(t, `<sensor name="s" type="imu"><imu><orientation_reference_frame>`+text+
			`</orientation_reference_frame></imu></sensor>`)
		if got := Sensor(d, d.Tree.Root, r3.IdentityPose()).IMU; got != want {
			t.Errorf("%s: %+v, want %+v", text, got, want)
		}
	}
	d = open(t, `<sensor name="s" type="contact"><contact><collision>m::l::bumper_collision</collision><topic>bump</topic></contact></sensor>`)
	if c := Sensor(d, d.Tree.Root, r3.IdentityPose()); c.Topic != "bump" || len(c.Contact.Collisions) != 1 ||
		c.Contact.Collisions[0] != "bumper_collision" {
		t.Errorf("contact %+v, topic %q", c.Contact, c.Topic)
	}
}

func TestADriveSaysHowWrongItsOdometryIs(t *testing.T) {
	d := open(t, `<plugin filename="gz-sim-diff-drive-system" name="x"><left_joint>l</left_joint><right_joint>r</right_joint><wheel_separation>1</wheel_separation><wheel_radius>.3</wheel_radius>
		<simdeck:drift><scale>0.01</scale><walk>0.002</walk></simdeck:drift></plugin>`)
	got, _, err := driveOf(d, d.Tree.Root, cart(), map[string]int{"l": 0, "r": 1}, "")
	if err != nil || got == nil || got.Odometry.Drift != (scene.Drift{Scale: 0.01, Walk: 0.002}) {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestACameraOfGazeboClassicHasTheNameAndRateOfItsPlugin(t *testing.T) {
	d := open(t, `<sensor name="s" type="depth"><camera/><plugin name="p" filename="libgazebo_ros_depth_camera.so"><updateRate>10.0</updateRate><cameraName>depth_cam</cameraName>
<imageTopicName>image_raw</imageTopicName><frameName>/base_link</frameName></plugin></sensor>`)
	if s := Sensor(d, d.Tree.Root, r3.IdentityPose()); s.Topic != "depth_cam" || s.Rate != 10 ||
		s.Frame != "/base_link" {
		t.Errorf("topic %q at %v Hz in %q", s.Topic, s.Rate, s.Frame)
	}
}

func TestTheSkidSteerDriveOfGazeboIsRun(t *testing.T) {
	spec, joints := cart(), map[string]int{"l": 0, "r": 1}
	d := open(t, `<plugin filename="libSkidSteerDrivePlugin.so" name="SkidSteerDrivePlugin"><right_front>r</right_front><right_rear>r</right_rear><left_front>l</left_front><left_rear>l</left_rear><MaxForce>5.0</MaxForce></plugin>`)
	if err := Plugin(d, d.Tree.Root, spec, joints, ""); err != nil || len(*d.Notes) > 0 || len(spec.Drives) != 1 {
		t.Fatalf("%v, notes %v, drives %v", err, *d.Notes, spec.Drives)
	}
	if g := spec.Drives[0]; g.Kind != scene.Differential || len(g.Left) != 2 || len(g.Right) != 2 || g.Separation != 1 || g.Radius != 0.2 ||
		g.MaxTorque != 5 {
		t.Errorf("drive %+v", g)
	}
}
