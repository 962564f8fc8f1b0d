package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"simdeck/sim"
	"simdeck/sim/asset"
	"simdeck/sim/engine"
	"simdeck/sim/format"
	"simdeck/sim/scene"
)

// onDisk is the real library over a folder.
func onDisk(t *testing.T) func(o Options) (scene.Library, scene.Resource, error) {
	t.Helper()
	return func(o Options) (scene.Library, scene.Resource, error) {
		dir := filepath.Dir(o.World)
		root, err := os.OpenRoot(dir)
		if err != nil {
			return nil, scene.Resource{}, err
		}
		t.Cleanup(func() { root.Close() })
		lib := format.NewLibrary(format.Config{Roots: []asset.Root{{Name: "here", FS: root.FS()}}})
		return lib, scene.Resource{URI: "spawnable://here/" + filepath.Base(o.World)}, nil
	}
}

// checks runs check with the real library.
func checks(t *testing.T, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	keys, err := os.ReadFile("../../keymap.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	root := newRoot(&session{Program: Program{Keymap: keys, DefaultWorld: "x", Library: onDisk(t)},
		environ: []string{"XDG_CONFIG_HOME=" + t.TempDir()}})
	root.SetArgs(append([]string{"check"}, args...))
	root.SetOut(&out)
	root.SetErr(&errs)
	err = root.ExecuteContext(t.Context())
	return out.String(), errs.String(), err
}

