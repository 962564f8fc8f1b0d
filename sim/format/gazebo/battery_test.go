package gazebo

import (
	"reflect"
	"strings"
	"testing"

	"simdeck/sim/scene"
)

// batteries reads plugins of batteries of one model, beside links.
func batteries(t *testing.T, links string, plugins ...string) (*scene.ModelSpec, string) {
	t.Helper()
	spec := &scene.ModelSpec{}
	text := "<model>" + links
	for _, content := range plugins {
		text += "\n" + `<plugin filename="gz-sim-linearbatteryplugin-system" name="gz::sim::systems::LinearBatteryPlugin">` + content +
			`</plugin>`
	}
	d := open(t, text+"</model>")
	for _, n := range d.Tree.Root.All("plugin") {
		if err := Plugin(d, n, spec, nil, ""); err != nil {
			t.Fatal(err)
		}
	}
	notes := ""
	for _, n := range *d.Notes {
		notes += n.String() + "\n"
	}
	return spec, notes
}

// leastBattery is a battery with the elements that it needs.
const leastBattery = `<battery_name>b</battery_name><voltage>12</voltage><open_circuit_voltage_constant_coef>12.6</open_circuit_voltage_constant_coef><capacity>2</capacity><power_load>5</power_load><fix_issue_225>1</fix_issue_225>`

func TestABatteryIsReadWithGazebosDefaults(t *testing.T) {
	usual := scene.Battery{Name: "b", Voltage: 12, Full: 12.6, Initial: 2, Capacity: 2, Smoothing: 1, Load: 5}
	whole := scene.Battery{Name: "b", Voltage: 12, Full: 12.6, Slope: -3, Initial: 1.5, Capacity: 2,
		Resistance: 0.06, Smoothing: 2, Load: 5, Draining: true, Inverted: true, ChargeTime: 3, ByTopic: true,
		Start: []string{"/go", "/cmd"}, Stop: []string{"/halt"}}
	for content, want := range map[string]scene.Battery{
		leastBattery: usual,
		leastBattery + `<enable_recharge>false</enable_recharge><charging_time>3</charging_time><start_draining>0</start_draining>`: usual,
		leastBattery + `<open_circuit_voltage_linear_coef>-3</open_circuit_voltage_linear_coef><initial_charge>1.5</initial_charge><resistance>0.06</resistance>
			<smooth_current_tau>2</smooth_current_tau><start_draining>true</start_draining><enable_recharge>true</enable_recharge><charging_time>3</charging_time>
			<recharge_by_topic>true</recharge_by_topic><invert_current_sign>true</invert_current_sign><power_draining_topic>/go</power_draining_topic>
			<power_draining_topic>cmd/</power_draining_topic><power_draining_topic>go</power_draining_topic><stop_power_draining_topic>halt</stop_power_draining_topic>`: whole,
	} {
		spec, notes := batteries(t, "", content)
		if notes != "" || len(spec.Batteries) != 1 || !reflect.DeepEqual(spec.Batteries[0], want) {
			t.Errorf("%s:\n%+v, want\n%+v; notes %s", content, spec.Batteries, want, notes)
		}
	}
}

// Where a plugin has no voltage, that of the battery of a link is its own, as with Gazebo Classic.
func TestABatteryTakesTheVoltageOfThatOfALink(t *testing.T) {
	content := strings.Replace(leastBattery, "<voltage>12</voltage>", "", 1)
	spec, notes := batteries(t, `<link name="l"><battery name="a"><voltage>7</voltage></battery><battery name="b"><voltage>11</voltage></battery></link>`,
		content)
	if notes != "" || len(spec.Batteries) != 1 || spec.Batteries[0].Voltage != 11 {
		t.Errorf("%+v, notes %s", spec.Batteries, notes)
	}
}

