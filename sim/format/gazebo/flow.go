package gazebo

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"simdeck/sim/asset/xmltree"
	"simdeck/sim/format/source"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// flow is a plugin that lets air or water act on a model.
type flow struct {
	reader
	spec   *scene.ModelSpec
	joints map[string]int
	prefix string
}

// flowOf reads a plugin that lets air, water or belts act on a model: rotors, thrusters, bladders, lifting
// surfaces, hulls, tracks. It also reads autopilots, batteries and detachable joints. False: it is none of
// these.
func flowOf(d *source.Doc, n *xmltree.Node, spec *scene.ModelSpec, joints map[string]int,
	prefix string) bool {
	f := &flow{reader{d: d, n: n}, spec, joints, prefix}
	if w, ok := Wavefield(d, n); ok && spec.Flow.Waves.Calm() {
		spec.Flow.Waves = w
	}
	switch word := plain(n); {
	case strings.Contains(word, "multicoptermotormodel"), strings.Contains(word, "gazebomotormodel"):
		f.motor()
	case strings.Contains(word, "multicoptervelocitycontrol"):
		f.velocityControl()
	case strings.Contains(word, "thruster"):
		f.thruster()
	case strings.Contains(word, "buoyancyengine"):
		f.buoyancyEngine()
	case strings.Contains(word, "linearbattery"):
		f.battery()
	case strings.Contains(word, "detachablejoint"):
		f.detachable()
	case strings.Contains(word, "trackcontroller"):
		f.track()
	case strings.Contains(word, "trackedvehicle"):
		f.trackedVehicle()
	case strings.Contains(word, "advancedliftdrag"):
		f.airframe()
	case strings.Contains(word, "liftdrag"):
		f.wing()
	case strings.Contains(word, "simplehydrodynamics"):
		f.boat()
	case strings.Contains(word, "hydrodynamics"):
		f.hull()
	case strings.Contains(word, "vrxsurface"), strings.Contains(word, "libsurface"):
		f.pontoon()
	case strings.Contains(word, "polyhedrabuoyancydrag"):
		f.buoys()
	case strings.Contains(word, "ardupilotplugin"):
		f.arduPilot()
	case strings.Contains(word, "betaflightplugin"):
		f.betaflight()
	case strings.Contains(word, "gazebomavlinkinterface"):
		f.px4()
	default:
		return false
	}
	return true
}

// joint finds the joint that an element names.
func (f *flow) joint(name string) (int, bool) {
	text := f.n.ValueOf(name)
	i, ok := f.jointCalled(text)
	if !ok {
		f.d.Note(scene.Suspicious, f.at(name), "plugin %s is left out: there is no joint %q%s", PluginName(f.n),
			text, source.NearKey(f.prefix+text, f.joints))
	}
	return i, ok
}

// jointCalled finds a joint by its name, that of the plugin's own model first.
func (f *flow) jointCalled(name string) (int, bool) {
	for _, full := range [...]string{f.prefix + name, name} {
		if i, ok := f.joints[full]; ok && name != "" {
			return i, true
		}
	}
	return 0, false
}

// at is an element, or where there is none the plugin.
func (f *flow) at(name string) *xmltree.Node {
	if k := f.n.Child(name); k != nil {
		return k
	}
	return f.n
}

// link finds the link that an element names, also behind the name of the model itself.
func (f *flow) link(name string) (int, bool) {
	text := f.n.ValueOf(name)
	_, inner, _ := strings.Cut(text, "::")
	var names []string
	for _, full := range [...]string{f.prefix + text, text, f.prefix + inner} {
		for i := range f.spec.Links {
			if f.spec.Links[i].Name == full && text != "" {
				return i, true
			}
		}
	}
	for i := range f.spec.Links {
		names = append(names, f.spec.Links[i].Name)
	}
	f.d.Note(scene.Suspicious, f.at(name), "plugin %s is left out: there is no link %q%s", PluginName(f.n), text,
		source.Near(f.prefix+text, names))
	return 0, false
}

