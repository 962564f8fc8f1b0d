package engine

import (
	"strings"
	"testing"
	"testing/fstest"

	"simdeck/sim"
	"simdeck/sim/asset"
	"simdeck/sim/format"
)

// absentModels is a world with two models of a server without copies, and a ball between them.
const absentModels = `<sdf version="1.9"><world name="w">
<include><uri>https://fuel.gazebosim.org/1.0/OpenRobotics/models/Hall</uri></include>
<include><uri>https://fuel.gazebosim.org/1.0/OpenRobotics/models/Table</uri><pose>3 0 0 0 0 0</pose></include>
<model name="ball"><pose>3 0 2 0 0 0</pose><link name="l"><collision name="c"><geometry><sphere><radius>0.1</radius></sphere></geometry></collision></link></model>
<model name="inside"><pose>0 0 0.5 0 0 0</pose><link name="l"><gravity>0</gravity><collision name="c"><geometry><sphere><radius>0.1</radius></sphere></geometry></collision></link></model>
</world></sdf>`

func TestBoxesStandWhereModelsAreMissingAndTheLogEndsWithThat(t *testing.T) {
	lib := format.NewLibrary(format.Config{Roots: []asset.Root{{Name: "any",
		FS: fstest.MapFS{"w.sdf": &fstest.MapFile{Data: []byte(absentModels)}}}}})
	w, err := NewWorld(Options{})
	if err != nil {
		t.Fatal(err)
	}
	c := sim.LoadWorld{Resource: sim.Resource{URI: "world://any/w"}, IgnoreMissingAssets: true}
	if _, err := w.Apply(c, Load(lib, c)); err != nil {
		t.Fatal(err)
	}
	last := ""
	for _, e := range w.Snapshot().Events {
		if e.Level == sim.Warn {
			last = e.Text
		}
	}
	if want := "2 of 4 models are missing and boxes stand in for them"; !strings.Contains(last, want) {
		t.Errorf("the last warning is %q, want that %s", last, want)
	}
	if _, err := w.Apply(sim.SetState{State: sim.Playing}, Loaded{}); err != nil {
		t.Fatal(err)
	}
	for range 500 {
		if err := w.Step(); err != nil {
			t.Fatal(err)
		}
	}
	at := map[string]float64{}
	s := w.Snapshot()
	for i, e := range s.Model.Entities {
		at[e.Name] = s.Entities[i].Pose.Pos.Z
	}
	if at["ball"] < 0.8 || at["ball"] > 0.9 {
		t.Errorf("the ball lies at %v m, want it on the table of 0.75 m", at["ball"])
	}
	if at["inside"] != 0.5 {
		t.Errorf("the ball in the hall, whose size nobody knows, is pushed to %v m", at["inside"])
	}
}
