package format

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"simdeck/sim/asset"
	"simdeck/sim/asset/mesh"
	"simdeck/sim/asset/texture"
	"simdeck/sim/asset/xmltree"
	"simdeck/sim/format/source"
	"simdeck/sim/format/urdf"
	"simdeck/sim/scene"
)

// maxDepth bounds includes inside includes.
const maxDepth = 32

// loader reads one resource with all that it names. It remembers what it looked up, so that the result can be
// kept and known to be stale.
type loader struct {
	ctx     context.Context // reading ends with it
	lib     *Library
	space   *asset.Space
	client  bool   // it reads for one
	text    bool   // its input was sent by a client and has no file
	named   string // a file of values that arguments of a client lead to; empty: none
	trees   map[asset.Ref]*xmltree.Document
	shapes  map[asset.Ref]*mesh.Mesh
	images  map[asset.Ref]*scene.Texture
	reliefs map[asset.Ref]*texture.Relief
	beside  map[asset.Ref]besides
	files   map[asset.Ref]asset.Ref // results of modelFile
	answers map[lookupKey]answer
	lookups []lookup
	reads   []reading
	wanted  wants
}

// lookupKey is an address with the file that names it, answer the result: a model included a thousand times
// is looked up once.
type (
	lookupKey struct {
		uri  string
		from asset.Ref
	}
	answer struct {
		ref asset.Ref
		err error
	}
)

var (
	_ source.Files       = (*loader)(nil)
	_ source.Reliefs     = (*loader)(nil)
	_ source.Interrupted = (*loader)(nil)
)

// newLoader reads for whoever has the library, or for a client where r is a text.
func newLoader(ctx context.Context, l *Library, r scene.Resource) *loader {
	text := r.URI == ""
	space := l.space
	if text {
		space = l.clients
	}
	of := r.URI
	if l.client {
		of = ""
	}
	return &loader{ctx: ctx, lib: l, space: space, client: l.client || text, text: text,
		wanted: wants{of: of},
		trees:  map[asset.Ref]*xmltree.Document{}, shapes: map[asset.Ref]*mesh.Mesh{},
		images: map[asset.Ref]*scene.Texture{}, reliefs: map[asset.Ref]*texture.Relief{},
		beside: map[asset.Ref]besides{},
		files:  map[asset.Ref]asset.Ref{}, answers: map[lookupKey]answer{}}
}

// Interrupted is the reason to end reading early; nil: there is none.
func (ld *loader) Interrupted() error { return scene.Interrupted(ld.ctx) }

// resolve is Space.Resolve, remembered; so is an address of a network that has no copy.
func (ld *loader) resolve(uri string, from asset.Ref) (asset.Ref, error) {
	ref, err := ld.lookUp(uri, from)
	if errors.Is(err, asset.ErrNetwork) {
		err = ld.wanted.lack(uri, err)
	}
	return ref, err
}

// lookUp is Space.Resolve, remembered.
func (ld *loader) lookUp(uri string, from asset.Ref) (asset.Ref, error) {
	if err := ld.Interrupted(); err != nil {
		return asset.Ref{}, err
	}
	if a, known := ld.answers[lookupKey{uri, from}]; known {
		return a.ref, a.err
	}
	ref, err := ld.space.Resolve(uri, from)
	if len(ld.lookups) < maxLookups {
		ld.lookups = append(ld.lookups, lookup{uri, from, ref, err == nil})
		ld.answers[lookupKey{uri, from}] = answer{ref, err}
	}
	return ref, err
}

// read is Space.ReadFile, remembered, of a file that is to be of a kind. For a client one of another kind is
// an errKind.
func (ld *loader) read(ref asset.Ref, limit int64, as kind) ([]byte, error) {
	if err := ld.Interrupted(); err != nil {
		return nil, err
	}
	data, err := ld.space.ReadFile(ref, limit)
	if name := ld.space.Name(ref); err == nil && ld.client && !as.fits(name, data) {
		return nil, fmt.Errorf("%w: %s does not begin like %s; nothing of it is shown", errKind, name,
			as.what)
	}
	if err == nil && len(ld.reads) < maxLookups {
		ld.reads = append(ld.reads, readingOf(ld.space, ref))
	}
	return data, err
}

// document parses a file for a reader.
func (ld *loader) document(f file) (*source.Doc, error) {
	tree, err := ld.parse(f.name, f.data)
	if err != nil {
		return nil, err
	}
	tree, notes, err := ld.expanded(f, tree)
	if err != nil {
		return nil, err
	}
	d := source.Open(f.name, f.ref, tree, ld)
	if d.Keyframe, err = keyframeOf(f, tree.Root); err != nil {
		return nil, err
	}
	*d.Notes = append(*d.Notes, notes...)
	if f.source != "" {
		d.Info = ld.sidecar(f.ref, d)
	}
	return d, nil
}

