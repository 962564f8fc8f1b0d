//go:build unix

package sshd

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// filed is a file in folders of its own, and the rule that it is read by.
func filed(t *testing.T, text string) (name string) {
	t.Helper()
	root := t.TempDir()
	t.Setenv("HOME", root) // in a user namespace the folders above are nobody's
	name = filepath.Join(root, "home", "keys", "file")
	if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o700),
		os.WriteFile(name, []byte(text), 0o600)); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestAFileThatOthersMayChangeDecidesNothing(t *testing.T) {
	rule := fileRule{most: 100, taken: 0o022}
	for _, c := range []struct {
		above int // folders above the file whose mode it is
		mode  fs.FileMode
		want  string // in the error; empty: it is taken
	}{
		{0, 0o600, ""}, {0, 0o644, ""}, {0, 0o440, ""}, {1, 0o755, ""}, {2, 0o755, ""},
		{0, 0o664, "file has mode 0664: its group may write it; chmod go-w "},
		{0, 0o666, "file has mode 0666: its group and others may write it; chmod go-w "},
		{0, 0o602, "file has mode 0602: others may write it; chmod go-w "},
		{1, 0o770, "keys has mode 0770: its group may write it; chmod go-w "},
		{2, 0o777, "home has mode 0777: its group and others may write it; chmod go-w "},
		{2, 0o777 | fs.ModeSticky, ""},
	} {
		name := filed(t, "text")
		changed := name
		for range c.above {
			changed = filepath.Dir(changed)
		}
		if err := os.Chmod(changed, c.mode); err != nil {
			t.Fatal(err)
		}
		link := filepath.Join(t.TempDir(), "link")
		if err := os.Symlink(name, link); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{name, link} {
			text, err := rule.read(name)
			switch {
			case c.want == "" && (err != nil || string(text) != "text"):
				t.Errorf("%s of mode %v: %q, %v", changed, c.mode, text, err)
			case c.want != "" && (!errors.Is(err, ErrModes) ||
				!strings.Contains(err.Error(), c.want+changed)):
				t.Errorf("%s of mode %v: %v, want %q", changed, c.mode, err, c.want)
			}
			if _, err := (fileRule{lax: true, most: 100, taken: 0o022}).read(name); err != nil {
				t.Errorf("%s of mode %v, when that does not matter: %v", changed, c.mode, err)
			}
		}
	}
}

func TestTheUsersHomeIsTheLastFolderThatCounts(t *testing.T) {
	name := filed(t, "text")
	home := filepath.Dir(filepath.Dir(name))
	t.Setenv("HOME", home)
	if err := os.Chmod(filepath.Dir(home), 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := (fileRule{most: 100, taken: 0o022}).read(name); err != nil {
		t.Error(err)
	}
}

func TestAFileOfAnotherUserDecidesNothing(t *testing.T) {
	name := filed(t, "text")
	info, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := safe(name, owned{info}, 0o022); !errors.Is(err, ErrModes) ||
		!strings.Contains(err.Error(), "of the user 4711") {
		t.Error(err)
	}
}

// owned is a file of another user: only root could make a real one.
type owned struct{ fs.FileInfo }

func (owned) Sys() any { return &syscall.Stat_t{Uid: 4711} }

func TestWhatIsNoFileOrTooLongIsNotRead(t *testing.T) {
	name := filed(t, "text")
	dir := filepath.Dir(name)
	pipe, long, zero := filepath.Join(dir, "pipe"), filepath.Join(dir, "long"), filepath.Join(dir, "zero")
	big, err := os.Create(long)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(syscall.Mkfifo(pipe, 0o600), big.Truncate(1<<30), big.Close(),
		os.Symlink("/dev/zero", zero)); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{pipe: "regular", dir: "regular", long: "large",
		zero: "regular"} {
		if _, err := (fileRule{most: 100, taken: 0o022}).read(name); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
}

func TestAServerWhoseFilesOthersMayChangeDoesNotStart(t *testing.T) {
	keys := filed(t, keyLine("", newKey(t), "alice"))
	host := filepath.Join(filepath.Dir(keys), "host")
	c := Config{Address: "127.0.0.1:0", HostKey: host, Keys: keys}
	for _, mode := range []struct {
		file string
		is   fs.FileMode
		want string
	}{{keys, 0o620, "mode 0620"}, {host, 0o640, "its group may read or write it; chmod 600 "},
		{host, 0o600, ""}} {
		s, err := New(c)
		if err != nil {
			t.Fatal(err)
		}
		s.listens.Close()
		was, err := os.Stat(mode.file)
		if err = errors.Join(err, os.Chmod(mode.file, mode.is)); err != nil {
			t.Fatal(err)
		}
		s, err = New(c)
		if mode.want == "" && err == nil {
			s.listens.Close()
		} else if err == nil || mode.want == "" || !strings.Contains(err.Error(), mode.want) {
			t.Errorf("with %s of mode %04o: %v", mode.file, mode.is, err)
		}
		if err := os.Chmod(mode.file, was.Mode().Perm()); err != nil {
			t.Fatal(err)
		}
	}
	gone := filepath.Join(filepath.Dir(keys), "dangling")
	if err := os.Symlink(filepath.Join(filepath.Dir(keys), "nowhere"), gone); err != nil {
		t.Fatal(err)
	}
	if _, err := hostKey(Config{HostKey: gone, home: filepath.Dir(gone)}); err == nil {
		t.Error("a link to nowhere is a host key")
	}
}
