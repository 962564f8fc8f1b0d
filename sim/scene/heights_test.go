package scene

import (
	"math"
	"testing"

	"simdeck/sim/r3"
)

func TestATerrainForTheEyeSpansAllOfIt(t *testing.T) {
	h := &Heights{Columns: 9, Rows: 4, X: 4, Y: 6, Z: make([]float32, 36)}
	for i := range h.Z {
		h.Z[i] = float32(i)
	}
	if h.At(0, 0) != r3.V(-2, -3, 0) || h.At(8, 3) != r3.V(2, 3, 35) {
		t.Errorf("corners at %v and %v", h.At(0, 0), h.At(8, 3))
	}
	for _, c := range []struct{ cells, triangles int }{{100, 8 * 3 * 2}, {8, 8 * 3 * 2}, {4, 4 * 3 * 2},
		{3, 3 * 3 * 2}, {1, 2}, {0, 2}} {
		m := h.Mesh(c.cells)
		box, area := r3.EmptyBox(), 0.0
		for _, v := range m.Vertices {
			box = box.Extend(v)
		}
		for i, tri := range m.Triangles {
			a, b, d := m.Vertices[tri[0]], m.Vertices[tri[1]], m.Vertices[tri[2]]
			n := b.Sub(a).Cross(d.Sub(a))
			if n.Z <= 0 {
				t.Fatalf("%d cells: triangle %d looks down", c.cells, i)
			}
			area += n.Z / 2
			for k, v := range [3]r3.Vec{a, b, d} {
				if uv := m.Corners[i][k].UV; math.Abs(float64(uv[0])-(v.X/4+0.5)) > 1e-6 ||
					math.Abs(float64(uv[1])-(v.Y/6+0.5)) > 1e-6 {
					t.Fatalf("%d cells: texture at %v, the point is at %v", c.cells, uv, v)
				}
			}
		}
		if len(m.Triangles) != c.triangles || box != h.Box() || math.Abs(area-24) > 1e-9 {
			t.Errorf("%d cells: %d triangles over %v, area %v", c.cells, len(m.Triangles), box, area)
		}
	}
}
