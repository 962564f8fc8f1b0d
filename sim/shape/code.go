package shape

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"simdeck/sim/r3"
)

// CodeVersion changes whenever what this package makes of a mesh does: shapes that were kept by another
// version are not the same.
const CodeVersion = 2

// ErrCode says that bytes are no shape as AppendMesh or AppendHulls writes it.
var ErrCode = errors.New("invalid code of a shape")

// AppendMesh writes a mesh with its tree, so that ParseMesh need not build it: counts and numbers,
// little-endian.
func AppendMesh(b []byte, m *Mesh) []byte {
	b = append(make([]byte, 0, len(b)+24*len(m.vertices)+12*len(m.triangles)+nodeBytes*len(m.nodes)+17), b...)
	b = appendVertices(b, m.vertices)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(m.triangles)))
	for i, t := range m.triangles {
		for k := range 3 {
			b = binary.LittleEndian.AppendUint32(b, uint32(t[k])<<2|uint32(m.edges[i][k]))
		}
	}
	b = binary.LittleEndian.AppendUint32(b, uint32(len(m.nodes)))
	nodes := len(b)
	for i := range m.nodes {
		n := &m.nodes[i]
		b = appendVec(appendVec(b, n.box.Min), n.box.Max)
		b = binary.LittleEndian.AppendUint32(b, uint32(n.first))
		b = append(b, byte(n.count))
	}
	for _, from := range m.wide.from {
		b[nodes+int(from)*nodeBytes+nodeBytes-1] |= wideFlag
	}
	b = binary.LittleEndian.AppendUint32(b, uint32(len(m.wide.from)))
	if m.closed {
		return append(b, 1)
	}
	return append(b, 0)
}

// nodeBytes is a node as it is written; wideFlag, in its last, says that a node of the tree for rays begins
// there.
const (
	nodeBytes = 53
	wideFlag  = 0x80
)

func appendVertices(b []byte, vertices []r3.Vec) []byte {
	b = binary.LittleEndian.AppendUint32(b, uint32(len(vertices)))
	for _, v := range vertices {
		b = appendVec(b, v)
	}
	return b
}

func appendVec(b []byte, v r3.Vec) []byte {
	for _, f := range [3]float64{v.X, v.Y, v.Z} {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(f))
	}
	return b
}

// byteReader reads what is left; after the first mistake it gives zeros and bad is set.
type byteReader struct {
	rest []byte
	bad  bool
}

func (c *byteReader) take(n int) []byte {
	if n < 0 || n > len(c.rest) {
		c.bad, c.rest = true, nil
		return make([]byte, min(max(n, 0), 64))
	}
	b := c.rest[:n]
	c.rest = c.rest[n:]
	return b
}

func (c *byteReader) u32() uint32 { return binary.LittleEndian.Uint32(c.take(4)) }

// count reads how many things of size bytes follow; 0 when that many bytes are not left.
func (c *byteReader) count(size int) int {
	n := int64(c.u32())
	if n*int64(size) > int64(len(c.rest)) {
		c.bad = true
		return 0
	}
	return int(n)
}

func vecAt(b []byte) r3.Vec {
	return r3.V(math.Float64frombits(binary.LittleEndian.Uint64(b)),
		math.Float64frombits(binary.LittleEndian.Uint64(b[8:])),
		math.Float64frombits(binary.LittleEndian.Uint64(b[16:])))
}

func (c *byteReader) vertices() []r3.Vec {
	out := make([]r3.Vec, c.count(24))
	rows := c.take(24 * len(out))
	for i := range out {
		out[i] = vecAt(rows[24*i : 24*i+24])
		c.bad = c.bad || !(math.Abs(out[i].X) <= maxSize && math.Abs(out[i].Y) <= maxSize &&
			math.Abs(out[i].Z) <= maxSize)
	}
	return out
}

