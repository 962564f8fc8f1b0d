package sim

import (
	"fmt"
	"math"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"simdeck/sim/physics"
	"simdeck/sim/r3"
	"simdeck/sim/render"
	"simdeck/sim/scene"
	"simdeck/sim/sensor"
)

// scan is a sample of a lidar or a camera on its way. All that it looks at is
// unchanging, so that its parts can be computed in any order, by anybody,
// while the world goes on; the result is the same.
type scan struct {
	entity string // by name and ID
	id     uint64
	sensor int
	task   task
	parts  int
	sample Sample // when done, with Data
	told   func() // called when it is done

	taken atomic.Int64  // parts that somebody has begun
	left  atomic.Int64  // parts that are not done
	done  chan struct{} // nil: nobody else works at it
	fault atomic.Pointer[string]
}

// task is the work of a scan.
type task interface {
	// do computes one part.
	do(part int)
	// result is what Sample.Data holds once all parts are done.
	result() any
}

// work computes the next part; false when none is left to begin.
func (s *scan) work() bool {
	part := int(s.taken.Add(1)) - 1
	if part >= s.parts {
		return false
	}
	s.guard(func() { s.task.do(part) })
	if s.left.Add(-1) == 0 {
		s.guard(func() { s.sample.Data = s.task.result() })
		if s.done != nil {
			close(s.done)
		}
		if s.told != nil {
			s.told()
		}
	}
	return true
}

// guard keeps a panic for the loop, which is the one to end with it.
func (s *scan) guard(f func()) {
	defer func() {
		if p := recover(); p != nil {
			text := fmt.Sprintf("sensor %d of entity %q: %v\n%s", s.sensor, s.entity, p, debug.Stack())
			s.fault.CompareAndSwap(nil, &text)
		}
	}()
	f()
}

// begun reports whether no part is left to begin.
func (s *scan) begun() bool { return s.taken.Load() >= int64(s.parts) }

// ended reports whether the sample is there.
func (s *scan) ended() bool {
	select {
	case <-s.done:
		return true
	default:
		return false
	}
}

// finish takes part in the work and waits for the parts that others took.
func (s *scan) finish() {
	for s.work() {
	}
	if s.done != nil {
		<-s.done
	}
}

// sight is the world as a sensor sees it: everything but the entity that
// carries it.
type sight struct {
	view *physics.View
	own  physics.BodyID
}

// CastFan is what sensor.Caster asks for.
func (s *sight) CastFan(origin r3.Vec, dirs []r3.Vec, limit float64, out, echoes []float64) {
	s.view.CastEchoes(origin, dirs, limit, s.own, out, echoes)
}

// lidarTask is a scan of a lidar.
type lidarTask struct {
	lidar *sensor.Lidar
	spec  *scene.LidarSpec
	pose  r3.Pose
	sight sight
	noise sensor.Noise
	truth []float64
	echo  []float64
	tiles []sensor.Tile // by part
	into  *LidarScan
}

func (t *lidarTask) do(part int) {
	t.lidar.Cast(part, t.pose, &t.sight, t.truth, t.echo, &t.tiles[part])
}

func (t *lidarTask) result() any {
	s := t.into
	s.Spec, s.Ranges = t.spec, t.lidar.Measure(t.truth, t.noise, s.Ranges)
	if len(s.Intensities) != len(t.echo) {
		s.Intensities = make([]float32, len(t.echo))
	}
	for i, e := range t.echo {
		s.Intensities[i] = 0
		if !math.IsInf(float64(s.Ranges[i]), 0) {
			s.Intensities[i] = float32(e)
		}
	}
	return s
}

// cameraTask is a picture of a camera, in bands. Who comes first sets up the
// easel; it is given back when the picture is done.
type cameraTask struct {
	camera *sensor.Camera
	spec   *scene.CameraSpec
	pose   r3.Pose
	stage  *render.Stage
	links  []r3.Pose
	noise  sensor.Noise
	easels *easels
	hands  int
	into   *Picture
	begun  sync.Once
	easel  *render.Renderer
}

func (t *cameraTask) do(part int) {
	t.begun.Do(func() {
		t.easel = t.easels.take()
		if t.into.Image == nil {
			t.into.Image = &render.Image{}
		}
		t.camera.Begin(t.pose, t.stage, t.links, t.easel, t.hands, t.into.Image)
	})
	t.easel.Draw(part)
}

func (t *cameraTask) result() any {
	t.camera.Finish(t.into.Image, t.easel, t.noise)
	t.easels.give(t.easel)
	t.into.Spec = t.spec
	return t.into
}

// easels are the renderers that nobody draws with. As many are made as draw at
// the same time.
type easels struct {
	mu   sync.Mutex
	free []*render.Renderer
}

func (e *easels) take() *render.Renderer {
	e.mu.Lock()
	defer e.mu.Unlock()
	if n := len(e.free); n > 0 {
		r := e.free[n-1]
		e.free = e.free[:n-1]
		return r
	}
	return &render.Renderer{}
}

func (e *easels) give(r *render.Renderer) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.free = append(e.free, r)
}
