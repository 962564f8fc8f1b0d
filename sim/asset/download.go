package asset

import (
	"path"
	"slices"
	"strings"
)

// webotsServer is the place of Webots' own files on the network: below it come releases.
const webotsServer = "raw.githubusercontent.com/cyberbotics/webots"

// download is the copy of a file of a network, by the address behind the scheme: HOST/PATH.
func (s *Space) download(rest string) (Ref, bool) {
	if rest, _, _ = strings.Cut(rest, "?"); !localPath(rest) {
		return Ref{}, false
	}
	for i, root := range s.roots {
		if r := (Ref{i, clean(rest)}); root.Downloads && s.exists(r) {
			return r, true
		}
	}
	return Ref{}, false
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
