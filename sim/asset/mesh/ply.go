package mesh

import (
	"encoding/binary"
	"fmt"
	"math"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// decodePLY reads faces and triangle strips of a PLY file, text or binary in both byte orders, with vertices'
// normals and texture coordinates. Its colours are passed over.
func decodePLY(data []byte) (*Mesh, error) {
	h, err := plyHeader(data)
	if err != nil {
		return nil, err
	}
	p := &plyMesh{m: &Mesh{}}
	r := newPLYReader(h)
	for i := range h.elements {
		e := &h.elements[i]
		take := p.element(e)
		if err := r.each(e, take); err != nil {
			return nil, fmt.Errorf("element %.40q %w", e.name, err)
		}
	}
	if p.splats {
		p.m.warn("its vertices are Gaussians, which have no surface")
	}
	if p.lost > 0 {
		p.m.warn("%d faces left out: index out of range or fewer than three corners", p.lost)
	}
	return p.m, nil
}

// plyMesh collects what a file holds.
type plyMesh struct {
	m       *Mesh
	looks   []scene.Corner // by vertex; nil: none has any
	corners []int32
	cut     [][3]int32
	splats  bool
	lost    int
}

// element is the function for every row of an element; nil: it is skipped.
func (p *plyMesh) element(e *plyElement) func(*plyRow) error {
	switch e.name {
	case "vertex":
		return p.vertices(e)
	case "face":
		if at := e.list("vertex_indices", "vertex_index"); at >= 0 {
			uv := e.list("texcoord")
			return func(r *plyRow) error { return p.face(r.lists[at], uv, r) }
		}
	case "tristrips":
		if at := e.list("vertex_indices", "vertex_index"); at >= 0 {
			return func(r *plyRow) error { return p.strips(r.lists[at]) }
		}
	}
	return nil
}

func (p *plyMesh) vertices(e *plyElement) func(*plyRow) error {
	x, y, z := e.find("x"), e.find("y"), e.find("z")
	nx, ny, nz := e.find("nx"), e.find("ny"), e.find("nz")
	u, v := e.find("s", "u", "texture_u"), e.find("t", "v", "texture_v")
	p.splats = e.find("rot_0") >= 0 && e.find("scale_0") >= 0
	if x < 0 || y < 0 || z < 0 {
		return nil
	}
	return func(r *plyRow) error {
		if len(p.m.Vertices) >= maxVertices {
			return fmt.Errorf("has more than %d rows", maxVertices)
		}
		p.m.Vertices = append(p.m.Vertices, r3.V(r.values[x], r.values[y], r.values[z]))
		c := scene.Corner{}
		if nx >= 0 && ny >= 0 && nz >= 0 {
			if n, ok := r3.V(r.values[nx], r.values[ny], r.values[nz]).Unit(); ok {
				c.Normal = [3]float32{float32(n.X), float32(n.Y), float32(n.Z)}
			}
		}
		if u >= 0 && v >= 0 && math.Abs(r.values[u]) < 1e6 && math.Abs(r.values[v]) < 1e6 {
			c.UV = [2]float32{float32(r.values[u]), float32(r.values[v])}
		}
		if c != (scene.Corner{}) || p.looks != nil {
			for len(p.looks) < len(p.m.Vertices)-1 {
				p.looks = append(p.looks, scene.Corner{})
			}
			p.looks = append(p.looks, c)
		}
		return nil
	}
}

// face cuts a polygon into triangles.
func (p *plyMesh) face(indices []float64, uv int, r *plyRow) error {
	p.corners = p.corners[:0]
	for _, f := range indices {
		if !(f >= 0 && f < float64(len(p.m.Vertices))) {
			p.lost++
			return nil
		}
		p.corners = append(p.corners, int32(f))
	}
	if len(p.corners) < 3 {
		p.lost++
		return nil
	}
	if err := p.m.room(len(p.corners) - 2); err != nil {
		return err
	}
	p.cut = triangulate(p.cut[:0], p.m.Vertices, p.corners)
	for _, t := range p.cut {
		p.add(t)
	}
	if uv >= 0 && len(p.corners) == 3 && len(r.lists[uv]) == 6 {
		p.uvs(r.lists[uv])
	}
	return nil
}

// uvs gives the newest triangle texture coordinates of its own, as MeshLab writes them.
func (p *plyMesh) uvs(f []float64) {
	p.m.even()
	for len(p.m.Corners) < len(p.m.Triangles) {
		p.m.Corners = append(p.m.Corners, [3]scene.Corner{})
	}
	last := &p.m.Corners[len(p.m.Corners)-1]
	for k := range last {
		if math.Abs(f[2*k]) < 1e6 && math.Abs(f[2*k+1]) < 1e6 {
			last[k].UV = [2]float32{float32(f[2*k]), float32(f[2*k+1])}
		}
	}
}

// strips takes triangle strips, one after the other with a negative index between them.
func (p *plyMesh) strips(indices []float64) error {
	start := 0
	for i := 0; i <= len(indices); i++ {
		if i < len(indices) && indices[i] >= 0 {
			continue
		}
		run := indices[start:i]
		start = i + 1
		if err := p.m.room(max(0, len(run)-2)); err != nil {
			return err
		}
		strip(len(run), 5, func(a, b, c int) {
			last := float64(len(p.m.Vertices))
			if run[a] >= last || run[b] >= last || run[c] >= last {
				p.lost++
				return
			}
			p.add([3]int32{int32(run[a]), int32(run[b]), int32(run[c])})
		})
	}
	return nil
}

func (p *plyMesh) add(t [3]int32) {
	if p.looks != nil {
		p.m.even()
		at := func(i int32) scene.Corner {
			if int(i) < len(p.looks) {
				return p.looks[i]
			}
			return scene.Corner{}
		}
		p.m.Corners = append(p.m.Corners, [3]scene.Corner{at(t[0]), at(t[1]), at(t[2])})
	}
	p.m.Triangles = append(p.m.Triangles, t)
}

// plyRow is one row of an element, by its properties.
type plyRow struct {
	values []float64
	lists  [][]float64
}

// plyReader reads rows.
type plyReader struct {
	body  []byte
	words words
	text  bool
	order binary.ByteOrder
}

func newPLYReader(h *plyHead) *plyReader {
	r := &plyReader{body: h.body, order: binary.LittleEndian, text: h.format == "ascii"}
	if h.format == "binary_big_endian" {
		r.order = binary.BigEndian
	}
	if r.text {
		r.words.rest = string(h.body)
	}
	return r
}

// each calls f with every row of an element; a nil f skips them. Rows without properties take no bytes and
// none is read.
func (r *plyReader) each(e *plyElement, f func(*plyRow) error) error {
	if len(e.properties) == 0 {
		return nil
	}
	row := &plyRow{make([]float64, len(e.properties)), make([][]float64, len(e.properties))}
	for i := range e.count {
		for k := range e.properties {
			if err := r.value(&e.properties[k], row, k); err != nil {
				return fmt.Errorf("%d of %d: %w", i+1, e.count, err)
			}
		}
		if f == nil {
			continue
		}
		if err := f(row); err != nil {
			return err
		}
	}
	return nil
}

func (r *plyReader) value(p *plyProperty, row *plyRow, k int) error {
	if p.count == 0 {
		f, err := r.number(p.kind)
		row.values[k] = f
		return err
	}
	n, err := r.number(p.count)
	if err != nil {
		return err
	}
	if !(n >= 0 && n <= 3*maxVertices) {
		return fmt.Errorf("a list of %g values", n)
	}
	row.lists[k] = row.lists[k][:0]
	for range int(n) {
		f, err := r.number(p.kind)
		if err != nil {
			return err
		}
		row.lists[k] = append(row.lists[k], f)
	}
	return nil
}

// number reads one number of the body.
func (r *plyReader) number(kind byte) (float64, error) {
	if r.text {
		word := r.words.next()
		if word == "" {
			return 0, fmt.Errorf("the file ends")
		}
		f, err := number(word)
		if err != nil {
			return 0, fmt.Errorf("%.40q is not a number", word)
		}
		return f, nil
	}
	wide := plyWide(kind)
	if len(r.body) < wide {
		return 0, fmt.Errorf("the file ends")
	}
	b := r.body
	r.body = r.body[wide:]
	switch kind {
	case 'b':
		return float64(int8(b[0])), nil
	case 'B':
		return float64(b[0]), nil
	case 'h':
		return float64(int16(r.order.Uint16(b))), nil
	case 'H':
		return float64(r.order.Uint16(b)), nil
	case 'i':
		return float64(int32(r.order.Uint32(b))), nil
	case 'I':
		return float64(r.order.Uint32(b)), nil
	case 'f':
		return float64(math.Float32frombits(r.order.Uint32(b))), nil
	}
	return math.Float64frombits(r.order.Uint64(b)), nil
}
