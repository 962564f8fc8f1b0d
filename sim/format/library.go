// Package format reads worlds and models in the formats that simulators use. Library finds them in folders
// that the caller opens and picks the reader (packages sdf, urdf, mjcf, webots and prefab). It resolves their
// meshes and models, keeps compiled ones, and lists spawnables and worlds.
//
// An elements.txt in each reader's package declares which elements of a file are understood, have no effect, or
// are not run; package schema reads it. Library.ForClients limits the files that clients can have read.
package format

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"simdeck/sim/asset"
	"simdeck/sim/asset/mesh"
	"simdeck/sim/asset/xmltree"
	"simdeck/sim/format/ego"
	"simdeck/sim/format/mjcf"
	"simdeck/sim/format/sdf"
	"simdeck/sim/format/source"
	"simdeck/sim/format/urdf"
	"simdeck/sim/scene"
)

// Config of a Library. The zero value knows only documents given as text.
type Config struct {
	Roots []asset.Root // searched in this order; the embedded one first
	// files that clients may name; ReachAnywhere needs an unlisted root that holds everything
	Reach   scene.Reach
	Vehicle []ego.Setting // of the ego vehicle of every world, before what the world says
	Store   Store         // keeps what was made of meshes from one process to the next; nil: nothing does
}

// Bounds of the caches: models, meshes in vertices and triangles together (about 400 MB at most), and
// pictures in bytes.
const keptModels, keptCorners, keptPixels = 256, 20_000_000, 256 << 20

// maxDocument bounds a world or model file.
const maxDocument = 64 << 20

// Library is a scene.Library over search folders, as the user who started the program has it; see ForClients.
type Library struct {
	*shared
	space  *asset.Space // of whoever asks
	client bool         // it is for clients
}

// shared holds the common parts of the user's library and the clients'.
type shared struct {
	store   Store
	vehicle []ego.Setting
	reach   scene.Reach
	clients *asset.Space

	mu       sync.Mutex
	models   cache[modelKey, *kept]
	meshes   cache[[32]byte, *mesh.Mesh]
	textures cache[[32]byte, *scene.Texture]
	glance   map[asset.Ref]glimpse
}

var (
	_ scene.Library       = (*Library)(nil)
	_ scene.Interruptible = (*Library)(nil)
)

// NewLibrary starts nothing and reads nothing.
func NewLibrary(c Config) *Library {
	if c.Store == nil {
		c.Store = forgetful{}
	}
	all := asset.NewSpace(append(append([]asset.Root{}, c.Roots...), builtinRoot())...)
	s := &shared{store: c.Store, vehicle: c.Vehicle, reach: c.Reach, clients: all.For(asset.Clients),
		glance: map[asset.Ref]glimpse{}}
	s.models.limit, s.meshes.limit, s.textures.limit = keptModels, keptCorners, keptPixels
	return &Library{shared: s, space: all.For(asset.Owner)}
}

// ForClients is the library as those have it who ask the simulator for things. It reads within Config.Reach,
// and its errors and notes reveal nothing of files that are no models: see kind. A text without an address is
// somebody's message, and is read so by both.
func (l *Library) ForClients() *Library {
	return &Library{shared: l.shared, space: l.clients, client: true}
}

// Formats lists the formats of models, the preferred one first, by the names that SimulatorFeatures.msg of
// simulation_interfaces gives: lower case, without a dot. "spawnable" is O3DE's product of a prefab, "map"
// the YAML of an occupancy map, whose walls are a model.
func (l *Library) Formats() []string { return modelFormats() }

func modelFormats() []string {
	return []string{"sdf", "urdf", "xacro", "mjcf", "proto", "prefab", "spawnable", "map"}
}

// longestText is the most bytes of a model's text that are kept for viewers, which get it in a message.
const longestText = 256 << 10

