package asset

import (
	"fmt"
	"path"
	"strings"
)

// Bounds of the search for folders of assets, and of product paths.
const (
	maxAssetDepth   = 5 // below a root
	maxAssetFolders = 5000
	maxProductParts = 32
)

// ProductSuffix ends the product paths of what O3DE's asset processor makes of prefabs.
const ProductSuffix = ".spawnable"

// sources are the kinds of files that a product path stands for, the first that is there.
var sources = []string{".prefab", ".sdf", ".urdf", ".xml"}

// ProductPath is the path that O3DE's asset processor gives to the product of a prefab, in lower case. It
// leads from the folder Assets that the prefab stands in, or else from its root.
func ProductPath(r Ref) string {
	below := r.Path
	for i, part := 0, ""; i < len(r.Path); i += len(part) + 1 {
		part, _, _ = strings.Cut(r.Path[i:], "/")
		if rest := i + len(part) + 1; strings.EqualFold(part, "assets") && rest < len(r.Path) {
			below = r.Path[rest:]
			break
		}
	}
	return strings.ToLower(strings.TrimSuffix(below, path.Ext(below))) + ProductSuffix
}

// Products finds sources by product paths, as the folders are while it is used.
type Products struct {
	space *Space
	tops  []Ref                       // that product paths lead from
	seen  map[Ref]map[string][]string // contents of folders, by names in lower case
}

// Products looks for folders of assets anew; Resolve knows them from then on.
func (s *Space) Products() *Products {
	tops := s.findTops()
	s.names.mu.Lock()
	defer s.names.mu.Unlock()
	s.names.tops = tops
	return &Products{space: s, tops: tops}
}

// known is Products with the folders of assets that were found last.
func (s *Space) known() *Products {
	s.names.mu.Lock()
	tops := s.names.tops
	s.names.mu.Unlock()
	if tops == nil {
		return s.Products()
	}
	return &Products{space: s, tops: tops}
}

// findTops lists the roots in the order of the search, each before the folders called Assets below it.
func (s *Space) findTops() []Ref {
	tops, folders := []Ref{}, 0
	for _, i := range s.order() {
		tops = append(tops, Ref{Root: i})
		level := []Ref{{Root: i}}
		for depth := 0; depth < maxAssetDepth && len(level) > 0; depth++ {
			var next []Ref
			for _, dir := range level {
				if folders++; folders > maxAssetFolders {
					return tops
				}
				for _, r := range s.foldersIn(dir) {
					if strings.EqualFold(path.Base(r.Path), "assets") {
						tops = append(tops, r)
					} else {
						next = append(next, r)
					}
				}
			}
			level = next
		}
	}
	return tops
}

// Find is the source of a product path, in any case of letters. Where names differ by case alone, the one
// that is spelled as in the path is taken, else the first in the order of names.
func (p *Products) Find(product string) (Ref, bool) {
	product = strings.Trim(strings.ReplaceAll(product, `\`, "/"), "/")
	if ext := path.Ext(product); strings.EqualFold(ext, ProductSuffix) {
		product = strings.TrimSuffix(product, ext)
	}
	parts := strings.Split(product, "/")
	for _, part := range parts {
		if part == "" || part == "." || part == ".." || len(parts) > maxProductParts {
			return Ref{}, false
		}
	}
	last := len(parts) - 1
	for _, top := range p.tops {
		dir, ok := top, true
		for _, part := range parts[:last] {
			if dir, ok = p.entry(dir, part); !ok {
				break
			}
		}
		if !ok {
			continue
		}
		for _, ext := range sources {
			r, ok := p.entry(dir, parts[last]+ext)
			if !ok {
				continue
			}
			if info, err := p.space.Stat(r); err == nil && info.Mode().IsRegular() {
				return r, true
			}
		}
	}
	return Ref{}, false
}

// entry is the file or folder of a name in a folder, in any case of letters.
func (p *Products) entry(dir Ref, name string) (Ref, bool) {
	content, known := p.seen[dir]
	if !known {
		content = map[string][]string{}
		if entries, err := p.space.ReadDir(dir); err == nil {
			for _, e := range entries {
				lower := strings.ToLower(e.Name())
				content[lower] = append(content[lower], e.Name())
			}
		}
		if p.seen == nil {
			p.seen = map[Ref]map[string][]string{}
		}
		p.seen[dir] = content
	}
	fits := content[strings.ToLower(name)]
	if len(fits) == 0 {
		return Ref{}, false
	}
	chosen := fits[0]
	for _, f := range fits {
		if f == name {
			chosen = f
		}
	}
	return dir.Join(chosen), true
}

// product answers a product path.
func (s *Space) product(uri, rest string) (Ref, error) {
	if r, ok := s.known().Find(rest); ok {
		return r, nil
	}
	return Ref{},
		fmt.Errorf("%s: %w: neither a .prefab nor an SDF, URDF or MJCF of that product path is in %s",
			uri, ErrNotFound, s.list())
}
