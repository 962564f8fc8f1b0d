package sensor

import (
	"fmt"
	"math"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// MaxRays is how many rays a scan may have: what a file asks for is memory.
const MaxRays = 1 << 20

// Caster knows what stands in the world.
type Caster interface {
	// CastRay returns the distance along a ray of unit direction, in the world
	// frame, to what it hits first within limit; false when there is nothing.
	CastRay(r r3.Ray, limit float64) (float64, bool)
}

// Lidar is a scanning pattern ready to be cast.
type Lidar struct {
	spec *scene.LidarSpec
	dirs []r3.Vec // in the sensor frame, ring by ring from the lowest
}

// NewLidar prepares the rays of a pattern. The error says which value of the
// pattern cannot be scanned.
func NewLidar(s *scene.LidarSpec) (*Lidar, error) {
	if s.Columns < 1 || s.Rows < 1 || s.Columns > MaxRays || s.Rows > MaxRays || s.Columns*s.Rows > MaxRays {
		return nil, fmt.Errorf("lidar of %d × %d rays: want 1 to %d in all", s.Rows, s.Columns, MaxRays)
	}
	for _, v := range [...]float64{s.MinAngle, s.MaxAngle, s.MinElevation, s.MaxElevation, s.MinRange, s.MaxRange, s.Resolution, s.NoiseStd} {
		if math.IsNaN(v) || math.IsInf(v, 0) && v != s.MaxRange {
			return nil, fmt.Errorf("lidar with the value %v: want finite numbers", v)
		}
	}
	if s.MinRange < 0 || s.MaxRange <= s.MinRange {
		return nil, fmt.Errorf("lidar from %v to %v m: want 0 ≤ min < max", s.MinRange, s.MaxRange)
	}
	l := &Lidar{spec: s, dirs: make([]r3.Vec, 0, s.Rows*s.Columns)}
	for row := range s.Rows {
		se, ce := r3.SinCos(between(s.MinElevation, s.MaxElevation, row, s.Rows))
		for col := range s.Columns {
			sa, ca := r3.SinCos(between(s.MinAngle, s.MaxAngle, col, s.Columns))
			l.dirs = append(l.dirs, r3.V(float64(ce*ca), float64(ce*sa), se))
		}
	}
	return l, nil
}

// between is the i-th of n values evenly from lo to hi; lo when there is one.
func between(lo, hi float64, i, n int) float64 {
	if n == 1 {
		return lo
	}
	return lo + float64(float64(float64(i)*(hi-lo))/float64(n-1))
}

// Scan measures from the sensor's pose in the world frame. The ranges are
// those of LidarScan: metres; +Inf where nothing is within the range, -Inf
// where something is too near (REP-117).
func (l *Lidar) Scan(pose r3.Pose, world Caster, noise Noise) []float32 {
	out := make([]float32, len(l.dirs))
	for i, dir := range l.dirs {
		ray := r3.Ray{Origin: pose.Pos, Dir: pose.Rot.Rotate(dir)}
		d, ok := world.CastRay(ray, l.spec.MaxRange)
		if !ok {
			d = math.Inf(1)
		}
		out[i] = float32(l.measure(d, &noise))
	}
	return out
}

// measure is what the device reports of a true distance.
func (l *Lidar) measure(d float64, noise *Noise) float64 {
	s := l.spec
	if math.IsInf(d, 1) {
		return d
	}
	if s.NoiseStd > 0 {
		d += float64(s.NoiseStd * noise.Normal())
	}
	if s.Resolution > 0 {
		d = float64(math.Round(d/s.Resolution) * s.Resolution)
	}
	switch {
	case d < s.MinRange:
		return math.Inf(-1)
	case d > s.MaxRange:
		return math.Inf(1)
	}
	return d
}
