package sensing

import (
	"fmt"
	"math"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"simdeck/sim"
	"simdeck/sim/dynamics"
	"simdeck/sim/r3"
	"simdeck/sim/render"
	"simdeck/sim/scene"
	"simdeck/sim/sensor"
)

// Job is a sample of a lidar or a camera on its way. All its inputs are immutable, so its parts can be
// computed in any order, by any goroutine, while the world goes on.
type Job struct {
	entity string // by name and ID
	id     uint64
	sensor int
	work   task
	parts  int
	sample sim.Sample // when done, with Data
	onDone func()     // called when it is done

	partsTaken atomic.Int64  // parts that somebody has begun
	partsLeft  atomic.Int64  // parts that are not done
	done       chan struct{} // nil: nobody else works at it
	fault      atomic.Pointer[string]
}

// task is the work of a Job.
type task interface {
	// do computes one part.
	do(part int)
	// result is the Sample.Data after all parts.
	result() sim.Measurement
}

// runPart computes the next part; false when none is left to begin.
func (s *Job) runPart() bool {
	part := int(s.partsTaken.Add(1)) - 1
	if part >= s.parts {
		return false
	}
	s.recoverFault(func() { s.work.do(part) })
	if s.partsLeft.Add(-1) == 0 {
		s.recoverFault(func() { s.sample.Data = s.work.result() })
		if s.done != nil {
			close(s.done)
		}
		if s.onDone != nil {
			s.onDone()
		}
	}
	return true
}

// recoverFault keeps a panic for the loop, which is the one to end with it.
func (s *Job) recoverFault(f func()) {
	defer func() {
		if p := recover(); p != nil {
			text := fmt.Sprintf("sensor %d of entity %q: %v\n%s", s.sensor, s.entity, p, debug.Stack())
			s.fault.CompareAndSwap(nil, &text)
		}
	}()
	f()
}

// hasStarted reports whether no part is left to begin.
func (s *Job) hasStarted() bool { return s.partsTaken.Load() >= int64(s.parts) }

// hasEnded reports whether the sample is there.
func (s *Job) hasEnded() bool {
	select {
	case <-s.done:
		return true
	default:
		return false
	}
}

// finish takes part in the work and waits for the parts that others took.
func (s *Job) finish() {
	for s.runPart() {
	}
	if s.done != nil {
		<-s.done
	}
}

// rayView is the world as a sensor sees it: everything but the entity that
// carries it.
type rayView struct {
	view    *dynamics.QueryScene
	own     dynamics.BodyID
	surface float64 // m, of a liquid that returns the rays; not a number: none does
}

// CastFan implements sensor.Caster.
func (s *rayView) CastFan(origin r3.Vec, dirs []r3.Vec, limit float64, out, echoes []float64) {
	s.view.CastPacketIntensity(origin, dirs, limit, s.own, out, echoes)
	if math.IsNaN(s.surface) {
		return
	}
	for i, dir := range dirs {
		if d := toSurface(origin, dir, s.surface); d <= limit && d < out[i] {
			out[i] = d
			if echoes != nil {
				echoes[i] = 0
			}
		}
	}
}

// soundSurface is the surface at which the rays of a sensor end; not a number: none does.
func soundSurface(w World, s *scene.Sensor, at *sim.Sample) float64 {
	if !s.Lidar.Acoustic {
		return math.NaN()
	}
	return surfaceOf(w, at.Frame.Pos, at.Time)
}

// lidarTask is a scan of a lidar.
type lidarTask struct {
	lidar       *sensor.Lidar
	spec        *scene.LidarSpec
	pose        r3.Pose
	view        rayView
	noise       sensor.Noise
	truth       []float64
	intensities []float64
	tiles       []sensor.Tile // by part
	into        *sim.LidarScan
}

func (t *lidarTask) do(part int) {
	t.lidar.Cast(part, t.pose, &t.view, t.truth, t.intensities, &t.tiles[part])
}

func (t *lidarTask) result() sim.Measurement {
	s := t.into
	s.Spec, s.Ranges = t.spec, t.lidar.Measure(t.truth, t.noise, s.Ranges)
	if len(s.Intensities) != len(t.intensities) {
		s.Intensities = make([]float32, len(t.intensities))
	}
	for i, e := range t.intensities {
		s.Intensities[i] = 0
		if !math.IsInf(float64(s.Ranges[i]), 0) {
			s.Intensities[i] = float32(e)
		}
	}
	return s
}

// cameraTask is a picture of a camera, in bands. The first worker sets up the renderer, which is released
// when the picture is complete.
type cameraTask struct {
	camera    *sensor.Camera
	spec      *scene.CameraSpec
	pose      r3.Pose
	stage     *render.Stage
	links     []r3.Pose
	noise     sensor.Noise
	renderers *rendererPool
	workers   int
	into      *sim.CameraImage
	begun     sync.Once
	renderer  *render.Renderer
}

func (t *cameraTask) do(part int) {
	t.begun.Do(func() {
		t.renderer = t.renderers.get()
		if t.into.Image == nil {
			t.into.Image = &render.Image{}
		}
		t.camera.Begin(t.pose, t.stage, t.links, t.renderer, t.workers, t.into.Image)
	})
	t.renderer.Draw(part)
}

func (t *cameraTask) result() sim.Measurement {
	t.camera.Finish(t.into.Image, t.renderer, t.noise)
	t.renderers.put(t.renderer)
	t.into.Spec = t.spec
	return t.into
}

// rendererPool are the renderers that nobody draws with. As many are made as draw at
// the same time.
type rendererPool struct {
	mu   sync.Mutex
	free []*render.Renderer
}

func (e *rendererPool) get() *render.Renderer {
	e.mu.Lock()
	defer e.mu.Unlock()
	if n := len(e.free); n > 0 {
		r := e.free[n-1]
		e.free = e.free[:n-1]
		return r
	}
	return &render.Renderer{}
}

func (e *rendererPool) put(r *render.Renderer) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.free = append(e.free, r)
}
