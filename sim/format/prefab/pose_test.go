package prefab

import (
	"slices"
	"strings"
	"testing"

	"simdeck/sim/asset"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

const (
	named = `"P": {"$type": "{867002FC} NamedPoseEditorComponent", "NamedPoseConfig": {"name": "stale", "description": "by the door"}}`
	door  = `"G": {"$type": "EditorTagComponent", "Tags": ["spawn", "door", "spawn", 17]}`
)

// level reads named poses, and the notes.
func level(t *testing.T, text string, files fakeFiles) ([]scene.NamedPose, scene.Notes) {
	t.Helper()
	p, err := Read("level.prefab", asset.Ref{Path: "level.prefab"}, []byte(text), files)
	if err != nil {
		t.Fatal(err)
	}
	return p.Poses, p.Notes
}

func TestANamedPoseStandsWhereItsParentsAndInstancesPutIt(t *testing.T) {
	inside := document(entityText("hall1", "ContainerEntity", `, "Transform Data": {"Translate": [0, 2, 0], "UniformScale": 3}`, ""),
		entityText("dock1", "hall1", `, "Transform Data": {"Translate": [1, 0, 0], "Rotate": [0, 0, 90]}`, named+","+door))
	text := strings.TrimSuffix(document(entityText("room1", "ContainerEntity",
		`, "Transform Data": {"Translate": [10, 0, 0], "Rotate": [0, 0, 90]}`, "")), "}") +
		`, "Instances": {"I": {"Source": "inside.prefab", "Patches": [
{"op": "replace", "path": "/ContainerEntity/Components/T/Parent Entity", "value": "../room1"},
{"op": "add", "path": "/Entities/dock1/Components/G/Tags/-", "value": "patched"}]}}}`
	poses, notes := level(t, text, fakeFiles{"inside.prefab": inside})
	if len(poses) != 1 {
		t.Fatalf("%d poses: %+v", len(poses), poses)
	}
	p := poses[0]
	// in the hall at (0 2 0) plus three times (1 0 0); the room turns that a quarter and moves it by ten
	if p.Name != "dock" || p.Description != "by the door" || p.Pose.Pos.Dist(r3.V(8, 3, 0)) > 1e-9 ||
		p.Pose.Rot.Rotate(r3.V(1, 0, 0)).Dist(r3.V(-1, 0, 0)) > 1e-9 {
		t.Errorf("%+v", p)
	}
	if !slices.Equal(p.Tags, []string{"spawn", "door", "patched"}) || p.Bounds.Kind != scene.NoBounds {
		t.Errorf("tags %q, bounds %+v", p.Tags, p.Bounds)
	}
	if len(notes) != 1 || notes[0].Kind != scene.Unreadable || !strings.Contains(notes[0].Text, "no text") {
		t.Errorf("notes %v", notes)
	}
}

func TestANamedPoseOfTheGameIsOneToo(t *testing.T) {
	poses, _ := level(t, document(entityText("spot1", "", "",
		`"W": {"$type": "GenericComponentWrapper", "m_template": {"$type": "NamedPoseComponent", "NamedPoseConfig": {"tags": ["a"]}}}`)), nil)
	if len(poses) != 1 || poses[0].Name != "spot" || !slices.Equal(poses[0].Tags, []string{"a"}) {
		t.Errorf("%+v", poses)
	}
}

func TestNamedPosesOfOneNameAreTwoWithANote(t *testing.T) {
	twin := strings.Replace(entityText("dock2", "", "", named), `"Name": "dock2"`, `"Name": "dock"`, 1)
	poses, notes := level(t, document(entityText("dock1", "", "", named), twin,
		strings.Replace(twin, `"dock2"`, `"dock3"`, 1)), nil)
	var names []string
	for _, p := range poses {
		names = append(names, p.Name)
	}
	if !slices.Equal(names, []string{"dock", "dock_1", "dock_2"}) {
		t.Errorf("%q", names)
	}
	if len(notes) != 2 || notes[0].Kind != scene.Suspicious ||
		notes[0].Text != `two named poses are called "dock"; the later one is called "dock_1"` {
		t.Errorf("%v", notes)
	}
}

func TestTheBoundsOfANamedPoseAreItsShape(t *testing.T) {
	tetrahedron := "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n"
	component := func(kind, more string) string { return `"B": {"$type": "` + kind + `"` + more + `}` }
	for name, c := range map[string]struct {
		component string
		kind      scene.BoundsKind
		box       r3.Box // holds the region; of the corners or of the sphere
		note      string
	}{
		"box as it is made": {component("EditorBoxShapeComponent", ""), scene.BoxBounds, r3.BoxAround(r3.Vec{}, r3.V(1, 1, 1)), ""},
		"box": {component("EditorBoxShapeComponent", `, "BoxShape": {"Configuration": {"Dimensions": [2, 4, 6], "TranslationOffset": [1, 0, 0]}}`),
			scene.BoxBounds, r3.BoxAround(r3.V(2, 0, 0), r3.V(2, 4, 6)), ""},
		"box of the game": {component("BoxShapeComponent", `, "Configuration": {"Dimensions": [2, 2, 2]}`),
			scene.BoxBounds, r3.BoxAround(r3.Vec{}, r3.V(2, 2, 2)), ""},
		"flat box": {component("EditorBoxShapeComponent", `, "BoxShape": {"Configuration": {"Dimensions": [2, 0, 6]}}`),
			scene.NoBounds, r3.EmptyBox(), "no volume"},
		"sphere": {component("EditorSphereShapeComponent", `, "SphereShape": {"Configuration": {"Radius": 0.75, "TranslationOffset": [0, 0, 1]}}`),
			scene.SphereBounds, r3.BoxAround(r3.V(0, 0, 2), r3.V(1.5, 1.5, 1.5)), ""},
		"prism": {component("EditorPolygonPrismShapeComponent", `, "Configuration": {"PolygonPrism": {"Height": 2, "VertexContainer": {"Vertices": [[0, 0], [1, 0], [0, 1]]}}}`),
			scene.HullBounds, r3.Box{Max: r3.V(2, 2, 4)}, ""},
		"convex mesh": {component("EditorMeshColliderComponent", `, "ShapeConfiguration": {"PhysicsAsset": {"Asset": {"assetHint": "t.obj.pxmesh"}}}`),
			scene.HullBounds, r3.Box{Max: r3.V(2, 2, 2)}, ""},
		"collider that triggers": {component("EditorColliderComponent", `, "ColliderConfiguration": {"Trigger": true}, "ShapeConfiguration": {"Box": {"Configuration": [1, 2, 3]}}`),
			scene.BoxBounds, r3.BoxAround(r3.Vec{}, r3.V(1, 2, 3)), ""},
		"collider that is turned": {component("EditorColliderComponent", `, "ColliderConfiguration": {"Rotation": [0, 0, 0.70710678, 0.70710678]}, "ShapeConfiguration": {"Box": {"Configuration": [1, 2, 3]}}`),
			scene.HullBounds, r3.BoxAround(r3.Vec{}, r3.V(2, 1, 3)), ""},
		"capsule": {component("EditorCapsuleShapeComponent", ""), scene.NoBounds, r3.EmptyBox(), "spheres and convex shapes are known"},
	} {
		poses, notes := level(t, document(entityText("dock1", "", `, "Transform Data": {"UniformScale": 2}`, named+","+c.component)),
			fakeFiles{"t.obj": tetrahedron})
		if len(poses) != 1 || poses[0].Bounds.Kind != c.kind {
			t.Errorf("%s: %+v", name, poses)
			continue
		}
		got := poses[0].Bounds.Box()
		far := max(got.Min.Dist(c.box.Min), got.Max.Dist(c.box.Max))
		if c.kind != scene.NoBounds && far > 1e-6 {
			t.Errorf("%s: %+v, want %+v", name, got, c.box)
		}
		if c.note == "" != (len(notes) == 0) || len(notes) > 0 && !strings.Contains(notes[0].Text, c.note) {
			t.Errorf("%s: notes %v, want %q", name, notes, c.note)
		}
	}
}

func TestTheTagsOfAPrefabAreThoseOfItsRootAndOfItsFirstBody(t *testing.T) {
	tag := func(word string) string { return `"G": {"$type": "EditorTagComponent", "Tags": ["` + word + `"]}` }
	text := `{` + entityText("ContainerEntity", "", "", tag("root")) + `, "Entities": {` +
		entityText("lamp1", "", "", tag("lamp")) + "," +
		entityText("base1", "", "", rigid+","+sphere+","+tag("base")) + "," +
		entityText("arm1", "", "", rigid+","+sphere+","+tag("arm")) + `}}`
	want := []string{"root", "base"}
	if spec := read(t, text, nil); !slices.Equal(spec.Info.Tags, want) {
		t.Errorf("%q, want %q", spec.Info.Tags, want)
	}
	if seen := Glimpse([]byte(text)); !slices.Equal(seen.Tags, want) || seen.Level {
		t.Errorf("at first sight %+v, want %q", seen, want)
	}
}

func TestASpawnPointOfO3DEsSpawnerIsANamedPose(t *testing.T) {
	spawner := func(at string) string {
		return `"S": {"$type": "{5950} ROS2SpawnerEditorComponent", "Controller": {"Configuration": {"Default spawn pose": ` + at + `}}}`
	}
	point := func(name string) string {
		return `"S": {"$type": "ROS2SpawnPointEditorComponent", "Controller": {"Configuration": {"Name": "` + name + `", "Info": "by the gate"}}}`
	}
	text := document(entityText("a1", "b1", `, "Transform Data": {"Translate": [1, 0, 0]}`, point("gate")+","+door),
		entityText("b1", "", `, "Transform Data": {"Translate": [0, 5, 0], "Rotate": [0, 0, 90]}`,
			spawner(`{"Translation": [7, 8, 9], "Rotation": [0, 0, 1, 0], "Scale": 1}`)),
		entityText("c1", "b1", "", point("")), entityText("d1", "b1", "", point("default")),
		entityText("e1", "", "", strings.Replace(named, `"P"`, `"Q"`, 1)+","+point("other")))
	poses, notes := level(t, text, nil)
	var names []string
	for _, p := range poses {
		names = append(names, p.Name)
		if p.Name != "e" && !slices.Contains(p.Tags, "spawn_point") {
			t.Errorf("the tags of %q are %q", p.Name, p.Tags)
		}
	}
	// the spawner's own point goes before one of an entity that has its name
	if !slices.Equal(names, []string{"default", "gate", "c", "default_1", "e", "other"}) {
		t.Fatalf("%q", names)
	}
	if p := poses[0].Pose; p.Pos != r3.V(7, 8, 9) || p.Rot.Rotate(r3.V(1, 0, 0)).Dist(r3.V(-1, 0, 0)) > 1e-9 {
		t.Errorf("the spawner spawns at %v", p)
	}
	if p := poses[1]; p.Description != "by the gate" || p.Pose.Pos.Dist(r3.V(0, 6, 0)) > 1e-9 ||
		!slices.Equal(p.Tags, []string{"spawn", "door", "spawn_point"}) {
		t.Errorf("%+v", p)
	}
	if !slices.ContainsFunc(notes, func(n scene.Note) bool {
		return strings.Contains(n.Text, `called "default_1"`)
	}) {
		t.Errorf("notes %v", notes)
	}
	if !Glimpse([]byte(text)).Level {
		t.Error("a prefab with spawn points is no place")
	}
	for _, odd := range []string{`{"Translation": [1e30, 0, 0]}`, `{"Rotation": [0, 0, 0, 0]}`, `5`} {
		poses, _ := level(t, document(entityText("b1", "", "", spawner(odd))), nil)
		if len(poses) != 1 || poses[0].Pose != r3.IdentityPose() {
			t.Errorf("%s: %+v", odd, poses)
		}
	}
}
