// Package asset finds the files that robots and worlds name: addresses of every scheme of simulators,
// searched in folders that the caller opens. There is no way out of a folder: not by "..", a symbolic link,
// an encoded or absolute path; nothing is fetched from a network. Package mesh below it reads the meshes,
// texture the images, xmltree the XML and vrml the text of Webots.
package asset

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
)

// Cache is the name of the root that holds the embedded worlds and models, as in spawnable://@cache@/….
const Cache = "@cache@"

// Why an address could not be answered.
var (
	ErrNotFound = errors.New("not found")
	ErrOutside  = errors.New("outside the search folders")
	ErrNetwork  = errors.New("no local copy of a network's file")
	ErrScheme   = errors.New("unknown kind of address")
	ErrTooLarge = errors.New("file too large")
	ErrNotAFile = errors.New("not a regular file")
)

// Root is a folder that addresses are looked up in.
type Root struct {
	Name string // unique, without "/": the host of spawnable://NAME/…
	FS   fs.FS
	Base string // absolute path on disk with forward slashes; empty when it is not on disk
	// Readers are the clients that may look files up in it.
	Readers Readers
	// Unlisted roots answer absolute paths alone: they are neither searched nor listed.
	Unlisted bool
	// Downloads are copies of files of networks: below HOST/PATH of their addresses, and models of Fuel
	// servers below HOST/OWNER/models/NAME/VERSION, in lower case.
	Downloads bool
}

// Readers are the clients that may look files up in a root.
type Readers uint8

// Readers of a root.
const (
	Everybody Readers = iota
	Owner             // the user who started the program
	Clients           // clients that may use it
)

// Ref is a file or folder inside a root of a Space. The zero Ref is the top of the first root.
type Ref struct {
	Root int
	Path string // slash-separated as in package fs; empty: the top of the root
}

func (r Ref) name() string {
	if r.Path == "" {
		return "."
	}
	return r.Path
}

// Dir is the folder that holds r.
func (r Ref) Dir() Ref { return Ref{r.Root, path.Dir(r.name())} }

// Join is the file of a relative slash path below the folder r; it does not leave the root.
func (r Ref) Join(rel string) Ref {
	return Ref{r.Root, strings.TrimPrefix(path.Join("/", r.name(), rel), "/")}
}

// Space is an ordered list of roots. It does not change.
type Space struct {
	roots []Root
	names *names // of packages
}

// NewSpace takes the roots in the order in which they are searched.
func NewSpace(roots ...Root) *Space { return &Space{append([]Root(nil), roots...), &names{}} }

// For is the space for some readers: others' roots stay in their places, closed, so that a Ref means the same
// in both.
func (s *Space) For(who Readers) *Space {
	open := NewSpace(s.roots...)
	for i, root := range open.roots {
		if root.Readers != Everybody && root.Readers != who {
			open.roots[i] = Root{Name: "@closed@", Unlisted: true}
		}
	}
	return open
}

// Roots is the list of roots; not to be changed.
func (s *Space) Roots() []Root { return s.roots }

// Name is the name of a file in messages: its path on disk, or its root's name and path.
func (s *Space) Name(r Ref) string {
	if r.Root >= len(s.roots) {
		return r.Path
	}
	root := s.roots[r.Root]
	if root.Base != "" {
		return path.Join(root.Base, r.Path)
	}
	return path.Join(root.Name, r.Path)
}

// Stat describes a file or folder; links are followed as far as they stay inside the roots.
func (s *Space) Stat(r Ref) (fs.FileInfo, error) {
	r, err := s.resolveLinks(r)
	if err != nil {
		return nil, err
	}
	info, err := fs.Stat(s.roots[r.Root].FS, r.name())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Name(r), ErrNotFound)
	}
	return info, nil
}

// ReadDir lists a folder in the order of names.
func (s *Space) ReadDir(r Ref) ([]fs.DirEntry, error) {
	r, err := s.resolveLinks(r)
	if err != nil {
		return nil, err
	}
	return fs.ReadDir(s.roots[r.Root].FS, r.name())
}

// ReadFile reads a regular file of at most limit bytes.
func (s *Space) ReadFile(r Ref, limit int64) ([]byte, error) {
	r, err := s.resolveLinks(r)
	if err != nil {
		return nil, err
	}
	info, err := s.Stat(r)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: %w", s.Name(r), ErrNotAFile)
	}
	if info.Size() > limit {
		return nil, fmt.Errorf("%s: %w: %d bytes, at most %d are read", s.Name(r), ErrTooLarge, info.Size(),
			limit)
	}
	f, err := s.roots[r.Root].FS.Open(r.name())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Name(r), err)
	}
	defer f.Close()
	if info, err = f.Stat(); err != nil || !info.Mode().IsRegular() { // it may have become something else
		return nil, errors.Join(fmt.Errorf("%s: %w", s.Name(r), ErrNotAFile), err)
	}
	data := make([]byte, min(info.Size(), limit)+1) // one more: it may have grown
	for n := 0; ; {
		got, err := f.Read(data[n:])
		switch n += got; {
		case int64(n) > limit:
			return nil, fmt.Errorf("%s: %w: more than %d bytes", s.Name(r), ErrTooLarge, limit)
		case errors.Is(err, io.EOF):
			return data[:n], nil
		case err != nil:
			return nil, fmt.Errorf("%s: %w", s.Name(r), err)
		case n == len(data):
			data = append(data, make([]byte, len(data))...)
		}
	}
}
