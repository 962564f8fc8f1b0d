package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"simdeck/sim/asset"
	"simdeck/sim/format"
	"simdeck/sim/scene"
)

// corpusFiles are main files of the corpus's robots and worlds, every nth: by item and path in it.
func corpusFiles(t *testing.T, nth int) [][2]string {
	t.Helper()
	dir := os.Getenv("SIMDECK_CORPUS")
	if dir == "" {
		dir = "../../../shared/corpus/dev"
	}
	if _, err := os.Stat(dir); err != nil {
		if os.Getenv("SIMDECK_CORPUS_REQUIRED") == "1" {
			t.Fatalf("the corpus is required and %s is not there", dir)
		}
		t.Skipf("no corpus at %s", dir)
	}
	var all [][2]string
	for _, kind := range []string{"urdf", "sdf"} {
		items, err := filepath.Glob(filepath.Join(dir, kind, "*", "item.json"))
		if err != nil {
			t.Fatal(err)
		}
		for _, item := range items {
			var about struct{ Main []string }
			text, err := os.ReadFile(item)
			if err == nil {
				err = json.Unmarshal(text, &about)
			}
			if err != nil {
				t.Fatal(err)
			}
			for _, file := range about.Main {
				all = append(all, [2]string{filepath.Dir(item), file})
			}
		}
	}
	var out [][2]string
	for i := 0; i < len(all); i += nth {
		out = append(out, all[i])
	}
	return out
}

func TestCheckReportsOnRobotsAndWorlds(t *testing.T) {
	t.Run("own", func(t *testing.T) {
		home := "../../ros/interop/testdata"
		reportsOn(t, [][2]string{{home + "/share", "two_wheeler_description/urdf/two_wheeler.urdf"},
			{home + "/share", "six_axis_arm_description/urdf/six_axis_arm.urdf"},
			{home, "models/two_wheeler/model.sdf"}, {home, "worlds/yard.world"}, {home, "worker.wbt"},
			{"../../sim/engine/testdata/own", "quadruped.urdf.xacro"},
			{"../../sim/engine/testdata/own", "mjcf/arm.xml"}})
	})
	t.Run("corpus", func(t *testing.T) { reportsOn(t, corpusFiles(t, 19)) })
}

// reportsOn checks files, of which three quarters load.
func reportsOn(t *testing.T, files [][2]string) {
	t.Helper()
	loaded := 0
	for _, f := range files {
		root, err := os.OpenRoot(f[0])
		if err != nil {
			t.Fatal(err)
		}
		defer root.Close()
		lib := format.NewLibrary(format.Config{Roots: []asset.Root{{Name: "item", FS: root.FS()}}})
		r := &checked{File: f[1]}
		model, err := r.load(t.Context(), lib,
			scene.Resource{URI: "spawnable://item/" + filepath.ToSlash(f[1])}, filepath.Join(f[0], f[1]), nil)
		switch {
		case err != nil && ExitCode(err) != 3:
			t.Errorf("%s: exit code %d: %v", f[1], ExitCode(err), err)
		case err != nil:
		case r.Kind == "world" && r.Name == "", r.Kind == "model" && (r.Links == 0 || model == nil):
			t.Errorf("%s loads and is %+v", f[1], r)
		default:
			loaded++
		}
		for _, m := range r.Engine {
			if m.Error != "" {
				t.Errorf("%s: model %s loads and cannot be simulated: %s", f[1], m.Model, m.Error)
			}
		}
	}
	t.Logf("%d of %d load", loaded, len(files))
	if loaded*4 < len(files)*3 {
		t.Errorf("only %d of %d load", loaded, len(files))
	}
}
