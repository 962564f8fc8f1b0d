package gazebo

import (
	"fmt"
	"slices"
	"strings"

	"simdeck/sim/asset/xmltree"
	"simdeck/sim/format/source"
	"simdeck/sim/scene"
)

// battery reads Gazebo's LinearBatteryPlugin. Where it has no <voltage> of its own, that of the <battery> of
// a link is taken, as by Gazebo Classic.
func (f *flow) battery() {
	leave := func(at, format string, args ...any) {
		f.d.Note(scene.Suspicious, f.at(at), "plugin %s is left out: %s", PluginName(f.n), fmt.Sprintf(format, args...))
	}
	b := scene.Battery{Name: f.text("battery_name"), Voltage: Loose(f.d, f.n, "voltage", 0),
		Capacity: Loose(f.d, f.n, "capacity", 0)}
	if own := batteryOfLink(f.d.Tree.Root, b.Name); own != nil && f.n.Child("voltage") == nil {
		b.Voltage = Loose(f.d, own, "voltage", 0)
	}
	switch {
	case b.Name == "":
		leave("battery_name", "it has no <battery_name>")
		return
	case slices.ContainsFunc(f.spec.Batteries, func(o scene.Battery) bool { return o.Name == b.Name }):
		leave("battery_name", "there is a battery %q already", b.Name)
		return
	case !(b.Capacity > 0):
		leave("capacity", "<capacity> of %g Ah; want more than 0", b.Capacity)
		return
	case !(b.Voltage > 0):
		leave("voltage", "<voltage> of %g V; want more than 0", b.Voltage)
		return
	}
	b.Full, b.Slope = f.openCircuit()
	b.Initial, b.Smoothing = b.Capacity, Loose(f.d, f.n, "smooth_current_tau", 1)
	if f.text("initial_charge") != "" {
		b.Initial = f.within("initial_charge", b.Capacity)
	}
	if !(b.Smoothing > 0) {
		f.d.Note(scene.Suspicious, f.at("smooth_current_tau"),
			"<smooth_current_tau> of %g s; want more than 0; using 1", b.Smoothing)
		b.Smoothing = 1
	}
	b.Resistance, b.Load = f.size("resistance", 0), f.size("power_load", 0)
	if f.text("power_load") == "" {
		f.d.Note(scene.Suspicious, f.n, "plugin %s has no <power_load>; using 0 W", PluginName(f.n))
	}
	b.Draining = f.d.Bool(f.n, "start_draining", false)
	b.Inverted = f.d.Bool(f.n, "invert_current_sign", false)
	f.charging(&b)
	b.Start, b.Stop = f.topics("power_draining_topic"), f.topics("stop_power_draining_topic")
	if !f.d.Bool(f.n, "fix_issue_225", false) {
		f.d.Note(scene.Inferred, f.at("fix_issue_225"), "battery %q: <fix_issue_225> is true here: "+
			"without it Gazebo's state of charge falls about a hundred times too fast", b.Name)
	}
	f.spec.Batteries = append(f.spec.Batteries, b)
	others(f.d, f.n, strings.Fields(`battery_name link_name voltage open_circuit_voltage_constant_coef
		open_circuit_voltage_linear_coef initial_charge capacity resistance smooth_current_tau power_load start_draining
		enable_recharge charging_time recharge_by_topic fix_issue_225 power_draining_topic stop_power_draining_topic
		invert_current_sign`)...)
}

// openCircuit reads the voltage at full charge, V, and its change to none.
func (f *flow) openCircuit() (full, slope float64) {
	const name = "open_circuit_voltage_constant_coef"
	full, slope = Loose(f.d, f.n, name, 0), Loose(f.d, f.n, "open_circuit_voltage_linear_coef", 0)
	if !(full > 0 && full+slope > 0) {
		f.d.Note(scene.Suspicious, f.at(name),
			"an open-circuit voltage from %g V with a full charge to %g V without one; below 0.001 V no current flows",
			full, full+slope)
	}
	return full, slope
}

// within is a number from 0 to a bound; another is noted, and the nearest is taken.
func (f *flow) within(name string, most float64) float64 {
	x := Loose(f.d, f.n, name, most)
	if y := max(0, min(most, x)); x != y {
		f.d.Note(scene.Suspicious, f.n.Child(name), "<%s> of %g; want 0 to %g; using %g", name, x, most, y)
		return y
	}
	return x
}

// charging reads how a battery is charged.
func (f *flow) charging(b *scene.Battery) {
	hours := Loose(f.d, f.n, "charging_time", 0)
	if !f.d.Bool(f.n, "enable_recharge", false) {
		return
	}
	if !(hours > 0) {
		f.d.Note(scene.Suspicious, f.at("charging_time"),
			"battery %q cannot be charged: <charging_time> of %g h; want more than 0", b.Name, hours)
		return
	}
	b.ChargeTime, b.ByTopic = hours, f.d.Bool(f.n, "recharge_by_topic", false)
}

// topics are the topics that elements of a name have, absolute, each once.
func (f *flow) topics(name string) (out []string) {
	for _, k := range f.n.All(name) {
		topic := "/" + strings.Trim(k.Value(), "/")
		if topic == "/" {
			f.d.Note(scene.Suspicious, k, "<%s> is empty; want a topic", name)
			continue
		}
		if !slices.Contains(out, topic) {
			out = append(out, topic)
		}
	}
	return out
}

// powerUse reads the power that a thruster draws from a battery, which is there before or after it.
func (f *flow) powerUse() {
	name := f.text("battery_name")
	power := f.size("power_load", 0)
	if name == "" {
		return
	}
	if names := batteryNames(f.d.Tree.Root, nil); !slices.Contains(names, name) {
		f.d.Note(scene.Suspicious, f.at("battery_name"), "plugin %s: there is no battery %q%s", PluginName(f.n), name,
			source.Near(name, names))
		return
	}
	f.spec.PowerUses = append(f.spec.PowerUses, scene.PowerUse{Battery: name, Power: power})
}

// isBattery reports that a plugin is a battery.
func isBattery(n *xmltree.Node) bool {
	return n.Name == "plugin" && strings.Contains(plain(n), "linearbattery")
}

// batteryNames appends the names of the batteries below an element.
func batteryNames(n *xmltree.Node, names []string) []string {
	for _, k := range n.Kids {
		if isBattery(k) {
			names = append(names, k.ValueOf("battery_name"))
			continue
		}
		names = batteryNames(k, names)
	}
	return names
}

// batteryOfLink is the <battery> of a link with a name; nil: there is none.
func batteryOfLink(n *xmltree.Node, name string) *xmltree.Node {
	for _, k := range n.Kids {
		if n.Name == "link" && k.Name == "battery" && k.Get("name") == name && name != "" {
			return k
		}
		if found := batteryOfLink(k, name); found != nil {
			return found
		}
	}
	return nil
}

// LinkBattery notes the <battery> of a link that no plugin of its file runs.
func LinkBattery(d *source.Doc, n *xmltree.Node) {
	if name := n.Get("name"); !slices.Contains(batteryNames(d.Tree.Root, nil), name) {
		d.Note(scene.Ignored, n, "<battery> %q of a link does nothing: no LinearBatteryPlugin has it", name)
	}
}
