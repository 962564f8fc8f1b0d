package webots

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// errFolder is a folder for temporary files that another user may change.
var errFolder = errors.New("unsafe folder for temporary files")

// privateFolder opens a folder below a shared one, and makes its parts where they are missing. Each part is a
// folder of this user or root, no link, and no other user may write to it. Another user who made it first
// could read or divert the files in it. The base may be open to all if it is sticky, as /tmp is.
func privateFolder(base string, parts ...string) (*os.Root, error) {
	at, err := os.OpenRoot(base)
	if err != nil {
		return nil, err
	}
	info, err := at.Stat(".")
	if err == nil {
		err = private(base, info, info.Mode()&fs.ModeSticky != 0)
	}
	path := base
	for _, part := range parts {
		if err != nil {
			break
		}
		path = filepath.Join(path, part)
		var below *os.Root
		if below, err = privatePart(at, part, path); err == nil {
			_ = at.Close()
			at = below
		}
	}
	if err != nil {
		_ = at.Close()
		return nil, err
	}
	return at, nil
}

// privatePart opens a part of a path, and looks at what it has opened.
func privatePart(at *os.Root, part, path string) (*os.Root, error) {
	if filepath.Base(part) != part || !filepath.IsLocal(part) {
		return nil, fmt.Errorf("%w: %q is no name of a folder", errFolder, part)
	}
	if err := at.Mkdir(part, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	named, err := at.Lstat(part)
	if err != nil {
		return nil, err
	}
	if !named.IsDir() {
		return nil, fmt.Errorf("%w: %s is no folder but %s; remove it", errFolder, path, kindOf(named.Mode()))
	}
	below, err := at.OpenRoot(part)
	if err != nil {
		return nil, err
	}
	info, err := below.Stat(".")
	if err == nil && !os.SameFile(named, info) {
		err = fmt.Errorf("%w: %s was replaced while it was opened", errFolder, path)
	}
	if err == nil {
		err = private(path, info, info.Mode()&fs.ModeSticky != 0)
	}
	if err != nil {
		_ = below.Close()
		return nil, err
	}
	return below, nil
}

func kindOf(m fs.FileMode) string {
	if m&fs.ModeSymlink != 0 {
		return "a link"
	}
	return "a file"
}

// fileOwner is replaced in tests: only root can give files away.
var fileOwner = ownerOf

// private says why a folder is not private. In a sticky one nobody replaces what is another's.
func private(path string, info fs.FileInfo, sticky bool) error {
	uid, known := fileOwner(info)
	switch mode := info.Mode().Perm(); {
	case !known: // nor are permissions
		return nil
	case uid != 0 && uid != os.Geteuid():
		return fmt.Errorf("%w: %s is of the user %d, want %d or root; another folder: WEBOTS_TMPDIR", errFolder, path,
			uid, os.Geteuid())
	case mode&0o022 != 0 && !sticky:
		return fmt.Errorf("%w: %s has mode %04o: others may write to it; chmod go-w %s", errFolder, path, mode, path)
	}
	return nil
}

// newFile makes a file that was not there: what another put in its place, a link among it, is not followed.
func newFile(in *os.Root, name string) (*os.File, error) {
	if err := in.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return in.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL|noFollow, 0o600)
}
