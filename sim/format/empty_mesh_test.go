package format_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"simdeck/sim/asset"
	"simdeck/sim/format"
	"simdeck/sim/scene"
)

// A mesh without a triangle makes no shape, and a note; no collision shape is missing for it.
func TestAMeshWithoutATriangleMakesNoShape(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"points.obj": "v 0 0 0\nv 1 0 0\n", "none.stl": "solid x\nendsolid x\n", "none.dae": "<COLLADA/>",
		"none.gltf": `{"asset":{"version":"2.0"}}`,
		"none.ply":  "ply\nformat ascii 1.0\nelement vertex 0\nproperty float x\nproperty float y\nproperty float z\nend_header\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		for file, text := range map[string]string{
			"m.sdf": `<sdf version="1.9"><model name="m"><link name="l">` + weight + `<visual name="v"><geometry><mesh><uri>` + name +
				`</uri></mesh></geometry></visual><collision name="c"><geometry><mesh><uri>` + name + `</uri></mesh></geometry></collision></link></model></sdf>`,
			"m.urdf": `<robot name="m"><link name="l"><visual><geometry><mesh filename="` + name +
				`"/></geometry></visual><collision><geometry><mesh filename="` + name + `"/></geometry></collision></link></robot>`,
		} {
			if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			root, err := os.OpenRoot(dir)
			if err != nil {
				t.Fatal(err)
			}
			m, err := format.NewLibrary(format.Config{Roots: []asset.Root{{Name: "here", FS: root.FS()}}}).
				Model(scene.Resource{URI: "spawnable://here/" + file})
			if err != nil {
				t.Errorf("%s of %s: %v", name, file, err)
			} else if l := m.Links[0]; len(l.Collisions)+len(l.Visuals)+len(l.Lost) > 0 ||
				!strings.Contains(textOf(m.Notes), "no triangle") {
				t.Errorf("%s of %s: %+v, notes %v", name, file, l, m.Notes)
			}
			root.Close()
		}
	}
}
