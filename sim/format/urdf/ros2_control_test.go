package urdf

import (
	"strings"
	"testing"

	"simdeck/sim/scene"
)

const plugin = `<gazebo><plugin filename="libgz_ros2_control-system.so" name="gz_ros2_control::GazeboSimROS2ControlPlugin">
<ros><namespace>left</namespace></ros><controller_manager_name>cm</controller_manager_name><parameters>c.yaml</parameters></plugin></gazebo>`

// hardwareOf is a <ros2_control> of a type.
func hardwareOf(name, kind, inside string) string {
	return `<ros2_control name="` + name + `" type="` + kind + `"><hardware><plugin>p/P</plugin></hardware>` +
		inside + `</ros2_control>`
}

const faces = `<joint name="j"><command_interface name="position"/><state_interface name="position"/>
<state_interface name="velocity"/></joint>`

func TestHardwareAndItsPluginMakeAControllerManager(t *testing.T) {
	body := a + b + jointOf("j", "revolute", "a", "b", stops)
	for _, c := range []struct {
		what, inside string
		note         string // "": none but inferred ones
		components   int    // -1: no controller manager
		commands     int    // of the first
	}{
		{"both", hardwareOf("x", "system", faces) + plugin, "", 1, 1},
		{"no plugin", hardwareOf("x", "system", faces), "", -1, 0},
		{"no parameters", hardwareOf("x", "system", faces) +
			strings.Replace(plugin, "<parameters>c.yaml</parameters>", "", 1), "", -1, 0},
		{"no hardware", plugin, "of which the file has none", -1, 0},
		{"another plugin", hardwareOf("x", "system", faces) +
			`<gazebo><plugin filename="libother.so" name="n"/></gazebo>`, "", -1, 0},
		{"a type that there is not", hardwareOf("x", "engine", faces) + plugin,
			`of type "engine"; want system, actuator or sensor`, -1, 0},
		{"one name twice", hardwareOf("x", "system", faces) + hardwareOf("x", "system", "") + plugin,
			`two <ros2_control> are called "x"`, 1, 1},
		{"one interface twice", hardwareOf("x", "system", faces) + hardwareOf("y", "system", faces) + plugin,
			"j/position is commanded by two components", 2, 1},
		{"a sensor that commands", hardwareOf("x", "sensor", faces) + plugin,
			`"x" is of type sensor and cannot command j/position`, 1, 0},
		{"a joint that is not there", hardwareOf("x", "system", `<joint name="k"/>`) + plugin,
			`commands joint "k", which is not there`, 1, 0},
	} {
		spec, err := read(t, robotOf(body+c.inside))
		if err != nil {
			t.Fatal(c.what, err)
		}
		said := ""
		for _, n := range spec.Notes {
			if n.Kind == scene.Suspicious {
				said += n.String() + "\n"
			}
		}
		if !strings.Contains(said, c.note) || (c.note == "") != (said == "") {
			t.Errorf("%s: notes %q, want %q", c.what, said, c.note)
		}
		control := spec.ROS.Control
		if control == nil {
			if c.components >= 0 {
				t.Errorf("%s: there is no controller manager", c.what)
			}
			continue
		}
		if control.Namespace != "left" || control.Manager != "cm" ||
			len(control.Components) != c.components ||
			len(control.Components[0].Commands) != c.commands {
			t.Errorf("%s: %+v", c.what, control)
		}
	}
}
