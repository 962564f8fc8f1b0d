package format

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"net/url"
	"path"
	"sort"
	"strings"
	"time"

	"simdeck/sim/asset"
	"simdeck/sim/asset/xmltree"
	"simdeck/sim/format/mjcf"
	"simdeck/sim/format/prefab"
	"simdeck/sim/format/webots"
	"simdeck/sim/scene"
)

// Bounds of looking through folders.
const (
	maxWalkDepth = 8
	maxEntries   = 50_000
	maxSources   = 32
	maxGlance    = 4 << 20 // bytes of a file that is looked into
)

// Spawnables lists the models in the search folders and in sources.
func (l *Library) Spawnables(sources []string) ([]scene.Spawnable, []string) {
	byURI := map[string]scene.Spawnable{}
	products := l.space.Products()
	listed := map[string]string{} // URIs by file on disk: search folders may be inside each other
	complaints := l.look(sources, func(ld *loader, ref asset.Ref, file asset.Ref, g glimpse) {
		if g.kind != "model" && g.kind != "robot" {
			return
		}
		uri := ld.address(ref, products)
		if root := ld.space.Roots()[ref.Root]; root.Base != "" {
			disk := path.Join(root.Base, ref.Path)
			switch other := listed[disk]; {
			case other == "" || other == uri:
			case shorterAddress(other, uri):
				return
			default:
				delete(byURI, other)
			}
			listed[disk] = uri
		}
		info := g.info
		if info.Category == scene.Object && g.kind == "robot" {
			info.Category = scene.Robot
		}
		name := path.Base("/" + strings.TrimSuffix(ref.Path, path.Ext(ref.Path)))
		byURI[uri] = scene.Spawnable{URI: uri, Name: name, Info: info}
	})
	out := make([]scene.Spawnable, 0, len(byURI))
	for _, s := range byURI {
		out = append(out, s)
	}
	sort.Slice(out, func(i, k int) bool { return out[i].URI < out[k].URI })
	return out, complaints
}

// shorterAddress reports that the address a is the one to list of two of a file: that of a product, then the
// shorter.
func shorterAddress(a, b string) bool {
	const product = "spawnable://"
	if pa, pb := strings.HasPrefix(a, product), strings.HasPrefix(b, product); pa != pb {
		return pa
	}
	return len(a) < len(b) || len(a) == len(b) && a < b
}

// Worlds lists the worlds in the search folders and in sources.
func (l *Library) Worlds(sources []string) ([]scene.WorldInfo, []string) {
	byURI := map[string]scene.WorldInfo{}
	complaints := l.look(sources, func(ld *loader, ref asset.Ref, file asset.Ref, g glimpse) {
		if g.kind != "world" && !g.world {
			return
		}
		uri := ld.worldAddress(file)
		byURI[uri] = scene.WorldInfo{Name: g.name, URI: uri, Description: g.info.Description,
			Tags: g.info.Tags}
	})
	out := make([]scene.WorldInfo, 0, len(byURI))
	for _, w := range byURI {
		out = append(out, w)
	}
	sort.Slice(out, func(i, k int) bool { return out[i].URI < out[k].URI })
	return out, complaints
}

// look walks the roots and the sources and shows every model and world.
func (l *Library) look(sources []string, show func(ld *loader, ref, file asset.Ref, g glimpse)) []string {
	var complaints []string
	ld := newLoader(context.Background(), l, scene.Resource{URI: "sources"})
	if len(sources) > maxSources {
		complaints = append(complaints,
			fmt.Sprintf("%d sources; the first %d are looked into", len(sources), maxSources))
		sources = sources[:maxSources]
	}
	folders := make([]asset.Ref, 0, len(sources))
	for _, s := range sources {
		ref, err := ld.source(s)
		if err != nil {
			complaints = append(complaints, fmt.Sprintf("source %.200q: %v", s, ld.hint(err)))
			continue
		}
		folders = append(folders, ref)
	}
	w := &walker{ld: ld, show: show, left: maxEntries}
	for i, root := range ld.space.Roots() {
		if root.Name != builtinName && !root.Unlisted {
			folders = append(folders, asset.Ref{Root: i})
		}
	}
	for _, f := range folders {
		if err := w.walk(f, 0); err != nil {
			complaints = append(complaints, fmt.Sprintf("%s: %v", ld.space.Name(f), err))
		}
	}
	return append(complaints, w.complaints...)
}

