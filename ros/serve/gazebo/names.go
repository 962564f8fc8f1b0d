package gazebo

import (
	"fmt"
	"strings"

	"simdeck/sim"
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
func stateOf(s *sim.Snapshot, name, reference string) (sim.LinkState, error) {
	model, link := split(name)
	i, found := s.Find(model)
	if !found {
		return sim.LinkState{}, absent(s, model)
	}
	of := model
	if link != "" {
		of = model + "/" + link
	}
	pose, twist, err := sim.FrameIn(s, of, frameName(reference))
	at := sim.LinkState{Pose: pose, Twist: twist}
	if link == "" {
		at = ofModel(at, s.Model.Entities[i].Spec)
	}
	return at, err
}

// ofModel is the state of the model frame, given that of the link which carries the model.
func ofModel(carrier sim.LinkState, spec *scene.ModelSpec) sim.LinkState {
	return carrier.At(spec.Frame.Upright().Inverse())
}

func absent(s *sim.Snapshot, model string) error {
	return fmt.Errorf("%w: there is no model %q among the %d of the world; get_model_list lists them",
		sim.ErrNotFound, model, len(s.Model.Entities))
}
