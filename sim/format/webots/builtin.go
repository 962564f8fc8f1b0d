package webots

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"simdeck/sim/asset/vrml"
	"simdeck/sim/asset/xmltree"
	"simdeck/sim/format/source"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// builtin is a PROTO made here: its interface, and the text of its body for given fields. Bodies have z up;
// where the file that uses one has y up, sizes and poses are turned.
type builtin struct {
	fields string
	body   func(a *args) string
	note   string // simplification against Webots; empty: none that matters
}

// placed are the fields of everything that stands somewhere.
const placed = `field SFVec3f translation 0 0 0 field SFRotation rotation 0 0 1 0 field SFString name `

// builtins by name.
var builtins = join(backgrounds, floors, boxes, furniture, robots, appearances())

func join(all ...map[string]*builtin) map[string]*builtin {
	out := map[string]*builtin{}
	for _, some := range all {
		for name, b := range some {
			out[name] = b
		}
	}
	return out
}

// builtin is the definition of a built-in PROTO; nil when there is none of that name.
func (rd *reader) builtin(name string) *definition {
	made := builtins[name]
	if made == nil {
		return nil
	}
	text, err := vrml.Parse([]byte("PROTO " + name + " [ " + made.fields + " ] { }"))
	if err != nil {
		rd.err = fmt.Errorf("%w: built-in PROTO %s: %w", scene.ErrParse, name, err)
		return nil
	}
	tree := &xmltree.Document{Root: at(vrml.Pos{Line: 1, Column: 1})}
	d := rd.main.doc.Included("built-in PROTO "+name, rd.main.doc.Ref, tree)
	return &definition{proto: text.Protos[0],
		file: &file{doc: d, text: text, known: map[string]*definition{}, own: true}, built: made}
}

// build writes the body of a built-in for the fields of an instance, and reads it.
func (rd *reader) build(r ref, d *definition, in *instance) ref {
	own := &vrml.Node{Type: d.proto.Name, Pos: r.n.Pos}
	for _, f := range d.proto.Fields {
		own.Fields = append(own.Fields,
			vrml.Field{Name: f.Name, Pos: f.Pos, Value: vrml.Value{Is: f.Name, Pos: f.Pos}})
	}
	a := &args{rd: rd, r: ref{own, d.file, in}, up: r.file.yUp}
	body := d.built.body(a)
	if rd.err != nil {
		return r
	}
	text, err := vrml.Parse([]byte(body))
	if err != nil || len(text.Nodes) == 0 {
		rd.err = fmt.Errorf("%w: %s:%v: built-in PROTO %s: %w", scene.ErrParse, r.file.doc.Name, r.n.Pos,
			d.proto.Name, err)
		return r
	}
	if d.built.note != "" {
		rd.noteOnce(scene.Inferred, r, "%s: %s", d.proto.Name, d.built.note)
	}
	return ref{text.Nodes[0], d.file, in}
}

// args are the fields of an instance of a built-in.
type args struct {
	rd *reader
	r  ref
	up bool // the file that gives them has y up
}

func (a *args) num(name string) float64    { return a.rd.num(a.r, name, 0) }
func (a *args) flag(name string) bool      { return a.rd.flag(a.r, name, false) }
func (a *args) text(name string) string    { return a.rd.text(a.r, name, "") }
func (a *args) list(name string) []float64 { return a.rd.many(a.r, name) }

func (a *args) pair(name string) (float64, float64) {
	v := a.rd.nums(a.r, name, 0, 0)
	return v[0], v[1]
}

// size is a field with lengths along x, y and z up; false, noted, when one is not greater than zero.
func (a *args) size(name string) r3.Vec {
	v := a.rd.vec(a.r, name, r3.Vec{})
	if a.up {
		v.Y, v.Z = v.Z, v.Y
	}
	return v
}

// stand is the pose of something that stands upright in its own frame.
func (a *args) stand() string { return a.turned(yUp) }

// walk is the pose of a robot, whose front was at −z when y was up.
func (a *args) walk() string { return a.turned(seen) }

func (a *args) turned(old r3.Quat) string {
	p := a.rd.vec(a.r, "translation", r3.Vec{})
	q := a.rd.turn(a.r, "rotation")
	if a.up {
		q = q.Mul(old)
	}
	v := q.Vector()
	angle := v.Len()
	axis, ok := v.Unit()
	if !ok {
		axis = r3.V(0, 0, 1)
	}
	return fmt.Sprintf("translation %s rotation %s %s", vec(p), vec(axis), g(angle))
}

