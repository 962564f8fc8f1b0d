package worlds_test

import (
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

// shots are the pictures of README.md: camera pose, as x y z roll pitch yaw, simulated time, and length where
// motion matters.
var shots = []shot{
	{"bench", "-7.5 -5.5 5 0 0.55 0.62", "3s", ""},
	{"warehouse", "-24 -16 11 0 0.4 0.62", "3s", ""},
	{"maze", "-7.2 -9.2 10.2 0 0.79 0.97", "3s", ""},
	{"track", "-34 -26 16 0 0.35 0.68", "3s", ""},
	{"playground", "-8.3 -8.3 5.3 0 0.49 0.8", "0s", "6s"},
	{"armcell", "-1.6 -1.6 1.9 0 0.4 0.8", "3s", ""},
	{"hills", "-7.8 -7 5 0 0.27 0.76", "3s", ""},
}

// shot is a picture of a world, or a video.
type shot struct{ world, camera, after, video string }

// file is its path.
func (s shot) file() string {
	if s.video != "" {
		return "pictures/" + s.world + ".gif"
	}
	return "pictures/" + s.world + ".png"
}

// made says of which files the pictures were made.
const made = "pictures/made.txt"

func TestThePicturesAreOfTheWorldsAsTheyAre(t *testing.T) {
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
		args := []string{"shot", s.world, "--camera", s.camera, "--after", s.after, "--out", s.file()}
		if s.video != "" {
			args = append(args, "--size", "800x450", "--video", s.video)
		} else {
			args = append(args, "--size", "960x540")
		}
		out, err := exec.Command(*photographer, args...).CombinedOutput()
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
		fmt.Fprintf(&b, "%s %x\n", s.world, sum.Sum(nil)[:8])
	}
	return b.String()
}
