package render

import (
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

const (
	mostSmooth = 300_000 // faces of a mesh whose normals are made
	crowd      = 64      // faces around a point that are smoothed
	crease     = 0.7     // cosine: of faces at a sharper edge neither bends the other
)

// mesh takes the triangles of a file. Normals that it does not give are those
// of the faces around, where no edge parts them.
func (s *Shape) mesh(g *scene.Geom) {
	scale := g.Scale
	if scale == (r3.Vec{}) {
		scale = r3.V(1, 1, 1)
	}
	s.points, s.faces = g.Mesh.Vertices, g.Mesh.Triangles
	if scale != r3.V(1, 1, 1) {
		s.points = make([]r3.Vec, len(g.Mesh.Vertices))
		for i, p := range g.Mesh.Vertices {
			s.points[i] = p.Mul(scale)
		}
	}
	s.corners = g.Mesh.Corners
	if s.corners != nil && scale.X == scale.Y && scale.Y == scale.Z && scale.X > 0 && s.said() {
		return
	}
	old := s.corners
	s.corners = make([][3]scene.Corner, len(s.faces))
	copy(s.corners, old)
	s.smooth(s.said(), scale)
}

// said reports whether the file gives normals.
func (s *Shape) said() bool {
	for i := range s.corners {
		if s.corners[i][0].Normal != [3]float32{} {
			return true
		}
	}
	return false
}

// smooth makes the normals of the corners, or bends those that are given by
// the scale.
func (s *Shape) smooth(given bool, scale r3.Vec) {
	if given {
		for i := range s.corners {
			for k := range s.corners[i] {
				n := &s.corners[i][k].Normal
				u, _ := r3.V(float64(n[0])/scale.X, float64(n[1])/scale.Y, float64(n[2])/scale.Z).Unit()
				*n = [3]float32{float32(u.X), float32(u.Y), float32(u.Z)}
			}
		}
		return
	}
	if len(s.faces) > mostSmooth {
		return
	}
	own := make([]r3.Vec, len(s.faces)) // of a length as the area
	for i, f := range s.faces {
		a, b, c := s.points[f[0]], s.points[f[1]], s.points[f[2]]
		own[i] = b.Sub(a).Cross(c.Sub(a))
	}
	start, list, id := s.around()
	for i, f := range s.faces {
		mine, ok := own[i].Unit()
		if !ok {
			continue
		}
		for k, corner := range f {
			at := id[corner]
			near := list[start[at]:start[at+1]]
			if len(near) > crowd {
				continue
			}
			sum := r3.Vec{}
			for _, j := range near {
				if u, ok := own[j].Unit(); ok && u.Dot(mine) > crease {
					sum = sum.Add(own[j])
				}
			}
			if u, ok := sum.Unit(); ok {
				s.corners[i][k].Normal = [3]float32{float32(u.X), float32(u.Y), float32(u.Z)}
			}
		}
	}
}

// around lists the faces at every place: those of place p are
// list[start[p]:start[p+1]], and id is the place of a point.
func (s *Shape) around() (start, list, id []int32) {
	places := make(map[r3.Vec]int32, len(s.points))
	id = make([]int32, len(s.points))
	for i, p := range s.points {
		at, known := places[p]
		if !known {
			at = int32(len(places))
			places[p] = at
		}
		id[i] = at
	}
	start = make([]int32, len(places)+1)
	for _, f := range s.faces {
		for _, c := range f {
			start[id[c]+1]++
		}
	}
	for i := range len(start) - 1 {
		start[i+1] += start[i]
	}
	list = make([]int32, 3*len(s.faces))
	next := append([]int32(nil), start...)
	for i, f := range s.faces {
		for _, c := range f {
			list[next[id[c]]] = int32(i)
			next[id[c]]++
		}
	}
	return start, list, id
}
