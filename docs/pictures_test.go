package docs

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var photographer = flag.String("pictures", "", "the simdeck that takes the pictures anew: make pictures")

// shots are the pictures of the manual and of README.md, beside those of worlds: what shot is asked for.
var shots = map[string][]string{
	"demo.gif": shot("warehouse --video 10s --after 0s --size 112x32 --color true", "--press",
		"900ms D 300ms up:1400ms +:500ms up:1100ms left up:800ms 100ms up:1000ms V 800ms V V V 200ms esc "+
			"n 100ms p o r t 400ms enter 500ms d 300ms enter 300ms u 500ms"),
	"console.svg": shot("lab --press view.camera --size 190x52 --color true --after 3s"),
	"topics.svg":  shot("bench --press view.detail,view.zoom --size 90x34 --color true --after 3s"),
	"charts.gif": shot("playground --video 7s --after 0s --rtf 4 --size 90x26 --color true", "--press",
		"/ d o u b enter 9 z down:1200ms 3s b 700ms b 700ms space"),
	"gantry.png":   shot("armcell --camera gantry/overview --after 1s"),
	"scout.png":    shot("bench --camera scout/camera --after 1s"),
	"terminal.svg": shot("bench --press view.map --size 80x24 --symbols ascii --color never --after 3s"),
}

// browsed are the pictures that Chromium takes of the page of viewers: make pictures.
var browsed = []string{"viewers.png"}

// shot are the arguments of a picture: words, and those that have blanks.
func shot(words string, more ...string) []string { return append(strings.Fields(words), more...) }

func TestThePicturesAreThoseThatTheProgramMakesAndSomePageShowsThem(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	if *photographer != "" {
		for name, args := range shots {
			all := append(append([]string{"shot"}, args...), "--out", "pictures/"+name)
			if out, err := exec.Command(*photographer, all...).CombinedOutput(); err != nil {
				t.Fatalf("%s: %v: %s", name, err, out)
			}
			if err := os.Chmod("pictures/"+name, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	shown := ""
	for _, page := range append(manual(t), "../README.md") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		shown += string(text)
	}
	files, err := filepath.Glob("pictures/*")
	if err != nil || len(files) != len(shots)+len(browsed) {
		t.Errorf("%d pictures, %d are made: %v", len(files), len(shots)+len(browsed), err)
	}
	begins := map[string]string{".svg": "<svg ", ".png": "\x89PNG", ".gif": "GIF89a"}
	for _, file := range files {
		if name := filepath.Base(file); shots[name] == nil && !slices.Contains(browsed, name) {
			t.Errorf("nothing makes %s", file)
		}
		data, err := os.ReadFile(file)
		if err != nil || !strings.HasPrefix(string(data), begins[filepath.Ext(file)]) {
			t.Errorf("%s is no picture of its kind: %v", file, err)
		}
		if !strings.Contains(shown, file) {
			t.Errorf("no page shows %s", file)
		}
	}
}
