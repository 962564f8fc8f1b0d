package sim

import (
	"fmt"
	"runtime/debug"
	"sync/atomic"

	"simdeck/sim/physics"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/sensor"
)

// scan is a sample of a lidar on its way. All that it looks at is unchanging,
// so that its parts can be computed in any order, by anybody, while the world
// goes on; the result is the same.
type scan struct {
	entity string // by name and ID
	id     uint64
	sensor int
	lidar  *sensor.Lidar
	spec   *scene.LidarSpec
	sight  sight
	noise  sensor.Noise
	sample Sample // when done, with Data
	truth  []float64
	told   func() // called when it is done

	taken atomic.Int64 // parts that somebody has begun
	left  atomic.Int64 // parts that are not done
	done  chan struct{}
	fault atomic.Pointer[string]
}

// work computes the next part; false when none is left to begin.
func (s *scan) work() bool {
	part := int(s.taken.Add(1)) - 1
	if part >= s.lidar.Parts() {
		return false
	}
	s.guard(func() { s.lidar.Cast(part, s.sample.Frame, s.sight, s.truth) })
	if s.left.Add(-1) == 0 {
		s.guard(func() { s.sample.Data = &LidarScan{Spec: s.spec, Ranges: s.lidar.Measure(s.truth, s.noise)} })
		close(s.done)
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
func (s *scan) begun() bool { return s.taken.Load() >= int64(s.lidar.Parts()) }

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
	<-s.done
}

// sight is the world as a sensor sees it: everything but the entity that
// carries it.
type sight struct {
	view *physics.View
	own  physics.BodyID
}

// CastFan is what sensor.Caster asks for.
func (s sight) CastFan(origin r3.Vec, dirs []r3.Vec, limit float64, out []float64) {
	s.view.CastFan(origin, dirs, limit, s.own, out)
}
