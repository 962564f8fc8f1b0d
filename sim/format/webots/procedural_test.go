package webots

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"simdeck/sim/asset"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

const javascript = header + "# template language: javascript\n"

func TestTemplatesMakeModelsFromTheFieldsOfAnInstance(t *testing.T) {
	s := fakeFiles{
		"protos/Stairs.proto": javascript + `PROTO Stairs [
  field SFVec3f translation 0 0 0
  field SFString name "stairs"
  field SFInt32 steps 3
  field SFVec3f size 0.2 1 0.1
  field MFColor colors [ 1 0 0, 0 1 0 ]
  field SFNode physics NULL
]
{
  %<
    const size = fields.size.value;
    if (fields.steps.value < 1) console.error("steps should be positive");
  >%
  Solid {
    translation IS translation
    name "%<= fields.name.value >% of %<= fields.steps.value >%"
    children [
      DEF STEPS Group { children [
        %< for (let i = 1; i <= fields.steps.value; ++i) {
             const c = fields.colors.value[(i - 1) % fields.colors.value.length]; >%
        Pose {
          translation %<= i * size.x >% 0 %<= i * size.z >%
          children [ Shape {
            appearance PBRAppearance { baseColor %<= c.r >% %<= c.g >% %<= c.b >% }
            geometry Box { size IS size }
          } ]
        }
        %< } >%
      ] }
    ]
    boundingObject USE STEPS
    %< if (fields.physics.value) { >%
    physics Physics { density -1 mass %<= fields.physics.value.fields.mass.value * 2 >% }
    %< } >%
  }
}`,
		"protos/Row.proto": javascript + `EXTERNPROTO "Ball.proto"
PROTO Row [
  field SFVec3f translation 0 0 0
  field MFVec2f points [ ]
  field MFNode extra [ ]
]
{
  %<
    import * as wbvector2 from 'wbvector2.js';
    const points = fields.points.value;
    let length = 0;
    for (let i = 1; i < points.length; ++i)
      length += wbvector2.distance(points[i - 1], points[i]);
  >%
  Group {
    children [
      %< for (const [i, p] of points.entries()) { >%
      Ball { translation %<= p.x >% %<= p.y >% %<= length >% name %<= '"ball ' + i + '"' >% r 0.1%< if (i > 0) { >%5%< } >% }
      %< } >%
      %<= fields.extra.value.length > 0 ? 'Solid { name "' + fields.extra.value[0].node_name + ' ' +
          fields.extra.value[0].fields.r.value + ' ' + fields.extra.value[0].fields.name.defaultValue + '" }' : '' >%
    ]
  }
}`,
		"protos/Ball.proto": header + `PROTO Ball [ field SFVec3f translation 0 0 0 field SFString name "ball" field SFFloat r 1 ]
{ Solid { translation IS translation name IS name boundingObject Sphere { radius IS r } } }`,
	}
	w := world(t, s, `EXTERNPROTO "../protos/Stairs.proto"
IMPORTABLE EXTERNPROTO "../protos/Row.proto"
EXTERNPROTO "../protos/Ball.proto"
Stairs { name "up" steps 2 physics Physics { mass 3 } }
Stairs { translation 5 0 0 steps 0 }
Row { points [ 0 0, 3 4 ] extra [ Ball { r 7 } ] }`)
	if len(w.Models) != 5 {
		t.Fatalf("%d models %v", len(w.Models), w.Notes)
	}
	up := w.Models[0].Model
	if w.Models[0].Name != "up_of_2" || len(up.Links[0].Visuals) != 2 || len(up.Links[0].Collisions) != 2 ||
		up.Links[0].Inertial.Mass != 6 {
		t.Errorf("%q %+v", w.Models[0].Name, up.Links[0])
	}
	near(t, "a step", up.Links[0].Visuals[1].Pose.Pos, r3.V(0.4, 0, 0.2))
	if c := up.Links[0].Visuals[1].Material.Colour; c != [4]float32{0, 1, 0, 1} {
		t.Errorf("colour %v", c)
	}
	near(t, "a ball", w.Models[3].Pose.Pos, r3.V(3, 4, 5))
	if r := w.Models[3].Model.Links[0].Collisions[0].Radius; w.Models[3].Name != "ball_1" || r != 0.15 {
		t.Errorf("%q has a radius of %v", w.Models[3].Name, r)
	}
	if w.Models[4].Name != "Ball_7_ball" {
		t.Errorf("a node is seen as %q", w.Models[4].Name)
	}
	if n := noted(w.Notes, "steps should be positive"); n == nil || n.Kind != scene.Suspicious ||
		!strings.Contains(fmt.Sprint(*n), "w.wbt:6:1") {
		t.Errorf("%v", w.Notes)
	}
}

