package format_test

import (
	"strings"
	"testing"

	"simdeck/sim/format"
	"simdeck/sim/scene"
)

const weight = `<inertial><mass>1</mass><inertia><ixx>0.01</ixx><iyy>0.01</iyy><izz>0.01</izz></inertia></inertial>`

// motorised is a model with a limited joint and a plugin.
func motorised(t *testing.T, plugin string) *scene.ModelSpec {
	t.Helper()
	m, err := format.NewLibrary(format.Config{}).Model(scene.Resource{Document: `<sdf version="1.9"><model name="m"><link name="a">` + weight + `</link><link name="b">` + weight + `</link>
		<joint name="j" type="revolute"><parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz><limit><lower>-1</lower><upper>2</upper></limit></axis></joint>` +
		plugin + `</model></sdf>`})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestControllersOfJointsBeginWithWhatTheyAreTold(t *testing.T) {
	const trajectory = `filename="gz-sim-joint-trajectory-controller-system" name="gz::sim::systems::JointTrajectoryController"`
	const position, velocity = `filename="gz-sim-joint-position-controller-system" name="gz::sim::systems::JointPositionController"`,
		`filename="libignition-gazebo-joint-controller-system.so" name="ignition::gazebo::systems::JointController"`
	for _, c := range []struct {
		plugin         string
		hold           bool
		initial, speed float64
		note           string
	}{
		{`<plugin ` + position + `><joint_name>j</joint_name><initial_position>0.5</initial_position></plugin>`,
			true, 0.5, 0, ""},
		{`<plugin ` + position + `><joint_name>j</joint_name></plugin>`, false, 0, 0, ""},
		{`<plugin ` + position + `><joint_name>j</joint_name><p_gain>50</p_gain></plugin>`, true, 0, 0, ""},
		{`<plugin ` + trajectory + `><joint_name>j</joint_name><topic>/go</topic></plugin>`, false, 0, 0,
			`topic "/go" is not offered`},
		{`<plugin ` + trajectory + `><joint_name>k</joint_name><initial_position>1</initial_position><joint_name>j</joint_name><initial_position>1.5</initial_position></plugin>`,
			true, 1.5, 0, `no joint "k"`},
		{`<plugin ` + trajectory + `><joint_name>j</joint_name><position_p_gain>20</position_p_gain></plugin>`,
			true, 0, 0, ""},
		{`<plugin ` + trajectory + `><joint_name>j</joint_name></plugin>`, false, 0, 0, ""},
		{`<plugin ` + position + `><joint_name>j</joint_name><initial_position>3</initial_position></plugin>`,
			true, 2, 0, "beyond its stops"},
		{`<plugin ` + position + `><joint_name>k</joint_name><initial_position>1</initial_position></plugin>`,
			false, 0, 0, `no joint "k"`},
		{`<plugin ` + velocity + `><joint_name>j</joint_name><initial_velocity>-2.5</initial_velocity></plugin>`,
			false, 0, -2.5, ""},
		{`<plugin ` + velocity + `><joint_name>j</joint_name><initial_velocity>fast</initial_velocity></plugin>`,
			false, 0, 0, `"fast"`},
		{`<plugin ` + velocity + `><joint_name>j</joint_name></plugin>`, false, 0, 0, ""},
	} {
		m := motorised(t, c.plugin)
		j := m.Joints[0]
		if j.Hold != c.hold || j.Initial != c.initial || j.Speed != c.speed {
			t.Errorf("%s: hold %v at %v, speed %v", c.plugin, j.Hold, j.Initial, j.Speed)
		}
		said := ""
		for _, n := range m.Notes {
			said += n.Text
		}
		if !strings.Contains(said, c.note) || c.note == "" && said != "" {
			t.Errorf("%s: notes %v, want %q", c.plugin, m.Notes, c.note)
		}
	}
}

func TestControllersOfJointsBoundTheirCommands(t *testing.T) {
	for plugin, want := range map[string][2]float64{ // effort, velocity
		`<plugin filename="gz-sim-joint-position-controller-system" name="x"><joint_name>j</joint_name><cmd_max>7</cmd_max></plugin>`: {7,
			0},
		`<plugin filename="gz-sim-joint-position-controller-system" name="x"><joint_name>j</joint_name><use_velocity_commands>true</use_velocity_commands><cmd_max>7</cmd_max></plugin>`: {0,
			7},
		`<plugin filename="gz-sim-joint-controller-system" name="x"><joint_name>j</joint_name><cmd_max>3</cmd_max></plugin>`: {3,
			0},
		`<plugin filename="gz-sim-joint-controller-system" name="x"><joint_name>j</joint_name><cmd_max>3</cmd_max></plugin><plugin filename="gz-sim-joint-controller-system" name="y"><joint_name>j</joint_name><cmd_max>5</cmd_max></plugin>`: {3,
			0},
	} {
		if l := motorised(t, plugin).Joints[0].Limit; l.Effort != want[0] || l.Velocity != want[1] ||
			l.MotorOnly != (want[1] > 0) {
			t.Errorf("%s: effort %v, velocity %v of the motor alone: %v; want %v", plugin, l.Effort,
				l.Velocity, l.MotorOnly, want)
		}
	}
}

func TestControllersOfJointsNameTheirTopics(t *testing.T) {
	for plugin, want := range map[string]scene.Listen{
		`name="gz::sim::systems::JointPositionController"><joint_name>j</joint_name><topic>/go</topic>`:        {Topic: "/go"},
		`name="gz::sim::systems::JointPositionController"><joint_name>j</joint_name><sub_topic>go</sub_topic>`: {Topic: "go"},
		`name="ignition::gazebo::systems::JointController"><joint_name>j</joint_name><topic>speed</topic>`: {Topic: "speed",
			Velocity: true},
		`name="ignition::gazebo::systems::JointController"><joint_name>j</joint_name>`:                     {},
		`name="gz::sim::systems::JointTrajectoryController"><joint_name>j</joint_name><topic>/way</topic>`: {},
	} {
		if m := motorised(t, `<plugin filename="x" `+plugin+`</plugin>`); m.Joints[0].Listen != want {
			t.Errorf("%s: %+v, want %+v", plugin, m.Joints[0].Listen, want)
		}
	}
}
