package gazebo

import (
	"strings"

	"simdeck/sim/asset/xmltree"
	"simdeck/sim/format/source"
	"simdeck/sim/scene"
)

// Plugin reads a plugin of a model of Gazebo or Gazebo Classic, from SDF or from a <gazebo> element of URDF.
// It may drive wheels, command joints, be a sensor, or let air and water act. Other plugins are noted, unless
// the engine does their work anyway. Joint names are looked up behind prefix in joints, which indexes
// spec.Joints. Errors wrap scene.ErrParse.
func Plugin(d *source.Doc, n *xmltree.Node, spec *scene.ModelSpec, joints map[string]int,
	prefix string) error {
	if flowOf(d, n, spec, joints, prefix) {
		return nil
	}
	if IsIdle(n) {
		return nil
	}
	elements(d, n)
	motors(d, n, spec, joints, prefix)
	drive, known, err := driveOf(d, n, spec, joints, prefix)
	switch {
	case err != nil:
		return err
	case drive != nil:
		spec.Drives = append(spec.Drives, *drive)
	case !known && !device(d, n, spec, joints, prefix):
		d.Note(scene.Unsupported, n, "plugin %s is not run", PluginName(n))
	}
	return nil
}

// IsIdle reports whether a plugin does nothing to the simulation: Gazebo passes over __default__, and LinkPlot3D
// draws in Gazebo Classic's window.
func IsIdle(n *xmltree.Node) bool {
	return n.Get("filename") == "__default__" || n.Get("name") == "__default__" ||
		strings.Contains(strings.ToLower(n.Get("filename")), "linkplot3d")
}

// driveOf reads a plugin of Gazebo or Gazebo Classic that drives wheels, from SDF or from a <gazebo> element
// of URDF. Nil when it is no drive; known then says that leaving it out changes nothing, because the engine
// does its work anyway. Joint names are looked up behind prefix in joints, which indexes spec.Joints.
func driveOf(d *source.Doc, n *xmltree.Node, spec *scene.ModelSpec, joints map[string]int,
	prefix string) (drive *scene.Drive, known bool, err error) {
	file := strings.ToLower(n.Get("filename"))
	both := plain(n)
	switch {
	case strings.Contains(both, "jointstatepublisher"):
		(&reader{d: d, n: n}).jointStates(spec, joints, prefix)
		return nil, true, nil
	case strings.Contains(both, "posepublisher"),
		strings.Contains(file, "gz-sim-label"), strings.Contains(file, "gz-sim-sensors"),
		strings.Contains(file, "gz-sim-contact"),
		strings.Contains(file, "gz-sim-imu"):
		return nil, true, nil
	case strings.Contains(both, "jointpositioncontroller"),
		strings.Contains(both, "jointtrajectorycontroller"),
		strings.Contains(both, "ros2control"), strings.Contains(both, "roscontrol"),
		strings.Contains(both, "jointcontroller"), strings.Contains(both, "jointposetrajectory"):
		return nil, true, nil // every joint takes positions, velocities, efforts and trajectories anyway
	}
	read := map[string]func(*source.Doc, *xmltree.Node, *scene.ModelSpec, jointLookup) (*scene.Drive, error){
		"diffdrive": differential, "skidsteerdrive": differential, "ackermann": ackermann,
		"mecanumdrive": mecanum, "planarmove": planar, "velocitycontrol": planar,
	}
	for _, word := range []string{"diffdrive", "skidsteerdrive", "ackermann", "mecanumdrive", "planarmove",
		"velocitycontrol"} {
		if strings.Contains(both, word) {
			drive, err = read[word](d, n, spec, func(name string) (int, bool) {
				i, ok := joints[prefix+name]
				return i, ok
			})
			ignored(d, n)
			return drive, drive == nil, err
		}
	}
	return nil, false, nil
}

// jointLookup looks a joint up by the name that a plugin calls it.
type jointLookup func(name string) (int, bool)

// differential reads the parameters under the names that the plugins have had over the years.
func differential(d *source.Doc, n *xmltree.Node, spec *scene.ModelSpec, joint jointLookup) (*scene.Drive,
	error) {
	out := &scene.Drive{Kind: scene.Differential}
	out.Left = wheels(d, n, joint, "left_joint", "leftJoint", "leftFrontJoint", "leftRearJoint",
		"left_front", "left_rear")
	out.Right = wheels(d, n, joint, "right_joint", "rightJoint", "rightFrontJoint", "rightRearJoint",
		"right_front", "right_rear")
	if len(out.Left) == 0 || len(out.Right) == 0 {
		d.Note(scene.Suspicious, n, "the drive %s names no joint of the model on its left or right; left out",
			PluginName(n))
		return nil, nil
	}
	r := reader{d: d, n: n}
	out.Separation = r.first(0, "wheel_separation", "wheelSeparation")
	out.Radius = r.first(0, "wheel_radius")
	if out.Radius == 0 {
		out.Radius = r.first(0, "wheel_diameter", "wheelDiameter") / 2
	}
	r.common(out)
	if r.err != nil {
		return nil, r.err
	}
	Complete(out, spec)
	if !(out.Separation > 0) || !(out.Radius > 0) {
		d.Note(scene.Suspicious, n, "a drive with a wheel separation of %g m and a wheel radius of %g m; left out, both must be greater than zero",
			out.Separation, out.Radius)
		return nil, nil
	}
	return out, nil
}

