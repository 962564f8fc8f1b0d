package main

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

const root = ".."

func TestTheGeneratedCodeIsWhatTheDefinitionsGive(t *testing.T) {
	want, err := generate(os.DirFS(root))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		got, err := os.ReadFile(filepath.Join(root, name))
		if err != nil || !bytes.Equal(got, want[name]) {
			t.Errorf("ros/msgs/%s is stale (error %v): a definition or the generator changed; run \"make gen\"",
				name, err)
		}
	}
	found, err := generated(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range found {
		if _, ok := want[name]; !ok {
			t.Errorf("ros/msgs/%s has no definition any more; run \"make gen\"", name)
		}
	}
}

func TestRunWritesWhatIsMissingAndRemovesWhatIsStale(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"definitions/p_q/msg/A.msg":        "int8 a\n",
		"testdata/definitions/t/msg/B.msg": "p_q/A a\n",
		"pq/old_msg.go":                    marker + " from p_q/msg/Old. DO NOT EDIT.\n\npackage pq\n",
		"pq/hand.go":                       "package pq\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := run(dir); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{
		"pq/a_msg.go": true, "pq/doc.go": true, "internal/t/b_msg.go": true, "registry_test.go": true,
		"pq/hand.go": true, "pq/old_msg.go": false,
	} {
		if _, err := os.Stat(filepath.Join(dir, name)); (err == nil) != want {
			t.Errorf("%s is there: %v, want %v", name, err == nil, want)
		}
	}
}

func definitions(files map[string]string) fstest.MapFS {
	fsys := fstest.MapFS{"testdata/definitions/t/msg/T.msg": {Data: []byte("int8 t\n")}}
	for name, text := range files {
		fsys["definitions/"+name] = &fstest.MapFile{Data: []byte(text)}
	}
	return fsys
}

func TestWhatGoCannotSayIsRefused(t *testing.T) {
	for _, c := range []struct {
		name, want string
		files      map[string]string
	}{
		{"one Go name for two things", "Go name FooBar is both p/msg/FooBar and p/msg/Foo.BAR",
			map[string]string{"p/msg/Foo.msg": "int8 BAR=1\n", "p/msg/FooBar.msg": "int8 a\n"}},
		{"one Go field for two", "two fields are called A1",
			map[string]string{"p/msg/Foo.msg": "int8 a_1\nint8 a1\n"}},
		{"a constant that is not a number", "NaN cannot be a constant",
			map[string]string{"p/msg/Foo.msg": "float64 F=nan\n"}},
		{"an unknown type", "p/msg/Foo.msg:1:5", map[string]string{"p/msg/Foo.msg": "Bar b\n"}},
	} {
		_, err := generate(definitions(c.files))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.name, err, c.want)
		}
	}
}

func TestEveryGeneratedFileSaysSoInTheWayToolsKnow(t *testing.T) {
	files, err := generate(definitions(map[string]string{"p/msg/A.msg": "int8 a\n"}))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		first, _, _ := strings.Cut(string(text), "\n")
		if !strings.HasPrefix(first, "// Code generated ") || !strings.HasSuffix(first, " DO NOT EDIT.") {
			t.Errorf("%s begins %q", name, first)
		}
	}
}
