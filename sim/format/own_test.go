package format

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"simdeck/sim/asset"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// The facts of testdata/own are of our own robots and worlds, worked out by hand from what their files say:
// what tests hold real files against beside the corpus, they hold these against without it. A link of SDF
// without an inertial has 1 kg, as the format says.

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
