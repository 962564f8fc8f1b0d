package gazebo

import (
	"math"

	"simdeck/sim/asset/xmltree"
	"simdeck/sim/format/source"
	"simdeck/sim/scene"
)

// leastPush is the part of a thrust along an axis from which a thruster pushes that way.
const leastPush = 0.25

// InferVessel gives a model that has thrusters and no drive one that takes velocities. Its <simdeck:vessel>
// names bounds and a topic; without one a note at n says that it was inferred.
func InferVessel(d *source.Doc, n *xmltree.Node, spec *scene.ModelSpec) {
	if len(spec.Drives) > 0 || len(spec.Links) == 0 {
		return
	}
	by := &scene.Propulsion{}
	drive := scene.Drive{Kind: scene.Vessel, Craft: scene.Craft{Propulsion: by}, Inferred: true}
	base, ahead := spec.Links[spec.Canonical].Pose.Upright(), false
	for i := range spec.Flow.Rotors {
		r := &spec.Flow.Rotors[i]
		j := &spec.Joints[r.Joint]
		if !r.ByForce || j.Parent == scene.World {
			continue
		}
		axis := base.Rot.RotateBack(spec.Links[j.Child].Pose.Upright().Rot.Rotate(r.Axis))
		by.Thrusters = append(by.Thrusters, r.Joint)
		ahead = ahead || math.Abs(axis.X) >= leastPush
		by.Sways = by.Sways || math.Abs(axis.Y) >= leastPush
		by.Heaves = by.Heaves || math.Abs(axis.Z) >= leastPush
	}
	asked := n.Child("simdeck:vessel")
	if !ahead {
		if asked != nil {
			d.Note(scene.Suspicious, asked, "the model has no thruster that pushes along its x: it takes no velocities")
		}
		return
	}
	if asked != nil {
		f := flow{reader: reader{d: d, n: asked}}
		drive.Inferred, drive.Topic = false, asked.ValueOf("topic")
		drive.MaxLinearSpeed, drive.MaxAngularSpeed = f.size("max_speed", 0), f.size("max_turn", 0)
		others(d, asked, "max_speed", "max_turn", "topic")
		spec.Drives = append(spec.Drives, drive)
		return
	}
	spec.Drives = append(spec.Drives, drive)
	d.Note(scene.Inferred, n, "the file names no drive; taken from its %d thrusters, which follow velocities", len(by.Thrusters))
}
