package vehicle

import (
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"simdeck/ros/msgs"
	"simdeck/ros/node"
	"simdeck/ros/rostest"
	"simdeck/ros/serve/robot"
	"simdeck/sim"
	"simdeck/sim/scene"
)

// files hold a valid world bundle, an invalid one, and one with a missing file. The valid one has 100 m by
// 100 m of flat ground, a road 20 m wide along x, a car with camera and lidar.
func files() fstest.MapFS {
	const float32s = 4
	flat := strings.Repeat("\x00", 21*21*float32s)
	world := `version: "1.2"
metadata: metadata.json
geometry: {heightmap_bin: h.bin, heightmap_yaml: h.yaml, drivable_geojson: road.geojson}
sensors: {calibration: cal.yaml}
sim: {timebase: time.yaml}
`
	return rostest.Files(map[string]string{
		"site/world.yaml":    world,
		"site/metadata.json": `{"scene_id": "scene-0103", "source_mcap": "drive.mcap", "spatial_extent": [100, 100, 5]}`,
		"site/h.yaml":        "width: 21\nheight: 21\nresolution: 5\norigin: [-50, -50, 0]\n",
		"site/h.bin":         flat,
		"site/road.geojson":  `{"type": "Polygon", "coordinates": [[[-50,-10],[50,-10],[50,10],[-50,10],[-50,-10]]]}`,
		"site/cal.yaml": `cameras:
  front: {intrinsics: {width: 32, height: 24, fx: 20, fy: 20, cx: 16, cy: 12}, extrinsics: {translation: [1.5, 0, 1.6], rotation: [-0.5, 0.5, -0.5, 0.5]}}
lidars:
  top: {channels: 4, horizontal_resolution: 10, vertical_fov: [-20, 5], min_range: 1, max_range: 40, extrinsics: {translation: [0, 0, 2.2], rotation: [0, 0, 0, 1]}}
`,
		"site/time.yaml":    "dt: 0.01\nstart_time: 100.0\ninitial_pose: {position: [-20, 3, 0], orientation: [0, 0, 0, 1]}\n",
		"broken/world.yaml": world + "vehicle: {wheelbase: -3}\n", "broken/metadata.json": `{}`,
		"broken/h.yaml":       "width: 2\nheight: 2\nresolution: 5\n",
		"broken/h.bin":        flat[:4*float32s],
		"broken/road.geojson": `{"type": "FeatureCollection", "features": []}`,
		"broken/cal.yaml":     "{}", "broken/time.yaml": "dt: 0.01\n",
		"torn/world.yaml": world, "torn/metadata.json": `{}`,
		"drive.yaml": `phases:
  - name: go
    do:
      - set_speed: {entity: ego, speed: 3}
      - wait: {time: 2}
      - publish: {topic: /scenario/event, text: gone}
  - name: pass
    when: {distance: {entity: ego, to: [-20, 3], above: 8}}
    do:
      - set_speed: {entity: ego, speed: 0}
      - set_pose: {entity: ego, position: [0, 0, 0]}
`,
		"stuck.yaml":      "phases:\n  - name: never\n    when: {region: {entity: ego, min: [900, 0], max: [901, 1]}}\n",
		"wrong.yaml":      "phases:\n  - name: a\n    do:\n      - set_speed: {entity: ego, speed: 3}\n      - jump: {entity: ego}\n",
		"failing.yaml":    "phases:\n  - name: a\n    do:\n      - set_pose: {entity: nobody, position: [0, 0]}\n",
		"plain/world.sdf": `<sdf version="1.9"><world name="plain"/></sdf>`,
	})
}

// inTown runs a test with a fleet and the profile over a real engine with a world, in a state.
func inTown(t *testing.T, world string, start sim.State, f func(h *rostest.Stage)) {
	t.Helper()
	inTownOf(t, files(), world, start, f)
}

// inTownOf is inTown with other files.
func inTownOf(t *testing.T, files fs.FS, world string, start sim.State, f func(h *rostest.Stage)) {
	t.Helper()
	rostest.On(t, rostest.Play{Files: files, World: scene.Resource{URI: world}, Start: start},
		func(h *rostest.Stage) error {
			_, err := robot.New(h.Server, h.Engine)
			New(h.Server, h.Engine)
			return err
		}, f)
}

// hear listens and loses nothing of what comes fast.
func hear[T any, PT msgs.Of[T]](h *rostest.Stage, topic string, q node.QoS) *rostest.Heard[T] {
	h.T.Helper()
	if q.Durability == 0 {
		q.Depth = max(q.Depth, 5000)
	}
	return rostest.Hear[T, PT](h, topic, q)
}
