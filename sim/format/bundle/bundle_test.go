package bundle

import (
	"encoding/binary"
	"errors"
	"math"
	"strings"
	"testing"

	"simdeck/sim/asset"
	"simdeck/sim/asset/mesh"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// parts answers the files of a bundle.
type parts map[string]string

func (p parts) Read(uri string, _ asset.Ref, limit int64) ([]byte, string, error) {
	text, ok := p[uri]
	if !ok {
		return nil, "", asset.ErrNotFound
	}
	return []byte(text[:min(int64(len(text)), limit)]), "site/" + uri, nil
}

func (p parts) Mesh(uri string, from asset.Ref) (*mesh.Mesh, error) {
	data, name, err := p.Read(uri, from, 1<<20)
	if err != nil {
		return nil, err
	}
	return mesh.Decode(name, data)
}

func heightBytes(n int, z func(i int) float32) string {
	var b []byte
	for i := range n {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(z(i)))
	}
	return string(b)
}

// site is a whole bundle: 5 × 4 heights that rise along x, one road with a hole.
func site() parts {
	return parts{
		"world.yaml": `version: "1.0"
metadata: metadata.json
geometry:
  heightmap_bin: h.bin
  heightmap_yaml: h.yaml
  drivable_geojson: road.geojson
  static_mesh: house.obj
sensors: {calibration: cal.yaml, tf_static: tf.yaml}
sim: {timebase: time.yaml}
vehicle: {wheelbase: 3, max_speed: 20}
`,
		"metadata.json": `{"scene_id": "yard 7", "coordinate_system": "ENU", "spatial_extent": {"min": [0, 0, 0], "max": [20, 15, 3]}}`,
		"h.yaml":        "width: 5\nheight: 4\nresolution: 5\norigin: {x: -1, y: -2, z: 10}\nmin_height: 0\nmax_height: 4\n",
		"h.bin":         heightBytes(20, func(i int) float32 { return float32(i % 5) }),
		"road.geojson": `{"type": "FeatureCollection", "features": [
			{"type": "Feature", "properties": {}, "geometry": {"type": "Polygon", "coordinates": [[[0,0],[10,0],[10,10],[0,10],[0,0]], [[4,4],[6,4],[6,6],[4,6],[4,4]]]}},
			{"type": "Feature", "geometry": {"type": "Point", "coordinates": [1, 2]}}]}`,
		"house.obj": "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n",
		"cal.yaml": `cameras:
  front:
    frame_id: camera_front
    intrinsics: {width: 640, height: 480, fx: 500, fy: 501, cx: 320, cy: 240}
    distortion: [0.1, 0.2, 0.3, 0.4]
    extrinsics: {translation: [1.5, 0, 1.6], rotation: [-0.5, 0.5, -0.5, 0.5]}
    rate_hz: 15
lidars:
  - {id: top, channels: 16, horizontal_resolution: 0.4, vertical_fov: [-15, 15], min_range: 0.9, max_range: 80, extrinsics: {translation: {x: 0, y: 0, z: 2}, quaternion: [0, 0, 0, 1]}}
`,
		"tf.yaml":   "transforms:\n  - {child_frame_id: lidar_top, translation: {x: 0, y: 0, z: 2}}\n  - {child_frame_id: camera_front, translation: [0, 0, 1]}\n",
		"time.yaml": "dt: 0.005\nstart_time: 100.5\nsensor_rates: {camera: 10, lidar: 5}\ninitial_pose: {position: [3, 3, 10.5], orientation: [0, 0, 0, 0], velocity: [1, 0, 0]}\n",
	}
}

func load(p parts) (*scene.WorldSpec, error) {
	return World("site/world.yaml", asset.Ref{}, []byte(p["world.yaml"]), p)
}

func TestABundleIsAWorldWithGroundRoadVehicleAndSensors(t *testing.T) {
	w, err := load(site())
	if err != nil {
		t.Fatal(err)
	}
	if w.Name != "yard_7" || w.StepSize != 0.005 || len(w.Models) != 3 ||
		w.NamedPoses[0].Pose.Pos != r3.V(3, 3, 10.5) || w.NamedPoses[0].Pose.Rot != r3.Identity() {
		t.Errorf("%+v", w)
	}
	ground := w.Models[0].Model.Links[0].Collisions[0]
	if h := ground.Heights; ground.Kind != scene.Heightfield || h.Columns != 5 || h.Rows != 4 || h.X != 20 ||
		h.Y != 15 || h.Z[7] != 2 || ground.Pose.Pos != r3.V(-1+10, -2+7.5, 10) {
		t.Errorf("ground %+v at %v", h, ground.Pose.Pos)
	}
	s := w.Site
	if s.StartTime != 100.5 || s.Velocity.Linear.X != 1 || s.Extent != r3.V(20, 15, 3) || s.System != "ENU" ||
		s.Version != "1.0" || s.Bundle != "site" {
		t.Errorf("%+v", s)
	}
	for at, want := range map[r3.Vec]bool{r3.V(1, 1, 5): true, r3.V(5, 5, 0): false, r3.V(11, 1, 0): false,
		r3.V(9, 9, 0): true} {
		if s.OnRoad(at) != want {
			t.Errorf("%v on the road: %v", at, !want)
		}
	}
	if len(w.Notes) != 1 || !strings.Contains(w.Notes[0].Text, "camera_front stands at") {
		t.Errorf("notes %v", w.Notes)
	}
}

