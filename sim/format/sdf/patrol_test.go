package sdf

import (
	"strings"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// wheeled is a robot with a differential drive.
const wheeled = `<link name="base"><inertial><mass>5</mass></inertial></link>
	<link name="left"><pose>0 0.2 0 0 0 0</pose><inertial><mass>1</mass></inertial></link>
	<link name="right"><pose>0 -0.2 0 0 0 0</pose><inertial><mass>1</mass></inertial></link>
	<joint name="lj" type="revolute"><parent>base</parent><child>left</child><axis><xyz>0 1 0</xyz></axis></joint>
	<joint name="rj" type="revolute"><parent>base</parent><child>right</child><axis><xyz>0 1 0</xyz></axis></joint>
	<plugin filename="gz-sim-diff-drive-system" name="gz::sim::systems::DiffDrive"><left_joint>lj</left_joint>
	<right_joint>rj</right_joint><wheel_separation>0.4</wheel_separation><wheel_radius>0.1</wheel_radius></plugin>`

// patrolWorld is a world that includes the robot twice, the first time with more.
func patrolWorld(t *testing.T, model, more string) *scene.WorldSpec {
	t.Helper()
	files := put(t, "model://robot", inModel(model))
	w, err := World(open(t, `<sdf version="1.9"><world name="w"><include><uri>model://robot</uri><name>one</name>`+more+
		`</include><include><uri>model://robot</uri><name>two</name></include></world></sdf>`, files))
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func TestAnIncludeGivesItsRobotAPatrol(t *testing.T) {
	w := patrolWorld(t, wheeled, `<simdeck:patrol><speed>0.6</speed><point>1 2</point><point> 3  -4.5 </point></simdeck:patrol>`)
	one, two := w.Models[0].Model.Drives[0].Patrol, w.Models[1].Model.Drives[0].Patrol
	if one == nil || one.Speed != 0.6 || len(one.Points) != 2 || one.Points[1] != r3.V(3, -4.5, 0) || two != nil {
		t.Errorf("patrols %+v, %+v, notes %v", one, two, w.Notes)
	}
	w = patrolWorld(t, wheeled+`<simdeck:patrol><point>0 0</point><point>1 0</point></simdeck:patrol>`, "")
	if p := w.Models[1].Model.Drives[0].Patrol; p == nil || p.Speed != patrolSpeed {
		t.Errorf("the model's own patrol is %+v", p)
	}
}

func TestAPatrolThatCannotBeIsNotedAndTheRobotStandsStill(t *testing.T) {
	for _, c := range []struct{ name, model, inside, note string }{
		{"one point", wheeled, `<point>1 2</point>`, "1 <point>s; want 2 to 100"},
		{"too many", wheeled, strings.Repeat(`<point>1 2</point>`, 101), "101 <point>s"},
		{"no number", wheeled, `<point>1 2</point><point>1 x</point>`, `"x" in <point> is not a number`},
		{"three numbers", wheeled, `<point>1 2</point><point>1 2 3</point>`, "has 3 numbers, needs 2"},
		{"not finite", wheeled, `<point>1 nan</point><point>1 2</point>`, "not a finite number"},
		{"far away", wheeled, `<point>1 1e9</point><point>1 2</point>`, "want at most"},
		{"backwards", wheeled, `<speed>-1</speed><point>1 1</point><point>1 2</point>`, "a speed of -1 m/s"},
		{"no drive", body, `<point>1 1</point><point>1 2</point>`, `model "one" has no drive`},
		{"static", wheeled + `<static>1</static>`, `<point>1 1</point><point>1 2</point>`, `model "one" has no drive`},
		{"nested", `<model name="m">` + wheeled + `<simdeck:patrol><point>1 1</point><point>1 2</point></simdeck:patrol></model>`, ``,
			"is part of another"},
	} {
		more := `<simdeck:patrol>` + c.inside + `</simdeck:patrol>`
		if c.inside == "" {
			more = ""
		}
		w := patrolWorld(t, c.model, more)
		found := false
		for _, n := range append(w.Notes, w.Models[0].Model.Notes...) {
			found = found || strings.Contains(n.Text, c.note) && n.Line > 0 && n.Column > 0
		}
		if !found {
			t.Errorf("%s: no note with %q among %v %v", c.name, c.note, w.Notes, w.Models[0].Model.Notes)
		}
		for _, d := range w.Models[0].Model.Drives {
			if d.Patrol != nil {
				t.Errorf("%s: it patrols %+v", c.name, d.Patrol)
			}
		}
	}
}
