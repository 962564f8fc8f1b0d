package mjcf

import (
	"cmp"
	"image"
	"image/color"
	"math"

	"simdeck/sim/asset/texture"
	"simdeck/sim/format/source"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// textureAsset is a <texture>: an image, or a pattern of two colours.
type textureAsset struct {
	a          attrs
	kind       string // "2d", "cube", "skybox"
	builtin    string // "none", "gradient", "checker", "flat"
	rgb1, rgb2 [3]float64
	image      *scene.Texture
	drawn      *scene.Texture // the pattern
}

// repeat is the repetition of a material's texture on a surface.
type repeat struct {
	texture *textureAsset
	x, y    float64
	uniform bool // by metre, not by the whole
}

func (s *assets) texture(e elem) error {
	a, err := s.classes.attrs(e, nil)
	if err != nil {
		return err
	}
	t := &textureAsset{a: a, rgb1: [3]float64{0.8, 0.8, 0.8}, rgb2: [3]float64{0.5, 0.5, 0.5}}
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
		s.textures[name] = t
	}
	if t.kind == "skybox" {
		s.sky(t)
	} else if file := e.Get("file"); file != "" && t.builtin == "none" {
		at := *e.doc
		at.Ref = s.doc.top.Ref
		t.image = at.Texture(e.Node, s.set.address(file, s.set.textures))
	}
	return nil
}

// sky takes a pattern's colours for what is seen where nothing is.
func (s *assets) sky(t *textureAsset) {
	a := s.ambience
	if t.builtin == "none" {
		a.Sky = true
		return
	}
	for i := range 3 {
		a.Background[i] = float32(source.Clamp(t.rgb1[i], 0, 1))
	}
	a.Background[3] = 1
}

