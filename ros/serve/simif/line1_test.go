package simif

import (
	"strings"
	"testing"

	"simdeck/ros/msgs"
	"simdeck/ros/msgs/simif1"
	"simdeck/ros/msgs/simif2"
	"simdeck/ros/rosidl"
	"simdeck/ros/rostest"
	"simdeck/sim"
)

func TestClientsOfBothLinesAreServedAtOnce(t *testing.T) {
	inTheYard(t, func(y *yard) {
		list := rostest.Ask(y.Stage, "/get_spawnables", simif1.GetSpawnablesService(),
			&simif1.GetSpawnablesRequest{})
		newer := rostest.Ask(y.Stage, "/get_spawnables", simif2.GetSpawnablesService(),
			&simif2.GetSpawnablesRequest{})
		if len(list.Spawnables) != 1 || len(newer.Spawnables) != 1 ||
			list.Spawnables[0].URI != newer.Spawnables[0].EntityResource.URI ||
			list.Spawnables[0].Description != "A crate" || len(list.Spawnables[0].SpawnBounds.Points) != 2 {
			t.Fatalf("1.x sees %+v, 2.x %+v", list.Spawnables, newer.Spawnables)
		}
		q := simif1.NewSpawnEntityRequest()
		q.Name, q.URI, q.EntityNamespace = "old", list.Spawnables[0].URI, "ns"
		q.InitialPose.Pose.Position.X, q.InitialPose.Pose.Position.Z = 9, 0.3
		if r := rostest.Ask(y.Stage, "/spawn_entity", simif1.SpawnEntityService(),
			q); r.Result.Result != ok || r.EntityName != "old" {
			t.Errorf("spawned by 1.x: %+v", r)
		}
		if r := rostest.Ask(y.Stage, "/spawn_entity", simif1.SpawnEntityService(),
			q); r.Result.Result != 101 {
			t.Errorf("spawned again: %+v", r)
		}
		set := simif1.NewSetEntityStateRequest()
		set.Entity = "old"
		set.State.Pose.Position.X, set.State.Pose.Position.Z, set.State.Twist.Linear.Y = 12, 0.3, 1
		if r := rostest.Ask(y.Stage, "/set_entity_state", simif1.SetEntityStateService(),
			set); r.Result.Result != ok {
			t.Errorf("set by 1.x: %+v", r)
		}
		if s := y.state("old").State; s.Pose.Position.X != 12 || s.Twist.Linear.Y != 1 {
			t.Errorf("after setting by 1.x: %+v %+v", s.Pose.Position, s.Twist.Linear)
		}
		set.Entity = "post" // cannot move, and is not told to
		set.State.Twist.Linear.Y = 0
		if r := rostest.Ask(y.Stage, "/set_entity_state", simif1.SetEntityStateService(),
			set); r.Result.Result != ok {
			t.Errorf("a static entity set by 1.x: %+v", r)
		}
		load := &simif1.LoadWorldRequest{URI: "world://@cache@/yard"}
		if r := rostest.Ask(y.Stage, "/load_world", simif1.LoadWorldService(), load); r.Result.Result != ok ||
			r.World.Name != "yard" || y.now() != sim.Stopped {
			t.Errorf("loaded by 1.x: %+v", r)
		}
	})
}

// library holds the definitions of one line with all that they use.
func library(t *testing.T, line string) *rosidl.Library {
	t.Helper()
	lib := rosidl.NewLibrary()
	for dir, pkg := range map[string]string{line: "simulation_interfaces", "std_msgs": "std_msgs",
		"geometry_msgs":      "geometry_msgs",
		"builtin_interfaces": "builtin_interfaces", "service_msgs": "service_msgs",
		"action_msgs": "action_msgs", "unique_identifier_msgs": "unique_identifier_msgs"} {
		if err := lib.AddPackage(msgs.Definitions(), dir, pkg); err != nil {
			t.Fatal(err)
		}
	}
	return lib
}

func TestEveryServiceThatDiffersBetweenTheLinesHasACodecForEach(t *testing.T) {
	one, two := library(t, "simulation_interfaces@1.x"), library(t, "simulation_interfaces@2.x")
	several := 0
	for _, r := range (&Services{}).table() {
		lines := 1
		for _, part := range []string{"_Request", "_Response"} {
			name := "simulation_interfaces/srv/"
			for word := range strings.SplitSeq(r.name, "_") {
				name += strings.ToUpper(word[:1]) + word[1:]
			}
			a, err1 := one.Hash(name + part)
			b, err2 := two.Hash(name + part)
			if err1 != nil || err2 != nil {
				t.Fatal(err1, err2)
			}
			if a != b {
				lines = 2
			}
		}
		if r.v1 != (lines == 2) {
			t.Errorf("%s has a codec of its own for 1.x: %v; its definitions are %d", r.name, r.v1, lines)
		}
		several += lines - 1
	}
	if several != 4 {
		t.Errorf("%d services differ: the comparison is broken", several)
	}
}
