package sdf

import (
	"reflect"
	"strings"
	"testing"

	"simdeck/sim/scene"
)

// tailoredModel is a model that the parameters change.
const tailoredModel = `<link name="base">` + mass + `<visual name="v"><geometry><box><size>1 1 1</size></box></geometry><transparency>0.5</transparency></visual>
<sensor name="cam" type="camera"><update_rate>10</update_rate><camera><horizontal_fov>2</horizontal_fov><image><width>64</width><height>48</height></image></camera></sensor></link>
<link name="top"><pose>0 0 1 0 0 0</pose>` + mass + `<collision name="c"><geometry><box><size>1 1 1</size></box></geometry></collision></link>
<joint name="j" type="revolute"><parent>base</parent><child>top</child><axis><xyz>0 0 1</xyz><limit><lower>-1</lower><upper>1</upper></limit></axis></joint>
<include><uri>model://inner</uri><name>in</name><pose>0 5 0 0 0 0</pose></include>`

const innerModel = `<link name="l"><pose>0 0 3 0 0 0</pose>` + mass + `</link>`

// params are parameters of an include and the resulting model. replaced is written in the model instead of
// old, or note says why not.
var params = []struct{ name, text, old, replaced, inner, note string }{
	{name: "remove a visual", text: `<visual element_id="base::v" action="remove"/>`,
		old: `<visual name="v"><geometry><box><size>1 1 1</size></box></geometry><transparency>0.5</transparency></visual>`},
	{name: "remove what is in it",
		text: `<visual element_id="base::v" action="remove"><transparency/></visual>`,
		old:  `<transparency>0.5</transparency>`},
	{name: "add a visual", text: `<visual element_id="top" name="w" action="add"><geometry><sphere><radius>2</radius></sphere></geometry></visual>`,
		old: `<collision name="c">`, replaced: `<visual name="w"><geometry><sphere><radius>2</radius></sphere></geometry></visual><collision name="c">`},
	{name: "add a link", text: `<link element_id="" name="new" action="add"><pose>7 0 0 0 0 0</pose>` + mass +
		`</link>`,
		old: `<joint`, replaced: `<link name="new"><pose>7 0 0 0 0 0</pose>` + mass + `</link><joint`},
	{name: "modify a sensor", text: `<sensor element_id="base::cam" name="eye" action="modify"><update_rate>20</update_rate><camera><image><width>128</width></image></camera></sensor>`,
		old:      `<sensor name="cam" type="camera"><update_rate>10</update_rate><camera><horizontal_fov>2</horizontal_fov><image><width>64</width>`,
		replaced: `<sensor name="eye" type="camera"><update_rate>20</update_rate><camera><horizontal_fov>2</horizontal_fov><image><width>128</width>`},
	{name: "back to the default", text: `<sensor element_id="base::cam" action="modify"><camera><horizontal_fov/></camera></sensor>`,
		old: `<horizontal_fov>2</horizontal_fov>`},
	{name: "a frame to stand in", text: `<link element_id="top" action="modify"><pose relative_to="in"/></link>`,
		old: `<pose>0 0 1 0 0 0</pose>`, replaced: `<pose relative_to="in"/>`},
	{name: "replace a shape", text: `<collision element_id="top::c" action="replace"><geometry><sphere><radius>3</radius></sphere></geometry></collision>`,
		old:      `<collision name="c"><geometry><box><size>1 1 1</size></box></geometry>`,
		replaced: `<collision name="c"><geometry><sphere><radius>3</radius></sphere></geometry>`},
	{name: "children by themselves",
		text: `<link element_id="top"><pose action="replace">0 0 9 0 0 0</pose><gravity action="add">false</gravity><collision name="c" action="remove"/></link>`,
		old: `<pose>0 0 1 0 0 0</pose>` + mass +
			`<collision name="c"><geometry><box><size>1 1 1</size></box></geometry></collision>`,
		replaced: `<pose>0 0 9 0 0 0</pose>` + mass + `<gravity>false</gravity>`},
	{name: "a joint's limit", text: `<joint element_id="j" action="modify"><axis><limit><upper>2</upper></limit></axis></joint>`,
		old: `<upper>1</upper>`, replaced: `<upper>2</upper>`},
	{name: "in what it includes", text: `<link element_id="in::l" action="modify"><pose>0 0 4 0 0 0</pose></link><link element_id="in" name="k" action="add">` +
		mass + `</link>`,
		inner: `<link name="l"><pose>0 0 4 0 0 0</pose>` + mass + `</link><link name="k">` + mass +
			`</link>`},
	{name: "where that stands", text: `<model element_id="in"><pose action="modify">0 6 0 0 0 0</pose></model>`,
		old: `<pose>0 5 0 0 0 0</pose>`, replaced: `<pose>0 6 0 0 0 0</pose>`},
	{name: "no such visual", text: `<visual element_id="base::w" action="remove"/>`,
		note: `"base" has no "w"`},
	{name: "of another kind", text: `<collision element_id="base::v" action="remove"/>`,
		note: `"base" has no "v"`},
	{name: "no child of it", text: `<link element_id="top"><visual name="w" action="remove"/></link>`,
		note: `"top" has none called w`},
	{name: "nothing to modify", text: `<link element_id="base" action="modify"><pose>1 1 1 0 0 0</pose></link>`,
		note: `<link> has none`},
	{name: "there is one", text: `<visual element_id="base" name="v" action="add"/>`,
		note: `"base" has one called v`},
	{name: "without a name", text: `<visual element_id="base" action="add"/>`, note: `it has no name`},
	{name: "without an address", text: `<visual name="v" action="remove"/>`, note: `it has no element_id`},
	{name: "another action", text: `<visual element_id="base::v" action="hide"/>`,
		note: `action "hide"; add, modify`},
	{name: "no action", text: `<link element_id="top"><pose>0 0 9 0 0 0</pose></link>`,
		note: `action ""; add, modify`},
	{name: "the model itself", text: `<model element_id="" action="remove"/>`,
		note: `the whole model cannot go`},
}