func TestInstancesOfATemplateAreToldApartByTheirNumbers(t *testing.T) {
	s := fakeFiles{"protos/P.proto": javascript + `PROTO P [ field SFVec3f translation 0 0 0 ]
{ Solid { translation IS translation name "%<= context.id + ' ' + context.proto + ' ' + context.world + ' ' + context.coordinate_system >%" } }`}
	w := world(t, s, "EXTERNPROTO \"../protos/P.proto\"\nP { }\nP { }\n")
	if len(w.Models) != 2 || w.Models[0].Name != "1_protos_P.proto_worlds_w.wbt_ENU" ||
		w.Models[1].Name != "2_protos_P.proto_worlds_w.wbt_ENU" {
		t.Errorf("%v %v", w.Models, w.Notes)
	}
}

func TestATemplateThatFailsIsLeftOutWithItsPlace(t *testing.T) {
	for text, want := range map[string]string{
		javascript + "PROTO P [ ]\n{ Solid {\n name %<= x.y >% } }":       "protos/P.proto:5:11: unreadable: PROTO P: JavaScript: ReferenceError: x is not defined",
		javascript + "PROTO P [ ]\n{ Solid {\n %< while (true); >% } }":   "protos/P.proto:5:5: unreadable: PROTO P: JavaScript: the template is stopped: it takes ",
		javascript + "PROTO P [ ]\n{ Solid {\n name %<= ']' >% } }":       "protos/P.proto:5:10: unreadable: PROTO P: what the template makes is wrong: ]",
		javascript + "PROTO P [ ]\n{ Solid {\n %< if (true) { >% } }":     "protos/P.proto:",
		header + "PROTO P [ ]\n{ Solid {\n %{ x = 1 }% } }":               "protos/P.proto:4:2: unsupported: PROTO P: templates in Lua",
		header + "PROTO P [ ]\n{ Solid {\n name \"%<= 'x'.repeat(1e9) >%": "protos/P.proto:3:2: the body of the PROTO that begins here is never closed",
	} {
		w := world(t, fakeFiles{"protos/P.proto": text}, "EXTERNPROTO \"../protos/P.proto\"\nP { }\nSolid { }\n")
		n := located(w.Notes, want)
		if n == nil || n.Kind != scene.Unreadable && n.Kind != scene.Unsupported || len(w.Models) != 1 {
			t.Errorf("%s\n%d models, %v", text, len(w.Models), w.Notes)
		}
		_, err := Model("protos/P.proto", asset.Ref{Path: "protos/P.proto"}, []byte(text), fakeFiles{})
		if !errors.Is(err, scene.ErrParse) || !strings.Contains(err.Error(), "protos/P.proto:") {
			t.Errorf("as a model: %v", err)
		}
	}
}

func TestATemplateIsAModelWithItsDefaults(t *testing.T) {
	text := javascript + `PROTO Bot [ field SFFloat mass 2 ]
{ %< const size = Math.cbrt(fields.mass.value / 1000); >% Robot { boundingObject Box { size %<= size >% %<= size >% %<= size >% } physics Physics { density -1 mass %<= fields.mass.value >% } } }`
	m, err := Model("a/Bot.proto", asset.Ref{Path: "a/Bot.proto"}, []byte(text), fakeFiles{})
	if err != nil || m.Name != "Bot" || m.Links[0].Inertial.Mass != 2 || m.Info.Category != scene.Robot {
		t.Errorf("%+v %v", m, err)
	}
	if kind, name, _ := Glimpse("Bot.proto", []byte(text)); kind != "robot" || name != "Bot" ||
		!HoldsModel([]byte(text)) {
		t.Errorf("at first sight it is a %q called %q", kind, name)
	}
}

// located is the note that, with its place, holds a text.
func located(notes scene.Notes, text string) *scene.Note {
	for i := range notes {
		if strings.Contains(notes[i].String(), text) {
			return &notes[i]
		}
	}
	return nil
}
