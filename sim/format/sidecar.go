package format

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"simdeck/sim/asset"
	"simdeck/sim/asset/xmltree"
	"simdeck/sim/format/source"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// sidecar is the file beside a model, with the same base name and the extension .simulationinfo:
//
//	{
//	  "description": "a crate that can be pushed",
//	  "category": "dynamic_object",        object, robot, human, dynamic_object or static_object
//	  "tags": ["crate", "movable"],
//	  "bounds": {"box": {"min": [-0.2, -0.2, -0.2], "max": [0.2, 0.2, 0.2]}},
//	  "asset": "model.sdf",                optional: the file that it belongs to
//	  "convex": {"parts": 12, "error": 0.05}
//	}
//
// or the same as XML (xmlSidecar), or either in O3DE's form (sidecarFile, o3deRoot). bounds are in metres in
// the frame of the canonical link, and one of box, sphere ({"centre": […], "radius": 1}) and hull
// ([[x, y, z], …]). convex bounds the number of a moving mesh's convex hulls (1: one hull), and their excess
// volume as a share of its own.
type sidecar struct {
	Description string       `json:"description"`
	Category    sidecarWord  `json:"category"`
	Tags        []string     `json:"tags"`
	Bounds      *sidecarArea `json:"bounds"`
	Asset       *prefabAsset `json:"asset"`
	AssetID     *prefabAsset `json:"assetId"`
	Convex      *struct {
		Parts *int     `json:"parts"`
		Error *float64 `json:"error"`
	} `json:"convex"`
}

type sidecarArea struct {
	Box *struct {
		Min [3]float64 `json:"min"`
		Max [3]float64 `json:"max"`
	} `json:"box"`
	Sphere *sidecarSphere `json:"sphere"`
	Hull   [][3]float64   `json:"hull"`
}

type sidecarSphere struct {
	Centre [3]float64  `json:"centre"`
	Center *[3]float64 `json:"center"` // the same
	Radius float64     `json:"radius"`
}

// sidecars lists where the sidecar of a model file may stand.
func sidecars(ref asset.Ref) []asset.Ref {
	stem := strings.TrimSuffix(ref.Path, path.Ext(ref.Path))
	folder := path.Dir(ref.Path)
	var out []asset.Ref
	stems := []string{stem}
	if extension(ref.Path) == ".xacro" { // bot.urdf.xacro has bot.simulationinfo too
		stems = append(stems, strings.TrimSuffix(stem, path.Ext(stem)))
	}
	for _, p := range append(stems, path.Join(folder, path.Base(folder)), folder) {
		for _, ext := range []string{".simulationinfo", ".SimulationInfo"} {
			out = append(out, asset.Ref{Root: ref.Root, Path: p + ext})
		}
	}
	return out
}

// besides is the content of a model's sidecar, its unknown keys, and its error.
type besides struct {
	info    scene.Info
	unknown []string
	name    string
	err     error
}

// sidecar reads what stands beside a model; what is wrong with it becomes a note of d.
func (ld *loader) sidecar(ref asset.Ref, d *source.Doc) scene.Info {
	b, known := ld.beside[ref]
	if !known {
		b = ld.readSidecar(ref)
		ld.beside[ref] = b
	}
	for _, key := range b.unknown {
		d.Note(scene.Unsupported, d.Tree.Root, "sidecar %s:%s; ignored", b.name, key)
	}
	if b.err != nil {
		d.Note(scene.Unreadable, d.Tree.Root, "sidecar %s: %v", b.name, b.err)
	}
	return b.info
}

func (ld *loader) readSidecar(ref asset.Ref) besides {
	for _, at := range sidecars(ref) {
		if data, err := ld.read(at, 1<<20, sidecarKind); err == nil {
			info, unknown, err := parseSidecar(data, path.Base(ref.Path))
			return besides{info, unknown, ld.space.Name(at), err}
		}
	}
	return besides{}
}

