package mesh

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"

	"simdeck/sim/asset/xmltree"
	"simdeck/sim/r3"
)

const (
	stlHeader = 84 // 80 bytes of anything and a count
	stlFacet  = 50 // normal, three corners, attribute
)

// decodeSTL reads both kinds. A binary file may start with the word of the text kind, so that its length
// decides.
func decodeSTL(data []byte) (*Mesh, error) {
	if len(data) == 0 {
		return nil, errors.New("the file is empty")
	}
	if len(data) >= stlHeader && stlLength(data) == len(data) {
		return binarySTL(data)
	}
	head := bytes.ToLower(data[:min(len(data), 2048)])
	if bytes.HasPrefix(bytes.TrimLeft(head, " \t\r\n\ufeff"), []byte("solid")) &&
		(bytes.Contains(head, []byte("facet")) || bytes.Contains(head, []byte("endsolid"))) {
		return textSTL(data)
	}
	if len(data) < stlHeader {
		return nil, fmt.Errorf("%d bytes are less than the header of a binary STL (%d), and it is no text STL",
			len(data), stlHeader)
	}
	return binarySTL(data)
}

func stlLength(data []byte) int {
	return stlHeader + stlFacet*int(binary.LittleEndian.Uint32(data[80:]))
}

// welder gives equal corners one index.
type welder struct {
	mesh  *Mesh
	table []int32 // vertices by a hash of their place, from 1; at most half full
}

func (w *welder) index(v r3.Vec) int32 {
	v = r3.V(v.X+0, v.Y+0, v.Z+0) // -0 and 0 are one place
	if 2*len(w.mesh.Vertices) >= len(w.table) {
		w.grow()
	}
	at := w.slot(v)
	if w.table[at] == 0 {
		w.mesh.Vertices = append(w.mesh.Vertices, v)
		w.table[at] = int32(len(w.mesh.Vertices))
	}
	return w.table[at] - 1
}

// slot is the index of a point in the table, or its free one.
func (w *welder) slot(v r3.Vec) uint64 {
	h := uint64(0)
	for _, f := range [3]float64{v.X, v.Y, v.Z} {
		h = (h ^ math.Float64bits(f)) * 0x9e3779b97f4a7c15
		h ^= h >> 29
	}
	mask := uint64(len(w.table) - 1)
	at := h & mask
	for w.table[at] != 0 && !same(w.mesh.Vertices[w.table[at]-1], v) {
		at = (at + 1) & mask
	}
	return at
}

// same compares places bit by bit, so that what is no number is found again too.
func same(a, b r3.Vec) bool {
	return math.Float64bits(a.X) == math.Float64bits(b.X) && math.Float64bits(a.Y) == math.Float64bits(b.Y) &&
		math.Float64bits(a.Z) == math.Float64bits(b.Z)
}

func (w *welder) grow() {
	w.table = make([]int32, max(64, 2*len(w.table)))
	for i, v := range w.mesh.Vertices {
		w.table[w.slot(v)] = int32(i) + 1
	}
}

func binarySTL(data []byte) (*Mesh, error) {
	m := &Mesh{}
	claimed, have := int(binary.LittleEndian.Uint32(data[80:])), (len(data)-stlHeader)/stlFacet
	switch {
	case have > claimed:
		m.warn("%d bytes behind the last of %d triangles ignored", len(data)-stlLength(data), claimed)
	case have < claimed:
		m.warn("the file announces %d triangles and holds %d", claimed, have)
	}
	n := min(claimed, have)
	if err := m.room(n); err != nil {
		return nil, err
	}
	m.begin("")
	w := welder{mesh: m}
	m.Triangles = make([][3]int32, 0, n)
	for i := range n {
		facet := data[stlHeader+i*stlFacet:]
		var t [3]int32
		for k := range t {
			t[k] = w.index(r3.V(float(facet[12+12*k:]), float(facet[16+12*k:]), float(facet[20+12*k:])))
		}
		m.Triangles = append(m.Triangles, t)
	}
	return m, nil
}

func float(b []byte) float64 {
	return float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
}

// textSTL reads facets of three corners or more; keywords in any case.
func textSTL(data []byte) (*Mesh, error) {
	text, _ := xmltree.ToUTF8(data)
	m := &Mesh{}
	w := welder{mesh: m}
	var loop []int32
	lines, odd, whole := newLines(text), 0, false
	for lines.next() {
		words := words{rest: lines.text}
		switch strings.ToLower(words.next()) {
		case "solid":
			m.begin(strings.TrimSpace(words.rest))
		case "vertex":
			v, err := words.vec()
			if err != nil {
				return nil, fmt.Errorf("line %d: %w", lines.number, err)
			}
			loop = append(loop, w.index(v))
		case "endloop", "endfacet":
			if len(loop) != 0 && len(loop) != 3 {
				odd++
			}
			for i := 2; i < len(loop); i++ {
				if err := m.room(1); err != nil {
					return nil, err
				}
				m.Triangles = append(m.Triangles, [3]int32{loop[0], loop[i-1], loop[i]})
			}
			loop = loop[:0]
		case "endsolid":
			whole = true
		}
	}
	if odd > 0 {
		m.warn("%d facets have other than three corners", odd)
	}
	if len(loop) > 0 {
		m.warn("the last facet is not finished")
	} else if len(m.Triangles) == 0 && !whole {
		m.warn("it ends before endsolid")
	}
	return m, nil
}
