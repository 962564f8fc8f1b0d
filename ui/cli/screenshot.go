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
	"simdeck/ui/canvas"
	"simdeck/ui/cli/store"
)

// Screenshot writes the picture of a camera as a PNG. shot.Camera names a sensor as entity/sensor, or by
// either name where that is unique. Six numbers are a free camera: x y z roll pitch yaw in the world frame.
func Screenshot(s *sim.Snapshot, shot Shot, out io.Writer) error {
	var r render.Renderer
	img, err := picture(s, shot, &r)
	if err != nil {
		return err
	}
	if err := png.Encode(out, img); err != nil {
		return fmt.Errorf("picture of %s: %w", shot.Camera, err)
	}
	return nil
}

// picture is the image of the camera.
func picture(s *sim.Snapshot, shot Shot, r *render.Renderer) (*image.RGBA, error) {
	c, err := cameraOf(s, shot)
	if err != nil {
		return nil, err
	}
	stage := sim.NewStage(s.Model)
	if c.Width == 0 {
		c.Lens = render.LensOf(shot.Width, shot.Height, 1.2)
		c.Near, c.Far = 0.05, 1000
		stage.Grid = true
	}
	var m render.Image
	r.Render(stage, s.Poses(nil), &c, render.Colours, &m)
	return colours(&m), nil
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

func colours(m *render.Image) *image.RGBA {
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

// TakeVideo runs the simulation while film looks at it, or a camera, and writes the video.
func (s *Running) TakeVideo(ctx context.Context, shot Shot,
	film func(context.Context, io.Writer) error) error {
	var movie bytes.Buffer
	var looks []*sim.Snapshot
	err := s.Run(ctx, func(ctx context.Context) (err error) {
		if shot.Camera == "" {
			return film(ctx, &movie)
		}
		looks, err = s.watch(ctx, shot)
		return err
	})
	if err == nil && shot.Camera != "" {
		var r render.Renderer
		err = canvas.Animation(&movie, len(looks), func(i int) (*image.RGBA, error) {
			return picture(looks[i], shot, &r)
		}, videoPeriod)
	}
	if err != nil {
		return err
	}
	return store.Save(shot.File, movie.Bytes())
}

// videoPeriod is the time from one picture of a camera's video to the next, and mostVideo the longest video.
const (
	videoPeriod = 100 * time.Millisecond
	mostVideo   = 2 * time.Minute
)

// watch looks at the world until the video is long enough. It ends at once where there is no such camera.
func (s *Running) watch(ctx context.Context, shot Shot) (all []*sim.Snapshot, err error) {
	if shot.Video < videoPeriod || shot.Video > mostVideo {
		return nil, fmt.Errorf("%w: video %s: want %s to %s", ErrUsage, shot.Video, videoPeriod, mostVideo)
	}
	defer s.Engine.Subscribe(sim.Latest(videoPeriod / 2)).Close() // snapshots are made while somebody looks
	tick := time.NewTicker(videoPeriod)
	defer tick.Stop()
	for len(all) < int(shot.Video/videoPeriod) {
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-tick.C:
		}
		now := s.Engine.Snapshot()
		if _, err := cameraOf(now, shot); err != nil {
			return nil, err
		}
		if now.Time >= shot.After {
			all = append(all, now)
		}
	}
	return all, nil
}
