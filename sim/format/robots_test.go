package format

import (
	"strings"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

func TestAWorldOfSDFIncludesRobotsOfURDFAndXacro(t *testing.T) {
	fsys := workspace()
	fsys["share/arm/arm.urdf"] = text(`<robot name="arm"><link name="foot"/><link name="hand"/><joint name="j" type="fixed"><parent link="foot"/><child link="hand"/><origin xyz="0 0 1"/></joint></robot>`)
	fsys["w.sdf"] = text(`<sdf version="1.9"><world name="w">
<include><uri>package://arm/arm.urdf</uri><name>left</name><pose>1 2 3 0 0 0</pose><static>true</static></include>
<include><uri>package://arm/arm.urdf</uri></include>
<include><uri>package://bot/urdf/bot.urdf.xacro</uri><pose relative_to="tip">1 0 0 0 0 0</pose></include>
<frame name="tip" attached_to="left::hand"/>
<model name="nested"><link name="l"/><include><uri>package://arm/arm.urdf</uri></include></model>
</world></sdf>`)
	w, err := library(fsys).World(scene.Resource{URI: "w.sdf"})
	if err != nil {
		t.Fatal(err)
	}
	if len(w.Models) != 4 || w.Models[0].Name != "left" || !w.Models[0].Static || w.Models[1].Name != "arm" || w.Models[1].Static || w.Models[1].Model.Format != "urdf" {
		t.Fatalf("%+v", w.Models)
	}
	if w.Models[2].Name != "bot" || w.Models[2].Pose.Pos != r3.V(2, 2, 4) || len(w.Models[2].Model.Links) != 4 || w.Models[2].Model.Document == "" {
		t.Errorf("%+v", w.Models[2])
	}
	if w.NamedPoses[0].Pose.Pos != r3.V(1, 2, 4) {
		t.Errorf("tip at %v", w.NamedPoses[0].Pose)
	}
	found := false
	for _, n := range w.Notes {
		found = found || n.Kind == scene.Unsupported && strings.Contains(n.Text, "a URDF inside a model")
	}
	if !found {
		t.Errorf("notes %v", w.Notes)
	}
}