func TestABatteryThatCannotBeIsNotedWithItsPlace(t *testing.T) {
	without := func(old string) string { return strings.Replace(leastBattery, old, "", 1) }
	for _, c := range []struct {
		content string
		left    bool // it is left out
		says    string
	}{
		{without("<battery_name>b</battery_name>"), true, "2:1: suspicious: plugin gz-sim-linearbatteryplugin-system (gz::sim::systems::LinearBatteryPlugin) is left out: it has no <battery_name>"},
		{without("<capacity>2</capacity>"), true, "<capacity> of 0 Ah; want more than 0"},
		{without("<capacity>2</capacity>") + "\n<capacity>0</capacity>", true, "3:1: suspicious: plugin gz-sim-linearbatteryplugin-system (gz::sim::systems::LinearBatteryPlugin) is left out: <capacity> of 0 Ah"},
		{without("<capacity>2</capacity>") + "\n<capacity>-2</capacity>", true, "3:1: suspicious"},
		{without("<capacity>2</capacity>") + "\n<capacity>nan</capacity>", true, "3:1: suspicious"},
		{without("<voltage>12</voltage>"), true, "<voltage> of 0 V; want more than 0"},
		{without("<voltage>12</voltage>") + "\n<voltage>-1</voltage>", true, "3:1: suspicious"},
		{without("<power_load>5</power_load>"), false, "has no <power_load>; using 0 W"},
		{without("<power_load>5</power_load>") + "\n<power_load>-5</power_load>", false, "3:1: suspicious: <power_load> of -5; want 0 or more; using 0"},
		{without("<open_circuit_voltage_constant_coef>12.6</open_circuit_voltage_constant_coef>"), false, "an open-circuit voltage from 0 V"},
		{leastBattery + "\n<resistance>-1</resistance>", false, "3:1: suspicious: <resistance> of -1; want 0 or more; using 0"},
		{leastBattery + "\n<initial_charge>3</initial_charge>", false, "3:1: suspicious: <initial_charge> of 3; want 0 to 2; using 2"},
		{leastBattery + "\n<initial_charge>-1</initial_charge>", false, "want 0 to 2; using 0"},
		{leastBattery + "\n<smooth_current_tau>0</smooth_current_tau>", false, "3:1: suspicious: <smooth_current_tau> of 0 s; want more than 0; using 1"},
		{leastBattery + "\n<enable_recharge>true</enable_recharge>", false, `battery "b" cannot be charged: <charging_time> of 0 h`},
		{leastBattery + "\n<enable_recharge>true</enable_recharge>\n<charging_time>-1</charging_time>", false, "4:1: suspicious: battery \"b\" cannot be charged"},
		{leastBattery + "\n<power_draining_topic/>", false, "3:1: suspicious: <power_draining_topic> is empty"},
		{leastBattery + "\n<colour>red</colour>", false, "3:1: unsupported: <colour> of gz-sim-linearbatteryplugin-system"},
		{without("<fix_issue_225>1</fix_issue_225>"), false, `inferred: battery "b": <fix_issue_225> is true here`},
	} {
		spec, notes := batteries(t, "", c.content)
		if !strings.Contains(notes, c.says) || (len(spec.Batteries) == 0) != c.left {
			t.Errorf("%s: %d batteries, notes %q, want %q", c.content, len(spec.Batteries), notes, c.says)
		}
		for _, b := range spec.Batteries {
			if !(b.Resistance >= 0 && b.Load >= 0 && b.Smoothing > 0 && b.Initial >= 0 &&
				b.Initial <= b.Capacity) {
				t.Errorf("%s: taken as %+v", c.content, b)
			}
		}
	}
	if spec, notes := batteries(t, "", leastBattery, leastBattery); len(spec.Batteries) != 1 ||
		!strings.Contains(notes, `there is a battery "b" already`) {
		t.Errorf("of two batteries with one name: %+v, notes %s", spec.Batteries, notes)
	}
}

// A thruster draws from a battery of its file, which may stand behind it.
func TestAThrusterNamesTheBatteryOfItsPower(t *testing.T) {
	for name, want := range map[string]string{"main": "", "mian": `4:1: suspicious: plugin gz-sim-thruster-system (t): there is no battery "mian"; did you mean "main"?`} {
		spec := &scene.ModelSpec{Joints: []scene.Joint{{Name: "p"}}}
		spec.Joints[0].Axis.X = 1
		d := open(t, `<model><plugin filename="gz-sim-thruster-system" name="t"><joint_name>p</joint_name>
<power_load>30</power_load>
<propeller_diameter>0.2</propeller_diameter>
<battery_name>`+name+`</battery_name></plugin>
<plugin filename="gz-sim-linearbatteryplugin-system" name="gz::sim::systems::LinearBatteryPlugin">`+
			strings.Replace(leastBattery, ">b<", ">main<", 1)+`</plugin></model>`)
		for _, n := range d.Tree.Root.All("plugin") {
			if err := Plugin(d, n, spec, map[string]int{"p": 0}, ""); err != nil {
				t.Fatal(err)
			}
		}
		notes := ""
		for _, n := range *d.Notes {
			notes += n.String() + "\n"
		}
		ok := len(spec.PowerUses) == 1 && spec.PowerUses[0] == scene.PowerUse{Battery: "main", Power: 30}
		if ok != (want == "") || !strings.Contains(notes, want) || want == "" && notes != "" {
			t.Errorf("of battery %q: %+v, notes %q, want %q", name, spec.PowerUses, notes, want)
		}
	}
}
