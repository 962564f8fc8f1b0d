package webots

import (
	"math"
	"sort"
	"strings"

	"simdeck/sim/format/gazebo"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// wheel is a joint that looks like one of a wheel.
type wheel struct {
	joint  int
	centre r3.Vec // in the model frame
	radius float64
}

// inferDrive gives a robot that stands on two, four or six driven wheels a differential drive, so that it takes cmd_vel:
// continuous joints with motors straight on its base, with axes to the left, round shapes of one size at one height,
// as many on the left as on the right.
func (b *builder) inferDrive(r ref) {
	if b.err != nil || b.spec.Static {
		return
	}
	base := b.base()
	var left, right []wheel
	for i := range b.spec.Joints {
		j := &b.spec.Joints[i]
		if j.Kind != scene.Continuous || !j.Hold || j.Parent == scene.World {
			continue
		}
		axis := gazebo.JointAxis(b.spec, j)
		w := wheel{i, gazebo.WheelCentre(b.spec, j.Child), b.radius(j.Child)}
		switch {
		case w.radius == 0 || math.Abs(axis.Y) < 0.95:
			continue
		case !base[j.Parent] || axis.Y < 0:
			return // steered, or turning backwards: which way the robot drives is a guess
		case w.centre.Y > 0:
			left = append(left, w)
		default:
			right = append(right, w)
		}
	}
	if len(left) != len(right) || len(left) < 1 || len(left) > 3 || !alike(left, right) {
		return
	}
	d := scene.Drive{Kind: scene.Differential, Inferred: true, Radius: left[0].radius, Separation: left[0].centre.Y - right[0].centre.Y}
	if !(d.Separation > 0) {
		return
	}
	names := make([]string, 0, 2*len(left))
	for i := range left {
		d.Left, d.Right = append(d.Left, left[i].joint), append(d.Right, right[i].joint)
		names = append(names, b.spec.Joints[left[i].joint].Name, b.spec.Joints[right[i].joint].Name)
	}
	b.spec.Drives = append(b.spec.Drives, d)
	b.noteAt(scene.Inferred, r, "the robot takes cmd_vel by its wheels: %s, separation %.4g m, radius %.4g m", strings.Join(names, ", "), d.Separation, d.Radius)
}

// oldWheel hangs a wheel of a DifferentialWheels on the base: it turns about the axle, which lies to the left.
func (b *builder) oldWheel(name string, to int) {
	at := b.spec.Links[to].Pose
	b.spec.Joints = append(b.spec.Joints, scene.Joint{Name: b.own(name + " motor"), Kind: scene.Continuous, Parent: 0, Child: to,
		Pose: r3.Pose{Rot: at.Rot.Conj()}, Axis: r3.V(0, 1, 0), Hold: true})
}

// oldDrive is the drive of a DifferentialWheels, which says how its wheels stand.
func (b *builder) oldDrive(r ref) {
	d := scene.Drive{Kind: scene.Differential, Separation: b.num(r, "axleLength", 0.1), Radius: b.num(r, "wheelRadius", 0.01),
		MaxTorque: max(0, b.num(r, "maxForce", 0.3))}
	for i := range b.spec.Joints {
		switch b.spec.Joints[i].Name {
		case "left wheel motor":
			d.Left = append(d.Left, i)
		case "right wheel motor":
			d.Right = append(d.Right, i)
		}
	}
	if b.spec.Static || len(d.Left) == 0 || len(d.Right) == 0 || !(d.Separation > 0) || !(d.Radius > 0) {
		b.noteAt(scene.Unsupported, r, "a DifferentialWheels without Physics, wheels, axleLength or wheelRadius does not drive")
		return
	}
	d.MaxLinearSpeed = max(0, b.num(r, "maxSpeed", 10)) * max(0, b.num(r, "speedUnit", 1)) * d.Radius
	b.spec.Drives = append(b.spec.Drives, d)
}

// base marks the links that are fixed to the root link.
func (b *builder) base() []bool {
	base := make([]bool, len(b.spec.Links))
	base[0] = true
	for _, j := range b.spec.Joints { // a parent is read before what hangs on it
		if j.Kind == scene.Fixed && j.Parent != scene.World && base[j.Parent] {
			base[j.Child] = true
		}
	}
	return base
}

// radius is that of the round collision shapes of a link; a mesh counts when the link is called a wheel.
func (b *builder) radius(link int) float64 {
	l := &b.spec.Links[link]
	for i := range l.Collisions {
		switch k := l.Collisions[i].Kind; {
		case k == scene.Cylinder, k == scene.Sphere, strings.Contains(strings.ToLower(l.Name), "wheel"):
			return gazebo.WheelRadius(b.spec, link)
		}
	}
	return 0
}

// alike reports that wheels have one size and one height, and stand in pairs; it orders both sides from front to rear.
func alike(left, right []wheel) bool {
	for _, side := range [][]wheel{left, right} {
		sort.SliceStable(side, func(i, k int) bool { return side[i].centre.X > side[k].centre.X })
	}
	for i := range left {
		for _, w := range []wheel{left[i], right[i]} {
			if math.Abs(w.radius-left[0].radius) > 0.05*left[0].radius || math.Abs(w.centre.Z-left[0].centre.Z) > 0.1*left[0].radius {
				return false
			}
		}
		if math.Abs(left[i].centre.X-right[i].centre.X) > 0.1*left[0].radius {
			return false
		}
	}
	return true
}
