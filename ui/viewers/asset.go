package viewers

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"image"
	"image/png"
	"math"

	"simdeck/sim/r3"
	"simdeck/sim/render"
	"simdeck/sim/scene"
	"simdeck/ui/viewers/stream"
)

// farthest is the largest coordinate of a mesh, in m. Planes without edges end there, for the sake of
// float32.
const farthest = 2000

// asset is a file that viewers ask for by its hash. It never changes.
type asset struct {
	hash string
	kind string // of content, by its MIME type
	data []byte
}

func newAsset(kind string, data []byte) *asset {
	sum := sha256.Sum256(data)
	return &asset{hash: hex.EncodeToString(sum[:16]), kind: kind, data: data}
}

// corner is a vertex of a mesh as it is sent.
type corner struct {
	pos    [3]float32
	normal [4]int8 // of length 127; the fourth is 0
	uv     [2]float32
}

// meshOf encodes triangles: the numbers of vertices and of indices, vertices of 24 bytes, and indices, all in
// little endian.
func meshOf(t *render.Triangles) *asset {
	known := map[corner]uint32{}
	var vertices []corner
	indices := make([]uint32, 0, 3*len(t.Faces))
	for i, f := range t.Faces {
		a, b, c := t.Points[f[0]], t.Points[f[1]], t.Points[f[2]]
		flat, _ := b.Sub(a).Cross(c.Sub(a)).Unit()
		for k, at := range f {
			v := corner{normal: normalOf(flat)}
			for axis, x := range [3]float64{t.Points[at].X, t.Points[at].Y, t.Points[at].Z} {
				v.pos[axis] = float32(max(-farthest, min(farthest, x)))
			}
			if t.Corners != nil {
				said := &t.Corners[i][k]
				if v.uv = said.UV; said.Normal != [3]float32{} {
					n := said.Normal
					v.normal = normalOf(r3.V(float64(n[0]), float64(n[1]), float64(n[2])))
				}
			}
			id, there := known[v]
			if !there {
				id = uint32(len(vertices))
				known[v] = id
				vertices = append(vertices, v)
			}
			indices = append(indices, id)
		}
	}
	out := make([]byte, 0, 8+24*len(vertices)+4*len(indices))
	out = binary.LittleEndian.AppendUint32(out, uint32(len(vertices)))
	out = binary.LittleEndian.AppendUint32(out, uint32(len(indices)))
	for i := range vertices {
		v := &vertices[i]
		for _, x := range v.pos {
			out = binary.LittleEndian.AppendUint32(out, math.Float32bits(x))
		}
		for _, n := range v.normal {
			out = append(out, byte(n))
		}
		for _, x := range v.uv {
			out = binary.LittleEndian.AppendUint32(out, math.Float32bits(x))
		}
	}
	for _, i := range indices {
		out = binary.LittleEndian.AppendUint32(out, i)
	}
	return newAsset("application/octet-stream", out)
}

func normalOf(n r3.Vec) (out [4]int8) {
	for k, x := range [3]float64{n.X, n.Y, n.Z} {
		out[k] = int8(math.Round(127 * max(-1, min(1, x))))
	}
	return out
}

// textureOf encodes the largest level of a texture.
func textureOf(t *scene.Texture) *asset {
	l := &t.Levels[0]
	m := &image.NRGBA{Pix: l.Pix, Stride: 4 * l.Width, Rect: image.Rect(0, 0, l.Width, l.Height)}
	var out bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestSpeed}
	if err := encoder.Encode(&out, m); err != nil {
		return nil // a picture without pixels
	}
	return newAsset("image/png", out.Bytes())
}

// assets are the files of a world's scene, and the sources that they were made of. A scene takes over those
// of the scene before it.
type assets struct {
	shapes   map[*render.Shape]*prepared
	textures map[*scene.Texture]*asset
	files    map[string]*asset
}

// prepared is a shape as scenes name it.
type prepared struct {
	mesh   *asset
	center r3.Vec
	radius float64
	runs   []render.Run
	dark   bool // it casts no shadow
}

func newAssets() *assets {
	return &assets{map[*render.Shape]*prepared{}, map[*scene.Texture]*asset{}, map[string]*asset{}}
}

// shape is a shape that a scene needs, from the scene before it where that had it.
func (a *assets) shape(s *render.Shape, before *assets) *prepared {
	if p := a.shapes[s]; p != nil {
		return p
	}
	p := before.shapes[s]
	if p == nil {
		t := s.Triangles()
		p = &prepared{mesh: meshOf(&t), runs: t.Runs, dark: t.NoShadow}
		box := r3.EmptyBox()
		for _, v := range t.Points {
			box = box.Extend(v)
		}
		if len(t.Points) > 0 {
			p.center, p.radius = box.Centre(), box.Size().Len()/2
		}
	}
	a.shapes[s], a.files[p.mesh.hash] = p, p.mesh
	return p
}

// texture is likewise the hash of a texture; empty: there is none.
func (a *assets) texture(t *scene.Texture, before *assets) string {
	if t == nil || len(t.Levels) == 0 {
		return ""
	}
	f := a.textures[t]
	if f == nil {
		if f = before.textures[t]; f == nil {
			f = textureOf(t)
		}
		if f == nil {
			return ""
		}
		a.textures[t], a.files[f.hash] = f, f
	}
	return f.hash
}

func vector(v r3.Vec) stream.Vector {
	return stream.Vector{number(v.X), number(v.Y), number(v.Z)}
}

// number is a finite number of JSON near x; 0 for NaN.
func number(x float64) float32 {
	if x != x {
		return 0
	}
	return float32(max(-1e30, min(1e30, x)))
}
