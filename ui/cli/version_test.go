package cli

import (
	"encoding/json"
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