// common reads what all drives have: limits, topics and frames.
func (r *reader) common(out *scene.Drive) {
	n := r.n
	out.Odometry.Rate = r.first(0, "odom_publish_frequency", "odom_publisher_frequency", "update_rate",
		"updateRate")
	out.MaxLinearSpeed = r.first(0, "max_linear_velocity", "max_velocity")
	out.MaxAngularSpeed = r.first(0, "max_angular_velocity")
	out.MaxLinearAccel = r.first(0, "max_linear_acceleration", "max_acceleration", "max_wheel_acceleration",
		"wheelAcceleration")
	out.MaxAngularAccel = r.first(0, "max_angular_acceleration")
	out.MaxTorque = r.first(0, "max_wheel_torque", "wheelTorque", "torque", "max_force", "MaxForce")
	out.Odometry.Off = !r.truth("publish_odom", "publishOdom")
	out.Odometry.NoTF = !r.truth("publish_odom_tf", "publishOdomTF", "broadcastTF")
	space := n.Find("ros", "namespace").Value()
	out.Topic = named(space, r.text("topic", "command_topic", "commandTopic"))
	out.Odometry.Topic = named(space, r.text("odom_topic", "odometry_topic", "odometryTopic"))
	out.Odometry.Frame = r.text("frame_id", "odometry_frame", "odometryFrame")
	out.Odometry.BaseFrame = r.text("child_frame_id", "robot_base_frame", "robotBaseFrame")
	if k := n.Child("simdeck:drift"); k != nil {
		out.Odometry.Drift = scene.Drift{Scale: max(0, Loose(r.d, k, "scale", 0)),
			Walk: max(0, Loose(r.d, k, "walk", 0))}
	}
	for _, k := range n.Find("ros").All("remapping") {
		from, to, _ := strings.Cut(k.Value(), ":=")
		switch strings.TrimPrefix(from, "~/") {
		case "cmd_vel":
			out.Topic = named(space, to)
		case "odom":
			out.Odometry.Topic = named(space, to)
		}
	}
}

// reader takes parameters that have several names and keeps the first error.
type reader struct {
	d   *source.Doc
	n   *xmltree.Node
	err error
}

func (r *reader) first(otherwise float64, names ...string) float64 {
	for _, name := range names {
		if r.n.ValueOf(name) == "" {
			continue
		}
		f, err := r.d.Float(r.n, name, otherwise)
		if err != nil && r.err == nil {
			r.err = err
		}
		return max(f, 0)
	}
	return otherwise
}

// truth is that of the first parameter that is written; none: true.
func (r *reader) truth(names ...string) bool {
	for _, name := range names {
		if r.n.Child(name) != nil {
			return r.d.Bool(r.n, name, true)
		}
	}
	return true
}

func (r *reader) text(names ...string) string {
	for _, name := range names {
		if v := r.n.ValueOf(name); v != "" {
			return v
		}
	}
	return ""
}

// named puts a topic into a namespace unless it is absolute.
func named(space, topic string) string {
	if space == "" || topic == "" || strings.HasPrefix(topic, "/") {
		return topic
	}
	return strings.TrimSuffix(space, "/") + "/" + topic
}

func wheels(d *source.Doc, n *xmltree.Node, joint jointLookup, names ...string) []int {
	var out []int
	for _, name := range names {
		for _, k := range n.All(name) {
			i, ok := joint(k.Value())
			if !ok {
				d.Note(scene.Suspicious, k, "there is no joint %q", k.Value())
				continue
			}
			out = append(out, i)
		}
	}
	return out
}

// Complete measures the wheel separation and radius that a drive omits. The separation is the distance of the
// wheels along their axis, the radius that of a wheel's round collision shape.
func Complete(out *scene.Drive, spec *scene.ModelSpec) {
	left, right := &spec.Joints[out.Left[0]], &spec.Joints[out.Right[0]]
	if out.Radius == 0 {
		if out.Radius = WheelRadius(spec, left.Child); out.Radius == 0 {
			out.Radius = WheelRadius(spec, right.Child)
		}
	}
	if out.Separation == 0 {
		gap := WheelCentre(spec, left.Child).Sub(WheelCentre(spec, right.Child)).Dot(JointAxis(spec, left))
		out.Separation = max(gap, -gap)
	}
}

// PluginName is the name of a plugin in messages.
func PluginName(n *xmltree.Node) string {
	if file := n.Get("filename"); file != "" {
		return file + " (" + n.Get("name") + ")"
	}
	return n.Get("name")
}
