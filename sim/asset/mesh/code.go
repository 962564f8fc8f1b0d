package mesh

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// CodeVersion changes whenever the readers make something else of a file: meshes that were kept by another
// version are not the same.
const CodeVersion = 2

// ErrCode says that bytes are no mesh as Append writes it.
var ErrCode = errors.New("invalid code of a mesh")

// Append writes a decoded mesh, so that Parse need not decode its file again: counts, numbers and texts,
// little-endian. Materials are written without pictures that were put into them.
func Append(b []byte, m *Mesh) []byte {
	u32 := binary.LittleEndian.AppendUint32
	b = slices.Grow(b, 24*len(m.Vertices)+12*len(m.Triangles)+60*len(m.Corners)+1024)
	text := func(s string) { b = append(u32(b, uint32(len(s))), s...) }
	b = u32(b, uint32(len(m.Vertices)))
	for _, v := range m.Vertices {
		for _, f := range [3]float64{v.X, v.Y, v.Z} {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(f))
		}
	}
	b = u32(b, uint32(len(m.Triangles)))
	for _, t := range m.Triangles {
		b = u32(u32(u32(b, uint32(t[0])), uint32(t[1])), uint32(t[2]))
	}
	b = u32(b, uint32(len(m.Corners)))
	for _, t := range m.Corners {
		for _, c := range t {
			for _, f := range [5]float32{c.Normal[0], c.Normal[1], c.Normal[2], c.UV[0], c.UV[1]} {
				b = u32(b, math.Float32bits(f))
			}
		}
	}
	b = u32(b, uint32(len(m.Looks)))
	for i := range m.Looks {
		l := &m.Looks[i]
		b = u32(b, uint32(l.First))
		text(l.Material.Name)
		text(l.Material.Texture)
		for _, c := range [4][4]float32{l.Material.Colour, l.Material.Ambient, l.Material.Specular,
			l.Material.Emissive} {
			for _, f := range c {
				b = u32(b, math.Float32bits(f))
			}
		}
		b = u32(b, math.Float32bits(l.Material.Shininess))
		sides := uint32(1)
		if l.Material.DoubleSided {
			sides = 2
		}
		b = u32(b, sides)
	}
	b = u32(b, uint32(len(m.Parts)))
	for _, p := range m.Parts {
		b = u32(b, uint32(p.First))
		text(p.Name)
	}
	for _, list := range [2][]string{m.Warnings, m.Palettes} {
		b = u32(b, uint32(len(list)))
		for _, s := range list {
			text(s)
		}
	}
	b = u32(b, uint32(len(m.Pictures)))
	for _, p := range m.Pictures {
		text(string(p))
	}
	return b
}

// code reads what is left; after the first mistake it gives zeros and bad is set.
type code struct {
	rest []byte
	bad  bool
}

func (c *code) take(n int) []byte {
	if n < 0 || n > len(c.rest) {
		c.bad, c.rest = true, nil
		return nil
	}
	b := c.rest[:n]
	c.rest = c.rest[n:]
	return b
}

func (c *code) u32() uint32 {
	if b := c.take(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

func (c *code) f32() float32 {
	f := math.Float32frombits(c.u32())
	c.bad = c.bad || f-f != 0
	return f
}

// count reads how many things of at least size bytes follow; 0 when that many bytes are not left.
func (c *code) count(size int) int {
	n := int64(c.u32())
	if n*int64(size) > int64(len(c.rest)) {
		c.bad = true
		return 0
	}
	return int(n)
}

func (c *code) text() string { return string(c.take(c.count(1))) }

// Parse reads Append's encoding and checks its readers' assumptions: numbers are finite, indices in range,
// and runs of triangles in order. Errors wrap ErrCode.
func Parse(data []byte) (*Mesh, error) {
	c := &code{rest: data}
	m := &Mesh{}
	m.Vertices = make([]r3.Vec, c.count(24))
	rows := c.take(24 * len(m.Vertices))
	for i := range m.Vertices {
		b := rows[24*i : 24*i+24]
		v := r3.V(math.Float64frombits(binary.LittleEndian.Uint64(b)),
			math.Float64frombits(binary.LittleEndian.Uint64(b[8:])),
			math.Float64frombits(binary.LittleEndian.Uint64(b[16:])))
		c.bad = c.bad || !v.IsFinite()
		m.Vertices[i] = v
	}
	m.Triangles = make([][3]int32, c.count(12))
	rows = c.take(12 * len(m.Triangles))
	top := uint32(0)
	for i := range m.Triangles {
		b := rows[12*i : 12*i+12]
		p, q, r := binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint32(b[4:]),
			binary.LittleEndian.Uint32(b[8:])
		top = max(top, p, q, r)
		m.Triangles[i] = [3]int32{int32(p), int32(q), int32(r)}
	}
	c.bad = c.bad || len(m.Triangles) > 0 && int64(top) >= int64(len(m.Vertices))
	if n := c.count(60); n > 0 {
		c.bad = c.bad || n != len(m.Triangles)
		m.Corners = make([][3]scene.Corner, n)
		for i := range m.Corners {
			for k := range 3 {
				m.Corners[i][k] = scene.Corner{Normal: [3]float32{c.f32(), c.f32(), c.f32()},
					UV: [2]float32{c.f32(), c.f32()}}
			}
		}
	}
	c.looks(m)
	c.lists(m)
	if c.bad || len(c.rest) > 0 || len(m.Triangles) == 0 || len(m.Triangles) > MaxTriangles {
		return nil, fmt.Errorf("%w: %d bytes are too few, too many or not its numbers", ErrCode, len(data))
	}
	return m, nil
}

func (c *code) looks(m *Mesh) {
	last := 0
	for range c.count(84) {
		l := scene.Look{First: c.first(m, &last)}
		l.Material.Name, l.Material.Texture = c.text(), c.text()
		for _, into := range []*[4]float32{&l.Material.Colour, &l.Material.Ambient, &l.Material.Specular,
			&l.Material.Emissive} {
			for k := range into {
				into[k] = c.f32()
			}
		}
		l.Material.Shininess = c.f32()
		sides := c.u32()
		c.bad = c.bad || sides < 1 || sides > 2
		l.Material.DoubleSided = sides == 2
		m.Looks = append(m.Looks, l)
	}
}

// first is the beginning of a run of triangles, not before the last.
func (c *code) first(m *Mesh, last *int) int {
	n := c.u32()
	if int64(n) < int64(*last) || int64(n) > int64(len(m.Triangles)) {
		c.bad = true
		return 0
	}
	*last = int(n)
	return int(n)
}

func (c *code) lists(m *Mesh) {
	last := 0
	for range c.count(8) {
		at := c.first(m, &last)
		m.Parts = append(m.Parts, Part{c.text(), at})
	}
	for _, into := range []*[]string{&m.Warnings, &m.Palettes} {
		for range c.count(4) {
			*into = append(*into, c.text())
		}
	}
	for range c.count(4) {
		var p []byte
		if n := c.count(1); n > 0 {
			p = append(p, c.take(n)...)
		}
		m.Pictures = append(m.Pictures, p)
	}
}
