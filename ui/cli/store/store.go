// Package store writes what simdeck leaves on the disks of its users: recordings, traces, pictures, results
// of sweeps, reports and caches. Only their owner can read its files and folders (0600, 0700); existing ones
// keep their permissions. Files are made in an opened folder: a planted link, or a folder that took its name,
// leads no write elsewhere. A full disk is named as such, see Explain.
package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Permissions of what is made.
const (
	forOwner       = 0o600
	folderForOwner = 0o700
)

// Open opens a folder to write into, and makes it where it is not there.
func Open(dir string) (*os.Root, error) {
	if err := os.MkdirAll(dir, folderForOwner); err != nil {
		return nil, Explain(err)
	}
	return os.OpenRoot(dir)
}

// Folder makes a folder below another, and those above it that are not there.
func Folder(in *os.Root, name string) error {
	return within(in, in.MkdirAll(filepath.FromSlash(name), folderForOwner))
}

// Append opens a file in a folder to write behind what it has, and makes it where it is not there.
func Append(in *os.Root, name string) (*os.File, error) {
	return open(in, name, os.O_WRONLY|os.O_CREATE|os.O_APPEND)
}

// Create makes a file in a folder. An existing file or link of its name is left alone, with an error that
// wraps fs.ErrExist.
func Create(in *os.Root, name string) (*os.File, error) {
	return open(in, name, os.O_RDWR|os.O_CREATE|os.O_EXCL)
}

// Continue opens a file in a folder to read and write, and makes it where it is not there.
func Continue(in *os.Root, name string) (*os.File, error) {
	return open(in, name, os.O_RDWR|os.O_CREATE)
}

// Empty opens a file in a folder to write it anew, and makes it where it is not there.
func Empty(in *os.Root, name string) (*os.File, error) {
	return open(in, name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC)
}

func open(in *os.Root, name string, flags int) (*os.File, error) {
	f, err := in.OpenFile(name, flags, forOwner)
	return f, within(in, err)
}

// within puts the folder into an error about a file in it.
func within(in *os.Root, err error) error {
	var at *fs.PathError
	if errors.As(err, &at) && !filepath.IsAbs(at.Path) {
		at.Path = filepath.Join(in.Name(), at.Path)
	}
	return Explain(err)
}

// Replace writes a file of a folder whole or not at all: until then, and after an error, the old file stays.
func Replace(in *os.Root, name string, data []byte) error {
	fresh := fmt.Sprintf("%s.%d.%d.new", name, os.Getpid(), time.Now().UnixNano())
	f, err := Create(in, fresh)
	if err != nil {
		return err
	}
	if err = fill(f, data); err == nil {
		err = in.Rename(fresh, name)
	}
	if err != nil {
		_ = in.Remove(fresh)
	}
	return Explain(err)
}

// Write makes a file of a folder with what it is to hold, whole or not at all. See Create for one that is
// there already.
func Write(in *os.Root, name string, data []byte) error {
	f, err := Create(in, name)
	if err != nil {
		return err
	}
	if err = fill(f, data); err != nil {
		_ = in.Remove(name)
	}
	return err
}

func fill(f *os.File, data []byte) error {
	_, err := f.Write(data)
	return Explain(errors.Join(err, f.Close()))
}

// Save writes a file that a user has named. A regular file is replaced as a whole and keeps its permissions;
// a pipe, a device or what a link leads to is written to.
func Save(name string, data []byte) error {
	mode := fs.FileMode(forOwner)
	info, err := os.Lstat(name)
	if err == nil {
		if mode = info.Mode().Perm(); !info.Mode().IsRegular() {
			return Explain(os.WriteFile(name, data, mode))
		}
	}
	f, err := os.CreateTemp(filepath.Dir(name), filepath.Base(name)+".*.new")
	if errors.Is(err, fs.ErrPermission) && info != nil { // of the folder: the file alone may be written
		return Explain(os.WriteFile(name, data, mode))
	}
	if err != nil {
		return Explain(err)
	}
	if err = errors.Join(f.Chmod(mode), fill(f, data)); err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return Explain(err)
}
