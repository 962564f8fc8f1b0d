//go:build unix

package readfile

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"
)

// fixture is a folder with what a name can lead to, by name, and what is said of it.
func fixture(t *testing.T) (dir string, said map[string]string) {
	t.Helper()
	dir = t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	listener, err := net.Listen("unix", in("socket"))
	err = errors.Join(err, os.Mkdir(in("folder"), 0o755), syscall.Mkfifo(in("pipe"), 0o644),
		os.Symlink("pipe", in("link")),
		os.WriteFile(in("file"), []byte("0123456789"), 0o644), os.Symlink("file", in("other")))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	return dir, map[string]string{"socket": "a socket", "folder": "a folder", "pipe": "a named pipe",
		"link": "a named pipe"}
}

func TestOnlyRegularFilesAreOpenedAndWithoutWaiting(t *testing.T) {
	if testing.Short() {
		t.Skip("opens sockets")
	}
	dir, said := fixture(t)
	for name, want := range said {
		f, err := Open(filepath.Join(dir, name))
		if f != nil || !errors.Is(err, ErrNotRegular) || !strings.Contains(err.Error(), want) ||
			!strings.Contains(err.Error(), dir) {
			t.Errorf("%s: %v, %v; want that it is %s, and where", name, f, err, want)
		}
	}
	if _, err := Open(filepath.Join(dir, "absent")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("what is not there: %v", err)
	}
	for _, device := range []string{"/dev/zero", "/dev/null"} {
		link := filepath.Join(dir, filepath.Base(device))
		if err := os.Symlink(device, link); err != nil {
			t.Fatal(err)
		}
		if _, err := All(link, 1<<20); !errors.Is(err, ErrNotRegular) ||
			!strings.Contains(err.Error(), "a device") {
			t.Errorf("a link to %s: %v", device, err)
		}
	}
}

func TestNoMoreOfAFileIsReadThanItsLimit(t *testing.T) {
	if testing.Short() {
		t.Skip("opens sockets")
	}
	dir, _ := fixture(t)
	for _, name := range []string{"file", "other"} {
		if text, err := All(filepath.Join(dir, name), 10); string(text) != "0123456789" || err != nil {
			t.Errorf("%s: %q, %v", name, text, err)
		}
		if text, err := All(filepath.Join(dir, name), 9); text != nil || !errors.Is(err, ErrTooLarge) ||
			!strings.Contains(err.Error(), "at most 9") {
			t.Errorf("%s: %q, %v; want that it is too large", name, text, err)
		}
	}
	sparse := filepath.Join(dir, "sparse")
	if err := errors.Join(os.WriteFile(sparse, nil, 0o644), os.Truncate(sparse, 1<<40)); err != nil {
		t.Fatal(err)
	}
	if _, err := All(sparse, 1<<20); !errors.Is(err, ErrTooLarge) {
		t.Errorf("a file of a terabyte: %v", err)
	}
}

func TestAFolderOpensItsRegularFilesOnly(t *testing.T) {
	if testing.Short() {
		t.Skip("opens sockets")
	}
	dir, said := fixture(t)
	if err := os.WriteFile(filepath.Join(dir, "folder", "inner"), []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	root, err := Folder(dir)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range said {
		if name == "folder" {
			continue
		}
		for how, open := range map[string]func() error{
			"opened": func() error { _, err := root.Open(name); return err },
			"read":   func() error { _, err := fs.ReadFile(root, name); return err },
		} {
			if err := open(); !errors.Is(err, ErrNotRegular) || !strings.Contains(err.Error(), want) {
				t.Errorf("%s is %s: %v; want that it is %s", name, how, err, want)
			}
		}
	}
	if text, err := fs.ReadFile(root, "other"); string(text) != "0123456789" || err != nil {
		t.Errorf("a link to a file: %q, %v", text, err)
	}
	if _, err := root.Open("../file"); err == nil {
		t.Error("a name led out of the folder")
	}
	for name := range said {
		if name != "folder" {
			if err := os.Remove(filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := fstest.TestFS(root, "file", "other", "folder/inner"); err != nil {
		t.Error(err)
	}
}
