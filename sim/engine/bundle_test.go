package engine_test

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"simdeck/sim"
	"simdeck/sim/asset"
	"simdeck/sim/engine"
	"simdeck/sim/format"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// trackBundle is a world bundle: flat ground of 200 m by 200 m, or a slope of 5 % along x, with a car.
func trackBundle(slope float64, vehicle string) fstest.MapFS {
	var heights []byte
	for i := range 41 * 41 {
		heights = binary.LittleEndian.AppendUint32(heights, math.Float32bits(float32(slope*5*float64(i%41))))
	}
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	return fstest.MapFS{
		"track/world.yaml": file("metadata: metadata.json\ngeometry: {heightmap_bin: h.bin, heightmap_yaml: h.yaml, drivable_geojson: road.geojson}\n" +
			"sensors: {calibration: cal.yaml}\nsim: {timebase: time.yaml}\nvehicle: {" + vehicle + "}\n"),
		"track/metadata.json": file(`{"scene_id": "track"}`),
		"track/h.yaml":        file("width: 41\nheight: 41\nresolution: 5\norigin: [0, 0, 0]\n"),
		"track/h.bin":         {Data: heights},
		"track/road.geojson":  file(`{"type": "Polygon", "coordinates": [[[0,0],[200,0],[200,200],[0,200],[0,0]]]}`),
		"track/cal.yaml": file("lidars:\n  - {id: top, channels: 16, horizontal_resolution: 1, vertical_fov: [-15, 15], min_range: 1, max_range: 50, " +
			"extrinsics: {translation: [0, 0, 2.2], rotation: [0, 0, 0, 1]}}\n"),
		"track/time.yaml": file("dt: 0.005\ninitial_pose: {position: [100, 100, " +
			map[bool]string{true: "0.01", false: "5.06"}[slope == 0] + "]}\n"),
	}
}

func onTrack(t *testing.T, slope float64, vehicle string) *engine.World {
	t.Helper()
	lib := format.NewLibrary(format.Config{Roots: []asset.Root{{Name: "site",
		FS: trackBundle(slope, vehicle)}}})
	w, err := engine.NewWorld(engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []sim.Command{sim.LoadWorld{Resource: scene.Resource{URI: "track"}},
		sim.SetState{State: sim.Playing}} {
		if _, err := w.Apply(c, engine.Load(lib, c)); err != nil {
			t.Fatalf("%s: %v", sim.Describe(c), err)
		}
	}
	return w
}

func egoOf(t *testing.T, w *engine.World) sim.EntityState {
	t.Helper()
	s := w.Snapshot()
	i, ok := s.Find("ego")
	if !ok {
		t.Fatal("no ego vehicle")
	}
	return s.Entities[i]
}

func TestTheVehicleOfABundleStandsAndDrivesACircle(t *testing.T) {
	w := onTrack(t, 0, "wheelbase: 2.8")
	second := int(1 / w.StepSize().Seconds())
	advance(t, w, 3*second)
	rest := egoOf(t, w).Pose
	if rest.Pos.Dist(r3.V(100, 100, 0)) > 0.02 {
		t.Errorf("after 3 s it stands at %v", rest.Pos)
	}
	const speed, turn = 3.0, 0.3
	length := 0.0
	before := rest.Pos
	for range 12 * second {
		do(t, w, sim.DriveEntity{Name: "ego",
			Twist: r3.Twist{Linear: r3.V(speed, 0, 0), Angular: r3.V(0, 0, turn)}})
		advance(t, w, 1)
		at := egoOf(t, w).Pose.Pos
		length += at.Dist(before)
		before = at
	}
	end := egoOf(t, w)
	if length < 0.85*12*speed || length > 12*speed || math.Abs(end.Twist.Linear.Len()-speed) > 0.15 ||
		math.Abs(end.Twist.Angular.Z-turn) > 0.03 {
		t.Errorf("drove %.2f m, at the end %v m/s and %v rad/s; want nearly %g m, %g m/s, %g rad/s", length,
			end.Twist.Linear, end.Twist.Angular, 12*speed, speed, turn)
	}
	advance(t, w, 4*second) // no command for longer than the time-out of 1 s
	if v := egoOf(t, w).Twist.Linear.Len(); v > 0.05 {
		t.Errorf("%.2f m/s 4 s after the last command", v)
	}
}

func TestTheVehicleOfABundleClimbsASlope(t *testing.T) {
	w := onTrack(t, 0.05, "dynamics_model: dynamic_bicycle")
	second := int(1 / w.StepSize().Seconds())
	advance(t, w, second)
	for range 5 * second {
		do(t, w, sim.DriveEntity{Name: "ego", Twist: r3.Twist{Linear: r3.V(4, 0, 0)}})
		advance(t, w, 1)
	}
	at := egoOf(t, w).Pose
	if at.Pos.X < 112 || math.Abs(at.Pos.Z-0.05*at.Pos.X) > 0.05 {
		t.Errorf("at %v; want beyond x = 112 and on the ground, which is %.3f m high there", at.Pos,
			0.05*at.Pos.X)
	}
}

// notes are those on keys that are not known.
func notes(all scene.Notes) (texts []string) {
	for _, n := range all {
		if strings.Contains(n.Text, "is not known") {
			texts = append(texts, n.Text)
		}
	}
	return texts
}

func TestABundleSaysHowFastTimeGoesAndWhetherItWaitsForSomebody(t *testing.T) {
	for _, c := range []struct {
		vehicle string
		state   sim.State
		pace    float64
	}{
		{"real_time_factor: 0.5", sim.Playing, 0.5},
		{"real_time_factor: 0.0, start_paused: true", sim.Paused, 0},
		{"start_paused: false", sim.Playing, 1},
	} {
		lib := format.NewLibrary(format.Config{Roots: []asset.Root{{Name: "site",
			FS: trackBundle(0, c.vehicle)}}})
		e, err := engine.New(engine.Config{Library: lib, World: scene.Resource{URI: "track"},
			Start: sim.Playing})
		if err != nil {
			t.Fatal(err)
		}
		if s := e.Snapshot(); s.State != c.state || s.Pacing.Asked != c.pace ||
			len(notes(s.Model.Notes)) != 0 {
			t.Errorf("%s: %v at %g, notes %v; want %v at %g", c.vehicle, s.State, s.Pacing.Asked,
				s.Model.Notes, c.state, c.pace)
		}
	}
	lib := format.NewLibrary(format.Config{Roots: []asset.Root{{Name: "site",
		FS: trackBundle(0, "max_sped: 3")}}})
	if w, err := lib.World(scene.Resource{URI: "track"}); err != nil ||
		!slices.Equal(notes(w.Notes), []string{`"max_sped" is not known`}) {
		t.Errorf("a key that is none: %v", err)
	}
	for _, bad := range []string{"real_time_factor: -1", "start_paused: maybe"} {
		lib := format.NewLibrary(format.Config{Roots: []asset.Root{{Name: "site", FS: trackBundle(0, bad)}}})
		if _, err := lib.World(scene.Resource{URI: "track"}); err == nil {
			t.Errorf("%s is taken", bad)
		}
	}
}
