package source

import (
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// MaxOutline bounds the corners of an outline: cutting it into triangles takes the square of their number.
const MaxOutline = 2000

// Extrude puts the body between an outline in the plane z = 0 and the same outline at z = height into a mesh.
// The corners go round either way, at most MaxOutline of them, and the sides do not cross. False: no triangle
// fits inside.
func Extrude(m *scene.Mesh, outline []r3.Vec, height float64) bool {
	outline = loop(outline)
	caps := triangulate(outline)
	if len(caps) == 0 {
		return false
	}
	base, n := int32(len(m.Vertices)), int32(len(outline))
	for _, p := range outline {
		m.Vertices = append(m.Vertices, r3.V(p.X, p.Y, 0))
	}
	for _, p := range outline {
		m.Vertices = append(m.Vertices, r3.V(p.X, p.Y, height))
	}
	for _, t := range caps {
		m.Triangles = append(m.Triangles, [3]int32{base + t[0], base + t[2], base + t[1]},
			[3]int32{base + n + t[0], base + n + t[1], base + n + t[2]})
	}
	for i := range n {
		k := (i + 1) % n
		m.Triangles = append(m.Triangles, [3]int32{base + i, base + k, base + n + k},
			[3]int32{base + i, base + n + k, base + n + i})
	}
	return true
}

// loop is an outline without doubled corners, counter-clockwise.
func loop(outline []r3.Vec) []r3.Vec {
	var out []r3.Vec
	for _, p := range outline {
		if len(out) == 0 || p.Dist(out[len(out)-1]) > 1e-9 {
			out = append(out, p)
		}
	}
	for len(out) > 1 && out[0].Dist(out[len(out)-1]) <= 1e-9 {
		out = out[:len(out)-1]
	}
	area := 0.0
	for i, p := range out {
		q := out[(i+1)%len(out)]
		area += p.X*q.Y - q.X*p.Y
	}
	if area < 0 {
		for i, k := 0, len(out)-1; i < k; i, k = i+1, k-1 {
			out[i], out[k] = out[k], out[i]
		}
	}
	return out
}

func turn(a, b, c r3.Vec) float64 { return (b.X-a.X)*(c.Y-a.Y) - (b.Y-a.Y)*(c.X-a.X) }

// triangulate cuts ears off a simple polygon that goes round counter-clockwise (Meisters, "Polygons have
// ears", 1975).
func triangulate(p []r3.Vec) [][3]int32 {
	left := make([]int32, len(p))
	for i := range left {
		left[i] = int32(i)
	}
	var out [][3]int32
	for len(left) >= 3 {
		cut := -1
		for i := range left {
			a, b, c := left[(i+len(left)-1)%len(left)], left[i], left[(i+1)%len(left)]
			t := turn(p[a], p[b], p[c])
			if t == 0 {
				cut = i // a corner on a straight line bounds nothing
				break
			}
			if t > 0 && ear(p, left, a, b, c) {
				out = append(out, [3]int32{a, b, c})
				cut = i
				break
			}
		}
		if cut < 0 {
			return out // the sides cross: what could be cut off is kept
		}
		left = append(left[:cut], left[cut+1:]...)
	}
	return out
}

// ear reports that no other corner lies in the triangle.
func ear(p []r3.Vec, left []int32, a, b, c int32) bool {
	for _, k := range left {
		if k != a && k != b && k != c && turn(p[a], p[b], p[k]) >= 0 && turn(p[b], p[c], p[k]) >= 0 &&
			turn(p[c], p[a], p[k]) >= 0 {
			return false
		}
	}
	return true
}
