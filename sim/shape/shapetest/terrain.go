// Package shapetest holds the terrains that tests of dynamics and of its rooms share.
package shapetest

import (
	"math"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// FloorMesh is a square of 2n × 2n cells at z = 0, as two triangles each.
func FloorMesh(t testing.TB, n int, cell float64) *shape.Mesh {
	t.Helper()
	var v []r3.Vec
	var tri [][3]int32
	for j := -n; j <= n; j++ {
		for i := -n; i <= n; i++ {
			v = append(v, r3.V(float64(i)*cell, float64(j)*cell, 0))
		}
	}
	w := int32(2*n + 1)
	for j := range w - 1 {
		for i := range w - 1 {
			a := j*w + i
			tri = append(tri, [3]int32{a, a + 1, a + w + 1}, [3]int32{a, a + w + 1, a + w})
		}
	}
	m, err := shape.NewMesh(v, tri)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Terrain is a square of n by n points, size metres wide, with heights in m.
func Terrain(t testing.TB, n int, size float64, height func(x, y float64) float64) *shape.Field {
	t.Helper()
	h := make([]float32, n*n)
	for i := range h {
		at := func(k int) float64 { return size * (float64(k)/float64(n-1) - 0.5) }
		h[i] = float32(height(at(i%n), at(i/n)))
	}
	f, err := shape.NewField(n, n, size, size, h)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TerrainMesh is the mesh of a terrain's triangles.
func TerrainMesh(t testing.TB, f *shape.Field) *shape.Mesh {
	t.Helper()
	columns, rows := f.Points()
	var vertices []r3.Vec
	var triangles [][3]int32
	index := map[r3.Vec]int32{}
	for i := range int32(2 * (columns - 1) * (rows - 1)) {
		var tri [3]int32
		a, b, c := f.Triangle(i)
		for k, v := range [3]r3.Vec{a, b, c} {
			at, known := index[v]
			if !known {
				at = int32(len(vertices))
				index[v] = at
				vertices = append(vertices, v)
			}
			tri[k] = at
		}
		triangles = append(triangles, tri)
	}
	m, err := shape.NewMesh(vertices, triangles)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Hilly is the height of hills with ripples on them, in m.
func Hilly(x, y float64) float64 {
	return 0.25*math.Sin(1.1*x)*math.Cos(0.9*y) + 0.02*math.Sin(7*x+3*y)
}
