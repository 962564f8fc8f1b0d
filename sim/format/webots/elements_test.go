package webots

import (
	"testing"
	"unicode"
)

// TestEveryBaseNodeIsDeclared: a base node that the table leaves out would be read without a word. One that
// the reader does not know would be looked for as a PROTO.
func TestEveryBaseNodeIsDeclared(t *testing.T) {
	for name := range baseNodes {
		if Elements().Type(name) == nil {
			t.Errorf("%s is a base node, and elements.txt does not declare it", name)
		}
	}
	for _, e := range Elements().Types {
		if _, known := baseNodes[e.Name]; !known && unicode.IsUpper(rune(e.Name[0])) {
			t.Errorf("elements.txt declares %s, which is no base node", e.Name)
		}
	}
}

// TestNodesOfEarlierVersionsAreReadOrNoted: worlds that older versions saved hold nodes and hidden fields
// of their own.
func TestNodesOfEarlierVersionsAreReadOrNoted(t *testing.T) {
	w := world(t, nil, `Background { cubemap Cubemap { textureBaseName "sky" } }
DirectionalLight { castLensFlares TRUE }
Robot { children [ Hinge2Joint { position 0.4
  jointParameters Hinge2JointParameters { axis 0 0 1 position 0.25 }
  jointParameters2 JointParameters { axis 0 1 0 }
  endPoint Solid { name "wheel" physics Physics { } boundingObject Sphere { } } } ] physics Physics { } }`)
	for _, want := range []struct {
		text string
		line int
	}{
		{"Cubemap has no effect here", 2}, {`field "castLensFlares" of DirectionalLight has no effect`, 3},
		{`field "position" of Hinge2Joint has no effect`, 4},
	} {
		if n := noted(w.Notes, want.text); n == nil || n.Line != want.line {
			t.Errorf("no note %q on line %d: %v", want.text, want.line, w.Notes)
		}
	}
	if n := noted(w.Notes, "is not known"); n != nil {
		t.Error(n)
	}
	if j := w.Models[0].Model.Joints[0]; j.Initial != 0.25 || j.Axis.Z != 1 {
		t.Errorf("the first axis of Hinge2JointParameters: %+v", j)
	}
}
