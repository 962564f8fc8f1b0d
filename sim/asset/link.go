package asset

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// maxLinks bounds how many symbolic links one path may pass.
const maxLinks = 32

// resolveLinks replaces symbolic links by what they point to, as long as that lies inside a root of the
// space.
func (s *Space) resolveLinks(r Ref) (Ref, error) {
	if r.Root < 0 || r.Root >= len(s.roots) || s.roots[r.Root].FS == nil || !fs.ValidPath(r.name()) {
		return r, fmt.Errorf("%q: %w", r.Path, ErrOutside)
	}
	for range maxLinks {
		link, target, rest, err := s.firstLink(r)
		if err != nil || link == "" {
			return r, err
		}
		if r, err = s.linked(r, link, target, rest); err != nil {
			return r, err
		}
	}
	return r, fmt.Errorf("%s: more than %d symbolic links: %w", s.Name(r), maxLinks, ErrNotFound)
}

// firstLink finds the first part of the path that is a symbolic link; link is empty when there is none. It
// ends at a part that is not there: a name is looked for in many places, and is in few.
func (s *Space) firstLink(r Ref) (link, target, rest string, err error) {
	links, ok := s.roots[r.Root].FS.(fs.ReadLinkFS)
	if !ok || r.name() == "." {
		return "", "", "", nil
	}
	parts := strings.Split(r.Path, "/")
	for i := range parts {
		p := strings.Join(parts[:i+1], "/")
		info, err := links.Lstat(p)
		if errors.Is(err, fs.ErrNotExist) {
			return "", "", "", fmt.Errorf("%s: %w", s.Name(r), ErrNotFound)
		}
		if err != nil {
			return "", "", "", nil
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			continue
		}
		target, err := links.ReadLink(p)
		if err != nil {
			return "", "", "", nil
		}
		return p, strings.ReplaceAll(target, `\`, "/"), strings.Join(parts[i+1:], "/"), nil
	}
	return "", "", "", nil
}

// linked resolves r with its part link replaced by target.
func (s *Space) linked(r Ref, link, target, rest string) (Ref, error) {
	full := target
	if !path.IsAbs(target) {
		local := path.Join(path.Dir(link), target)
		if local != ".." && !strings.HasPrefix(local, "../") {
			return Ref{r.Root, path.Join(local, rest)}, nil
		}
		if s.roots[r.Root].Base == "" {
			return r, fmt.Errorf("%s is a link to %s: %w", s.Name(Ref{r.Root, link}), target, ErrOutside)
		}
		full = path.Join(s.roots[r.Root].Base, local)
	}
	to, err := s.absolute(path.Join(full, rest))
	if err != nil {
		return r, fmt.Errorf("%s is a link to %s: %w", s.Name(Ref{r.Root, link}), target, ErrOutside)
	}
	return to, nil
}

// absolute finds the root that an absolute path on disk lies in; the longest Base wins.
func (s *Space) absolute(p string) (Ref, error) {
	p = path.Clean(p)
	best, length := Ref{Root: -1}, -1
	for i, root := range s.roots {
		if root.Base == "" {
			continue
		}
		base := path.Clean(root.Base)
		rel, ok := strings.CutPrefix(p, strings.TrimSuffix(base, "/")+"/")
		if p == base {
			rel, ok = "", true
		}
		if ok && len(base) > length {
			best, length = Ref{i, rel}, len(base)
		}
	}
	if best.Root < 0 {
		return best, fmt.Errorf("%s: %w; add a folder above it to the search path", p, ErrOutside)
	}
	return best, nil
}
