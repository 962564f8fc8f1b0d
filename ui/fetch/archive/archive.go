// Package archive unpacks zip archives that strangers have made. Nothing of one leaves its folder, and no
// more is written than a budget allows, whatever the archive says of itself. An archive that holds anything
// but regular files and folders is refused as a whole.
package archive

import (
	"archive/zip"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"simdeck/ui/cli/store"
)

// Why an archive is refused.
var (
	ErrFormat  = errors.New("not a zip archive")
	ErrTooMuch = errors.New("more than a limit allows")
	ErrName    = errors.New("a name that leads elsewhere")
	ErrKind    = errors.New("neither a regular file nor a folder")
)

// Limits bounds what an archive may hold.
type Limits struct {
	Files int   // files and folders
	Bytes int64 // of all files, unpacked
}

// File is a file that was unpacked.
type File struct {
	Path string // below the folder, with slashes
	Size int64
	Sum  [sha256.Size]byte
}

// Bounds of names, and of the bytes that are read of an archive to list its files. These are its end, and an
// entry with a long name for each.
const (
	maxPath, maxDepth    = 1024, 32
	listing, entryListed = 128 << 10, 512
)

// Unpack writes the files of an archive of size bytes into a folder below in, which must be there and empty.
// The caller removes the folder after an error. Errors wrap one of the above, or are those of reading,
// writing and of ctx.
func Unpack(ctx context.Context, from io.ReaderAt, size int64, in *os.Root, folder string,
	l Limits) ([]File, error) {
	m := &meter{from: from, left: listing + int64(l.Files)*entryListed}
	z, err := zip.NewReader(m, size)
	switch {
	case m.left < 0:
		return nil, fmt.Errorf("%w: its list of files is longer than %d entries", ErrTooMuch, l.Files)
	case err != nil && !errors.Is(err, zip.ErrInsecurePath):
		return nil, fmt.Errorf("%w: %w", ErrFormat, err)
	case len(z.File) > l.Files:
		return nil, fmt.Errorf("%w: it holds %d files and folders, at most %d are unpacked", ErrTooMuch,
			len(z.File), l.Files)
	}
	m.free = true
	for _, f := range z.File { // before anything is written
		if err := check(f); err != nil {
			return nil, err
		}
	}
	u := unpacking{ctx: ctx, in: in, folder: folder, left: l.Bytes, limit: l.Bytes, hash: sha256.New()}
	for _, f := range z.File {
		if err := u.entry(f); err != nil {
			return nil, fmt.Errorf("%s: %w", clip(f.Name), err)
		}
	}
	return u.files, nil
}

// check refuses an entry by its name and kind.
func check(f *zip.File) error {
	name := strings.TrimSuffix(f.Name, "/")
	switch kind := f.Mode().Type(); {
	case !localName(name):
		return fmt.Errorf("%w: %s", ErrName, clip(f.Name))
	case kind != 0 && kind != os.ModeDir:
		return fmt.Errorf("%w: %s is %v", ErrKind, clip(f.Name), kind)
	case f.Flags&1 != 0:
		return fmt.Errorf("%w: %s is encrypted", ErrFormat, clip(f.Name))
	}
	return nil
}

// localName reports that a path with slashes goes down alone, by names that a file has on any system.
func localName(name string) bool {
	if len(name) > maxPath || !utf8.ValidString(name) || !filepath.IsLocal(filepath.FromSlash(name)) {
		return false
	}
	parts := strings.Split(name, "/")
	return len(parts) <= maxDepth && !slices.ContainsFunc(parts, func(p string) bool {
		return p == "" || p == "." || p == ".." || len(p) > 255 ||
			strings.ContainsFunc(p, func(c rune) bool { return c < 0x20 || c == 0x7f || c == '\\' })
	})
}

// clip is a name for messages.
func clip(name string) string {
	if len(name) > 100 {
		name = name[:100] + "…"
	}
	return fmt.Sprintf("%q", name)
}

// unpacking is the state of one archive.
type unpacking struct {
	ctx         context.Context
	in          *os.Root
	folder      string
	left, limit int64 // bytes
	files       []File
	hash        hash.Hash
}

// entry writes a file or makes a folder.
func (u *unpacking) entry(f *zip.File) error {
	name := strings.TrimSuffix(f.Name, "/")
	to := path.Join(u.folder, name)
	if f.Mode().IsDir() {
		return store.Folder(u.in, to)
	}
	if f.UncompressedSize64 > uint64(u.left) {
		return u.tooMuch()
	}
	if err := store.Folder(u.in, path.Dir(to)); err != nil {
		return err
	}
	r, err := f.Open()
	if err != nil {
		return fmt.Errorf("%w: %w", ErrFormat, err)
	}
	defer r.Close()
	w, err := store.Create(u.in, to)
	if err != nil {
		return err
	}
	u.hash.Reset()
	n, err := io.Copy(io.MultiWriter(w, u.hash), io.LimitReader(interruptible{u.ctx, r}, u.left+1))
	u.left -= n
	switch err = errors.Join(err, w.Close()); {
	case u.left < 0:
		return u.tooMuch()
	case errors.Is(err, zip.ErrChecksum), errors.Is(err, zip.ErrFormat), errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("%w: %w", ErrFormat, err)
	case err != nil:
		return store.Explain(err)
	}
	u.files = append(u.files, File{name, n, [sha256.Size]byte(u.hash.Sum(nil))})
	return nil
}

func (u *unpacking) tooMuch() error {
	return fmt.Errorf("%w: the archive unpacks to more than %d bytes", ErrTooMuch, u.limit)
}

// interruptible ends reading with a context.
type interruptible struct {
	ctx  context.Context
	from io.Reader
}

func (r interruptible) Read(p []byte) (int, error) {
	if err := context.Cause(r.ctx); err != nil {
		return 0, err
	}
	return r.from.Read(p)
}

// meter bounds the bytes that are read to list an archive's files. Each entry takes many times as much memory
// as it has bytes, and their number is not known before.
type meter struct {
	from io.ReaderAt
	left int64
	free bool
}

func (m *meter) ReadAt(p []byte, at int64) (int, error) {
	if !m.free {
		if m.left -= int64(len(p)); m.left < 0 {
			return 0, ErrTooMuch
		}
	}
	return m.from.ReadAt(p, at)
}
