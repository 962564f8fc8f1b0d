package record

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"simdeck/sim"
)

// noted is a recording of commands and of steps with hashes, in this order.
func noted(t *testing.T, parts ...any) *Reader {
	t.Helper()
	text, at := []byte(`{"simlog":1,"version":"v","world":"w","seed":0,"step_ns":0,"rtf":0,"rewind_ns":0}`+"\n"), uint64(0)
	for _, p := range parts {
		switch p := p.(type) {
		case []uint32:
			text = AppendSteps(text, at, p)
			at += uint64(len(p))
		case sim.LogEntry:
			p.Step = at
			var err error
			if text, err = AppendCommand(text, &p); err != nil {
				t.Fatal(err)
			}
		}
	}
	r, err := NewReader(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestTwoRecordingsAreComparedToTheFirstDifference(t *testing.T) {
	drive := func(v float64, hash uint64) sim.LogEntry {
		c := sim.DriveEntity{Name: "rover"}
		c.Twist.Linear.X = v
		return sim.LogEntry{Command: c, Sender: "somebody", Hash: hash}
	}
	steps := func(h ...uint32) []uint32 { return h }
	first := []any{steps(1, 2), drive(1, 3), steps(4, 5, 6)}
	for _, c := range []struct {
		about    string
		other    []any
		at       uint64
		commands uint64
		worlds   bool
		b        string
	}{
		{"the same", first, 0, 0, false, ""},
		{"the same, in other lines", []any{steps(1), steps(2), drive(1, 3), steps(4), steps(5, 6)}, 0, 0, false, ""},
		{"a step", []any{steps(1, 2), drive(1, 3), steps(4, 7, 6)}, 4, 1, true, "step 4, world …00000007"},
		{"the first step", []any{steps(9, 2)}, 1, 0, true, "step 1, world …00000009"},
		{"a command", []any{steps(1, 2), drive(2, 3), steps(4)}, 2, 0, false, "drive rover 2.00 m/s"},
		{"what a command did", []any{steps(1, 2), drive(1, 8), steps(4)}, 2, 0, true, "world …00000008"},
		{"a command too late", []any{steps(1, 2, 3), drive(1, 3)}, 2, 0, false, "step 3"},
		{"the end", []any{steps(1, 2), drive(1, 3), steps(4)}, 3, 1, false, "the recording ends"},
	} {
		d, err := Compare(noted(t, first...), noted(t, c.other...))
		if err != nil {
			t.Fatal(err)
		}
		if c.b == "" {
			if d != nil {
				t.Errorf("%s: %+v", c.about, d)
			}
			continue
		}
		if d == nil || d.Steps != c.at || d.Commands != c.commands || d.Worlds != c.worlds || !strings.Contains(d.B, c.b) {
			t.Errorf("%s: %+v, want %q at step %d after %d commands", c.about, d, c.b, c.at, c.commands)
		}
	}
	broken, err := NewReader(strings.NewReader(`{"simlog":1,"world":"w"}` + "\nnothing\n"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Compare(noted(t, first...), broken); !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("a line that is none: %v", err)
	}
}
