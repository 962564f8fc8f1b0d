package format

import (
	"fmt"
	"path"
	"strings"

	"simdeck/sim/asset"
	"simdeck/sim/asset/mesh"
	"simdeck/sim/format/prefab"
	"simdeck/sim/scene"
)

// isPrefab reports whether a file is a prefab of O3DE.
func isPrefab(f file) bool {
	return extension(f.name) == ".prefab" || f.source == "" && prefab.Is(f.data)
}

// product is the substitute of a .spawnable, which O3DE compiles for itself: its source beside it. Other
// files stand for themselves.
func (ld *loader) product(ref asset.Ref) (asset.Ref, error) {
	ext := path.Ext(ref.Path)
	if !strings.EqualFold(ext, ".spawnable") {
		return ref, nil
	}
	for _, source := range []string{".prefab", ".sdf", ".urdf"} {
		if at := (asset.Ref{Root: ref.Root,
			Path: strings.TrimSuffix(ref.Path, ext) + source}); isFile(ld.space, at) {
			return at, nil
		}
	}
	return ref, fmt.Errorf("%w: %s: O3DE compiles .spawnable files for itself, and no .prefab that it was made of is beside it",
		scene.ErrUnsupportedFormat, ld.space.Name(ref))
}

// prefabModel reads a prefab, with what a sidecar says of it.
func (ld *loader) prefabModel(f file) (*scene.ModelSpec, error) {
	spec, err := prefab.Model(f.name, f.ref, f.data, products{ld})
	if err != nil {
		return nil, err
	}
	if f.source != "" {
		d := ld.plain(f)
		spec.Info = ld.sidecar(f.ref, d)
		spec.Notes = append(spec.Notes, *d.Notes...)
	}
	classify(spec)
	return spec, nil
}

// prefabWorld stands a prefab on a ground plane; one that brings its surroundings stands on those.
func (ld *loader) prefabWorld(f file) (*scene.WorldSpec, error) {
	spec, err := ld.prefabModel(f)
	if err != nil {
		return nil, err
	}
	d := ld.plain(f)
	*d.Notes = spec.Notes
	return ld.onGround(d, spec, f)
}

// products is the loader as package prefab asks it.
type products struct{ ld *loader }

// deepestAsset bounds the folders in the path of an asset.
const deepestAsset = 32

// Product looks in the folders above the document, and in those called Assets there, as projects and gems are
// laid out.
func (p products) Product(name string, from asset.Ref) (asset.Ref, error) {
	parts := strings.Split(strings.ReplaceAll(name, `\`, "/"), "/")
	for _, part := range parts {
		if part == "" || part == "." || part == ".." || len(parts) > deepestAsset {
			return asset.Ref{}, fmt.Errorf("%q: %w", name, asset.ErrNotFound)
		}
	}
	dir := from
	for range deepestAsset {
		if dir.Path == "." || dir.Path == "" {
			break
		}
		dir = dir.Dir()
		for _, top := range []asset.Ref{dir, dir.Join("Assets")} {
			if ref, found := p.below(top, parts); found {
				return ref, nil
			}
		}
	}
	return asset.Ref{}, fmt.Errorf("%w in the folders above %s", asset.ErrNotFound, p.ld.space.Name(from))
}

// below finds a path in any case of letters.
func (p products) below(at asset.Ref, parts []string) (asset.Ref, bool) {
	for _, part := range parts {
		entries, err := p.ld.space.ReadDir(at)
		if err != nil {
			return at, false
		}
		found := false
		for _, e := range entries {
			if strings.EqualFold(e.Name(), part) {
				at, found = at.Join(e.Name()), true
				break
			}
		}
		if !found {
			return at, false
		}
	}
	return at, true
}

// Read is the text of a prefab.
func (p products) Read(ref asset.Ref) (string, []byte, error) {
	data, err := p.ld.read(ref, maxDocument, documentKind)
	return p.ld.space.Name(ref), data, err
}

// MeshAt reads a mesh.
func (p products) MeshAt(ref asset.Ref) (*mesh.Mesh, error) {
	return p.ld.Mesh(path.Base(ref.Path), ref)
}
