package format

import (
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"simdeck/sim/asset"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

const (
	dockPrefab = `{"ContainerEntity": {"Name": "Dock", "Components": {"T": {"$type": "TransformComponent"}}},
"Entities": {"E": {"Name": "dock", "Components": {"T": {"$type": "TransformComponent", "Parent Entity": "ContainerEntity", "Transform Data": {"Translate": [1, 0, 0]}},
"P": {"$type": "NamedPoseEditorComponent", "NamedPoseConfig": {"description": "where robots charge"}},
"B": {"$type": "EditorBoxShapeComponent", "BoxShape": {"Configuration": {"Dimensions": [1, 1, 2]}}},
"G": {"$type": "EditorTagComponent", "Tags": ["charge"]}}}}}`
	floorEntity = `"F": {"Name": "floor", "Components": {"T": {"$type": "TransformComponent", "Parent Entity": "ContainerEntity"},
"C": {"$type": "EditorColliderComponent", "ColliderConfiguration": {"Position": [0, 0, -3]}, "ShapeConfiguration": {"Box": {"Configuration": [20, 20, 1]}}},
"S": {"$type": "EditorStaticRigidBodyComponent"}}}`
	levelPrefab = `{"ContainerEntity": {"Name": "Hall", "Components": {"T": {"$type": "TransformComponent"}}}, "Entities": {%}, "Instances": {
"I": {"Source": "Prefabs/Dock.prefab"},
"J": {"Source": "Prefabs/Dock.prefab", "Patches": [{"op": "replace", "path": "/ContainerEntity/Components/T/Transform Data/Translate/1", "value": 5}]}}}`
	crateTagged = `{"ContainerEntity": {"Name": "Crate", "Components": {"G": {"$type": "EditorTagComponent", "Tags": ["movable", "crate"]}}},
"Entities": {"E": {"Name": "crate", "Components": {"T": {"$type": "TransformComponent", "Parent Entity": "ContainerEntity"},
"R": {"$type": "EditorRigidBodyComponent"}, "C": {"$type": "EditorColliderComponent", "ShapeConfiguration": {"ShapeType": 0}}}}}}`
)

// project is laid out as one of O3DE.
func project() fstest.MapFS {
	return fstest.MapFS{
		"Levels/Hall/Hall.prefab":                text(strings.Replace(levelPrefab, "%", floorEntity, 1)),
		"Levels/Hall/Hall.simulationinfo":        text(`{"description": "a hall", "tags": ["indoors"]}`),
		"Levels/Places/Places.prefab":            text(strings.Replace(levelPrefab, "%", "", 1)),
		"Assets/Prefabs/Dock.prefab":             text(dockPrefab),
		"Assets/Robots/FooRobot.prefab":          text(crateTagged),
		"Assets/Robots/FooRobot.SimulationInfo":  text(`{"description": "a robot", "category": "robot", "tags": ["foo", "crate"]}`),
		"Assets/Robots/unsaid.prefab":            text(crateTagged),
		"Assets/Robots/NoRobot.prefab/notes.txt": text("a folder that looks like one"),
	}
}

func TestALevelOfO3DEHasTheNamedPosesOfItsPrefabs(t *testing.T) {
	w, err := library(project()).World(scene.Resource{URI: "Levels/Hall/Hall.prefab"})
	if err != nil {
		t.Fatal(err)
	}
	if w.Name != "Hall" || w.Description != "a hall" || !slices.Equal(w.Tags, []string{"indoors"}) {
		t.Errorf("%q %q %q", w.Name, w.Description, w.Tags)
	}
	if len(w.NamedPoses) != 2 {
		t.Fatalf("poses %+v", w.NamedPoses)
	}
	for i, want := range []scene.NamedPose{{Name: "dock", Pose: r3.Pose{Pos: r3.V(1, 0, 0)}},
		{Name: "dock_1", Pose: r3.Pose{Pos: r3.V(1, 5, 0)}}} {
		got := w.NamedPoses[i]
		if got.Name != want.Name || got.Pose.Pos.Dist(want.Pose.Pos) > 1e-9 ||
			got.Description != "where robots charge" || !slices.Equal(got.Tags, []string{"charge"}) ||
			got.Bounds.Box() != r3.BoxAround(r3.Vec{}, r3.V(0.5, 0.5, 1)) {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
	if !slices.ContainsFunc(w.Notes, func(n scene.Note) bool {
		return strings.Contains(n.Text, `two named poses are called "dock"`)
	}) {
		t.Errorf("notes %v", w.Notes)
	}
	// its own floor lies three metres below, and nothing else holds what falls
	if len(w.Models) != 1 || w.Models[0].Name != "Hall" || !w.Models[0].Model.Static {
		t.Errorf("models %+v", w.Models)
	}
}

func TestALevelOfNamedPosesAloneIsAWorldWithAGround(t *testing.T) {
	w, err := library(project()).World(scene.Resource{URI: "Levels/Places/Places.prefab"})
	if err != nil || len(w.NamedPoses) != 2 || len(w.Models) != 1 || w.Models[0].Name != groundName {
		t.Errorf("%+v, %v", w, err)
	}
	if _, err := library(project()).Model(scene.Resource{URI: "Levels/Places/Places.prefab"}); err == nil ||
		!strings.Contains(err.Error(), "nothing to simulate") {
		t.Errorf("as a model: %v", err)
	}
}

func TestLevelsAreListedAsWorlds(t *testing.T) {
	list, complaints := library(project()).Worlds(nil)
	var names []string
	for _, w := range list {
		names = append(names, w.Name)
	}
	if !slices.Equal(names, []string{"Dock", "Hall", "Places"}) || len(complaints) > 0 {
		t.Errorf("%q, %v", names, complaints)
	}
}

func TestTheTagsOfAPrefabComeBeforeThoseOfItsSidecar(t *testing.T) {
	lib := library(project())
	for file, want := range map[string][]string{
		"FooRobot": {"movable", "crate", "foo"}, "unsaid": {"movable", "crate"},
	} {
		spec, err := lib.Model(scene.Resource{URI: "Assets/Robots/" + file + ".prefab"})
		if err != nil || !slices.Equal(spec.Info.Tags, want) {
			t.Errorf("%s: %+v, %v", file, spec, err)
		}
		list, _ := lib.Spawnables(nil)
		if i := slices.IndexFunc(list, func(s scene.Spawnable) bool { return s.Name == file }); i < 0 ||
			!slices.Equal(list[i].Info.Tags, want) {
			t.Errorf("%s is listed in %+v", file, list)
		}
	}
}

func TestAPrefabOfTheUserIsListedByItsProductPathAndSpawnsByEach(t *testing.T) {
	files := project()
	files["Robots/FooRobot.prefab"] = files["Assets/Robots/FooRobot.prefab"] // it hides the one of the assets
	files["Assets/Robots/two words?.prefab"] = files["Assets/Robots/unsaid.prefab"]
	files["Assets/models/box.prefab"] = files["Assets/Robots/unsaid.prefab"] // it hides behind an embedded one
	embedded := fstest.MapFS{"models/box.sdf": text(cubeSDF)}
	lib := NewLibrary(Config{Roots: []asset.Root{{Name: asset.Cache, FS: embedded},
		{Name: "path1", FS: files, Base: "/home/u/project"}}})
	list, complaints := lib.Spawnables(nil)
	if len(complaints) > 0 {
		t.Error(complaints)
	}
	listed := map[string]bool{}
	for _, s := range list {
		listed[s.URI] = true
		if strings.Contains(s.URI, "places") { // only those inside it tell that there is nothing to simulate
			continue
		}
		if _, err := lib.Model(scene.Resource{URI: s.URI}); err != nil {
			t.Errorf("%s is listed: %v", s.URI, err)
		}
	}
	for _, uri := range []string{"spawnable://@cache@/robots/foorobot.spawnable",
		"file:///home/u/project/Assets/Robots/FooRobot.prefab",
		"spawnable://@cache@/robots/two%20words%3F.spawnable", "spawnable://@cache@/levels/hall/hall.spawnable",
		"file:///home/u/project/Assets/models/box.prefab", "spawnable://@cache@/models/box.spawnable"} {
		if !listed[uri] {
			t.Errorf("%s is not listed: %v", uri, listed)
		}
	}
	if listed["spawnable://@cache@/prefabs/dock.spawnable"] {
		t.Error("a prefab of a named pose alone is listed")
	}
	for _, uri := range []string{"spawnable://@cache@/robots/foorobot.spawnable", "Robots/FooRobot.spawnable",
		"spawnable://@cache@/Robots/FooRobot.spawnable", "product_asset:///robots/foorobot.spawnable",
		"file:///home/u/project/Robots/FooRobot.prefab", "Robots/FooRobot.prefab"} {
		m, err := lib.ForClients().Model(scene.Resource{URI: uri})
		if err != nil || m.Name != "Crate" || m.Source != uri {
			t.Errorf("%s: %+v, %v", uri, m, err)
		}
	}
	if w, err := lib.World(scene.Resource{URI: "product_asset:///levels/hall/hall.spawnable"}); err != nil ||
		w.Name != "Hall" {
		t.Errorf("%+v, %v", w, err)
	}
}

// Search folders may be inside each other: a file that several reach is listed once, by its shortest address.
func TestAPrefabThatSeveralFoldersReachIsListedOnce(t *testing.T) {
	files := project()
	inside, err := fs.Sub(files, "Levels")
	if err != nil {
		t.Fatal(err)
	}
	lib := NewLibrary(Config{Roots: []asset.Root{{Name: "path1", FS: files, Base: "/home/u/project"},
		{Name: "path2", FS: inside, Base: "/home/u/project/Levels"}}})
	list, complaints := lib.Spawnables(nil)
	var halls []string
	for _, s := range list {
		if strings.EqualFold(s.Name, "Hall") {
			halls = append(halls, s.URI)
		}
	}
	if len(complaints) > 0 || !slices.Equal(halls, []string{"spawnable://@cache@/hall/hall.spawnable"}) {
		t.Errorf("the hall is listed as %q, complaints %q", halls, complaints)
	}
}
