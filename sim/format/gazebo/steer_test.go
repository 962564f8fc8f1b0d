package gazebo

import (
	"math"
	"strings"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// car is a base with two wheels at the rear and two knuckles in front that carry one each.
func car() (*scene.ModelSpec, map[string]int) {
	m := &scene.ModelSpec{Links: []scene.Link{{Pose: r3.IdentityPose()}}}
	names := map[string]int{}
	wheel := func(name string, x, y float64, parent int) {
		m.Links = append(m.Links, scene.Link{Pose: r3.PoseRPY(x, y, 0.3, -math.Pi/2, 0, 0),
			Collisions: []scene.Geom{{Kind: scene.Cylinder, Radius: 0.3, Length: 0.2,
				Pose: r3.IdentityPose()}}})
		names[name] = len(m.Joints)
		m.Joints = append(m.Joints, scene.Joint{Name: name, Kind: scene.Continuous, Parent: parent,
			Child: len(m.Links) - 1, Pose: r3.IdentityPose(), Axis: r3.V(0, 0, 1)})
	}
	wheel("rl", -1, 0.7, 0)
	wheel("rr", -1, -0.7, 0)
	for _, k := range []struct {
		name string
		y    float64
	}{{"l", 0.6}, {"r", -0.6}} {
		m.Links = append(m.Links, scene.Link{Pose: r3.PoseRPY(1.5, k.y, 0.3, 0, 0, 0)})
		names["s"+k.name] = len(m.Joints)
		m.Joints = append(m.Joints, scene.Joint{Name: "s" + k.name, Kind: scene.Revolute,
			Child: len(m.Links) - 1, Pose: r3.IdentityPose(), Axis: r3.V(0, 0, 1)})
		wheel("f"+k.name, 1.5, math.Copysign(0.7, k.y), len(m.Links)-1)
	}
	return m, names
}

func TestCarsAndMecanumDrivesAreReadAndMeasured(t *testing.T) {
	for text, want := range map[string]scene.Drive{
		`<plugin filename="gz-sim-ackermann-steering-system" name="gz::sim::systems::AckermannSteering"><left_joint>rl</left_joint><right_joint>rr</right_joint>
			<left_steering_joint>sl</left_steering_joint><right_steering_joint>sr</right_steering_joint><wheel_separation>1.2</wheel_separation><kingpin_width>1</kingpin_width>
			<wheel_base>2</wheel_base><steering_limit>0.5</steering_limit><wheel_radius>0.4</wheel_radius><max_velocity>3</max_velocity></plugin>`: {
			Kind: scene.Ackermann, Separation: 1.2, KingpinWidth: 1, WheelBase: 2, SteerLimit: 0.5,
			Radius: 0.4, MaxLinearSpeed: 3},
		`<plugin filename="libgazebo_ros_ackermann_drive.so" name="car"><front_left_joint>fl</front_left_joint><front_right_joint>fr</front_right_joint>
			<rear_left_joint>rl</rear_left_joint><rear_right_joint>rr</rear_right_joint><left_steering_joint>sl</left_steering_joint><right_steering_joint>sr</right_steering_joint>
			<max_steer>0.6</max_steer><max_speed>20</max_speed></plugin>`: {
			Kind: scene.Ackermann, Separation: 1.4, KingpinWidth: 1.2, WheelBase: 2.5, SteerLimit: 0.6,
			Radius: 0.3, MaxLinearSpeed: 20},
		`<plugin filename="gz-sim-mecanum-drive-system" name="gz::sim::systems::MecanumDrive"><front_left_joint>fl</front_left_joint><front_right_joint>fr</front_right_joint>
			<back_left_joint>rl</back_left_joint><back_right_joint>rr</back_right_joint></plugin>`: {Kind: scene.Mecanum, Separation: 1.4, WheelBase: 2.5, Radius: 0.3},
		`<plugin filename="libgazebo_ros_planar_move.so" name="move"><commandTopic>go</commandTopic></plugin>`: {Kind: scene.Mecanum,
			Kinematic: true, Topic: "go"},
		`<plugin filename="gz-sim-velocity-control-system" name="gz::sim::systems::VelocityControl"><topic>v</topic></plugin>`: {Kind: scene.Mecanum,
			Kinematic: true, Topic: "v"},
	} {
		d := open(t, text)
		spec, names := car()
		got, _, err := driveOf(d, d.Tree.Root, spec, names, "")
		if err != nil || got == nil {
			t.Errorf("%s: %v, notes %v", text, err, *d.Notes)
			continue
		}
		for _, f := range [...][2]float64{{got.Separation, want.Separation},
			{got.KingpinWidth, want.KingpinWidth}, {got.WheelBase, want.WheelBase},
			{got.SteerLimit, want.SteerLimit}, {got.Radius, want.Radius},
			{got.MaxLinearSpeed, want.MaxLinearSpeed}} {
			if math.Abs(f[0]-f[1]) > 1e-9 {
				t.Errorf("%s: %+v, want %+v", text, got, want)
				break
			}
		}
		if got.Kind != want.Kind || got.Kinematic != want.Kinematic || got.Topic != want.Topic {
			t.Errorf("%s: %+v, want %+v", text, got, want)
		}
	}
}

func TestDrivesThatLackAWheelAreLeftOut(t *testing.T) {
	for _, text := range []string{
		`<plugin filename="gz-sim-ackermann-steering-system" name="a"><left_joint>rl</left_joint><right_joint>rr</right_joint><left_steering_joint>ghost</left_steering_joint></plugin>`,
		`<plugin filename="gz-sim-mecanum-drive-system" name="m"><front_left_joint>fl</front_left_joint><front_right_joint>fr</front_right_joint></plugin>`,
	} {
		d := open(t, text)
		spec, names := car()
		got, known, err := driveOf(d, d.Tree.Root, spec, names, "")
		if got != nil || !known || err != nil || len(*d.Notes) == 0 ||
			!strings.Contains((*d.Notes)[len(*d.Notes)-1].Text, "left out") {
			t.Errorf("%s: %+v, known %v, %v, notes %v", text, got, known, err, *d.Notes)
		}
	}
}
