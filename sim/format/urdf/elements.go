package urdf

import (
	_ "embed"

	"simdeck/sim/asset/xmltree"
	"simdeck/sim/format/gazebo"
	"simdeck/sim/format/schema"
)

//go:embed elements.txt
var elementsText string

// Elements declares what the reader makes of every element of URDF 1.2 and of Gazebo's extensions.
var Elements = schema.OnFirstUse(elementsText, false)

// remarks notes what the robot asks for and is not run, has no effect or is not known, where the reader has
// not noted it. Sensors of <gazebo> elements are those of SDF.
func (r *robot) remarks(root *xmltree.Node) error {
	Elements().Note(r.doc, root)
	for _, g := range root.All("gazebo") {
		for _, s := range g.All("sensor") {
			gazebo.Elements().Note(r.doc, s)
		}
	}
	return nil
}
