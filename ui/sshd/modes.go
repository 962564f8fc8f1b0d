package sshd

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"simdeck/ui/readfile"
)

// ErrModes is the error of a file that others could change or read.
var ErrModes = errors.New("unsafe owner or permissions")

// fileRule is the permissions and the size that a file that decides about logins must have.
type fileRule struct {
	lax   bool        // other users may change it
	most  int64       // bytes
	taken fs.FileMode // permissions that it must not give
	home  string      // above which folders do not count; empty: the user's
}

// read reads a file whose owner and permissions satisfy StrictModes of OpenSSH, links followed. The file and
// its folders, up to the user's home or the root, are the user's or root's, and no others may write. A folder
// with the sticky bit, as /tmp, may be: there nobody replaces what is another's.
func (r fileRule) read(name string) ([]byte, error) {
	path, err := filepath.Abs(name)
	if err != nil {
		return nil, err
	}
	if path, err = filepath.EvalSymlinks(path); err != nil {
		return nil, err
	}
	file, err := readfile.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err == nil {
		err = r.judge(path, info)
	}
	if err != nil {
		return nil, err
	}
	return readfile.Rest(file, r.most)
}

// judge looks at a file and the folders above it.
func (r fileRule) judge(path string, info fs.FileInfo) error {
	if r.lax && r.taken&0o044 == 0 { // a secret file is so in any case
		return nil
	}
	if err := safe(path, info, r.taken); err != nil || r.lax {
		return err
	}
	home := r.home
	if home == "" {
		home, _ = os.UserHomeDir() // without one all folders are looked at
	}
	home, _ = filepath.EvalSymlinks(home)
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		info, err := os.Stat(dir)
		if err != nil {
			return err
		}
		taken := fs.FileMode(0o022)
		if info.Mode()&fs.ModeSticky != 0 {
			taken = 0
		}
		if err := safe(dir, info, taken); err != nil {
			return err
		}
		if dir == home || dir == filepath.Dir(dir) {
			return nil
		}
	}
}

// safe looks at the owner and the permissions of a file or folder.
func safe(path string, info fs.FileInfo, taken fs.FileMode) error {
	uid, known := ownerOf(info)
	if !known { // nor are permissions
		return nil
	}
	if uid != 0 && uid != os.Geteuid() {
		return fmt.Errorf("%w: %s is of the user %d, want %d or root; chown %d %s", ErrModes, path, uid,
			os.Geteuid(), os.Geteuid(), path)
	}
	mode := info.Mode().Perm()
	if mode&taken == 0 {
		return nil
	}
	var who []string
	for _, c := range []struct {
		name string
		bits fs.FileMode
	}{{"its group", 0o070}, {"others", 0o007}} {
		if mode&taken&c.bits != 0 {
			who = append(who, c.name)
		}
	}
	does, mend := "write", "chmod go-w "
	if taken&0o044 != 0 {
		does, mend = "read or write", "chmod 600 "
	}
	return fmt.Errorf("%w: %s has mode %04o: %s may %s it; %s%s", ErrModes, path, mode,
		strings.Join(who, " and "), does, mend, path)
}
