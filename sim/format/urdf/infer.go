package urdf

import (
	"simdeck/sim/asset/xmltree"
	"simdeck/sim/format/gazebo"
	"simdeck/sim/scene"
)

// inferDrive gives a robot without a drive one, when it stands on wheels.
func (r *robot) inferDrive(root *xmltree.Node) {
	d, names := gazebo.Infer(r.spec, func(j *scene.Joint) bool { return !j.Mimic.Set })
	if d == nil {
		gazebo.InferAircraft(r.doc, root, r.spec)
		gazebo.InferVessel(r.doc, root, r.spec)
		return
	}
	r.spec.Drives = append(r.spec.Drives, *d)
	r.doc.Note(scene.Inferred, root,
		"the file names no drive; taken from its wheels: %s, separation %.4g m, radius %.4g m", names,
		d.Separation, d.Radius)
}