// source is the folder that somebody names: one inside the roots. It is listed, and is no root itself.
func (ld *loader) source(s string) (asset.Ref, error) {
	ref, err := ld.resolve(s, asset.Ref{})
	if err != nil {
		return ref, err
	}
	info, err := ld.space.Stat(ref)
	if err == nil && !info.IsDir() {
		err = fmt.Errorf("%w: it is no folder", scene.ErrNotFound)
	}
	return ref, err
}

// walker goes through folders within bounds.
type walker struct {
	ld         *loader
	show       func(ld *loader, ref, file asset.Ref, g glimpse)
	left       int
	complaints []string
}

func (w *walker) walk(dir asset.Ref, depth int) error {
	entries, err := w.ld.space.ReadDir(dir)
	if err != nil {
		return err
	}
	names := map[string]bool{}
	for _, e := range entries {
		names[e.Name()] = true
	}
	if names["model.config"] || names["model.sdf"] {
		if file, err := modelFile(w.ld, dir); err == nil {
			w.show(w.ld, dir, file, w.ld.glimpse(file))
		}
		return nil
	}
	for _, e := range entries {
		if w.left--; w.left < 0 {
			if w.left == -1 {
				w.complaints = append(w.complaints,
					fmt.Sprintf("%s: more than %d files; the rest is not listed", w.ld.space.Name(dir),
						maxEntries))
			}
			return nil
		}
		w.entry(dir.Join(e.Name()), e, depth)
	}
	return nil
}

func (w *walker) entry(at asset.Ref, e fs.DirEntry, depth int) {
	if strings.HasPrefix(e.Name(), ".") {
		return
	}
	if e.IsDir() {
		if depth < maxWalkDepth {
			if err := w.walk(at, depth+1); err != nil {
				w.complaints = append(w.complaints, fmt.Sprintf("%s: %v", w.ld.space.Name(at), err))
			}
		}
		return
	}
	if looked(at) {
		w.show(w.ld, at, at, w.ld.glimpse(at))
	}
}

// looked reports whether a file is looked into: by its name it may be a model or a world.
func looked(at asset.Ref) bool {
	switch extension(at.Path) {
	case ".sdf", ".urdf", ".world", ".xml", ".xacro", ".yaml", ".yml", ".wbt", ".proto", ".prefab":
		return true
	}
	return false
}

// glimpse is the content of a file at first sight.
type glimpse struct {
	kind  string // "model", "robot", "world"; empty: none of them
	name  string
	world bool // it is one besides
	info  scene.Info
	size  int64
	time  time.Time
}

// glimpse looks into a file, or remembers what it saw when the file has not changed since.
func (ld *loader) glimpse(ref asset.Ref) glimpse {
	stat, err := ld.space.Stat(ref)
	if err != nil {
		return glimpse{}
	}
	ld.lib.mu.Lock()
	g, known := ld.lib.glance[ref]
	ld.lib.mu.Unlock()
	if !known || g.size != stat.Size() || !g.time.Equal(stat.ModTime()) {
		g = ld.peek(ref)
		g.size, g.time = stat.Size(), stat.ModTime()
		ld.lib.mu.Lock()
		ld.lib.glance[ref] = g
		ld.lib.mu.Unlock()
	}
	g.info = ld.described(ref, g.info)
	return g
}

func (ld *loader) peek(ref asset.Ref) glimpse {
	data, err := ld.space.ReadFile(ref, maxGlance)
	if err != nil || extension(ref.Path) == ".xml" && !bytes.Contains(data, []byte("<mujoco")) {
		return glimpse{} // .xml files of other kinds are many
	}
	switch f := (file{name: ref.Path, data: data}); {
	case isMap(f):
		return glimpse{kind: "world", name: path.Base(strings.TrimSuffix(ref.Path, path.Ext(ref.Path))),
			info: scene.Info{Tags: []string{"map"}}}
	case isBundle(f):
		return glimpse{kind: "world", name: path.Base(path.Dir("/" + ref.Path)),
			info: scene.Info{Tags: []string{"bundle"}}}
	}
	if isWebots(file{name: ref.Path, data: data}) {
		kind, name, info := webots.Glimpse(ld.space.Name(ref), data)
		return glimpse{kind: kind, name: name, info: info}
	}
	if isPrefab(file{name: ref.Path, data: data}) {
		seen := prefab.Glimpse(data)
		g := glimpse{kind: "model", name: path.Base(strings.TrimSuffix(ref.Path, path.Ext(ref.Path))),
			world: isLevel(ref, seen.Level), info: scene.Info{Tags: seen.Tags}}
		if !seen.Solid && seen.Level {
			g.kind = "world"
		}
		return g
	}
	tree, err := xmltree.Parse(data, xmltree.Limits{})
	if err != nil {
		return glimpse{}
	}
	root := tree.Root
	if root.Name == "robot" && robotic(ref.Path, root) {
		return glimpse{kind: "robot", name: root.Get("name")}
	}
	if root.Name == mjcf.Root {
		return glimpseMJCF(root, ref)
	}
	if root.Name != "sdf" {
		return glimpse{}
	}
	for _, k := range root.Kids {
		if k.Name == "world" || k.Name == "model" {
			return glimpse{kind: k.Name, name: k.Get("name"), info: scene.Info{
				Description: k.ValueOf("simdeck:description"),
				Tags:        strings.Fields(k.ValueOf("simdeck:tags"))}}
		}
	}
	return glimpse{}
}

