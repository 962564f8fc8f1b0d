package sensor

import (
	"fmt"
	"math"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// MaxRays is the most rays that a scan may have: files could ask for any memory.
const MaxRays = 1 << 20

// Caster knows what stands in the world. It is asked by several goroutines at
// once.
type Caster interface {
	// CastFan casts rays from one point in the world frame. It writes each ray's distance to the first hit
	// within limit, +Inf without one, and its return intensity, unless intensities is nil.
	CastFan(origin r3.Vec, dirs []r3.Vec, limit float64, out, intensities []float64)
}

// Lidar is a scanning pattern ready to be cast: in tiles of neighboring rays, a few tiles to a part of the
// scan. Nothing in it changes.
type Lidar struct {
	spec *scene.LidarSpec
	dirs []r3.Vec // in the sensor frame, ring by ring from the lowest
	rows int      // of a tile
	cols int
}

const (
	tileRays = 128
	tileRows = 8
	tileSpan = 0.5 // rad, along a ring
	partRays = 2048
)

// NewLidar prepares the rays of a pattern. The error says which value of the
// pattern cannot be scanned.
func NewLidar(s *scene.LidarSpec) (*Lidar, error) {
	if s.Columns < 1 || s.Rows < 1 || s.Columns > MaxRays || s.Rows > MaxRays || s.Columns*s.Rows > MaxRays {
		return nil, fmt.Errorf("lidar of %d × %d rays: want 1 to %d in all", s.Rows, s.Columns, MaxRays)
	}
	for _, v := range [...]float64{s.MinAngle, s.MaxAngle, s.MinElevation, s.MaxElevation, s.MinRange,
		s.MaxRange, s.Resolution, s.NoiseStd} {
		if math.IsNaN(v) || math.IsInf(v, 0) && v != s.MaxRange {
			return nil, fmt.Errorf("lidar with the value %v: want finite numbers", v)
		}
	}
	if s.Elevations != nil && len(s.Elevations) != s.Rows {
		return nil, fmt.Errorf("lidar of %d rings with %d elevations: want one for each", s.Rows,
			len(s.Elevations))
	}
	for i, e := range s.Elevations {
		if !(math.Abs(e) <= math.Pi/2) || i > 0 && e < s.Elevations[i-1] {
			return nil, fmt.Errorf("lidar with ring %d at %v rad: want -π/2 to π/2, from the lowest on", i, e)
		}
	}
	if s.MinRange < 0 || s.MaxRange <= s.MinRange {
		return nil, fmt.Errorf("lidar from %v to %v m: want 0 ≤ min < max", s.MinRange, s.MaxRange)
	}
	l := &Lidar{spec: s, dirs: make([]r3.Vec, 0, s.Rows*s.Columns)}
	for row := range s.Rows {
		se, ce := r3.SinCos(s.Elevation(row))
		for col := range s.Columns {
			sa, ca := r3.SinCos(s.Azimuth(col))
			l.dirs = append(l.dirs, r3.V(float64(ce*ca), float64(ce*sa), se))
		}
	}
	l.rows = min(s.Rows, tileRows)
	l.cols = tileRays / l.rows
	if step := math.Abs(s.MaxAngle-s.MinAngle) / float64(s.Columns); step*float64(l.cols) > tileSpan {
		l.cols = max(1, int(tileSpan/step))
	}
	return l, nil
}

// Parts is the number of parts of a scan. They can be cast in any order, on any number of goroutines.
func (l *Lidar) Parts() int {
	return (l.bands()*l.across() + l.tilesOfPart() - 1) / l.tilesOfPart()
}

// bands and across are the numbers of tiles above and beside one another.
func (l *Lidar) bands() int  { return (l.spec.Rows + l.rows - 1) / l.rows }
func (l *Lidar) across() int { return (l.spec.Columns + l.cols - 1) / l.cols }

func (l *Lidar) tilesOfPart() int { return max(1, partRays/(l.rows*l.cols)) }

// Rays is the number of rays of a scan.
func (l *Lidar) Rays() int { return len(l.dirs) }

// Cast finds the true distances of one part of a scan from the sensor's pose in
// the world frame: +Inf for nothing. True has one for every ray of the scan;
// the other parts' are left alone. So has intensities, unless it is nil,
// of the strength of the return.
func (l *Lidar) Cast(part int, pose r3.Pose, world Caster, truth, intensities []float64, tile *Tile) {
	n := l.tilesOfPart()
	for k := part * n; k < min((part+1)*n, l.bands()*l.across()); k++ {
		l.castTile(k/l.across()*l.rows, k%l.across()*l.cols, pose, world, truth, intensities, tile)
	}
}

// Tile is the scratch memory of casting a part; concurrent casts have one each.
type Tile struct {
	dirs           [tileRays]r3.Vec
	out, intensity [tileRays]float64
}

func (l *Lidar) castTile(row, col int, pose r3.Pose, world Caster, truth, intensities []float64, tile *Tile) {
	dirs, out := &tile.dirs, &tile.out
	width := min(l.cols, l.spec.Columns-col)
	rows := min(l.rows, l.spec.Rows-row)
	n := 0
	for r := range rows {
		at := (row+r)*l.spec.Columns + col
		for _, d := range l.dirs[at : at+width] {
			dirs[n] = pose.Rot.Rotate(d)
			n++
		}
	}
	answers := tile.intensity[:n]
	if intensities == nil {
		answers = nil
	}
	world.CastFan(pose.Pos, dirs[:n], l.spec.MaxRange, out[:n], answers)
	for r := range rows {
		at := (row+r)*l.spec.Columns + col
		copy(truth[at:], out[r*width:(r+1)*width])
		if intensities != nil {
			copy(intensities[at:], answers[r*width:(r+1)*width])
		}
	}
}

// Measure turns the true distances of a scan into the device's readings. The ranges are those of LidarScan:
// metres; +Inf where nothing is within the range, -Inf where something is too near (REP-117). They are
// written into memory that may be left of another scan.
func (l *Lidar) Measure(truth []float64, noise Noise, into []float32) []float32 {
	out := into
	if len(out) != len(truth) {
		out = make([]float32, len(truth))
	}
	for i, d := range truth {
		out[i] = float32(l.measure(d, &noise))
	}
	return out
}

// Scan casts and measures at once.
func (l *Lidar) Scan(pose r3.Pose, world Caster, noise Noise) []float32 {
	truth := make([]float64, l.Rays())
	var tile Tile
	for part := range l.Parts() {
		l.Cast(part, pose, world, truth, nil, &tile)
	}
	return l.Measure(truth, noise, nil)
}

// measure turns a true distance into the device's reading.
func (l *Lidar) measure(d float64, noise *Noise) float64 {
	s := l.spec
	if math.IsInf(d, 1) {
		return d
	}
	d += s.NoiseMean
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
