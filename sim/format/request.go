package format

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"simdeck/sim/asset"
	"simdeck/sim/scene"
)

// file is the file of a resource.
type file struct {
	ref    asset.Ref
	name   string // for messages
	source string // ModelSpec.Source
	data   []byte
	args   map[string]string // for macros
}

// onDisk is the absolute path of a file; empty: it is in no folder on disk.
func (ld *loader) onDisk(f file) string {
	roots := ld.space.Roots()
	if f.source == "" || f.ref.Root >= len(roots) || roots[f.ref.Root].Base == "" {
		return ""
	}
	return f.name
}

// absent is a resource that cannot be had, for a reason. It wraps scene.ErrNotFound, and says so once.
type absent struct{ reason error }

func (a absent) Error() string {
	if errors.Is(a.reason, asset.ErrNotFound) { // its text has the words
		return a.reason.Error()
	}
	return scene.ErrNotFound.Error() + ": " + a.reason.Error()
}

func (a absent) Unwrap() []error { return []error{scene.ErrNotFound, a.reason} }

// request finds and reads what a resource names, or takes its text.
func (ld *loader) request(r scene.Resource, choose func(*loader, asset.Ref) (asset.Ref, error)) (file,
	error) {
	switch {
	case r.URI == "" && strings.TrimSpace(r.Document) == "" && r.Document == "":
		return file{}, fmt.Errorf("%w: neither an address nor a document was given", scene.ErrNoResource)
	case r.URI == "":
		if len(r.Document) > maxDocument {
			return file{}, fmt.Errorf("%w: a document of %d bytes; at most %d are read", scene.ErrParse,
				len(r.Document), maxDocument)
		}
		if ld.lib.client && ld.lib.reach == scene.ReachListed {
			return file{}, errTextUnlisted
		}
		return file{name: "document", data: []byte(r.Document)}, nil
	}
	uri, args, err := withArgs(r.URI)
	if err != nil {
		return file{}, err
	}
	ref, err := ld.locate(uri, choose)
	if err != nil {
		return file{}, err
	}
	if ref, err = ld.product(ref); err != nil {
		return file{}, err
	}
	name := ld.space.Name(ref)
	if err := knownExtension(name); err != nil {
		return file{}, err
	}
	if err := ld.listed(ref, r.URI, args); err != nil {
		return file{}, err
	}
	data, err := ld.read(ref, maxDocument, documentKind)
	switch {
	case errors.Is(err, errKind):
		return file{}, err
	case err != nil:
		return file{}, absent{err}
	}
	f := file{ref, name, r.URI, data, args}
	if ext := extension(name); (ext == ".yaml" || ext == ".yml") && !isMap(f) && !isBundle(f) {
		return file{}, fmt.Errorf("%w: %s: this YAML is neither a map (image, resolution, origin) nor a world bundle (metadata, geometry, sensors, sim)",
			scene.ErrUnsupportedFormat, name)
	}
	return f, nil
}

// locate answers an address with a file; folders are looked into, plain names are tried as models and worlds.
func (ld *loader) locate(uri string, choose func(*loader, asset.Ref) (asset.Ref, error)) (asset.Ref, error) {
	tries := []string{uri}
	if !strings.ContainsAny(uri, "/\\:") {
		tries = append(tries, uri+".sdf", uri+".world", "worlds/"+uri, "worlds/"+uri+".sdf",
			"worlds/"+uri+".world", uri+".xml", uri+".wbt", "worlds/"+uri+".wbt", "model://"+uri)
	}
	var first error
	for _, try := range tries {
		ref, err := ld.resolve(try, asset.Ref{})
		if err == nil {
			ref, err = choose(ld, ref)
		}
		if err == nil {
			return ref, nil
		}
		if first == nil {
			first = err
		}
	}
	if name := standIn(uri); name != "" {
		return ld.builtin(name)
	}
	if ref, ok := ld.mapBeside(uri); ok {
		return choose(ld, ref)
	}
	return asset.Ref{}, absent{first}
}

// mapBeside finds a shipped map by its name. It has no folder of its own, but lies beside the world that is made
// of it.
func (ld *loader) mapBeside(name string) (asset.Ref, bool) {
	if !fs.ValidPath(name) || strings.ContainsAny(name, `/*?[\`) {
		return asset.Ref{}, false
	}
	for i, root := range ld.space.Roots() {
		if root.Name != asset.Cache {
			continue
		}
		if found, _ := fs.Glob(root.FS, "*/"+name+".yaml"); len(found) > 0 {
			return asset.Ref{Root: i}.Join(found[0]), true
		}
	}
	return asset.Ref{}, false
}

// knownExtension refuses files of formats that are not read, before their contents are looked at.
func knownExtension(name string) error {
	switch ext := strings.ToLower(path.Ext(name)); ext {
	case ".pgm", ".png", ".stl", ".dae", ".obj", ".glb", ".gltf", ".usd", ".usda", ".json":
		return fmt.Errorf("%w: %s: %s files are not read; models are read from %s",
			scene.ErrUnsupportedFormat, name, ext, strings.Join(modelFormats(), ", "))
	}
	return nil
}
