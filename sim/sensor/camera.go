package sensor

import (
	"fmt"
	"math"

	"simdeck/sim/r3"
	"simdeck/sim/render"
	"simdeck/sim/scene"
)

// Camera is a camera ready to take pictures. Nothing in it changes.
type Camera struct {
	lens          render.Lens
	near          float64
	far           float64
	want          render.Want
	std           float64
	mean          float64
	gaussianTable []float32 // quantiles of the normal distribution; nil: no noise
}

// gaussianTableSize is the number of quantiles of the normal distribution, one of which a random number's
// bits choose.
const gaussianTableSize = 1 << 12

// shortest is the near plane of a depth camera for objects below its range, in metres.
const shortest = 0.01

// NewCamera prepares a camera. The error says which value makes it impossible.
func NewCamera(kind scene.SensorKind, s *scene.CameraSpec) (*Camera, error) {
	c := &Camera{lens: LensOf(s), near: s.Near, far: s.Far, std: s.NoiseStd, mean: s.NoiseMean}
	if err := c.lens.Check(); err != nil {
		return nil, err
	}
	if !(s.Near > 0) || !(s.Far > s.Near) || math.IsInf(s.Far, 0) {
		return nil, fmt.Errorf("camera from %v to %v m: want 0 < near < far", s.Near, s.Far)
	}
	switch kind {
	case scene.Camera:
		c.want = render.Colours
	case scene.DepthCamera:
		c.want = render.Depths
	case scene.RGBDCamera:
		c.want = render.Colours | render.Depths
	default:
		return nil, fmt.Errorf("sensor of kind %d is no camera", kind)
	}
	if s.NoiseStd > 0 || s.NoiseMean != 0 {
		c.gaussianTable = gaussianTable()
	}
	return c, nil
}

// LensOf is the lens of a camera.
func LensOf(s *scene.CameraSpec) render.Lens {
	d := s.Distortion
	return render.Lens{Spherical: s.Spherical, Width: s.Width, Height: s.Height, FX: s.FX, FY: s.FY, CX: s.CX,
		CY: s.CY, K1: d[0], K2: d[1], P1: d[2], P2: d[3], K3: d[4]}
}

// Pixels is the number of pixels of a picture.
func (c *Camera) Pixels() int { return c.lens.Width * c.lens.Height }

// Parts is the best number of parts of a picture for so many goroutines.
func (c *Camera) Parts(workers int) int { return c.bands(workers) + 1 }

// bands are twice as many as goroutines, as some are emptier than others, but none of a few rows only.
func (c *Camera) bands(workers int) int {
	if workers < 2 {
		return 1
	}
	return max(1, min(2*workers, c.Pixels()/bandPixels))
}

// bandPixels is the least size of a band, in pixels, that is worth another pass over the world.
const bandPixels = 1 << 15

// Begin begins a picture of a stage from the sensor's pose, with the stage's links at links. The renderer
// then draws its Parts(workers) in any order, several at a time, into the image.
func (c *Camera) Begin(pose r3.Pose, stage *render.Stage, links []r3.Pose, r *render.Renderer, workers int,
	into *render.Image) {
	view := render.Camera{Lens: c.lens, Pose: pose, Near: c.near, Far: c.far}
	if c.want&render.Depths != 0 {
		view.Near = min(c.near, shortest)
	}
	r.Begin(stage, links, &view, c.want, into, c.bands(workers))
}

// Finish makes of a picture that is drawn what the device reports. Depths are metres along the axis;
// +Inf where nothing is within reach, -Inf where something is too near (REP-118).
func (c *Camera) Finish(m *render.Image, r *render.Renderer, noise Noise) {
	r.Finish()
	if c.want&render.Depths != 0 {
		for i, d := range m.Depth {
			if float64(d) < c.near {
				m.Depth[i] = float32(math.Inf(-1))
			}
		}
	}
	if c.gaussianTable != nil {
		c.addNoise(m, noise)
	}
}

// Take is Begin, all parts and Finish.
func (c *Camera) Take(pose r3.Pose, stage *render.Stage, links []r3.Pose, r *render.Renderer,
	noise Noise) *render.Image {
	m := &render.Image{}
	c.Begin(pose, stage, links, r, 1, m)
	for part := range c.Parts(1) {
		r.Draw(part)
	}
	c.Finish(m, r, noise)
	return m
}

// addNoise adds noise: to depths where there are any, else to colours.
func (c *Camera) addNoise(m *render.Image, noise Noise) {
	gaussian := gaussianSampler{noise: &noise, table: c.gaussianTable}
	if m.Depth != nil {
		for i, d := range m.Depth {
			if !math.IsInf(float64(d), 0) {
				m.Depth[i] = float32(float64(d) + c.mean + float64(c.std*gaussian.next()))
			}
		}
		return
	}
	for i, v := range m.RGB {
		f := float64(v) + float64(255*c.mean) + float64(255*float64(c.std*gaussian.next()))
		m.RGB[i] = uint8(max(0, min(255, f)) + 0.5)
	}
}

// gaussianSampler draws five quantiles from every random number.
type gaussianSampler struct {
	noise *Noise
	table []float32
	bits  uint64
	left  int
}

func (d *gaussianSampler) next() float64 {
	if d.left == 0 {
		d.bits, d.left = d.noise.source.Uint64(), 5
	}
	d.left--
	i := d.bits & (gaussianTableSize - 1)
	d.bits >>= 12
	return float64(d.table[i])
}

// gaussianTable are the values below which equal parts of the normal distribution lie,
// each the middle of its part, by bisection of the distribution function.
func gaussianTable() []float32 {
	out := make([]float32, gaussianTableSize)
	for i := range gaussianTableSize / 2 {
		p := (float64(i) + 0.5) / gaussianTableSize
		lo, hi := -6.0, 0.0
		for range 40 {
			mid := (lo + hi) / 2
			if below(mid) < p {
				lo = mid
			} else {
				hi = mid
			}
		}
		out[i], out[gaussianTableSize-1-i] = float32(lo), float32(-lo)
	}
	return out
}

// below is the normal distribution function at x ≤ 0, to 7.5e-8 (Abramowitz and Stegun, 26.2.17).
func below(x float64) float64 {
	t := 1 / (1 - float64(0.2316419*x))
	sum := 0.0
	for _, b := range [...]float64{1.330274429, -1.821255978, 1.781477937, -0.356563782, 0.319381530} {
		sum = float64((sum + b) * t)
	}
	return float64(r3.Exp(-float64(x*x)/2) / math.Sqrt(2*math.Pi) * sum)
}
