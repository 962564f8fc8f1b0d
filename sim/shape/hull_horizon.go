package shape

import (
	"cmp"
	"slices"
)

// link makes the faces around an apex, whose first edges are those of the rim, neighbours of each other.
func (b *hullBuilder) link(faces []int32) {
	first := b.born - int32(len(faces))
	for _, i := range faces {
		b.starts[b.faces[i].v[0]] = -1
	}
	for _, i := range faces {
		from := b.faces[i].v[0]
		b.patchVertices = b.patchVertices || b.starts[from] >= 0
		b.starts[from] = i
	}
	for _, i := range faces {
		f := &b.faces[i]
		if b.patchVertices {
			f.next[1], f.next[2] = b.across(first, f.v[1], f.v[2]), b.across(first, f.v[2], f.v[0])
			continue
		}
		f.next[1] = b.starts[f.v[1]]
		b.faces[f.next[1]].next[2] = i
	}
}

// across finds the oldest face born from a time on that has the edge u→v the other way round; -1: none has.
func (b *hullBuilder) across(born int32, u, v int32) int32 {
	at := int32(-1)
	for i := range b.faces {
		f := &b.faces[i]
		if f.born >= born && ((f.v[0] == v && f.v[1] == u) || (f.v[1] == v && f.v[2] == u) ||
			(f.v[2] == v && f.v[0] == u)) &&
			(at < 0 || f.born < b.faces[at].born) {
			at = int32(i)
		}
	}
	return at
}

// horizonEdge is an edge of the hole that a new corner is connected to, and the live face behind it.
type horizonEdge struct{ from, to, face, edge, born int32 }

// addHorizonFaces kills the faces around seed that the apex sees. It finds the directed edges around the
// hole, older faces' first, and the points assigned to dead faces, except the apex.
func (b *hullBuilder) addHorizonFaces(seed int32, apex int32) {
	at := b.points[apex]
	b.orphans, b.dead = b.orphans[:0], append(b.dead[:0], seed)
	b.faces[seed].born = -1
	for k := 0; k < len(b.dead); k++ {
		f := &b.faces[b.dead[k]]
		for i := f.first; i >= 0; i = b.after[i] {
			if i != apex { // a corner is outside of nothing, however thin its faces are
				b.orphans = append(b.orphans, i)
			}
		}
		f.outside = 0
		b.volume += float64((f.normal.Dot(at)-f.offset)*f.size) / 6
		for _, other := range f.next {
			if other < 0 || b.faces[other].born < 0 {
				continue
			}
			o := &b.faces[other]
			if o.normal.Dot(at)-o.offset > b.eps {
				o.born = -1
				b.dead = append(b.dead, other)
			}
		}
	}
	b.outlineHole()
	b.free = append(b.free, b.dead...)
}

// outlineHole finds the rim of the faces that have just died.
func (b *hullBuilder) outlineHole() {
	b.horizon = b.horizon[:0]
	take := func(i int32) {
		f := &b.faces[i]
		for k, other := range f.next {
			if other < 0 || b.faces[other].born < 0 {
				b.horizon = append(b.horizon, horizonEdge{f.v[(k+1)%3], f.v[k], i, int32(k), f.born})
			}
		}
	}
	if b.patchVertices {
		for i := range b.faces {
			if b.faces[i].born >= 0 {
				take(int32(i))
			}
		}
	} else {
		b.walkHole()
	}
	slices.SortFunc(b.horizon, func(p,
		q horizonEdge) int {
		return cmp.Or(cmp.Compare(p.born, q.born), cmp.Compare(p.edge, q.edge))
	})
}

// walkHole finds the rim by the dead faces' neighbours, each of which knows them.
func (b *hullBuilder) walkHole() {
	for _, i := range b.dead {
		f := &b.faces[i]
		for k, other := range f.next {
			o := &b.faces[other]
			if o.born < 0 {
				continue
			}
			edge := int32(0)
			for o.v[edge] != f.v[(k+1)%3] {
				edge++
			}
			b.horizon = append(b.horizon, horizonEdge{f.v[k], f.v[(k+1)%3], other, edge, o.born})
		}
	}
}