// parse reads XML; errors carry file, line and column.
func (ld *loader) parse(name string, data []byte) (*xmltree.Document, error) {
	tree, err := xmltree.Parse(data, xmltree.Limits{Interrupted: ld.Interrupted})
	var syntax *xmltree.SyntaxError
	switch {
	case errors.As(err, &syntax):
		return nil, fmt.Errorf("%w: %s:%v: %s", scene.ErrParse, name, syntax.Pos, syntax.Text)
	case err != nil:
		return nil, fmt.Errorf("%w: %s: %w", scene.ErrParse, name, err)
	}
	return tree, nil
}

// Exists reports that an address can be answered.
func (ld *loader) Exists(uri string, from asset.Ref) error {
	_, err := ld.resolve(uri, from)
	return err
}

// Mesh reads a mesh, or takes one of the same content that was read before.
func (ld *loader) Mesh(uri string, from asset.Ref) (*mesh.Mesh, error) {
	ref, err := ld.resolve(uri, from)
	if err != nil {
		ld.WantBeside(uri, from)
		return nil, err
	}
	if m := ld.shapes[ref]; m != nil {
		return m, nil
	}
	name := ld.space.Name(ref)
	if !slices.Contains(mesh.Formats(), extension(name)) {
		return nil, fmt.Errorf("%w %q; known are %s", mesh.ErrFormat, extension(name),
			strings.Join(mesh.Formats(), ", "))
	}
	data, err := ld.read(ref, mesh.MaxBytes, meshKind)
	if err != nil {
		return nil, err
	}
	beside := ld.companions(name, data, ref)
	key := contentKey(name, data, beside)
	ld.lib.mu.Lock()
	m, known := ld.lib.meshes.get(key)
	ld.lib.mu.Unlock()
	if !known {
		if m, err = ld.decode(name, data, beside, key); err != nil {
			return nil, err
		}
		m.URI = uri
		ld.lib.mu.Lock()
		ld.lib.meshes.put(key, m, len(m.Vertices)+len(m.Triangles)+3*len(m.Corners))
		ld.lib.mu.Unlock()
	}
	m = ld.dressed(m, ref)
	ld.shapes[ref] = m
	return m, nil
}

// companions reads the files that a mesh needs besides its own; those that cannot be had are missing in the
// answer.
func (ld *loader) companions(name string, data []byte, ref asset.Ref) map[string][]byte {
	files, left := map[string][]byte{}, int64(mesh.MaxBytes)
	for _, uri := range mesh.Beside(name, data) {
		at, err := ld.resolve(uri, ref)
		if err != nil {
			ld.WantBeside(uri, ref)
			continue
		}
		if text, err := ld.read(at, left, anyKind); err == nil {
			files[uri] = text
			left -= int64(len(text))
		}
	}
	return files
}

// contentKey is the same for meshes of the same content.
func contentKey(name string, data []byte, beside map[string][]byte) [32]byte {
	h := sha256.New()
	h.Write(data)
	h.Write([]byte(extension(name)))
	for _, uri := range slices.Sorted(maps.Keys(beside)) {
		fmt.Fprintf(h, "\x00%d %s %d\x00", len(uri), uri, len(beside[uri]))
		h.Write(beside[uri])
	}
	return [32]byte(h.Sum(nil))
}

// Text reads a file that the document at from names.
func (ld *loader) Text(uri string, from asset.Ref) (name string, ref asset.Ref, data []byte, err error) {
	if ref, err = ld.resolve(uri, from); err != nil {
		ld.WantBeside(uri, from)
		return "", ref, nil, err
	}
	data, err = ld.read(ref, maxDocument, documentKind)
	return ld.space.Name(ref), ref, data, err
}

// Robot reads the URDF or the map that a world includes.
func (ld *loader) Robot(d *source.Doc) (*scene.ModelSpec, error) {
	if d.Tree.Root.Name == mapRoot {
		return ld.includedMap(d)
	}
	spec, err := urdf.Model(d)
	if err != nil {
		return nil, err
	}
	spec.Notes = nil // they are the world's
	return spec, nil
}

// Script reads a text file, or all with that extension in a folder, as the scripts of materials are named.
func (ld *loader) Script(uri, ext string, from asset.Ref) ([]string, error) {
	ref, err := ld.resolve(uri, from)
	if err != nil {
		return nil, err
	}
	files := []asset.Ref{ref}
	if info, err := ld.space.Stat(ref); err == nil && info.IsDir() {
		files = nil
		entries, err := ld.space.ReadDir(ref)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			if extension(e.Name()) == ext && len(files) < 100 {
				files = append(files, ref.Join(e.Name()))
			}
		}
	}
	var out []string
	for _, f := range files {
		data, err := ld.read(f, 1<<20, scriptKind)
		if err != nil {
			return nil, err
		}
		text, _ := xmltree.ToUTF8(data)
		out = append(out, text)
	}
	return out, nil
}

