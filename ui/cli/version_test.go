package cli

import (
	"encoding/json"
	"runtime/debug"
	"strings"
	"testing"
)

func TestTheVersionIsThatOfTheProgram(t *testing.T) {
	l := run(t, []string{"version"}, nil)
	if !strings.HasPrefix(l.out, "simdeck test, go1.") {
		t.Errorf("%q", l.out)
	}
	l = run(t, []string{"version", "--json"}, nil)
	var e edition
	if err := json.Unmarshal([]byte(l.out), &e); err != nil || e.Version != "test" || e.System == "" ||
		e.Arch == "" {
		t.Errorf("%v: %s", err, l.out)
	}
}

func TestABinaryOfGoInstallHasTheVersionOfItsModule(t *testing.T) {
	installed := &debug.BuildInfo{Main: debug.Module{Path: "example.com/simdeck", Version: "v1.2.3",
		Sum: "h1:x"}}
	copied := &debug.BuildInfo{Main: debug.Module{Path: "simdeck", Version: "v0.0.0-20260102030405-abc+dirty"}}
	for _, c := range []struct {
		linked string
		info   *debug.BuildInfo
		want   string
	}{
		{"", installed, "1.2.3"}, {"2.0.0", installed, "2.0.0"}, {"", copied, development},
		{"", nil, development}, {"2.0.0", nil, "2.0.0"},
	} {
		if got := versionOf(c.linked, c.info); got != c.want {
			t.Errorf("linked %q, %+v: version %s, want %s", c.linked, c.info, got, c.want)
		}
	}
	if e := editionOf("1.2.3", installed); e.Module != "example.com/simdeck" {
		t.Errorf("%+v", e)
	}
}
