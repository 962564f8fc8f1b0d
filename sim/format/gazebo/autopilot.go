package gazebo

import (
	"math"
	"strings"

	"simdeck/sim/asset/xmltree"
	"simdeck/sim/format/source"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// mostOutputs is the number of outputs that an autopilot has at most.
const mostOutputs = 32

// arduPilot reads Gazebo's ArduPilotPlugin.
func (f *flow) arduPilot() {
	a := scene.Autopilot{Protocol: scene.ArduPilot, Port: f.port("fdm_port_in", 9002),
		IMU: lastName(f.text("imuName")), Body: f.turn("modelXYZToAirplaneXForwardZDown"),
		World: f.turn("gazeboXYZToNED")}
	a.Channels = f.controls(nil)
	if len(f.n.All("sensor")) > 0 {
		f.d.Note(scene.Inferred, f.n.Child("sensor"),
			"the range finders of an autopilot are the sonars of the model, in their order")
	}
	f.spec.Autopilots = append(f.spec.Autopilots, a)
	others(f.d, f.n, strings.Fields(`fdm_addr fdm_port_in fdm_port_out listen_addr listen_port connectionTimeoutMaxCount lock_step
		have_32_channels modelXYZToAirplaneXForwardZDown gazeboXYZToNED imuName control rotor sensor`)...)
}

// controls reads the channels of ArduPilotPlugin, or of one like it, which may change them.
func (f *flow) controls(change func(k *xmltree.Node, c *scene.AutopilotChannel)) (
	all []scene.AutopilotChannel) {
	list := f.n.All("control")
	if len(list) == 0 {
		list = f.n.All("rotor")
	}
	for i, k := range list {
		if c, ok := f.control(k, i); ok {
			if change != nil {
				change(k, &c)
			}
			all = append(all, c)
		}
	}
	return all
}

// betaflight reads the BetaflightPlugin of Gazebo. Its port is that of packets which are heard a number below
// here. A rotor without a multiplier turns at <maxRpm> at most, which is in rad/s.
func (f *flow) betaflight() {
	a := scene.Autopilot{Protocol: scene.Betaflight, Port: max(1, f.port("fdm_port_in", 9002)-1),
		IMU: lastName(f.text("imuName"))}
	a.Channels = f.controls(func(k *xmltree.Node, c *scene.AutopilotChannel) {
		if k.ValueOf("multiplier") == "" {
			c.Scale *= Loose(f.d, k, "maxRpm", 838)
		}
	})
	f.spec.Autopilots = append(f.spec.Autopilots, a)
	others(f.d, f.n, strings.Fields(`fdm_addr fdm_port_in fdm_port_out listen_addr connectionTimeoutMaxCount imuName control
		rotor modelXYZToAirplaneXForwardZDown gazeboXYZToNED`)...)
}

// lastName is the name of a thing without those of the models and links around it.
func lastName(scoped string) string {
	return scoped[strings.LastIndexByte(scoped, ':')+1:]
}

// port is a number of a port; another is noted, and otherwise is taken.
func (f *flow) port(name string, otherwise int) int {
	v := Loose(f.d, f.n, name, float64(otherwise))
	if v != math.Trunc(v) || v < 1 || v > 65535 {
		f.d.Note(scene.Suspicious, f.at(name), "<%s> of %g; want 1 to 65535; using %d", name, v, otherwise)
		return otherwise
	}
	return int(v)
}

// turn is the rotation of a pose. Without one it is half a turn about x, as Gazebo takes it.
func (f *flow) turn(name string) *r3.Quat {
	half := r3.Quat{X: 1}
	k := f.n.Child(name)
	if k.Value() == "" {
		return &half
	}
	v, err := f.d.Numbers(k, k.Value(), 6)
	if err != nil {
		f.d.Note(scene.Suspicious, k, "%v; using half a turn about x", err)
		return &half
	}
	unit := 1.0
	if inDegrees(k) {
		unit = math.Pi / 180
	}
	q := r3.FromRPY(unit*v[3], unit*v[4], unit*v[5])
	return &q
}

// output is the number of an output; another is noted. False: it is left out.
func (f *flow) output(n *xmltree.Node, text string) (int, bool) {
	v, err := source.ParseFloat(text)
	if err != nil || v != math.Trunc(v) || v < 0 || v >= mostOutputs {
		f.d.Note(scene.Suspicious, n, "output %q of an autopilot; want 0 to %d; left out", text,
			mostOutputs-1)
		return 0, false
	}
	return int(v), true
}

// jointNamed is the joint that a channel commands; another name is noted. False: it is left out.
func (f *flow) jointNamed(n *xmltree.Node, name string) (int, bool) {
	i, ok := f.jointCalled(name)
	if !ok {
		f.d.Note(scene.Suspicious, n, "an output of an autopilot is left out: there is no joint %q%s", name,
			source.NearKey(f.prefix+name, f.joints))
	}
	return i, ok
}

// control reads a channel of ArduPilotPlugin, the i-th of its list.
func (f *flow) control(k *xmltree.Node, i int) (c scene.AutopilotChannel, ok bool) {
	c.Output, ok = i, true
	for _, name := range [...]string{"channel", "id"} {
		if text := k.Get(name); text != "" {
			c.Output, ok = f.output(k, text)
			break
		}
	}
	if !ok {
		return c, false
	}
	if c.Joint, ok = f.jointNamed(k, k.ValueOf("jointName")); !ok {
		return c, false
	}
	c.Scale = f.multiplier(k)
	c.Offset = Loose(f.d, k, "offset", 0)
	c.Min, c.Max = Loose(f.d, k, "servo_min", 1000), Loose(f.d, k, "servo_max", 2000)
	if !(c.Max > c.Min) {
		f.d.Note(scene.Suspicious, k, "pulses from %g to %g µs; using 1000 to 2000 µs", c.Min, c.Max)
		c.Min, c.Max = 1000, 2000
	}
	switch kind := strings.ToUpper(k.ValueOf("type")); kind {
	case "", "VELOCITY":
		if slow := Loose(f.d, k, "rotorVelocitySlowdownSim", 1); slow > 0 {
			c.Scale /= slow
		}
	case "POSITION":
		c.By = scene.ChannelPosition
	case "EFFORT":
		c.By = scene.ChannelEffort
	case "COMMAND":
		c.By = f.listens(c.Joint, k.ValueOf("cmd_topic"))
	default:
		f.d.Note(scene.Suspicious, k.Child("type"),
			"a control of type %q; VELOCITY, POSITION, EFFORT and COMMAND are known; using VELOCITY", kind)
	}
	if most := Loose(f.d, k, "cmd_max", Loose(f.d, k, "vel_cmd_max", 0)); most > 0 && f.forced(k) {
		c.Effort = most
	}
	return c, true
}

// forced reports that a joint is moved by a force within bounds, not set.
func (f *flow) forced(k *xmltree.Node) bool { return f.d.Bool(k, "useForce", true) }

// multiplier is the factor of a control, by its older name a direction of turning.
func (f *flow) multiplier(k *xmltree.Node) float64 {
	if k.ValueOf("multiplier") == "" {
		switch k.ValueOf("turningDirection") {
		case "cw":
			return -1
		case "ccw":
			return 1
		}
		return Loose(f.d, k, "turningDirection", 1)
	}
	return Loose(f.d, k, "multiplier", 1)
}

// listens is the quantity of a joint that takes commands on a topic: a thrust, a speed, or else a position.
func (f *flow) listens(joint int, topic string) scene.ChannelMode {
	switch {
	case strings.HasSuffix(topic, "cmd_thrust"):
		return scene.ChannelEffort
	case strings.HasSuffix(topic, "cmd_vel"), f.spec.Joints[joint].Listen.Velocity:
		return scene.ChannelVelocity
	}
	return scene.ChannelPosition
}

// px4 reads the plugin of PX4 for Gazebo Classic.
func (f *flow) px4() {
	a := scene.Autopilot{Protocol: scene.PX4, Port: f.port("mavlink_tcp_port", 4560)}
	for i, k := range f.n.Child("control_channels").All("channel") {
		c := scene.AutopilotChannel{Joint: -1, Motor: i, Scale: Loose(f.d, k, "input_scaling", 1),
			Offset: Loose(f.d, k, "input_offset", 0), Armed: Loose(f.d, k, "zero_position_armed", 0),
			Disarmed: Loose(f.d, k, "zero_position_disarmed", 0)}
		var ok bool
		if c.Output, ok = f.output(k, k.ValueOf("input_index")); !ok {
			continue
		}
		if name := k.ValueOf("joint_name"); name != "" {
			if c.Joint, ok = f.jointNamed(k, name); !ok {
				continue
			}
		}
		if strings.HasPrefix(k.ValueOf("joint_control_type"), "position") {
			c.By = scene.ChannelPosition
		}
		a.Channels = append(a.Channels, c)
	}
	f.spec.Autopilots = append(f.spec.Autopilots, a)
}
