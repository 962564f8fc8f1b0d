package mesh

import (
	"fmt"
	"math"

	"simdeck/sim/scene"
)

// MaxSplats bounds the Gaussians of one file.
const MaxSplats = 2_000_000

// maxHarmonics bounds their coefficients; with more the constant ones are kept alone.
const maxHarmonics = 32 << 20

// Splats reads a cloud of Gaussians from trainers' PLY: x, y, z, scale_0…2 (logarithms), rot_0…3 (w, x, y,
// z), opacity (logit), f_dc_0…2, f_rest_*. Gaussians with a number that is not finite or without a rotation
// are left out and counted. Errors wrap ErrFormat, when the file is no such cloud, or ErrCorrupt.
func Splats(name string, data []byte) (s *scene.Splats, lost int, err error) {
	if extension(name) != ".ply" {
		return nil, 0, fmt.Errorf("%w %q; Gaussians are read from .ply", ErrFormat, extension(name))
	}
	h, err := plyHeader(data)
	if err != nil {
		return nil, 0, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	r, c := newPLYReader(h), &splatColumns{}
	s = &scene.Splats{}
	for i := range h.elements {
		e := &h.elements[i]
		var take func(*plyRow) error
		if e.name == "vertex" {
			if !c.find(e) {
				return nil, 0, fmt.Errorf("%w: its vertices have no scales, rotations and opacities: it is no cloud of Gaussians",
					ErrFormat)
			}
			s.Degree = c.degree(e.count)
			take = func(row *plyRow) error {
				if len(s.Gaussians) >= MaxSplats {
					return fmt.Errorf("has more than %d rows", MaxSplats)
				}
				if !c.add(s, row) {
					lost++
				}
				return nil
			}
		}
		if err := r.each(e, take); err != nil {
			return nil, 0, fmt.Errorf("%w: element %.40q %w", ErrCorrupt, e.name, err)
		}
	}
	if len(s.Gaussians) == 0 {
		return nil, 0, fmt.Errorf("%w: it has no Gaussian", ErrCorrupt)
	}
	return s, lost, nil
}

// splatColumns are the properties of a vertex that is a Gaussian.
type splatColumns struct {
	pos, scale, base [3]int
	rot              [4]int
	opacity          int
	rest             []int
	keep             int // of rest
}

// find reports whether all are there that make a Gaussian.
func (c *splatColumns) find(e *plyElement) bool {
	for k, axis := range []string{"x", "y", "z"} {
		c.pos[k], c.scale[k], c.base[k] = e.find(axis), e.find(fmt.Sprint("scale_", k)),
			e.find(fmt.Sprint("f_dc_", k))
		if c.pos[k] < 0 || c.scale[k] < 0 || c.base[k] < 0 {
			return false
		}
	}
	for k := range c.rot {
		if c.rot[k] = e.find(fmt.Sprint("rot_", k)); c.rot[k] < 0 {
			return false
		}
	}
	c.opacity = e.find("opacity")
	for k := 0; k < 45; k++ {
		at := e.find(fmt.Sprint("f_rest_", k))
		if at < 0 {
			break
		}
		c.rest = append(c.rest, at)
	}
	return c.opacity >= 0
}

// degree is that of the harmonics which are kept: 9, 24 or 45 coefficients make degrees 1, 2 and 3.
func (c *splatColumns) degree(count int64) int {
	for d := 3; d > 0; d-- {
		n := 3 * ((d+1)*(d+1) - 1)
		if len(c.rest) == n && count <= int64(maxHarmonics/n) {
			c.keep = n
			return d
		}
	}
	return 0
}

func (c *splatColumns) add(s *scene.Splats, row *plyRow) bool {
	var g scene.Gaussian
	var q [4]float64
	long := 0.0
	for k, at := range c.rot {
		q[k] = row.values[at]
		long += float64(q[k] * q[k])
	}
	long = math.Sqrt(long)
	opacity := row.values[c.opacity]
	if !(long > 1e-12) || math.IsInf(long, 0) || math.IsNaN(opacity) {
		return false
	}
	for k := range q {
		g.Rot[k] = float32(q[k] / long)
	}
	g.Opacity = float32(1 / (1 + math.Exp(-opacity)))
	for k := range 3 {
		p, size, b := row.values[c.pos[k]], math.Exp(row.values[c.scale[k]]), row.values[c.base[k]]
		if !(math.Abs(p) < 1e9) || !(size < 1e9) || !(math.Abs(b) < 1e9) {
			return false
		}
		g.Pos[k], g.Scale[k], g.Base[k] = float32(p), float32(size), float32(b)
	}
	s.Gaussians = append(s.Gaussians, g)
	for _, at := range c.rest[:c.keep] {
		f := row.values[at]
		if !(math.Abs(f) < 1e9) {
			f = 0
		}
		s.Harmonics = append(s.Harmonics, float32(f))
	}
	return true
}
