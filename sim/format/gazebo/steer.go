package gazebo

import (
	"math"

	"simdeck/sim/asset/xmltree"
	"simdeck/sim/format/source"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// ackermann reads the plugins that drive a car: gz-sim-ackermann-steering-system and
// libgazebo_ros_ackermann_drive.
func ackermann(d *source.Doc, n *xmltree.Node, spec *scene.ModelSpec, joint jointLookup) (*scene.Drive,
	error) {
	out := &scene.Drive{Kind: scene.Ackermann}
	out.Left = wheels(d, n, joint, "left_joint", "front_left_joint", "rear_left_joint")
	out.Right = wheels(d, n, joint, "right_joint", "front_right_joint", "rear_right_joint")
	out.SteerLeft = wheels(d, n, joint, "left_steering_joint")
	out.SteerRight = wheels(d, n, joint, "right_steering_joint")
	if len(out.Left) == 0 || len(out.Right) == 0 || len(out.SteerLeft) == 0 || len(out.SteerRight) == 0 {
		d.Note(scene.Suspicious, n, "the drive %s names no wheel or no joint that steers on its left or right; left out",
			PluginName(n))
		return nil, nil
	}
	r := reader{d: d, n: n}
	out.Separation = r.first(0, "wheel_separation")
	out.KingpinWidth = r.first(0, "kingpin_width")
	out.WheelBase = r.first(0, "wheel_base")
	out.Radius = r.first(0, "wheel_radius")
	out.SteerLimit = r.first(0, "steering_limit", "max_steer")
	r.common(out)
	if s := r.first(0, "max_speed"); out.MaxLinearSpeed == 0 {
		out.MaxLinearSpeed = s
	}
	if r.err != nil {
		return nil, r.err
	}
	completeCar(out, spec)
	return usable(d, n, out, "wheel base")
}

// completeCar measures what a car's drive leaves out. The wheels that are not steered say where the rear axle
// is.
func completeCar(out *scene.Drive, spec *scene.ModelSpec) {
	steered := map[int]bool{}
	for _, j := range append(append([]int{}, out.SteerLeft...), out.SteerRight...) {
		steered[spec.Joints[j].Child] = true
	}
	rear := func(wheels []int) (*scene.Joint, r3.Vec) {
		for _, j := range wheels {
			if !steered[spec.Joints[j].Parent] {
				return &spec.Joints[j], WheelCentre(spec, spec.Joints[j].Child)
			}
		}
		return &spec.Joints[wheels[0]], WheelCentre(spec, spec.Joints[wheels[0]].Child)
	}
	left, l := rear(out.Left)
	_, r := rear(out.Right)
	axle := JointAxis(spec, left)
	if out.Radius == 0 {
		out.Radius = WheelRadius(spec, left.Child)
	}
	if out.Separation == 0 {
		out.Separation = math.Abs(l.Sub(r).Dot(axle))
	}
	pin := func(j int) r3.Vec {
		k := &spec.Joints[j]
		return spec.Links[k.Child].Pose.Apply(k.Pose.Pos)
	}
	a, b := pin(out.SteerLeft[0]), pin(out.SteerRight[0])
	if out.KingpinWidth == 0 {
		out.KingpinWidth = math.Abs(a.Sub(b).Dot(axle))
	}
	if out.WheelBase == 0 {
		way := a.Add(b).Sub(l).Sub(r).Scale(0.5)
		way = way.AddScaled(-way.Dot(axle), axle)
		out.WheelBase = r3.Hypot(way.X, way.Y)
	}
}

// mecanum reads gz-sim-mecanum-drive-system.
func mecanum(d *source.Doc, n *xmltree.Node, spec *scene.ModelSpec, joint jointLookup) (*scene.Drive, error) {
	out := &scene.Drive{Kind: scene.Mecanum}
	out.Left = append(wheels(d, n, joint, "front_left_joint"),
		wheels(d, n, joint, "back_left_joint", "rear_left_joint")...)
	out.Right = append(wheels(d, n, joint, "front_right_joint"),
		wheels(d, n, joint, "back_right_joint", "rear_right_joint")...)
	if len(out.Left) != 2 || len(out.Right) != 2 {
		d.Note(scene.Suspicious, n, "the drive %s names %d wheels on its left and %d on its right; left out, a front and a back one on each side are meant",
			PluginName(n), len(out.Left), len(out.Right))
		return nil, nil
	}
	r := reader{d: d, n: n}
	out.Separation = r.first(0, "wheel_separation")
	out.WheelBase = r.first(0, "wheelbase", "wheel_base")
	out.Radius = r.first(0, "wheel_radius")
	r.common(out)
	if r.err != nil {
		return nil, r.err
	}
	Complete(out, spec)
	if out.WheelBase == 0 {
		gap := WheelCentre(spec, spec.Joints[out.Left[0]].Child).Sub(WheelCentre(spec,
			spec.Joints[out.Left[1]].Child))
		out.WheelBase = gap.Len()
	}
	return usable(d, n, out, "wheel base")
}

// planar reads the plugins that move the base itself: libgazebo_ros_planar_move and
// gz-sim-velocity-control-system.
func planar(d *source.Doc, n *xmltree.Node, _ *scene.ModelSpec, _ jointLookup) (*scene.Drive, error) {
	out := &scene.Drive{Kind: scene.Mecanum, Kinematic: true}
	r := reader{d: d, n: n}
	r.common(out)
	return out, r.err
}

// usable leaves a drive out whose measures cannot be.
func usable(d *source.Doc, n *xmltree.Node, out *scene.Drive, base string) (*scene.Drive, error) {
	if !(out.Separation > 0) || !(out.Radius > 0) || !(out.WheelBase > 0) {
		d.Note(scene.Suspicious, n, "a drive with a wheel separation of %g m, a %s of %g m and a wheel radius of %g m; left out, all must be greater than zero",
			out.Separation, base, out.WheelBase, out.Radius)
		return nil, nil
	}
	return out, nil
}
