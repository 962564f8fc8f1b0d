package pane

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"simdeck/sim"
)

// resort orders the rows by the chosen column, equal ones by name. Values change little between pictures, so
// it first repairs its order by insertion, and sorts only when that is too much work.
func (e *Entities) resort(s *sim.Snapshot) {
	c := &e.cols[e.sort]
	n := len(s.Entities)
	if cap(e.keys) < n {
		e.keys = make([]float64, n)
	}
	e.keys = e.keys[:n]
	switch {
	case c.key != nil:
		for i := range e.keys {
			e.keys[i] = c.key(s, i)
		}
	case c.text != nil:
		e.rank(c, s)
	default:
		for i := range e.keys {
			e.keys[i] = float64(i)
		}
	}
	if e.fold.on { // fixed entities stay behind the others
		e.put(e.order[:e.fold.at])
		e.put(e.order[e.fold.at:])
		return
	}
	e.put(e.order)
}

// put puts rows into their order.
func (e *Entities) put(rows []int32) {
	before := e.before
	if insertion(rows, before, 4*len(rows)) {
		return
	}
	slices.SortFunc(rows, func(a, b int32) int {
		switch {
		case before(a, b):
			return -1
		case before(b, a):
			return 1
		}
		return 0
	})
}

// rank makes keys of the texts of a column: their places in the alphabet,
// with what has no text last.
func (e *Entities) rank(c *column, s *sim.Snapshot) {
	places := map[string]float64{}
	of := make([]string, len(e.keys))
	for i := range of {
		of[i] = c.text(s, i)
		places[of[i]] = 0
	}
	for k, text := range slices.Sorted(maps.Keys(places)) {
		places[text] = float64(k)
	}
	if _, some := places[""]; some {
		places[""] = math.NaN()
	}
	for i := range e.keys {
		e.keys[i] = places[of[i]]
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
