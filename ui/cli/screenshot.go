package cli

import (
	"bytes"
	"context"
	"errors"
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
	"simdeck/sim/engine"
	"simdeck/sim/r3"
	"simdeck/sim/render"
	"simdeck/sim/scenario"
	"simdeck/sim/scene"
	"simdeck/ui/canvas"
	"simdeck/ui/cli/store"
	"simdeck/ui/readfile"
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
	stage := sim.NewStage(s.Model, s.Lamps)
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
	played, err := shot.readScenario()
	if err != nil {
		return err
	}
	var frame bytes.Buffer
	drawn := s.draws(shot)
	defer drawn.End()
	player := s.player(shot, played)
	err = s.Run(ctx, func(ctx context.Context) error {
		if shot.Camera != "" {
			c := &camera{engine: s.Engine, shot: shot, scenario: played, drawn: drawn}
			return c.take(ctx, &frame)
		}
		err := s.play(ctx, player, played, func(ctx context.Context) error {
			s.simulate(ctx, drawn)
			return nil
		})
		return errors.Join(err, draw(&frame))
	})
	if err != nil {
		return err
	}
	return store.Save(shot.File, frame.Bytes())
}

// draws begins to tell of a picture.
func (s *Running) draws(shot Shot) *Task { return s.Progress.Begin("Drawing " + shot.File) }

// simulate waits for the end of the simulation, which one of no duration has at once. Its subscription makes
// the sensors run.
func (s *Running) simulate(ctx context.Context, drawn *Task) {
	sub := s.Engine.Subscribe(sim.Latest(100 * time.Millisecond))
	defer sub.Close()
	for {
		select {
		case snap, ok := <-sub.C():
			if !ok {
				<-ctx.Done()
				return
			}
			if s.Duration == 0 {
				return
			}
			drawn.Report(secondsOf(snap.Time, s.Duration) + " simulated")
		case <-ctx.Done():
			return
		}
	}
}

// TakeVideo runs the simulation while film looks at it, or a camera, and writes the video.
func (s *Running) TakeVideo(ctx context.Context, shot Shot,
	film func(context.Context, io.Writer, *Task) error) error {
	played, err := shot.readScenario()
	if err != nil {
		return err
	}
	var movie bytes.Buffer
	drawn := s.draws(shot)
	defer drawn.End()
	player := s.player(shot, played)
	err = s.Run(ctx, func(ctx context.Context) error {
		if shot.Camera != "" {
			c := &camera{engine: s.Engine, shot: shot, scenario: played, drawn: drawn}
			return c.film(ctx, &movie)
		}
		return s.play(ctx, player, played, func(ctx context.Context) error {
			return film(ctx, &movie, drawn)
		})
	})
	if err != nil {
		return err
	}
	return store.Save(shot.File, movie.Bytes())
}

// readScenario reads the scenario that is played meanwhile; nil: none.
func (s Shot) readScenario() (*scenario.Scenario, error) {
	if s.Scenario == "" {
		return nil, nil
	}
	text, err := readfile.All(s.Scenario, scenario.MaxSize)
	if err != nil {
		return nil, fmt.Errorf("%w: --scenario: %w", scene.ErrNotFound, err)
	}
	played, err := scenario.Parse(s.Scenario, text)
	if err != nil {
		return nil, fmt.Errorf("%w: --scenario: %w", scene.ErrParse, err)
	}
	return played, nil
}

// silence is the publisher of a scenario in a picture: there is no ROS.
func silence(string, string) error { return nil }

// player is the player of a scenario for a picture of the console. The first step waits for it.
func (s *Running) player(shot Shot, played *scenario.Scenario) *scenario.Player {
	p := &scenario.Player{Backend: s.Engine, Publish: silence}
	if played != nil && shot.Camera == "" {
		p.Follow()
	}
	return p
}