// Model reads and compiles a model, or reuses the last result when neither its text nor any file that it
// names has changed.
func (l *Library) Model(r scene.Resource) (*scene.ModelSpec, error) {
	return l.ModelContext(context.Background(), r)
}

// ModelContext is Model that ends early with ctx.
func (l *Library) ModelContext(ctx context.Context, r scene.Resource) (*scene.ModelSpec, error) {
	ld := newLoader(ctx, l, r)
	f, err := ld.request(r, modelFile)
	if err != nil {
		return nil, brief(ld.hint(err))
	}
	if spec := l.recall(f, ld); spec != nil {
		return spec, nil
	}
	spec, err := ld.model(f)
	if late := ld.Interrupted(); late != nil { // an interrupted include would count as missing
		return nil, late
	}
	if err != nil {
		return nil, brief(ld.hint(err))
	}
	if w := &spec.Flow.Waves; !w.Calm() {
		spec.Notes = append(spec.Notes, scene.Note{Kind: scene.Ignored, File: f.name,
			Text: fmt.Sprintf("the waves of %s are for worlds that hold the model from their beginning", w.Of)})
	}
	legalNames(spec, f.name)
	spec.Notes = briefly(ld.discreet(spec.Notes))
	spec.Source = f.source
	if len(f.data) <= longestText {
		spec.Text = string(f.data)
	}
	l.remember(f, ld, spec)
	return spec, nil
}

// model reads a file that holds a model, or the walls of a map.
func (ld *loader) model(f file) (*scene.ModelSpec, error) {
	switch {
	case isMap(f):
		_, spec, err := ld.walls(f)
		return spec, err
	case isWebots(f):
		return ld.webotsModel(f)
	case isPrefab(f):
		return ld.prefabModel(f)
	case isTraffic(f):
		return trafficModel(f)
	case isBundle(f):
		return nil, fmt.Errorf("%w: %s is a world bundle; a model is needed", scene.ErrParse, f.name)
	}
	d, err := ld.document(f)
	if err != nil {
		return nil, err
	}
	return readModel(d)
}

// readModel picks the reader by the root element.
func readModel(d *source.Doc) (*scene.ModelSpec, error) {
	var spec *scene.ModelSpec
	var err error
	switch root := d.Tree.Root; root.Name {
	case "sdf":
		spec, err = sdf.Model(d)
	case "robot":
		spec, err = urdf.Model(d)
	case mjcf.Root:
		spec, err = mjcf.Model(d)
	default:
		return nil, unsupported(d.Name, root)
	}
	if err != nil {
		return nil, err
	}
	classify(spec)
	return spec, nil
}

// classify gives a model that nobody gave a category the one that its parts suggest.
func classify(spec *scene.ModelSpec) {
	switch {
	case spec.Info.Category != scene.Object:
	case spec.Format == "urdf" && hasParts(spec) || len(spec.Drives) > 0 ||
		spec.Format == "mjcf" && len(spec.Links) > 1 && !spec.Static:
		spec.Info.Category = scene.Robot
	case spec.Static:
		spec.Info.Category = scene.StaticObject
	}
}

// hasParts reports what moves, runs or measures: a description of a robot that has neither is one of a thing.
func hasParts(spec *scene.ModelSpec) bool {
	return spec.HasMovingJoint() || spec.HasTrack() ||
		slices.ContainsFunc(spec.Links, func(l scene.Link) bool { return len(l.Sensors) > 0 })
}

// unsupported says what a root element means, and lists the known ones.
func unsupported(name string, root *xmltree.Node) error {
	what := map[string]string{"COLLADA": " (a mesh)", "gazebo": " (SDF 1.2 or older: its root element is <sdf> since)"}[root.Name]
	return fmt.Errorf("%w: %s:%v: root element <%.40s>%s; models are read from %s",
		scene.ErrUnsupportedFormat, name, root.Pos, root.Name, what, strings.Join(modelFormats(), ", "))
}

