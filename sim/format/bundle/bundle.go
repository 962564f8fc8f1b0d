// Package bundle reads world bundles. Such a folder holds a recorded place: a height map, drivable areas, a
// mesh, a cloud of Gaussians, and the recording vehicle's calibration. world.yaml names the parts:
//
//	version: "1.0"
//	metadata: metadata.json              scene_id, coordinate_system, spatial_extent
//	geometry:
//	  heightmap: heightmap.bin           float32 little endian, row by row from the smallest y; NaN: no data
//	  heightmap_meta: heightmap.yaml     width, height, resolution, origin, min_height, max_height
//	  drivable: drivable.geojson         polygons in metres
//	  static_mesh: static.glb            optional
//	sensors:
//	  calibration: calibration.yaml      cameras and lidars of the vehicle
//	  tf_static: tf_static.yaml          optional: checked against the calibration
//	sim:
//	  timebase: timebase.yaml            dt, start_time, sensor_rates, initial_pose
//	gaussians:
//	  background: background.ply         optional
//	  render_config: render_config.json  optional: colours of the Gaussians, background and reach of the cameras
//	actors:
//	  trajectories: trajectories.json    optional: what moves by itself, see package traffic
//	traffic:                             optional
//	  lanes: lanes.json
//	  signals: signals.json
//	vehicle: {wheelbase: 2.8, …}         optional, or the name of a file
//	scenery: scenery.xml                 optional, and our own: an SDF world whose models, lights and named poses are added
//
// The keys of geometry may be called heightmap_bin, heightmap_yaml and drivable_geojson too.
//
// The result is a world with the ground as a static model, the vehicle with its sensors, and a scene.Site.
// Errors wrap scene.ErrParse where a file is invalid, and scene.ErrMissingAssets where one that is named is
// not there.
package bundle

