package format

import (
	"context"
	"fmt"

	"simdeck/sim/asset"
	"simdeck/sim/asset/mesh"
	"simdeck/sim/format/bundle"
	"simdeck/sim/format/occupancy"
	"simdeck/sim/format/sdf"
	"simdeck/sim/format/source"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// isMap reports that a file is the YAML of an occupancy map.
func isMap(f file) bool {
	ext := extension(f.name)
	return (ext == ".yaml" || ext == ".yml") && occupancy.Is(f.data)
}

// partFiles is the loader as packages occupancy and bundle ask it, for files of a kind.
type partFiles struct {
	ld *loader
	as kind
}

// Read is the file at an address.
func (m partFiles) Read(uri string, from asset.Ref, limit int64) ([]byte, string, error) {
	ref, err := m.ld.resolve(uri, from)
	if err != nil {
		return nil, "", err
	}
	data, err := m.ld.read(ref, limit, m.as)
	return data, m.ld.space.Name(ref), err
}

// Read is a file at an address that the search paths know, at most limit bytes of it, and what messages call
// it. For a client it fails where the text is none that is like what, in the words of a message, as like
// tells.
func (l *Library) Read(uri string, limit int64, what string, like func([]byte) bool) (data []byte,
	name string, err error) {
	ld := newLoader(context.Background(), l, scene.Resource{URI: uri})
	as := kind{what, func(_ string, data []byte) bool { return like(data) }}
	data, name, err = partFiles{ld, as}.Read(uri, asset.Ref{}, limit)
	return data, name, ld.hint(err)
}

// Mesh reads a mesh.
func (m partFiles) Mesh(uri string, from asset.Ref) (*mesh.Mesh, error) { return m.ld.Mesh(uri, from) }

// Scenery reads an SDF world that a bundle names.
func (m partFiles) Scenery(uri string, from asset.Ref) (*scene.WorldSpec, error) {
	name, ref, data, err := m.ld.Text(uri, from)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", scene.ErrMissingAssets, err)
	}
	d, err := m.ld.document(file{ref: ref, name: name, data: data})
	if err != nil {
		return nil, err
	}
	if root := d.Tree.Root; root.Name != "sdf" {
		return nil, unsupported(name, root)
	}
	return sdf.World(d)
}

// isBundle reports that a file is the world.yaml of a world bundle.
func isBundle(f file) bool {
	ext := extension(f.name)
	return (ext == ".yaml" || ext == ".yml") && bundle.Is(f.data)
}

// walls reads a map and makes its walls a model.
func (ld *loader) walls(f file) (*occupancy.Map, *scene.ModelSpec, error) {
	m, notes, err := occupancy.Read(f.name, f.ref, f.data, partFiles{ld, pictureKind})
	if err != nil {
		return nil, nil, err
	}
	spec, err := m.Model()
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", f.name, err)
	}
	spec.Notes, spec.Source = notes, f.source
	return m, spec, nil
}

// mapWorld puts the walls of a map on a ground plane.
func (ld *loader) mapWorld(f file) (*scene.WorldSpec, error) {
	m, walls, err := ld.walls(f)
	if err != nil {
		return nil, err
	}
	ground, err := ld.ground(&source.Doc{Name: f.name, Ref: f.ref, Notes: &scene.Notes{},
		Budget: source.NewBudget(), Files: ld})
	if err != nil {
		return nil, err
	}
	w := &scene.WorldSpec{Name: m.Name, Description: walls.Info.Description, Tags: []string{"map"},
		Gravity:    r3.V(0, 0, -9.8),
		NamedPoses: m.Poses(), Notes: walls.Notes, Models: []scene.Placed{ground}}
	walls.Notes = nil
	w.Models = append(w.Models, scene.Placed{Name: walls.Name, Model: walls, Pose: walls.Placement,
		Static: true})
	ld.introduce(f.ref, w)
	return w, nil
}

// groundName is the name of the ground plane, and of its model.
const groundName = "ground_plane"

// ground is the built-in plane, placed.
func (ld *loader) ground(d *source.Doc) (scene.Placed, error) {
	floor, err := ld.Model("model://"+groundName, d)
	if err != nil {
		return scene.Placed{}, err
	}
	ground, err := sdf.Model(floor)
	if err != nil {
		return scene.Placed{}, err
	}
	ground.Notes = nil
	return scene.Placed{Name: groundName, Model: ground, Pose: r3.IdentityPose(), Static: true}, nil
}

// bundleWorld reads a world bundle.
func (ld *loader) bundleWorld(f file) (*scene.WorldSpec, error) {
	w, err := bundle.World(f.name, f.ref, f.data, partFiles{ld, anyKind}, ld.lib.vehicle...)
	if err != nil {
		return nil, err
	}
	for i := range w.Models {
		classify(w.Models[i].Model)
	}
	ld.introduce(f.ref, w)
	return w, nil
}

// mapRoot is the root element of the document that stands for an included map, which has none.
const mapRoot = "map"

// includedMap is the walls of a map that a world includes.
func (ld *loader) includedMap(d *source.Doc) (*scene.ModelSpec, error) {
	data, err := ld.read(d.Ref, maxDocument, documentKind)
	if err != nil {
		return nil, err
	}
	_, walls, err := ld.walls(file{ref: d.Ref, name: d.Name, source: d.Name, data: data})
	if err != nil {
		return nil, err
	}
	*d.Notes = append(*d.Notes, walls.Notes...)
	walls.Notes = nil
	return walls, nil
}

// introduce takes description and tags of a world from the sidecar beside it: maps and bundles have no words
// of their own.
func (ld *loader) introduce(ref asset.Ref, w *scene.WorldSpec) {
	info := ld.described(ref, scene.Info{Description: w.Description, Tags: w.Tags})
	w.Description, w.Tags = info.Description, info.Tags
}
