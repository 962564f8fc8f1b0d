package mjcf

import (
	"image"
	"image/color"
	"math"

	"simdeck/sim/asset/picture"
	"simdeck/sim/scene"
)

// texture is a <texture>: an image, or a pattern of two colours.
type texture struct {
	a          attrs
	kind       string // "2d", "cube", "skybox"
	builtin    string // "none", "gradient", "checker", "flat"
	rgb1, rgb2 [3]float64
	image      *scene.Texture
	tiles      map[[2]int]*scene.Texture // checkers by their fields along both edges
}

// repeat is how often a material's texture stands on a surface.
type repeat struct {
	texture *texture
	x, y    float64
	uniform bool // by metre, not by the whole
}

func (r *reader) texture(e elem) error {
	a, err := r.attrs(e, nil)
	if err != nil {
		return err
	}
	t := &texture{a: a, rgb1: [3]float64{0.8, 0.8, 0.8}, rgb2: [3]float64{0.5, 0.5, 0.5}}
	if t.kind, err = a.word("type", "cube", "2d", "skybox"); err != nil {
		return err
	}
	if t.builtin, err = a.word("builtin", "none", "gradient", "checker", "flat"); err != nil {
		return err
	}
	for i, name := range [...]string{"rgb1", "rgb2"} {
		f, err := a.numbers(name, 3, 3)
		if err != nil {
			return err
		}
		copy([]*[3]float64{&t.rgb1, &t.rgb2}[i][:], f)
	}
	if name := named(e); name != "" {
		r.textures[name] = t
	}
	if t.kind == "skybox" {
		r.sky(t)
	} else if file := e.Get("file"); file != "" && t.builtin == "none" {
		at := *e.doc
		at.Ref = r.top.Ref
		t.image = at.Texture(e.Node, r.address(file, r.set.textures))
	}
	return nil
}

// sky takes a pattern's colours for what is seen where nothing is.
func (r *reader) sky(t *texture) {
	a := &r.out.ambience
	if t.builtin == "none" {
		a.Sky = true
		return
	}
	for i := range 3 {
		a.Background[i] = float32(between(t.rgb1[i], 0, 1))
	}
	a.Background[3] = 1
}

// mean is the colour of a texture seen from afar.
func (t *texture) mean() [3]float64 {
	if t.image != nil {
		p := t.image.Levels[len(t.image.Levels)-1].Pix
		return [3]float64{float64(p[0]) / 255, float64(p[1]) / 255, float64(p[2]) / 255}
	}
	if t.builtin == "flat" || t.builtin == "none" {
		return t.rgb1
	}
	var m [3]float64
	for i := range m {
		m[i] = (t.rgb1[i] + t.rgb2[i]) / 2
	}
	return m
}

