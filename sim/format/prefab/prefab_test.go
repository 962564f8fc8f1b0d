package prefab

import (
	"errors"
	"math"
	"strings"
	"testing"

	"simdeck/sim/asset"
	"simdeck/sim/asset/mesh"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// fakeFiles is the files of a test by their paths.
type fakeFiles map[string]string

func (s fakeFiles) Product(path string, _ asset.Ref) (asset.Ref, error) {
	if _, ok := s[path]; !ok {
		return asset.Ref{}, asset.ErrNotFound
	}
	return asset.Ref{Path: path}, nil
}

func (s fakeFiles) Read(ref asset.Ref) (string, []byte, error) {
	return ref.Path, []byte(s[ref.Path]), nil
}

func (s fakeFiles) MeshAt(ref asset.Ref) (*mesh.Mesh, error) {
	return mesh.Decode(ref.Path, []byte(s[ref.Path]))
}

func read(t testing.TB, text string, files fakeFiles) *scene.ModelSpec {
	t.Helper()
	spec, err := Model("test.prefab", asset.Ref{Path: "test.prefab"}, []byte(text), files)
	if err != nil {
		t.Fatal(err)
	}
	return spec
}

// entityText is an entity with a transform and components.
func entityText(id, parent, transform, components string) string {
	if components != "" {
		components = "," + components
	}
	return `"` + id + `": {"Name": "` + strings.TrimSuffix(id, "1") +
		`", "Components": {"T": {"$type": "{27F1} TransformComponent", "Parent Entity": "` + parent + `"` +
		transform + `}` + components + `}}`
}

func document(entities ...string) string {
	return `{` + entityText("ContainerEntity", "", "", "") + `, "Entities": {` + strings.Join(entities, ",") +
		`}}`
}

const (
	rigid  = `"R": {"$type": "EditorRigidBodyComponent", "Configuration": {"Mass": 2.0}}`
	sphere = `"C": {"$type": "EditorColliderComponent", "ShapeConfiguration": {"ShapeType": 0, "Sphere": {"Radius": 0.1}}}`
)

func TestARoverOfAPrefabHasItsBodiesJointsAndWheels(t *testing.T) {
	wheel := func(id, y string) string {
		return entityText(id, "base1", `, "Transform Data": {"Translate": [0, `+y+`, 0]}`, rigid+`, "C": {"$type": "EditorColliderComponent",
"ColliderConfiguration": {"Rotation": [0.7071068, 0, 0, 0.7071068]}, "ShapeConfiguration": {"ShapeType": 3, "Cylinder": {"Height": 0.04, "Radius": 0.05}}},
"J": {"$type": "EditorHingeJointComponent", "Configuration": {"Local Rotation": [0, 0, 90], "Parent Entity": "base1", "Child Entity": "`+id+`"},
"Angular Limit": {"Standard Limit Configuration": {"Is Limited": false}}, "Motor": {"UseMotor": true, "ForceLimit": 3}}`)
	}
	spec := read(t, document(
		entityText("base1", "ContainerEntity",
			`, "Transform Data": {"Translate": [1, 0, 0], "Rotate": [0, 0, 90], "UniformScale": 2}`,
			rigid+`,"C": {"$type": "EditorColliderComponent", "ColliderConfiguration": {"Position": [0, 0, 1]}, "ShapeConfiguration": {"ShapeType": 1, "Box": {"Configuration": [1, 2, 3]}}},
"S": {"$type": "GenericComponentWrapper", "m_template": {"$type": "SkidSteeringModelComponent", "VehicleConfiguration": {"Track": 0.5,
"AxlesConfigurations": [{"AxleWheels": ["left1", "right1"], "WheelRadius": 0.05}]}, "DriveModel": {"Limits": {"LinearLimit": 0.8}}}},
"X": {"$type": "GenericComponentWrapper", "m_template": {"$type": "ROS2LidarSensorComponent"}}`),
		wheel("left1", "0.25"), wheel("right1", "-0.25"),
		entityText("horn1", "base1", `, "Transform Data": {"Translate": [1, 0, 0]}`, sphere)), nil)
	if len(spec.Links) != 3 || len(spec.Joints) != 2 || len(spec.Drives) != 1 || spec.Static {
		t.Fatalf("%+v", spec)
	}
	base := &spec.Links[0]
	if len(base.Collisions) != 2 || base.Collisions[0].Size != r3.V(2, 4, 6) ||
		base.Collisions[0].Pose.Pos.Dist(r3.V(0, 0, 2)) > 1e-9 || base.Inertial.Mass != 2 {
		t.Errorf("base %+v", base)
	}
	if horn := base.Collisions[1]; horn.Pose.Pos.Dist(r3.V(2, 0, 0)) > 1e-9 ||
		math.Abs(horn.Radius-0.2) > 1e-9 {
		t.Errorf("the horn is at %v with a radius of %g", horn.Pose, horn.Radius)
	}
	if at := spec.Links[1].Pose; at.Pos.Dist(r3.V(0.5, 0, 0)) > 1e-9 {
		t.Errorf("the left wheel is at %v", at)
	}
	axis := spec.Joints[0].Pose.Rot.Rotate(spec.Joints[0].Axis)
	if spec.Joints[0].Kind != scene.Continuous || spec.Joints[0].Parent != 0 ||
		axis.Dist(r3.V(0, 1, 0)) > 1e-6 || spec.Joints[0].Limit.Effort != 3 {
		t.Errorf("joint %+v turns about %v", spec.Joints[0], axis)
	}
	if d := spec.Drives[0]; len(d.Left) != 1 || d.Left[0] != 0 || d.Right[0] != 1 || d.Separation != 0.5 ||
		d.MaxLinearSpeed != 0.8 {
		t.Errorf("drive %+v", d)
	}
	if len(spec.Notes) != 1 || !strings.Contains(spec.Notes[0].Text, "ROS2LidarSensorComponent is not run") {
		t.Errorf("notes %v", spec.Notes)
	}
}

func TestPrefabsInPrefabsAreWhereTheirPatchesSay(t *testing.T) {
	box := document(entityText("box1", "ContainerEntity", "", sphere))
	room := strings.TrimSuffix(document(entityText("shelf1", "ContainerEntity",
		`, "Transform Data": {"Translate": [0, 0, 5]}`, "")), "}") +
		`, "Instances": {"I": {"Source": "box.prefab", "Patches": [
{"op": "replace", "path": "/ContainerEntity/Components/T/Parent Entity", "value": "../shelf1"},
{"op": "replace", "path": "/ContainerEntity/Components/T/Transform Data/Translate/0", "value": 3},
{"op": "add", "path": "/Entities/box1/Components/C/ShapeConfiguration/Sphere/Radius", "value": 0.7},
{"op": "remove", "path": "/Entities/none"}, {"op": "test", "path": "/a"}]},
"K": {"Source": "gone.prefab"}, "L": {"Source": "box.prefab"}}}`
	spec := read(t, room, fakeFiles{"box.prefab": box})
	if len(spec.Links) != 1 || !spec.Static || len(spec.Links[0].Collisions) != 2 {
		t.Fatalf("%+v", spec)
	}
	first, second := spec.Links[0].Collisions[0], spec.Links[0].Collisions[1]
	if first.Pose.Pos != r3.V(3, 0, 5) || first.Radius != 0.7 || second.Pose.Pos != r3.V(0, 0, 0) ||
		second.Radius != 0.1 {
		t.Errorf("%v %g, %v %g", first.Pose, first.Radius, second.Pose, second.Radius)
	}
	if len(spec.Notes) != 2 || spec.Notes[0].Kind != scene.Suspicious || spec.Notes[1].Kind != scene.Missing {
		t.Errorf("notes %v", spec.Notes)
	}
}

func TestAnArmOfArticulationLinksHangsOnItsBase(t *testing.T) {
	link := func(id, parent, more string) string {
		return entityText(id, parent, `, "Transform Data": {"Translate": [0, 0, 1]}`,
			sphere+`, "A": {"$type": "EditorArticulationLinkComponent", "ArticulationConfiguration": {`+more+
				`}}`)
	}
	spec := read(t, document(link("base1", "ContainerEntity", `"Fixed Base": true`),
		link("arm1", "base1", `"Articulation Joint Type": 1, "Angular Limit Negative": -90, "Angular Limit Positive": 45, "Motor configuration": {"UseMotor": true}`),
		link("slide1", "arm1", `"Articulation Joint Type": 2, "Linear Limit Lower": 0.4, "Linear Limit Upper": 0`)),
		nil)
	if len(spec.Joints) != 3 || spec.Joints[0].Parent != scene.World || spec.Joints[0].Kind != scene.Fixed {
		t.Fatalf("%+v", spec.Joints)
	}
	arm, slide := spec.Joints[1], spec.Joints[2]
	if arm.Kind != scene.Revolute || !arm.Hold || math.Abs(arm.Limit.Upper-math.Pi/4) > 1e-9 ||
		slide.Kind != scene.Prismatic || slide.Limit.Lower != 0 || slide.Limit.Upper != 0.4 {
		t.Errorf("%+v\n%+v", arm, slide)
	}
}

// mistakes are prefabs that are refused, with what the error says.
var mistakes = []struct{ text, want string }{
	{`{`, "1:2: unexpected EOF"},
	{"{\n\"a\": ]}", "2:6"},
	{`{} {}`, "text after the document"},
	{`[]`, "no ContainerEntity"},
	{document(), "nothing to simulate"},
	{document(entityText("a1", "b1", "", sphere), entityText("b1", "a1", "", sphere)), "within itself"},
	{document(entityText("a1", "", `, "Transform Data": {"Translate": [1e49, 0, 0]}`, sphere)), "stands at"},
	{document(entityText("a1", "", "", sphere), entityText("a1", "", "", sphere)), "two entities a1"},
	{strings.Repeat("[", 200), "deeper than"},
	{strings.TrimSuffix(document(), "}") + `, "Instances": {"I": {"Source": "self.prefab"}}}`,
		"includes itself"},
}

func TestMistakesInPrefabsAreRefusedWithTheirPlace(t *testing.T) {
	self := strings.TrimSuffix(document(), "}") + `, "Instances": {"I": {"Source": "self.prefab"}}}`
	for _, c := range mistakes {
		_, err := Model("x.prefab", asset.Ref{Path: "x.prefab"}, []byte(c.text),
			fakeFiles{"self.prefab": self})
		if !errors.Is(err, scene.ErrParse) || !strings.Contains(err.Error(), c.want) ||
			!strings.Contains(err.Error(), "x.prefab") {
			t.Errorf("%.60s: %v, want %q", c.text, err, c.want)
		}
	}
}

func FuzzModel(f *testing.F) {
	for _, c := range mistakes {
		f.Add([]byte(c.text))
	}
	f.Add([]byte(document(entityText("a1", "ContainerEntity", "", rigid+","+sphere))))
	f.Add([]byte(document(entityText("a1", "", "", `"S": {"$type": "ROS2SpawnerEditorComponent", "Controller": {"Configuration": {"Default spawn pose": {"Rotation": [0, 0, 1]}}}}`),
		entityText("b1", "a1", "", `"S": {"$type": "ROS2SpawnPointEditorComponent", "Controller": {"Configuration": {"Name": "default"}}}`))))
	f.Add([]byte(document(entityText("a1", "ContainerEntity", "", named+","+door+","+sphere),
		entityText("a2", "a1", "", named+`,"B":{"$type":"EditorBoxShapeComponent"}`))))
	f.Fuzz(func(t *testing.T, data []byte) {
		Glimpse(data)
		p, err := Read("f.prefab", asset.Ref{}, data,
			fakeFiles{"box.prefab": document(entityText("box1", "ContainerEntity", "", sphere))})
		if err != nil {
			return
		}
		names := map[string]bool{}
		for _, pose := range p.Poses {
			box := pose.Bounds.Box()
			if names[pose.Name] || pose.Name == "" || pose.Bounds.Kind != scene.NoBounds && box.IsEmpty() {
				t.Fatalf("named pose %+v", pose)
			}
			names[pose.Name] = true
		}
		spec := p.Model
		if spec == nil {
			return
		}
		for _, j := range spec.Joints {
			if j.Child < 0 || j.Child >= len(spec.Links) || j.Parent >= len(spec.Links) {
				t.Fatalf("joint %+v of %d links", j, len(spec.Links))
			}
		}
	})
}
