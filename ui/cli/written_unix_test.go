//go:build unix

package cli

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestWhatIsLeftBehindOnlyItsOwnerCanRead: with an umask that forbids nothing, every writer makes files of
// 0600 in folders of 0700.
func TestWhatIsLeftBehindOnlyItsOwnerCanRead(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0))
	quiet := slog.New(slog.DiscardHandler)
	preferences := func(dir string) *Preferences {
		return &Preferences{Dir: dir,
			World: func() string { return "w" }}
	}
	for name, c := range map[string]struct {
		files int
		write func(dir string) error
	}{
		"recording": {1, func(dir string) error { taped(t, dir); return nil }},
		"trace": {1, func(dir string) error {
			f, err := Options{Trace: dir}.OpenTrace(quiet)
			if err == nil {
				err = f.Close()
			}
			return err
		}},
		"picture": {2, func(dir string) error {
			_,
				err := preferences(dir).SavePicture([]byte("png"), "text")
			return err
		}},
		"layout":  {1, func(dir string) error { return preferences(dir).KeepLayout("night", "map") }},
		"symbols": {1, func(dir string) error { return preferences(dir).KeepSymbols("xterm", "block") }},
		"crash note": {1, func(dir string) error {
			_,
				err := writeReport(dir, "v1", nil, io.EOF)
			return err
		}},
		"log": {1, func(dir string) error {
			t.Setenv("XDG_STATE_HOME", dir)
			w, done := LogFile()
			defer done()
			_, err := fmt.Fprintln(w, "hello")
			return err
		}},
		"mesh cache": {1, func(dir string) error {
			c, err := NewMeshCache(dir)
			if err == nil {
				c.Put(keyOf(1), []byte("mesh"))
			}
			return err
		}},
		"run of a sweep": {1, func(dir string) error { return keepRow(dir, 3, []byte("{}\n")) }},
		"shot": {1, func(dir string) error {
			if err := os.MkdirAll(dir, 0o700); err != nil {
				return err
			}
			return running(t, time.Millisecond).TakeScreenshot(context.Background(),
				Shot{File: filepath.Join(dir, "a.svg")}, func(to io.Writer) error {
					_, err := io.WriteString(to, "<svg/>")
					return err
				})
		}},
	} {
		dir := filepath.Join(t.TempDir(), "new", strings.ReplaceAll(name, " ", "-"))
		if err := c.write(dir); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		files := 0
		err := filepath.WalkDir(filepath.Dir(dir), func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			info, err := d.Info()
			if err != nil {
				return err
			}
			if want := map[bool]fs.FileMode{true: 0o700,
				false: 0o600}[d.IsDir()]; info.Mode().Perm() != want {
				t.Errorf("%s: %s has %v, want %v", name, d.Name(), info.Mode().Perm(), want)
			}
			if !d.IsDir() {
				files++
			}
			return nil
		})
		if err != nil || files != c.files {
			t.Errorf("%s: %d files, want %d: %v", name, files, c.files, err)
		}
	}
}

// TestAFolderThatAUserMadeKeepsItsPermissions: it may be shared on purpose.
func TestAFolderThatAUserMadeKeepsItsPermissions(t *testing.T) {
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o775); err != nil {
		t.Fatal(err)
	}
	taped(t, dir)
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o775 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}