// ParseMesh reads the output of AppendMesh and checks all that the mesh relies on. Triangles have their
// corners, and the tree has each triangle once, with boxes that hold their subtrees. Errors wrap ErrCode.
func ParseMesh(data []byte) (*Mesh, error) {
	c := &byteReader{rest: data}
	m := &Mesh{vertices: c.vertices()}
	all := r3.EmptyBox()
	m.triangles = make([][3]int32, c.count(12))
	m.edges = make([][3]EdgeKind, len(m.triangles))
	rows := c.take(12 * len(m.triangles))
	for i := range m.triangles {
		row := rows[12*i : 12*i+12]
		for k := range 3 {
			v := binary.LittleEndian.Uint32(row[4*k:])
			m.triangles[i][k], m.edges[i][k] = int32(v>>2), EdgeKind(v&3)
			if int(v>>2) >= len(m.vertices) {
				return nil, fmt.Errorf("%w: triangle %d uses vertex %d of %d", ErrCode, i, v>>2,
					len(m.vertices))
			}
			stretch(&all, &m.vertices[v>>2])
		}
	}
	m.nodes = make([]node, c.count(nodeBytes))
	begins := make([]bool, len(m.nodes))
	rows = c.take(nodeBytes * len(m.nodes))
	for i := range m.nodes {
		row := rows[nodeBytes*i : nodeBytes*(i+1)]
		m.nodes[i] = node{r3.Box{Min: vecAt(row), Max: vecAt(row[24:])},
			int32(binary.LittleEndian.Uint32(row[48:])), int32(row[52] &^ wideFlag)}
		begins[i] = row[52]&wideFlag != 0
	}
	wides := int(c.u32())
	closed := c.take(1)[0]
	m.closed = closed == 1
	if c.bad || len(c.rest) > 0 || closed > 1 || len(m.triangles) == 0 || len(m.nodes) == 0 {
		return nil, fmt.Errorf("%w: %d bytes of a mesh are too few, too many or not its numbers", ErrCode,
			len(data))
	}
	if err := m.validate(); err != nil {
		return nil, err
	}
	m.bounds = all
	return m, m.widenAt(begins, wides)
}

// stretch is Box.Extend for numbers that are finite: comparing them costs a third.
func stretch(b *r3.Box, p *r3.Vec) {
	if p.X < b.Min.X {
		b.Min.X = p.X
	}
	if p.Y < b.Min.Y {
		b.Min.Y = p.Y
	}
	if p.Z < b.Min.Z {
		b.Min.Z = p.Z
	}
	if p.X > b.Max.X {
		b.Max.X = p.X
	}
	if p.Y > b.Max.Y {
		b.Max.Y = p.Y
	}
	if p.Z > b.Max.Z {
		b.Max.Z = p.Z
	}
}

// widenAt makes the tree for rays whose nodes begin where they are marked: so many in all. The tree is sound.
func (m *Mesh) widenAt(begins []bool, count int) error {
	if !begins[0] || count < 1 || count > len(m.nodes) {
		return fmt.Errorf("%w: a tree for rays of %d nodes over one of %d", ErrCode, count, len(m.nodes))
	}
	fits := true
	w, deep := m.widenBy(func(at int32, dst []int32) []int32 {
		var stack [wideLanes]int32
		stack[0], stack[1] = m.nodes[at].first+1, m.nodes[at].first
		for n := 2; n > 0; {
			n--
			below := stack[n]
			if m.nodes[below].count > 0 || begins[below] {
				dst = append(dst, below)
				continue
			}
			if len(dst)+n+2 > wideLanes { // each that waits is a child at least
				fits = false
				return nil
			}
			stack[n], stack[n+1] = m.nodes[below].first+1, m.nodes[below].first
			n += 2
		}
		return dst
	}, count)
	marked := 0
	for _, b := range begins {
		if b {
			marked++
		}
	}
	if !fits || deep > wideStack || len(w.nodes) != count || marked != count {
		return fmt.Errorf("%w: a tree for rays with a node too wide, too deep, or %d nodes of %d", ErrCode,
			len(w.nodes), count)
	}
	m.wide = w
	return nil
}

