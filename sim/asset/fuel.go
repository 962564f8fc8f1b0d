package asset

import (
	"path"
	"slices"
	"strconv"
	"strings"
)

// maxFuelFolders bounds the models of downloads that are looked at for a name.
const maxFuelFolders = 20_000

// fuel is the local copy of a resource of a Fuel server: of the version in its address, else the newest.
func (s *Space) fuel(f Fuel) (Ref, bool) {
	for _, i := range s.copies() {
		for _, host := range f.Hosts() {
			f.Host = host
			if dir, ok := s.versionOf(s.folderOf(i, f), f.Version); ok {
				if r := dir.Join(f.File); s.exists(r) {
					return r, true
				}
			}
		}
	}
	return Ref{}, false
}

// copies are the roots that may hold copies of a network's files: search folders before folders of downloads.
func (s *Space) copies() []int {
	var order []int
	for _, i := range s.order() {
		if s.roots[i].Base != "" {
			order = append(order, i)
		}
	}
	for i, root := range s.roots {
		if root.Downloads && !slices.Contains(order, i) {
			order = append(order, i)
		}
	}
	return order
}

// folderOf is the folder of a resource below a root, in whatever case its names are written there.
func (s *Space) folderOf(root int, f Fuel) Ref {
	lower := Ref{root, f.Folder()}
	host := Ref{root, f.Host}
	if s.exists(lower) || !s.exists(host) {
		return lower
	}
	dir := host
	for _, name := range []string{f.Owner, f.Kind, f.Name} {
		entries, err := s.ReadDir(dir)
		at := -1
		if err == nil {
			for k, e := range entries {
				if strings.EqualFold(e.Name(), name) {
					at = k
					break
				}
			}
		}
		if at < 0 {
			return lower
		}
		dir = dir.Join(entries[at].Name())
	}
	return dir
}

// versionOf is the folder of a version of a resource; 0: of the newest. A copy without versions is its own.
func (s *Space) versionOf(dir Ref, version int) (Ref, bool) {
	if version > 0 {
		r := dir.Join(strconv.Itoa(version))
		return r, s.exists(r)
	}
	entries, err := s.ReadDir(dir)
	if err != nil {
		return dir, false
	}
	newest, files := 0, false
	for _, e := range entries {
		if n, err := strconv.Atoi(e.Name()); err == nil && n > newest {
			if info, err := s.Stat(dir.Join(e.Name())); err == nil && info.IsDir() {
				newest = n
			}
		}
		switch strings.ToLower(path.Ext(e.Name())) {
		case ".config", ".sdf", ".world", ".urdf":
			files = true
		}
	}
	switch {
	case newest > 0:
		return dir.Join(strconv.Itoa(newest)), true
	case files:
		return dir, true
	}
	tip := dir.Join("tip")
	return tip, s.exists(tip)
}

// heldIn is the copy of a Fuel resource that a file belongs to, and the names of its owner and of itself.
func (s *Space) heldIn(from Ref) (dir Ref, owner Ref, name string, ok bool) {
	if from.Root < 0 || from.Root >= len(s.roots) {
		return
	}
	parts := strings.Split(from.Path, "/")
	for i := range min(2, len(parts)) { // HOST/OWNER/models/NAME/…, below some folder or at the top
		if len(parts) < i+5 || !strings.Contains(parts[i], ".") ||
			parts[i+2] != "models" && parts[i+2] != "worlds" {
			continue
		}
		end := i + 4
		if _, err := strconv.Atoi(parts[end]); (err == nil || parts[end] == "tip") && len(parts) > end+1 {
			end++
		}
		return Ref{from.Root, strings.Join(parts[:end], "/")},
			Ref{from.Root, strings.Join(parts[:i+2], "/")}, parts[i+3], true
	}
	return
}

// InFuelCopy reports that a file belongs to the copy of a Fuel server's resource.
func (s *Space) InFuelCopy(r Ref) bool {
	_, _, _, ok := s.heldIn(r)
	return ok
}

// alike reports that two names are of one model: "Jersey Barrier" has files of model://jersey_barrier.
func alike(a, b string) bool { return plainName(a) == plainName(b) }

// plainName is the name of a model as folders are called.
func plainName(name string) string {
	return strings.NewReplacer(" ", "_", "-", "_").Replace(strings.ToLower(strings.TrimSpace(name)))
}

// newest is the newest version of a resource where r is the folder of its versions; else it is r.
func (s *Space) newest(r Ref) Ref {
	if !s.roots[r.Root].Downloads || strings.Count(r.Path, "/") != 3 {
		return r
	}
	if version, ok := s.versionOf(r, 0); ok {
		return version
	}
	return r
}

// ownCopy answers model://NAME/below in a file of a copy whose own name is meant.
func (s *Space) ownCopy(name, below string, from Ref) (Ref, bool) {
	dir, _, own, ok := s.heldIn(from)
	if r := dir.Join(below); ok && alike(own, name) && s.exists(r) {
		return r, true
	}
	return Ref{}, false
}

// copied answers model://NAME/below with a copy of a Fuel server's model of that name. One of the same owner
// as the file that asks goes before others. Last of all that file's own folder counts: models get other names
// when they are put onto a server.
func (s *Space) copied(name, below string, from Ref) (Ref, bool) {
	dir, owner, _, held := s.heldIn(from)
	var first Ref
	found := false
	for _, model := range s.copiedModels()[plainName(name)] {
		at, ok := s.versionOf(model, 0)
		if !ok {
			continue
		}
		r := at.Join(below)
		if !s.exists(r) {
			continue
		}
		if held && model.Root == owner.Root && strings.HasPrefix(model.Path, owner.Path+"/") {
			return r, true
		}
		if !found {
			first, found = r, true
		}
	}
	if found {
		return first, true
	}
	if r := dir.Join(below); held && below != "." && s.exists(r) {
		return r, true
	}
	return Ref{}, false
}

// copiedModels lists the folders of models of Fuel servers below the roots, by name. Those of Open Robotics
// come first, others in the order of the search.
func (s *Space) copiedModels() map[string][]Ref {
	s.names.mu.Lock()
	all := s.names.copies
	s.names.mu.Unlock()
	if all != nil {
		return all
	}
	all = map[string][]Ref{}
	folders := 0
	for _, i := range s.copies() {
		if !s.roots[i].Downloads {
			continue
		}
		for _, host := range s.foldersIn(Ref{Root: i}) {
			for _, owner := range s.foldersIn(host) {
				for _, model := range s.foldersIn(owner.Join("models")) {
					if folders++; folders > maxFuelFolders {
						break
					}
					name := plainName(path.Base(model.Path))
					all[name] = append(all[name], model)
				}
			}
		}
	}
	for _, models := range all {
		slices.SortStableFunc(models, func(a, b Ref) int { return rank(a) - rank(b) })
	}
	s.names.mu.Lock()
	defer s.names.mu.Unlock()
	s.names.copies = all
	return all
}

// rank is 0 for a model of Open Robotics.
func rank(model Ref) int {
	parts := strings.Split(model.Path, "/")
	if len(parts) > 1 && strings.EqualFold(parts[1], "openrobotics") {
		return 0
	}
	return 1
}
