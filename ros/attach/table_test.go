package attach

import (
	"slices"
	"testing"

	"simdeck/ros/msgs"
	"simdeck/ros/rosidl"
)

// definitions are those of one line with all that they use.
func definitions(t *testing.T, lines ...string) *rosidl.Library {
	t.Helper()
	lib := rosidl.NewLibrary()
	for _, p := range []string{"std_msgs", "geometry_msgs", "builtin_interfaces", "service_msgs",
		"action_msgs", "unique_identifier_msgs"} {
		if err := lib.AddPackage(msgs.Definitions(), p, p); err != nil {
			t.Fatal(err)
		}
	}
	for _, line := range lines {
		if err := lib.AddPackage(msgs.Definitions(), pkg+"@"+line, pkg); err != nil {
			t.Fatal(err)
		}
	}
	return lib
}

func hashes(t *testing.T, lib *rosidl.Library, kind string) [2]string {
	t.Helper()
	request, err1 := lib.Hash(pkg + "/srv/" + kind + "_Request")
	response, err2 := lib.Hash(pkg + "/srv/" + kind + "_Response")
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	return [2]string{request, response}
}

func TestEveryServiceCanBeCalledInEveryLineThatHasIt(t *testing.T) {
	two, one, draft := definitions(t, "2.x"), definitions(t, "1.x"), definitions(t, "2.x", "draft")
	var kinds []string
	for _, s := range services() {
		kinds = append(kinds, s.kind)
		has := func(l Line, want [2]string) bool {
			return slices.ContainsFunc(s.dialects, func(d dialect) bool {
				return (d.line == l || d.line == LineAny) && [2]string{d.request, d.response} == want
			})
		}
		for line, want := range map[Line][2]string{Line2: hashes(t, two, s.kind),
			Line1: hashes(t, one, s.kind)} {
			if !has(line, want) {
				t.Errorf("%s of line %v is not spoken", s.kind, line)
			}
		}
		if want := hashes(t, draft, s.kind); want != hashes(t, two, s.kind) && !has(LineDraft, want) {
			t.Errorf("%s of the draft is not spoken", s.kind)
		}
		if s.dialects[0].down != nil || s.dialects[0].up != nil {
			t.Errorf("the neutral messages of %s are not those of its first line", s.kind)
		}
	}
	slices.Sort(kinds)
	var want []string
	for _, s := range two.Services() {
		if k := kindOf(s.Name); s.Name == pkg+"/srv/"+k {
			want = append(want, k)
		}
	}
	slices.Sort(want)
	if !slices.Equal(kinds, want) || len(kinds) != 22 {
		t.Errorf("callable are %v, the standard has %v", kinds, want)
	}
}

func TestALineThatIsAskedForIsSpokenWhereItDiffers(t *testing.T) {
	for _, c := range []struct {
		kind string
		line Line
		want Line
	}{
		{"SpawnEntity", Line2, Line2}, {"SpawnEntity", Line1, Line1}, {"SpawnEntity", LineDraft, Line2},
		{"SpawnEntities", Line2, LineAny}, {"SpawnEntities", Line1, LineAny},
		{"SpawnEntities", LineDraft, LineDraft},
		{"DeleteEntity", LineDraft, LineAny},
	} {
		if d, ok := dialectOf(c.kind, c.line); !ok || d.line != c.want {
			t.Errorf("%s in line %v is spoken in %+v, want %v", c.kind, c.line, d, c.want)
		}
	}
	if _, ok := dialectOf("Fly", Line2); ok {
		t.Error("what is no service is spoken")
	}
}
