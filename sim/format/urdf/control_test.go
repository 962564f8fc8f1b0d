package urdf

import (
	"strings"
	"testing"

	"simdeck/sim/scene"
)

func TestControllersSayWhereJointsStartAndWhichAreHeld(t *testing.T) {
	face := func(kind, name, value string) string {
		return `<` + kind + `_interface name="` + name + `"><param name="initial_value">` + value +
			`</param></` + kind + `_interface>`
	}
	held := func(joint, inside string) string { return `<joint name="` + joint + `">` + inside + `</joint>` }
	spec, err := read(t, robotOf(a+b+c+jointOf("j", "revolute", "a", "b", stops)+jointOf("k", "revolute", "b",
		"c", stops)+
		`<ros2_control name="x" type="system"><hardware><plugin>any</plugin></hardware>`+
		held("j", face("state", "position", "0.5")+`<command_interface name="position"/>`)+
		held("k", face("state", "position", "7")+`<command_interface name="velocity"/>`)+`</ros2_control>
		<gazebo><plugin filename="libgz_ros2_control-system.so" name="gz_ros2_control::GazeboSimROS2ControlPlugin"/></gazebo>`))
	if err != nil {
		t.Fatal(err)
	}
	j, k := spec.Joints[0], spec.Joints[1]
	if j.Initial != 0.5 || !j.Hold || k.Initial != 2 || k.Hold {
		t.Errorf("%+v\n%+v", j, k)
	}
	said := ""
	for _, n := range spec.Notes {
		said += n.String() + "\n"
		if n.Kind == scene.Unsupported {
			t.Errorf("%s", n)
		}
	}
	if !strings.Contains(said, "beyond its stops at -1 and 2; at 2 instead") {
		t.Errorf("notes %s", said)
	}
}

func TestChainsOfMimicsFollowTheirLeader(t *testing.T) {
	spec, err := read(t, robotOf(a+b+c+`<link name="d"/>`+jointOf("j", "revolute", "a", "b", stops)+
		jointOf("k", "revolute", "b", "c", stops+`<mimic joint="j" multiplier="2" offset="0.1"/>`)+
		jointOf("l", "revolute", "c", "d", stops+`<mimic joint="k" multiplier="-1"/>`)))
	if err != nil {
		t.Fatal(err)
	}
	if k := spec.Joints[1].Mimic; k != (scene.Mimic{Joint: 0, Multiplier: 2, Offset: 0.1, Set: true}) {
		t.Errorf("k follows %+v", k)
	}
	if l := spec.Joints[2].Mimic; !l.Set || l.Joint != 1 &&
		l != (scene.Mimic{Joint: 0, Multiplier: -2, Offset: -0.1, Set: true}) {
		t.Errorf("l follows %+v", l)
	}
}

func TestCommandsOfControllersAreBoundAsTheySay(t *testing.T) {
	bound := func(face, low, high string) string {
		return `<ros2_control name="x" type="system"><joint name="j"><command_interface name="` + face +
			`"><param name="min">` + low +
			`</param><param name="max">` + high + `</param></command_interface></joint></ros2_control>`
	}
	const stops = `<limit lower="-1" upper="2" effort="0" velocity="9"/>`
	free := scene.Limit{Set: true, Lower: -1, Upper: 2, Velocity: 9}
	for text, want := range map[string]scene.Limit{
		bound("position", "-0.5", "5"): {Set: true, Lower: -0.5, Upper: 2,
			Velocity: 9},
		bound("position", "3", "5"): free, // beyond its stops
		bound("velocity", "-4", "3"): {Set: true, Lower: -1, Upper: 2,
			Velocity: 4, MotorOnly: true},
		bound("effort", "-7", "7"): {Set: true, Lower: -1, Upper: 2,
			Effort: 7, Velocity: 9},
		bound("velocity", "1", "-1"): free,
		bound("velocity", "x", "1"):  free,
		bound("velocity", "-4", "4") + bound("velocity", "-8", "8"): {Set: true, Lower: -1, Upper: 2,
			Velocity: 4, MotorOnly: true},
	} {
		spec, err := read(t, robotOf(a+b+jointOf("j", "revolute", "a", "b", stops)+text))
		if err != nil {
			t.Fatal(err)
		}
		if got := spec.Joints[0].Limit; got != want {
			t.Errorf("%s: %+v, want %+v", text, got, want)
		}
		if suspicious := spec.Notes.Has(scene.Suspicious); suspicious != (want == free &&
			!strings.Contains(text, "position")) {
			t.Errorf("%s: notes %v", text, spec.Notes)
		}
	}
}

func TestATransmissionOfPositionsHoldsItsJoint(t *testing.T) {
	for face, want := range map[string]bool{"hardware_interface/PositionJointInterface": true,
		"PositionJointInterface":                  true,
		"hardware_interface/EffortJointInterface": false} {
		spec, err := read(t, robotOf(a+b+jointOf("j", "revolute", "a", "b", `<limit lower="-1" upper="2"/>`)+`<transmission name="t"><type>transmission_interface/SimpleTransmission</type>
			<joint name="j"><hardwareInterface>`+face+`</hardwareInterface></joint><actuator name="m"/></transmission>`))
		if err != nil {
			t.Fatal(err)
		}
		if got := spec.Joints[0].Hold; got != want {
			t.Errorf("%s: held %v, want %v", face, got, want)
		}
	}
}
