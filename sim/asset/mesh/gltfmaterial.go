package mesh

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// maxPictures bounds the pictures that one file carries.
const maxPictures = 256

type gltfMaterial struct {
	Name        string
	DoubleSided bool
	AlphaMode   string
	Emissive    *[3]float32 `json:"emissiveFactor"`
	PBR         struct {
		Factor    *[4]float32  `json:"baseColorFactor"`
		Texture   *gltfPicture `json:"baseColorTexture"`
		Metallic  *float32     `json:"metallicFactor"`
		Roughness *float32     `json:"roughnessFactor"`
	} `json:"pbrMetallicRoughness"`
	Extensions struct {
		Glossy lenient[gltfGlossy] `json:"KHR_materials_pbrSpecularGlossiness"`
	}
}

type gltfGlossy struct {
	Factor  *[4]float32  `json:"diffuseFactor"`
	Texture *gltfPicture `json:"diffuseTexture"`
}

// lenient is an extension of a material or texture: one that cannot be read is passed over, and costs
// nothing else of the file.
type lenient[T any] struct {
	value *T
	bad   error
}

// UnmarshalJSON reads it, or keeps why it cannot be read.
func (e *lenient[T]) UnmarshalJSON(text []byte) error {
	v := new(T)
	if e.bad = json.Unmarshal(text, v); e.bad == nil {
		e.value = v
	}
	return nil
}

// gltfPicture is a texture as a material uses it.
type gltfPicture struct {
	Index      int
	TexCoord   int
	Extensions struct {
		Transform lenient[gltfShift] `json:"KHR_texture_transform"`
	}
}

type gltfTexture struct{ Source *int }

type gltfImage struct {
	URI        string
	BufferView *int
}

// gltfShift moves texture coordinates: they are scaled, turned and shifted, in this order.
type gltfShift struct {
	Offset   *[2]float64
	Rotation float64
	Scale    *[2]float64
	TexCoord *int
}

func (s *gltfShift) apply(u, v float64) (float64, float64) {
	if s == nil {
		return u, v
	}
	if s.Scale != nil {
		u, v = u*s.Scale[0], v*s.Scale[1]
	}
	if a := s.Rotation; a != 0 && math.Abs(a) < 1e6 {
		sin, cos := r3.Sin(a), r3.Cos(a)
		u, v = float64(cos*u)+float64(sin*v), float64(cos*v)-float64(sin*u)
	}
	if s.Offset != nil {
		u, v = u+s.Offset[0], v+s.Offset[1]
	}
	return u, v
}

// baseTexture is the base colour texture of a material; nil: none.
func (m *gltfMaterial) baseTexture() *gltfPicture {
	if m.PBR.Texture == nil && m.Extensions.Glossy.value != nil {
		return m.Extensions.Glossy.value.Texture
	}
	return m.PBR.Texture
}

func (g *gltf) pictureOf(p *gltfPrimitive) *gltfPicture {
	if p.Material == nil || *p.Material < 0 || *p.Material >= len(g.Materials) {
		return nil
	}
	return g.Materials[*p.Material].baseTexture()
}

// coordinates names the attribute that the texture of a primitive is laid out by.
func (g *gltf) coordinates(p *gltfPrimitive) string {
	set := 0
	if t := g.pictureOf(p); t != nil {
		set = t.TexCoord
		if s := t.Extensions.Transform.value; s != nil && s.TexCoord != nil {
			set = *s.TexCoord
		}
	}
	return fmt.Sprintf("TEXCOORD_%d", set)
}

func (g *gltf) moved(p *gltfPrimitive) *gltfShift {
	if t := g.pictureOf(p); t != nil {
		return t.Extensions.Transform.value
	}
	return nil
}

// material takes base colour, its texture, what glows and how glossy it is.
func (g *gltf) material(n *gltfMaterial) scene.Material {
	m := scene.Material{Name: n.Name, DoubleSided: n.DoubleSided, Colour: [4]float32{1, 1, 1, 1}}
	factor := n.PBR.Factor
	if factor == nil && n.Extensions.Glossy.value != nil {
		factor = n.Extensions.Glossy.value.Factor
	}
	if factor != nil {
		for k, f := range factor {
			m.Colour[k] = max(0, min(1, f))
		}
	}
	if n.AlphaMode != "BLEND" || m.Colour[3] == 0 {
		m.Colour[3] = 1
	}
	if e := n.Emissive; e != nil && (e[0] > 0 || e[1] > 0 || e[2] > 0) {
		m.Emissive = [4]float32{max(0, min(1, e[0])), max(0, min(1, e[1])), max(0, min(1, e[2])), 1}
	}
	if r := n.PBR.Roughness; r != nil && *r >= 0 && *r < 1 {
		m.Shininess = 2 / max(0.05, (*r)*(*r)) // Blinn's exponent of a microfacet's width
	}
	if n.Extensions.Glossy.bad != nil {
		g.m.warn("material %.40q: KHR_materials_pbrSpecularGlossiness is ignored: %v", n.Name,
			n.Extensions.Glossy.bad)
	}
	if t := n.baseTexture(); t != nil {
		if t.Extensions.Transform.bad != nil {
			g.m.warn("material %.40q: KHR_texture_transform of its texture is ignored: %v", n.Name,
				t.Extensions.Transform.bad)
		}
		m.Texture = g.image(t.Index)
	}
	return m
}

// image is the address of a texture's picture; one that the file carries is "#" and its number in
// Mesh.Pictures.
func (g *gltf) image(texture int) string {
	if texture < 0 || texture >= len(g.Textures) || g.Textures[texture].Source == nil {
		return ""
	}
	i := *g.Textures[texture].Source
	if i < 0 || i >= len(g.Images) {
		g.m.warn("textures[%d] names images[%d], which is not there", texture, i)
		return ""
	}
	if !strings.HasPrefix(g.Images[i].URI, "data:") && g.Images[i].BufferView == nil {
		return g.Images[i].URI
	}
	if i >= maxPictures {
		return ""
	}
	for len(g.m.Pictures) <= i {
		g.m.Pictures = append(g.m.Pictures, nil)
	}
	if g.m.Pictures[i] == nil {
		data, err := g.carried(&g.Images[i])
		if err != nil {
			g.m.warn("images[%d] left out: %v", i, err)
			return ""
		}
		g.m.Pictures[i] = data
	}
	return fmt.Sprintf("#%d", i)
}

func (g *gltf) carried(i *gltfImage) ([]byte, error) {
	if i.BufferView == nil {
		return inline(i.URI)
	}
	data, _, err := g.view(*i.BufferView)
	return bytes.Clone(data), err
}