// validate walks the tree once in the order of its triangles.
func (m *Mesh) validate() error {
	type visit struct{ node, depth int32 }
	seen, next := 0, int32(0)
	for todo := []visit{{}}; len(todo) > 0; {
		v := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		n := &m.nodes[v.node]
		seen++
		switch {
		case v.depth >= treeStack:
			return fmt.Errorf("%w: a tree deeper than %d", ErrCode, treeStack)
		case n.count == 0 && (n.first <= v.node || int(n.first)+1 >= len(m.nodes)):
			return fmt.Errorf("%w: node %d has its children at %d of %d", ErrCode, v.node, n.first,
				len(m.nodes))
		case n.count == 0:
			if !n.box.Contains(m.nodes[n.first].box) || !n.box.Contains(m.nodes[n.first+1].box) {
				return fmt.Errorf("%w: node %d is smaller than its children", ErrCode, v.node)
			}
			todo = append(todo, visit{n.first + 1, v.depth + 1}, visit{n.first, v.depth + 1})
		case n.count > leafSize || n.first != next || int(n.first)+int(n.count) > len(m.triangles):
			return fmt.Errorf("%w: leaf %d has %d triangles from %d on, where %d is next", ErrCode, v.node,
				n.count, n.first, next)
		default:
			for i := n.first; i < n.first+n.count; i++ {
				t := &m.triangles[i]
				if !n.holds(&m.vertices[t[0]]) || !n.holds(&m.vertices[t[1]]) || !n.holds(&m.vertices[t[2]]) {
					return fmt.Errorf("%w: leaf %d does not hold triangle %d", ErrCode, v.node, i)
				}
			}
			next += n.count
		}
		if seen > len(m.nodes) {
			break
		}
	}
	if seen != len(m.nodes) || int(next) != len(m.triangles) {
		return fmt.Errorf("%w: a tree of %d of %d nodes and %d of %d triangles", ErrCode, seen, len(m.nodes),
			next, len(m.triangles))
	}
	return nil
}

// holds is Box.Holds without a box around the point.
func (n *node) holds(p *r3.Vec) bool {
	return n.box.Min.X <= p.X && p.X <= n.box.Max.X && n.box.Min.Y <= p.Y && p.Y <= n.box.Max.Y &&
		n.box.Min.Z <= p.Z && p.Z <= n.box.Max.Z
}

// AppendHulls writes hulls for ParseHulls.
func AppendHulls(b []byte, hulls []*Hull) []byte {
	b = binary.LittleEndian.AppendUint32(b, uint32(len(hulls)))
	for _, h := range hulls {
		b = appendVertices(b, h.vertices)
		b = binary.LittleEndian.AppendUint32(b, uint32(len(h.faces)))
		for _, f := range h.faces {
			b = append(b, byte(len(f)))
			for _, v := range f {
				b = append(b, byte(v))
			}
		}
	}
	return b
}

// ParseHulls reads what AppendHulls wrote and checks that each is convex. Errors wrap ErrCode.
func ParseHulls(data []byte) ([]*Hull, error) {
	c := &byteReader{rest: data}
	hulls := make([]*Hull, 0, min(c.count(8), 1024))
	for range cap(hulls) {
		h := &Hull{vertices: c.vertices()}
		h.faces = make([][]int32, c.count(1))
		for i := range h.faces {
			h.faces[i] = make([]int32, c.take(1)[0])
			for k, v := range c.take(len(h.faces[i])) {
				if int(v) >= len(h.vertices) || k >= len(h.faces[i]) {
					return nil, fmt.Errorf("%w: a face uses vertex %d of %d", ErrCode, v, len(h.vertices))
				}
				h.faces[i][k] = int32(v)
			}
			if len(h.faces[i]) < 3 {
				return nil, fmt.Errorf("%w: a face of %d corners", ErrCode, len(h.faces[i]))
			}
		}
		h.measure()
		if c.bad || !h.convex() {
			return nil, fmt.Errorf("%w: %d bytes of hulls, of which one is not convex", ErrCode, len(data))
		}
		hulls = append(hulls, h)
	}
	if c.bad || len(c.rest) > 0 || len(hulls) == 0 {
		return nil, fmt.Errorf("%w: %d bytes of hulls are too few or too many", ErrCode, len(data))
	}
	return hulls, nil
}

// convex reports that no vertex is clearly above a face, and that there are enough of both.
func (h *Hull) convex() bool {
	if len(h.vertices) < 4 || len(h.vertices) > maxHullVertices || len(h.faces) < 4 ||
		len(h.faces) > 2*maxHullVertices {
		return false
	}
	box := r3.EmptyBox()
	for _, v := range h.vertices {
		box = box.Extend(v)
	}
	slack := float64(1e-4 * box.Size().MaxAbs())
	for i, n := range h.normals {
		if !(float64(h.offsets[i]-h.offsets[i]) == 0) || n == (r3.Vec{}) {
			return false
		}
		for _, v := range h.vertices {
			if n.Dot(v)-h.offsets[i] > slack {
				return false
			}
		}
	}
	return true
}
