package sdf

import (
	"slices"
	"strings"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

func TestJointsOfAWorldMakeItsModelsOne(t *testing.T) {
	w := worldOf(t, `<sdf version="1.11"><world name="w">
<model name="truck"><pose>1 0 0 0 0 0</pose><link name="l"/><link name="m"/></model>
<model name="trailer"><pose>4 0 0 0 0 0</pose><link name="l"/></model>
<model name="post"><static>true</static><pose>0 5 0 0 0 0</pose><link name="l"/></model>
<model name="gate"><pose>0 6 0 0 0 0</pose><link name="l"/></model>
<model name="lamp"><pose>0 0 9 0 0 0</pose><link name="l"/></model>
<joint name="hitch" type="revolute"><pose relative_to="trailer">-1 0 0 0 0 0</pose><parent>truck::l</parent><child>trailer::l</child><axis><xyz>0 0 1</xyz></axis></joint>
<joint name="hinge" type="revolute"><parent>post::l</parent><child>gate::l</child><axis><xyz>0 0 1</xyz></axis></joint>
<joint name="cord" type="ball"><parent>world</parent><child>lamp::l</child></joint>
<joint name="wrong" type="fixed"><parent>lamp::l</parent><child>post::l</child></joint>
</world></sdf>`)
	names := []string{}
	for _, p := range w.Models {
		names = append(names, p.Name)
	}
	if !slices.Equal(names, []string{"truck", "post", "gate", "lamp"}) {
		t.Fatalf("models %v", names)
	}
	truck := w.Models[0].Model
	if len(truck.Links) != 3 || truck.Links[2].Name != "trailer::l" || len(truck.Joints) != 1 {
		t.Fatalf("%+v", truck)
	}
	near(t, "the trailer in the truck", truck.Links[2].Pose, r3.PoseRPY(3, 0, 0, 0, 0, 0))
	j := truck.Joints[0]
	near(t, "the hitch in the trailer", j.Pose, r3.PoseRPY(-1, 0, 0, 0, 0, 0))
	if j.Name != "hitch" || j.Kind != scene.Continuous || j.Parent != 0 || j.Child != 2 {
		t.Errorf("%+v", j)
	}
	if !truck.Links[0].SelfCollide || !slices.Equal(truck.Apart, [][2]int{{0, 1}}) {
		t.Errorf("what touches: apart %v", truck.Apart)
	}
	for i, name := range map[int]string{2: "hinge", 3: "cord"} {
		joints := w.Models[i].Model.Joints
		if len(joints) != 1 || joints[0].Name != name || joints[0].Parent != scene.World {
			t.Errorf("%s: %+v", w.Models[i].Name, joints)
		}
	}
	found := 0
	for _, n := range w.Notes {
		if strings.Contains(n.Text, "they are one entity") ||
			strings.Contains(n.Text, "as child; it is left out") {
			found++
		}
	}
	if found != 2 {
		t.Errorf("notes %v", w.Notes)
	}
}

func TestChainsOfTiedModelsAreOneInAnyOrder(t *testing.T) {
	w := worldOf(t, `<sdf version="1.11"><world name="w">
<model name="a"><link name="l"/></model><model name="b"><pose>1 0 0 0 0 0</pose><link name="l"/></model><model name="c"><pose>2 0 0 0 0 0</pose><link name="l"/></model>
<joint name="bc" type="fixed"><parent>c::l</parent><child>b::l</child></joint>
<joint name="ab" type="fixed"><parent>a::l</parent><child>c::l</child></joint>
<joint name="again" type="fixed"><parent>a::l</parent><child>b::l</child></joint>
</world></sdf>`)
	if len(w.Models) != 1 || len(w.Models[0].Model.Links) != 3 || len(w.Models[0].Model.Joints) != 3 {
		t.Fatalf("%+v", w.Models)
	}
	for _, l := range w.Models[0].Model.Links {
		near(t, l.Name, l.Pose, map[string]r3.Pose{"l": r3.IdentityPose(),
			"b::l": r3.PoseRPY(1, 0, 0, 0, 0, 0), "b::c::l": r3.PoseRPY(2, 0, 0, 0, 0, 0)}[l.Name])
	}
}
