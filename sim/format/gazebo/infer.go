package gazebo

import (
	"math"
	"sort"
	"strings"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// rolling is a joint that looks like one of a wheel.
type rolling struct {
	joint  int
	centre r3.Vec // in the model frame
	radius float64
}

// Infer finds the wheels of a robot whose file names no drive, when it stands on two, four or six of them.
// Wheels are continuous joints that rolls accepts, straight on the base and in pairs. They have axes to the
// left and round shapes of one size at one height. The names are those of the wheels, from left to right and
// from front to rear. Nil: which way the robot drives, or whether it does, is a guess.
func Infer(spec *scene.ModelSpec, rolls func(*scene.Joint) bool) (drive *scene.Drive, names string) {
	base := fixedToRoot(spec)
	var sides [2][]rolling // left, right
	for i := range spec.Joints {
		j := &spec.Joints[i]
		if j.Kind != scene.Continuous || j.Parent == scene.World || !rolls(j) {
			continue
		}
		axis, w := JointAxis(spec, j), rolling{i, WheelCentre(spec, j.Child), wheelLike(spec, j.Child)}
		if w.radius == 0 || math.Abs(axis.Y) < 0.95 {
			continue
		}
		if !base[j.Parent] {
			if j.Hold || steers(spec, j.Parent) {
				return nil, "" // a car: not driven by the difference of its wheels
			}
			continue // the wheel of a caster
		}
		side := 1
		if w.centre.Y > 0 {
			side = 0
		}
		if axis.Y < 0 || strings.Contains(strings.ToLower(j.Name), [2]string{"right", "left"}[side]) {
			return nil, "" // turns backwards, or is called as one of the other side
		}
		sides[side] = append(sides[side], w)
	}
	left, right := sides[0], sides[1]
	if len(left) != len(right) || len(left) < 1 || len(left) > 3 || !paired(left, right) {
		return nil, ""
	}
	out := &scene.Drive{Kind: scene.Differential, Inferred: true, Radius: left[0].radius,
		Separation: left[0].centre.Y - right[0].centre.Y}
	if !(out.Separation > 0) {
		return nil, ""
	}
	var called []string
	for i := range left {
		out.Left, out.Right = append(out.Left, left[i].joint), append(out.Right, right[i].joint)
		called = append(called, spec.Joints[left[i].joint].Name, spec.Joints[right[i].joint].Name)
	}
	return out, strings.Join(called, ", ")
}

// fixedToRoot marks the links that fixed joints hold to the canonical link.
func fixedToRoot(spec *scene.ModelSpec) []bool {
	base := make([]bool, len(spec.Links))
	base[spec.Canonical] = true
	for again := true; again; {
		again = false
		for i := range spec.Joints {
			j := &spec.Joints[i]
			if j.Kind == scene.Fixed && j.Parent != scene.World && base[j.Parent] && !base[j.Child] {
				base[j.Child], again = true, true
			}
		}
	}
	return base
}

// wheelLike is the radius of the round collision shapes of a link; a mesh counts when the link is called a
// wheel. Zero: it is no wheel.
func wheelLike(spec *scene.ModelSpec, link int) float64 {
	l := &spec.Links[link]
	for i := range l.Collisions {
		if k := l.Collisions[i].Kind; k == scene.Cylinder || k == scene.Sphere ||
			strings.Contains(strings.ToLower(l.Name), "wheel") {
			return WheelRadius(spec, link)
		}
	}
	return 0
}

// steers reports that a link hangs on a joint with end stops, as a steering knuckle does; a caster turns
// freely.
func steers(spec *scene.ModelSpec, link int) bool {
	for i := range spec.Joints {
		if spec.Joints[i].Child == link {
			return spec.Joints[i].Kind == scene.Revolute
		}
	}
	return false
}

// paired reports that wheels have one size and one height, and stand in pairs; it orders both sides from
// front to rear.
func paired(left, right []rolling) bool {
	for _, side := range [][]rolling{left, right} {
		sort.SliceStable(side, func(i, k int) bool { return side[i].centre.X > side[k].centre.X })
	}
	for i := range left {
		for _, w := range []rolling{left[i], right[i]} {
			if math.Abs(w.radius-left[0].radius) > 0.05*left[0].radius ||
				math.Abs(w.centre.Z-left[0].centre.Z) > 0.1*left[0].radius {
				return false
			}
		}
		if math.Abs(left[i].centre.X-right[i].centre.X) > 0.1*left[0].radius {
			return false
		}
	}
	return true
}
