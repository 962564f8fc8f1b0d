package cli

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"simdeck/ui/cli/worldfile"
)

func TestArgumentsOfMacrosJoinTheAddressOfTheirFile(t *testing.T) {
	for in, want := range map[string]string{
		"":                             "",
		"a.xacro":                      "a.xacro",
		"a.xacro x:=1":                 "a.xacro?x=1",
		"a.xacro x:=1 name:=b&c y:=%":  "a.xacro?x=1&name=b%26c&y=%25",
		"a.xacro x:= name":             "a.xacro?x= name",
		"x:=1":                         "x:=1",
		"u name 1 -2":                  "u name 1 -2",
		"a.xacro sim:=true b.sdf c:=d": "a.xacro?sim=true b.sdf?c=d",
	} {
		if got := strings.Join(worldfile.WithArguments(strings.Fields(in)), " "); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestAFileOfMacrosIsFoundHereWithItsArguments(t *testing.T) {
	file := filepath.Join(t.TempDir(), "bot.urdf.xacro")
	if err := os.WriteFile(file, []byte("<robot/>"), 0o600); err != nil {
		t.Fatal(err)
	}
	if r, err := local(file+"?x=1", false); err != nil || r.URI != file+"?x=1" {
		t.Errorf("%+v %v", r, err)
	}
	if _, err := local(file+"?x=1", true); err == nil || !strings.Contains(err.Error(), "x=1") {
		t.Errorf("the text of a file takes no arguments: %v", err)
	}
}

func TestAKeyframeIsAskedOfAFileOfMuJoCo(t *testing.T) {
	for _, c := range [][3]string{
		{"a.xml", "", "a.xml"}, {"a.sdf", "", "a.sdf"}, {"a.xml", "arms up&", "a.xml?keyframe=arms+up%26"},
		{"a.sdf", "home", ""}, {"", "home", ""}, {"a.xml?keyframe=home", "squat", ""},
	} {
		got, err := withKeyframe(c[0], c[1])
		if got != c[2] || (err != nil) != (c[2] == "") || err != nil && !errors.Is(err, ErrUsage) {
			t.Errorf("keyframe %q of %q: %q, want %q; %v", c[1], c[0], got, c[2], err)
		}
	}
	if l := run(t, []string{"run", "--keyframe", "home"}, nil); !errors.Is(l.err, ErrUsage) {
		t.Errorf("the demo has no keyframes: %v", l.err)
	}
	file := filepath.Join(t.TempDir(), "arm.xml")
	if err := os.WriteFile(file, []byte("<mujoco/>"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := &simulator{}
	text := on(t, r, []string{"spawn", file, "--keyframe", "arms up"})
	if want := "URI:" + file + "?keyframe=arms+up"; len(r.asked) != 2 || !strings.Contains(r.asked[1], want) {
		t.Errorf("asked was %q, want %s: %s", r.asked, want, text)
	}
}
