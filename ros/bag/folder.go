package bag

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// File is a file of a recording; an *os.File is one. It is an alias of an interface without a name, so that a
// disk that knows nothing of this package satisfies Folder.
type File = interface {
	io.Writer
	io.WriterAt
	io.Closer
	Truncate(size int64) error
	Sync() error
}

// Folder is an open folder of a recording. OpenFolder opens one of the system's; a simulated disk injects its
// faults here.
type Folder interface {
	OpenFile(name string, flag int, perm fs.FileMode) (File, error)
	Rename(from, to string) error
	Remove(name string) error
	// Sync makes names durable: those that were made, and those that were changed.
	Sync() error
	Close() error
}

// Borrowed is a folder that its owner closes.
func Borrowed(f Folder) Folder { return borrowed{f} }

type borrowed struct{ Folder }

func (borrowed) Close() error { return nil }

// Only the owner can read recordings.
const (
	forOwner       = 0o600
	folderForOwner = 0o700
)

// OpenFolder makes a folder of the system's where need be, and opens it. Neither a link that was planted in
// it nor another folder that takes its name leads a write elsewhere then.
func OpenFolder(dir string) (Folder, error) {
	if err := os.MkdirAll(dir, folderForOwner); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return rooted{root}, nil
}

// rooted is a folder of the system's.
type rooted struct{ *os.Root }

// OpenFile is that of os.Root.
func (f rooted) OpenFile(name string, flag int, perm fs.FileMode) (File, error) {
	file, err := f.Root.OpenFile(name, flag, perm)
	if err != nil { // a nil *os.File would be a File that is not nil
		var at *fs.PathError
		if errors.As(err, &at) && !filepath.IsAbs(at.Path) {
			at.Path = filepath.Join(f.Name(), at.Path)
		}
		return nil, err
	}
	return file, nil
}

// Sync synchronises the folder itself, where the system can.
func (f rooted) Sync() error {
	self, err := f.Root.Open(".")
	if err != nil {
		return err
	}
	err = self.Sync()
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, fs.ErrInvalid) ||
		errors.Is(err, fs.ErrPermission) {
		err = nil // file systems without it, and Windows
	}
	return errors.Join(err, self.Close())
}

// replace writes a file of a folder atomically: it is the old or the new one at any time, also after a power
// loss.
func replace(in Folder, name string, text []byte) error {
	next := name + ".new"
	_ = in.Remove(next) // a killed process left it, or it is a planted link
	file, err := in.OpenFile(next, os.O_WRONLY|os.O_CREATE|os.O_EXCL, forOwner)
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	if err == nil {
		err = file.Sync() // a name must not become durable before what it names
	}
	if err = errors.Join(err, file.Close()); err == nil {
		err = in.Rename(next, name)
	}
	if err != nil {
		_ = in.Remove(next)
	}
	return err
}
