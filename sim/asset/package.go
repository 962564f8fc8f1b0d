package asset

import (
	"io/fs"
	"path"
	"sync"

	"simdeck/sim/asset/xmltree"
)

// Bounds of the search for packages whose folder is called otherwise.
const (
	maxPackageDepth   = 3 // below a root
	maxPackageFolders = 5000
	maxPackageXML     = 64 << 10
)

// names remembers how folders call themselves, and which hold assets.
type names struct {
	mu     sync.Mutex
	called map[Ref]string
	all    map[string][]Ref
	tops   []Ref            // that product paths of O3DE lead from; nil: not looked for yet
	copies map[string][]Ref // models of Fuel servers, by name; nil: not looked for yet
}

// called is the name in the package.xml of a folder; empty when there is none that can be read.
func (s *Space) called(dir Ref) string {
	s.names.mu.Lock()
	defer s.names.mu.Unlock()
	name, known := s.names.called[dir]
	if known {
		return name
	}
	if data, err := s.ReadFile(dir.Join("package.xml"), maxPackageXML); err == nil {
		if d, err := xmltree.Parse(data, xmltree.Limits{Bytes: maxPackageXML}); err == nil &&
			d.Root.Name == "package" {
			name = d.Root.ValueOf("name")
		}
	}
	if s.names.called == nil {
		s.names.called = map[Ref]string{}
	}
	if len(s.names.called) < 4*maxPackageFolders {
		s.names.called[dir] = name
	}
	return name
}

// packages lists the folders below the roots that have a package.xml, by the name in it, in the order of the
// search.
func (s *Space) packages() map[string][]Ref {
	s.names.mu.Lock()
	all := s.names.all
	s.names.mu.Unlock()
	if all != nil {
		return all
	}
	all = map[string][]Ref{}
	folders := 0
	for _, i := range s.order() {
		level := []Ref{{Root: i}}
		for depth := 0; depth <= maxPackageDepth; depth++ {
			var next []Ref
			for _, dir := range level {
				if folders++; folders > maxPackageFolders {
					break
				}
				if name := s.called(dir); name != "" {
					all[name] = append(all[name], dir)
					continue // packages hold no packages
				}
				if depth < maxPackageDepth {
					next = append(next, s.foldersIn(dir)...)
				}
			}
			level = next
		}
	}
	s.names.mu.Lock()
	defer s.names.mu.Unlock()
	s.names.all = all
	return all
}

// foldersIn lists what packages could stand in.
func (s *Space) foldersIn(dir Ref) []Ref {
	entries, err := s.ReadDir(dir)
	if err != nil {
		return nil
	}
	var out []Ref
	for _, e := range entries {
		if e.Name()[0] == '.' || !fs.ValidPath(path.Join(dir.name(), e.Name())) {
			continue
		}
		r := dir.Join(e.Name())
		if e.IsDir() {
			out = append(out, r)
		} else if e.Type()&fs.ModeSymlink != 0 {
			if info, err := s.Stat(r); err == nil && info.IsDir() {
				out = append(out, r)
			}
		}
	}
	return out
}
