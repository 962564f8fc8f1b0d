package articulation

import (
	"math"
	"slices"

	"simdeck/sim/dynamics/linalg"
	"simdeck/sim/r3"
)

// A contact sees an articulation's response with its held rows: motors, limits, sticking friction and
// couplings react within its impulse (Schur complement). If they reacted only in their own turn, a foot would
// seem as light as the shin, though motors make it carry the trunk. Gauss–Seidel would need some hundred
// iterations, push too little and then too much, and the leg would tremble. Where a row reaches its bound on
// the way, the contact continues without it.

// UpdateConstrainedResponses computes the responses with the rows held now. With again, in the same substep,
// an unchanged set of held rows needs no work: false.
func (art *Articulation) UpdateConstrainedResponses(again bool) bool {
	b := &art.Rows
	b.listFree()
	if again && slices.Equal(b.free, art.response.heldRows) {
		return false
	}
	art.response.heldRows = append(art.response.heldRows[:0], b.free...)
	art.response.constrainedDofs = append(art.response.constrainedDofs[:0], art.response.dofs...)
	if n := len(art.response.heldRows) * len(art.response.links); cap(art.response.rowReactions) < n {
		art.response.rowReactions = make([]linalg.VecPair, n, 2*n)
	} else {
		art.response.rowReactions = art.response.rowReactions[:n]
	}
	b.factorFreeRows()
	for r := range art.response.links {
		c := &art.response.links[r]
		c.subtractRowReactions(art, art.response.rowReactions[r*len(art.response.heldRows):][:len(
			art.response.heldRows)])
		c.constrained = art.crossResponse(art.response.constrainedDofs, c, c)
	}
	return true
}

// subtractRowReactions subtracts the reactions of held rows from a response; back receives their impulses.
func (c *linkResponse) subtractRowReactions(art *Articulation, back []linalg.VecPair) {
	b, n, m := &art.Rows, len(art.dofs), len(art.response.heldRows)
	x := art.response.constrainedDofs[int(c.offset) : int(c.offset)+n]
	for i, r := range art.response.heldRows {
		y := art.Rows.list[r].response(&art.Rows, x)
		for k := range i {
			y.AddScaled(-b.factor[i*m+k], &back[k])
		}
		back[i] = y.Scale(b.factor[i*m+i])
	}
	for i := m - 1; i >= 0; i-- {
		y := back[i]
		for k := i + 1; k < m; k++ {
			y.AddScaled(b.factor[k*m+i], &back[k])
		}
		back[i] = y.Scale(-b.factor[i*m+i])
	}
	for i, r := range art.response.heldRows {
		for d, a := range b.rowResponses[int(r)*n : int(r)*n+n] {
			if a != 0 {
				x[d].AddScaled(a, &back[i])
			}
		}
	}
}

// ConstrainedImpulseResponse is ImpulseResponse with the reactions of held rows.
func (e LinkEnd) ConstrainedImpulseResponse(f, t r3.Vec) (v, w r3.Vec) {
	return e.art.response.links[e.response].constrained.Apply(f, t)
}

// ConstrainedCrossResponse is CrossResponse with the reactions of held rows.
func (e LinkEnd) ConstrainedCrossResponse(other LinkEnd) ResponseMatrix {
	c := &e.art.response
	return e.art.crossResponse(c.constrainedDofs, &c.links[e.response], &c.links[other.response])
}

// ApplyConstrainedImpulse is ApplyImpulse together with the reactions of held rows.
func (e LinkEnd) ApplyConstrainedImpulse(f, t r3.Vec) {
	art := e.art
	e.applyImpulse(art.response.constrainedDofs, f, t)
	for i, r := range art.response.heldRows {
		x := &art.response.rowReactions[int(e.response)*len(art.response.heldRows)+i]
		row := &art.Rows.list[r]
		row.Impulse = max(row.Lower, min(row.Upper, row.Impulse+x.Lin.Dot(f)+x.Ang.Dot(t)))
	}
}

// MaxImpulseFraction returns the part, at most 1, of an impulse that keeps held rows within bounds, and the
// first limiting row.
func (e LinkEnd) MaxImpulseFraction(f, t r3.Vec) (part float64, first int) {
	part = 1
	held := e.art.response.heldRows
	for i, r := range held {
		x, row := &e.art.response.rowReactions[int(e.response)*len(held)+i], &e.art.Rows.list[r]
		d := x.Lin.Dot(f) + x.Ang.Dot(t)
		room := row.Upper - row.Impulse
		if d < 0 {
			room = row.Lower - row.Impulse
		}
		if float64(part*math.Abs(d)) > math.Abs(room)+1e-12 {
			part, first = room/d, int(r)
		}
	}
	return part, first
}

// ReleaseRow makes a held row stay at the bound that it has reached, and updates the constrained responses.
func (art *Articulation) ReleaseRow(row int) {
	art.Rows.list[row].atBound = true
	art.UpdateConstrainedResponses(false)
}
