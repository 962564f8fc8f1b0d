package format

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"simdeck/sim/asset"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// The facts of testdata/own are about our own robots and worlds, computed by hand from their files. Tests
// compare these facts without the corpus, and those of real files with it. A link of SDF without an inertial
// has 1 kg, as the format says.

// own reads the facts of a kind of files, and makes a library of the folders that they are in.
func own(t *testing.T, kind string, facts any, folders ...string) *Library {
	t.Helper()
	readJSON(t, "testdata/own/"+kind+".json", facts)
	var roots []asset.Root
	for i, folder := range folders {
		dir, err := filepath.Abs(folder)
		if err != nil {
			t.Fatal(err)
		}
		root, err := os.OpenRoot(dir)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { root.Close() })
		roots = append(roots, asset.Root{Name: fmt.Sprint("folder", i), FS: root.FS(), Base: dir})
	}
	return NewLibrary(Config{Roots: roots})
}

// differs reports what a file is otherwise than its facts.
func differs(t *testing.T, file string, err error, d differences) {
	t.Helper()
	if err != nil {
		t.Errorf("%s: %v", file, err)
	} else if len(d) > 0 {
		t.Errorf("%s: %v", file, d)
	}
}

func TestOurOwnRobotsInURDFAreWhatTheirFilesSay(t *testing.T) {
	var e struct{ Files []urdfFacts }
	lib := own(t, "urdf", &e, "../../ros/interop/testdata/share", "../engine/testdata/own")
	for _, f := range e.Files {
		spec, err := lib.Model(scene.Resource{URI: f.File})
		if err != nil {
			t.Errorf("%s: %v", f.File, err)
			continue
		}
		differs(t, f.File, err, compareURDF(spec, f))
	}
}

func TestOurOwnModelsAndWorldsInSDFAreWhatTheirFilesSay(t *testing.T) {
	var e struct{ Files []sdfFacts }
	dir := "../../ros/interop/testdata"
	lib := own(t, "sdf", &e, dir, dir+"/models", dir+"/worlds")
	for _, f := range e.Files {
		models, notes, err := placedModels(lib, f)
		differs(t, f.File, err, compareSDF(models, notes, f))
	}
}

func TestOurOwnModelsInMJCFAreWhatTheirFilesSay(t *testing.T) {
	var e struct{ Files []mjcfFacts }
	lib := own(t, "mjcf", &e, "../engine/testdata/own/mjcf")
	for _, f := range e.Files {
		w, err := lib.World(scene.Resource{URI: f.File})
		if err != nil {
			t.Errorf("%s: %v", f.File, err)
			continue
		}
		differs(t, f.File, err, compareMJCF(w, factsOf(t, f)))
	}
}

func TestOurOwnWorldsOfWebotsAreWhatTheirFilesSay(t *testing.T) {
	var e struct{ Files []wbtFacts }
	lib := own(t, "webots", &e, "../engine/testdata/own/webots")
	for _, f := range e.Files {
		w, err := lib.World(scene.Resource{URI: f.File})
		if err != nil {
			t.Errorf("%s: %v", f.File, err)
			continue
		}
		differs(t, f.File, err, compareWebots(w.Models, w, f))
		if got := leftOut(w.Notes); got != "nothing left out" {
			t.Errorf("%s is read %s", f.File, got)
		}
	}
}

func TestOurOwnMapIsWhatItsPictureShows(t *testing.T) {
	var e struct{ Files []mapFacts }
	lib := own(t, "maps", &e, "testdata/own/map")
	for _, f := range e.Files {
		m, err := readMap(t, lib, f.File)
		if err != nil {
			t.Errorf("%s: %v", f.File, err)
			continue
		}
		differs(t, f.File, err, compareMap(m, f))
		w, err := lib.World(scene.Resource{URI: f.File})
		if err != nil {
			t.Fatal(err)
		}
		if len(w.Models) != 2 || w.Models[0].Name != "ground_plane" || !w.Models[1].Static ||
			w.Models[1].Pose.Pos != r3.V(-1, -0.75, 0) || len(w.NamedPoses) != 2 {
			t.Errorf("as a world it is %+v", w)
		}
	}
}

func TestOurOwnPrefabIsWhatItsFileSays(t *testing.T) {
	var e struct{ Files []prefabFacts }
	lib := own(t, "prefab", &e, "../engine/testdata/anyworld")
	for _, f := range e.Files {
		spec, err := lib.Model(scene.Resource{URI: f.File})
		if err != nil {
			t.Errorf("%s: %v", f.File, err)
			continue
		}
		differs(t, f.File, err, comparePrefab(spec, f))
	}
}

