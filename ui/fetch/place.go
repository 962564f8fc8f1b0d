package fetch

import (
	"bufio"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"

	"simdeck/ui/cli/store"
	"simdeck/ui/fetch/archive"
	"simdeck/ui/readfile"
)

// Sums is the file of a folder that lists its copies with their SHA-256, as sha256sum writes and checks it.
const Sums = "SHA256SUMS"

// maxSums bounds that file, maxIndex what a server says of a resource.
const maxSums, maxIndex = 64 << 20, 1 << 20

// sum is a SHA-256.
type sum = [sha256.Size]byte

// sums are the entries of a folder's SHA256SUMS, by paths.
type sums map[string]sum

// readSums reads a folder's SHA256SUMS; without one it is empty. The last line of a path counts.
func readSums(in *os.Root) (sums, error) {
	text, err := readAll(in, Sums, maxSums)
	if errors.Is(err, fs.ErrNotExist) {
		return sums{}, nil
	} else if err != nil {
		return nil, err
	}
	all := sums{}
	lines := bufio.NewScanner(strings.NewReader(string(text)))
	for n := 1; lines.Scan(); n++ {
		digits, name, ok := strings.Cut(lines.Text(), "  ")
		value, err := hex.DecodeString(digits)
		if !ok || err != nil || len(value) != sha256.Size || !fs.ValidPath(name) {
			return nil, fmt.Errorf("%s:%d: want the 64 digits of a SHA-256, two blanks and a path", Sums, n)
		}
		all[name] = sum(value)
	}
	return all, lines.Err()
}

// same checks files against what SHA256SUMS has of them.
func (f *run) same(below string, files []archive.File) error {
	for _, x := range files {
		name := path.Join(below, x.Path)
		if had, known := f.sums[name]; known && had != x.Sum {
			return fmt.Errorf("%w: %s is another file than before; take its line out of %s to have it", ErrChanged,
				name, Sums)
		}
	}
	return nil
}

// record adds files to SHA256SUMS that it does not have.
func (f *run) record(below string, files []archive.File) error {
	var text []byte
	for _, x := range files {
		name := path.Join(below, x.Path)
		if _, known := f.sums[name]; !known {
			text = fmt.Appendf(text, "%x  %s\n", x.Sum, name)
			f.sums[name] = x.Sum
		}
	}
	if len(text) == 0 {
		return nil
	}
	file, err := store.Append(f.folder, Sums)
	if err != nil {
		return err
	}
	_, err = file.Write(text) // at once: another run may write there
	return store.Explain(errors.Join(err, file.Close()))
}

// place moves a whole download to its place.
func (f *run) place(it Item, p *part) (Brought, error) {
	value, size, err := sumOf(f.folder, p.name)
	if err != nil {
		return Brought{}, err
	}
	all := []archive.File{{Path: it.Path, Size: size, Sum: value}}
	if err := f.same("", all); err != nil {
		p.forget(f.folder)
		return Brought{}, err
	}
	if err := store.Folder(f.folder, path.Dir(it.Path)); err != nil {
		return Brought{}, err
	}
	if err := f.folder.Rename(p.name, it.Path); err != nil {
		return Brought{}, err
	}
	p.forget(f.folder)
	return Brought{URL: it.URL, Path: it.Path, Files: 1, Bytes: size}, f.record("", all)
}

// sumOf is the SHA-256 and the size of a file.
func sumOf(in *os.Root, name string) (sum, int64, error) {
	file, err := readfile.OpenIn(in, name)
	if err != nil {
		return sum{}, 0, err
	}
	defer file.Close()
	h := sha256.New()
	n, err := io.Copy(h, file)
	return sum(h.Sum(nil)), n, err
}

// versionHeaders tell which version of a resource a Fuel server sends.
var versionHeaders = [...]string{"X-Ign-Resource-Version", "X-Gz-Resource-Version"}