func TestTheMapOfABundleLiesOnTheEarthWhereItsCoordinateSystemSays(t *testing.T) {
	p := site()
	if w, err := load(p); err != nil || w.Earth.Set {
		t.Errorf("a map by a name alone lies at %+v, %v", w.Earth, err)
	}
	p["metadata.json"] = `{"source": {"type": "mcap", "file": "run.mcap"}, "coordinate_system": {
		"convention": "ROS2 REP-103 (FLU)", "origin_lat": 36, "origin_lon": -90, "origin_alt": 40}}`
	w, err := load(p)
	if err != nil {
		t.Fatal(err)
	}
	want := scene.Earth{Set: true, Latitude: math.Pi / 5, Longitude: -math.Pi / 2, Elevation: 40}
	if w.Earth != want || w.Site.Corner != r3.V(-1, -2, 10) ||
		w.Site.System != "ROS2 REP-103 (FLU)" || w.Site.Source != "run.mcap" {
		t.Errorf("%+v, %+v", w.Earth, w.Site)
	}
}

func TestTheSensorsOfAVehicleAreThoseOfTheCalibration(t *testing.T) {
	w, err := load(site())
	if err != nil {
		t.Fatal(err)
	}
	ego := w.Models[2]
	if ego.Name != "ego" || len(ego.Model.Drives) != 1 || ego.Model.Drives[0].WheelBase != 3 ||
		ego.Model.Drives[0].MaxLinearSpeed != 20 {
		t.Fatalf("%+v", ego.Model.Drives)
	}
	sensors := ego.Model.Links[0].Sensors
	cam, lidar := sensors[0], sensors[1]
	if cam.Rate != 15 || cam.Frame != "camera_front" || cam.Topic != "/camera/front/image_raw" ||
		cam.Camera.FY != 501 || cam.Camera.Distortion[3] != 0.4 {
		t.Errorf("camera %+v", cam)
	}
	if ahead := cam.Pose.Rot.Rotate(r3.V(1, 0, 0)); ahead.Dist(r3.V(1, 0, 0)) > 1e-9 {
		t.Errorf("a camera whose optical frame looks ahead looks %v", ahead)
	}
	if lidar.Rate != 5 || lidar.Lidar.Rows != 16 || lidar.Lidar.Columns != 900 || lidar.Pose.Pos.Z != 2 ||
		math.Abs(lidar.Lidar.MaxElevation-15*math.Pi/180) > 1e-12 {
		t.Errorf("lidar %+v", lidar)
	}
	mass := 0.0
	for _, l := range ego.Model.Links {
		mass += l.Inertial.Mass
	}
	if math.Abs(mass-1500) > 1e-9 {
		t.Errorf("the vehicle has %g kg", mass)
	}
}

// broken are bundles with one thing wrong, and what the error says.
var broken = []struct {
	file, from, to, want string
	is                   error
}{
	{"world.yaml", "heightmap_bin: h.bin", "other: 1", "geometry.heightmap is not given", scene.ErrParse},
	{"world.yaml", "h.bin", "gone.bin", "world.yaml:4:18: geometry.heightmap_bin: not found",
		scene.ErrMissingAssets},
	{"world.yaml", "house.obj", "gone.glb", "static_mesh: not found", scene.ErrMissingAssets},
	{"world.yaml", "sim:", "gaussians: {background: gone.ply}\nsim:", "gaussians.background: not found",
		scene.ErrMissingAssets},
	{"world.yaml", "sim:", "gaussians: {background: house.obj}\nsim:", "house.obj", scene.ErrParse},
	{"world.yaml", "wheelbase: 3", "wheelbase: -3", "wheelbase is -3", scene.ErrParse},
	{"world.yaml", "wheelbase: 3", "dynamics_model: hover", `dynamics_model "hover"`, scene.ErrParse},
	{"world.yaml", `version: "1.0"`, `version: "2.0.1"`, "world.yaml:1:10: version 2.0.1; 1.x can be read",
		scene.ErrParse},
	{"cal.yaml", "frame_id: camera_front", "camera_convention: left", `camera_convention "left"`,
		scene.ErrParse},
	{"h.bin", "", "", "site/h.bin has 0 bytes; 5 × 4 heights need 80", scene.ErrParse},
	{"h.yaml", "width: 5", "width: 1", "width is 1", scene.ErrParse},
	{"h.yaml", "resolution: 5", "", "resolution is not given", scene.ErrParse},
	{"h.yaml", "width: 5", "width: five", "not a finite number", scene.ErrParse},
	{"road.geojson", "Polygon", "Blob", `type "Blob"`, scene.ErrParse},
	{"road.geojson", "[0,0]", "[0]", "has 1 numbers, needs x and y", scene.ErrParse},
	{"road.geojson", `"features"`, `features`, "road.geojson:1:", scene.ErrParse},
	{"cal.yaml", "fx: 500, ", "", "intrinsics without fx", scene.ErrParse},
	{"cal.yaml", "width: 640", "width: 1e9", "width is 1e+09", scene.ErrParse},
	{"cal.yaml", "[-15, 15]", "[15, -15]", "vertical field of view", scene.ErrParse},
	{"cal.yaml", "max_range: 80", "max_range: 0.5", "is not below max_range", scene.ErrParse},
	{"cal.yaml", "horizontal_resolution: 0.4", "horizontal_resolution: 0", "horizontal_resolution is 0",
		scene.ErrParse},
	{"cal.yaml", "-0.5, 0.5, -0.5, 0.5", "1, 2", "2 numbers, needs 4", scene.ErrParse},
	{"time.yaml", "dt: 0.005", "dt: 0", "dt is 0", scene.ErrParse},
	{"time.yaml", "[3, 3, 10.5]", "[3, .nan, 1]", "not a finite number", scene.ErrParse},
	{"metadata.json", "{", "[", "metadata.json", scene.ErrParse},
	{"metadata.json", `"ENU"`, `{"origin_lat": 91, "origin_lon": 0}`, "coordinate_system.origin_lat is 91",
		scene.ErrParse},
	{"metadata.json", `"ENU"`, `{"origin_lon": 8}`, "both are right", scene.ErrParse},
}

