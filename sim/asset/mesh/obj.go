package mesh

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"simdeck/sim/asset/markup"
	"simdeck/sim/r3"
)

// decodeOBJ reads the geometry of a Wavefront OBJ: v, f, o and g. Materials, normals, texture coordinates, lines and
// points are passed over.
func decodeOBJ(data []byte) (*Mesh, error) {
	text, _ := markup.ToUTF8(data)
	o := &objReader{m: &Mesh{}}
	lines := newLines(text)
	for lines.next() {
		w := words{rest: lines.text}
		var err error
		switch w.next() {
		case "v":
			err = o.vertex(&w, lines.number)
		case "f":
			err = o.face(&w)
		case "o", "g":
			o.m.begin(strings.TrimSpace(w.rest))
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", lines.number, err)
		}
	}
	if o.unread > 0 {
		o.m.warn("%d vertices are not three numbers, the first in line %d", o.unread, o.unreadLine)
	}
	if o.lost > 0 {
		o.m.warn("%d faces left out: index out of range or fewer than three corners", o.lost)
	}
	return o.m, nil
}

type objReader struct {
	m                  *Mesh
	corners            []int32
	lost               int
	unread, unreadLine int
}

func (o *objReader) vertex(w *words, line int) error {
	if len(o.m.Vertices) >= maxVertices {
		return fmt.Errorf("more than %d vertices", maxVertices)
	}
	v, err := w.vec()
	if err != nil { // the place is kept: faces count vertices
		if o.unread++; o.unread == 1 {
			o.unreadLine = line
		}
		v = r3.V(math.NaN(), 0, 0)
	}
	o.m.Vertices = append(o.m.Vertices, v)
	return nil
}

func (o *objReader) face(w *words) error {
	o.corners = o.corners[:0]
	for word := w.next(); word != ""; word = w.next() {
		if strings.HasPrefix(word, "#") {
			break
		}
		i, ok := o.index(word)
		if !ok {
			o.lost++
			return nil
		}
		o.corners = append(o.corners, i)
	}
	if len(o.corners) < 3 {
		o.lost++
		return nil
	}
	if err := o.m.room(len(o.corners) - 2); err != nil {
		return err
	}
	o.m.Triangles = triangulate(o.m.Triangles, o.m.Vertices, o.corners)
	return nil
}

// index reads "v", "v/vt", "v//vn" or "v/vt/vn"; negative counts from the newest vertex.
func (o *objReader) index(word string) (int32, bool) {
	v, _, _ := strings.Cut(word, "/")
	i, err := strconv.ParseInt(v, 10, 32)
	n := int64(len(o.m.Vertices))
	if i < 0 {
		i += n + 1
	}
	return int32(i - 1), err == nil && i >= 1 && i <= n
}
