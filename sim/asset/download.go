package asset

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// webotsServer is the place of Webots' own files on the network: below it come releases.
const webotsServer = "raw.githubusercontent.com/cyberbotics/webots"

// remote answers an address of a network with a local copy: of a Fuel server's resource, or of a file as
// HOST/PATH.
func (s *Space) remote(uri string) (Ref, error) {
	a, err := ParseAddress(uri)
	if err != nil {
		return Ref{}, fmt.Errorf("%w: %w", ErrNetwork, err)
	}
	if a.Fuel != nil {
		if r, ok := s.fuel(*a.Fuel); ok {
			return r, nil
		}
	}
	for _, i := range s.copies() {
		if r := (Ref{i, a.Place()}); s.exists(r) {
			return r, nil
		}
	}
	return Ref{}, fmt.Errorf("%s: %w", uri, ErrNetwork)
}

// release is the copy of a file of Webots' own, of the newest release that has it.
func (s *Space) release(rest string) (Ref, bool) {
	if rest = strings.TrimLeft(rest, "/"); !localPath(rest) {
		return Ref{}, false
	}
	for i, root := range s.roots {
		if !root.Downloads {
			continue
		}
		all, err := s.ReadDir(Ref{i, webotsServer})
		for k := len(all) - 1; err == nil && k >= 0; k-- {
			if r := (Ref{i, path.Join(webotsServer, all[k].Name(), rest)}); s.exists(r) {
				return r, true
			}
		}
	}
	return Ref{}, false
}

// localPath reports that a path goes down alone.
func localPath(p string) bool { return !slices.Contains(strings.Split(p, "/"), "..") && !path.IsAbs(p) }
