package batch

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestAJobHoldsWhatStandsInTheFolderOfTheSweepAndRefusesTheRest(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"in/worlds/a.sdf": "<sdf/>", "in/play.yaml": "phases: [{name: go}]\n",
		"in/large.sdf": strings.Repeat(" ", mostFiles), "in/picture.sdf": "\xff\xfe", "out.sdf": "<sdf/>",
		"in/bundle/world.yaml": "metadata: {}\n",
	} {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for world, says := range map[string]string{
		"worlds/a.sdf": "", "bench": "", filepath.Join(dir, "out.sdf"): "",
		"../out.sdf":  "../out.sdf is not in the folder of the sweep",
		"large.sdf":   "more than 1048576 bytes with large.sdf",
		"picture.sdf": "picture.sdf is no text", "bundle": "bundle is a folder",
	} {
		file := filepath.Join(dir, "in", "My Sweep_7.yaml")
		if err := os.WriteFile(file, []byte("duration: 1s\nscenario: play.yaml\nmatrix: {world: ["+world+
			"], step: [1ms, 2ms]}\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		o, err := Read(file)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		err = WriteJob(&out, o, Job{Image: "registry/simdeck:1", Parallelism: 9, Volume: "claim"})
		if says != "" {
			if err == nil || !strings.Contains(err.Error(), says) {
				t.Errorf("%s: %v, want %q", world, err, says)
			}
			continue
		}
		for _, want := range []string{"name: my-sweep-7\n", "completions: 2\n", "parallelism: 2\n",
			"image: registry/simdeck:1\n", "claimName: claim\n", "- /sweep/My Sweep_7.yaml\n",
			"path: play.yaml\n", "phases: [{name: go}]"} {
			if err != nil || !strings.Contains(out.String(), want) {
				t.Errorf("%s: %v, %q is not in\n%s", world, err, want, out.String())
			}
		}
		if got := strings.Contains(out.String(), "path: worlds/a.sdf\n"); got != (world == "worlds/a.sdf") {
			t.Errorf("%s: the file of the world is in the Job: %v", world, got)
		}
	}
}
