package gazebo

import (
	"math"
	"strings"

	"simdeck/sim/asset/xmltree"
	"simdeck/sim/format/source"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// noise reads a <noise>; nil adds none.
func noise(d *source.Doc, n *xmltree.Node) scene.Noise {
	if n == nil || n.Get("type") == "none" || n.ValueOf("type") == "none" {
		return scene.Noise{}
	}
	positive := func(name string) float64 { return max(0, Loose(d, n, name, 0)) }
	out := scene.Noise{
		Mean: Loose(d, n, "mean", 0), Std: positive("stddev"),
		BiasMean: Loose(d, n, "bias_mean", 0), BiasStd: positive("bias_stddev"),
		WalkTime: positive("dynamic_bias_correlation_time"),
	}
	// The file's deviation is that of the noise that drives the bias, for a
	// second of it: a datasheet's random walk. With it a bias wanders by as much as the noise of half a
	// correlation time adds up to, as in Gazebo.
	out.WalkStd = positive("dynamic_bias_stddev") * math.Sqrt(out.WalkTime/2)
	if n.Get("type") == "gaussian_quantized" || n.ValueOf("type") == "gaussian_quantized" {
		out.Precision = positive("precision")
	}
	return out
}

// axes reads the noise of x, y and z.
func axes(d *source.Doc, n *xmltree.Node) (out [3]scene.Noise) {
	for i, name := range [...]string{"x", "y", "z"} {
		out[i] = noise(d, n.Find(name, "noise"))
	}
	return out
}

// imu reads the <imu> of a sensor, with its noise by axes as since SDF 1.5, or for all axes together as
// before.
func imu(d *source.Doc, n *xmltree.Node) scene.IMUSpec {
	n = n.Child("imu")
	out := scene.IMUSpec{Turn: axes(d, n.Child("angular_velocity")),
		Force: axes(d, n.Child("linear_acceleration"))}
	out.NoOrientation = !d.Bool(n, "enable_orientation", true)
	reference(d, n.Child("orientation_reference_frame"), &out)
	if old := n.Child("noise"); old != nil {
		for i := range out.Turn {
			out.Turn[i], out.Force[i] = noise(d, old.Child("rate")), noise(d, old.Child("accel"))
		}
	}
	return out
}

// reference reads in which frame an IMU tells its orientation.
func reference(d *source.Doc, n *xmltree.Node, out *scene.IMUSpec) {
	if n == nil {
		return
	}
	east, north, up := r3.V(1, 0, 0), r3.V(0, 1, 0), r3.V(0, 0, 1)
	switch k := n.Child("localization"); k.Value() {
	case "ENU":
		out.Reference, out.North = r3.Identity(), true
	case "NWU":
		out.Reference, out.North = r3.Columns(north, east.Neg(), up).Quat(), true
	case "NED":
		out.Reference, out.North = r3.Columns(north, east, up.Neg()).Quat(), true
	case "", "CUSTOM":
		custom := n.Child("custom_rpy")
		if custom.Value() == "" {
			return
		}
		if f := custom.Get("parent_frame"); f != "" && f != "world" {
			d.Note(scene.Unsupported, custom, "orientation in the frame %q: it is told in that of the world",
				f)
			return
		}
		v, err := d.Vec(custom, custom.Value())
		if err != nil {
			d.Note(scene.Suspicious, custom,
				"custom_rpy %q of an IMU: want three numbers; using the world's frame",
				custom.Value())
			return
		}
		out.Reference = r3.FromRPY(v.X, v.Y, v.Z)
	default:
		d.Note(scene.Unsupported, k, "orientation by %q: it is told in the frame of the world; ENU, NWU, NED and CUSTOM are known",
			k.Value())
	}
}

// contact reads which collisions are felt, and the topic.
func contact(n *xmltree.Node, topic string) (scene.ContactSpec, string) {
	c := n.Child("contact")
	var out scene.ContactSpec
	for _, k := range c.All("collision") {
		name := k.Value()
		if i := strings.LastIndex(name, "::"); i >= 0 {
			name = name[i+2:]
		}
		if name != "" && !strings.HasPrefix(name, "__") {
			out.Collisions = append(out.Collisions, name)
		}
	}
	if t := c.ValueOf("topic"); topic == "" && !strings.HasPrefix(t, "__") {
		topic = t
	}
	return out, topic
}

// force reads a <force_torque>.
func force(d *source.Doc, n *xmltree.Node) scene.ForceSpec {
	n = n.Child("force_torque")
	out := scene.ForceSpec{Frame: "child", Force: axes(d, n.Child("force")),
		Torque: axes(d, n.Child("torque"))}
	switch f := n.ValueOf("frame"); f {
	case "":
	case "child", "parent", "sensor":
		out.Frame = f
	default:
		d.Note(scene.Suspicious, n.Child("frame"),
			"frame %q of a force-torque sensor; child, parent and sensor are known", f)
	}
	out.ParentToChild = n.ValueOf("measure_direction") == "parent_to_child"
	return out
}

// gps reads a <navsat> or <gps>; its noise is in metres.
func gps(d *source.Doc, n *xmltree.Node) scene.GPSSpec {
	if k := n.Child("navsat"); k != nil {
		n = k
	} else {
		n = n.Child("gps")
	}
	return scene.GPSSpec{
		Horizontal:      noise(d, n.Find("position_sensing", "horizontal", "noise")),
		Vertical:        noise(d, n.Find("position_sensing", "vertical", "noise")),
		SpeedHorizontal: noise(d, n.Find("velocity_sensing", "horizontal", "noise")),
		SpeedVertical:   noise(d, n.Find("velocity_sensing", "vertical", "noise")),
	}
}
