package render

import (
	"cmp"
	"math"
	"slices"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// Cloud holds Gaussians prepared for drawing, in the world frame: near ones form blocks, so that those
// outside the picture are skipped together. It never changes.
type Cloud struct {
	harmonics *scene.Splats
	gaussians []gaussian
	blocks    []block
}

// gaussian is a Gaussian as drawing needs it.
type gaussian struct {
	pos     r3.Vec
	spread  [6]float32 // its covariance: xx, xy, xz, yy, yz, zz
	opacity float32
	limit   float64 // of the form by which it fades, where it is too faint to be seen
	index   int32   // in splats
}

// block is some Gaussians that stand together: no more of them than blockSize.
type block struct {
	first, end int32
	middle     r3.Vec
	radius     float64 // with how far they reach
}

const (
	blockSize = 256
	// faintest is the opacity from which on a Gaussian changes a byte.
	faintest = 1.0 / 255
	// reach is the radius of a visible Gaussian of any opacity, in standard deviations: exp(-reach²/2) is
	// faintest.
	reach = 3.3291
)

// NewCloud prepares Gaussians; nil for nil.
func NewCloud(s *scene.Splats) *Cloud {
	if s == nil {
		return nil
	}
	c := &Cloud{harmonics: s}
	low, high := r3.V(math.Inf(1), math.Inf(1), math.Inf(1)), r3.V(math.Inf(-1), math.Inf(-1), math.Inf(-1))
	for i := range s.Gaussians {
		if s.Gaussians[i].Opacity >= faintest {
			b := gaussianOf(&s.Gaussians[i], int32(i))
			low, high = low.Min(b.pos), high.Max(b.pos)
			c.gaussians = append(c.gaussians, b)
		}
	}
	// A billion steps over the longest side: what stands together has codes that are near each other.
	side := max(1e-9, high.Sub(low).MaxAbs()) / (1<<20 - 1)
	codes := make([]uint64, len(s.Gaussians))
	for i := range c.gaussians {
		codes[c.gaussians[i].index] = interleaved(c.gaussians[i].pos.Sub(low).Scale(1 / side))
	}
	slices.SortFunc(c.gaussians, func(a, b gaussian) int {
		return cmp.Or(cmp.Compare(codes[a.index], codes[b.index]), cmp.Compare(a.index, b.index))
	})
	for first := 0; first < len(c.gaussians); first += blockSize {
		c.blocks = append(c.blocks, c.blockOf(first, min(first+blockSize, len(c.gaussians))))
	}
	return c
}

func gaussianOf(g *scene.Gaussian, index int32) gaussian {
	b := gaussian{pos: r3.V(float64(g.Pos[0]), float64(g.Pos[1]), float64(g.Pos[2])), opacity: g.Opacity,
		limit: 2 * r3.Log(float64(g.Opacity)/faintest), index: index}
	axes := r3.Quat{W: float64(g.Rot[0]), X: float64(g.Rot[1]), Y: float64(g.Rot[2]),
		Z: float64(g.Rot[3])}.Mat()
	var long [3]r3.Vec
	for k := range long {
		long[k] = axes.Col(k).Scale(float64(g.Scale[k]))
	}
	rows := r3.Columns(long[0], long[1], long[2]).T()
	x, y, z := rows.Col(0), rows.Col(1), rows.Col(2)
	for k, v := range [6]float64{x.Dot(x), x.Dot(y), x.Dot(z), y.Dot(y), y.Dot(z), z.Dot(z)} {
		b.spread[k] = float32(v)
	}
	return b
}

// blockOf is the block of some Gaussians.
func (c *Cloud) blockOf(first, end int) block {
	low, high := c.gaussians[first].pos, c.gaussians[first].pos
	for i := first; i < end; i++ {
		low, high = low.Min(c.gaussians[i].pos), high.Max(c.gaussians[i].pos)
	}
	k := block{first: int32(first), end: int32(end), middle: low.Add(high).Scale(0.5)}
	for i := first; i < end; i++ {
		b := &c.gaussians[i]
		long := c.harmonics.Gaussians[b.index].Scale
		k.radius = max(k.radius, b.pos.Sub(k.middle).Len()+
			float64(reach*float64(max(long[0], long[1], long[2]))))
	}
	return k
}

// interleaved is the Morton code of a place: the bits of its three numbers by turns.
func interleaved(p r3.Vec) uint64 {
	return apart(uint64(p.X)) | apart(uint64(p.Y))<<1 | apart(uint64(p.Z))<<2
}

// apart puts two zeros before each of 21 bits.
func apart(x uint64) uint64 {
	x &= 1<<21 - 1
	for _, step := range [...]struct {
		by   uint
		mask uint64
	}{{32, 0x1f00000000ffff}, {16, 0x1f0000ff0000ff}, {8, 0x100f00f00f00f00f}, {4, 0x10c30c30c30c30c3},
		{2, 0x1249249249249249}} {
		x = (x | x<<step.by) & step.mask
	}
	return x
}
