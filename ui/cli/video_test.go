package cli

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/draw"
	"image/gif"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"simdeck/sim"
	"simdeck/sim/engine"
	"simdeck/sim/r3"
	"simdeck/sim/scenario"
	"simdeck/sim/scene"
)

// panels has red panels to spawn in an empty world.
type panels struct{ library }

func (panels) Model(scene.Resource) (*scene.ModelSpec, error) {
	return &scene.ModelSpec{Name: "panel", Static: true, Frame: r3.IdentityPose(),
		Links: []scene.Link{{Name: "link",
			Pose: r3.IdentityPose(), Visuals: []scene.Geom{{Kind: scene.Box, Size: r3.V(0.1, 1, 1),
				Pose: r3.IdentityPose(), Material: scene.Material{Colour: [4]float32{1, 0, 0, 1}}}}}}}, nil
}

// staged is a file with a scenario.
func staged(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "scenario.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

const acrossTheView = `name: across
phases:
  - name: enter
    do:
      - spawn: {uri: panel, name: panel, position: [5, 2, 0]}
      - wait: {time: 0.3}
      - set_pose: {entity: panel, position: [5, 0, 0]}
      - wait: {time: 0.3}
      - set_pose: {entity: panel, position: [5, -2, 0]}
`

func TestAVideoWithAScenarioIsTheSameEachTimeAndKeepsItsPace(t *testing.T) {
	var films [][]byte
	for range 2 {
		r := running(t, 0)
		e, err := engine.New(engine.Config{Library: panels{}, World: scene.Resource{URI: "empty"},
			Start: sim.Paused, RealTime: 1})
		if err != nil {
			t.Fatal(err)
		}
		r.Engine, r.Recorder.Engine = e, e
		shot := Shot{Width: 64, Height: 48, Camera: "0 0 0 0 0 0", Video: 500 * time.Millisecond, Pace: 2,
			File: filepath.Join(t.TempDir(), "a.gif"), Scenario: staged(t, acrossTheView)}
		if err := r.TakeVideo(t.Context(), shot, nil); err != nil {
			t.Fatal(err)
		}
		film, err := os.ReadFile(shot.File)
		if err != nil {
			t.Fatal(err)
		}
		films = append(films, film)
	}
	if !bytes.Equal(films[0], films[1]) {
		t.Error("two runs of one scenario give two videos")
	}
	film, err := gif.DecodeAll(bytes.NewReader(films[0]))
	if err != nil {
		t.Fatal(err)
	}
	var moved []int // pictures in which the panel is elsewhere
	shown := image.NewRGBA(image.Rect(0, 0, 64, 48))
	for i, frame := range film.Image {
		before := bytes.Clone(shown.Pix)
		draw.Draw(shown, frame.Bounds(), frame, frame.Bounds().Min, draw.Over)
		if !bytes.Equal(before, shown.Pix) {
			moved = append(moved, i)
		}
	}
	if !slices.Equal(moved, []int{0, 2, 3}) {
		t.Errorf("pictures %v show something new, want 0, 2 and 3: at 0, 0.4 and 0.6 s", moved)
	}
}

func TestAScenarioOfAPictureThatCannotBePlayedIsAnError(t *testing.T) {
	nobody := "phases:\n  - name: go\n    do:\n      - set_pose: {entity: nobody, position: [0, 0]}\n"
	for _, camera := range []string{"0 0 0 0 0 0", ""} {
		for _, c := range []struct {
			file string
			want error
			says string
		}{
			{"/nowhere.yaml", scene.ErrNotFound, "--scenario: stat /nowhere.yaml"},
			{staged(t, "phases: 3\n"), scene.ErrParse, "phases is no list"},
			{staged(t, nobody), scenario.ErrAction, `in phase "go"`},
		} {
			film := func(ctx context.Context, _ io.Writer, _ *Task) error {
				<-ctx.Done()
				return context.Cause(ctx)
			}
			shot := Shot{Width: 64, Height: 48, Camera: camera, Video: time.Second, Scenario: c.file,
				File: filepath.Join(t.TempDir(), "a.gif")}
			err := running(t, 0).TakeVideo(t.Context(), shot, film)
			if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("camera %q, %s: %v, want %q", camera, c.file, err, c.says)
			}
			still := running(t, time.Hour)
			if camera != "" {
				still = running(t, 0)
			}
			shot.After = time.Second
			err = still.TakeScreenshot(t.Context(), shot, func(io.Writer) error { return nil })
			if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("still of camera %q, %s: %v, want %q", camera, c.file, err, c.says)
			}
		}
	}
}

func TestAPictureOfTheBeginningIsTakenAtOnce(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	shot := Shot{File: filepath.Join(t.TempDir(), "a.svg")}
	err := running(t, 0).TakeScreenshot(ctx, shot, func(to io.Writer) error {
		_, err := io.WriteString(to, "<svg/>")
		return err
	})
	if err != nil || ctx.Err() != nil {
		t.Errorf("%v, %v", err, ctx.Err())
	}
}
