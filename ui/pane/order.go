package pane

import (
	"cmp"
	"slices"

	"simdeck/sim"
)

// resort orders the rows by the chosen column, equal ones by name. Values
// change little from one picture to the next, so it first repairs the order
// it has by insertion and sorts only when that becomes too much work.
func (e *Entities) resort(s *sim.Snapshot) {
	key := e.cols[e.sort].key
	n := len(s.Entities)
	if cap(e.keys) < n {
		e.keys = make([]float64, n)
	}
	e.keys = e.keys[:n]
	for i := range e.keys {
		e.keys[i] = float64(i)
		if key != nil {
			e.keys[i] = key(&e.model.Entities[i], &s.Entities[i])
		}
	}
	before := e.before
	if !insertion(e.order, before, 4*len(e.order)) {
		slices.SortFunc(e.order, func(a, b int32) int {
			switch {
			case before(a, b):
				return -1
			case before(b, a):
				return 1
			}
			return 0
		})
	}
}

// before is the order of two entities; NaN comes last whatever the direction.
func (e *Entities) before(a, b int32) bool {
	x, y := e.keys[a], e.keys[b]
	if xn, yn := x != x, y != y; xn || yn {
		return !xn && yn || xn == yn && a < b
	}
	c := cmp.Compare(x, y)
	if e.reverse {
		c = -c
	}
	return c < 0 || c == 0 && a < b
}

// insertion sorts a list that is almost in order; it gives up, with the list
// still a permutation, after that many moves.
func insertion(list []int32, before func(a, b int32) bool, moves int) bool {
	for i := 1; i < len(list); i++ {
		v, j := list[i], i
		for ; j > 0 && before(v, list[j-1]); j-- {
			list[j] = list[j-1]
			moves--
		}
		list[j] = v
		if moves < 0 {
			return false
		}
	}
	return true
}
