package sdf

import (
	"strings"
	"testing"

	"simdeck/sim/r3"
)

func TestAWorldMergesModelsOfModels(t *testing.T) {
	files := put(t, "model://pair", inModel(`<static>true</static><model name="a"><link name="l">`+mass+`</link></model>
		<model name="b"><pose relative_to="a">1 0 0 0 0 0</pose><link name="l">`+mass+`</link></model>
		<frame name="between" attached_to="a"><pose>0.5 0 0 0 0 0</pose></frame>`), "model://box", inModel(body))
	w, err := World(open(t, `<sdf version="1.11"><world name="w"><include merge="true"><uri>model://pair</uri><pose>0 2 0 0 0 0</pose></include>
		<include merge="true"><uri>model://box</uri><name>whole</name></include><frame name="beside" attached_to="b"><pose>0 1 0 0 0 0</pose></frame></world></sdf>`, files))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for i := range w.Models {
		names = append(names, w.Models[i].Name)
	}
	if got := strings.Join(names, " "); got != "a b whole" || !w.Models[0].Static || !w.Models[1].Static {
		t.Fatalf("models %s, %+v", got, w.Models)
	}
	near(t, "b", w.Models[1].Pose, r3.PoseRPY(1, 2, 0, 0, 0, 0))
	if len(w.NamedPoses) != 2 || w.NamedPoses[0].Name != "between" || w.NamedPoses[1].Name != "beside" {
		t.Fatalf("named poses %+v", w.NamedPoses)
	}
	near(t, "between", w.NamedPoses[0].Pose, r3.PoseRPY(0.5, 2, 0, 0, 0, 0))
	near(t, "beside", w.NamedPoses[1].Pose, r3.PoseRPY(1, 3, 0, 0, 0, 0))
	if !said(w.Notes, "it stays a model") {
		t.Errorf("a merged model with links is not noted: %v", w.Notes)
	}
}

func TestLightsAndActorsAreIncludedWhereTheIncludeSays(t *testing.T) {
	files := put(t, "model://lamp",
		`<sdf version="1.9"><light name="lamp" type="point"><pose>9 9 9 0 0 0</pose></light></sdf>`,
		"model://man", `<sdf version="1.9"><actor name="man"><pose>8 8 8 0 0 0</pose></actor></sdf>`,
		"model://box", inModel(body))
	w, err := World(open(t, `<sdf version="1.9"><world name="w"><include><uri>model://lamp</uri></include>
		<include><uri>model://box</uri><name>box</name><pose>0 0 5 0 0 0</pose></include>
		<include><uri>model://lamp</uri><name>other</name><pose relative_to="box">1 0 0 0 0 0</pose></include>
		<light name="own" type="point"><pose relative_to="box">0 1 0 0 0 0</pose></light>
		<include><uri>model://man</uri></include><include><uri>model://man</uri><name>woman</name><pose>1 2 0 0 0 0</pose></include></world></sdf>`, files))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]r3.Vec{"lamp": r3.V(9, 9, 9), "other": r3.V(1, 0, 5), "own": r3.V(0, 1, 5),
		"man": r3.V(8, 8, 8), "woman": r3.V(1, 2, 0), "box": r3.V(0, 0, 5)}
	if len(w.Lights)+len(w.Models) != len(want) {
		t.Errorf("lights %+v, models %+v", w.Lights, w.Models)
	}
	for _, l := range w.Lights {
		near(t, l.Name, l.Pose, r3.Pose{Pos: want[l.Name], Rot: r3.Identity()})
	}
	for i := range w.Models {
		near(t, w.Models[i].Name, w.Models[i].Pose, r3.Pose{Pos: want[w.Models[i].Name], Rot: r3.Identity()})
	}
	if len(w.Notes) > 0 {
		t.Errorf("notes %v", w.Notes)
	}
}
