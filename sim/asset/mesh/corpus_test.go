package mesh

import (
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"testing"

	"simdeck/sim/r3"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// corpus is the folder of real files; a test without it says so, or fails where it is required.
func corpus(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("SIMDECK_CORPUS")
	if dir == "" {
		dir = "../../../../shared/corpus/dev"
	}
	if _, err := os.Stat(dir); err != nil {
		if os.Getenv("SIMDECK_CORPUS_REQUIRED") == "1" {
			t.Fatalf("the corpus is required and %s is not there", dir)
		}
		t.Skipf("no corpus at %s", dir)
	}
	return dir
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("differs from %s (-update rewrites it):\n%s", name, got)
	}
}

type facts struct {
	File       string `json:"file"`
	Format     string
	Triangles  *int
	Instanced  *int       `json:"triangles_instanced"`
	Trimesh    *int       `json:"trimesh_triangles"`
	Min        [3]float64 `json:"bbox_min"`
	Max        *[3]float64
	MaxWritten *[3]float64 `json:"bbox_max"`
}

// compare is empty when a file decodes to what independent tools found in it.
func compare(name string, data []byte, f facts) string {
	m, err := DecodeWith(name, data, neighbours(name, data))
	want := 0
	switch {
	case f.Triangles != nil:
		want = *f.Triangles
	case f.Instanced != nil:
		want = *f.Instanced
	case f.Trimesh != nil:
		want = *f.Trimesh
	}
	switch {
	case err != nil && want == 0:
		return ""
	case err != nil:
		return err.Error()
	case len(m.Triangles) != want:
		return fmt.Sprintf("%d triangles, recorded %d", len(m.Triangles), want)
	case f.MaxWritten == nil, want == 0: // points and lines make no shape
		return ""
	}
	lo, hi, b := r3.V(f.Min[0], f.Min[1], f.Min[2]), r3.V(f.MaxWritten[0], f.MaxWritten[1], f.MaxWritten[2]),
		m.Box()
	tolerance := 1e-6 * math.Max(1, math.Max(lo.Len(), hi.Len()))
	if b.Min.Sub(lo).Len() > tolerance || b.Max.Sub(hi).Len() > tolerance {
		return fmt.Sprintf("box %v to %v, recorded %v to %v", b.Min, b.Max, lo, hi)
	}
	return ""
}

func known(name string) bool { return slices.Contains(Formats(), extension(name)) }

// neighbours reads what a mesh of the corpus names, as long as it lies below its folder.
func neighbours(name string, data []byte) map[string][]byte {
	beside := map[string][]byte{}
	for _, uri := range Beside(name, data) {
		if text, err := fs.ReadFile(os.DirFS(filepath.Dir(name)), uri); err == nil {
			beside[uri] = text
		}
	}
	return beside
}

// reasons say why a file is taken otherwise than recorded, or than its policy says. A difference without one
// fails.
var reasons = map[string]string{
	"cube_emptyTags.dae":                       "pycollada finds no instance in it; assimp counts the same 12 triangles",
	"box_inst_controller_without_skeleton.dae": "pycollada does not instance its controller; assimp counts the same 12 triangles",
	"box_nested_animation.dae":                 "pycollada does not instance its controller; assimp counts the same 12 triangles",
	"box_with_default_stride.dae":              "pycollada does not instance its controller; assimp counts the same 12 triangles",
	"malformed_p_negative_index.dae":           "made to be refused: pycollada takes -1 as the last",
	"malformed_position_huge_count.dae":        "made to be refused: the count lies",
	"sensors/r200.dae":                         "the recorded box holds corners of lines, of which no triangle is made",
	"rplidar.dae":                              "pycollada refuses a colour of it, so that nothing is recorded",
	"IndexOutOfRange.gltf":                     "made to be refused, as trimesh does; the fact counts its indices",
	"Mesh_PrimitiveMode_05.gltf":               "trimesh passes over fans; assimp counts the same two triangles",
	"emptyIO/obj_points.obj":                   "vertices alone are their convex hull, as in MuJoCo; trimesh leaves them points",
	"mesh/stl_ascii_nan.stl":                   "nothing is left of it: the robot that names it loads with a note",
	"mesh/obj_index0.obj":                      "nothing is left of it: the robot that names it loads with a note",
	"mesh/obj_oob.obj":                         "nothing is left of it: the robot that names it loads with a note",
	"mesh/obj_big_index.obj":                   "nothing is left of it: the robot that names it loads with a note",
	"mesh/obj_nan.obj":                         "nothing is left of it: the robot that names it loads with a note",
	"mesh/dae_dangling.dae":                    "nothing is left of it: the robot that names it loads with a note",
	"mesh/obj_mtl_traversal.obj":               "a palette is looked up by package format, which warns; a mesh alone has none",
	"mesh/obj_mtl_missing.obj":                 "a palette is looked up by package format, which warns; a mesh alone has none",
}

