package cli

import (
	"bytes"
	"errors"
	"image/png"
	"strings"
	"testing"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// studio is a snapshot of a red wall and of robots with cameras.
func studio(robots ...string) *sim.Snapshot {
	at := func(x float64) r3.Pose { return r3.PoseRPY(x, 0, 0, 0, 0, 0) }
	wall := &scene.ModelSpec{Links: []scene.Link{{Visuals: []scene.Geom{{Kind: scene.Box,
		Size: r3.V(1, 50, 50), Pose: at(0), Material: scene.Material{Colour: [4]float32{1, 0, 0, 1}}}}}}}
	s := &sim.Snapshot{Model: &sim.Model{Entities: []sim.EntityModel{{Name: "wall", Spec: wall}}},
		Links: []sim.LinkState{{Pose: at(5)}}}
	for i, name := range robots {
		eye := scene.Sensor{Name: "eye", Kind: scene.Camera,
			Camera: scene.CameraSpec{Width: 32, Height: 24, FX: 30, FY: 30, CX: 16, CY: 12, Near: 0.1,
				Far: 50}}
		spec := &scene.ModelSpec{Links: []scene.Link{{Sensors: []scene.Sensor{eye}}}}
		s.Model.Entities = append(s.Model.Entities,
			sim.EntityModel{Name: name, Spec: spec, FirstLink: i + 1,
				Sensors: []sim.SensorModel{{Spec: &spec.Links[0].Sensors[0]}}})
		s.Links = append(s.Links, sim.LinkState{Pose: at(0)})
	}
	return s
}

func TestAPhotoIsWhatTheCameraSees(t *testing.T) {
	for _, camera := range []string{"rover", "eye", "rover/eye", "0 0 0 0 0 0", "0,0,0,0,0,0"} {
		var out bytes.Buffer
		if err := Screenshot(studio("rover"), Shot{Width: 64, Height: 48, Camera: camera}, &out); err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(&out)
		if err != nil {
			t.Fatal(err)
		}
		size := img.Bounds()
		if r, g, _, _ := img.At(size.Dx()/2, size.Dy()/2).RGBA(); r < 3*g || size.Dx() != 32 &&
			size.Dx() != 64 {
			t.Errorf("%s: the middle of %v has red %d and green %d", camera, size, r>>8, g>>8)
		}
	}
}

func TestACameraThatIsNotThereIsNamed(t *testing.T) {
	for camera, want := range map[string]string{"eye": "a/eye, b/eye", "c": "there are a/eye",
		"1 2 3 4 5 x": `"x" is no number`} {
		err := Screenshot(studio("a", "b"), Shot{Width: 64, Height: 48, Camera: camera}, &bytes.Buffer{})
		if !errors.Is(err, ErrUsage) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want a word about %s", camera, err, want)
		}
	}
	if err := Screenshot(studio(), Shot{Camera: "a"}, &bytes.Buffer{}); err == nil ||
		!strings.Contains(err.Error(), "the world has none") {
		t.Errorf("in a world without cameras: %v", err)
	}
}