// World reads a world. A file that holds only a model becomes a world with that model on a ground plane.
func (l *Library) World(r scene.Resource) (*scene.WorldSpec, error) {
	return l.WorldContext(context.Background(), r)
}

// WorldContext is World that ends early with ctx.
func (l *Library) WorldContext(ctx context.Context, r scene.Resource) (*scene.WorldSpec, error) {
	return l.world(newLoader(ctx, l, r), r)
}

func (l *Library) world(ld *loader, r scene.Resource) (*scene.WorldSpec, error) {
	f, err := ld.request(r, worldFile)
	if err != nil {
		return nil, brief(ld.hint(err))
	}
	read, format := ld.markedWorld, ""
	switch {
	case isMap(f):
		read, format = ld.mapWorld, "map"
	case isBundle(f):
		read, format = ld.bundleWorld, "bundle"
	case isWebots(f):
		read, format = ld.webotsWorld, "webots"
	case isPrefab(f):
		read, format = ld.prefabWorld, "prefab"
	}
	spec, err := read(f)
	if late := ld.Interrupted(); late != nil {
		return nil, late
	}
	if err == nil && format != "bundle" {
		err = l.driven(spec, f.name)
	}
	if err == nil {
		seen := map[*scene.ModelSpec]bool{}
		for i := range spec.Models {
			m := spec.Models[i].Model
			if !seen[m] {
				seen[m] = true
				legalNames(m, f.name)
			}
			spec.Models[i].Namespace = scene.LegalTopic(spec.Models[i].Namespace)
			briefly(m.Notes)
		}
		spec.Notes = briefly(ld.discreet(spec.Notes))
		spec.File = scene.File{Format: cmp.Or(format, spec.File.Format), Text: string(f.data),
			Path: ld.onDisk(f), Tree: spec.File.Tree}
	}
	return spec, brief(ld.hint(err))
}

// driven gives a world the ego vehicle, or the vehicle the parameters, that were set beside its files.
func (l *Library) driven(w *scene.WorldSpec, file string) error {
	if len(l.vehicle) == 0 {
		return nil
	}
	set := func(p *ego.Params) error { return p.Apply(l.vehicle) }
	var err error
	switch name := ego.Entity(l.vehicle); {
	case name != "":
		err = ego.Choose(w, name, set)
	case w.Site != nil:
		err = ego.Adjust(w, set)
	default:
		w.Notes = append(w.Notes, scene.Note{Kind: scene.Suspicious, File: file, Line: 1, Column: 1,
			Text: "parameters of a vehicle are set, and the world has no ego vehicle; " + ego.EntityKey +
				"=NAME among them makes an entity one"})
	}
	if err != nil {
		return fmt.Errorf("%w: %s: %w", scene.ErrParse, file, err)
	}
	return nil
}

// markedWorld reads a world in XML.
func (ld *loader) markedWorld(f file) (*scene.WorldSpec, error) {
	d, err := ld.document(f)
	if err != nil {
		return nil, err
	}
	root := d.Tree.Root
	var spec *scene.WorldSpec
	switch {
	case root.Name == "robot" || root.Name == "sdf" && sdf.Kind(root) == "model":
		spec, err = ld.modelOnGround(d, f)
	case root.Name == "sdf":
		spec, err = sdf.World(d)
	case root.Name == mjcf.Root:
		if spec, err = mjcf.World(d); err == nil {
			err = ld.floor(d, spec)
		}
	default:
		return nil, unsupported(d.Name, root)
	}
	if err != nil {
		return nil, err
	}
	spec.File.Format = map[string]string{"robot": "urdf", "sdf": "sdf", mjcf.Root: "mjcf"}[root.Name]
	for i := range spec.Models {
		if spec.Models[i].Model.Source == "" {
			spec.Models[i].Model.Source = f.source
		}
		classify(spec.Models[i].Model)
	}
	return spec, nil
}
