package cli

import (
	"bytes"
	"errors"
	"image/gif"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

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

func TestAVideoOfACameraLastsAsLongAsItIsAskedFor(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.gif")
	shot := Shot{Width: 64, Height: 48, Camera: "0 0 1 0 0 0", Video: 300 * time.Millisecond, File: file}
	if err := running(t, 0).TakeVideo(t.Context(), shot, nil); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	film, err := gif.DecodeAll(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	hundredths := 0
	for _, d := range film.Delay {
		hundredths += d
	}
	if film.Config.Width != 64 || film.Config.Height != 48 || hundredths != 30 {
		t.Errorf("%d×%d pixels for %d hundredths of a second, want 64×48 for 30", film.Config.Width,
			film.Config.Height, hundredths)
	}
}

func TestAVideoOfNoCameraOrNoLengthIsRefused(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.gif")
	for want, shot := range map[string]Shot{
		"the world has none":       {Camera: "eye", Video: time.Second, File: file},
		"want 100ms to 2m0s":       {Camera: "0 0 1 0 0 0", Video: time.Hour, File: file},
		"video -1s: want 100ms to": {Camera: "0 0 1 0 0 0", Video: -time.Second, File: file},
	} {
		err := running(t, 0).TakeVideo(t.Context(), shot, nil)
		if !errors.Is(err, ErrUsage) || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %s", shot, err, want)
		}
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("a video was written all the same")
	}
}