// play plays a scenario beside look, until look returns. A scenario that fails ends look.
func (s *Running) play(ctx context.Context, p *scenario.Player, played *scenario.Scenario,
	look func(context.Context) error) error {
	if played == nil {
		return look(ctx)
	}
	playing, end := context.WithCancel(ctx)
	defer end()
	looking, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	ended := make(chan error, 1)
	go func() {
		_, err := p.Play(sim.WithSender(playing, "scenario"), played)
		if playing.Err() != nil || errors.Is(err, sim.ErrClosed) {
			err = nil // the picture was done first
		}
		if err != nil {
			fail(err)
		}
		ended <- err
	}()
	err := look(looking)
	end()
	if failed := <-ended; failed != nil {
		return fmt.Errorf("scenario %s: %w", played.Name, failed)
	}
	return err
}

// camera takes what a camera sees. It steps the world itself, so that the same command gives the same
// pictures on any machine.
type camera struct {
	engine   *engine.Engine
	shot     Shot
	scenario *scenario.Scenario // nil: none
	drawn    *Task
	player   scenario.Player
	now      *sim.Snapshot
}

// videoPeriod is the time from one picture of a camera's video to the next, and mostVideo the longest video.
const (
	videoPeriod = 100 * time.Millisecond
	mostVideo   = 2 * time.Minute
)

// take writes one picture.
func (c *camera) take(ctx context.Context, out io.Writer) error {
	if err := c.begin(ctx); err != nil {
		return err
	}
	if err := c.until(ctx, c.shot.After); err != nil {
		return err
	}
	return Screenshot(c.now, c.shot, out)
}

// film writes a video. It ends at once where there is no such camera when the video begins.
func (c *camera) film(ctx context.Context, out io.Writer) error {
	if c.shot.Video < videoPeriod || c.shot.Video > mostVideo {
		return fmt.Errorf("%w: video %s: want %s to %s", ErrUsage, c.shot.Video, videoPeriod, mostVideo)
	}
	if err := c.begin(ctx); err != nil {
		return err
	}
	pace := c.shot.Pace
	if pace <= 0 { // as the world asks, or as fast as possible
		pace = 1
	}
	looks := make([]*sim.Snapshot, c.shot.Video/videoPeriod)
	for i := range looks {
		passed := time.Duration(float64(i) * pace * float64(videoPeriod))
		if err := c.until(ctx, c.shot.After+passed); err != nil {
			return err
		}
		if _, err := cameraOf(c.now, c.shot); err != nil {
			return err
		}
		looks[i] = c.now
		c.drawn.Frames(i+1, len(looks))
	}
	var r render.Renderer
	return canvas.Animation(out, len(looks), func(i int) (*image.RGBA, error) {
		return picture(looks[i], c.shot, &r)
	}, videoPeriod)
}

// begin holds the world, which only the camera steps.
func (c *camera) begin(ctx context.Context) error {
	_, err := c.engine.Do(ctx, sim.SetState{State: sim.Paused})
	if err != nil && !errors.Is(err, sim.ErrAlreadyInState) {
		return fmt.Errorf("picture of %s: %w", c.shot.Camera, err)
	}
	c.player = scenario.Player{Backend: c.engine, Publish: silence}
	c.now = c.engine.Snapshot()
	c.player.Begin(c.now)
	return c.play(ctx)
}

// until steps the world to a simulated time, and the scenario with it.
func (c *camera) until(ctx context.Context, at time.Duration) error {
	for dt := c.now.StepSize; c.now.Time+dt/2 < at; {
		look := at - c.now.Time
		if c.scenario != nil {
			look = min(look, max(scenario.Look, dt))
		}
		look = min(look, videoPeriod) // so that the end of ctx is seen soon
		n := max(1, (look+dt/2)/dt)
		if _, err := c.engine.Do(ctx, sim.StepWorld{N: uint64(n)}); err != nil {
			return fmt.Errorf("picture of %s: %w", c.shot.Camera, err)
		}
		c.now = c.engine.Snapshot()
		if err := c.play(ctx); err != nil {
			return err
		}
	}
	return nil
}

// play does what the scenario has due now.
func (c *camera) play(ctx context.Context) error {
	if c.scenario == nil {
		return nil
	}
	ended, err := c.player.At(sim.WithSender(ctx, "scenario"), c.scenario, c.now)
	if err != nil {
		return fmt.Errorf("scenario %s: %w", c.scenario.Name, err)
	}
	if ended {
		c.scenario = nil
	}
	c.now = c.engine.Snapshot() // with what the scenario has changed
	return nil
}
