package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
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
		if got := strings.Join(withArguments(strings.Fields(in)), " "); got != want {
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
