package asset

import (
	"errors"
	"fmt"
	"net/url"
	"path"
	"strings"
)

// maxAddress bounds the length of an address.
const maxAddress = 4096

// Resolve finds the file or folder of an address in the file from. Known are package://, model://, file://,
// webots://, spawnable://, product_asset:// and world://, plain absolute paths inside a root, and paths
// relative to from's folder or a root. Addresses of a network are answered by local copies. Errors wrap
// ErrNotFound, ErrOutside, ErrNetwork or ErrScheme.
func (s *Space) Resolve(uri string, from Ref) (Ref, error) {
	if err := sane(uri); err != nil {
		return Ref{}, err
	}
	r, err := s.resolve(uri, from)
	if err == nil || !strings.Contains(uri, "%") {
		return r, err
	}
	plain, bad := url.PathUnescape(uri)
	if bad != nil || sane(plain) != nil {
		return r, err
	}
	return s.resolve(plain, from)
}

// sane refuses addresses that no file can have.
func sane(uri string) error {
	switch {
	case strings.TrimSpace(uri) == "":
		return fmt.Errorf("the address is empty: %w", ErrNotFound)
	case len(uri) > maxAddress:
		return fmt.Errorf("the address has %d bytes, at most %d are looked up: %w", len(uri), maxAddress,
			ErrNotFound)
	}
	for _, c := range uri {
		if c < 0x20 || c == 0x7f {
			return fmt.Errorf("%q has a control character: %w", uri, ErrNotFound)
		}
	}
	return nil
}

