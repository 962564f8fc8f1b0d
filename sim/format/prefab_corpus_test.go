package format

import (
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"simdeck/sim/scene"
)

type prefabFacts struct {
	File        string
	Container   string
	RigidBodies []struct {
		Entity string
		Mass   *float64
	} `json:"rigid_bodies"`
	Joints []struct {
		Entity, Type string
	}
	Colliders []struct {
		Entity, Type string
		Shape        *float64
	}
	InstanceSources []string `json:"instance_sources"`
}

// TestRealPrefabsAreWhatAnIndependentToolFound compares bodies, masses, joints and colliders of every prefab
// of the corpus. Their meshes are FBX or not there: each such collider is noted as lost.
func TestRealPrefabsAreWhatAnIndependentToolFound(t *testing.T) {
	dir := corpus(t)
	lists, err := filepath.Glob(filepath.Join(dir, "o3de", "*", "expected.json"))
	if err != nil || len(lists) == 0 {
		t.Fatalf("%d items, %v", len(lists), err)
	}
	seen := 0
	for _, list := range lists {
		var e struct{ Files []prefabFacts }
		readJSON(t, list, &e)
		lib := item(t, filepath.Dir(list))
		for _, f := range e.Files {
			if path.Ext(f.File) != ".prefab" {
				continue
			}
			seen++
			spec, err := lib.Model(scene.Resource{URI: f.File})
			if err != nil {
				if len(f.RigidBodies)+len(f.Joints) > 0 ||
					!strings.Contains(err.Error(), "nothing to simulate") || len(f.InstanceSources) > 0 &&
					!strings.Contains(err.Error(), f.InstanceSources[0]) {
					t.Errorf("%s: %v", f.File, err)
				}
				continue
			}
			if d := comparePrefab(spec, f); len(d) > 0 {
				t.Errorf("%s: %v", f.File, d)
			}
		}
	}
	if seen < 4 {
		t.Errorf("%d prefabs", seen)
	}
}

func comparePrefab(spec *scene.ModelSpec, f prefabFacts) differences {
	var d differences
	if spec.Name != f.Container {
		d = append(d, "its name is "+spec.Name)
	}
	links := slices.DeleteFunc(slices.Clone(spec.Links),
		func(l scene.Link) bool { return l.Name == "surroundings" })
	d.count("bodies", len(links), len(f.RigidBodies))
	for i := range min(len(links), len(f.RigidBodies)) {
		if want := f.RigidBodies[i]; want.Mass != nil {
			d.number("mass of "+want.Entity, links[i].Inertial.Mass, *want.Mass)
		}
	}
	joints := len(spec.Joints)
	if len(links) < len(spec.Links) && len(links) > 0 {
		joints-- // that of the surroundings
	}
	d.count("joints", joints, len(f.Joints))
	collisions := 0
	for i := range spec.Links {
		collisions += len(spec.Links[i].Collisions) + len(spec.Links[i].Lost)
	}
	d.count("colliders", collisions, len(f.Colliders))
	return d
}