// dressUp reads the materials, once all textures are known.
func (r *reader) dressUp() error {
	for _, s := range r.sections {
		if s.Name != "asset" {
			continue
		}
		kids, err := r.kids(s)
		if err != nil {
			return err
		}
		for _, k := range kids {
			if k.Name != "material" {
				continue
			}
			if err := r.material(k); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *reader) material(e elem) error {
	a, err := r.attrs(e, nil)
	if err != nil {
		return err
	}
	name := e.Get("name")
	if name == "" {
		return e.errorf("<material> has no name")
	}
	if _, taken := r.coats[name]; taken {
		return e.errorf("a second material %q", clip(name))
	}
	m := scene.Material{Name: name, Colour: [4]float32{1, 1, 1, 1}}
	if err := a.colour("rgba", &m.Colour); err != nil {
		return err
	}
	specular, err := a.number("specular", 0.5)
	if err != nil {
		return err
	}
	shininess, err := a.number("shininess", 0.5)
	if err != nil {
		return err
	}
	emission, err := a.number("emission", 0)
	if err != nil {
		return err
	}
	s, em := float32(between(specular, 0, 1)), float32(between(emission, 0, 1))
	m.Specular = [4]float32{s, s, s, 1}
	m.Shininess = float32(between(shininess, 0, 1) * 128)
	if em > 0 {
		m.Emissive = [4]float32{em * m.Colour[0], em * m.Colour[1], em * m.Colour[2], 1}
	}
	r.coats[name] = m
	return r.paper(a, name)
}

// paper reads which texture a material has, and how often.
func (r *reader) paper(a attrs, material string) error {
	name := a.text("texture")
	if name == "" {
		return nil
	}
	t := r.textures[name]
	if t == nil {
		return a.own().errorf("there is no texture %q among the assets", clip(name))
	}
	p := repeat{texture: t, x: 1, y: 1}
	f, err := a.numbers("texrepeat", 2, 2)
	if err != nil {
		return err
	}
	if f != nil {
		p.x, p.y = between(f[0], 0, 1e4), between(f[1], 0, 1e4)
	}
	p.uniform, err = a.truth("texuniform", false)
	r.repeats[material] = p
	return err
}

// colour reads an rgba.
func (a attrs) colour(name string, to *[4]float32) error {
	f, err := a.numbers(name, 3, 4)
	for i := range f {
		to[i] = float32(between(f[i], 0, 1))
	}
	return err
}

// coat is what a shape looks like.
func (r *reader) coat(a attrs, g *geom) error {
	m := scene.Material{Colour: [4]float32{0.5, 0.5, 0.5, 1}}
	name := a.text("material")
	if name != "" {
		known, ok := r.coats[name]
		if !ok {
			return g.elem.errorf("there is no material %q among the assets", clip(name))
		}
		m = known
	}
	own := m.Colour
	if err := a.colour("rgba", &own); err != nil {
		return err
	}
	g.Material = m
	if a.has("rgba") {
		g.Material.Colour = own
	}
	if p, ok := r.repeats[name]; ok && name != "" {
		p.onto(g)
	}
	return nil
}

// onto puts a texture on a shape: on planes as often as it repeats, on meshes with coordinates as it is; other shapes
// get its colour.
func (p repeat) onto(g *geom) {
	t := p.texture
	switch {
	case g.Kind == scene.Plane:
		x, y := g.Size.X, g.Size.Y
		if !(x > 0 && y > 0) {
			x, y = 200, 200
		}
		if !p.uniform {
			x, y = 1, 1
		}
		g.Material.Image = t.tiled(p.x*x, p.y*y)
	case g.Kind == scene.MeshGeom && g.Mesh != nil && g.Mesh.Corners != nil && t.kind == "2d":
		g.Material.Image = t.tiled(1, 1)
	}
	if g.Material.Image != nil {
		return
	}
	for i, c := range t.mean() {
		g.Material.Colour[i] *= float32(between(c, 0, 1))
	}
}

// mostTexels bounds the edge of an image that is made of repeated ones.
const mostTexels = 1024

// tiled is the texture with its repetitions in one image; nil when it has none.
func (t *texture) tiled(x, y float64) *scene.Texture {
	if t.image != nil {
		l := &t.image.Levels[0]
		if math.Round(x)*float64(l.Width) <= mostTexels && math.Round(y)*float64(l.Height) <= mostTexels && x*y > 1.5 {
			return repeated(l, int(max(1, math.Round(x))), int(max(1, math.Round(y))))
		}
		return t.image
	}
	switch t.builtin {
	case "checker":
		nx, ny := int(between(math.Round(2*x), 2, mostTexels)), int(between(math.Round(2*y), 2, mostTexels))
		if t.tiles[[2]int{nx, ny}] == nil {
			if t.tiles == nil {
				t.tiles = map[[2]int]*scene.Texture{}
			}
			t.tiles[[2]int{nx, ny}] = t.checker(nx, ny)
		}
		return t.tiles[[2]int{nx, ny}]
	case "gradient":
		return drawn(1, 64, func(_, py int) [3]float64 {
			var c [3]float64
			for i := range c {
				c[i] = t.rgb1[i] + (t.rgb2[i]-t.rgb1[i])*float64(py)/63
			}
			return c
		})
	}
	return nil
}

// checker is a chess board of nx × ny fields.
func (t *texture) checker(nx, ny int) *scene.Texture {
	cell := max(1, min(16, mostTexels/max(nx, ny)))
	return drawn(nx*cell, ny*cell, func(px, py int) [3]float64 {
		if (px/cell+py/cell)%2 == 0 {
			return t.rgb1
		}
		return t.rgb2
	})
}

func drawn(w, h int, at func(x, y int) [3]float64) *scene.Texture {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			c := at(x, y)
			img.SetNRGBA(x, y, color.NRGBA{R: shade(c[0]), G: shade(c[1]), B: shade(c[2]), A: 255})
		}
	}
	return picture.Of(img)
}

func shade(c float64) uint8 { return uint8(math.Round(between(c, 0, 1) * 255)) }

func repeated(l *scene.TextureLevel, nx, ny int) *scene.Texture {
	return drawn(l.Width*nx, l.Height*ny, func(x, y int) [3]float64 {
		p := l.Pix[4*((y%l.Height)*l.Width+x%l.Width):]
		return [3]float64{float64(p[0]) / 255, float64(p[1]) / 255, float64(p[2]) / 255}
	})
}