// TestABadWorldBundleEndsWithTheCodeOfAFileAndSaysWhichOfThreeThingsIsWrong: a bundle that is not there, one
// that is invalid, one of which a file is missing.
func TestABadWorldBundleEndsWithTheCodeOfAFileAndSaysWhichOfThreeThingsIsWrong(t *testing.T) {
	dir := t.TempDir()
	world := "metadata: metadata.json\ngeometry: {heightmap_bin: h.bin, heightmap_yaml: h.yaml, drivable_geojson: road.geojson}\n" +
		"sensors: {calibration: cal.yaml}\nsim: {timebase: time.yaml}\n"
	good := map[string]string{"world.yaml": world, "metadata.json": "{}",
		"h.yaml": "width: 2\nheight: 2\nresolution: 5\n", "h.bin": strings.Repeat("\x00", 16),
		"road.geojson": `{"type": "FeatureCollection", "features": []}`, "cal.yaml": "{}",
		"time.yaml": "dt: 0.01\n"}
	for _, c := range []struct {
		bundle, file, text string
		code               int
		want               string
	}{
		{"good", "", "", 0, ""},
		{"broken", "world.yaml", world + "vehicle: {wheelbase: -3}\n", 3,
			"world.yaml:5:22: wheelbase is -3; from 0.8 to 20 is possible"},
		{"torn", "time.yaml", "", 3, "missing assets: here/world.yaml:4:17: sim.timebase: time.yaml: not found"},
		{"nowhere", "world.yaml", "", 3, "not found"},
	} {
		at := filepath.Join(dir, c.bundle)
		if err := os.Mkdir(at, 0o755); err != nil {
			t.Fatal(err)
		}
		files := maps.Clone(good)
		if files[c.file] = c.text; c.text == "" {
			delete(files, c.file)
		}
		for name, text := range files {
			if err := os.WriteFile(filepath.Join(at, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		_, _, err := checks(t, filepath.Join(at, "world.yaml"))
		if code := ExitCode(err); code != c.code || err != nil && !strings.Contains(oneLine(err), c.want) {
			t.Errorf("%s: exit code %d, %v; want %d, %s", c.bundle, code, err, c.code, c.want)
		}
	}
}

func TestCheckSaysWhatLoadsAndWhatIsDoubtful(t *testing.T) {
	for file, code := range map[string]int{"good.urdf": 0, "doubtful.urdf": 0, "yard.sdf": 0,
		"broken.urdf": 3, "nowhere.urdf": 3} {
		file = "testdata/check/" + file
		for _, kind := range []string{"txt", "json"} {
			args := []string{file}
			if kind == "json" {
				args = append(args, "--json")
			}
			out, _, err := checks(t, args...)
			if got := ExitCode(err); got != code {
				t.Errorf("%v: exit code %d, %v; want %d", args, got, err, code)
			}
			if err != nil {
				out += "error: " + oneLine(err) + "\n"
			}
			golden := file + "." + kind
			if *update {
				if err := os.WriteFile(golden, []byte(out), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if out != string(want) {
				t.Errorf("%v differs from %s (-update rewrites it):\n%s", args, golden, out)
			}
		}
	}
}

func TestCheckWithStrictFailsWhereThereIsSomethingToSay(t *testing.T) {
	if _, _, err := checks(t, "--strict", "testdata/check/good.urdf"); err != nil {
		t.Errorf("a good robot: %v", err)
	}
	_, said, err := checks(t, "--strict", "testdata/check/good.urdf", "testdata/check/doubtful.urdf")
	if ExitCode(err) != 3 || !strings.Contains(said, "nowhere.stl") {
		t.Errorf("a doubtful robot: %v, on stderr %q", err, said)
	}
}

// here copies a file into a folder of its own.
func here(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata/check", name))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestASidecarIsWrittenOnceAndReadByTheLibrary(t *testing.T) {
	file := here(t, "good.urdf")
	out, _, err := checks(t, "--write-info", file)
	sidecar := strings.TrimSuffix(file, ".urdf") + ".simulationinfo"
	if err != nil || !strings.Contains(out, "wrote "+sidecar) {
		t.Fatalf("%v:\n%s", err, out)
	}
	text, err := os.ReadFile(sidecar)
	if err != nil {
		t.Fatal(err)
	}
	lib, r, _ := onDisk(t)(Options{World: file})
	m, err := lib.Model(r)
	if err != nil {
		t.Fatal(err)
	}
	if b := m.Info.Bounds; b.Kind != scene.BoxBounds || b.Points[0].X != 0.5 || b.Points[0].Z != 0.55 ||
		b.Points[1].Z != -0.125 || m.Info.Category != scene.Robot || len(m.Notes) > 0 {
		t.Errorf("the library reads %+v of %s, notes %v", m.Info, text, m.Notes)
	}
	if _, _, err := checks(t, "--write-info", file); ExitCode(err) != 2 ||
		!strings.Contains(err.Error(), "--overwrite") {
		t.Errorf("a second time: %v", err)
	}
	if now, _ := os.ReadFile(sidecar); !bytes.Equal(now, text) {
		t.Error("the sidecar was changed without being told")
	}
}

func TestNewBoundsLeaveTheRestOfASidecarAlone(t *testing.T) {
	file := here(t, "good.urdf")
	sidecar := strings.TrimSuffix(file, ".urdf") + ".simulationinfo"
	if err := os.WriteFile(sidecar,
		[]byte(`{"description":"mine","tags":["a"],"category":"human","convex":{"parts":3},"bounds":{"sphere":{"radius":1}}}`),
		0o644); err != nil {
		t.Fatal(err)
	}
	if _, _, err := checks(t, "--write-info", "--overwrite", file); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(sidecar)
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Description, Category string
		Tags                  []string
		Convex                struct{ Parts int }
		Bounds                map[string]json.RawMessage
	}
	if err := json.Unmarshal(text, &got); err != nil || got.Description != "mine" ||
		got.Category != "human" || got.Convex.Parts != 3 || got.Bounds["box"] == nil ||
		got.Bounds["sphere"] != nil {
		t.Errorf("%v: %s", err, text)
	}
	if err := os.WriteFile(sidecar, []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, _, err := checks(t, "--write-info", "--overwrite", file); ExitCode(err) != 3 {
		t.Errorf("a sidecar that cannot be read: %v", err)
	}
	if now, _ := os.ReadFile(sidecar); string(now) != "{" {
		t.Errorf("it was overwritten all the same: %s", now)
	}
	for _, args := range [][]string{{"--overwrite", file}, {"--write-info", "testdata/check/yard.sdf"}} {
		if _, _, err := checks(t, args...); ExitCode(err) != 2 {
			t.Errorf("%v: %v, want exit code 2", args, err)
		}
	}
}

// What run warns of when it puts a world together, check says too; models that are alike are one line.
func TestCheckSaysWhatRunWarnsOf(t *testing.T) {
	const arm = `<link name="a"/><link name="b"><inertial><mass>1</mass></inertial></link><joint name="j" type="revolute"><parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz><initial_position>2</initial_position><limit><lower>-1</lower><upper>1</upper></limit></axis></joint>`
	text := `<sdf version="1.9"><world name="w"><model name="机器人一号"><static>true</static><link name="l"/></model><model name="Greifer ä"><static>true</static><link name="l"/></model><model name="机器人二号"><static>true</static><link name="l"/></model>`
	for i := range 20 {
		text += fmt.Sprintf(`<model name="arm%d"><pose>%d 0 1 0 0 0</pose>%s</model>`, i, i, arm)
	}
	file := filepath.Join(t.TempDir(), "w.sdf")
	if err := os.WriteFile(file, []byte(text+`</world></sdf>`), 0o600); err != nil {
		t.Fatal(err)
	}
	out, _, err := checks(t, file)
	if err != nil {
		t.Fatal(err)
	}
	lib, r, err := onDisk(t)(Options{World: file})
	if err != nil {
		t.Fatal(err)
	}
	w, err := engine.NewWorld(engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	load := sim.LoadWorld{Resource: r}
	if _, err := w.Apply(load, engine.Load(lib, load)); err != nil {
		t.Fatal(err)
	}
	notes := w.Snapshot().Model.Notes
	if len(notes) < 4 {
		t.Errorf("run has the notes %v", notes)
	}
	for _, n := range notes {
		if n := strings.Count(out, n.Message()+"\n"); n != 1 {
			t.Errorf("a note of run is %d times in\n%s", n, out)
		}
	}
	if n := strings.Count(out, "joints in reduced coordinates"); n != 1 {
		t.Errorf("the joints of models that are alike are in %d lines:\n%s", n, out)
	}
	if _, _, err := checks(t, "--strict", file); !errors.Is(err, scene.ErrUnsupportedParts) {
		t.Errorf("--strict: %v", err)
	}
}
