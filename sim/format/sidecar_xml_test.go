package format

import (
	"reflect"
	"strings"
	"testing"
)

func TestASidecarOfXMLSaysWhatTheJSONSays(t *testing.T) {
	for name, pair := range map[string][2]string{
		"words": {`{"description":"a b","category":"robot","tags":["x","y"],"asset":"m.sdf"}`,
			"<?xml version='1.0'?><SimulationInfo><description> a\n b</description><category>robot</category><tags>x<tag>y</tag></tags><asset>m.sdf</asset></SimulationInfo>"},
		"box": {`{"bounds":{"box":{"min":[0,0,0],"max":[1,2,3]}}}`,
			`<simulationinfo><bounds><box><min>0 0 0</min><max>1 2 3</max></box></bounds></simulationinfo>`},
		"sphere": {`{"bounds":{"sphere":{"centre":[1,2,3],"radius":4}}}`,
			`<simulationinfo><bounds><sphere><centre>1 2 3</centre><radius>4</radius></sphere></bounds></simulationinfo>`},
		"hull": {`{"bounds":{"hull":[[0,0,0],[1,0,0],[0,1,0],[0,0,1]]}}`,
			`<simulationinfo><bounds><hull><point>0 0 0</point><point>1 0 0</point><point>0 1 0</point><point>0 0 1</point></hull></bounds></simulationinfo>`},
		"convex": {`{"convex":{"parts":3,"error":0.1}}`,
			`<simulationinfo><convex><parts>3</parts><error>0.1</error></convex></simulationinfo>`},
	} {
		want, _, err := parseSidecar([]byte(pair[0]), "m.sdf")
		if err != nil {
			t.Fatal(err)
		}
		got, _, err := parseSidecar([]byte(pair[1]), "m.sdf")
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v %v, want %+v", name, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"<robot/>":         "<simulationinfo> is meant",
		"<simulationinfo>": "the text ends inside",
		"<simulationinfo><bounds><box><min>0 0</min></box></bounds></simulationinfo>":           "needs 3",
		"<simulationinfo><bounds><sphere/></bounds></simulationinfo>":                           "missing in <sphere>",
		"<simulationinfo><bounds><sphere><radius>x</radius></sphere></bounds></simulationinfo>": "not a finite number",
		"<simulationinfo><bounds/></simulationinfo>":                                            "bounds hold one of",
		"<simulationinfo><convex><parts>1.5</parts></convex></simulationinfo>":                  "a whole number",
		"<simulationinfo><category>alien</category></simulationinfo>":                           `category "alien"`,
	} {
		_, _, err := parseSidecar([]byte(text), "m.sdf")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

func TestARobotOfMacrosHasTheSidecarOfItsName(t *testing.T) {
	fsys := workspace()
	fsys["share/bot/urdf/bot.simulationinfo"] = text(`<simulationinfo><description>rolls</description></simulationinfo>`)
	lib := library(fsys)
	list, _ := lib.Spawnables(nil)
	if len(list) != 1 || list[0].Info.Description != "rolls" ||
		list[0].URI != "spawnable://@cache@/share/bot/urdf/bot.urdf.xacro.spawnable" {
		t.Errorf("%+v", list)
	}
}