// size is a number that is not below zero; another is noted, and otherwise is taken.
func (f *flow) size(name string, otherwise float64) float64 {
	x := Loose(f.d, f.n, name, otherwise)
	if x < 0 {
		f.d.Note(scene.Suspicious, f.n.Child(name), "<%s> of %g; want 0 or more; using %g", name, x, otherwise)
		return otherwise
	}
	return x
}

// direction is a vector of length 1.
func (f *flow) direction(name string, otherwise r3.Vec) r3.Vec {
	k := f.n.Child(name)
	if k.Value() == "" {
		return otherwise
	}
	v, err := f.d.Vec(k, k.Text)
	unit, ok := v.Unit()
	if err != nil || !ok {
		f.d.Note(scene.Suspicious, k, "<%s> is %q; want a direction; using %v", name, k.Value(), otherwise)
		return otherwise
	}
	return unit
}

// vector is three numbers.
func (f *flow) vector(name string) r3.Vec {
	k := f.n.Child(name)
	if k.Value() == "" {
		return r3.Vec{}
	}
	v, err := f.d.Vec(k, k.Text)
	if err != nil {
		f.d.Note(scene.Suspicious, k, "%v; using zero", err)
		return r3.Vec{}
	}
	return v
}

// motorWords are the elements of a multicopter's motor.
var motorWords = strings.Fields(`robotNamespace jointName linkName turningDirection timeConstantUp timeConstantDown maxRotVelocity
	motorConstant momentConstant commandSubTopic motorNumber actuator_number rotorDragCoefficient rollingMomentCoefficient
	rotorVelocitySlowdownSim motorType motorSpeedPubTopic gazebo_joint_control_pid`)

// motor reads a rotor of a multicopter. Its defaults are those of Gazebo.
func (f *flow) motor() {
	joint, ok := f.joint("jointName")
	if !ok {
		return
	}
	spins := -1.0
	switch t := f.n.ValueOf("turningDirection"); t {
	case "ccw":
		spins = 1
	case "cw":
	default:
		f.d.Note(scene.Suspicious, f.at("turningDirection"), "<turningDirection> %q; ccw and cw are known; using cw", t)
	}
	if kind := f.n.ValueOf("motorType"); kind != "velocity" && kind != "" {
		f.d.Note(scene.Unsupported, f.n.Child("motorType"), "a motor of type %q takes speeds here", kind)
	}
	slow := f.size("rotorVelocitySlowdownSim", 10)
	if slow == 0 {
		f.d.Note(scene.Suspicious, f.at("rotorVelocitySlowdownSim"),
			"<rotorVelocitySlowdownSim> of 0; want more than 0; using 10")
		slow = 10
	}
	number := f.first(0, "motorNumber", "actuator_number")
	thrust := f.size("motorConstant", 8.54858e-06)
	r := scene.Rotor{Joint: joint, Axis: r3.V(0, 0, 1), Turn: spins / slow, Thrust: thrust,
		Torque:   spins * f.size("momentConstant", 0.016) * thrust,
		SideDrag: f.size("rotorDragCoefficient", 1e-4), Rolling: f.size("rollingMomentCoefficient", 1e-6),
		Rise: f.size("timeConstantUp", 1.0/80), Fall: f.size("timeConstantDown", 1.0/40),
		Most: f.size("maxRotVelocity", 838), Reverses: true,
		Topic: f.topic("commandSubTopic", "command/motor_speed"), Index: int(min(number, 1023))}
	f.add(r)
	others(f.d, f.n, motorWords...)
}