func TestParametersOfAnIncludeChangeTheModel(t *testing.T) {
	read := func(t *testing.T, model, inner, params string) *scene.WorldSpec {
		files := put(t, "model://m", inModel(model), "model://inner", inModel(inner))
		w, err := World(open(t, `<sdf version="1.9"><world name="w"><include><uri>model://m</uri>`+params+`</include>
			<include><uri>model://m</uri><name>other</name></include></world></sdf>`, files))
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	plain := read(t, tailoredModel, innerModel, "")
	for _, c := range params {
		t.Run(c.name, func(t *testing.T) {
			got := read(t, tailoredModel, innerModel, `<experimental:params>`+c.text+`</experimental:params>`)
			if !reflect.DeepEqual(got.Models[1].Model.Links, plain.Models[0].Model.Links) {
				t.Error("the other model, without parameters, has changed too")
			}
			want := plain
			if c.note != "" {
				if !said(got.Notes, c.note) || len(got.Notes) != 1 {
					t.Errorf("notes %v, want %q", got.Notes, c.note)
				}
			} else {
				model, inner := tailoredModel, innerModel
				if c.inner != "" {
					inner = c.inner
				}
				if c.old != "" {
					model = replacedOnce(t, model, c.old, c.replaced)
				}
				if want = read(t, model, inner, ""); len(got.Notes) > len(plain.Notes) {
					t.Errorf("notes %v", got.Notes)
				}
			}
			g, w := got.Models[0].Model, want.Models[0].Model
			if len(g.Links) != len(w.Links) || !reflect.DeepEqual(g.Joints, w.Joints) {
				t.Fatalf("%d links, joints %+v\nwant %d and %+v", len(g.Links), g.Joints, len(w.Links),
					w.Joints)
			}
			for i := range w.Links {
				if !reflect.DeepEqual(g.Links[i], w.Links[i]) {
					t.Errorf("%+v\nwant %+v", g.Links[i], w.Links[i])
				}
			}
		})
	}
}

func replacedOnce(t *testing.T, text, old, by string) string {
	t.Helper()
	if strings.Count(text, old) != 1 {
		t.Fatalf("%q stands %d times in the model", old, strings.Count(text, old))
	}
	return strings.Replace(text, old, by, 1)
}
