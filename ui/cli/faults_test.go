package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestAFaultFromTheNetworkIsNotedAndTheDoctorSpeaksOfIt(t *testing.T) {
	state, trace := t.TempDir(), filepath.Join(t.TempDir(), "trace")
	t.Setenv("XDG_STATE_HOME", state)
	dir := filepath.Join(state, "simdeck")
	if f := noted(dir, time.Now()); f.Fix != "" || f.Said != "none recorded" {
		t.Errorf("without a fault: %+v", f)
	}
	notes := NewFaults(Options{Trace: trace}, "v1")
	at := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	for range 3 * maxFaults {
		notes.Note(Fault{At: at, Where: "a datagram", From: "10.0.0.9:7411", Data: []byte("RTPS\x02\x1b]0;x"),
			Size: 1400, Value: "index\x1b[2J", Stack: "goroutine 1"})
	}
	for _, in := range []string{dir, trace} {
		files, err := filepath.Glob(filepath.Join(in, "fault-20260304-050607-*.txt"))
		if err != nil || len(files) != maxFaults {
			t.Fatalf("%s holds %v, %v; want %d notes", in, files, err, maxFaults)
		}
		text, err := os.ReadFile(files[0])
		if err != nil || strings.Contains(string(text), "\x1b") {
			t.Errorf("%v: %q", err, text)
		}
		for _, want := range []string{"simdeck v1", "a datagram", "10.0.0.9:7411", "52 54 50 53",
			"1400 octets", "goroutine 1", `index\x1b`} {
			if !strings.Contains(string(text), want) {
				t.Errorf("the note does not say %q:\n%s", want, text)
			}
		}
		if info, err := os.Stat(files[0]); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("the note is %v, %v", info.Mode(), err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "crash-20260101-000000.txt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if f := noted(dir, time.Now()); f.Bad || f.Fix == "" ||
		!strings.HasPrefix(f.Said, "11 simdeck faults in the last 30 days") ||
		!strings.Contains(f.Said, dir) {
		t.Errorf("with faults: %+v", f)
	}
	if f := noted(dir, time.Now().Add(2*faultsMatter)); f.Fix != "" {
		t.Errorf("of old ones: %+v", f)
	}
	l := run(t, []string{"doctor"}, nil, "XDG_STATE_HOME="+state)
	if !strings.Contains(l.out, "note  faults           11 simdeck faults") || ExitCode(l.err) != 0 {
		t.Errorf("%v, doctor says:\n%s", l.err, l.out)
	}
}
