package sdf

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"simdeck/sim/asset"
	"simdeck/sim/asset/xmltree"
	"simdeck/sim/format/source"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// painted answers every texture with a picture of 3 × 2 pixels, and scripts with one text.
type painted struct {
	fakeFiles
	script string
}

func (painted) Texture(string, asset.Ref) (*scene.Texture, error) {
	pix := make([]uint8, 4*6)
	for i := range 6 {
		pix[4*i] = uint8(51 * i)
	}
	return &scene.Texture{Levels: []scene.TextureLevel{{Width: 3, Height: 2, Pix: pix}}}, nil
}

func (painted) Exists(uri string, _ asset.Ref) error {
	if strings.HasSuffix(uri, "scripts") || strings.HasSuffix(uri, "scripts/../textures/t.png") {
		return nil
	}
	return asset.ErrNotFound
}

func (p painted) Script(string, string, asset.Ref) ([]string, error) { return []string{p.script}, nil }

func worldWith(t *testing.T, files source.Files, inside string) *scene.WorldSpec {
	t.Helper()
	tree, err := xmltree.Parse([]byte(`<sdf version="1.9"><world name="w">`+inside+`</world></sdf>`),
		xmltree.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	w, err := World(source.Open("test.sdf", asset.Ref{}, tree, files))
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func solid(shape string) string {
	return `<model name="m"><static>1</static><link name="l"><collision name="c"><geometry>` + shape +
		`</geometry></collision></link></model>`
}

func TestPolylinesAreBodiesOverTheirOutline(t *testing.T) {
	line := func(h string) string {
		return `<polyline><point>0 0</point><point>2 0</point><point>2 1</point><point>0 1</point><height>` +
			h + `</height></polyline>`
	}
	w := worldWith(t, fakeFiles{}, solid(line("3")+line("0.5")))
	g := w.Models[0].Model.Links[0].Collisions[0]
	if g.Kind != scene.MeshGeom || len(g.Mesh.Vertices) != 16 || len(g.Mesh.Triangles) != 24 ||
		g.Mesh.Vertices[4].Z != 3 || g.Mesh.Vertices[12].Z != 0.5 {
		t.Errorf("%+v", g.Mesh)
	}
	w = worldWith(t, fakeFiles{}, solid(line("0")))
	if len(w.Models[0].Model.Links[0].Collisions) != 0 || !w.Notes.Has(scene.Suspicious) {
		t.Errorf("a height of zero: %v", w.Notes)
	}
}

func TestPopulationsRepeatTheirModelTheSameWayEveryTime(t *testing.T) {
	text := func(kind, count string) string {
		return `<population name="p"><model name="can"><static>1</static><link name="l"/></model><pose>10 0 0 0 0 0</pose><box><size>4 2 1</size></box>
<model_count>` + count + `</model_count><distribution><type>` + kind + `</type><rows>2</rows><cols>3</cols><step>1 2 0</step></distribution></population>`
	}
	places := func(kind string) (out []r3.Vec) {
		for i, m := range worldWith(t, fakeFiles{}, text(kind, "6")).Models {
			if m.Name != fmt.Sprintf("can_clone_%d", i) {
				t.Errorf("clone %d is called %s", i, m.Name)
			}
			out = append(out, m.Pose.Pos)
		}
		return out
	}
	if got := places("grid"); len(got) != 6 || got[0] != r3.V(10, 0, 0) || got[5] != r3.V(12, 2, 0) {
		t.Errorf("grid %v", got)
	}
	if got := places("linear-x"); math.Abs(got[0].X-(10-2+1.0/3)) > 1e-9 || got[0].Y != 0 {
		t.Errorf("line %v", got)
	}
	for _, kind := range []string{"random", "uniform"} {
		got := places(kind)
		if !reflect.DeepEqual(got, places(kind)) {
			t.Errorf("%s: not the same twice", kind)
		}
		for _, p := range got {
			if math.Abs(p.X-10) > 2 || math.Abs(p.Y) > 1 || math.Abs(p.Z) > 0.5 {
				t.Errorf("%s: %v lies outside", kind, p)
			}
		}
	}
	if w := worldWith(t, fakeFiles{}, text("random", "1e9")); len(w.Models) != maxPopulation ||
		!w.Notes.Has(scene.Suspicious) {
		t.Errorf("%d models of 10⁹, notes %v", len(w.Models), w.Notes)
	}
}

func TestLightsOnLinksOfStaticModelsShineInTheWorld(t *testing.T) {
	lamp := `<pose>1 0 0 0 0 0</pose><link name="l"><pose>0 2 0 0 0 0</pose><light name="bulb" type="point"><pose>0 0 3 0 0 0</pose></light></link>`
	w := worldWith(t, fakeFiles{}, `<model name="lamp"><static>1</static>`+lamp+`</model>`)
	if len(w.Lights) != 1 || w.Lights[0].Name != "lamp::l::bulb" || w.Lights[0].Pose.Pos != r3.V(1, 2, 3) {
		t.Errorf("%+v", w.Lights)
	}
	if w = worldWith(t, fakeFiles{}, `<model name="lamp">`+lamp+`</model>`); len(w.Lights) != 0 ||
		!w.Notes.Has(scene.Unsupported) {
		t.Errorf("%+v %v", w.Lights, w.Notes)
	}
}

func TestMaterialScriptsAreReadWhereTheyAre(t *testing.T) {
	files := painted{script: "material My/Wood { technique { pass { diffuse 0.2 0.4 0.6 1 texture_unit { texture t.png } } } }"}
	w := worldWith(t, files, `<model name="m"><static>1</static><link name="l"><visual name="v"><geometry><sphere/></geometry>
		<material><script><uri>model://m/scripts</uri><name>My/Wood</name></script></material></visual></link></model>`)
	m := w.Models[0].Model.Links[0].Visuals[0].Material
	if m.Name != "My/Wood" || m.Colour != [4]float32{0.2, 0.4, 0.6, 1} || m.Image == nil ||
		m.Texture != "model://m/scripts/../textures/t.png" {
		t.Errorf("%+v, notes %v", m, w.Notes)
	}
}
