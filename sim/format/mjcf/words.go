package mjcf

import (
	"maps"
	"slices"
	"strings"

	"simdeck/sim/asset/xmltree"
	"simdeck/sim/format/source"
	"simdeck/sim/scene"
)

// placed are the attributes by which most elements say where they stand.
const placed = " pos quat axisangle xyaxes zaxis euler "

// attributes are those of the elements that people write by hand, of all releases.
var attributes = map[string][]string{
	"body":      strings.Fields("name childclass mocap gravcomp user sleep" + placed),
	"freejoint": strings.Fields("name group align"),
	"inertial":  strings.Fields("mass diaginertia fullinertia" + placed),
	"joint": strings.Fields(`name class type group pos axis springdamper limited actuatorfrclimited solreflimit solimplimit solreffriction solimpfriction
		stiffness range actuatorfrcrange actuatorgravcomp margin ref springref armature damping frictionloss user`),
	"geom": strings.Fields(`name class type contype conaffinity condim group priority size material friction mass density shellinertia solmix solref
		solimp margin gap fromto hfield mesh fitscale rgba fluidshape fluidcoef user surfacevel` + placed),
	"site": strings.Fields("name class type group material size fromto rgba user" + placed),
	"camera": strings.Fields("name class mode target projection orthographic fovy ipd resolution output focal focalpixel principal principalpixel sensorsize user" +
		placed),
	"light":    strings.Fields("name class mode target type directional castshadow active pos dir diffuse texture intensity ambient specular range bulbradius attenuation cutoff exponent"),
	"mesh":     strings.Fields("name class content_type file vertex normal texcoord face refpos refquat scale smoothnormal maxhullvert inertia builtin params material"),
	"material": strings.Fields("name class texture texrepeat texuniform emission specular shininess reflectance metallic roughness rgba"),
	"compiler": strings.Fields(`autolimits boundmass boundinertia settotalmass balanceinertia strippath coordinate angle fitaabb eulerseq meshdir texturedir
		assetdir discardvisual usethread fusestatic inertiafromgeom inertiagrouprange exactmeshinertia alignfree saveinertial convexhull`),
	"option": strings.Fields(`timestep apirate impratio tolerance ls_tolerance noslip_tolerance ccd_tolerance mpr_tolerance sleep_tolerance gravity wind magnetic
		density viscosity o_margin o_solref o_solimp o_friction integrator collision cone jacobian solver iterations ls_iterations noslip_iterations
		ccd_iterations mpr_iterations sdf_iterations sdf_initpoints actuatorgroupdisable`),
}

// maxMisspelt bounds the attributes of a document that are looked for among others.
const maxMisspelt = 1000

// spelling notes attributes that are none of an element's and spelled like one of them: MuJoCo refuses them,
// here the value that was meant would be lost without a word. Others may be of a release to come.
func spelling(d *source.Doc, n *xmltree.Node) {
	left := maxMisspelt
	for todo := []*xmltree.Node{n}; len(todo) > 0 && left > 0; {
		n, todo = todo[len(todo)-1], todo[:len(todo)-1]
		known := attributes[n.Name]
		for _, a := range n.Attrs {
			if known == nil || slices.Contains(known, a.Name) {
				continue
			}
			left--
			if near := source.Near(a.Name, known); near != "" {
				d.Note(scene.Suspicious, n, "attribute %q of <%s> is not known%s", a.Name, n.Name, near)
			}
		}
		for _, k := range slices.Backward(n.Kids) {
			switch k.Name {
			case "tendon", "equality", "contact": // their elements have the names of others
			default:
				todo = append(todo, k)
			}
		}
	}
}

// bodyParts are the elements of a body.
var bodyParts = append(slices.Sorted(maps.Keys(attributes)), "frame", "replicate", "attach", "composite",
	"flexcomp", "plugin", "include")
