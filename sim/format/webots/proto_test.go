package webots

import (
	"errors"
	"strings"
	"testing"

	"simdeck/sim/asset"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

func TestPROTOsAreReadWithFieldsDefaultsAndDerivation(t *testing.T) {
	s := fakeFiles{
		"protos/Base.proto": header + `PROTO Base [ field SFVec3f translation 0 0 0 field SFString name "base" field SFVec3f size 1 1 1 field MFNode slot [ ] field SFNode look PBRAppearance { baseColor 1 0 0 } ]
{ Solid { translation IS translation name IS name children [ DEF S Shape { appearance IS look geometry Box { size IS size } } Group { children IS slot } ] boundingObject USE S } }`,
		"protos/Tall.proto": header + "EXTERNPROTO \"Base.proto\"\nPROTO Tall [ field SFVec3f translation 0 0 5 field SFFloat r 0.5 ]\n{ Base { translation IS translation size 1 1 9 slot Pose { translation 0 0 4 children [ Shape { geometry Sphere { radius IS r } } ] } } }",
		"protos/Loop.proto": header + "EXTERNPROTO \"Loop.proto\"\nPROTO Loop [ ] { Solid { children [ Loop { } ] } }",
		"protos/Lua.proto":  header + "PROTO Lua [ ]\n{\n  %{ x = 1 }% Solid { } }",
	}
	w := world(t, s, "EXTERNPROTO \"../protos/Base.proto\"\nEXTERNPROTO \"../protos/Tall.proto\"\nBase { name \"one\" translation 1 2 3 } Tall { r 0.25 } Tall { translation 7 0 0 }")
	if len(w.Models) != 3 || w.Models[0].Name != "one" || w.Models[1].Name != "base" ||
		w.Models[2].Name != "base_1" || len(w.Notes) != 0 {
		t.Fatalf("%+v %v", w.Models, w.Notes)
	}
	near(t, "one", w.Models[0].Pose.Pos, r3.V(1, 2, 3))
	near(t, "its default", w.Models[1].Pose.Pos, r3.V(0, 0, 5))
	tall := w.Models[1].Model.Links[0]
	if len(tall.Visuals) != 2 || tall.Visuals[0].Size != r3.V(1, 1, 9) || tall.Visuals[1].Radius != 0.25 ||
		w.Models[2].Model.Links[0].Visuals[1].Radius != 0.5 {
		t.Errorf("%+v", tall)
	}
	if c := tall.Visuals[0].Material.Colour; c != [4]float32{1, 0, 0, 1} {
		t.Errorf("colour %v", c)
	}
	_, err := World("worlds/w.wbt", asset.Ref{Path: "worlds/w.wbt"},
		[]byte(header+"EXTERNPROTO \"../protos/Loop.proto\"\nLoop { }"), s)
	if !errors.Is(err, scene.ErrParse) || !strings.Contains(err.Error(), "protos/Loop.proto:3:") ||
		!strings.Contains(err.Error(), "contains itself") {
		t.Errorf("a PROTO that contains itself: %v", err)
	}
	w = world(t, s, "EXTERNPROTO \"../protos/Lua.proto\"\nLua { }")
	n := located(w.Notes, "protos/Lua.proto:4:3: unsupported: PROTO Lua: templates in Lua (%{ … }%) are not run; write it")
	if len(w.Models) != 0 || n == nil {
		t.Errorf("%v %v", w.Models, w.Notes)
	}
}

func TestAPROTOIsAModel(t *testing.T) {
	m, err := Model("a/Bot.proto", asset.Ref{Path: "a/Bot.proto"}, []byte(header+`PROTO Part [ ] { Solid { } }
PROTO Bot [ field SFVec3f translation 0 0 0.5 ] { Robot { translation IS translation boundingObject Box { size 1 1 1 } physics Physics { } } }`), fakeFiles{})
	if err != nil || m.Name != "Bot" || m.Placement.Pos != r3.V(0, 0, 0.5) ||
		m.Info.Category != scene.Robot || m.Format != "webots" {
		t.Errorf("%+v %v", m, err)
	}
}

func TestPROTOsOfOtherPlacesAreTakenFromCopies(t *testing.T) {
	ball := header + "PROTO Ball [ ] { Solid { boundingObject Sphere { } } }"
	const own, other = library + "R2023b/projects/x/protos/Ball.proto", "https://example.org/a/protos/Ball.proto"
	for _, c := range []struct{ file, url string }{
		{"protos/Ball.proto", "webots://projects/x/protos/Ball.proto"},
		{"protos/Ball.proto", own},
		{"protos/Ball.proto", other},
		{"worlds/protos/Ball.proto", other},
		{"worlds/Ball.proto", other},
		{"projects/x/protos/Ball.proto", "webots://projects/x/protos/Ball.proto"},
		{"projects/x/protos/Ball.proto", own},
		{"projects/x/protos/Ball.proto", "https://example.org/fork/projects/x/protos/Ball.proto"},
	} {
		w := world(t, fakeFiles{c.file: ball}, "EXTERNPROTO \""+c.url+"\"\nBall { }")
		if len(w.Models) != 1 || len(w.Notes) != 0 {
			t.Errorf("%s in place of %s: %v", c.file, c.url, w.Notes)
		}
	}
	w := world(t, fakeFiles{"protos/A.proto": header + "EXTERNPROTO \"" + other + "\"\nPROTO A [ ] { Solid { } }"},
		"EXTERNPROTO \"../protos/A.proto\"\nEXTERNPROTO \""+other+"\"\nA { }")
	said := 0
	for _, n := range w.Notes {
		if n.Kind == scene.Missing && strings.Contains(n.String(), "PROTO Ball: "+other) &&
			strings.Contains(n.String(), "or put it into protos/ beside the world") {
			said++
		}
	}
	if said != 1 {
		t.Errorf("a PROTO that is not there is told %d times: %v", said, w.Notes)
	}
}
