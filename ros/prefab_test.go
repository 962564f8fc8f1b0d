package ros

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"simdeck/ros/msgs/simif1"
	"simdeck/ros/msgs/simif2"
	"simdeck/ros/rostest"
)

const (
	fooRobot = `{"ContainerEntity": {"Name": "FooRobot", "Components": {"G": {"$type": "EditorTagComponent", "Tags": ["movable"]}}},
"Entities": {"E": {"Name": "base", "Components": {"T": {"$type": "TransformComponent", "Parent Entity": "ContainerEntity"},
"R": {"$type": "EditorRigidBodyComponent"}, "C": {"$type": "EditorColliderComponent", "ShapeConfiguration": {"ShapeType": 0}}}}}}`
	fooInfo   = `{"description": "a robot", "category": "robot", "tags": ["foo"], "bounds": {"sphere": {"radius": 1.5}}}`
	yardLevel = `{"ContainerEntity": {"Name": "Yard", "Components": {"T": {"$type": "TransformComponent"}}}, "Entities": {
"D": {"Name": "dock", "Components": {"T": {"$type": "TransformComponent", "Parent Entity": "ContainerEntity", "Transform Data": {"Translate": [4, 2, 0.5], "Rotate": [0, 0, 90]}},
"P": {"$type": "NamedPoseEditorComponent", "NamedPoseConfig": {"description": "near the charging station"}},
"B": {"$type": "EditorBoxShapeComponent", "BoxShape": {"Configuration": {"Dimensions": [1, 2, 3]}}}, "G": {"$type": "EditorTagComponent", "Tags": ["spawn"]}}},
"E": {"Name": "gate", "Components": {"T": {"$type": "TransformComponent", "Parent Entity": "ContainerEntity"}, "P": {"$type": "NamedPoseComponent"}}}}}`
)

// o3deProject is a folder that clients may search, laid out as a project of O3DE.
func o3deProject(t *testing.T) string {
	base := t.TempDir()
	for name, text := range map[string]string{"Robots/FooRobot.prefab": fooRobot,
		"Robots/FooRobot.SimulationInfo": fooInfo, "Levels/Yard/Yard.prefab": yardLevel} {
		file := filepath.Join(base, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700),
			os.WriteFile(file, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	return base
}

func TestAPrefabOfTheUserIsListedAndSpawnedInEverySpelling(t *testing.T) {
	base := o3deProject(t)
	inVault(t, base, func(s *rostest.Stage, _ func() string) {
		const uri = "spawnable://@cache@/robots/foorobot.spawnable"
		list := rostest.Ask(s, "/get_spawnables", simif2.GetSpawnablesService(),
			&simif2.GetSpawnablesRequest{})
		i := slices.IndexFunc(list.Spawnables,
			func(p simif2.Spawnable) bool { return p.EntityResource.URI == uri })
		if i < 0 {
			t.Fatalf("%s is not among %+v", uri, list.Spawnables)
		}
		if one := list.Spawnables[i]; one.Description != "a robot" ||
			one.SpawnBounds.Type != simif2.BoundsTypeSphere ||
			one.SpawnBounds.Points[1].X != 1.5 {
			t.Errorf("%+v", one)
		}
		older := rostest.Ask(s, "/get_spawnables", simif1.GetSpawnablesService(),
			&simif1.GetSpawnablesRequest{})
		if !slices.ContainsFunc(older.Spawnables, func(p simif1.Spawnable) bool { return p.URI == uri }) {
			t.Errorf("%s is not among %+v", uri, older.Spawnables)
		}
		for i, uri := range []string{uri, "Robots/FooRobot.spawnable",
			"spawnable://@cache@/Robots/FooRobot.spawnable",
			"product_asset:///robots/foorobot.spawnable", "file://" + base + "/Robots/FooRobot.prefab"} {
			name := "foo_" + string(rune('a'+i))
			got := rostest.Ask(s, "/spawn_entity", simif2.SpawnEntityService(),
				&simif2.SpawnEntityRequest{Name: name,
					EntityResource: simif2.Resource{URI: uri}})
			if got.Result.Result != simif2.ResultOK || got.EntityName != name {
				t.Errorf("%s: %+v", uri, got)
			}
			info := rostest.Ask(s, "/get_entity_info", simif2.GetEntityInfoService(),
				&simif2.GetEntityInfoRequest{Entity: name}).Info
			if info.Category.Category != simif2.EntityCategoryRobot || info.Description != "a robot" ||
				!slices.Equal(info.Tags, []string{"movable", "foo"}) {
				t.Errorf("%s: %+v", uri, info)
			}
		}
		// a path of the machine is no spawnable
		got := rostest.Ask(s, "/spawn_entity", simif2.SpawnEntityService(),
			&simif2.SpawnEntityRequest{Name: "path",
				EntityResource: simif2.Resource{URI: "spawnable:/" + base + "/Robots/FooRobot.spawnables"}})
		if got.Result.Result == simif2.ResultOK {
			t.Errorf("%+v", got)
		}
	})
}

func TestTheNamedPosesOfALevelOfO3DEAreAnswered(t *testing.T) {
	inVault(t, o3deProject(t), func(s *rostest.Stage, _ func() string) {
		worlds := rostest.Ask(s, "/get_available_worlds", simif2.GetAvailableWorldsService(),
			&simif2.GetAvailableWorldsRequest{})
		if !slices.ContainsFunc(worlds.Worlds, func(w simif2.WorldResource) bool {
			return strings.HasSuffix(w.WorldResource.URI, "/Levels/Yard/Yard.prefab")
		}) {
			t.Errorf("%+v", worlds)
		}
		loaded := rostest.Ask(s, "/load_world", simif2.LoadWorldService(),
			&simif2.LoadWorldRequest{WorldResource: simif2.Resource{URI: "product_asset:///levels/yard/yard.spawnable"}})
		if loaded.Result.Result != simif2.ResultOK {
			t.Fatalf("%+v", loaded)
		}
		poses := rostest.Ask(s, "/get_named_poses", simif2.GetNamedPosesService(),
			&simif2.GetNamedPosesRequest{
				Tags: simif2.TagsFilter{Tags: []string{"spawn"}}}).Poses
		if len(poses) != 1 || poses[0].Name != "dock" ||
			poses[0].Description != "near the charging station" ||
			poses[0].Pose.Position.X != 4 || poses[0].Pose.Position.Z != 0.5 {
			t.Errorf("%+v", poses)
		}
		all := rostest.Ask(s, "/get_named_poses", simif2.GetNamedPosesService(),
			&simif2.GetNamedPosesRequest{}).Poses
		if len(all) != 2 {
			t.Errorf("%+v", all)
		}
		bounds := rostest.Ask(s, "/get_named_pose_bounds", simif2.GetNamedPoseBoundsService(),
			&simif2.GetNamedPoseBoundsRequest{Name: "dock"})
		if b := bounds.Bounds; bounds.Result.Result != simif2.ResultOK || b.Type != simif2.BoundsTypeBox ||
			len(b.Points) != 2 || b.Points[0].Y != 1 || b.Points[1].Z != -1.5 {
			t.Errorf("%+v", bounds)
		}
	})
}