// The URDF has no word of a drive, which is found from the wheels; the SDF names one. Each wants a mesh of an
// antenna that is nowhere.
func TestOurOwnTwoWheelerLoadsUnmodifiedAndReportsWhatIsMissing(t *testing.T) {
	home := "../../ros/interop/testdata"
	var e struct{ Files []urdfFacts }
	lib := own(t, "urdf", &e, home+"/share", home+"/models")
	for uri, inferred := range map[string]bool{
		"two_wheeler_description/urdf/two_wheeler.urdf": true, "model://two_wheeler": false} {
		m, err := lib.Model(scene.Resource{URI: uri})
		if err != nil {
			t.Fatal(err)
		}
		if len(m.Links) != 6 || len(m.Joints) != 5 || len(m.Drives) != 1 ||
			m.Drives[0].Inferred != inferred ||
			math.Abs(m.Drives[0].Separation-0.22) > 1e-9 || m.Drives[0].Radius != 0.04 {
			t.Errorf("%s: %d links, %d joints, drives %+v", uri, len(m.Links), len(m.Joints), m.Drives)
		}
		var missing []string
		for _, n := range m.Notes {
			if n.Kind == scene.Missing {
				missing = append(missing, n.Text)
			}
		}
		if len(missing) != 1 || !strings.Contains(missing[0], "antenna.stl") {
			t.Errorf("%s: missing %q, want the antenna", uri, missing)
		}
	}
}

// broken are files that are cut short, lie about themselves or name missing files, each with its fate:
// rejected, or loaded with a note. A world loads without a model that is not there.
var broken = map[string][2]string{
	"cut.urdf": {"<robot name=\"a\"><link name=\"b\">", "reject"},
	"loop.urdf": {`<robot name="a"><link name="b"/><link name="c"/><joint name="d" type="fixed"><parent link="b"/><child link="c"/></joint><joint name="e" type="fixed"><parent link="c"/><child link="b"/></joint></robot>`,
		"reject"},
	"nobody.urdf": {`<robot name="a"><link name="b"/><joint name="d" type="fixed"><parent link="b"/><child link="none"/></joint></robot>`,
		"warn"},
	"twice.urdf": {`<robot name="a"><link name="b"/><link name="b"/></robot>`, "reject"},
	"meshless.urdf": {`<robot name="a"><link name="b"><visual><geometry><mesh filename="none.stl"/></geometry></visual></link></robot>`,
		"warn"},
	"plain.urdf": {`<robot name="a"><link name="b"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link></robot>`,
		"ok"},
	"cut.sdf":   {`<sdf version="1.9"><model name="a"><link name="b">`, "reject"},
	"empty.sdf": {`<sdf version="1.9"/>`, "reject"},
	"circle.sdf": {`<sdf version="1.9"><model name="a"><link name="b"><pose relative_to="c"/></link><frame name="c" attached_to="b"><pose relative_to="b"/></frame></model></sdf>`,
		"reject"},
	"include.sdf": {`<sdf version="1.9"><world name="a"><include><uri>model://none</uri></include></world></sdf>`,
		"warn"},
	"plain.sdf": {`<sdf version="1.9"><model name="a"><link name="b"><inertial><mass>1</mass></inertial></link></model></sdf>`,
		"ok"},
	"cut.xml":   {`<mujoco><worldbody><body>`, "reject"},
	"self.xml":  {`<mujoco><include file="self.xml"/></mujoco>`, "reject"},
	"class.xml": {`<mujoco><worldbody><geom class="none" size="1"/></worldbody></mujoco>`, "reject"},
	"cut.wbt":   {"#VRML_SIM R2023b utf8\nSolid { children [", "reject"},
	"proto.wbt": {"#VRML_SIM R2023b utf8\nWorldInfo { }\nNobodysRobot { }\nSolid { boundingObject Sphere { } }",
		"warn"},
}

func TestOurOwnBrokenFilesAreRefusedOrNoted(t *testing.T) {
	files := fstest.MapFS{}
	for name, f := range broken {
		files[name] = &fstest.MapFile{Data: []byte(f[0])}
	}
	lib := NewLibrary(Config{Roots: []asset.Root{{Name: "broken", FS: files}}})
	for name, f := range broken {
		got, err := verdict(lib, name)
		if strings.HasSuffix(name, ".wbt") {
			got = "reject"
			var w *scene.WorldSpec
			if w, err = lib.World(scene.Resource{URI: name}); err == nil {
				got = verdictOn(w.Notes)
			}
		}
		if got != f[1] {
			t.Errorf("%s: %s, want %s: %v", name, got, f[1], err)
		}
	}
}
