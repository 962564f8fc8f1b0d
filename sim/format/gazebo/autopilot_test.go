package gazebo

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// flown reads a plugin of a model with two joints, turn and lift.
func flown(t *testing.T, plugin string) (*scene.ModelSpec, scene.Notes) {
	t.Helper()
	d := open(t, plugin)
	spec := &scene.ModelSpec{Joints: []scene.Joint{{Name: "turn"}, {Name: "lift"}}}
	if err := Plugin(d, d.Tree.Root, spec, map[string]int{"turn": 0, "iris::lift": 1}, ""); err != nil {
		t.Fatal(err)
	}
	return spec, *d.Notes
}

func arduPilotPlugin(content string) string {
	return `<plugin name="ArduPilotPlugin" filename="ArduPilotPlugin">` + content + `</plugin>`
}

func TestAnArduPilotPluginIsReadAsItsFileNamesIt(t *testing.T) {
	spec, notes := flown(t, arduPilotPlugin(`<fdm_addr>127.0.0.1</fdm_addr><fdm_port_in>9012</fdm_port_in><connectionTimeoutMaxCount>5</connectionTimeoutMaxCount><lock_step>1</lock_step>
		<modelXYZToAirplaneXForwardZDown degrees="true">0 0 0 180 0 0</modelXYZToAirplaneXForwardZDown>
		<gazeboXYZToNED degrees="true">0 0 0 180 0 90</gazeboXYZToNED><imuName>iris::imu_link::imu_sensor</imuName>
		<control channel="3"><jointName>turn</jointName><useForce>1</useForce><multiplier>-838</multiplier><offset>0</offset>
			<servo_min>1100</servo_min><servo_max>1900</servo_max><type>VELOCITY</type><p_gain>0.2</p_gain><cmd_max>2.5</cmd_max><cmd_min>-2.5</cmd_min><controlVelocitySlowdownSim>1</controlVelocitySlowdownSim></control>
		<control channel="0"><jointName>iris::lift</jointName><useForce>0</useForce><offset>-0.5</offset><multiplier>2</multiplier><type>POSITION</type><cmd_max>3</cmd_max></control>
		<control channel="1"><jointName>turn</jointName><type>COMMAND</type><cmd_topic>/model/sub/joint/turn/cmd_thrust</cmd_topic><offset>-0.5</offset><multiplier>100</multiplier></control>
		<control><jointName>turn</jointName><type>EFFORT</type><turningDirection>cw</turningDirection></control>`))
	if len(notes) > 0 || len(spec.Autopilots) != 1 {
		t.Fatalf("%+v, notes %v", spec.Autopilots, notes)
	}
	a := spec.Autopilots[0]
	want := []scene.AutopilotChannel{
		{Output: 3, Joint: 0, Scale: -838, Min: 1100, Max: 1900, Effort: 2.5},
		{Output: 0, Joint: 1, By: scene.ChannelPosition, Scale: 2, Offset: -0.5, Min: 1000, Max: 2000},
		{Output: 1, Joint: 0, By: scene.ChannelEffort, Scale: 100, Offset: -0.5, Min: 1000, Max: 2000},
		{Output: 3, Joint: 0, By: scene.ChannelEffort, Scale: -1, Min: 1000, Max: 2000},
	}
	if a.Protocol != scene.ArduPilot || a.Port != 9012 || a.IMU != "imu_sensor" ||
		!reflect.DeepEqual(a.Channels, want) {
		t.Errorf("%+v, want the channels %+v", a, want)
	}
	if north := a.World.Rotate(r3.V(1, 0, 0)); north.Dist(r3.V(0, 1, 0)) > 1e-12 {
		t.Errorf("north is %v in the world, want y", north)
	}
	if right := a.Body.Rotate(r3.V(0, 1, 0)); right.Dist(r3.V(0, -1, 0)) > 1e-12 {
		t.Errorf("right is %v in the model, want -y", right)
	}
}

