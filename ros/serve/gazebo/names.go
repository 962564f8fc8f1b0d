package gazebo

import (
	"fmt"
	"strings"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// separator stands between a model and its link in Gazebo's names.
const separator = "::"

// split parts a name into model and link; "" is no link.
func split(name string) (model, link string) {
	if at := strings.LastIndex(name, separator); at >= 0 {
		return name[:at], name[at+len(separator):]
	}
	return name, ""
}

// frameName is a reference frame in sim's words. Gazebo's scripts call the
// world map as well.
func frameName(name string) string {
	switch name {
	case "map", "/map", "/world":
		return ""
	}
	return strings.ReplaceAll(name, separator, "/")
}

// stateOf is the pose and the velocity of a model or link as seen from a
// reference frame.
func stateOf(s *sim.Snapshot, name, reference string) (r3.Pose, r3.Twist, error) {
	model, link := split(name)
	i, found := s.Find(model)
	if !found {
		return r3.Pose{}, r3.Twist{}, absent(s, model)
	}
	of := model
	if link != "" {
		of = model + "/" + link
	}
	pose, twist, err := sim.FrameIn(s, of, frameName(reference))
	if err != nil || link != "" {
		return pose, twist, err
	}
	pose, twist = moved(pose, twist, carrierOf(s.Model.Entities[i].Spec).Inverse())
	return pose, twist, nil
}

// carrierOf is where the link that carries a model stands in the model frame.
func carrierOf(spec *scene.ModelSpec) r3.Pose {
	p := spec.Frame
	if p.Rot == (r3.Quat{}) {
		p.Rot = r3.Identity()
	}
	return p
}

// moved is the state of a frame at offset from one whose state is given, fixed to it.
func moved(p r3.Pose, t r3.Twist, offset r3.Pose) (r3.Pose, r3.Twist) {
	return p.Mul(offset), r3.Twist{Linear: t.At(p.Rot.Rotate(offset.Pos)), Angular: t.Angular}
}

func absent(s *sim.Snapshot, model string) error {
	return fmt.Errorf("%w: there is no model %q among the %d of the world; get_model_list lists them", sim.ErrNotFound, model, len(s.Model.Entities))
}
