package render

import (
	"encoding/binary"
	"math"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// colour is red, green and blue, 1 as bright as a picture can be.
type colour struct{ r, g, b float32 }

// colourOf takes the first three of a description's four numbers.
func colourOf(c [4]float32) colour { return colour{c[0], c[1], c[2]} }

func (c colour) add(d colour) colour { return colour{c.r + d.r, c.g + d.g, c.b + d.b} }
func (c colour) mul(d colour) colour {
	return colour{float32(c.r * d.r), float32(c.g * d.g), float32(c.b * d.b)}
}
func (c colour) scale(s float32) colour {
	return colour{float32(c.r * s), float32(c.g * s), float32(c.b * s)}
}

// mixed is c as far as a, else d.
func (c colour) mixed(d colour, a float32) colour { return d.scale(1 - a).add(c.scale(a)) }

func (c colour) black() bool { return c == colour{} }

// atLeast is c with nothing below a brightness.
func (c colour) atLeast(f float32) colour { return colour{max(c.r, f), max(c.g, f), max(c.b, f)} }

// paint is a material as shading needs it.
type paint struct {
	diffuse, ambient, specular, emissive colour
	alpha                                float32
	gloss                                int // halvings of the highlight's angle: the exponent is 2^gloss
	image                                *scene.Texture
	double                               bool
	clear                                bool // the background shows through
}

// blackest is the albedo of the darkest paint: a darker one would hide edges.
const blackest = 0.03

// plain is the colour of what has no material.
var plain = colour{0.7, 0.7, 0.7}

func paintOf(m *scene.Material) paint {
	p := paint{diffuse: plain, alpha: 1, image: m.Image, double: m.DoubleSided, gloss: 4}
	if m.Colour[3] > 0 {
		p.diffuse, p.alpha = colourOf(m.Colour), m.Colour[3]
	} else if m.Image != nil {
		p.diffuse = colour{1, 1, 1}
	}
	p.diffuse = p.diffuse.atLeast(blackest)
	p.ambient = p.diffuse
	if a := colourOf(m.Ambient); m.Ambient[3] > 0 && !a.black() && m.Image == nil {
		p.ambient = a
	}
	if m.Specular[3] > 0 {
		p.specular = colourOf(m.Specular)
	}
	if m.Emissive[3] > 0 {
		p.emissive = colourOf(m.Emissive)
	}
	if m.Shininess > 1 {
		p.gloss = min(10, int(math.Round(r3.Log(float64(m.Shininess))/math.Ln2)))
	}
	p.clear = p.alpha < 0.996 || m.Image != nil && m.Image.Translucent
	return p
}

// texel is the texture at (u, v), which repeats, from the level whose texels are about as large as a pixel.
// spread is the change of u and v within one pixel.
func texel(t *scene.Texture, u, v, spread float64) (colour, float32) {
	level := 0
	for level+1 < len(t.Levels) && spread*float64(t.Levels[level].Width+t.Levels[level].Height) > 3 {
		level++
	}
	l := &t.Levels[level]
	u, v = u-math.Floor(u), v-math.Floor(v)
	x, y := float64(u*float64(l.Width))+0.5, float64((1-v)*float64(l.Height))+0.5 // a texel on
	x0, y0 := int(x), int(y)
	wx, wy := uint32((x-float64(x0))*256), uint32((y-float64(y0))*256)
	x1, y1 := repeated(x0, l.Width), repeated(y0, l.Height)
	x0, y0 = repeated(x0-1, l.Width), repeated(y0-1, l.Height)
	both := wx * wy >> 8
	var even, odd uint32 // two channels each, of 16 bits
	for _, t := range [4]struct {
		at int
		w  uint32
	}{{y0*l.Width + x0, 256 - wx - wy + both}, {y0*l.Width + x1, wx - both}, {y1*l.Width + x0, wy - both},
		{y1*l.Width + x1, both}} {
		p := binary.LittleEndian.Uint32(l.Pix[4*t.at:])
		even += (p & 0xff00ff) * t.w
		odd += (p >> 8 & 0xff00ff) * t.w
	}
	const k = 1.0 / (255 * 256)
	return colour{float32(even&0xffff) * k, float32(odd&0xffff) * k, float32(even>>16) * k},
		float32(odd>>16) * k
}

// repeated is a texel that is at most one beyond a side; anything for what is no number.
func repeated(i, n int) int {
	switch {
	case i >= 0 && i < n:
		return i
	case i == -1:
		return n - 1
	}
	return 0
}
