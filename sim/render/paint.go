package render

import (
	"math"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// colour is red, green and blue, 1 as bright as a picture can be.
type colour [3]float32

func (c colour) add(d colour) colour { return colour{c[0] + d[0], c[1] + d[1], c[2] + d[2]} }
func (c colour) mul(d colour) colour {
	return colour{float32(c[0] * d[0]), float32(c[1] * d[1]), float32(c[2] * d[2])}
}
func (c colour) scale(s float32) colour {
	return colour{float32(c[0] * s), float32(c[1] * s), float32(c[2] * s)}
}

// mixed is c as far as a, else d.
func (c colour) mixed(d colour, a float32) colour { return d.scale(1 - a).add(c.scale(a)) }

func (c colour) black() bool { return c == colour{} }

// paint is a material as shading needs it.
type paint struct {
	diffuse, ambient, specular, emissive colour
	alpha                                float32
	gloss                                int // halvings of the highlight's angle: the exponent is 2^gloss
	image                                *scene.Texture
	double                               bool
	clear                                bool // what is behind shows
}

// blackest is what the darkest paint still throws back: on nothing darker could
// edges be told apart.
const blackest = 0.03

// plain is the colour of what has no material.
var plain = colour{0.7, 0.7, 0.7}

func paintOf(m *scene.Material) paint {
	p := paint{diffuse: plain, alpha: 1, image: m.Image, double: m.DoubleSided, gloss: 4}
	if m.Colour[3] > 0 {
		p.diffuse, p.alpha = colour(m.Colour[:3]), m.Colour[3]
	} else if m.Image != nil {
		p.diffuse = colour{1, 1, 1}
	}
	for k := range p.diffuse {
		p.diffuse[k] = max(p.diffuse[k], blackest)
	}
	p.ambient = p.diffuse
	if a := colour(m.Ambient[:3]); m.Ambient[3] > 0 && !a.black() && m.Image == nil {
		p.ambient = a
	}
	if m.Specular[3] > 0 {
		p.specular = colour(m.Specular[:3])
	}
	if m.Emissive[3] > 0 {
		p.emissive = colour(m.Emissive[:3])
	}
	if m.Shininess > 1 {
		p.gloss = min(10, int(math.Round(r3.Log(float64(m.Shininess))/math.Ln2)))
	}
	p.clear = p.alpha < 0.996 || m.Image != nil && m.Image.Translucent
	return p
}

// texel is the texture at (u, v), which repeats, from the level whose texels
// are about as large as a pixel: spread is how far u and v go within one.
func texel(t *scene.Texture, u, v, spread float64) (colour, float32) {
	level := 0
	for level+1 < len(t.Levels) && spread*float64(t.Levels[level].Width+t.Levels[level].Height) > 3 {
		level++
	}
	l := &t.Levels[level]
	u, v = u-math.Floor(u), v-math.Floor(v)
	x, y := float64(u*float64(l.Width))-0.5, float64((1-v)*float64(l.Height))-0.5
	fx, fy := math.Floor(x), math.Floor(y)
	ax, ay := float32(x-fx), float32(y-fy)
	x0, y0 := wrap(int(fx), l.Width), wrap(int(fy), l.Height)
	x1, y1 := wrap(x0+1, l.Width), wrap(y0+1, l.Height)
	a, b := l.Pix[4*(y0*l.Width+x0):], l.Pix[4*(y0*l.Width+x1):]
	c, d := l.Pix[4*(y1*l.Width+x0):], l.Pix[4*(y1*l.Width+x1):]
	var out [4]float32
	for k := range out {
		top := float32(float32(a[k])*(1-ax)) + float32(float32(b[k])*ax)
		low := float32(float32(c[k])*(1-ax)) + float32(float32(d[k])*ax)
		out[k] = (float32(top*(1-ay)) + float32(low*ay)) * (1.0 / 255)
	}
	return colour(out[:3]), out[3]
}

func wrap(i, n int) int {
	if i %= n; i < 0 {
		i += n
	}
	return i
}
