package format

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

func TestASidecarSaysHowMovingMeshesAreCut(t *testing.T) {
	for text, want := range map[string]scene.Convex{
		`{}`: {}, `{"convex":{}}`: {}, `{"convex":{"parts":1}}`: {Parts: 1},
		`{"convex":{"parts":8,"error":0.2}}`: {Parts: 8, Error: 0.2},
	} {
		if info, _, err := parseSidecar([]byte(text), "m.sdf"); err != nil || info.Convex != want {
			t.Errorf("%s: %+v, %v; want %+v", text, info.Convex, err, want)
		}
	}
	for text, want := range map[string]string{
		`{"convex":{"parts":0}}`: "0 parts; want 1 to 64", `{"convex":{"parts":65}}`: "65 parts",
		`{"convex":{"error":0}}`: "an error of 0",
	} {
		_, _, err := parseSidecar([]byte(text), "m.sdf")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// The same sidecar in every form: ours, O3DE's JSON, and O3DE's object streams.
func TestASidecarOfO3DESaysWhatTheJSONSays(t *testing.T) {
	const id = "{01234567-89AB-CDEF-0123-456789ABCDEF}"
	for _, text := range []string{
		`{"description":"a robot","category":"robot","tags":["foo","bar"],"bounds":{"sphere":{"centre":[0,0,1],"radius":1.5}},
"asset":"FooRobot.prefab"}`,
		`{"Type":"JsonSerialization","Version":1,"ClassName":"SimulationInfo","ClassData":{"Description":"a robot","Category":"CATEGORY_ROBOT",
"Tags":["foo","bar"],"Bounds":{"Sphere":{"Center":[0,0,1],"Radius":1.5}},
"AssetId":{"guid":"` + id + `","subId":3000000000}}}`,
		`{"Type":"JsonSerialization","ClassData":{"Description":"a robot","Category":1,"Tags":["foo","bar"],"Bounds":{"Sphere":{"Center":[0,0,1],"Radius":1.5}},
"Asset":{"assetId":{"guid":"` + id + `","subId":1},"assetHint":"robots/foorobot.spawnable","loadBehavior":"QueueLoad"}}}`,
		`{"description":"a robot","category":1,"tags":["foo","bar"],"bounds":{"sphere":{"center":[0,0,1],"radius":1.5}},"assetId":"` + id + `:b2d05e00"}`,
		`<ObjectStream version="3"><Class name="SimulationInfo" version="1" type="` + id + `"><Class name="AssetData" field="BaseClass1"/>
<Class name="AZStd::string" field="Description" value="a robot"/><Class name="unsigned char" field="Category" value="1"/>
<Class name="AZStd::vector" field="Tags"><Class name="AZStd::string" field="element" value="foo"/><Class name="AZStd::string" field="element" value="bar"/></Class>
<Class name="Bounds" field="Bounds"><Class name="Sphere" field="Sphere"><Class name="Vector3" field="Center" value="0.0 0.0 1.0"/><Class name="float" field="Radius" value="1.5"/></Class></Class>
<Class name="Asset" field="Asset" value="id=` + id + `:1,type=` + id + `,hint={robots/foorobot.spawnable},loadBehavior=1"/></Class></ObjectStream>`,
		`<ObjectStream><Class name="SimulationInfo"><Class field="Description" value="a robot"/><Class field="Category" value="robot"/><Class field="Tags" value="foo bar"/>
<Class field="AssetId"><Class field="guid" value="` + id + `"/><Class field="subId" value="0"/></Class>
<Class field="Bounds"><Class field="Sphere"><Class field="Centre" value="0 0 1"/><Class field="Radius" value="1.5"/></Class></Class></Class></ObjectStream>`,
		`<SimulationInfo><Description>a robot</Description><Category>Robot</Category><Tags>foo bar</Tags><AssetId>` + id + `:0</AssetId>
<Bounds><Sphere><Center>0 0 1</Center><Radius>1.5</Radius></Sphere></Bounds></SimulationInfo>`,
	} {
		info, unknown, err := parseSidecar([]byte(text), "FooRobot.prefab")
		if err != nil || len(unknown) > 0 || info.Description != "a robot" || info.Category != scene.Robot ||
			!slices.Equal(info.Tags, []string{"foo", "bar"}) || info.Bounds.Kind != scene.SphereBounds ||
			info.Bounds.Points[0] != r3.V(0, 0, 1) || info.Bounds.Points[1].X != 1.5 {
			t.Errorf("%s:\n%+v, %q, %v", text, info, unknown, err)
		}
	}
	for text, want := range map[string]string{
		`{"assetId":"12"}`: `asset id`, `{"assetId":{"guid":"{1}"}}`: `asset id "{1}"`,
		`{"assetId":"{00000000-0000-0000-0000-000000000000}:0"}`:                      "asset id",
		`{"asset":{"assetId":{"guid":"` + id + `"},"assetHint":"robots/bar.prefab"}}`: `belongs to "robots/bar.prefab"`,
		`{"asset":5}`: "1:", `{"category":3}`: `category "3"`, `{"ClassData":5}`: "1:",
		`<ObjectStream/>`: "holds one <Class>",
		`<ObjectStream><Class><Class field="AssetId" value="x y"/></Class></ObjectStream>`: `asset id "x y"`,
	} {
		_, _, err := parseSidecar([]byte(text), "FooRobot.prefab")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

func TestAnUnknownKeyOfASidecarIsANoteAndTheRestIsTaken(t *testing.T) {
	for text, want := range map[string]string{
		"{\"tags\":[\"a\"],\n\"colour\":{\"box\":[1,{}]},\"description\":\"d\"}":                                                                           `2: "colour" is no key of a sidecar`,
		"{\"tags\":[\"a\"],\"description\":\"d\",\"convex\":\n{\"hulls\":1}}":                                                                              `2: "hulls" is no key`,
		`{"Type":"x","Editor":1,"ClassData":{"Tags":["a"],"Description":"d"}}`:                                                                             `1: "Editor" is no key`,
		`{"ClassData":{"Tags":["a"],"Mass":1,"Description":"d"}}`:                                                                                          `1: "Mass" is no key`,
		"<simulationinfo><tags>a</tags>\n<colour/><description>d</description></simulationinfo>":                                                           `2:1: <colour> is no element of a sidecar`,
		`<ObjectStream><Class><Class field="Tags" value="a"/><Class field="Mass" value="1"/><Class field="Description" value="d"/></Class></ObjectStream>`: `<mass> is no element`,
	} {
		info, unknown, err := parseSidecar([]byte(text), "m.sdf")
		if err != nil || len(unknown) != 1 || !strings.Contains(unknown[0], want) ||
			info.Description != "d" || !slices.Equal(info.Tags, []string{"a"}) {
			t.Errorf("%s: %+v, %q, %v; want %q", text, info, unknown, err, want)
		}
	}
	many := "{" + strings.TrimSuffix(strings.Repeat(`"x":1,`, 1000), ",") + "}"
	if _, unknown, err := parseSidecar([]byte(many), "m.sdf"); err != nil || len(unknown) != maxUnknown {
		t.Errorf("%d notes, %v", len(unknown), err)
	}
	lib := library(fstest.MapFS{"m.urdf": text(`<robot name="m"><link name="l"/></robot>`),
		"m.simulationinfo": text(`{"description":"d","colour":"red"}`)})
	m, err := lib.Model(scene.Resource{URI: "m.urdf"})
	if err != nil {
		t.Fatal(err)
	}
	if m.Info.Description != "d" || !slices.ContainsFunc(m.Notes, func(n scene.Note) bool {
		return n.Kind == scene.Unsupported && strings.Contains(n.Text, `m.simulationinfo:1: "colour" is no key of a sidecar; ignored`)
	}) {
		t.Errorf("%+v, notes %v", m.Info, m.Notes)
	}
}
