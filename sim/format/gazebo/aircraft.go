package gazebo

import (
	"cmp"
	"math"
	"slices"

	"simdeck/sim/asset/xmltree"
	"simdeck/sim/format/source"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// Speeds of an aeroplane by that of its stall, and the part of the stall's angle of attack that it keeps
// below.
const (
	leastOfStall  = 1.2
	cruiseOfStall = 1.6
	attackOfStall = 0.8
)

// usualBank is the angle to which an aeroplane banks, rad.
const usualBank = math.Pi / 4

// The density of the air at sea level, kg/m³, and the gravity there, m/s² (ISO 2533).
const standardAir, standardGravity = 1.225, 9.80665

// InferAircraft gives a model without a drive one that takes velocities, if it has wings, control surfaces
// and propellers that pull it ahead. Its <simdeck:fixed_wing> names bounds and a topic; without one a note at
// n says that it was inferred.
func InferAircraft(d *source.Doc, n *xmltree.Node, spec *scene.ModelSpec) {
	if len(spec.Drives) > 0 || len(spec.Links) == 0 {
		return
	}
	asked := n.Child("simdeck:fixed_wing")
	a := &scene.Aircraft{Propellers: propellers(spec), Surfaces: surfaces(spec), MaxBank: usualBank}
	stall, attack := stalls(spec)
	a.MaxAttack = attackOfStall * attack
	if len(a.Propellers) == 0 || len(a.Surfaces) == 0 || !(stall > 0) {
		if asked != nil {
			d.Note(scene.Suspicious, asked,
				"the model has %d propellers that push along its x, %d control surfaces, and stalls at %.3g m/s; want more than 0 of each: it takes no velocities",
				len(a.Propellers), len(a.Surfaces), stall)
		}
		return
	}
	drive := scene.Drive{Kind: scene.FixedWing, Craft: scene.Craft{Aircraft: a}, Inferred: asked == nil}
	a.LeastSpeed, a.CruiseSpeed = leastOfStall*stall, cruiseOfStall*stall
	if asked == nil {
		spec.Drives = append(spec.Drives, drive)
		d.Note(scene.Inferred, n,
			"the file names no drive; taken from its wings, %d propellers and %d control surfaces: it flies at %.3g m/s, at least at %.3g",
			len(a.Propellers), len(a.Surfaces), a.CruiseSpeed, a.LeastSpeed)
		return
	}
	f := flow{reader: reader{d: d, n: asked}}
	drive.Topic = asked.ValueOf("topic")
	a.LeastSpeed = f.above("min_speed", a.LeastSpeed)
	a.CruiseSpeed = f.above("cruise_speed", max(a.CruiseSpeed, a.LeastSpeed))
	drive.MaxLinearSpeed, a.MaxBank = f.size("max_speed", 0), f.above("max_bank", usualBank)
	most := cmp.Or(drive.MaxLinearSpeed, math.Inf(1))
	if a.CruiseSpeed < a.LeastSpeed || most < a.CruiseSpeed {
		d.Note(scene.Suspicious, asked,
			"<min_speed> %g, <cruise_speed> %g and <max_speed> %g m/s; want them in this order; using %.3g and %.3g",
			a.LeastSpeed, a.CruiseSpeed, most, leastOfStall*stall, cruiseOfStall*stall)
		a.LeastSpeed, a.CruiseSpeed, drive.MaxLinearSpeed = leastOfStall*stall, cruiseOfStall*stall, 0
	}
	if a.MaxBank > mostBank {
		d.Note(scene.Suspicious, f.at("max_bank"), "<max_bank> of %g rad; want at most %g; using it", a.MaxBank,
			mostBank)
		a.MaxBank = mostBank
	}
	others(d, asked, "min_speed", "cruise_speed", "max_speed", "max_bank", "topic")
	spec.Drives = append(spec.Drives, drive)
}

// mostBank is the steepest bank that may be asked for, rad.
const mostBank = 1.2

// propellers are the joints of the rotors that pull a model along x of its base; none where others carry it.
func propellers(spec *scene.ModelSpec) (joints []int) {
	base := spec.Links[spec.Canonical].Pose.Upright()
	for i := range spec.Flow.Rotors {
		r := &spec.Flow.Rotors[i]
		j := &spec.Joints[r.Joint]
		if r.ByForce || j.Parent == scene.World {
			continue
		}
		axis := base.Rot.RotateBack(spec.Links[j.Child].Pose.Upright().Rot.Rotate(r.Axis))
		switch {
		case math.Abs(axis.Z) > math.Abs(axis.X):
			return nil
		case axis.X > 0.9:
			joints = append(joints, r.Joint)
		}
	}
	return joints
}

// surfaces are the joints of a model's control surfaces.
func surfaces(spec *scene.ModelSpec) (joints []int) {
	add := func(joint int) {
		if !slices.Contains(joints, joint) {
			joints = append(joints, joint)
		}
	}
	for i := range spec.Flow.Frames {
		for _, s := range spec.Flow.Frames[i].Surfaces {
			add(s.Joint)
		}
	}
	for i := range spec.Flow.Wings {
		if j := spec.Flow.Wings[i].Joint; j > 0 {
			add(j - 1)
		}
	}
	return joints
}

// stalls are the speed, m/s, and the angle of attack, rad, of a model's stall. There its lift along z of its
// base no longer carries it; 0: it has no lift.
func stalls(spec *scene.ModelSpec) (speed, attack float64) {
	base := spec.Links[spec.Canonical].Pose.Upright()
	upright := func(link int, up r3.Vec) float64 {
		return max(0, base.Rot.RotateBack(spec.Links[link].Pose.Upright().Rot.Rotate(up)).Z)
	}
	lift := 0.0 // N/Pa
	for i := range spec.Flow.Frames {
		a := &spec.Flow.Frames[i]
		most := (a.Level.Lift + float64(a.Attack.Lift*a.Stall)) * a.Area * upright(a.Link, a.Upward)
		if most > 0 {
			lift, attack = lift+most, max(attack, a.Stall)
		}
	}
	for i := range spec.Flow.Wings {
		w := &spec.Flow.Wings[i]
		most := w.Lift.Attached * w.Stall * w.Area * upright(w.Link, w.Upward)
		if most > 0 {
			lift, attack = lift+most, max(attack, w.Stall-w.Zero)
		}
	}
	mass := 0.0
	for i := range spec.Links {
		mass += spec.Links[i].Inertial.Mass
	}
	if !(lift > 0) {
		return 0, 0
	}
	return math.Sqrt(2 * mass * standardGravity / (standardAir * lift)), attack
}
