package webots

import (
	"math"

	"simdeck/sim/format/source"
	"simdeck/sim/scene"
)

// look reads an Appearance or PBRAppearance.
func (b *builder) look(r ref) scene.Material {
	switch r.n.Type {
	case "PBRAppearance":
		return b.physical(r)
	case "Appearance":
		return b.plain(r)
	}
	b.noteAt(scene.Unsupported, r, "%s as an appearance; Appearance and PBRAppearance are known", r.n.Type)
	return scene.Material{}
}

func (b *builder) physical(r ref) scene.Material {
	c, e := b.nums(r, "baseColor", 1, 1, 1), b.nums(r, "emissiveColor", 0, 0, 0)
	m := scene.Material{Name: b.text(r, "name", ""), Colour: colour(c, b.num(r, "transparency", 0))}
	if shine := b.num(r, "emissiveIntensity", 1); !zeros(e) && shine > 0 {
		m.Emissive = colour(e, 0)
	}
	// A rough surface scatters; what is smooth has a small bright highlight.
	if rough := source.Clamp(b.num(r, "roughness", 0), 0, 1); rough < 0.9 {
		gloss := float32(0.5 * (1 - rough))
		m.Specular = [4]float32{gloss, gloss, gloss, 1}
		m.Shininess = 4 + 60*(1-float32(rough))
	}
	b.texture(r, "baseColorMap", &m)
	return m
}

func (b *builder) plain(r ref) scene.Material {
	m := scene.Material{Colour: [4]float32{1, 1, 1, 1}}
	if p, ok := b.node(r, "material"); ok {
		m.Colour = colour(b.nums(p, "diffuseColor", 0.8, 0.8, 0.8), b.num(p, "transparency", 0))
		if e := b.nums(p, "emissiveColor", 0, 0, 0); !zeros(e) {
			m.Emissive = colour(e, 0)
		}
		if s := b.nums(p, "specularColor", 0, 0, 0); !zeros(s) {
			m.Specular = colour(s, 0)
			m.Shininess = float32(128 * source.Clamp(b.num(p, "shininess", 0.2), 0.01, 1))
		}
	}
	b.texture(r, "texture", &m)
	return m
}

func colour(c []float64, transparency float64) [4]float32 {
	return [4]float32{unit(c[0]), unit(c[1]), unit(c[2]), max(1-unit(transparency), 1.0/255)}
}

// texture reads the picture of an ImageTexture; one that cannot be had leaves the colour.
func (b *builder) texture(r ref, name string, m *scene.Material) {
	t, ok := b.node(r, name)
	if !ok {
		return
	}
	url, f := b.first(t, "url")
	if url == "" {
		return
	}
	uri, err := b.locate(f.file, url)
	if err != nil {
		b.noteOnce(scene.Missing, t, "texture: %v", err)
		return
	}
	m.Texture = url
	m.Image = f.file.doc.Texture(at(f.Pos), uri)
	if t, turned := b.node(r, "textureTransform"); turned && m.Image != nil && b.movesTexture(t) {
		b.noteOnce(scene.Unsupported, r,
			"textureTransform is not run: textures lie as their shapes have them")
	}
}

// movesTexture reports whether a TextureTransform changes where a picture is drawn. It translates, then turns
// and scales about its center, so that a center alone does not.
func (b *builder) movesTexture(r ref) bool {
	by, center, scale := b.nums(r, "translation", 0, 0), b.nums(r, "center", 0, 0), b.nums(r, "scale", 1, 1)
	sin, cos := math.Sincos(b.num(r, "rotation", 0))
	for _, at := range [...][2]float64{{0, 0}, {1, 0}, {0, 1}} {
		x, y := at[0]+by[0]+center[0], at[1]+by[1]+center[1]
		x, y = scale[0]*(cos*x-sin*y)-center[0], scale[1]*(sin*x+cos*y)-center[1]
		if math.Abs(x-at[0])+math.Abs(y-at[1]) > 1e-9 {
			return true
		}
	}
	return false
}
