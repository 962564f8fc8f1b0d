package rosidl

import (
	"errors"
	"os"
	"strings"
	"testing"
	"testing/fstest"
)

// Where the definitions lie that the project ships, and those that only its tests use.
const (
	shipped  = "../msgs/definitions"
	testOnly = "../msgs/testdata/definitions"
)

// load loads every package, with the named line of simulation_interfaces.
func load(t testing.TB, line string) *Library {
	t.Helper()
	lib := NewLibrary()
	for _, root := range []string{shipped, testOnly} {
		entries, err := os.ReadDir(root)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			pkg, of, lined := strings.Cut(e.Name(), "@")
			if lined && of != line {
				continue
			}
			if err := lib.AddPackage(os.DirFS(root), e.Name(), pkg); err != nil {
				t.Fatal(err)
			}
		}
	}
	return lib
}

func TestEveryShippedDefinitionResolves(t *testing.T) {
	for _, line := range []string{"1.x", "2.x"} {
		if err := load(t, line).Check(); err != nil {
			t.Errorf("line %s: %v", line, err)
		}
	}
}

func TestOneLineIsLaidOverAnother(t *testing.T) {
	lib := load(t, "2.x")
	before, _ := lib.Service("simulation_interfaces/srv/SpawnEntities")
	if err := lib.AddPackage(os.DirFS(shipped), "simulation_interfaces@draft",
		"simulation_interfaces"); err != nil {
		t.Fatal(err)
	}
	after, _ := lib.Service("simulation_interfaces/srv/SpawnEntities")
	if before.Request.Fields[0].Name != "spawn_requests" || after.Request.Fields[0].Name != "names" {
		t.Errorf("first fields %s and %s, want spawn_requests and names", before.Request.Fields[0].Name,
			after.Request.Fields[0].Name)
	}
	if err := lib.Check(); err != nil {
		t.Error(err)
	}
}

func TestCheckFindsWhatDoesNotResolve(t *testing.T) {
	for _, c := range []struct {
		name  string
		files map[string]string
		err   error
		at    string
	}{
		{"unknown type", map[string]string{"p/msg/A.msg": "int8 a\n\n  Missing m"}, ErrUnknown,
			"p/msg/A.msg:3:11"},
		{"type of another package", map[string]string{"p/msg/A.msg": "q/B b"}, ErrUnknown, "p/msg/A.msg:1:5"},
		{"itself", map[string]string{"p/msg/A.msg": "A[] a"}, ErrCycle, "p/msg/A.msg:1:5"},
		{"a ring", map[string]string{"p/msg/A.msg": "B b", "p/msg/B.msg": "C c", "p/msg/C.msg": "A a"},
			ErrCycle, "p/msg/C.msg:1:3"},
		{"a service without its event", map[string]string{"p/srv/S.srv": "---\n"}, ErrUnknown,
			"p/srv/S.srv:1:1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			fsys := fstest.MapFS{}
			for name, text := range c.files {
				fsys[name] = &fstest.MapFile{Data: []byte(text)}
			}
			lib := NewLibrary()
			if err := lib.AddPackage(fsys, "p", "p"); err != nil {
				t.Fatal(err)
			}
			var e *Error
			if err := lib.Check(); !errors.Is(err, c.err) || !errors.As(err, &e) ||
				e.Position.String() != c.at {
				t.Errorf("error %v, want %q at %s", err, c.err, c.at)
			}
		})
	}
}

func TestABrokenFileNamesItsPlace(t *testing.T) {
	fsys := fstest.MapFS{"q@1/srv/S.srv": {Data: []byte("int8 a\n---\nint8 a b c\n")}}
	err := NewLibrary().AddPackage(fsys, "q@1", "q")
	want := "q@1/srv/S.srv:3:8: value does not fit the type: default of a: b c given, want an integer of type int8"
	if err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

func TestAnUnknownNameHasNoDescription(t *testing.T) {
	if _, err := NewLibrary().Hash("p/msg/A"); !errors.Is(err, ErrUnknown) {
		t.Errorf("error %v, want ErrUnknown", err)
	}
}
