package format

import (
	"simdeck/sim/asset/xmltree"
	"simdeck/sim/format/source"
	"simdeck/sim/format/webots"
	"simdeck/sim/scene"
)

// isWebots reports whether a file is one of Webots: by its first line, or by its name where a PROTO has none.
func isWebots(f file) bool {
	return webots.Is(f.data) || extension(f.name) == ".wbt" || extension(f.name) == ".proto"
}

// webotsWorld reads a world of Webots; a PROTO stands on a ground plane.
func (ld *loader) webotsWorld(f file) (*scene.WorldSpec, error) {
	if webots.HoldsModel(f.data) {
		spec, err := ld.model(f)
		if err != nil {
			return nil, err
		}
		d := ld.plain(f)
		*d.Notes = spec.Notes
		return ld.onGround(d, spec, f)
	}
	spec, err := webots.World(f.name, f.ref, f.data, ld)
	if err != nil {
		return nil, err
	}
	for i := range spec.Models {
		spec.Models[i].Model.Source = f.source
		classify(spec.Models[i].Model)
	}
	return spec, nil
}

// webotsModel reads a PROTO, with what a sidecar says of it.
func (ld *loader) webotsModel(f file) (*scene.ModelSpec, error) {
	spec, err := webots.Model(f.name, f.ref, f.data, ld)
	if err != nil {
		return nil, err
	}
	if f.source != "" {
		d, category := ld.plain(f), spec.Info.Category
		if info := ld.sidecar(f.ref, d); info.Description != "" || info.Category != scene.Object ||
			len(info.Tags) > 0 || info.Bounds.Kind != scene.NoBounds {
			if spec.Info = info; info.Category == scene.Object {
				spec.Info.Category = category
			}
		}
		spec.Notes = append(spec.Notes, *d.Notes...)
	}
	classify(spec)
	return spec, nil
}

// plain is a document of a file that is no XML, for notes.
func (ld *loader) plain(f file) *source.Doc {
	return source.Open(f.name, f.ref,
		&xmltree.Document{Root: &xmltree.Node{Name: "Webots", Pos: xmltree.Pos{Line: 1, Column: 1}}}, ld)
}
