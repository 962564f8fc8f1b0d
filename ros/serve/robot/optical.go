package robot

import (
	"cmp"
	"strings"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/render"
	"simdeck/sim/scene"
)

// opticalFrame is the frame in which a camera's pictures are given: x right, y
// down, z forward (REP-103). The file's name counts when it names such a frame, or none of the model: then a
// frame of that name is made. A link that stands as the camera does gets one beside it, its name with
// "_optical_frame" behind. Without a word a frame of the model that stands right and is called optical is
// taken.
func opticalFrame(spec *scene.ModelSpec, s sim.SensorModel) frame {
	at := frame{link: s.Link, pose: s.Spec.Pose.Upright().Mul(r3.Pose{Rot: render.Optical()})}
	inModel := spec.Links[s.Link].Pose.Upright().Mul(at.pose)
	right := func(p r3.Pose) bool {
		d := inModel.Relative(p.Upright())
		return d.Pos.Len() < 1e-3 && d.Rot.Vector().Len() < 1e-3
	}
	said := cmp.Or(s.Spec.Camera.Optical, s.Spec.Frame)
	for _, f := range placesOf(spec) {
		if said == "" && strings.Contains(f.name, "optical") && right(f.pose) {
			at.name = f.name
			return at
		}
		if said != "" && f.name == said && !right(f.pose) {
			said += "_optical_frame"
		}
	}
	if at.name = said; said == "" {
		at.name = spec.Links[s.Link].Name + "_optical_frame"
		if s.Spec.Pose.Upright() != r3.IdentityPose() {
			at.name = spec.Links[s.Link].Name + "/" + s.Spec.Name + "_optical_frame"
		}
	}
	return at
}

// placesOf are the links and frames of a model with their poses in it.
func placesOf(spec *scene.ModelSpec) []frame {
	var out []frame
	for _, l := range spec.Links {
		out = append(out, frame{name: l.Name, pose: l.Pose})
	}
	for _, f := range spec.Frames {
		p := f.Pose
		if f.Link >= 0 {
			p = spec.Links[f.Link].Pose.Upright().Mul(p.Upright())
		}
		out = append(out, frame{name: f.Name, pose: p})
	}
	return out
}