func TestABrokenBundleSaysWhichFileAndWhere(t *testing.T) {
	for _, c := range broken {
		p := site()
		if !strings.Contains(p[c.file], c.from) {
			t.Fatalf("%s does not contain %q", c.file, c.from)
		}
		if p[c.file] = strings.Replace(p[c.file], c.from, c.to, 1); c.from == "" {
			p[c.file] = c.to
		}
		if _, err := load(p); !errors.Is(err, c.is) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %q → %q: %v\n\twant %q", c.file, c.from, c.to, err, c.want)
		}
	}
}

func TestHeightsThatAreNoNumbersAreRefusedAndFineMapsAreThinnedOut(t *testing.T) {
	p := site()
	for says, z := range map[string]float64{"height +Inf in column 0 of row 0": math.Inf(1),
		"all heights are NaN": math.NaN(), "height 1e+09 in": 1e9} {
		p["h.bin"] = heightBytes(20, func(i int) float32 { return float32(z) })
		if _, err := load(p); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %q", err, says)
		}
	}
	p["h.yaml"] = "width: 5000\nheight: 3\nresolution: 0.1\n"
	p["h.bin"] = heightBytes(15_000, func(i int) float32 { return float32(i % 5000) })
	w, err := load(p)
	if err != nil {
		t.Fatal(err)
	}
	h := w.Models[0].Model.Links[0].Collisions[0].Heights
	if h.Columns != 1667 || h.Rows != 3 || h.Z[1] != 3 || math.Abs(h.X-499.8) > 1e-9 ||
		!w.Notes.Has(scene.Inferred) {
		t.Errorf("%d × %d heights over %g m, the second %g", h.Columns, h.Rows, h.X, h.Z[1])
	}
}

func FuzzWorld(f *testing.F) {
	p := site()
	f.Add(p["world.yaml"], p["cal.yaml"], p["road.geojson"], p["h.yaml"])
	all := published()
	f.Add(strings.NewReplacer("geometry/heightmap.bin", "h.bin",
		"geometry/heightmap.yaml", "h.yaml", "geometry/drivable.geojson", "road.geojson",
		"sensors/calibration.yaml", "cal.yaml", "sensors/tf_static.json", "tf.yaml",
		"sim/timebase.yaml", "time.yaml").Replace(all["world.yaml"]), all["sensors/calibration.yaml"],
		all["geometry/drivable.geojson"], all["geometry/heightmap.yaml"])
	for _, c := range broken {
		q := site()
		q[c.file] = strings.Replace(q[c.file], c.from, c.to, 1)
		f.Add(q["world.yaml"], q["cal.yaml"], q["road.geojson"], q["h.yaml"])
	}
	full := busy()
	f.Add(full["world.yaml"], full["cal.yaml"], full["road.geojson"], full["h.yaml"])
	f.Fuzz(func(t *testing.T, world, cal, road, heights string) {
		p := busy()
		p["world.yaml"], p["cal.yaml"], p["road.geojson"], p["h.yaml"] = world, cal, road, heights
		w, err := load(p)
		if err != nil {
			return
		}
		for _, m := range w.Models {
			for _, l := range m.Model.Links {
				if !l.Pose.IsFinite() {
					t.Fatalf("link %s at %v", l.Name, l.Pose)
				}
			}
		}
	})
}
