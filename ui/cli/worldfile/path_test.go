package worldfile

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestAPathIsCompletedByFoldersWorldFilesAndBundles(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	t.Setenv("HOME", filepath.Join(dir, "home"))
	for _, name := range []string{"yard.sdf", "yarn.txt", "year.world", ".yard.sdf", "yew/arm.urdf",
		"yew/notes.md", "yawl/world.yaml", "home/lab.wbt"} {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for typed, want := range map[string][]string{
		"y": {"yard.sdf", "yawl", "year.world", "yew/"}, "ya": {"yard.sdf", "yawl"},
		"./ye": {"./year.world", "./yew/"}, "yew/": {"yew/arm.urdf"},
		dir + "/yew/a": {dir + "/yew/arm.urdf"}, "~/": {"~/lab.wbt"},
		".y": {".yard.sdf"}, "no": nil, "no/": nil, "yard.sdf/": nil,
	} {
		if got := Paths(typed); !slices.Equal(got, want) {
			t.Errorf("%q is completed by %q, want %q", typed, got, want)
		}
	}
}

func TestATypedWorldIsWhatTheCommandLineTakes(t *testing.T) {
	t.Setenv("HOME", "/home/ada")
	for typed, want := range map[string]string{
		"bench": "bench", "~/lab.sdf": "/home/ada/lab.sdf", "my lab.sdf": "my lab.sdf",
		"arm.urdf.xacro prefix:=left wide:=true": "arm.urdf.xacro?prefix=left&wide=true",
		"/r/arm.xml?keyframe=arms up":            "/r/arm.xml?keyframe=arms up",
	} {
		if got := Typed(typed); got != want {
			t.Errorf("%q is %q, want %q", typed, got, want)
		}
	}
}
