package mesh

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"simdeck/sim/asset/xmltree"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/shape"
)

// decodeOBJ reads a Wavefront OBJ: v, vt, vn, f, o, g, usemtl and mtllib. Lines and points are passed over. A
// file of vertices alone is their convex hull, as in MuJoCo.
func decodeOBJ(data []byte) (*Mesh, error) {
	text, _ := xmltree.ToUTF8(data)
	o := &objReader{m: &Mesh{}}
	cloud := true
	lines := newLines(text)
	for lines.next() {
		w := words{rest: lines.text}
		var err error
		switch w.next() {
		case "v":
			err = o.vertex(&w, lines.number)
		case "vt":
			o.uvs = append(o.uvs, [2]float32(o.few(&w, 2)))
		case "vn":
			o.normals = append(o.normals, [3]float32(o.few(&w, 3)))
		case "usemtl":
			o.m.Looks = append(o.m.Looks, scene.Look{First: len(o.m.Triangles),
				Material: scene.Material{Name: strings.TrimSpace(w.rest)}})
		case "mtllib":
			o.m.Palettes = append(o.m.Palettes, strings.TrimSpace(w.rest))
		case "f":
			cloud = false
			err = o.face(&w)
		case "l", "p":
			cloud = false
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
	if cloud {
		o.m.wrap()
	}
	if o.lost > 0 {
		o.m.warn("%d faces left out: index out of range or fewer than three corners", o.lost)
	}
	return o.m, nil
}

// wrap makes the mesh the convex hull of its vertices, where they have one.
func (m *Mesh) wrap() {
	h, err := shape.ConvexHull(m.Vertices, len(m.Vertices))
	if err != nil {
		return
	}
	m.Vertices = h.Vertices()
	for _, f := range h.Faces() {
		for i := 2; i < len(f); i++ {
			m.Triangles = append(m.Triangles, [3]int32{f[0], f[i-1], f[i]})
		}
	}
}

type objReader struct {
	m                  *Mesh
	corners            []int32
	uvs                [][2]float32
	normals            [][3]float32
	looks              []scene.Corner // by corners
	few3               [3]float32
	local              []int32
	outline            []r3.Vec
	cut                [][3]int32
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
	o.corners, o.looks, o.local, o.outline = o.corners[:0], o.looks[:0], o.local[:0], o.outline[:0]
	for word := w.next(); word != ""; word = w.next() {
		if strings.HasPrefix(word, "#") {
			break
		}
		i, look, ok := o.index(word)
		if !ok {
			o.lost++
			return nil
		}
		o.local, o.outline = append(o.local, int32(len(o.corners))), append(o.outline, o.m.Vertices[i])
		o.corners, o.looks = append(o.corners, i), append(o.looks, look)
	}
	if len(o.corners) < 3 {
		o.lost++
		return nil
	}
	if err := o.m.room(len(o.corners) - 2); err != nil {
		return err
	}
	o.cut = triangulate(o.cut[:0], o.outline, o.local)
	for _, t := range o.cut {
		if len(o.uvs) > 0 || len(o.normals) > 0 {
			o.m.even()
			o.m.Corners = append(o.m.Corners, [3]scene.Corner{o.looks[t[0]], o.looks[t[1]], o.looks[t[2]]})
		}
		o.m.Triangles = append(o.m.Triangles, [3]int32{o.corners[t[0]], o.corners[t[1]], o.corners[t[2]]})
	}
	return nil
}

// index reads "v", "v/vt", "v//vn" or "v/vt/vn"; negative counts from the newest vertex. A normal or texture
// coordinate that is not there is left out.
func (o *objReader) index(word string) (i int32, look scene.Corner, ok bool) {
	v, rest, _ := strings.Cut(word, "/")
	vt, vn, _ := strings.Cut(rest, "/")
	if k, ok := counted(vt, len(o.uvs)); ok {
		look.UV = o.uvs[k]
	}
	if k, ok := counted(vn, len(o.normals)); ok {
		look.Normal = o.normals[k]
	}
	i, ok = counted(v, len(o.m.Vertices))
	return i, look, ok
}

// counted is an index from 1 on, or from -1 downwards for the newest, of n things.
func counted(word string, n int) (int32, bool) {
	if word == "" {
		return 0, false
	}
	i, err := strconv.ParseInt(word, 10, 32)
	if i < 0 {
		i += int64(n) + 1
	}
	return int32(i - 1), err == nil && i >= 1 && i <= int64(n)
}

// few reads n numbers, of which those that are none are 0.
func (o *objReader) few(w *words, n int) []float32 {
	o.few3 = [3]float32{}
	for k := range n {
		if f, err := number(w.next()); err == nil && math.Abs(f) < 1e6 {
			o.few3[k] = float32(f)
		}
	}
	return o.few3[:n]
}
