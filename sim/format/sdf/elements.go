package sdf

import (
	_ "embed"

	"simdeck/sim/format/gazebo"
	"simdeck/sim/format/schema"
	"simdeck/sim/format/source"
)

//go:embed elements.txt
var elementsText string

// Elements declares what the reader makes of every element of SDFormat 1.12 and of those before it.
var Elements = schema.OnFirstUse(elementsText+gazebo.ElementsText, false)

// remarks notes what the document asks for and is not run, has no effect or is not known, where the reader
// has not noted it.
func remarks(d *source.Doc) { Elements().Note(d, d.Tree.Root) }