// jsonSidecar reads a sidecar that is JSON, and lists its unknown keys.
func jsonSidecar(text string) (s sidecar, unknown []string, err error) {
	var f sidecarFile
	dec := json.NewDecoder(strings.NewReader(text))
	if err := dec.Decode(&f); err != nil {
		return s, nil, source.JSONError([]byte(text), dec.InputOffset(), err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return s, nil, source.JSONError([]byte(text), dec.InputOffset(), errors.New("text after the object"))
	}
	if f.ClassData != nil {
		return *f.ClassData, envelopeKeys.inJSON(text), nil
	}
	return f.sidecar, knownKeys.inJSON(text), nil
}

// parseSidecar reads a sidecar of the file called name, and lists its unknown keys; on an error the Info
// holds what could be read.
func parseSidecar(data []byte, name string) (info scene.Info, unknown []string, err error) {
	text, _ := xmltree.ToUTF8(data)
	var s sidecar
	if strings.HasPrefix(strings.TrimSpace(text), "<") {
		s, unknown, err = xmlSidecar(text)
	} else {
		s, unknown, err = jsonSidecar(text)
	}
	if err != nil {
		return info, unknown, err
	}
	info = scene.Info{Description: s.Description, Tags: s.Tags}
	if id := s.AssetID; id != nil && id.id == "" && id.file != "" { // an id it is, then, and a bad one
		id.id, id.file = id.file, ""
	}
	if err = errors.Join(s.Asset.check(name), s.AssetID.check(name)); err != nil {
		return info, unknown, err
	}
	if s.Category != "" {
		if info.Category, err = category(string(s.Category)); err != nil {
			return info, unknown, err
		}
	}
	if info.Convex, err = s.convex(); err != nil {
		return info, unknown, err
	}
	info.Bounds, err = s.Bounds.region()
	return info, unknown, err
}

// maxParts is the most hulls that a sidecar may ask for.
const maxParts = 64

func (s *sidecar) convex() (c scene.Convex, err error) {
	if s.Convex == nil {
		return c, nil
	}
	if n := s.Convex.Parts; n != nil {
		if *n < 1 || *n > maxParts {
			return c, fmt.Errorf("convex: %d parts; want 1 to %d", *n, maxParts)
		}
		c.Parts = *n
	}
	if f := s.Convex.Error; f != nil {
		if !(*f > 0 && *f <= 10) {
			return c, fmt.Errorf("convex: an error of %g; want more than 0, at most 10", *f)
		}
		c.Error = *f
	}
	return c, nil
}

func (a *sidecarArea) region() (scene.Bounds, error) {
	switch {
	case a == nil:
		return scene.Bounds{}, nil
	case a.Box != nil:
		lo, hi := vec(a.Box.Min), vec(a.Box.Max)
		if !(lo.X < hi.X && lo.Y < hi.Y && lo.Z < hi.Z) {
			return scene.Bounds{}, fmt.Errorf("bounds: box from %v to %v; every min is below its max", lo, hi)
		}
		return scene.Bounds{Kind: scene.BoxBounds, Points: []r3.Vec{hi, lo}}, nil
	case a.Sphere != nil:
		if !(a.Sphere.Radius > 0) {
			return scene.Bounds{}, fmt.Errorf("bounds: sphere with radius %g; want greater than zero",
				a.Sphere.Radius)
		}
		centre := a.Sphere.Centre
		if a.Sphere.Center != nil {
			centre = *a.Sphere.Center
		}
		return scene.Bounds{Kind: scene.SphereBounds,
			Points: []r3.Vec{vec(centre), {X: a.Sphere.Radius}}}, nil
	case len(a.Hull) >= 4:
		b := scene.Bounds{Kind: scene.HullBounds}
		for _, p := range a.Hull {
			b.Points = append(b.Points, vec(p))
		}
		return b, nil
	}
	return scene.Bounds{}, errors.New("bounds hold one of box, sphere, or hull with at least four points")
}

func vec(v [3]float64) r3.Vec { return r3.V(v[0], v[1], v[2]) }