// velocityControl reads the controller by which a multicopter follows velocities.
func (f *flow) velocityControl() {
	o := &scene.Flight{Velocity: f.vector("velocityGain"), Attitude: f.vector("attitudeGain"),
		Rate: f.vector("angularRateGain"), MaxAccel: f.vector("maximumLinearAcceleration"),
		MaxLinear: f.vector("maximumLinearVelocity"), MaxAngular: f.vector("maximumAngularVelocity")}
	for i, gain := range [...]r3.Vec{o.Velocity, o.Attitude, o.Rate} {
		name := [...]string{"velocityGain", "attitudeGain", "angularRateGain"}[i]
		if !(min(gain.X, gain.Y, gain.Z) > 0) {
			f.d.Note(scene.Suspicious, f.at(name), "plugin %s is left out: <%s> is three numbers greater than 0",
				PluginName(f.n), name)
			return
		}
	}
	for _, k := range f.n.Child("rotorConfiguration").All("rotor") {
		name := k.ValueOf("jointName")
		i, ok := f.joints[f.prefix+name]
		if !ok {
			f.d.Note(scene.Suspicious, k, "plugin %s is left out: there is no joint %q%s", PluginName(f.n), name,
				source.NearKey(f.prefix+name, f.joints))
			return
		}
		o.Joints = append(o.Joints, i)
	}
	d := scene.Drive{Kind: scene.Multicopter, Craft: scene.Craft{Flight: o},
		Topic: f.topic("commandSubTopic", "cmd_vel")}
	f.spec.Drives = append(f.spec.Drives, d)
	others(f.d, f.n, strings.Fields(`robotNamespace commandSubTopic comLinkName velocityGain attitudeGain angularRateGain
		maximumLinearAcceleration maximumLinearVelocity maximumAngularVelocity rotorConfiguration`)...)
}

// topic is a topic in the namespace that a plugin names; without one it stands in the robot's.
func (f *flow) topic(name, usual string) string {
	topic := f.text(name)
	if topic == "" {
		topic = usual
	}
	if space := strings.Trim(f.text("robotNamespace"), "/"); space != "" {
		return "/" + space + "/" + strings.TrimPrefix(topic, "/")
	}
	return topic
}

// add adds a rotor; a second one on a joint is noted.
func (f *flow) add(r scene.Rotor) {
	for i := range f.spec.Flow.Rotors {
		if f.spec.Flow.Rotors[i].Joint == r.Joint {
			f.d.Note(scene.Suspicious, f.n, "plugin %s: joint %q has a rotor already; left out", PluginName(f.n),
				f.spec.Joints[r.Joint].Name)
			return
		}
	}
	f.spec.Flow.Rotors = append(f.spec.Flow.Rotors, r)
}

// thruster reads a propeller in water, whose thrust goes with the square of its speed.
func (f *flow) thruster() {
	joint, ok := f.joint("joint_name")
	if !ok {
		return
	}
	j := &f.spec.Joints[joint]
	axis, _ := j.Pose.Upright().Rot.Rotate(j.Axis).Unit()
	coefficient, width := Loose(f.d, f.n, "thrust_coefficient", 1), f.size("propeller_diameter", 0.02)
	turn := 1.0
	if coefficient < 0 { // one that turns the other way for a thrust along its axis
		coefficient, turn = -coefficient, -1
	}
	thrust := density(f.d, f.n, "fluid_density", usualDensity) * coefficient * width * width * width * width
	if !(thrust > 0) {
		f.d.Note(scene.Suspicious, f.n, "plugin %s has no thrust: its density and diameter are greater than 0, its coefficient not 0",
			PluginName(f.n))
		return
	}
	r := scene.Rotor{Joint: joint, Axis: axis, Turn: turn, Thrust: thrust, Reverses: true,
		ByForce: true, Force: [2]float64{Loose(f.d, f.n, "min_thrust_cmd", -1000),
			Loose(f.d, f.n, "max_thrust_cmd", 1000)}}
	if r.Force[0] > r.Force[1] {
		f.d.Note(scene.Suspicious, f.at("max_thrust_cmd"), "a thrust from %g N to %g N; using -1000 N to 1000 N",
			r.Force[0], r.Force[1])
		r.Force = [2]float64{-1000, 1000}
	}
	speeds, topic := f.d.Bool(f.n, "use_angvel_cmd", false), "cmd_thrust"
	if speeds {
		topic = "cmd_vel"
	}
	space := f.text("namespace")
	if space == "" {
		space = f.spec.Name
	}
	j.Listen = scene.Listen{Topic: fmt.Sprintf("/model/%s/joint/%s/%s", space, f.n.ValueOf("joint_name"), topic),
		Velocity: speeds, Effort: !speeds}
	if own := f.text("topic"); own != "" {
		j.Listen.Topic = named("/"+space, own)
	}
	f.add(r)
	f.powerUse()
	others(f.d, f.n, strings.Fields(`joint_name namespace topic battery_name power_load thrust_coefficient propeller_diameter fluid_density
		min_thrust_cmd max_thrust_cmd use_angvel_cmd velocity_control p_gain i_gain d_gain`)...)
}