func reasoned(t *testing.T, file, diff string) string {
	t.Helper()
	for part, why := range reasons {
		if strings.HasSuffix(file, part) {
			return file + ": " + diff + "\n    because: " + why
		}
	}
	t.Errorf("%s: %s, and nobody says why", file, diff)
	return file + ": " + diff
}

func TestRealMeshesAreWhatIndependentToolsFound(t *testing.T) {
	dir := corpus(t)
	checked, lines := 0, []string{}
	check := func(rel string, f facts) {
		data, err := os.ReadFile(filepath.Join(dir, rel))
		if err != nil {
			t.Fatal(err)
		}
		checked++
		if diff := compare(filepath.Join(dir, rel), data, f); diff != "" {
			lines = append(lines, reasoned(t, rel, diff))
		}
	}
	lists, err := filepath.Glob(filepath.Join(dir, "meshes", "*", "expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, list := range lists {
		var e struct{ Files []facts }
		read(t, list, &e)
		for _, f := range e.Files {
			if known(f.File) {
				check("meshes/"+filepath.Base(filepath.Dir(list))+"/"+f.File, f)
			}
		}
	}
	var all struct{ Meshes map[string]facts }
	read(t, filepath.Join(dir, "mesh_facts.json"), &all)
	for _, f := range all.Meshes {
		if known(f.File) {
			check(f.File, f)
		}
	}
	if checked < 100 {
		t.Errorf("only %d meshes found", checked)
	}
	sort.Strings(lines)
	golden(t, "testdata/corpus_meshes.txt", strings.Join(lines, "\n")+"\n")
}

// Their facts were found by reading the files by other means: triangles counted, corners compared.
func TestOurOwnMeshesAreWhatAnIndependentToolFound(t *testing.T) {
	var e struct{ Files []facts }
	read(t, "testdata/own_meshes.json", &e)
	if len(e.Files) < 12 {
		t.Fatalf("facts of %d meshes", len(e.Files))
	}
	for _, f := range e.Files {
		name := filepath.Join("../../../ros/interop/testdata", f.File)
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if diff := compare(name, data, f); diff != "" || f.Triangles == nil || f.MaxWritten == nil {
			t.Errorf("%s: %s", f.File, diff)
		}
	}
}

func read(t *testing.T, name string, into any) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err == nil {
		err = json.Unmarshal(data, into)
	}
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

func TestMalformedMeshesFollowThePolicies(t *testing.T) {
	dir := corpus(t)
	var e struct {
		Files []struct{ File, Policy, Why string }
	}
	read(t, filepath.Join(dir, "malformed", "expected.json"), &e)
	lines := []string{}
	for _, f := range e.Files {
		if !strings.HasPrefix(f.File, "mesh/") || !known(f.File) {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, "malformed", f.File))
		if err != nil {
			t.Fatal(err)
		}
		m, err := DecodeWith(f.File, data, neighbours(filepath.Join(dir, "malformed", f.File), data))
		got := "ok"
		if err != nil {
			got = "reject"
		} else if len(m.Warnings) > 0 {
			got = "warn"
		}
		if f.Policy != "survive" && f.Policy != got {
			lines = append(lines, reasoned(t, f.File,
				fmt.Sprintf("policy %s (%s), got %s %v", f.Policy, f.Why, got, err)))
		}
	}
	golden(t, "testdata/corpus_malformed.txt", strings.Join(lines, "\n")+"\n")
}
