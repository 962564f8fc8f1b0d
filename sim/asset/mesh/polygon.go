package mesh

import (
	"math"

	"simdeck/sim/r3"
)

// maxEars bounds the corners of a polygon that is cut ear by ear, which takes the square of their number.
const maxEars = 200

// triangulate appends the triangles of a polygon: a fan when it is convex or very large, else ear by ear in
// its best-fit plane.
func triangulate(out [][3]int32, vertices []r3.Vec, corners []int32) [][3]int32 {
	if len(corners) <= 3 || len(corners) > maxEars {
		return fan(out, corners)
	}
	flat, ok := flatten(vertices, corners)
	if !ok || convex(flat) {
		return fan(out, corners)
	}
	return ears(out, flat, corners)
}

func fan(out [][3]int32, corners []int32) [][3]int32 {
	for i := 2; i < len(corners); i++ {
		out = append(out, [3]int32{corners[0], corners[i-1], corners[i]})
	}
	return out
}

// flatten drops the coordinate in which the polygon's normal (Newell's sum) is longest, so that what remains
// runs counter-clockwise; false when it has no area.
func flatten(vertices []r3.Vec, corners []int32) ([][2]float64, bool) {
	n := r3.Vec{}
	for i := range corners {
		n = n.Add(vertices[corners[i]].Cross(vertices[corners[(i+1)%len(corners)]]))
	}
	x, y, z := math.Abs(n.X), math.Abs(n.Y), math.Abs(n.Z)
	if !(x+y+z > 0) || math.IsInf(x+y+z, 0) {
		return nil, false
	}
	flat := make([][2]float64, len(corners))
	for i, c := range corners {
		v := vertices[c]
		switch {
		case z >= x && z >= y:
			flat[i] = [2]float64{v.X * sign(n.Z), v.Y}
		case y >= x:
			flat[i] = [2]float64{v.Z * sign(n.Y), v.X}
		default:
			flat[i] = [2]float64{v.Y * sign(n.X), v.Z}
		}
	}
	return flat, true
}

func sign(f float64) float64 { return math.Copysign(1, f) }

// turn is twice the signed area of a triangle: positive when it runs counter-clockwise.
func turn(a, b, c [2]float64) float64 {
	return (b[0]-a[0])*(c[1]-a[1]) - (b[1]-a[1])*(c[0]-a[0])
}

func convex(p [][2]float64) bool {
	for i := range p {
		if turn(p[i], p[(i+1)%len(p)], p[(i+2)%len(p)]) < 0 {
			return false
		}
	}
	return true
}

// ears cuts off one corner after the other that has no other corner inside; what cannot be cut becomes a fan.
func ears(out [][3]int32, flat [][2]float64, corners []int32) [][3]int32 {
	left := make([]int, len(corners))
	for i := range left {
		left[i] = i
	}
	for i, tried := 0, 0; len(left) > 3; {
		n := len(left)
		a, b, c := left[(i+n-1)%n], left[i%n], left[(i+1)%n]
		if tried < n && !isEar(flat, left, a, b, c) {
			i, tried = i+1, tried+1
			continue
		}
		out = append(out, [3]int32{corners[a], corners[b], corners[c]})
		at := i % n
		left = append(left[:at], left[at+1:]...)
		i, tried = at, 0
	}
	return append(out, [3]int32{corners[left[0]], corners[left[1]], corners[left[2]]})
}

func isEar(flat [][2]float64, left []int, a, b, c int) bool {
	if turn(flat[a], flat[b], flat[c]) <= 0 {
		return false
	}
	for _, k := range left {
		if k == a || k == b || k == c {
			continue
		}
		p := flat[k]
		if turn(flat[a], flat[b], p) >= 0 && turn(flat[b], flat[c], p) >= 0 &&
			turn(flat[c], flat[a], p) >= 0 {
			return false
		}
	}
	return true
}
