package mesh

import (
	"fmt"
	"math"
	"strconv"

	"simdeck/sim/asset/xmltree"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// geometry is a <geometry> before it is placed.
type geometry struct {
	vertices  []r3.Vec
	triangles [][3]int32
	corners   [][3]scene.Corner // by triangles; shorter when the last of them say nothing
	runs      []run
}

// run is the triangles from first on, which carry a material by its symbol.
type run struct {
	first  int
	symbol string
}

// shape reads the triangles of a <geometry> once.
func (c *collada) shape(g *xmltree.Node) (*geometry, error) {
	if s := c.shapes[g]; s != nil {
		return s, nil
	}
	s := &geometry{}
	c.shapes[g] = s
	body := g.Child("mesh")
	if body == nil {
		body = g.Child("convex_mesh")
	}
	if body == nil {
		return s, nil
	}
	sources := map[*xmltree.Node][2]int32{} // <source> to its first vertex and their number
	for _, k := range body.Kids {
		switch k.Name {
		case "triangles", "polylist", "polygons", "tristrips", "trifans":
			if err := c.primitive(s, k, sources); err != nil {
				return nil, err
			}
		}
	}
	return s, nil
}

// primitive reads one list of triangles, polygons, strips or fans.
func (c *collada) primitive(s *geometry, n *xmltree.Node, sources map[*xmltree.Node][2]int32) error {
	source, offset, stride := c.positions(n)
	if source == nil {
		c.m.warn("%v: <%s> has no positions", n.Pos, n.Name)
		return nil
	}
	at, known := sources[source]
	if !known {
		points, err := c.points(source)
		if err != nil {
			return err
		}
		if len(s.vertices)+len(points) > maxVertices {
			return fmt.Errorf("more than %d vertices", maxVertices)
		}
		at = [2]int32{int32(len(s.vertices)), int32(len(points))}
		s.vertices = append(s.vertices, points...)
		sources[source] = at
	}
	p := &indices{node: n, offset: offset, stride: stride, first: at[0], limit: at[1]}
	p.normal, p.uv = c.attribute(n, "NORMAL", 3), c.attribute(n, "TEXCOORD", 2)
	s.runs = append(s.runs, run{len(s.triangles), n.Get("material")})
	return p.read(s)
}

// positions finds the source of corners, where its index stands in each group of indices, and the size of a
// group.
func (c *collada) positions(n *xmltree.Node) (source *xmltree.Node, offset, stride int) {
	for _, in := range n.All("input") {
		at, err := strconv.Atoi(in.Get("offset"))
		if err != nil || at < 0 || at > 64 {
			at = 0
		}
		stride = max(stride, at+1)
		var from *xmltree.Node
		switch in.Get("semantic") {
		case "VERTEX":
			if v := c.target(in, "source"); v != nil {
				for _, vin := range v.All("input") {
					if vin.Get("semantic") == "POSITION" {
						from = c.target(vin, "source")
					}
				}
			}
		case "POSITION":
			from = c.target(in, "source")
		}
		if from != nil {
			source, offset = from, at
		}
	}
	return source, offset, stride
}

// points reads a <source> of corners.
func (c *collada) points(source *xmltree.Node) ([]r3.Vec, error) {
	array := source.Child("float_array")
	acc := source.Find("technique_common", "accessor")
	if array == nil && acc != nil {
		array = c.target(acc, "source")
	}
	if array == nil {
		return nil, fmt.Errorf("%v: <source> has no <float_array>", source.Pos)
	}
	values, err := arrayOf(array)
	if err != nil {
		return nil, err
	}
	stride, at := whole(acc, "stride", 3), whole(acc, "offset", 0)
	if stride < 3 || stride > 64 || at < 0 || at > len(values) {
		return nil, fmt.Errorf("%v: corners with stride %d and offset %d", source.Pos, stride, at)
	}
	count := whole(acc, "count", (len(values)-at)/stride)
	if count < 0 || count > (len(values)-at)/stride {
		return nil, fmt.Errorf("%v: <accessor> of %d corners over %d numbers", acc.Pos, count, len(values))
	}
	points := make([]r3.Vec, count)
	for i := range points {
		v := values[at+i*stride:]
		points[i] = r3.V(v[0], v[1], v[2])
	}
	return points, nil
}

func whole(n *xmltree.Node, attr string, otherwise int) int {
	text, written := n.Attr(attr)
	if !written {
		return otherwise
	}
	i, err := strconv.Atoi(text)
	if err != nil {
		return -1
	}
	return i
}

// arrayOf reads a <float_array>; its length is that of its text, and its count must not exceed it.
func arrayOf(n *xmltree.Node) ([]float64, error) {
	values := make([]float64, 0, min(len(n.Text)/2+1, 3*maxVertices))
	w := words{rest: n.Text}
	for word := w.next(); word != ""; word = w.next() {
		f, err := number(word)
		if err != nil || len(values) >= 3*maxVertices {
			return nil, fmt.Errorf("%v: %q is no number, or there are too many", n.Pos, word)
		}
		values = append(values, f)
	}
	if count := whole(n, "count", len(values)); count < 0 || count > len(values) {
		return nil, fmt.Errorf("%v: <float_array> announces %q numbers and holds %d", n.Pos, n.Get("count"),
			len(values))
	}
	return values, nil
}

// indices walks the index lists of a primitive.
type indices struct {
	node           *xmltree.Node
	offset, stride int
	first, limit   int32
	group          []int32
	normal, uv     attribute
	looks          []scene.Corner // by group, when there are normals or texture coordinates
	local          []int32        // scratch of emit
	outline        []r3.Vec
	cut            [][3]int32
}

func (p *indices) read(s *geometry) error {
	switch p.node.Name {
	case "polylist":
		return p.polylist(s)
	case "triangles":
		return p.triangles(s)
	}
	lists := p.node.All("p")
	for _, ph := range p.node.All("ph") { // polygons with holes: the outline
		lists = append(lists, ph.All("p")...)
	}
	for _, list := range lists {
		if err := p.corners(&words{rest: list.Text}, -1); err != nil {
			return err
		}
		if err := p.emit(s); err != nil {
			return err
		}
	}
	return nil
}

func (p *indices) triangles(s *geometry) error {
	w := words{}
	if list := p.node.Child("p"); list != nil {
		w.rest = list.Text
	}
	if err := p.corners(&w, -1); err != nil {
		return err
	}
	want := whole(p.node, "count", len(p.group)/3)
	if len(p.group)%3 != 0 || want < 0 || want > len(p.group)/3 {
		return fmt.Errorf("%v: %d triangles announced and %d corners given: %w", p.node.Pos, want,
			len(p.group), errShort)
	}
	for i := 0; i+2 < len(p.group); i += 3 {
		p.add(s, int32(i), int32(i+1), int32(i+2))
	}
	return roomFor(s)
}

func (p *indices) polylist(s *geometry) error {
	list, counts := words{}, words{}
	if n := p.node.Child("p"); n != nil {
		list.rest = n.Text
	}
	if n := p.node.Child("vcount"); n != nil {
		counts.rest = n.Text
	}
	for word := counts.next(); word != ""; word = counts.next() {
		n, err := strconv.Atoi(word)
		if err != nil || n < 0 || n > maxVertices {
			return fmt.Errorf("%v: <vcount> holds %q", p.node.Pos, word)
		}
		if err := p.corners(&list, n); err != nil {
			return err
		}
		if err := p.emit(s); err != nil {
			return err
		}
	}
	return nil
}

// corners reads n groups of indices, or all that there are, and keeps the index of the position.
func (p *indices) corners(w *words, n int) error {
	p.group, p.looks = p.group[:0], p.looks[:0]
	for n < 0 || len(p.group) < n {
		var corner int32
		var look scene.Corner
		for k := range p.stride {
			word := w.next()
			if word == "" {
				if n < 0 && k == 0 {
					return nil
				}
				return fmt.Errorf("%v: <%s>: %w", p.node.Pos, p.node.Name, errShort)
			}
			p.look(&look, k, word)
			if k != p.offset {
				continue
			}
			i, err := strconv.ParseInt(word, 10, 32)
			if err != nil || i < 0 || i >= int64(p.limit) {
				return fmt.Errorf("%v: <%s> has index %s of %d corners", p.node.Pos, p.node.Name, word,
					p.limit)
			}
			corner = int32(i) + p.first
		}
		if len(p.group) >= math.MaxInt32/2 {
			return errShort
		}
		p.group = append(p.group, corner)
		if p.dressed() {
			p.looks = append(p.looks, look)
		}
	}
	return nil
}

// emit turns the corners of one polygon, strip or fan into triangles.
func (p *indices) emit(s *geometry) error {
	g := p.group
	if len(g) < 3 {
		return nil
	}
	switch p.node.Name {
	case "tristrips":
		for i := int32(2); i < int32(len(g)); i++ {
			p.add(s, i-2+i%2, i-1-i%2, i)
		}
		return roomFor(s)
	}
	p.local, p.outline, p.cut = p.local[:0], p.outline[:0], p.cut[:0]
	for i, corner := range g {
		p.local, p.outline = append(p.local, int32(i)), append(p.outline, s.vertices[corner])
	}
	if p.node.Name == "trifans" {
		p.cut = fan(p.cut, p.local)
	} else {
		p.cut = triangulate(p.cut, p.outline, p.local)
	}
	for _, t := range p.cut {
		p.add(s, t[0], t[1], t[2])
	}
	return roomFor(s)
}

func roomFor(s *geometry) error {
	if len(s.triangles) > MaxTriangles {
		return fmt.Errorf("more than %d triangles", MaxTriangles)
	}
	return nil
}