// glimpseMJCF is the kind of a file in MuJoCo's format: a robot is one body, a world has more than that.
func glimpseMJCF(root *xmltree.Node, ref asset.Ref) glimpse {
	g := glimpse{name: root.Get("model")}
	if g.name == "" {
		g.name = strings.TrimSuffix(path.Base(ref.Path), path.Ext(ref.Path))
	}
	model, world := mjcf.Kinds(root)
	switch {
	case model:
		g.kind, g.world = "robot", world
	case world:
		g.kind = "world"
	}
	return g
}

// described takes the sidecar's words over those of the file, and the file's over model.config's.
func (ld *loader) described(ref asset.Ref, own scene.Info) scene.Info {
	for _, at := range sidecars(ref) {
		if data, err := ld.space.ReadFile(at, 1<<20); err == nil {
			if info, _, err := parseSidecar(data, path.Base(ref.Path)); err == nil {
				if extension(ref.Path) == ".prefab" {
					return merged(info, own.Tags)
				}
				return info
			}
		}
	}
	if own.Description == "" {
		if data, err := ld.space.ReadFile(ref.Dir().Join("model.config"), 1<<20); err == nil {
			if tree, err := xmltree.Parse(data, xmltree.Limits{Bytes: 1 << 20}); err == nil &&
				tree.Root.Name == "model" {
				own.Description = strings.Join(strings.Fields(tree.Root.ValueOf("description")), " ")
			}
		}
	}
	return own
}

// address is the URI of a model for Spawn: its path on disk, or for a root that is not on disk
// spawnable://ROOT/path.spawnable. A prefab goes by its product path, where that leads to it.
func (ld *loader) address(ref asset.Ref, products *asset.Products) string {
	root := ld.space.Roots()[ref.Root]
	if extension(ref.Path) == ".prefab" {
		product := asset.ProductPath(ref)
		if at, ok := products.Find(product); ok && at == ref && !ld.embedded(product) {
			return "spawnable://" + asset.Cache + (&url.URL{Path: "/" + product}).EscapedPath()
		}
	}
	if root.Base != "" {
		return (&url.URL{Scheme: "file", Path: path.Join(root.Base, ref.Path)}).String()
	}
	p := ref.Path
	if ext := extension(p); ext == ".sdf" || ext == ".urdf" || ext == ".xml" {
		stem := strings.TrimSuffix(p, path.Ext(p))
		// in the order in which the address is answered
		for _, first := range []string{".sdf", ".urdf", ".xml"} {
			if isFile(ld.space, asset.Ref{Root: ref.Root, Path: stem + first}) {
				if first == ext {
					p = stem
				}
				break
			}
		}
	}
	return "spawnable://" + root.Name + "/" + p + ".spawnable"
}

// embedded reports that a product path is that of something embedded, which goes first.
func (ld *loader) embedded(product string) bool {
	for i, root := range ld.space.Roots() {
		if root.Name == asset.Cache && root.Base == "" {
			stem := strings.TrimSuffix(product, asset.ProductSuffix)
			for _, ext := range []string{"", ".sdf", ".urdf", ".xml"} {
				if _, err := ld.space.Stat(asset.Ref{Root: i, Path: stem + ext}); err == nil {
					return true
				}
			}
		}
	}
	return false
}

// worldAddress is the URI of a world for loading.
func (ld *loader) worldAddress(file asset.Ref) string {
	root := ld.space.Roots()[file.Root]
	if root.Base != "" {
		return (&url.URL{Scheme: "file", Path: path.Join(root.Base, file.Path)}).String()
	}
	p := file.Path
	if base := path.Base(p); base == "world.sdf" || base == "world.yaml" &&
		!isFile(ld.space, file.Dir().Join("world.sdf")) {
		p = path.Dir(p)
	}
	return "world://" + root.Name + "/" + p
}
