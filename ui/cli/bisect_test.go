package cli

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/record"
	"simdeck/sim/scene"
)

func TestBisectNamesTheFirstStepThatDiffers(t *testing.T) {
	dir := t.TempDir()
	one, other := filepath.Join(dir, "one"), filepath.Join(dir, "other")
	taped(t, one)
	taped(t, other)
	if l := run(t, []string{"bisect", one, other}, nil); l.err != nil || l.out != "the recordings are the same\n" {
		t.Errorf("%q, %v", l.out, l.err)
	}
	file := filepath.Join(other, commandLog)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(text, []byte("\n"))
	if err := os.WriteFile(file, bytes.Join(lines[:len(lines)-2], nil), 0o644); err != nil { // without its last steps
		t.Fatal(err)
	}
	l := run(t, []string{"bisect", one, other}, nil)
	if !errors.Is(l.err, record.ErrDiverged) || ExitCode(l.err) != 1 || !strings.Contains(l.out, other+": the recording ends") {
		t.Errorf("%q, %v", l.out, l.err)
	}
	if l := run(t, []string{"bisect", one, dir}, nil); !errors.Is(l.err, scene.ErrNotFound) || ExitCode(l.err) != 3 {
		t.Errorf("a folder without a recording: %v", l.err)
	}
}

func TestBisectNamesTheRecordingThatIsNotReproduced(t *testing.T) {
	dir := t.TempDir()
	one, other := filepath.Join(dir, "one"), filepath.Join(dir, "other")
	taped(t, one)
	taped(t, other, 300)
	l := run(t, []string{"bisect", one, other}, nil)
	if !errors.Is(l.err, record.ErrDiverged) || strings.Count(l.err.Error(), "\n") > 0 ||
		!strings.Contains(l.err.Error(), "at step 300") {
		t.Errorf("%v", l.err)
	}
	if !strings.Contains(l.out, "not reproduced here: "+other+": ") || strings.Contains(l.out, "here: "+one) {
		t.Errorf("%q", l.out)
	}
}

func TestEntitiesThatDifferAreListedTheFarthestFirst(t *testing.T) {
	world := func(x, y float64, names ...string) *sim.Snapshot {
		s := &sim.Snapshot{Model: &sim.Model{}}
		for i, name := range names {
			s.Model.Entities = append(s.Model.Entities, sim.EntityModel{Name: name, Spec: &scene.ModelSpec{}})
			s.Entities = append(s.Entities, sim.EntityState{Pose: r3.Pose{Pos: r3.V(x*float64(i), y, 0), Rot: r3.Identity()}})
		}
		return s
	}
	var got []string
	for _, e := range worldsApart(world(1, 0, "a", "b", "c"), world(1.5, 0, "a", "b", "c", "d")) {
		got = append(got, e.Name+" "+e.Text)
	}
	if want := []string{"d is in the second alone", "c 1 m apart", "b 0.5 m apart"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