// mean is the colour of a texture seen from afar.
func (t *textureAsset) mean() [3]float64 {
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

// readMaterials reads the materials, once all textures are known.
func (s *assets) readMaterials() error {
	for _, section := range s.doc.sections {
		if section.Name != "asset" {
			continue
		}
		kids, err := s.doc.kids(section)
		if err != nil {
			return err
		}
		for _, k := range kids {
			if k.Name != "material" {
				continue
			}
			if err := s.material(k); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *assets) material(e elem) error {
	a, err := s.classes.attrs(e, nil)
	if err != nil {
		return err
	}
	name := e.Get("name")
	if name == "" {
		return e.errorf("<material> has no name")
	}
	if _, taken := s.coats[name]; taken {
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
	shine, em := float32(source.Clamp(specular, 0, 1)), float32(source.Clamp(emission, 0, 1))
	m.Specular = [4]float32{shine, shine, shine, 1}
	m.Shininess = float32(source.Clamp(shininess, 0, 1) * 128)
	if em > 0 {
		m.Emissive = [4]float32{em * m.Colour[0], em * m.Colour[1], em * m.Colour[2], 1}
	}
	s.coats[name] = m
	return s.wallpaper(a, name)
}

// wallpaper reads which texture a material has, and how often.
func (s *assets) wallpaper(a attrs, material string) error {
	name := a.text("texture")
	if name == "" {
		return nil
	}
	t := s.textures[name]
	if t == nil {
		return a.own().errorf("there is no texture %q among the assets%s", clip(name),
			source.NearKey(name, s.textures))
	}
	p := repeat{texture: t, x: 1, y: 1}
	f, err := a.numbers("texrepeat", 2, 2)
	if err != nil {
		return err
	}
	if f != nil {
		p.x, p.y = source.Clamp(f[0], 0, 1e4), source.Clamp(f[1], 0, 1e4)
	}
	p.uniform, err = a.truth("texuniform", false)
	s.repeats[material] = p
	return err
}

// colour reads an rgba.
func (a attrs) colour(name string, to *[4]float32) error {
	f, err := a.numbers(name, 3, 4)
	for i := range f {
		to[i] = float32(source.Clamp(f[i], 0, 1))
	}
	return err
}

// coat gives a shape its appearance.
func (s *assets) coat(a attrs, g *geom) error {
	m := scene.Material{Colour: [4]float32{0.5, 0.5, 0.5, 1}}
	name := a.text("material")
	if name != "" {
		known, ok := s.coats[name]
		if !ok {
			return g.elem.errorf("there is no material %q among the assets%s", clip(name),
				source.NearKey(name, s.coats))
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
	if p, ok := s.repeats[name]; ok && name != "" {
		p.onto(g)
	}
	return nil
}

// onto puts a texture on a shape: repeated on planes, by coordinates on meshes that have them; others get its
// colour.
func (p repeat) onto(g *geom) {
	t := p.texture
	switch {
	case g.Kind == scene.Plane:
		if g.Material.Image = t.texture(); g.Material.Image != nil {
			g.papered = p
		}
	case g.Kind == scene.MeshGeom && g.Mesh != nil && g.Mesh.Corners != nil && t.kind == "2d":
		g.Material.Image = t.texture()
	}
	if g.Material.Image != nil {
		return
	}
	for i, c := range t.mean() {
		g.Material.Colour[i] *= float32(source.Clamp(c, 0, 1))
	}
}

// texture is the texture once: its file, two by two fields of a checker, or a run of colours; nil: it has one
// colour.
func (t *textureAsset) texture() *scene.Texture {
	if t.image != nil || t.drawn != nil {
		return cmp.Or(t.image, t.drawn)
	}
	switch t.builtin {
	case "checker":
		const field = 32 // px
		t.drawn = drawn(2*field, 2*field, func(x, y int) [3]float64 {
			if (x/field+y/field)%2 == 0 {
				return t.rgb1
			}
			return t.rgb2
		})
	case "gradient":
		t.drawn = drawn(1, 64, func(_, y int) [3]float64 {
			var c [3]float64
			for i := range c {
				c[i] = t.rgb1[i] + (t.rgb2[i]-t.rgb1[i])*float64(y)/63
			}
			return c
		})
	}
	return t.drawn
}

// seen is the shape for the eye: a plane with a texture that repeats is a rectangle on which it does.
func (g *geom) seen() scene.Geom {
	out := g.Geom
	if g.papered.texture == nil {
		return out
	}
	x, y := g.Size.X/2, g.Size.Y/2
	if !(x > 0 && y > 0) {
		x, y = 100, 100 // an endless one
	}
	u, v := float32(g.papered.x), float32(g.papered.y)
	if g.papered.uniform {
		u, v = u*float32(2*x), v*float32(2*y)
	}
	up := [3]float32{0, 0, 1}
	at := [4]scene.Corner{{Normal: up}, {Normal: up, UV: [2]float32{u, 0}},
		{Normal: up, UV: [2]float32{u, v}}, {Normal: up, UV: [2]float32{0, v}}}
	out.Kind, out.Scale = scene.MeshGeom, r3.V(1, 1, 1)
	out.Mesh = &scene.Mesh{URI: "plane",
		Vertices:  []r3.Vec{r3.V(-x, -y, 0), r3.V(x, -y, 0), r3.V(x, y, 0), r3.V(-x, y, 0)},
		Triangles: [][3]int32{{0, 1, 2}, {0, 2, 3}},
		Corners:   [][3]scene.Corner{{at[0], at[1], at[2]}, {at[0], at[2], at[3]}}}
	return out
}

func drawn(w, h int, at func(x, y int) [3]float64) *scene.Texture {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			c := at(x, y)
			img.SetNRGBA(x, y, color.NRGBA{R: shade(c[0]), G: shade(c[1]), B: shade(c[2]), A: 255})
		}
	}
	return texture.Of(img)
}

func shade(c float64) uint8 { return uint8(math.Round(source.Clamp(c, 0, 1) * 255)) }
