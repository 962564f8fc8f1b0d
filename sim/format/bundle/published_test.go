package bundle

import (
	"math"
	"slices"
	"strings"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// published is a bundle with the keys of the format's description 1.0.2. It has 4 × 3 heights, four of them
// unknown, a camera of each convention, and a lidar.
func published() parts {
	nan := float32(math.NaN())
	z := []float32{nan, 1, 2, nan, 5, nan, 2, 3, 5, 6, nan, 3}
	return parts{
		"world.yaml": `version: "1.0.0"
scene_id: yard
metadata: metadata.json
gaussians: {render_config: gaussians/render_config.json}
geometry:
  heightmap: geometry/heightmap.bin
  heightmap_meta: geometry/heightmap.yaml
  drivable: geometry/drivable.geojson
sensors: {calibration: sensors/calibration.yaml, tf_static: sensors/tf_static.json}
sim: {timebase: sim/timebase.yaml}
preview: {overview: preview/overview.png}
`,
		"gaussians/render_config.json": `{"version": "1.0.0", "gaussian_format": "splat_ply", "sh_degree": 3,
			"color_correction": {"white_balance": [1.0, 1.0, 1.0], "exposure_compensation": 0.0, "gamma": 2.2},
			"rendering": {"background_color": [0.1, 0.2, 0.3], "near_plane": 0.1, "far_plane": 1000.0}}`,
		"metadata.json": `{"version": "1.0.0", "source": {"file": "run.mcap"}, "coordinate_system": {"map_frame": "map",
			"convention": "ROS2 REP-103 (FLU)", "origin_lat": 36, "origin_lon": 140, "origin_alt": 40},
			"spatial_extent": {"min_x": -50, "max_x": 250, "min_y": -100, "max_y": 100, "min_z": -5, "max_z": 20, "units": "meters"}}`,
		"geometry/heightmap.yaml":   "version: \"1.0.0\"\nwidth: 4\nheight: 3\nresolution: 2\norigin: {x: -4, y: -3, z: 0}\nmin_height: 0\nmax_height: 9\n",
		"geometry/heightmap.bin":    heightBytes(len(z), func(i int) float32 { return z[i] }),
		"geometry/drivable.geojson": `{"type": "FeatureCollection", "features": []}`,
		"sensors/calibration.yaml": `version: "1.0.0"
cameras:
  front:
    frame_id: "camera_front"
    image_width: 64
    image_height: 48
    camera_convention: "opencv"
    intrinsics: {model: "pinhole", fx: 50, fy: 51, cx: 32, cy: 24, distortion_model: "radtan", k1: 0.1, k2: 0.2, p1: 0.3, p2: 0.4}
    extrinsics: {translation: [2, 0, 1.5], rotation_quat: [-0.5, 0.5, -0.5, 0.5]}
    rate_hz: 12
  rear:
    image_width: 64
    image_height: 48
    camera_convention: "ros"
    intrinsics: {model: "fisheye", fx: 50, fy: 51, cx: 32, cy: 24, distortion_model: "equidistant", k1: 0.1, k2: 0.2, p1: 0, p2: 0}
    extrinsics: {translation: [-2, 0, 1.5], rotation_quat: [0.5, 0.5, 0.5, 0.5]}
    rate_hz: 12
lidars:
  top:
    frame_id: "lidar_top"
    extrinsics: {translation: [0, 0, 2], rotation_quat: [0, 0, 0, 1]}
    spec: {model: "velodyne_vls128", channels: 8, horizontal_resolution: 2, vertical_fov: [-25, 15], max_range: 200, min_range: 0.6}
    rate_hz: 20
`,
		"sensors/tf_static.json": `{"transforms": [{"header": {"frame_id": "base_link"}, "child_frame_id": "lidar_top",
			"transform": {"translation": {"x": 0, "y": 0, "z": 2.5}, "rotation": {"x": 0, "y": 0, "z": 0, "w": 1}}}]}`,
		"sim/timebase.yaml": "version: \"1.0.0\"\nsimulation: {dt: 0.02, start_time: 7}\nsensor_rates: {camera: 12, lidar: 20}\ninitial_pose: {position: [1, 2, 0], orientation: [0, 0, 0, 1], velocity: [3, 0, 0]}\n",
	}
}

func TestABundleWithTheKeysOfTheFormatsDescriptionIsRead(t *testing.T) {
	w, err := load(published())
	if err != nil {
		t.Fatal(err)
	}
	s := w.Site
	if w.Name != "yard" || w.StepSize != 0.02 || s.StartTime != 7 || s.Velocity.Linear.X != 3 ||
		s.Extent != r3.V(300, 200, 25) || s.Source != "run.mcap" || w.Earth.Elevation != 40 {
		t.Errorf("%q, %+v, %+v", w.Name, w.Earth, s)
	}
	if s.OnRoad(r3.V(1, 2, 0)) || s.OnRoad(r3.V(1e3, 0, 0)) {
		t.Error("without a drivable area there is a road")
	}
	if i := w.Models[1].Model.Links[0].Inertial.Inertia; i.ZZ != 3000 || i.XX+i.YY < i.ZZ*(1-1e-12) {
		t.Errorf("a vehicle with the parameters of the description has the inertia %v, which no body has", i)
	}
	h := w.Models[0].Model.Links[0].Collisions[0].Heights
	if want := []float32{1, 1, 2, 2, 5, 1, 2, 3, 5, 6, 2, 3}; !slices.Equal(h.Z, want) {
		t.Errorf("heights %v, want %v: each that is not known has that of the nearest", h.Z, want)
	}
}

func TestSensorsWithTheKeysOfTheFormatsDescriptionAreRead(t *testing.T) {
	w, err := load(published())
	if err != nil {
		t.Fatal(err)
	}
	sensors := w.Models[1].Model.Links[0].Sensors
	front, rear, top := sensors[0], sensors[1], sensors[2]
	if c := front.Camera; c.Near != 0.1 || c.Far != 1000 ||
		w.Ambience.Background != [4]float32{0.1, 0.2, 0.3, 1} {
		t.Errorf("cameras see from %g m to %g m, before %v", c.Near, c.Far, w.Ambience.Background)
	}
	if c := front.Camera; c.Width != 64 || c.Height != 48 || c.FY != 51 || c.Distortion[3] != 0.4 ||
		rear.Camera.Distortion != (scene.CameraSpec{}).Distortion {
		t.Errorf("cameras %+v, %+v", c, rear.Camera)
	}
	x, z := r3.V(1, 0, 0), r3.V(0, 0, 1)
	for _, c := range []struct {
		sensor scene.Sensor
		of, in r3.Vec
	}{{front, x, x}, {front, z, z}, {rear, x, x.Neg()}, {rear, z, z}} {
		if got := c.sensor.Pose.Rot.Rotate(c.of); got.Dist(c.in) > 1e-9 {
			t.Errorf("%v of %s is %v in base_link, want %v", c.of, c.sensor.Name, got, c.in)
		}
	}
	if l := top.Lidar; l.Rows != 8 || l.Columns != 180 || l.MaxRange != 200 || l.MinRange != 0.6 ||
		top.Rate != 20 || top.Pose.Pos.Z != 2 {
		t.Errorf("lidar %+v at %v", l, top.Pose)
	}
	for _, want := range []string{"4 heights are NaN", "everywhere is off the road",
		`"fisheye" is drawn as a pinhole`, "lidar_top stands at"} {
		if !slices.ContainsFunc(w.Notes, func(n scene.Note) bool { return strings.Contains(n.Text, want) }) {
			t.Errorf("no note says %q: %v", want, w.Notes)
		}
	}
	if len(w.Notes) != 4 {
		t.Errorf("%d notes: %v", len(w.Notes), w.Notes)
	}
}