func (s *Space) resolve(uri string, from Ref) (Ref, error) {
	uri = strings.ReplaceAll(strings.TrimSpace(uri), `\`, "/")
	scheme, rest, ok := strings.Cut(uri, "://")
	if !ok {
		if after, isFile := strings.CutPrefix(uri, "file:"); isFile {
			return s.file(after, from)
		}
		return s.plain(uri, from)
	}
	switch strings.ToLower(scheme) {
	case "package", "model":
		return s.named(uri, rest, from)
	case "file":
		return s.file(rest, from)
	case "spawnable":
		return s.spawnable(uri, rest)
	case "product_asset": // as O3DE lists them
		return s.product(uri, rest)
	case "webots": // a path below some search folder
		r, err := s.plain(strings.TrimLeft(rest, "/"), from)
		if errors.Is(err, ErrNotFound) {
			if kept, ok := s.release(rest); ok {
				return kept, nil
			}
		}
		return r, err
	case "world":
		return s.inRoot(uri, rest, ".sdf", ".world")
	case "http", "https":
		return s.remote(uri)
	case "ftp", "ftps", "sftp", "ssh", "git", "s3", "smb", "ws", "wss", "fuel":
		return Ref{}, fmt.Errorf("%s: %w; put a copy into a search folder", uri, ErrNetwork)
	}
	return Ref{},
		fmt.Errorf("%s: %w %s://; known are package, model, file, webots, spawnable, product_asset, world, https", uri,
			ErrScheme, scheme)
}

// file answers file://: an absolute path, or as older worlds write it a path below some search folder.
func (s *Space) file(rest string, from Ref) (Ref, error) {
	if local, ok := strings.CutPrefix(rest, "localhost/"); ok {
		rest = "/" + local
	}
	r, err := s.plain(rest, from)
	if err != nil {
		if installed, ok := s.installed(rest, from); ok {
			return installed, nil
		}
	}
	return r, err
}

// installed answers a path into the install folder of another machine, …/share/PACKAGE/below, with that of
// the package here.
func (s *Space) installed(p string, from Ref) (Ref, bool) {
	const share = "/share/"
	for end := len(p); ; {
		at := strings.LastIndex(p[:end], share)
		if at < 0 {
			return Ref{}, false
		}
		below := p[at+len(share):]
		if r, err := s.named("package://"+below, below, from); err == nil && strings.Contains(below, "/") {
			return r, true
		}
		end = at + 1 // "/share/share/" has two
	}
}

// plain answers a path without scheme.
func (s *Space) plain(p string, from Ref) (Ref, error) {
	switch {
	case strings.HasPrefix(p, "//"):
		return Ref{}, fmt.Errorf("%s: network share: %w", p, ErrNetwork)
	case len(p) > 2 && p[1] == ':' && p[2] == '/':
		return Ref{}, fmt.Errorf("%s: %w", p, ErrOutside)
	case path.IsAbs(p):
		r, err := s.absolute(p)
		if err != nil {
			return r, err
		}
		return s.existing(p, r)
	}
	near := path.Join(from.Dir().name(), p)
	outside := near == ".." || strings.HasPrefix(near, "../")
	if !outside {
		r := Ref{from.Root, clean(near)}
		if _, err := s.Stat(r); err == nil || errors.Is(err, ErrOutside) {
			return r, err
		}
	}
	below := path.Clean(p)
	upwards := below == ".." || strings.HasPrefix(below, "../")
	switch {
	case upwards && outside && from.Root < len(s.roots) && s.roots[from.Root].Base != "":
		return Ref{}, fmt.Errorf("%s: %w; it means %s: add a folder above it to the search path", p,
			ErrOutside, path.Join(s.roots[from.Root].Base, near))
	case upwards && outside:
		return Ref{}, fmt.Errorf("%s: %w", p, ErrOutside)
	case upwards:
		return Ref{}, fmt.Errorf("%s: %w", p, ErrNotFound)
	}
	return s.below(p, p, from)
}

// besides says next to which file a search looked; empty for one that has no place of its own.
func (s *Space) besides(from Ref) string {
	if from.Root < len(s.roots) && s.roots[from.Root].Base == "" &&
		strings.HasPrefix(s.roots[from.Root].Name, "@") {
		return ""
	}
	return "next to " + s.Name(from) + " and "
}

// above says above which file a search looked; empty for one that has no place of its own.
func (s *Space) above(from Ref) string {
	if s.besides(from) == "" {
		return ""
	}
	return "in the folders above " + s.Name(from) + " nor "
}

// below answers a path below some search folder.
func (s *Space) below(uri, p string, from Ref) (Ref, error) {
	below := path.Clean(p)
	if below == ".." || strings.HasPrefix(below, "../") || path.IsAbs(below) {
		return Ref{}, fmt.Errorf("%s: %w", uri, ErrOutside)
	}
	for _, i := range s.order() {
		if r := (Ref{i, clean(below)}); s.exists(r) {
			return r, nil
		}
	}
	if strings.EqualFold(path.Ext(below), ProductSuffix) {
		if r, ok := s.known().Find(below); ok {
			return r, nil
		}
	}
	return Ref{}, fmt.Errorf("%s: %w: looked %sin %s", uri, ErrNotFound, s.besides(from), s.list())
}

// spawnable answers ROOT/path.spawnable. Below @cache@ that is the path of what is embedded, or else a path
// of O3DE's products.
func (s *Space) spawnable(uri, rest string) (Ref, error) {
	r, err := s.inRoot(uri, strings.TrimSuffix(rest, ProductSuffix), ".sdf", ".urdf", ".xml", ".prefab")
	if below, ok := strings.CutPrefix(rest, Cache+"/"); ok && errors.Is(err, ErrNotFound) {
		if found, ok := s.known().Find(below); ok {
			return found, nil
		}
	}
	return r, err
}

// inRoot answers ROOT/path, with or without one of the extensions.
func (s *Space) inRoot(uri, rest string, extensions ...string) (Ref, error) {
	name, below, _ := strings.Cut(rest, "/")
	for i, root := range s.roots {
		if root.Name != name || root.Unlisted {
			continue
		}
		below = path.Clean(below)
		if below == ".." || strings.HasPrefix(below, "../") || path.IsAbs(below) {
			return Ref{}, fmt.Errorf("%s: %w", uri, ErrOutside)
		}
		for _, ext := range append([]string{""}, extensions...) {
			if r := (Ref{i, clean(below + ext)}); s.exists(r) {
				return r, nil
			}
		}
		return Ref{}, fmt.Errorf("%s: %w", uri, ErrNotFound)
	}
	return Ref{}, fmt.Errorf("%s: %w: there is no search folder %q; there are %s", uri, ErrNotFound, name,
		s.list())
}

// named answers package://NAME/path and model://NAME/path: first in the folders above the file that asks,
// then in the roots. A package is called as its package.xml says; folders count where there is none, and last
// of all where it says something else.
func (s *Space) named(uri, rest string, from Ref) (Ref, error) {
	name, below, _ := strings.Cut(rest, "/")
	below = path.Clean(below)
	if name == ".." || below == ".." || strings.HasPrefix(below, "../") || path.IsAbs(below) {
		return Ref{}, fmt.Errorf("%s: %w", uri, ErrOutside)
	}
	if name == "" || name == "." {
		return Ref{}, fmt.Errorf("%s: %w: it names no package or model", uri, ErrNotFound)
	}
	called := s.called
	if strings.HasPrefix(strings.ToLower(uri), "model:") {
		called = nil
		if r, ok := s.ownCopy(name, below, from); ok {
			return r, nil
		}
	}
	if r, ok := s.search(name, below, from, called); ok {
		return s.newest(r), nil
	}
	if called != nil {
		for _, dir := range s.packages()[name] {
			if r := dir.Join(below); s.exists(r) {
				return r, nil
			}
		}
		if r, ok := s.search(name, below, from, nil); ok {
			return r, nil
		}
	}
	if called == nil {
		if r, ok := s.copied(name, below, from); ok {
			return r, nil
		}
	}
	if dir, ok := s.search(name, ".", from, called); ok {
		return Ref{}, fmt.Errorf("%s: %w: %s has no %s", uri, ErrNotFound, s.Name(dir), below)
	}
	what, hint := "package", "add the folder that holds it to the search path, or source its workspace"
	if called == nil {
		what, hint = "model", "add the folder that holds it to the search path"
	}
	return Ref{}, fmt.Errorf("%s: %w: there is no %s %q %sin %s; %s", uri,
		ErrNotFound, what, name, s.above(from), s.list(), hint)
}

// order is the search order of roots: embedded ones last, so that a world on disk with model://table gets its
// own table.
func (s *Space) order() []int {
	order := make([]int, 0, len(s.roots))
	for _, embedded := range []bool{false, true} {
		for i, root := range s.roots {
			if !root.Unlisted && strings.HasPrefix(root.Name, "@") == embedded {
				order = append(order, i)
			}
		}
	}
	return order
}

// search looks in the folders above from, then in the roots. called tells how a folder calls itself; nil: as
// its name.
func (s *Space) search(name, below string, from Ref, called func(Ref) string) (Ref, bool) {
	for dir := from.Dir(); ; dir = dir.Dir() {
		if r, ok := s.under(dir, path.Base(dir.name()), name, below, called); ok {
			return r, true
		}
		if dir.name() == "." {
			break
		}
	}
	for _, i := range s.order() {
		if r, ok := s.under(Ref{i, ""}, path.Base(s.roots[i].Base), name, below, called); ok {
			return r, true
		}
	}
	return Ref{}, false
}

// under looks for NAME/below in a folder that is called so, and in the places below it where packages and
// models stand.
func (s *Space) under(dir Ref, self, name, below string, called func(Ref) string) (Ref, bool) {
	fits := func(folder Ref, self string) bool {
		if called == nil {
			return self == name
		}
		if says := called(folder); says != "" {
			return says == name
		}
		return self == name
	}
	if fits(dir, self) {
		if r := dir.Join(below); s.exists(r) {
			return r, true
		}
	}
	for _, place := range []string{"", "models", "share", "pkgs", "src"} {
		folder := dir.Join(path.Join(place, name))
		if r := folder.Join(below); s.exists(r) && fits(folder, name) {
			return r, true
		}
	}
	return Ref{}, false
}

func (s *Space) exists(r Ref) bool {
	_, err := s.Stat(r)
	return err == nil
}

func (s *Space) existing(uri string, r Ref) (Ref, error) {
	if _, err := s.Stat(r); err != nil {
		return Ref{}, fmt.Errorf("%s: %w", uri, err)
	}
	return r, nil
}

func clean(p string) string {
	if p = path.Clean(p); p == "." {
		return ""
	}
	return p
}

// list names the roots for messages; those that are embedded stay out.
func (s *Space) list() string {
	names := make([]string, 0, len(s.roots))
	for i, root := range s.roots {
		if !root.Unlisted && (root.Base != "" || !strings.HasPrefix(root.Name, "@")) {
			names = append(names, s.Name(Ref{i, ""}))
		}
	}
	if len(names) == 0 {
		return "the embedded models"
	}
	if len(names) > 6 {
		names = append(names[:6], fmt.Sprintf("%d more", len(s.roots)-6))
	}
	return strings.Join(names, ", ")
}