// Parameters reads the ROS parameter file that an address names.
func (ld *loader) Parameters(uri string, from asset.Ref) (name, text string, err error) {
	ref, err := ld.resolve(uri, from)
	if err != nil {
		return "", "", err
	}
	data, err := ld.read(ref, maxParameters, parametersKind)
	if err != nil {
		return "", "", err
	}
	text, _ = xmltree.ToUTF8(data)
	return ld.space.Name(ref), text, nil
}

// Model reads a model that a document includes. It looks in the search folders, then by name if the address
// is a model server's, then for a built-in of the same meaning.
func (ld *loader) Model(uri string, doc *source.Doc) (*source.Doc, error) {
	why := ""
	ref, err := ld.resolve(uri, doc.Ref)
	if err != nil && !strings.ContainsAny(uri, "/\\:") { // a bare name, as PX4 writes it
		if named, missing := ld.resolve("model://"+uri, doc.Ref); missing == nil {
			ref, err = named, nil
		}
	}
	if err != nil {
		local, reason, found := ld.substitute(uri, doc.Ref, err)
		if !found {
			return nil, err
		}
		ref, why = local, reason
	}
	if ref, err = modelFile(ld, ref); err != nil {
		return nil, err
	}
	switch {
	case ref == doc.Ref && doc.Name != "document": // the rest of the world is fine without it
		return nil, fmt.Errorf("%w: %s includes itself", scene.ErrParse, ld.space.Name(ref))
	case slices.Contains(doc.Parents, ref):
		return nil, fmt.Errorf("%w: %s %w", scene.ErrParse, ld.space.Name(ref), source.ErrCircle)
	}
	if len(doc.Parents) >= maxDepth {
		return nil, fmt.Errorf("%w: includes inside includes deeper than %d", scene.ErrParse, maxDepth)
	}
	name := ld.space.Name(ref)
	tree := ld.trees[ref]
	if tree == nil {
		data, err := ld.read(ref, maxDocument, documentKind)
		if err != nil {
			return nil, err
		}
		if f := (file{ref: ref, name: name, data: data}); isMap(f) {
			return doc.Included(name, ref, &xmltree.Document{Root: &xmltree.Node{Name: mapRoot}}), nil
		}
		if tree, err = ld.parse(name, data); err != nil {
			return nil, err
		}
		var notes scene.Notes
		if tree, notes, err = ld.expanded(file{ref: ref, name: name}, tree); err != nil {
			return nil, err
		}
		*doc.Notes = append(*doc.Notes, notes...)
		ld.trees[ref] = tree
	}
	in := doc.Included(name, ref, tree)
	in.StandIn = why
	in.Info = ld.sidecar(ref, in)
	return in, nil
}

// substitute finds a local model for an address that cannot be answered.
func (ld *loader) substitute(uri string, from asset.Ref, err error) (ref asset.Ref, why string, found bool) {
	name := modelName(uri)
	if errors.Is(err, asset.ErrNetwork) && name != "" {
		if any, ok := anyVersion(uri); ok {
			if ref, err := ld.lookUp(any, from); err == nil {
				return ref, fmt.Sprintf("this version has no local copy; %s stands in", ld.space.Name(ref)), true
			}
		}
		for _, n := range []string{name, snake(name)} {
			ref, err := ld.resolve("model://"+n, from)
			if err == nil {
				_, err = modelFile(ld, ref) // a folder of that name may hold something else
			}
			if err == nil {
				return ref, fmt.Sprintf("it has no local copy; the model %s stands in",
					ld.space.Name(ref)), true
			}
		}
	}
	if file := standIn(uri); file != "" {
		ref, err := ld.builtin(file)
		return ref, "there is no local copy; the built-in model of the same meaning stands in", err == nil
	}
	return asset.Ref{}, "", false
}

// anyVersion is the address of the newest version of a Fuel model where another is asked for.
func anyVersion(uri string) (string, bool) {
	a, err := asset.ParseAddress(uri)
	if err != nil || a.Fuel == nil || a.Fuel.Version == 0 {
		return "", false
	}
	below := []string{"1.0", a.Fuel.Owner, a.Fuel.Kind, a.Fuel.Name}
	return asset.Address{Host: a.Host, Path: strings.Join(below, "/")}.String(), true
}

// builtin is the place of a stand-in, below the root that NewLibrary added.
func (ld *loader) builtin(name string) (asset.Ref, error) {
	return ld.space.Resolve("spawnable://"+builtinName+"/"+name, asset.Ref{})
}
