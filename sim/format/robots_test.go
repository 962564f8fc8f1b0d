package format

import (
	"reflect"
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
</world></sdf>`)
	w, err := library(fsys).World(scene.Resource{URI: "w.sdf"})
	if err != nil {
		t.Fatal(err)
	}
	if len(w.Models) != 3 || w.Models[0].Name != "left" || !w.Models[0].Static || w.Models[1].Name != "arm" ||
		w.Models[1].Static || w.Models[1].Model.Format != "urdf" {
		t.Fatalf("%+v", w.Models)
	}
	if w.Models[2].Name != "bot" || w.Models[2].Pose.Pos != r3.V(2, 2, 4) ||
		len(w.Models[2].Model.Links) != 4 || w.Models[2].Model.Document == "" {
		t.Errorf("%+v", w.Models[2])
	}
	if w.NamedPoses[0].Pose.Pos != r3.V(1, 2, 4) {
		t.Errorf("tip at %v", w.NamedPoses[0].Pose)
	}
}

// A model with a robot of URDF joined between two of its links equals one that holds the same robot written
// in SDF.
func TestAModelOfSDFIncludesARobotOfURDF(t *testing.T) {
	around := func(robot string) string {
		return `<sdf version="1.9"><model name="cell"><link name="table"/>` + robot + `<link name="tool"><pose relative_to="left::hand">0 0 0.1 0 0 0</pose></link>
<joint name="stand" type="fixed"><parent>table</parent><child>left::foot</child></joint>
<joint name="grip" type="revolute"><parent>left::hand</parent><child>tool</child><axis><xyz>0 1 0</xyz></axis></joint></model></sdf>`
	}
	fsys := workspace()
	fsys["share/arm/arm.urdf"] = text(`<robot name="arm"><link name="foot"><inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<link name="hand"><inertial><mass value="3"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<link name="finger"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="j" type="revolute"><parent link="foot"/><child link="hand"/><origin xyz="0 0 1"/><axis xyz="0 0 1"/><limit lower="-1" upper="2" effort="5" velocity="6"/></joint>
<joint name="k" type="revolute"><parent link="hand"/><child link="finger"/><axis xyz="1 0 0"/><limit lower="-1" upper="1" effort="5" velocity="6"/><mimic joint="j" multiplier="2"/></joint>
<gazebo reference="j"><sensor name="wrist" type="force_torque"><update_rate>50</update_rate></sensor></gazebo></robot>`)
	fsys["urdf.sdf"] = text(around(`<include><uri>package://arm/arm.urdf</uri><name>left</name><pose>1 2 3 0 0 0</pose></include>`))
	mass := func(kg string) string {
		return `<inertial><mass>` + kg +
			`</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial>`
	}
	fsys["sdf.sdf"] = text(around(`<model name="left"><pose>1 2 3 0 0 0</pose><link name="foot">` + mass("2") + `</link><link name="hand"><pose>0 0 1 0 0 0</pose>` + mass("3") + `</link>
<link name="finger"><pose>0 0 1 0 0 0</pose>` + mass("1") + `</link>
<joint name="j" type="revolute"><parent>foot</parent><child>hand</child><axis><xyz>0 0 1</xyz><limit><lower>-1</lower><upper>2</upper><effort>5</effort><velocity>6</velocity></limit></axis><sensor name="wrist" type="force_torque"><update_rate>50</update_rate></sensor></joint>
<joint name="k" type="revolute"><parent>hand</parent><child>finger</child><axis><xyz>1 0 0</xyz><limit><lower>-1</lower><upper>1</upper><effort>5</effort><velocity>6</velocity></limit><mimic joint="j"><multiplier>2</multiplier></mimic></axis></joint></model>`))
	lib := library(fsys)
	got, err := lib.Model(scene.Resource{URI: "urdf.sdf"})
	if err != nil {
		t.Fatal(err)
	}
	want, err := lib.Model(scene.Resource{URI: "sdf.sdf"})
	if err != nil {
		t.Fatal(err)
	}
	names := func(m *scene.ModelSpec) (out []string) {
		for _, l := range m.Links {
			out = append(out, l.Name)
		}
		return out
	}
	if !reflect.DeepEqual(names(got), names(want)) {
		t.Fatalf("links %v, want %v", names(got), names(want))
	}
	for i := range want.Links {
		g, w := &got.Links[i], &want.Links[i]
		if g.Pose.Pos.Sub(w.Pose.Pos).Len() > 1e-12 || g.Inertial.Mass != w.Inertial.Mass ||
			len(g.Sensors) != len(w.Sensors) {
			t.Errorf("%s: %+v, want %+v", w.Name, g, w)
		}
		for k := range w.Sensors {
			if g.Sensors[k].Force.Joint != w.Sensors[k].Force.Joint {
				t.Errorf("%s: in joint %d, want %d", w.Sensors[k].Name, g.Sensors[k].Force.Joint,
					w.Sensors[k].Force.Joint)
			}
		}
	}
	type tie struct {
		name          string
		parent, child int
		limit         scene.Limit
		mimic         scene.Mimic
	}
	ties := func(m *scene.ModelSpec) (out []tie) {
		for _, j := range m.Joints {
			out = append(out, tie{j.Name, j.Parent, j.Child, j.Limit, j.Mimic})
		}
		return out
	}
	if !reflect.DeepEqual(ties(got), ties(want)) {
		t.Errorf("joints %+v\nwant %+v", ties(got), ties(want))
	}
}
