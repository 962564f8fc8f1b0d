package shape

import (
	"fmt"

	"simdeck/sim/r3"
)

// Mesh is a surface of triangles with a tree of boxes over them. For static bodies only. Make it
// with NewMesh.
type Mesh struct {
	vertices  []r3.Vec
	triangles [][3]int32
	nodes     []node
	wide      wide
	edges     [][3]EdgeKind
	bounds    r3.Box
	closed    bool
}

// NewMesh copies a surface; triangles are counter-clockwise seen from outside. Triangles without an
// area are left out; an index out of range, a vertex that is not finite or nothing left is an ErrShape.
func NewMesh(vertices []r3.Vec, triangles [][3]int32) (*Mesh, error) {
	for i, v := range vertices {
		if !v.IsFinite() || v.MaxAbs() > maxSize {
			return nil, fmt.Errorf("%w: mesh vertex %d is %v, must be within %v m", ErrShape, i, v, maxSize)
		}
	}
	m := &Mesh{vertices: append([]r3.Vec(nil), vertices...), triangles: make([][3]int32, 0, len(triangles)),
		bounds: r3.EmptyBox()}
	n := int32(len(vertices))
	for i, t := range triangles {
		for _, v := range t {
			if v < 0 || v >= n {
				return nil, fmt.Errorf("%w: mesh triangle %d uses vertex %d of %d", ErrShape, i, v, n)
			}
		}
		a, b, c := vertices[t[0]], vertices[t[1]], vertices[t[2]]
		if _, ok := b.Sub(a).Cross(c.Sub(a)).Unit(); !ok {
			continue
		}
		m.triangles = append(m.triangles, t)
		m.bounds = m.bounds.Extend(a).Extend(b).Extend(c)
	}
	if len(m.triangles) == 0 {
		return nil, fmt.Errorf("%w: mesh of %d triangles has none with an area", ErrShape, len(triangles))
	}
	m.build()
	m.findEdges()
	return m, nil
}

// Kind is KindMesh.
func (*Mesh) Kind() Kind { return KindMesh }

// Vertices of the mesh; not to be modified.
func (m *Mesh) Vertices() []r3.Vec { return m.vertices }

// Triangles of the mesh, as vertex indices, in the order of its tree; not to be modified.
func (m *Mesh) Triangles() [][3]int32 { return m.triangles }

// Triangle is the three corners of one.
func (m *Mesh) Triangle(i int32) (a, b, c r3.Vec) {
	t := m.triangles[i]
	return m.vertices[t[0]], m.vertices[t[1]], m.vertices[t[2]]
}

// Closed reports that the surface encloses a volume: every edge has its opposite.
func (m *Mesh) Closed() bool { return m.closed }

// Check accepts what NewMesh has made.
func (m *Mesh) Check() error {
	if m == nil || len(m.triangles) == 0 {
		return fmt.Errorf("%w: a mesh without triangles; make it with NewMesh", ErrShape)
	}
	return nil
}

// Bounds is the box around the turned bounding box.
func (m *Mesh) Bounds(p r3.Pose) r3.Box { return m.bounds.Moved(p) }

// Mass is that of the enclosed solid; zero for an open surface.
func (m *Mesh) Mass(density float64) Mass {
	if !m.closed {
		return Mass{}
	}
	return solidMass(m.vertices, func(yield func(a, b, c int32)) {
		for _, t := range m.triangles {
			yield(t[0], t[1], t[2])
		}
	}, density)
}