// wing reads a lifting surface.
func (f *flow) wing() {
	link, ok := f.link("link_name")
	if !ok {
		return
	}
	w := scene.Wing{Link: link, Centre: f.vector("cp"), Forward: f.direction("forward", r3.V(1, 0, 0)),
		Upward: f.direction("upward", r3.V(0, 0, 1)), Radial: f.d.Bool(f.n, "radial_symmetry", false),
		Area: f.size("area", 1), Density: density(f.d, f.n, "air_density", 1.2041),
		Zero: Loose(f.d, f.n, "a0", 0), Stall: f.size("alpha_stall", math.Pi/2),
		Lift: scene.Slope{Attached: Loose(f.d, f.n, "cla", 1), Detached: Loose(f.d, f.n, "cla_stall", 0)},
		Drag: scene.Slope{Attached: Loose(f.d, f.n, "cda", 0.01), Detached: Loose(f.d, f.n, "cda_stall", 1)}}
	if f.n.Child("control_joint_name") != nil {
		joint, ok := f.joint("control_joint_name")
		if !ok {
			return
		}
		w.Joint, w.JointLift = joint+1, Loose(f.d, f.n, "control_joint_rad_to_cl", 4)
	}
	if _, ok := w.Forward.Cross(w.Upward).Unit(); !ok && !w.Radial {
		f.d.Note(scene.Suspicious, f.at("upward"), "plugin %s is left out: <forward> and <upward> are one direction",
			PluginName(f.n))
		return
	}
	for _, name := range [...]string{"cma", "cma_stall"} {
		if x := Loose(f.d, f.n, name, 0); x != 0 {
			f.d.Note(scene.Unsupported, f.n.Child(name), "<%s> is not run, as in Gazebo: there is no moment", name)
		}
	}
	f.spec.Flow.Wings = append(f.spec.Flow.Wings, w)
	others(f.d, f.n, strings.Fields(`link_name cp forward upward radial_symmetry area air_density a0 alpha_stall cla cla_stall
		cda cda_stall cma cma_stall control_joint_name control_joint_rad_to_cl robotNamespace`)...)
}

// Names of forces and motions of a hull (SNAME).
const (
	hullForces  = "xyzkmn"
	hullMotions = "UVWPQR"
)

