package batch

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"simdeck/sim/sweep"
)

func TestResultsAreTheirOwnersAloneAndLinksAreNotFollowed(t *testing.T) {
	s, err := sweep.Parse("s.yaml", []byte("name: a\nduration: 1s\nmatrix: {world: [a, b]}\n"))
	if err != nil {
		t.Fatal(err)
	}
	b := &Batch{Order: &Order{sweep: s}, Dir: filepath.Join(t.TempDir(), "new", "results"), Version: "v1"}
	rows := map[int]Row{1: {Sweep: "d", Version: "v1", Result: sweep.Result{Index: 1}}}
	if err := b.Keep(rows, "d"); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]os.FileMode{"": 0o700, journalFile: 0o600, tableFile: 0o600} {
		if info, err := os.Stat(filepath.Join(b.Dir, name)); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s is %v, want %v: %v", name, info.Mode(), want, err)
		}
	}
	outside := filepath.Join(t.TempDir(), "mine")
	for _, name := range []string{journalFile, tableFile} {
		if err := errors.Join(os.WriteFile(outside, []byte("mine"), 0o600),
			os.Remove(filepath.Join(b.Dir, name)),
			os.Symlink(outside, filepath.Join(b.Dir, name))); err != nil {
			t.Fatal(err)
		}
		err := b.Keep(rows, "d")
		if text, other := os.ReadFile(outside); other != nil || string(text) != "mine" ||
			(err == nil) != (name == tableFile) {
			t.Errorf("%s is a link: %v, and what it leads to holds %q", name, err, text)
		}
		if err := os.Remove(filepath.Join(b.Dir, name)); err != nil {
			t.Fatal(err)
		}
	}
}
