package mjcf

import (
	_ "embed"

	"simdeck/sim/format/schema"
)

//go:embed elements.txt
var elementsText string

// Elements declares what the reader makes of every element of MuJoCo 4 and of releases before it.
var Elements = schema.OnFirstUse(elementsText, true)

// opened is a file with the name of the element that its content stands in.
type opened struct {
	root elem
	in   string
}

// remarks notes what the files ask for and is not run, has no effect or is not known, where the reader has
// not noted it.
func (b *build) remarks() {
	for _, f := range b.opened {
		Elements().NoteIn(f.root.doc, f.root.Node, declared(f.in))
	}
}

// declared is the declaration of an element that may include files, by its name.
func declared(name string) *schema.Element {
	top := Elements().Types[0]
	switch name {
	case Root:
		return top
	case "worldbody", "body", "frame", "replicate":
		return Elements().Type("body")
	}
	if k := Elements().Kid(top, name); k != nil {
		return k
	}
	return top
}
