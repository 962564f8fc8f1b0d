package physics

import (
	"slices"
	"sort"
)

// besideList is which static geoms touch each other: tiles of a floor, parts of a wall. It follows from where they stand.
type besideList struct {
	keys  []uint64 // a geom and one beside it, both ways, ascending
	moved []int32  // geoms to be looked at
	stale bool     // all are
}

func besideKey(s, o int32) uint64 { return uint64(s)<<32 | uint64(o) }

// beside is the keys of the static geoms that touch one; the other is in the lower half.
func (w *World) beside(s int32) []uint64 {
	keys := w.besides.keys
	if len(keys) == 0 {
		return nil
	}
	first := sort.Search(len(keys), func(i int) bool { return keys[i] >= besideKey(s, 0) })
	end := first
	for end < len(keys) && int32(keys[end]>>32) == s {
		end++
	}
	return keys[first:end]
}

// noteStatic remembers that a geom has come to a place, if it is one that stands there for good.
func (w *World) noteStatic(s int32) {
	if w.bodies[w.geoms[s].body].kind == Static {
		w.besides.moved = append(w.besides.moved, s)
	}
}

// findBeside brings the list up to date.
func (w *World) findBeside() {
	b := &w.besides
	if b.stale {
		b.keys, b.moved = b.keys[:0], b.moved[:0]
		for s := range w.geoms {
			if w.geoms[s].leaf >= 0 {
				w.noteStatic(int32(s))
			}
		}
		b.stale = false
	}
	if len(b.moved) == 0 {
		return
	}
	slices.Sort(b.moved)
	b.keys = slices.DeleteFunc(b.keys, func(k uint64) bool { return b.hasMoved(int32(k>>32)) || b.hasMoved(int32(k&0xffffffff)) })
	d := &w.desks[0]
	for _, s := range b.moved {
		if w.geoms[s].leaf < 0 || w.geoms[s].sensor {
			continue
		}
		d.near = w.tree.query(&w.placed[s].fat, d.near[:0])
		for _, o := range d.near {
			if g := &w.geoms[o]; o != s && !g.sensor && w.bodies[g.body].kind == Static && w.placed[s].tight.Near(&w.placed[o].tight, seamNear) {
				b.keys = append(b.keys, besideKey(s, o), besideKey(o, s))
			}
		}
	}
	slices.Sort(b.keys)
	b.keys = slices.Compact(b.keys)
	b.moved = b.moved[:0]
}

func (l *besideList) hasMoved(s int32) bool {
	_, found := slices.BinarySearch(l.moved, s)
	return found
}

func (l *besideList) copyFrom(o *besideList) {
	l.keys, l.moved, l.stale = append(l.keys[:0], o.keys...), append(l.moved[:0], o.moved...), o.stale
}
