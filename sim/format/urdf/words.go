package urdf

import (
	"slices"
	"strings"

	"simdeck/sim/asset/xmltree"
	"simdeck/sim/format/source"
	"simdeck/sim/scene"
)

// attributes are those of the elements of links and joints.
var attributes = map[string][]string{
	"link": {"name", "type"}, "visual": {"name"}, "collision": {"name"}, "inertial": {}, "geometry": {},
	"origin": {"xyz", "rpy", "quat_xyzw"}, "mass": {"value"},
	"inertia": {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"},
	"box":     {"size"}, "sphere": {"radius"}, "cylinder": {"radius", "length"},
	"capsule":  {"radius", "length"},
	"mesh":     {"filename", "scale"},
	"material": {"name"}, "color": {"rgba"}, "texture": {"filename"},
	"joint": {"name", "type"}, "parent": {"link"}, "child": {"link"}, "axis": {"xyz"},
	"dynamics":          {"damping", "friction"},
	"limit":             {"lower", "upper", "effort", "velocity", "acceleration", "deceleration", "jerk"},
	"mimic":             {"joint", "multiplier", "offset"},
	"safety_controller": {"soft_lower_limit", "soft_upper_limit", "k_position", "k_velocity"},
	"calibration":       {"rising", "falling", "reference_position"},
}

// spelling notes attributes of links and joints that nobody knows: readers pass over them, and the value that
// was meant is lost.
func (r *robot) spelling(root *xmltree.Node) error {
	left := 1000 // of them are looked for among others
	for _, n := range root.Kids {
		if (n.Name == "link" || n.Name == "joint") && left > 0 {
			r.spelt(n, &left)
		}
	}
	return nil
}

func (r *robot) spelt(n *xmltree.Node, left *int) {
	known, listed := attributes[n.Name]
	if !listed {
		return
	}
	for _, a := range n.Attrs {
		if a.Name != "name" && !slices.Contains(known, a.Name) && !strings.Contains(a.Name, ":") &&
			!strings.HasPrefix(a.Name, "xmlns") {
			*left--
			r.doc.Note(scene.Unsupported, n, "attribute %q of <%s> is not known%s", a.Name, n.Name,
				source.Near(a.Name, known))
		}
	}
	for _, k := range n.Kids {
		r.spelt(k, left)
	}
}
