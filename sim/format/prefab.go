package format

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"simdeck/sim/asset"
	"simdeck/sim/asset/mesh"
	"simdeck/sim/format/prefab"
	"simdeck/sim/r3"
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

// prefabModel reads a prefab as a model, with what a sidecar says of it.
func (ld *loader) prefabModel(f file) (*scene.ModelSpec, error) {
	p, err := ld.prefab(f)
	if err != nil {
		return nil, err
	}
	if p.Model == nil {
		return nil, p.Empty(f.name)
	}
	for _, pose := range p.Poses {
		p.Model.Notes = append(p.Model.Notes, scene.Note{Kind: scene.Ignored, File: f.name,
			Line: 1, Column: 1, Text: fmt.Sprintf("named pose %q: a spawned model brings none; a world has them", pose.Name)})
	}
	return p.Model, nil
}

// prefab reads a prefab, with what a sidecar says of its model.
func (ld *loader) prefab(f file) (*prefab.Prefab, error) {
	p, err := prefab.Read(f.name, f.ref, f.data, products{ld})
	if err != nil || p.Model == nil {
		return p, err
	}
	if f.source != "" {
		d := ld.plain(f)
		p.Model.Info = merged(ld.sidecar(f.ref, d), p.Model.Info.Tags)
		p.Model.Notes = append(p.Model.Notes, *d.Notes...)
	}
	classify(p.Model)
	return p, nil
}

// merged is a sidecar's information, with the tags of the prefab itself before the sidecar's, each once.
func merged(info scene.Info, own []string) scene.Info {
	tags := slices.Clone(own)
	for _, tag := range info.Tags {
		if !slices.Contains(tags, tag) {
			tags = append(tags, tag)
		}
	}
	info.Tags = tags
	return info
}

// isLevel tells a place from a thing that stands in one: by its named poses, or by the folder in which O3DE
// keeps levels.
func isLevel(ref asset.Ref, poses bool) bool {
	for part := range strings.SplitSeq(path.Dir(ref.Path), "/") {
		poses = poses || strings.EqualFold(part, "levels")
	}
	return poses
}

// prefabWorld makes a world of a level, or stands a prefab on a ground plane. A level brings its own
// surroundings, or is empty but for named poses.
func (ld *loader) prefabWorld(f file) (*scene.WorldSpec, error) {
	p, err := ld.prefab(f)
	if err != nil {
		return nil, err
	}
	w := &scene.WorldSpec{Name: p.Name, Gravity: r3.V(0, 0, -9.8), Notes: p.Notes}
	switch d := ld.plain(f); {
	case p.Model == nil && len(p.Poses) == 0:
		return nil, p.Empty(f.name)
	case p.Model == nil:
		ground, err := ld.ground(d)
		if err != nil {
			return nil, err
		}
		w.Models = append(w.Models, ground)
	case p.Surrounded && isLevel(f.ref, len(p.Poses) > 0):
		p.Model.Source, w.Notes, p.Model.Notes = f.source, p.Model.Notes, nil
		w.Models = append(w.Models, scene.Placed{Name: p.Name, Model: p.Model, Pose: p.Model.Placement})
	default:
		*d.Notes = p.Model.Notes
		if w, err = ld.onGround(d, p.Model, f); err != nil {
			return nil, err
		}
	}
	w.NamedPoses = p.Poses
	if f.source != "" {
		ld.introduce(f.ref, w)
	}
	return w, nil
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
