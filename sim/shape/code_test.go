package shape

import (
	"bytes"
	"errors"
	"math"
	"reflect"
	"testing"

	"simdeck/sim/r3"
)

func TestAMeshIsTheSameAfterItWasWrittenAndRead(t *testing.T) {
	s := ring(1, 0.3, 24, 12)
	m, err := NewMesh(s.vertices, s.triangles)
	if err != nil {
		t.Fatal(err)
	}
	data := AppendMesh(nil, m)
	got, err := ParseMesh(data)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, m) {
		t.Error("the mesh that was read is another")
	}
	for i := 0; i < len(data); i += 7 {
		if _, err := ParseMesh(data[:i]); !errors.Is(err, ErrCode) {
			t.Fatalf("the first %d of %d bytes: %v", i, len(data), err)
		}
	}
	if _, err := ParseMesh(append(data, 0)); !errors.Is(err, ErrCode) {
		t.Errorf("a byte too many: %v", err)
	}
}

func TestHullsAreTheSameAfterTheyWereWrittenAndRead(t *testing.T) {
	hulls, err := Decompose(elbow.vertices, elbow.triangles, Cut{})
	if err != nil {
		t.Fatal(err)
	}
	data := AppendHulls(nil, hulls)
	got, err := ParseHulls(data)
	if err != nil || !reflect.DeepEqual(got, hulls) {
		t.Errorf("%v: the hulls that were read are others", err)
	}
	for i := range data {
		if _, err := ParseHulls(data[:i]); !errors.Is(err, ErrCode) {
			t.Fatalf("the first %d of %d bytes: %v", i, len(data), err)
		}
	}
}

func TestAHostileTreeIsRefused(t *testing.T) {
	s := ring(1, 0.3, 24, 12)
	m, err := NewMesh(s.vertices, s.triangles)
	if err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(m *Mesh){
		"a circle": func(m *Mesh) {
			m.nodes[m.nodes[0].first].first,
				m.nodes[m.nodes[0].first].count = 0, 0
		},
		"a far child":       func(m *Mesh) { m.nodes[0].first = 1 << 30 },
		"a fat leaf":        func(m *Mesh) { leafOf(m).count = 5 },
		"a leaf twice":      func(m *Mesh) { m.nodes[m.nodes[0].first+1] = m.nodes[m.nodes[0].first] },
		"a small box":       func(m *Mesh) { m.nodes[0].box.Max.X = 1 },
		"a small leaf":      func(m *Mesh) { leafOf(m).box = r3.Box{} },
		"no number":         func(m *Mesh) { m.vertices[3].Y = math.NaN() },
		"a wide leaf":       func(m *Mesh) { m.wide.from[0] = leafAt(m) },
		"no wide root":      func(m *Mesh) { m.wide.from = m.wide.from[1:] },
		"a wide node twice": func(m *Mesh) { m.wide.from = append(m.wide.from, m.wide.from[0]) },
		"a node too wide":   func(m *Mesh) { m.wide.from = m.wide.from[:1] },
		"a corner too many": func(m *Mesh) { m.triangles[2][1] = 1000 },
	} {
		bad := *m
		bad.nodes, bad.vertices, bad.triangles = append([]node(nil), m.nodes...),
			append([]r3.Vec(nil), m.vertices...), append([][3]int32(nil), m.triangles...)
		bad.wide.from = append([]int32(nil), m.wide.from...)
		spoil(&bad)
		if _, err := ParseMesh(AppendMesh(nil, &bad)); !errors.Is(err, ErrCode) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func leafOf(m *Mesh) *node { return &m.nodes[leafAt(m)] }

func leafAt(m *Mesh) int32 {
	for i := range m.nodes {
		if m.nodes[i].count > 0 {
			return int32(i)
		}
	}
	return 0
}

func FuzzParseMesh(f *testing.F) {
	m, err := NewMesh(elbow.vertices, elbow.triangles)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(AppendMesh(nil, m))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := ParseMesh(data)
		if err != nil {
			return
		}
		if !bytes.Equal(AppendMesh(nil, m), data) {
			t.Error("written again it is another")
		}
		m.CastRay(r3.Ray{Origin: r3.V(0.5, 0.5, 9), Dir: r3.V(0, 0, -1)}, 100)
		m.Query(m.bounds, func(int32) bool { return true })
	})
}

func FuzzParseHulls(f *testing.F) {
	hulls, err := Decompose(elbow.vertices, elbow.triangles, Cut{})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(AppendHulls(nil, hulls))
	f.Fuzz(func(t *testing.T, data []byte) {
		hulls, err := ParseHulls(data)
		if err != nil {
			return
		}
		for _, h := range hulls {
			h.Support(r3.V(1, 2, 3))
			h.CastRay(r3.Ray{Origin: r3.V(0.5, 0.5, 9), Dir: r3.V(0, 0, -1)}, 100)
		}
	})
}
