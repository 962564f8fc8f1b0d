package sdf

import (
	"math"
	"strings"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

const savedWorld = `<sdf version="1.6"><world name="w">
<state world_name="w"><sim_time>5 0</sim_time>
 <insertions><model name="extra"><link name="l"/></model></insertions>
 <deletions><name>gone</name><name>nobody</name></deletions>
 <model name="box"><pose frame="">1 2 3 0 0 1.5707963267948966</pose><scale>1 1 1</scale>
  <link name="l"><pose frame="">1 2 4 0 0 1.5707963267948966</pose><velocity>0.5 0 0 0 0 2</velocity></link></model>
 <model name="arm"><pose>0 0 0 0 0 0</pose>
  <link name="foot"><pose>0 0 0 0 0 0</pose></link><link name="hand"><pose>1 0 1 0 0.25 0</pose></link><link name="slide"><pose>1.1 0 1 0 0 0</pose></link>
  <joint name="lift"><angle axis="0">0.125</angle></joint></model>
 <model name="heap"><pose>0 0 0 0 0 0</pose><link name="a"><pose>1 1 1 0 0 0</pose></link><link name="b"><pose>5 5 5 0 0 0</pose></link></model>
 <model name="extra"><pose>9 9 9 0 0 0</pose></model>
 <model name="ghost"><pose>9 9 9 0 0 0</pose></model>
 <light name="sun"><pose>0 0 7 0 0 0</pose></light>
</state>
<light name="sun" type="point"><pose>0 0 1 0 0 0</pose></light>
<model name="gone"><link name="l"/></model>
<model name="box"><link name="l"><pose>0 0 1 0 0 0</pose></link></model>
<model name="arm"><link name="foot"/><link name="hand"><pose>1 0 1 0 0 0</pose></link><link name="slide"><pose>1 0 1 0 0 0</pose></link>
 <joint name="turn" type="revolute"><parent>foot</parent><child>hand</child><axis><xyz>0 1 0</xyz></axis></joint>
 <joint name="lift" type="prismatic"><parent>hand</parent><child>slide</child><axis><xyz>1 0 0</xyz></axis></joint></model>
<model name="heap"><link name="a"/><link name="b"><pose>1 0 0 0 0 0</pose></link></model>
</world></sdf>`

func TestASavedWorldIsAsItsStateSays(t *testing.T) {
	w := worldOf(t, savedWorld)
	models := map[string]scene.Placed{}
	for _, p := range w.Models {
		models[p.Name] = p
	}
	if len(models) != 4 || models["extra"].Model == nil || models["gone"].Model != nil {
		t.Fatalf("models %v", models)
	}
	box := models["box"]
	near(t, "box", box.Pose, r3.PoseRPY(1, 2, 3, 0, 0, math.Pi/2))
	if box.Twist.Linear != r3.V(0.5, 0, 0) || box.Twist.Angular != r3.V(0, 0, 2) {
		t.Errorf("the box moves with %v", box.Twist)
	}
	arm := models["arm"].Model
	if q := arm.Joints[0].Initial; math.Abs(q-0.25) > 1e-9 || arm.Joints[1].Initial != 0.125 {
		t.Errorf("the arm stands at %g, %g, want 0.25 by its links and 0.125 by its own word", q,
			arm.Joints[1].Initial)
	}
	near(t, "hand of the description", arm.Links[1].Pose, r3.PoseRPY(1, 0, 1, 0, 0, 0))
	heap := models["heap"]
	near(t, "heap's a", heap.Pose.Mul(heap.Model.Links[0].Pose), r3.PoseRPY(1, 1, 1, 0, 0, 0))
	near(t, "heap's b", heap.Pose.Mul(heap.Model.Links[1].Pose), r3.PoseRPY(5, 5, 5, 0, 0, 0))
	near(t, "extra", models["extra"].Pose, r3.PoseRPY(9, 9, 9, 0, 0, 0))
	near(t, "sun", w.Lights[0].Pose, r3.PoseRPY(0, 0, 7, 0, 0, 0))
	for _, want := range []string{`deletes "nobody"`, `moves model "ghost"`} {
		found := false
		for _, n := range w.Notes {
			found = found || strings.Contains(n.Text, want)
		}
		if !found {
			t.Errorf("no note that it %s: %v", want, w.Notes)
		}
	}
}

func TestAStateOfTheNewestVersionIsReadToo(t *testing.T) {
	w := worldOf(t, `<sdf version="1.12"><world name="w">
<model name="arm"><link name="foot"/><link name="hand"><pose>0 0 1 0 0 0</pose></link>
 <joint name="turn" type="revolute"><parent>foot</parent><child>hand</child><axis><xyz>0 1 0</xyz></axis></joint></model>
<model name="ball"><link name="l"/></model>
<state world_name="w">
 <model_state name="arm"><joint_state name="turn"><axis_state><position degrees="true">90</position></axis_state></joint_state></model_state>
 <model_state name="ball"><pose>0 0 5 0 0 0</pose><link_state name="l"><linear_velocity>0 0 -1</linear_velocity><angular_velocity degrees="true">0 0 180</angular_velocity></link_state></model_state>
</state></world></sdf>`)
	if q := w.Models[0].Model.Joints[0].Initial; math.Abs(q-math.Pi/2) > 1e-12 {
		t.Errorf("the arm stands at %g", q)
	}
	if b := w.Models[1]; b.Pose.Pos != r3.V(0, 0, 5) || b.Twist.Linear != r3.V(0, 0, -1) ||
		math.Abs(b.Twist.Angular.Z-math.Pi) > 1e-12 {
		t.Errorf("the ball %v moves with %v", b.Pose, b.Twist)
	}
}

func worldOf(t *testing.T, text string) *scene.WorldSpec {
	t.Helper()
	w, err := World(open(t, text, nil))
	if err != nil {
		t.Fatal(err)
	}
	return w
}
