package worlds_test

import (
	"cmp"
	"crypto/sha256"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"simdeck/worlds"
)

var photographer = flag.String("pictures", "", "the simdeck that takes the pictures anew: make pictures")

// shots are the pictures of README.md: camera pose, as x y z roll pitch yaw, or name, and simulated time.
// Videos have a length, and perhaps a pace and a scenario.
var shots = []shot{
	{world: "lab", camera: "-8.6 -6 5.4 0 0.5 0.6", after: "0s", video: "12s", pace: "2", size: "640x360"},
	{world: "bench", camera: "-7.5 -5.5 5 0 0.55 0.62", after: "3s"},
	{world: "warehouse", camera: "-24 -16 11 0 0.4 0.62", after: "3s"},
	{name: "aisle", world: "warehouse", camera: "scout/camera", after: "1s", video: "9s", pace: "2",
		scenario: "scenarios/aisle.yaml"},
	{world: "maze", camera: "-7.2 -9.2 10.2 0 0.79 0.97", after: "3s"},
	{world: "track", camera: "-34 -26 16 0 0.35 0.68", after: "3s"},
	{world: "crossing", camera: "26 -10 8 0 0.3 2.75", after: "28s"},
	{world: "playground", camera: "-8.3 -8.3 5.3 0 0.49 0.8", after: "0s", video: "6s", size: "800x450"},
	{world: "armcell", camera: "1.5 1.2 1.2 0 0.3 -2.45", after: "0s", video: "8s", pace: "1.4",
		size: "640x400", scenario: "scenarios/pick.yaml"},
	{world: "hangar", camera: "-16 -8.5 6.5 0 0.36 0.47", after: "1s", video: "20s", pace: "2.5",
		size: "640x360", scenario: "scenarios/gates.yaml"},
	{world: "airfield", camera: "plane/camera", after: "1s", video: "60s", pace: "6",
		size: "640x360", scenario: "scenarios/circuit.yaml"},
	{world: "harbour", camera: "-19 -11 7 0 0.35 0.65", after: "1s", video: "20s", pace: "2.5",
		size: "640x360", scenario: "scenarios/harbour.yaml"},
	{world: "hills", camera: "1.8 -7.6 3.4 0 0.2 1.75", after: "3s"},
}

// shot is a picture of a world, or a video.
type shot struct {
	name          string // of its file; empty: the world's
	world, camera string
	after         string
	video         string // its length; empty: it is a still
	size          string // pixels of a free camera; empty: 960x540
	pace          string // simulated time over time of the video; empty: 1
	scenario      string // file of what is done meanwhile; empty: nothing
}

// title is the name of its file without folder and ending.
func (s shot) title() string { return cmp.Or(s.name, s.world) }

// file is its path.
func (s shot) file() string {
	if s.video != "" {
		return "pictures/" + s.title() + ".gif"
	}
	return "pictures/" + s.title() + ".png"
}

// args are the arguments of simdeck that take it.
func (s shot) args() []string {
	args := []string{"shot", s.world, "--camera", s.camera, "--after", s.after, "--out", s.file(),
		"--size", cmp.Or(s.size, "960x540")}
	if s.video != "" {
		args = append(args, "--video", s.video, "--rtf", cmp.Or(s.pace, "1"))
	}
	if s.scenario != "" {
		args = append(args, "--scenario", s.scenario)
	}
	return args
}

// made says of which files the pictures were made.
const made = "pictures/made.txt"

func TestThePicturesAreOfTheWorldsAsTheyAre(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	if *photographer != "" {
		take(t)
	}
	want, err := os.ReadFile(made)
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	if got := prints(t); got != string(want) {
		t.Errorf("a world has changed since its picture was taken; make pictures takes them anew. Now:\n%swas:\n%s",
			got, want)
	}
	for _, s := range shots {
		if picture, err := os.ReadFile(s.file()); err != nil ||
			!strings.HasPrefix(string(picture), "\x89PNG") && !strings.HasPrefix(string(picture), "GIF89a") {
			t.Errorf("%s is no picture: %.20q %v", s.file(), picture, err)
		}
		if info, err := os.Stat(s.file()); err != nil || info.Size() > 1_000_000 {
			t.Errorf("%s is larger than 1 MB, or missing: %v", s.file(), err)
		}
		if link := "(" + s.file() + ")"; !strings.Contains(string(readme), link) {
			t.Errorf("README.md does not show %s", link)
		}
	}
}

func TestEveryWorldToLookAtHasAPicture(t *testing.T) {
	entries, err := fs.ReadDir(worlds.FS(), ".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		has := slices.ContainsFunc(shots,
			func(s shot) bool { return s.world == e.Name() })
		if !has && e.Name() != "models" && e.Name() != "empty" {
			t.Errorf("there is no picture of %s", e.Name())
		}
	}
}

// take lets simdeck draw pictures of worlds that have changed, and writes down of what.
func take(t *testing.T) {
	t.Helper()
	old, _ := os.ReadFile(made) // none: all are new
	lines := strings.SplitAfter(prints(t), "\n")
	for i, s := range shots {
		if _, err := os.Stat(s.file()); err == nil &&
			strings.Contains(string(old), lines[i]) {
			continue
		}
		out, err := exec.Command(*photographer, s.args()...).CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v: %s", s.world, err, out)
		}
		if err := os.Chmod(s.file(), 0o644); err != nil { // it is for everybody
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(made, []byte(prints(t)), 0o644); err != nil {
		t.Fatal(err)
	}
}

var modelURI = regexp.MustCompile(`model://([a-z0-9_]+)`)

// prints is a line for each picture with the fingerprint of the files that its world is made of.
func prints(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	for _, s := range shots {
		folders, sum := []string{s.world}, sha256.New()
		fmt.Fprintf(sum, "%q\n", s.args()) // another view is another picture
		if s.scenario != "" {
			folders = append(folders, s.scenario)
		}
		for i := 0; i < len(folders); i++ {
			err := filepath.WalkDir(folders[i], func(name string, d fs.DirEntry, err error) error {
				if err != nil || d.IsDir() || d.Name() == "golden.txt" {
					return err
				}
				data, err := os.ReadFile(name)
				fmt.Fprintf(sum, "%s %d\n", filepath.ToSlash(name), len(data))
				sum.Write(data)
				for _, m := range modelURI.FindAllStringSubmatch(string(data), -1) {
					if folder := path.Join("models", m[1]); !slices.Contains(folders, folder) {
						folders = append(folders, folder)
					}
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		fmt.Fprintf(&b, "%s %x\n", s.title(), sum.Sum(nil)[:8])
	}
	return b.String()
}