func g(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

func vec(v r3.Vec) string { return g(v.X) + " " + g(v.Y) + " " + g(v.Z) }

// at is a shape that stands at a place; looks is the field with its appearance, or an appearance.
func box(at, size r3.Vec, looks string) string {
	return piece(at, fmt.Sprintf("Box { size %s }", vec(size)), looks)
}

func piece(at r3.Vec, geometry, looks string) string {
	return fmt.Sprintf("Pose { translation %s children [ Shape { appearance %s geometry %s } ] }\n", vec(at),
		looks, geometry)
}

// paint is an appearance of one colour.
func paint(red, green, blue float64) string {
	return fmt.Sprintf("PBRAppearance { baseColor %s %s %s roughness 1 metalness 0 }", g(red), g(green),
		g(blue))
}

// solidOf is a Solid that touches as it looks.
func solidOf(pose, parts, more string) string {
	return fmt.Sprintf("Solid { %s name IS name children [ DEF SHAPES Group { children [ %s ] } ] boundingObject USE SHAPES %s }",
		pose, parts, more)
}

// heavy is Physics of a mass; empty for a mass of 0, which stands still.
func heavy(mass float64) string {
	if !(mass > 0) {
		return ""
	}
	return fmt.Sprintf("physics Physics { density -1 mass %s }", g(mass))
}

// appearances are the surfaces of Webots' library, by the colour that one sees from afar.
func appearances() map[string]*builtin {
	out := map[string]*builtin{}
	for name, c := range map[string][3]float64{
		"Asphalt": {0.3, 0.3, 0.3}, "BakelitePlastic": {0.1, 0.1, 0.1}, "BlanketFabric": {0.7, 0.65, 0.6},
		"BrushedAluminium": {0.75, 0.76, 0.78},
		"BrushedSteel":     {0.62, 0.63, 0.65}, "CarpetFibers": {0.55, 0.5, 0.45},
		"CementTiles": {0.6, 0.6, 0.58}, "Concrete": {0.55, 0.55, 0.53},
		"Copper": {0.72, 0.45, 0.3}, "CorrodedMetal": {0.45, 0.33, 0.25},
		"CorrugatedMetal": {0.6, 0.62, 0.65}, "CorrugatedPlates": {0.55, 0.57, 0.6},
		"CorrugatedPvc": {0.3, 0.3, 0.32}, "DamascusSteel": {0.5, 0.5, 0.52}, "DryMud": {0.5, 0.42, 0.33},
		"FormedConcrete":  {0.58, 0.58, 0.56},
		"GalvanizedMetal": {0.68, 0.7, 0.72}, "Grass": {0.3, 0.45, 0.2}, "GlossyPaint": {1, 1, 1},
		"HammeredCopper": {0.7, 0.43, 0.28}, "Leather": {0.35, 0.22, 0.15},
		"Marble": {0.88, 0.87, 0.85}, "MarbleTiles": {0.85, 0.84, 0.82}, "MattePaint": {1, 1, 1},
		"MetalPipePaint": {1, 1, 1}, "MetalStainlessSteelCable": {0.6, 0.6, 0.6},
		"MosaicTiles": {0.6, 0.65, 0.7}, "OldPlywood": {0.65, 0.52, 0.36}, "OldSteel": {0.4, 0.4, 0.41},
		"OsbWood": {0.72, 0.58, 0.38}, "PaintedWood": {0.95, 0.93, 0.9},
		"Parquetry": {0.68, 0.5, 0.33}, "Pavement": {0.55, 0.54, 0.52}, "PerforatedMetal": {0.5, 0.5, 0.52},
		"PerforatedPlastic": {0.5, 0.5, 0.5}, "Plaster": {0.9, 0.89, 0.87},
		"Plastic": {1, 1, 1}, "PorcelainChevronTiles": {0.85, 0.85, 0.86}, "RedBricks": {0.6, 0.3, 0.24},
		"Road": {0.32, 0.32, 0.33}, "Rope": {0.7, 0.6, 0.45},
		"Roughcast": {0.85, 0.83, 0.8}, "RoughConcrete": {0.6, 0.6, 0.58}, "RoughOak": {0.6, 0.45, 0.3},
		"RoughPine": {0.75, 0.6, 0.42}, "RoughPolymer": {0.8, 0.8, 0.8},
		"Rubber": {0.12, 0.12, 0.12}, "RustyMetal": {0.5, 0.32, 0.2}, "SandyGround": {0.76, 0.68, 0.5},
		"ScrewThread": {0.6, 0.6, 0.6}, "ScuffedPlastic": {0.7, 0.7, 0.7},
		"ShinyLeather": {0.3, 0.2, 0.15}, "SlatePavement": {0.4, 0.42, 0.45}, "Soil": {0.4, 0.3, 0.22},
		"StonePavement": {0.55, 0.53, 0.5}, "TireRubber": {0.1, 0.1, 0.1},
		"ThreadMetalPlate": {0.55, 0.56, 0.58}, "VarnishedPine": {0.78, 0.6, 0.38},
	} {
		out[name] = &builtin{
			fields: "field SFColor colorOverride 1 1 1 field SFColor baseColor 1 1 1 field SFNode textureTransform NULL field SFFloat IBLStrength 1 field SFString type \"\" field SFFloat transparency 0 field SFFloat metalness 0 field SFFloat roughness 0.8 field SFFloat scale 1 field SFFloat gloss 0 field SFColor color 1 1 1 field SFFloat lineWidth 0",
			body: func(a *args) string {
				var tint [3]float64
				for i := range tint {
					tint[i] = c[i] * a.rd.nums(a.r, "colorOverride", 1, 1, 1)[i] * a.rd.nums(a.r, "baseColor",
						1, 1, 1)[i]
				}
				return fmt.Sprintf("PBRAppearance { baseColor %s %s %s roughness 0.95 metalness 0 transparency IS transparency }",
					g(tint[0]), g(tint[1]), g(tint[2]))
			},
		}
	}
	return out
}

var backgrounds = map[string]*builtin{
	"TexturedBackground": {
		fields: `field SFString texture "mountains" field SFFloat luminosity 1 field SFBool skybox TRUE field MFColor skyColor [ 0.7 0.7 0.7 ]`,
		body: func(a *args) string {
			texture := a.text("texture")
			outside := a.flag("skybox") && !strings.Contains(texture, "office") &&
				!strings.Contains(texture, "factory") && !strings.Contains(texture, "stadium")
			if outside {
				return "Background { skyColor IS skyColor skyboxAsCubemap TRUE }"
			}
			return "Background { skyColor IS skyColor }"
		},
	},
	"TexturedBackgroundLight": {
		fields: `field SFString texture "mountains" field SFFloat luminosity 1 field SFBool castShadows TRUE`,
		body: func(a *args) string {
			d := r3.V(0.4, -0.5, -1)
			if a.up {
				d.Y, d.Z = d.Z, -d.Y
			}
			return fmt.Sprintf("DirectionalLight { direction %s castShadows IS castShadows intensity %s }",
				vec(d), g(source.Clamp(a.num("luminosity"), 0, 10)))
		},
	},
	"CeilingLight": lamp("ceiling light", r3.V(0, 0, -0.05),
		`field SFColor supportColor 1 1 1 field SFColor bulbColor 1 1 1`),
	"FloorLight": lamp("floor light", r3.V(0, 0, 1.5),
		`field SFColor poleColor 1 1 1 field SFColor bulbColor 1 1 1`),
	"DeskLight": lamp("desk light", r3.V(0, 0, 0.4),
		`field SFColor supportColor 1 1 1 field SFColor bulbColor 1 1 1`),
}

// lamp shines from a place in its frame, and is not there to touch.
func lamp(name string, at r3.Vec, more string) *builtin {
	return &builtin{
		fields: placed + strconv.Quote(name) + " " + more +
			` field SFColor pointLightColor 1 1 1 field SFFloat pointLightIntensity 1 field SFFloat pointLightRadius 100 field SFBool pointLightCastShadows FALSE field SFBool castShadows FALSE field SFBool on TRUE`,
		body: func(a *args) string {
			lamp := fmt.Sprintf("PointLight { location %s attenuation 0 0 1 color IS pointLightColor intensity %s radius %s on IS on }",
				vec(at), g(a.num("pointLightIntensity")), g(math.Max(a.num("pointLightRadius"), 1)))
			bulb := piece(at, "Sphere { radius 0.06 }",
				"PBRAppearance { baseColor IS bulbColor emissiveColor IS bulbColor }")
			return fmt.Sprintf("Pose { %s children [ %s %s ] }", a.stand(), lamp, bulb)
		},
		note: "its light, and a bulb that nothing touches, stand in",
	}
}