// version is the folder's name for the version that a server sent: its number, or tip where nothing tells it.
func (f *run) version(ctx context.Context, it Item, head http.Header) (string, error) {
	told := ""
	for _, name := range versionHeaders {
		if told == "" {
			told = head.Get(name)
		}
	}
	if told == "" && it.Version == 0 && it.Index != "" {
		n, err := f.newest(ctx, it.Index)
		if errors.Is(err, ErrAbsent) {
			return "tip", nil
		}
		return strconv.Itoa(n), err
	}
	n, err := strconv.Atoi(told)
	switch {
	case told == "" && it.Version == 0:
		return "tip", nil
	case told == "":
		return strconv.Itoa(it.Version), nil
	case err != nil || n < 1 || n >= 1e9:
		return "", fmt.Errorf("%w: its version is %.20q", ErrServer, told)
	case it.Version != 0 && n != it.Version:
		return "", fmt.Errorf("%w: asked for version %d, it sent %d", ErrServer, it.Version, n)
	}
	return strconv.Itoa(n), nil
}

// newest asks a server for the newest version of a resource.
func (f *run) newest(ctx context.Context, index string) (int, error) {
	p, _, err := f.download(ctx, index, func(int64, int64) {})
	if err != nil {
		return 0, err
	}
	defer p.forget(f.folder)
	text, err := readAll(f.folder, p.name, maxIndex)
	if errors.Is(err, readfile.ErrTooLarge) {
		return 0, fmt.Errorf("%w: its description of %s has more than %d bytes", ErrServer, index, maxIndex)
	} else if err != nil {
		return 0, err
	}
	var said struct{ Version int }
	if err := json.Unmarshal(text, &said); err != nil {
		return 0, fmt.Errorf("%w: its description of %s: %w", ErrServer, index, err)
	}
	if said.Version < 1 || said.Version >= 1e9 {
		return 0, fmt.Errorf("%w: its description of %s has version %d", ErrServer, index, said.Version)
	}
	return said.Version, nil
}

// unpack unpacks an archive beside its place, and then moves it there.
func (f *run) unpack(ctx context.Context, it Item, p *part, version string) (b Brought, err error) {
	defer p.forget(f.folder)
	file, err := readfile.OpenIn(f.folder, p.name)
	if err != nil {
		return b, err
	}
	defer file.Close()
	beside := partial + "/unpacked-" + rand.Text()
	if err := store.Folder(f.folder, beside); err != nil {
		return b, err
	}
	defer func() { err = errors.Join(err, f.folder.RemoveAll(beside)) }()
	l := archive.Limits{Files: f.Limits.Files - f.report.Files, Bytes: min(f.Limits.File, f.left)}
	files, err := archive.Unpack(ctx, file, p.have, f.folder, beside, l)
	if err != nil {
		return b, err
	}
	b = Brought{URL: it.URL, Path: path.Join(it.Path, version), Files: len(files)}
	for _, x := range files {
		b.Bytes += x.Size
	}
	f.left -= b.Bytes
	if len(files) == 0 {
		return b, fmt.Errorf("%w: the archive is empty", ErrServer)
	}
	if err := f.same(b.Path, files); err != nil {
		return b, err
	}
	if err := store.Folder(f.folder, it.Path); err != nil {
		return b, err
	}
	if err := f.exchange(beside, b.Path); err != nil {
		return b, err
	}
	return b, f.record(b.Path, files)
}

// exchange moves a folder to its place. One that is there lacks something, else it would not be wanted.
func (f *run) exchange(fresh, place string) error {
	old := partial + "/replaced-" + rand.Text()
	if err := f.folder.Rename(place, old); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	err := f.folder.Rename(fresh, place)
	return errors.Join(err, f.folder.RemoveAll(old))
}

// tidy removes the folder of downloads that are not whole where it is empty.
func (f *run) tidy() { _ = f.folder.Remove(partial) }

// Verify compares the copies in a folder with its SHA256SUMS. It gives the number of files in it, and those
// that are missing or differ.
func Verify(ctx context.Context, dir string) (files int, wrong []Failure, err error) {
	in, err := os.OpenRoot(dir)
	if err != nil {
		return 0, nil, err
	}
	defer in.Close()
	all, err := readSums(in)
	if err != nil {
		return 0, nil, err
	}
	names := make([]string, 0, len(all))
	for name := range all {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if err := context.Cause(ctx); err != nil {
			return len(names), wrong, err
		}
		switch value, _, err := sumOf(in, name); {
		case err != nil:
			wrong = append(wrong, Failure{name, err})
		case value != all[name]:
			wrong = append(wrong, Failure{name, ErrChanged})
		}
	}
	return len(names), wrong, nil
}