// hull reads the drag and the added mass of a link in water. After SNAME, the coefficients of both are below
// zero.
func (f *flow) hull() {
	link, ok := f.link("link_name")
	if !ok {
		return
	}
	h := scene.Hull{Link: link, Current: f.vector("default_current")}
	known := strings.Fields(`link_name namespace default_current water_density waterDensity disable_coriolis disable_added_mass
		lookup_current_x lookup_current_y lookup_current_z`)
	var added [6][6]float64
	number := func(name string) float64 {
		known = append(known, name)
		if f.n.Child(name) == nil {
			return 0
		}
		return Loose(f.d, f.n, name, 0)
	}
	for i, force := range hullForces {
		for k, motion := range hullMotions {
			added[i][k] = -number(fmt.Sprintf("%cDot%c", force, motion))
			h.Linear[i][k] = number(fmt.Sprintf("%c%c", force, motion))
			for l, other := range hullMotions {
				x := number(fmt.Sprintf("%c%cabs%c", force, motion, other))
				name := fmt.Sprintf("%c%c%c", force, motion, other)
				if f.n.Child(name) != nil && k == l && x == 0 {
					if x = number(name); x != 0 {
						f.d.Note(scene.Inferred, f.n.Child(name),
							"<%s> is <%c%cabs%c> here: a drag in both directions", name, force, motion, other)
					}
				}
				if x != 0 {
					h.Quadratic = append(h.Quadratic,
						scene.DragTerm{Force: uint8(i), Of: uint8(k), Times: uint8(l), Value: x})
				}
			}
		}
	}
	drives := func(name string, x float64) {
		f.d.Note(scene.Suspicious, f.at(name), "<%s> of %g drives the hull on: a drag is below zero; using 0",
			name, x)
	}
	for i := range hullForces {
		if x := h.Linear[i][i]; x > 0 {
			drives(fmt.Sprintf("%c%c", hullForces[i], hullMotions[i]), x)
			h.Linear[i][i] = 0
		}
	}
	h.Quadratic = slices.DeleteFunc(h.Quadratic, func(q scene.DragTerm) bool {
		on := q.Force == q.Of && q.Of == q.Times && q.Value > 0
		if motion := hullMotions[q.Of]; on {
			drives(fmt.Sprintf("%c%cabs%c", hullForces[q.Force], motion, motion), q.Value)
		}
		return on
	})
	if !f.d.Bool(f.n, "disable_added_mass", false) {
		f.addMass(link, added)
	}
	f.spec.Flow.Hulls = append(f.spec.Flow.Hulls, h)
	others(f.d, f.n, known...)
}

// usualBoat are the added masses and the linear drags of a boat whose file says nothing, in the order of
// hullForces, as VRX has them.
var usualBoat = [2][6]float64{{5, 5, 0.1, 0.1, 0.1, 1}, {20, 20, 20, 20, 20, 20}}

// boat reads a hull by VRX's SimpleHydrodynamics: along each axis alone, and above zero where it slows down.
func (f *flow) boat() {
	link, ok := f.link("link_name")
	if !ok {
		return
	}
	h, known := scene.Hull{Link: link}, []string{"link_name"}
	number := func(otherwise float64, format string, at ...any) float64 {
		name := fmt.Sprintf(format, at...)
		known = append(known, name)
		return f.size(name, otherwise)
	}
	var added [6][6]float64
	for i := range hullForces {
		force, motion := hullForces[i], hullMotions[i]
		added[i][i] = number(usualBoat[0][i], "%cDot%c", force, motion)
		h.Linear[i][i] = -number(usualBoat[1][i], "%c%c", force, motion)
		if x := number(0, "%c%c%c", force, motion, motion); x != 0 {
			h.Quadratic = append(h.Quadratic,
				scene.DragTerm{Force: uint8(i), Of: uint8(i), Times: uint8(i), Value: -x})
		}
	}
	f.addMass(link, added)
	f.spec.Flow.Hulls = append(f.spec.Flow.Hulls, h)
	others(f.d, f.n, known...)
}

// addMass gives a link an added mass by its matrix, unless it has one.
func (f *flow) addMass(link int, added [6][6]float64) {
	if added != ([6][6]float64{}) {
		a, why := source.AddedMass(added)
		switch {
		case why != "":
			f.d.Note(scene.Suspicious, f.n, "plugin %s: its added mass is left out: %s", PluginName(f.n), why)
		case f.spec.Links[link].Added != nil:
			f.d.Note(scene.Suspicious, f.n, "plugin %s: link %q has an added mass already; left out", PluginName(f.n),
				f.spec.Links[link].Name)
		default:
			f.spec.Links[link].Added = a
		}
	}
}
