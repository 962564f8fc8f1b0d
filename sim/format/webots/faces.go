package webots

import (
	"math"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// faces reads an IndexedFaceSet: polygons, which are cut into triangles around their first corner.
func (b *builder) faces(r ref, in frame, g *scene.Geom) bool {
	c, ok := b.node(r, "coord")
	if !ok {
		b.noteAt(scene.Suspicious, r, "IndexedFaceSet has no coord")
		return false
	}
	points := b.many(c, "point")
	if len(points)%3 != 0 {
		b.noteAt(scene.Suspicious, c, "%d numbers make no whole points; the last are left out", len(points))
	}
	m := &scene.Mesh{URI: "IndexedFaceSet", Vertices: make([]r3.Vec, len(points)/3)}
	for i := range m.Vertices {
		m.Vertices[i] = r3.V(points[3*i], points[3*i+1], points[3*i+2])
	}
	uv := b.charts(r)
	ccw := b.flag(r, "ccw", true) == (in.scale.X*in.scale.Y*in.scale.Z > 0)
	indices, left := b.many(r, "coordIndex"), 0
	for from := 0; from < len(indices); {
		to := from
		for to < len(indices) && indices[to] >= 0 {
			to++
		}
		if !addFace(m, indices[from:to], uv.face(from, to), ccw) {
			left++
		}
		from = to + 1
	}
	if left > 0 {
		b.noteAt(scene.Suspicious, r, "%d faces with fewer than three corners, or with corners that are not among the %d points, are left out",
			left, len(m.Vertices))
	}
	if len(m.Triangles) == 0 {
		b.noteAt(scene.Suspicious, r, "IndexedFaceSet has no face")
		return false
	}
	if !b.flag(r, "convex", true) {
		b.noteOnce(scene.Unsupported, r, "faces that are not convex are cut as if they were")
	}
	g.Kind, g.Mesh, g.Scale = scene.MeshGeom, m, in.scale
	return true
}

// chart says where the corners of faces lie in a texture.
type chart struct {
	points  []float64
	indices []float64
}

// charts reads texture coordinates; without indices of their own, they go with the corners'.
func (b *builder) charts(r ref) chart {
	t, ok := b.node(r, "texCoord")
	if !ok {
		return chart{}
	}
	out := chart{points: b.many(t, "point"), indices: b.many(r, "texCoordIndex")}
	if len(out.indices) == 0 {
		out.indices = b.many(r, "coordIndex")
	}
	return out
}

// face are the places of the corners from one index to another; nil when they are not all there.
func (c chart) face(from, to int) [][2]float32 {
	if to > len(c.indices) || len(c.points) == 0 {
		return nil
	}
	out := make([][2]float32, 0, to-from)
	for _, x := range c.indices[from:to] {
		i := int(x)
		if x < 0 || x > 1e9 || 2*i+1 >= len(c.points) {
			return nil
		}
		out = append(out, [2]float32{float32(c.points[2*i]), float32(c.points[2*i+1])})
	}
	return out
}

// addFace adds a polygon to a mesh; false when it is none.
func addFace(m *scene.Mesh, corners []float64, uv [][2]float32, ccw bool) bool {
	if len(corners) < 3 {
		return false
	}
	index := make([]int32, len(corners))
	for i, x := range corners {
		if !(x < float64(len(m.Vertices))) || x != math.Trunc(x) {
			return false
		}
		index[i] = int32(x)
	}
	for i := 1; i+1 < len(index); i++ {
		a, b := i, i+1
		if !ccw {
			a, b = b, a
		}
		if uv != nil && len(m.Corners) == len(m.Triangles) {
			m.Corners = append(m.Corners, [3]scene.Corner{{UV: uv[0]}, {UV: uv[a]}, {UV: uv[b]}})
		}
		m.Triangles = append(m.Triangles, [3]int32{index[0], index[a], index[b]})
	}
	if len(m.Corners) != len(m.Triangles) {
		m.Corners = nil
	}
	return true
}
