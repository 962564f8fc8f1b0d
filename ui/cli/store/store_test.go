package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// folder is an opened folder, and its name.
func folder(t *testing.T) (*os.Root, string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "deep", "folder")
	root, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	return root, dir
}

func TestALinkThatWasPlantedLeadsNoWriteElsewhere(t *testing.T) {
	root, dir := folder(t)
	outside := filepath.Join(t.TempDir(), "mine")
	for name, write := range map[string]func(name string) error{
		"create":   func(name string) error { f, err := Create(root, name); return closed(f, err) },
		"continue": func(name string) error { f, err := Continue(root, name); return closed(f, err) },
		"empty":    func(name string) error { f, err := Empty(root, name); return closed(f, err) },
		"write":    func(name string) error { return Write(root, name, []byte("x")) },
		"replace":  func(name string) error { return Replace(root, name, []byte("x")) },
	} {
		if err := errors.Join(os.WriteFile(outside, []byte("mine"), 0o600),
			os.Symlink(outside, filepath.Join(dir, name))); err != nil {
			t.Fatal(err)
		}
		if err := write(name); (err == nil) != (name == "replace") {
			t.Errorf("%s: %v", name, err)
		}
		if text, err := os.ReadFile(outside); err != nil || string(text) != "mine" {
			t.Errorf("%s wrote %q outside, %v", name, text, err)
		}
	}
}

func closed(f *os.File, err error) error {
	if err == nil {
		err = f.Close()
	}
	return err
}

func TestAFileIsReplacedAsAWholeOrNotAtAll(t *testing.T) {
	root, dir := folder(t)
	for _, text := range []string{"one", "two", ""} {
		if err := Replace(root, "a", []byte(text)); err != nil {
			t.Fatal(err)
		}
		if got, err := root.ReadFile("a"); err != nil || string(got) != text {
			t.Errorf("%q, %v", got, err)
		}
	}
	if err := root.Mkdir("full", 0o700); err != nil {
		t.Fatal(err)
	}
	if err := Replace(root, "full", []byte("x")); err == nil {
		t.Error("a folder was replaced by a file")
	}
	if err := Write(root, "a", nil); !errors.Is(err, fs.ErrExist) ||
		!strings.Contains(err.Error(), filepath.Join(dir, "a")) {
		t.Errorf("a file that is there: %v", err)
	}
	if names, err := filepath.Glob(filepath.Join(dir, "*")); err != nil || len(names) != 2 {
		t.Errorf("what could not be written left %v, %v", names, err)
	}
}

func TestAFileThatAUserNamesKeepsItsPermissionsAndLinksAreFollowed(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	if err := errors.Join(os.WriteFile(at("shared"), []byte("a long text"), 0o600),
		os.Chmod(at("shared"), 0o664), os.Symlink("shared", at("link"))); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]fs.FileMode{"new": 0o600, "shared": 0o664, "link": 0o664} {
		if err := Save(at(name), []byte(name)); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(at(name))
		info, other := os.Stat(at(name))
		if err = errors.Join(err, other); err != nil || string(text) != name || info.Mode() != want {
			t.Errorf("%s is %v with %q, %v", name, info.Mode(), text, err)
		}
	}
	if info, err := os.Lstat(at("link")); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link is %v, %v", info, err)
	}
	if err := Save("/dev/null", []byte("x")); err != nil {
		t.Error(err)
	}
	if err := Save(at("none/x"), nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("in a folder that is not there: %v", err)
	}
}

func TestAFullDiskIsNamedOnceWithTheFile(t *testing.T) {
	for _, reason := range noRoom {
		cause := &fs.PathError{Op: "write", Path: "/tape/topics.mcap", Err: reason}
		err := Explain(fmt.Errorf("recording topics: %w",
			errors.Join(cause, fmt.Errorf("and then: %w", cause))))
		if want := fmt.Sprintf("disk full: /tape/topics.mcap (%v)", reason); err.Error() != want ||
			!errors.Is(err, ErrFull) || !errors.Is(err, reason) {
			t.Errorf("%v; want %s", err, want)
		}
		if again := Explain(fmt.Errorf("trace: %w", err)); again.Error() != "trace: "+err.Error() {
			t.Errorf("said twice: %v", again)
		}
		if bare := Explain(reason); bare.Error() != fmt.Sprintf("disk full (%v)", reason) {
			t.Errorf("%v", bare)
		}
	}
	for _, other := range []error{nil, fs.ErrPermission} {
		if err := Explain(other); err != other {
			t.Errorf("%v became %v", other, err)
		}
	}
}
