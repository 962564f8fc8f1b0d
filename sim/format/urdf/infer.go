package urdf

import (
	"math"
	"strings"

	"simdeck/sim/asset/markup"
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

// inferDrive gives a robot without a drive one, when it stands on two or four wheels: continuous joints straight on
// its base, with parallel axes to the left, round shapes of one size at one height, as many on the left as on the
// right.
func (r *robot) inferDrive(root *markup.Node) {
	base := r.base()
	var left, right []wheel
	for i := range r.spec.Joints {
		j := &r.spec.Joints[i]
		if j.Kind != scene.Continuous || j.Mimic.Set || j.Parent == scene.World {
			continue
		}
		w := wheel{i, gazebo.WheelCentre(r.spec, j.Child), r.radius(j.Child)}
		if w.radius == 0 || math.Abs(gazebo.JointAxis(r.spec, j).Y) < 0.95 {
			continue
		}
		if !base[j.Parent] {
			if r.steered(j.Parent) {
				return // a car: not driven by the difference of its wheels
			}
			continue // the wheel of a caster
		}
		if gazebo.JointAxis(r.spec, j).Y < 0 {
			return // turns backwards: which way the robot drives is a guess
		}
		if isLeft(j.Name, w.centre.Y) {
			left = append(left, w)
		} else {
			right = append(right, w)
		}
	}
	if len(left) != len(right) || len(left) < 1 || len(left) > 2 || !matching(append(append([]wheel{}, left...), right...)) {
		return
	}
	d := scene.Drive{Kind: scene.Differential, Inferred: true, Radius: left[0].radius}
	for i := range left {
		d.Left = append(d.Left, left[i].joint)
		d.Right = append(d.Right, right[i].joint)
	}
	if d.Separation = left[0].centre.Y - right[0].centre.Y; !(d.Separation > 0) {
		return
	}
	r.spec.Drives = append(r.spec.Drives, d)
	r.doc.Note(scene.Inferred, root, "the file names no drive; taken from its wheels: %s, separation %.4g m, radius %.4g m",
		r.names(append(append([]int{}, d.Left...), d.Right...)), d.Separation, d.Radius)
}

// base marks the links that are fixed to the root link.
func (r *robot) base() []bool {
	base := make([]bool, len(r.spec.Links))
	base[r.spec.Canonical] = true
	for again := true; again; {
		again = false
		for _, j := range r.spec.Joints {
			if j.Kind == scene.Fixed && j.Parent != scene.World && base[j.Parent] && !base[j.Child] {
				base[j.Child], again = true, true
			}
		}
	}
	return base
}

// radius is that of the round collision shapes of a link; a mesh counts when the link is called a wheel.
func (r *robot) radius(link int) float64 {
	l := &r.spec.Links[link]
	for i := range l.Collisions {
		if k := l.Collisions[i].Kind; k == scene.Cylinder || k == scene.Sphere || strings.Contains(strings.ToLower(l.Name), "wheel") {
			return gazebo.WheelRadius(r.spec, link)
		}
	}
	return 0
}

// steered reports that a link hangs on a joint with end stops, as a steering knuckle does; a caster turns freely.
func (r *robot) steered(link int) bool {
	for _, j := range r.spec.Joints {
		if j.Child == link {
			return j.Kind == scene.Revolute
		}
	}
	return false
}

// isLeft goes by the name where it says a side, else by the position.
func isLeft(name string, y float64) bool {
	name = strings.ToLower(name)
	l, r := strings.Contains(name, "left"), strings.Contains(name, "right")
	if l != r {
		return l
	}
	return y > 0
}

// matching reports that wheels have one size and one height.
func matching(wheels []wheel) bool {
	first := wheels[0]
	for _, w := range wheels[1:] {
		if math.Abs(w.radius-first.radius) > 0.05*first.radius || math.Abs(w.centre.Z-first.centre.Z) > 0.1*first.radius {
			return false
		}
	}
	return true
}

func (r *robot) names(joints []int) string {
	var names []string
	for _, j := range joints {
		names = append(names, r.spec.Joints[j].Name)
	}
	return strings.Join(names, ", ")
}
