package webots

import (
	"testing"
	"unicode"

	"simdeck/sim/scene"
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

// A picture that is drawn elsewhere than its TextureTransform asks for is noted, once it differs.
func TestATextureTransformIsNotedWhereItMovesAPicture(t *testing.T) {
	for text, moves := range map[string]bool{
		"": false, "center 3 4": false, "scale 1 1": false, "scale 2 1": true, "rotation 1": true, "translation 0 .5": true,
	} {
		for _, picture := range []bool{true, false} {
			files := fakeFiles{}
			look := `textureTransform TextureTransform { ` + text + ` }`
			if picture {
				files["worlds/p.png"] = "picture"
				look += ` baseColorMap ImageTexture { url [ "p.png" ] }`
			}
			w := world(t, files, `Solid { children [ Shape { appearance PBRAppearance { `+look+` } geometry Box { } } ] }`)
			notes := append(scene.Notes{}, w.Notes...)
			for i := range w.Models {
				notes = append(notes, w.Models[i].Model.Notes...)
			}
			if got := noted(notes, "textureTransform") != nil; got != (moves && picture) {
				t.Errorf("%q, picture %v: %v", text, picture, notes)
			}
		}
	}
}
