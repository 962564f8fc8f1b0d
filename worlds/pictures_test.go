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

// shots are the pictures of README.md: what is pressed in the console, and when in simulated time.
var shots = []struct{ world, press, after string }{
	{"bench", "view.camera,view.zoom", "3s"},
	{"warehouse", "view.camera,view.zoom", "3s"},
	{"maze", "view.camera,view.zoom", "3s"},
	{"track", "view.camera,view.zoom", "3s"},
	{"playground", "view.camera,view.zoom", "3s"},
	{"armcell", "view.camera,view.zoom", "3s"},
	{"hills", "view.camera,view.zoom", "3s"},
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
		if picture, err := os.ReadFile("pictures/" + s.world + ".svg"); err != nil ||
			!strings.HasPrefix(string(picture), "<svg") {
			t.Errorf("pictures/%s.svg is no picture: %.20q %v", s.world, picture, err)
		}
		if link := "(pictures/" + s.world + ".svg)"; !strings.Contains(string(readme), link) {
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
			func(s struct{ world, press, after string }) bool { return s.world == e.Name() })
		if !has && e.Name() != "models" && e.Name() != "empty" {
			t.Errorf("there is no picture of %s", e.Name())
		}
	}
}

// take lets simdeck draw the pictures of worlds that have changed, and writes down of what.
func take(t *testing.T) {
	t.Helper()
	old, _ := os.ReadFile(made) // none: all are new
	lines := strings.SplitAfter(prints(t), "\n")
	for i, s := range shots {
		if _, err := os.Stat("pictures/" + s.world + ".svg"); err == nil &&
			strings.Contains(string(old), lines[i]) {
			continue
		}
		out, err := exec.Command(*photographer, "shot", s.world, "--size", "120x36", "--color", "true",
			"--press", s.press,
			"--after", s.after, "--out", "pictures/"+s.world+".svg").CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v: %s", s.world, err, out)
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
