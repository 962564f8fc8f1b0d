package cli

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/render"
	"simdeck/ui/cli/store"
)

// Screenshot writes the picture of a camera as a PNG. shot.Camera names a sensor as entity/sensor, or by
// either name where that is unique. Six numbers are a free camera: x y z roll pitch yaw in the world frame.
func Screenshot(s *sim.Snapshot, shot Shot, out io.Writer) error {
	c, err := cameraOf(s, shot)
	if err != nil {
		return err
	}
	stage := sim.NewStage(s.Model)
	if c.Width == 0 {
		c.Lens = render.LensOf(shot.Width, shot.Height, 1.2)
		c.Near, c.Far = 0.05, 1000
		stage.Grid = true
	}
	var r render.Renderer
	var m render.Image
	r.Render(stage, s.Poses(nil), &c, render.Colours, &m)
	if err := png.Encode(out, colours(&m)); err != nil {
		return fmt.Errorf("picture of %s: %w", shot.Camera, err)
	}
	return nil
}

// cameraOf finds the camera; one without a lens stands freely.
func cameraOf(s *sim.Snapshot, shot Shot) (render.Camera, error) {
	if words := strings.Fields(strings.ReplaceAll(shot.Camera, ",", " ")); len(words) == 6 {
		var f [6]float64
		for i, w := range words {
			v, err := strconv.ParseFloat(w, 64)
			if err != nil || math.IsNaN(v) || math.Abs(v) > 1e6 {
				return render.Camera{}, fmt.Errorf("%w: camera %q: %q is no number", ErrUsage, shot.Camera, w)
			}
			f[i] = v
		}
		return render.Camera{Pose: r3.PoseRPY(f[0], f[1], f[2], f[3], f[4], f[5])}, nil
	}
	var found []render.Camera
	var names []string
	for i := range s.Model.Entities {
		e := &s.Model.Entities[i]
		for k := range e.Sensors {
			c, ok := sim.CameraOf(s, i, k)
			if !ok {
				continue
			}
			full := e.Name + "/" + e.Sensors[k].Spec.Name
			names = append(names, full)
			if full == shot.Camera {
				return c, nil
			}
			if e.Name == shot.Camera || e.Sensors[k].Spec.Name == shot.Camera {
				found = append(found, c)
			}
		}
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(names) == 0:
		return render.Camera{}, fmt.Errorf(
			"%w: camera %q: the world has none; six numbers x y z roll pitch yaw place a free one",
			ErrUsage, shot.Camera)
	}
	return render.Camera{}, fmt.Errorf("%w: camera %q: %d have that name; there are %s", ErrUsage,
		shot.Camera, len(found), strings.Join(names, ", "))
}

func colours(m *render.Image) image.Image {
	out := image.NewRGBA(image.Rect(0, 0, m.Width, m.Height))
	for i := range m.Width * m.Height {
		out.SetRGBA(i%m.Width, i/m.Width, color.RGBA{m.RGB[3*i], m.RGB[3*i+1], m.RGB[3*i+2], 255})
	}
	return out
}

// TakeScreenshot simulates until the picture is due and writes it: what a camera of the world sees, or what
// draw draws.
func (s *Running) TakeScreenshot(ctx context.Context, shot Shot, draw func(io.Writer) error) error {
	var frame bytes.Buffer
	err := s.Run(ctx, func(ctx context.Context) error {
		// sensors run while somebody looks
		defer s.Engine.Subscribe(sim.Latest(100 * time.Millisecond)).Close()
		<-ctx.Done()
		if shot.Camera != "" {
			return Screenshot(s.Engine.Snapshot(), shot, &frame)
		}
		return draw(&frame)
	})
	if err != nil {
		return err
	}
	return store.Save(shot.File, frame.Bytes())
}

// TakeVideo runs the simulation while film looks at it, and writes what film wrote.
func (s *Running) TakeVideo(ctx context.Context, shot Shot,
	film func(context.Context, io.Writer) error) error {
	var movie bytes.Buffer
	if err := s.Run(ctx, func(ctx context.Context) error { return film(ctx, &movie) }); err != nil {
		return err
	}
	return store.Save(shot.File, movie.Bytes())
}
