package robot

import (
	"math"
	"slices"
	"testing"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// burger is a small differential robot as a reader makes it.
func burger() *scene.ModelSpec {
	at := func(x, y, z float64) r3.Pose { return r3.PoseRPY(x, y, z, 0, 0, 0) }
	return &scene.ModelSpec{
		Name: "burger", Canonical: 0,
		Links: []scene.Link{
			{Name: "base_footprint", Pose: at(0, 0, 0)},
			{Name: "base_link", Pose: at(0, 0, 0.01)},
			{Name: "wheel_left", Pose: at(0, 0.08, 0.033)},
			{Name: "wheel_right", Pose: at(0, -0.08, 0.033)},
			{Name: "base_scan", Pose: at(-0.03, 0, 0.18),
				Sensors: []scene.Sensor{lidarSensor("lds", 360, 1)}},
		},
		Joints: []scene.Joint{
			{Name: "base", Kind: scene.Fixed, Parent: 0, Child: 1},
			{Name: "left", Kind: scene.Continuous, Parent: 1, Child: 2},
			{Name: "right", Kind: scene.Continuous, Parent: 1, Child: 3},
			{Name: "scan", Kind: scene.Fixed, Parent: 1, Child: 4},
		},
		Drives: []scene.Drive{{Kind: scene.Differential, Left: []int{1}, Right: []int{2}}},
	}
}

func lidarSensor(name string, columns, rows int) scene.Sensor {
	return scene.Sensor{Name: name, Kind: scene.Lidar, Rate: 5, Pose: r3.IdentityPose(),
		Lidar: scene.LidarSpec{
			Columns: columns, Rows: rows, MinAngle: -math.Pi, MaxAngle: math.Pi, MinElevation: -0.2,
			MaxElevation: 0.2,
			MinRange:     0.1, MaxRange: 10}}
}

func edges(list []edge) []string {
	var names []string
	for _, e := range list {
		names = append(names, e.parent+" → "+e.child)
	}
	slices.Sort(names)
	return names
}

func sensorsOf(m *scene.ModelSpec) []sim.SensorModel {
	var list []sim.SensorModel
	for l := range m.Links {
		for s := range m.Links[l].Sensors {
			list = append(list, sim.SensorModel{Link: l, Spec: &m.Links[l].Sensors[s]})
		}
	}
	return list
}

func TestTheTreeGrowsFromTheBase(t *testing.T) {
	for _, c := range []struct {
		name          string
		change        func(*scene.ModelSpec)
		base          string
		fixed, moving []string
	}{
		{"as the file has it", func(*scene.ModelSpec) {}, "base_footprint",
			[]string{"base_footprint → base_link", "base_link → base_scan"},
			[]string{"base_link → wheel_left", "base_link → wheel_right"}},
		{"odometry about another link turns the tree round",
			func(m *scene.ModelSpec) { m.Drives[0].Odometry.BaseFrame = "base_link" }, "base_link",
			[]string{"base_link → base_footprint", "base_link → base_scan"},
			[]string{"base_link → wheel_left", "base_link → wheel_right"}},
		{"odometry about a name of its own",
			func(m *scene.ModelSpec) { m.Drives[0].Odometry.BaseFrame = "chassis" }, "chassis",
			[]string{"base_footprint → base_link", "base_link → base_scan", "chassis → base_footprint"},
			[]string{"base_link → wheel_left", "base_link → wheel_right"}},
		{"a link that no joint holds",
			func(m *scene.ModelSpec) { m.Joints = m.Joints[:3] }, "base_footprint",
			[]string{"base_footprint → base_link"},
			[]string{"base_footprint → base_scan", "base_link → wheel_left", "base_link → wheel_right"}},
		{"a frame and a sensor off its link",
			func(m *scene.ModelSpec) {
				m.Frames = []scene.Frame{{Name: "tool", Link: 1, Pose: r3.PoseRPY(1, 0, 0, 0, 0, 0)}}
				m.Links[4].Sensors[0].Pose = r3.PoseRPY(0, 0, 1, 0, 0, 0)
			}, "base_footprint",
			[]string{"base_footprint → base_link", "base_link → base_scan", "base_link → tool",
				"base_scan → base_scan/lds"},
			[]string{"base_link → wheel_left", "base_link → wheel_right"}},
		{"a loop of joints", func(m *scene.ModelSpec) {
			m.Drives = nil
			m.Joints = append(m.Joints, scene.Joint{Name: "loop", Kind: scene.Revolute, Parent: 4, Child: 0})
		}, "base_footprint",
			[]string{"base_footprint → base_link"},
			[]string{"base_footprint → base_scan", "base_link → wheel_left", "base_link → wheel_right"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := burger()
			c.change(m)
			tree := newTree(m, sensorsOf(m))
			if c.name != "a loop of joints" && tree.base.name != c.base {
				t.Errorf("the base is %q, want %q", tree.base.name, c.base)
			}
			children := map[string]int{}
			for _, e := range append(slices.Clone(tree.fixed), tree.moving...) {
				children[e.child]++
			}
			for name, n := range children {
				if n != 1 || name == tree.base.name {
					t.Errorf("%s has %d parents: tf wants a tree below %s", name, n, tree.base.name)
				}
			}
			if c.name == "a loop of joints" {
				if len(children) != len(m.Links)-1 {
					t.Errorf("%d of %d links hang in the tree", len(children)+1, len(m.Links))
				}
				return
			}
			if got := edges(tree.fixed); !slices.Equal(got, c.fixed) {
				t.Errorf("fixed: %q, want %q", got, c.fixed)
			}
			if got := edges(tree.moving); !slices.Equal(got, c.moving) {
				t.Errorf("moving: %q, want %q", got, c.moving)
			}
		})
	}
}

func TestFixedEdgesAreThePosesOfTheFile(t *testing.T) {
	m := burger()
	for _, e := range newTree(m, nil).fixed {
		want := m.Links[e.parentLink].Pose.Mul(e.pose)
		if d := want.Pos.Sub(m.Links[e.childLink].Pose.Pos).Len(); d > 1e-12 {
			t.Errorf("%s → %s puts the child %g m off", e.parent, e.child, d)
		}
	}
}

func TestTopicsOfTwoRobotsNeverMeet(t *testing.T) {
	c := topicRegistry{}
	for _, step := range []struct {
		id         uint64
		ns, topic  string
		want, free string
	}{
		{1, "a", "scan", "a/scan", ""},
		{1, "a", "scan", "a/scan_1", ""},
		{2, "b", "scan", "b/scan", ""},
		{1, "a", "/cmd_vel", "/cmd_vel", ""},
		{2, "b", "/cmd_vel", "b/cmd_vel", ""},
		{2, "/b", "odd name!", "/b/odd_name_", ""},
		{2, "b", "", "b/topic", ""},
		{3, "a", "scan", "a/scan_2", ""},
	} {
		if got := c.take(step.id, step.ns, step.topic); got != step.want {
			t.Errorf("entity %d in %q takes %q: %q, want %q", step.id, step.ns, step.topic, got, step.want)
		}
	}
	c.free(1)
	if got := c.take(3, "c", "/cmd_vel"); got != "/cmd_vel" {
		t.Errorf("after its owner left /cmd_vel is %q for another", got)
	}
}

func TestPrefixesAreLegalInROS(t *testing.T) {
	for _, c := range []struct{ ns, name, want string }{
		{"burger", "x", "burger"}, {"north/wing", "x", "north/wing"}, {"/abs", "x", "/abs"},
		{"my-robot.2", "x", "my_robot_2"},
		{"", "3po", "_3po"}, {"", "", "entity"},
	} {
		if got := prefix(&sim.EntityModel{Namespace: c.ns, Name: c.name}); got != c.want {
			t.Errorf("namespace %q of %q gives %q, want %q", c.ns, c.name, got, c.want)
		}
	}
	if got := framed("/abs", "odom"); got != "abs/odom" {
		t.Errorf("a frame of an absolute namespace is %q: tf frames begin without a slash", got)
	}
}