// The plugin of Betaflight's own models, and one that is made of ArduPilot's.
func TestABetaflightPluginIsReadAsItsFileNamesIt(t *testing.T) {
	for content, want := range map[string]scene.AutopilotChannel{
		`<imuName>iris/imu_link::imu_sensor</imuName><rotor id="3"><jointName>turn</jointName><turningDirection>cw</turningDirection>
			<vel_p_gain>0.01</vel_p_gain><vel_cmd_max>838.0</vel_cmd_max><vel_cmd_min>-838.0</vel_cmd_min><rotorVelocitySlowdownSim>2</rotorVelocitySlowdownSim></rotor>`: {
			Output: 3, Scale: -419, Min: 1000, Max: 2000, Effort: 838},
		`<imuName>imu_sensor</imuName><fdm_port_in>9002</fdm_port_in><rotor id="0"><jointName>turn</jointName><turningDirection>ccw</turningDirection><maxRpm>900</maxRpm></rotor>`: {
			Scale: 900, Min: 1000, Max: 2000},
		`<imuName>imu_sensor</imuName><control channel="1"><jointName>turn</jointName><multiplier>-700</multiplier><type>VELOCITY</type></control>`: {
			Output: 1, Scale: -700, Min: 1000, Max: 2000},
	} {
		spec, notes := flown(t, `<plugin name="gz::sim::systems::BetaflightPlugin" filename="BetaflightPlugin">`+
			content+`</plugin>`)
		if len(notes) > 0 || len(spec.Autopilots) != 1 {
			t.Errorf("%s: %+v, notes %v", content, spec.Autopilots, notes)
			continue
		}
		a := spec.Autopilots[0]
		if a.Protocol != scene.Betaflight || a.Port != 9001 || a.IMU != "imu_sensor" ||
			len(a.Channels) != 1 || a.Channels[0] != want {
			t.Errorf("%s: %+v, want %+v", content, a, want)
		}
	}
	_, notes := flown(t, `<plugin name="BetaflightPlugin" filename="BetaflightPlugin"><fdm_port_in>0</fdm_port_in><rotor id="0"><jointName>tern</jointName></rotor></plugin>`)
	if len(notes) != 2 {
		t.Errorf("a port of 0 and a joint that is not there: notes %v", notes)
	}
}

func TestOddNumbersOfAnAutopilotAreNoted(t *testing.T) {
	for content, channels := range map[string]int{
		`<fdm_port_in>70000</fdm_port_in><control channel="0"><jointName>turn</jointName></control>`:                       1,
		`<control channel="99"><jointName>turn</jointName></control>`:                                                      0,
		`<control channel="-1"><jointName>turn</jointName></control>`:                                                      0,
		`<control channel="nan"><jointName>turn</jointName></control>`:                                                     0,
		`<control channel="0"><jointName>tern</jointName></control>`:                                                       0,
		`<control channel="0"><jointName>turn</jointName><servo_min>2000</servo_min><servo_max>1000</servo_max></control>`: 1,
		`<control channel="0"><jointName>turn</jointName><type>DREAM</type></control>`:                                     1,
		`<gazeboXYZToNED>1 2</gazeboXYZToNED><control channel="0"><jointName>turn</jointName></control>`:                   1,
		`<control channel="0"><jointName>turn</jointName><multiplier>nan</multiplier><offset>inf</offset></control>`:       1,
		strings.Repeat(`<control channel="0"><jointName>turn</jointName><multiplier>ten</multiplier></control>`, 3):        3,
	} {
		spec, notes := flown(t, arduPilotPlugin(content))
		if len(spec.Autopilots) != 1 || len(spec.Autopilots[0].Channels) != channels ||
			len(notes) == 0 {
			t.Errorf("%s: %+v, notes %v", content, spec.Autopilots, notes)
			continue
		}
		for _, c := range spec.Autopilots[0].Channels {
			if !(c.Max > c.Min) || math.IsNaN(c.Scale) || math.IsInf(c.Offset, 0) {
				t.Errorf("%s: %+v", content, c)
			}
		}
	}
}

// TestThePluginOfPX4NamesItsChannels: those without a joint are of the rotors, by their order.
func TestThePluginOfPX4NamesItsChannels(t *testing.T) {
	spec, notes := flown(t, `<plugin name="mavlink_interface" filename="libgazebo_mavlink_interface.so"><robotNamespace/><mavlink_tcp_port>4562</mavlink_tcp_port><enable_lockstep>true</enable_lockstep>
		<control_channels><channel name="rotor1"><input_index>4</input_index><input_offset>0</input_offset><input_scaling>1000</input_scaling><zero_position_disarmed>0</zero_position_disarmed><zero_position_armed>100</zero_position_armed><joint_control_type>velocity</joint_control_type></channel>
		<channel name="flap"><input_index>2</input_index><input_scaling>1</input_scaling><joint_control_type>position</joint_control_type><joint_name>turn</joint_name></channel></control_channels></plugin>`)
	want := []scene.AutopilotChannel{{Output: 4, Joint: -1, Motor: 0, Scale: 1000, Armed: 100},
		{Output: 2, Joint: 0, Motor: 1, By: scene.ChannelPosition, Scale: 1}}
	if len(notes) > 0 || len(spec.Autopilots) != 1 || spec.Autopilots[0].Protocol != scene.PX4 ||
		spec.Autopilots[0].Port != 4562 || !reflect.DeepEqual(spec.Autopilots[0].Channels, want) {
		t.Errorf("%+v, notes %v; want the channels %+v", spec.Autopilots, notes, want)
	}
}
