package conform

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"simdeck/ros/attach"
)

func TestWhatIsAskedForIsReported(t *testing.T) {
	junit := filepath.Join(t.TempDir(), "junit.xml")
	for _, c := range []struct {
		q     Request
		want  error
		print string
	}{
		{Request{Only: `^features\.parents$`, JUnit: junit}, nil,
			"Features\n  passed   features.parents       a part of a feature"},
		{Request{Only: `^features\.parents$`, JSON: true}, nil, `"passed": 1`},
		{Request{Only: `^features\.served$`}, ErrFailed,
			"→ SPAWNABLES without get_spawnables\n\n/poor: 0 passed, 1 failed"},
		{Request{Only: "nothing"}, ErrRequest, ""},
		{Request{JUnit: "/nowhere/x.xml", Only: "names.line"}, os.ErrNotExist, "names.line"},
	} {
		var out bytes.Buffer
		err := errors.New("not run")
		attached(t, subset(t, 1), func(ctx context.Context, r *attach.Remote) {
			err = examine(ctx, r, Options{Only: regexp.MustCompile(c.q.Only)}, c.q, &out)
		})
		if !errors.Is(err, c.want) || (c.want == nil) != (err == nil) ||
			!strings.Contains(out.String(), c.print) {
			t.Errorf("%+v: %v\n%s", c.q, err, out.String())
		}
	}
	if text, err := os.ReadFile(junit); err != nil ||
		!strings.Contains(string(text), `<testcase name="features.parents"`) {
		t.Errorf("the JUnit file is %s, %v", text, err)
	}
	var out bytes.Buffer
	if err := Examine(t.Context(), attach.Config{}, attach.Target{}, Request{Decisions: true},
		&out); err != nil || !strings.Contains(out.String(), "STOPPED to PAUSED") {
		t.Errorf("the decisions are %s, %v", out.String(), err)
	}
	if err := Examine(t.Context(), attach.Config{}, attach.Target{}, Request{Only: "("},
		&out); !errors.Is(err, ErrRequest) {
		t.Errorf("an expression that is none: %v", err)
	}
}
