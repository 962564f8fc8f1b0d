package shape

import (
	"fmt"

	"simdeck/sim/r3"
)

// finish merges triangles of one plane into faces and keeps the vertices that are still in use.
func (b *hullBuilder) finish() (*Hull, error) {
	b.compact()
	h := &Hull{}
	index := make([]int32, len(b.points))
	for i := range index {
		index[i] = -1
	}
	done := make([]bool, len(b.faces))
	for i := range b.faces {
		if done[i] {
			continue
		}
		loop := b.outline(b.flatPatch(i, done))
		if len(loop) < 3 {
			return nil, fmt.Errorf("%w: hull face around triangle %d does not close; points too close together",
				ErrShape, i)
		}
		for k, v := range loop {
			if index[v] < 0 {
				index[v] = int32(len(h.vertices))
				h.vertices = append(h.vertices, b.points[v])
			}
			loop[k] = index[v]
		}
		h.faces = append(h.faces, loop)
	}
	h.measure()
	return h, nil
}

// measure finds the normals and offsets of the faces.
func (h *Hull) measure() {
	for _, f := range h.faces {
		n := newell(h.vertices, f)
		off := 0.0
		for k, v := range f {
			if d := n.Dot(h.vertices[v]); k == 0 || d > off {
				off = d
			}
		}
		h.normals = append(h.normals, n)
		h.offsets = append(h.offsets, off)
	}
}

// flatPatch is the triangles connected to seed whose corners all lie in seed's plane.
func (b *hullBuilder) flatPatch(seed int, done []bool) []int {
	done[seed] = true
	s := &b.faces[seed]
	patch := []int{seed}
	for k := 0; k < len(patch); k++ {
		f := &b.faces[patch[k]]
		for _, o := range f.next {
			if o < 0 || done[o] {
				continue
			}
			flat := s.normal.Dot(b.faces[o].normal) > 0.999
			for _, v := range b.faces[o].v {
				d := s.normal.Dot(b.points[v]) - s.offset
				flat = flat && d < 100*b.eps && d > -100*b.eps
			}
			if flat {
				done[o] = true
				patch = append(patch, int(o))
			}
		}
	}
	return patch
}

// outline walks once around a patch, counter-clockwise.
func (b *hullBuilder) outline(patch []int) []int32 {
	within := func(u, v int32) bool {
		for _, i := range patch {
			f := &b.faces[i]
			for k := range 3 {
				if f.v[k] == u && f.v[(k+1)%3] == v {
					return true
				}
			}
		}
		return false
	}
	var edges [][2]int32
	for _, i := range patch {
		f := &b.faces[i]
		for k := range 3 {
			if u, v := f.v[k], f.v[(k+1)%3]; !within(v, u) {
				edges = append(edges, [2]int32{u, v})
			}
		}
	}
	if len(edges) == 0 {
		return nil
	}
	var loop []int32
	for at := edges[0][0]; len(loop) < len(edges); {
		loop = append(loop, at)
		next := int32(-1)
		for _, e := range edges {
			if e[0] == at {
				next = e[1]
				break
			}
		}
		at = next
		if at < 0 || at == loop[0] {
			break
		}
	}
	if len(loop) != len(edges) {
		return nil
	}
	return loop
}

// newell is the unit normal of a polygon that need not be exactly flat.
func newell(vertices []r3.Vec, face []int32) r3.Vec {
	var n r3.Vec
	o := vertices[face[0]]
	for i := 2; i < len(face); i++ {
		n = n.Add(vertices[face[i-1]].Sub(o).Cross(vertices[face[i]].Sub(o)))
	}
	u, _ := n.Unit()
	return u
}