import (
	"cmp"
	"fmt"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"simdeck/sim/asset"
	"simdeck/sim/asset/mesh"
	"simdeck/sim/format/ego"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// Files is the file access of a bundle.
type Files interface {
	// Read is the file that the document at from names, and what messages call it.
	Read(uri string, from asset.Ref, limit int64) (data []byte, name string, err error)
	// Mesh reads a mesh.
	Mesh(uri string, from asset.Ref) (*mesh.Mesh, error)
}

// Sceneries is an optional interface of Files: a reader of SDF worlds.
type Sceneries interface {
	// Scenery reads the world that the document at from names.
	Scenery(uri string, from asset.Ref) (*scene.WorldSpec, error)
}

// Bounds of the files.
const (
	maxYAML    = 4 << 20
	maxHeights = 512 << 20
	maxGeoJSON = 64 << 20
	maxSplats  = 1 << 30
)

// bundle is one on its way to a world.
type bundle struct {
	ref   asset.Ref
	files Files
	top   *table
	spec  *scene.WorldSpec
	site  *scene.Site
	rates struct{ camera, lidar float64 } // Hz
	start r3.Pose
	car   vehicle
	set   []ego.Setting
	look  look
	earth *heights // of the ground
}

// World reads the bundle whose world.yaml is data; set goes before what it says of its vehicle.
func World(name string, ref asset.Ref, data []byte, files Files, set ...ego.Setting) (*scene.WorldSpec,
	error) {
	top, err := parse(name, data)
	if err != nil {
		return nil, err
	}
	b := &bundle{ref: ref, files: files, top: top, set: set,
		site: &scene.Site{Ego: "ego", Bundle: path.Dir(name), Version: top.text("version")},
		spec: &scene.WorldSpec{Name: path.Base(path.Dir(name)), Gravity: r3.V(0, 0, -9.81),
			Tags: []string{"bundle"}}}
	b.spec.Site = b.site
	for _, step := range []func() error{b.version, b.metadata, b.timebase, b.ground, b.drivable,
		b.staticMesh, b.vehicle, b.renderConfig, b.calibration, b.splats, b.scenery, b.traffic} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	b.place()
	top.leftover(b, "version", "metadata", "geometry", "sensors", "sim", "gaussians", "vehicle", "scenery",
		"name", "description", "scene_id", "preview", "actors", "traffic")
	return b.spec, nil
}

// version refuses formats whose first number is not 1: they break with it.
func (b *bundle) version() error {
	n := b.top.find("version")
	if n == nil {
		return nil
	}
	first, _, _ := strings.Cut(n.Value, ".")
	if major, err := strconv.Atoi(first); err == nil && major != 1 {
		return b.top.fail(n, "version %s; 1.x can be read", clip(n.Value))
	}
	return nil
}

// spelled is the path of world.yaml below a section, by the key that is given of several for one thing.
func (b *bundle) spelled(section string, keys ...string) []string {
	for _, key := range keys {
		if b.top.find(section, key) != nil {
			return []string{section, key}
		}
	}
	return []string{section, keys[0]}
}

// part reads the file that stands at a path of world.yaml; nil when it is not named and not needed.
func (b *bundle) part(needed bool, limit int64, keys ...string) (data []byte, name string, err error) {
	n := b.top.find(keys...)
	if n == nil || n.Value == "" {
		if needed {
			return nil, "", b.top.fail(n, "%s is not given; a bundle names it", join(keys))
		}
		return nil, "", nil
	}
	data, name, err = b.files.Read(n.Value, b.ref, limit)
	if err != nil {
		return nil, "", fmt.Errorf("%w: %s: %s: %w", scene.ErrMissingAssets, b.top.at(n), join(keys), err)
	}
	return data, name, nil
}

// tableOf reads a YAML or JSON part.
func (b *bundle) tableOf(needed bool, keys ...string) (*table, error) {
	data, name, err := b.part(needed, maxYAML, keys...)
	if err != nil || data == nil {
		return nil, err
	}
	return parse(name, data)
}

// metadata reads what the place is called and how large it is.
func (b *bundle) metadata() error {
	t, err := b.tableOf(true, "metadata")
	if err != nil {
		return err
	}
	b.site.ID, b.site.System, b.site.Source = cmp.Or(t.text("scene_id"), b.top.text("scene_id")),
		t.text("coordinate_system"), t.text("source_mcap")
	if n := t.find("source", "file"); n != nil {
		b.site.Source = n.Value
	}
	if b.site.ID != "" {
		b.spec.Name = clean(b.site.ID)
	}
	if n := t.find("spatial_extent"); n != nil {
		if b.site.Extent, err = t.extent(n); err != nil {
			return err
		}
	}
	return b.coordinates(t)
}

// coordinates reads where the origin of the map lies on the earth: x goes east there, y north (REP-103).
func (b *bundle) coordinates(t *table) error {
	const key = "coordinate_system"
	n := t.find(key)
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	if c := child(n, "convention"); c != nil {
		b.site.System = c.Value
	}
	lat, lon := child(n, "origin_lat"), child(n, "origin_lon")
	if lat == nil && lon == nil {
		return nil
	}
	if lat == nil || lon == nil {
		return t.fail(n, "%s has origin_lat or origin_lon alone; both are right, or neither", key)
	}
	e := &b.spec.Earth
	for _, f := range []struct {
		to          *float64
		least, most float64
		key         string
	}{{&e.Latitude, -90, 90, "origin_lat"}, {&e.Longitude, -180, 180, "origin_lon"},
		{&e.Elevation, -12_000, 100_000, "origin_alt"}} {
		if err := t.number(f.to, f.least, f.most, key, f.key); err != nil {
			return err
		}
	}
	e.Set, e.Latitude, e.Longitude = true, e.Latitude*math.Pi/180, e.Longitude*math.Pi/180
	return nil
}

// timebase reads the step, the rates of the sensors and where the vehicle starts.
func (b *bundle) timebase() error {
	b.rates.camera, b.rates.lidar, b.start = 12, 20, r3.IdentityPose()
	t, err := b.tableOf(true, "sim", "timebase")
	if err != nil {
		return err
	}
	b.spec.StepSize = 0.01
	for _, f := range []struct {
		to    *float64
		least float64
		most  float64
		keys  []string
	}{
		{&b.spec.StepSize, 1e-5, 0.1, []string{"dt"}},
		{&b.site.StartTime, 0, 1e10, []string{"start_time"}},
		{&b.rates.camera, 0.001, 1000, []string{"sensor_rates", "camera"}},
		{&b.rates.lidar, 0.001, 1000, []string{"sensor_rates", "lidar"}},
	} {
		n := t.find(f.keys...)
		if n == nil {
			n = t.find(append([]string{"simulation"}, f.keys...)...)
		}
		if err := t.value(n, f.to, f.least, f.most, join(f.keys)); err != nil {
			return err
		}
	}
	if b.start, err = t.pose("initial_pose", "position", "orientation"); err != nil {
		return err
	}
	if n := t.find("initial_pose", "velocity"); n != nil {
		b.site.Velocity.Linear, err = t.velocity(n)
	}
	return err
}

// splats reads the cloud of Gaussians.
func (b *bundle) splats() error {
	data, name, err := b.part(false, maxSplats, "gaussians", "background")
	if err != nil || data == nil {
		return err
	}
	n := b.top.find("gaussians", "background")
	s, lost, err := mesh.Splats(name, data)
	if err != nil {
		return b.top.fail(n, "%s: %v", name, err)
	}
	if lost > 0 {
		b.note(b.top, n, scene.Suspicious, "%s: %d Gaussians with numbers that are not finite are left out",
			name, lost)
	}
	b.look.apply(s)
	b.site.Gaussians = s
	return nil
}

// scenery adds what an SDF world holds: things that are no part of the ground, lights, and places.
func (b *bundle) scenery() error {
	n := b.top.find("scenery")
	if n == nil || n.Value == "" {
		return nil
	}
	files, ok := b.files.(Sceneries)
	if !ok {
		b.note(b.top, n, scene.Unsupported, "scenery %q is not read here", clip(n.Value))
		return nil
	}
	w, err := files.Scenery(n.Value, b.ref)
	if err != nil {
		return fmt.Errorf("%s: scenery: %w", b.top.at(n), err)
	}
	for _, m := range w.Models {
		if m.Name == b.site.Ego || slices.ContainsFunc(b.spec.Models,
			func(other scene.Placed) bool { return other.Name == m.Name }) {
			return b.top.fail(n, "%s has a model %q, as the bundle has; want another name", clip(n.Value),
				m.Name)
		}
		b.spec.Models = append(b.spec.Models, m)
	}
	for _, p := range w.NamedPoses {
		if p.Name == startPose {
			return b.top.fail(n, "%s has a pose %q, as the bundle has; want another name", clip(n.Value),
				p.Name)
		}
	}
	b.spec.NamedPoses, b.spec.Lights = append(b.spec.NamedPoses, w.NamedPoses...),
		append(b.spec.Lights, w.Lights...)
	b.spec.Notes = append(b.spec.Notes, w.Notes...)
	return nil
}

// startPose is the name of the place where the vehicle starts.
const startPose = "start"

// place puts the vehicle where it starts, and names the place.
func (b *bundle) place() {
	b.spec.NamedPoses = append(b.spec.NamedPoses,
		scene.NamedPose{Name: startPose, Description: "where the ego vehicle starts",
			Tags: []string{"ego", "start"}, Pose: b.start})
	ego, v := b.car.spec(b.site.Velocity), b.site.Velocity
	b.spec.Models = append(b.spec.Models, scene.Placed{Name: b.site.Ego, Model: ego, Pose: b.start,
		Twist: v.Rotate(b.start.Rot)})
}

// staticMesh reads what stands on the ground.
func (b *bundle) staticMesh() error {
	n := b.top.find("geometry", "static_mesh")
	if n == nil || n.Value == "" {
		return nil
	}
	m, err := b.files.Mesh(n.Value, b.ref)
	if err != nil {
		return fmt.Errorf("%w: %s: static_mesh: %w", scene.ErrMissingAssets, b.top.at(n), err)
	}
	for _, w := range m.Warnings {
		b.note(b.top, n, scene.Suspicious, "%s: %s", n.Value, w)
	}
	if len(m.Triangles) == 0 {
		return nil
	}
	b.spec.Models = append(b.spec.Models,
		staticModel("static_mesh", scene.Geom{Kind: scene.MeshGeom, Mesh: &m.Mesh, Scale: r3.V(1, 1, 1),
			Pose: r3.IdentityPose()}, scene.Material{}))
	return nil
}

// staticModel is a static model of one shape.
func staticModel(name string, g scene.Geom, look scene.Material) scene.Placed {
	g.Name, g.Surface = name, scene.Surface{Mu: 1, Mu2: 1, Default: true}
	link := scene.Link{Name: name, Pose: r3.IdentityPose(), Inertial: scene.Inertial{Pose: r3.IdentityPose()},
		Collisions: []scene.Geom{g}}
	g.Material = look
	link.Visuals = []scene.Geom{g}
	return scene.Placed{Name: name, Pose: r3.IdentityPose(), Static: true,
		Model: &scene.ModelSpec{Name: name, Format: "bundle", Static: true, Backdrop: true,
			Frame: r3.IdentityPose(), Placement: r3.IdentityPose(), Links: []scene.Link{link},
			Info: scene.Info{Category: scene.StaticObject}}}
}
