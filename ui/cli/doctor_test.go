package cli

import (
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTheDoctorTellsWhatIsWrongAndTheFix(t *testing.T) {
	l := run(t, []string{"doctor"}, nil)
	for _, want := range []string{"network\n  ok    multicast lo     heard\n", "machine\n", "  ok    clock",
		"files\n", "  ok    search path      the embedded worlds"} {
		if !strings.Contains(l.out, want) {
			t.Errorf("no %q in:\n%s", want, l.out)
		}
	}
	if ExitCode(l.err) != 0 {
		t.Errorf("a machine in health: %v", l.err)
	}
	l = run(t, []string{"doctor", "--interface", "sick"}, nil)
	if want := "  BAD   sockets          no such interface\n                         → another\n"; !strings.Contains(
		l.out,
		want) || ExitCode(l.err) != 1 {
		t.Errorf("%v, no %q in:\n%s", l.err, want, l.out)
	}
	l = run(t, []string{"doctor", "--json"}, nil)
	var all []Finding
	if err := json.Unmarshal([]byte(l.out), &all); err != nil || len(all) < 5 || all[0].Area != "network" {
		t.Errorf("%v: %s", err, l.out)
	}
}

func TestAFolderThatCannotBeWrittenAndASmallBufferAreNamed(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if f := writable("state", filepath.Join(file, "in it")); f.Fix == "" ||
		!strings.Contains(f.Said, "a file") {
		t.Errorf("%+v", f)
	}
	if f := writable("state", filepath.Join(filepath.Dir(file), "new")); f.Fix != "" {
		t.Errorf("%+v", f)
	}
	if small, large := receiveBuffer("212992\n"),
		receiveBuffer("4194304\n"); !strings.Contains(small.Fix, "sysctl") || large.Fix != "" {
		t.Errorf("%+v, %+v", small, large)
	}
}

func TestTheDoctorTellsWhereControllersFindTheirLibrary(t *testing.T) {
	home := t.TempDir()
	if err := os.MkdirAll(filepath.Join(home, "lib", "controller"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		webots     *Webots
		home, said string
		fix        bool
	}{
		{nil, "", "none are started (--run-controllers); WEBOTS_HOME is not set", false},
		{&Webots{}, home, "none are started (--run-controllers); their library is in " + home, false},
		{&Webots{Run: true}, home, "started; their library is in " + home, false},
		{&Webots{Run: true}, "", "started; WEBOTS_HOME is not set", true},
		{&Webots{Run: true}, filepath.Join(home, "lib"), "WEBOTS_HOME " + filepath.Join(home, "lib"), true},
	} {
		if f := controllers(c.webots, c.home); !strings.Contains(f.Said, c.said) || f.Fix != "" != c.fix {
			t.Errorf("%+v, WEBOTS_HOME=%s: %+v", c.webots, c.home, f)
		}
	}
}

func TestATraceIsARecordingAndAFileOfDatagrams(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "trace")
	l := run(t, []string{"run", "--trace", dir}, nil)
	if l.err != nil || l.options.Recording.Dir != dir || l.options.RecordsTopics() {
		t.Errorf("%+v, %v", l.options, l.err)
	}
	if l := run(t, []string{"run", "--trace", dir, "--record", "tape"},
		nil); l.options.Recording.Dir != "tape" ||
		!l.options.RecordsTopics() || l.options.Trace != dir {
		t.Errorf("with a recording: %+v", l.options)
	}
	file, err := l.options.OpenTrace(slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "rtps.pcap")); err != nil {
		t.Error(err)
	}
	if _, err := l.options.OpenTrace(slog.New(slog.DiscardHandler)); ExitCode(err) != 2 ||
		!strings.Contains(err.Error(), dir) {
		t.Errorf("a second one in the same folder: %v", err)
	}
	l.options.ROS.Off = true
	if file, err := l.options.OpenTrace(slog.New(slog.DiscardHandler)); file != nil || err != nil {
		t.Errorf("without a network: %v, %v", file, err)
	}
}
