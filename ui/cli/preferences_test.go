package cli

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

func TestADeskRemembersLayouts(t *testing.T) {
	dir := t.TempDir()
	d := &Preferences{Dir: dir}
	if got := d.Layouts(); len(got) != 0 {
		t.Errorf("at first %v", got)
	}
	if err := d.KeepLayout("night", "map map log"); err != nil {
		t.Fatal(err)
	}
	if err := d.KeepSymbols("xterm", "block"); err != nil {
		t.Fatal(err)
	}
	again := &Preferences{Dir: dir}
	if got := again.Layouts()["night"]; got != "map map log" || again.Symbols("xterm") != "block" {
		t.Errorf("kept %q, %q", got, again.Symbols("xterm"))
	}
	for i := range mostLayouts {
		err := again.KeepLayout(fmt.Sprint(i), "map")
		if full := i == mostLayouts-1; (err != nil) != full {
			t.Fatalf("layout %d: %v", i, err)
		}
	}
	if err := again.KeepLayout("night", strings.Repeat("map ", 100)); err == nil ||
		again.Layouts()["night"] != "map map log" {
		t.Errorf("a long one: %v", err)
	}
}

func TestADeskRemembersSymbolsByTerminal(t *testing.T) {
	d := &Preferences{Dir: t.TempDir() + "/new"}
	if s := d.Symbols("vt100"); s != "" {
		t.Errorf("before anything is kept: %q", s)
	}
	for term, symbols := range map[string]string{"vt100": "ascii", "xterm": "braille"} {
		if err := d.KeepSymbols(term, symbols); err != nil {
			t.Fatal(err)
		}
	}
	again := &Preferences{Dir: d.Dir}
	if a, b, c := again.Symbols("vt100"), again.Symbols("xterm"), again.Symbols("linux"); a != "ascii" ||
		b != "braille" || c != "" {
		t.Errorf("another console finds %q, %q, %q", a, b, c)
	}
	for i := range 200 {
		if err := d.KeepSymbols(fmt.Sprint("term", i), "block"); err != nil {
			t.Fatal(err)
		}
	}
	if info, err := os.Stat(d.file()); err != nil || info.Size() > 4096 || d.Symbols("vt100") != "ascii" {
		t.Errorf("after 200 kinds of terminals: %v, %v", info, err)
	}
	if err := os.WriteFile(d.file(), []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	if s := d.Symbols("vt100"); s != "" {
		t.Errorf("of a file that is none: %q", s)
	}
}

func TestEveryPictureGetsFilesOfItsOwn(t *testing.T) {
	d := &Preferences{Dir: t.TempDir(), World: func() string { return "../a b" }}
	seen := map[string]bool{}
	for i := range 3 {
		path, err := d.SavePicture([]byte{byte(i)}, fmt.Sprint("text ", i))
		if err != nil || seen[path] || !strings.Contains(path, "/pictures/---a-b-") {
			t.Fatalf("picture %d: %q, %v", i, path, err)
		}
		seen[path] = true
		png, err := os.ReadFile(path)
		text, other := os.ReadFile(strings.TrimSuffix(path, "png") + "txt")
		if err != nil || other != nil || png[0] != byte(i) || string(text) != fmt.Sprint("text ", i) {
			t.Errorf("picture %d: %v, %v, %q", i, err, other, text)
		}
	}
	if err := os.WriteFile(d.Dir+"/file", nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := (&Preferences{Dir: d.Dir + "/file", World: d.World}).SavePicture(nil, ""); err == nil {
		t.Error("a folder that is a file takes a picture")
	}
}
