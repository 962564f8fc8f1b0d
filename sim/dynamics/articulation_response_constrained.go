package dynamics

import (
	"math"
	"slices"

	"simdeck/sim/dynamics/linalg"
	"simdeck/sim/r3"
)

// A contact sees an articulation's response with its held rows: motors, limits, sticking friction and
// couplings react within the contact's own impulse (Schur complement of the held rows). If they reacted only
// in their own turn, a foot would seem as light as the shin, though motors make it carry the trunk.
// Gauss–Seidel would need some hundred iterations, push too little and then too much, and the leg would
// tremble. Where a row reaches its bound on the way, the contact continues without it.

// minConstrainedCompliance is the least compliance with held rows, as a part of the unconstrained one. Where
// held joints are all that could move, as between two links at a joint limit, a contact in overlap would
// otherwise push without bound.
const minConstrainedCompliance = 0.01

// updateConstrainedResponses updates the responses of all articulations in contact to the rows held now. With
// again, in the same substep, an unchanged set of held rows needs no work.
func (w *World) updateConstrainedResponses(again bool) {
	s := &w.solver
	if len(s.articulationContacts) == 0 {
		return
	}
	changed := !again
	for _, i := range s.activeArticulations {
		if art := &w.articulations[i]; len(art.response.links) > 0 && art.updateConstrainedResponses(again) {
			changed = true
		}
	}
	if changed {
		s.updateArticulationContactMasses()
	}
}

// updateConstrainedResponses recomputes the constrained responses; false: they are up to date.
func (art *articulation) updateConstrainedResponses(again bool) bool {
	b := &art.qp
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
func (c *linkResponse) subtractRowReactions(art *articulation, back []linalg.VecPair) {
	b, n, m := &art.qp, len(art.dofs), len(art.response.heldRows)
	x := art.response.constrainedDofs[int(c.offset) : int(c.offset)+n]
	for i, r := range art.response.heldRows {
		y := art.qp.rows[r].response(art, x)
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

// response is the row's Jacobian times the response x.
func (row *articulationRow) response(art *articulation, x []linalg.VecPair) linalg.VecPair {
	if row.dense > 0 {
		y := linalg.VecPair{}
		for d, c := range art.qp.denseCoefficients[row.dense-1:][:len(x)] {
			y.AddScaled(c, &x[d])
		}
		return y
	}
	y := x[row.i].Scale(row.coefI)
	if row.j >= 0 {
		y.AddScaled(row.coefJ, &x[row.j])
	}
	if row.k >= 0 {
		y.AddScaled(row.coefK, &x[row.k])
	}
	return y
}

// applyConstrainedImpulse applies an impulse at the link's COM together with the reactions of held rows.
func (c *linkResponse) applyConstrainedImpulse(art *articulation, at int32, f, t r3.Vec) {
	for i := range art.dofs {
		x := &art.response.constrainedDofs[int(c.offset)+i]
		art.dofs[i].v += x.Lin.Dot(f) + x.Ang.Dot(t)
	}
	for i, r := range art.response.heldRows {
		x := &art.response.rowReactions[int(at)*len(art.response.heldRows)+i]
		row := &art.qp.rows[r]
		row.impulse = max(row.lower, min(row.upper, row.impulse+x.Lin.Dot(f)+x.Ang.Dot(t)))
	}
}

// saveImpulses saves the impulses, to scale their change back.
func (p *articulationContact) saveImpulses(s *solver) {
	rows := p.allRows(s)
	for k := range rows {
		rows[k].savedImpulse = rows[k].impulse
	}
}

// applyWithinRowBounds applies the impulses found, up to where a row of an articulation reaches its bound.
// That row is at its bound from there on; true: the contact must be solved again.
func (p *articulationContact) applyWithinRowBounds(s *solver, onA, onB *velocityChange) bool {
	part, held, row := 1.0, (*articulation)(nil), 0
	for _, e := range [2]struct {
		end *constraintEnd
		on  *velocityChange
	}{{&p.a, onA}, {&p.b, onB}} {
		if e.end.articulation == nil {
			continue
		}
		if k, r := e.end.articulation.maxImpulseFraction(e.end.response, e.on); k < part {
			part, held, row = k, e.end.articulation, r
		}
	}
	p.a.applyConstrainedImpulse(s, onA.v.Scale(part), onA.w.Scale(part))
	p.b.applyConstrainedImpulse(s, onB.v.Scale(part), onB.w.Scale(part))
	if held == nil {
		return false
	}
	rows := p.allRows(s)
	for k := range rows {
		r := &rows[k]
		r.impulse = r.savedImpulse + float64(part*(r.impulse-r.savedImpulse))
	}
	held.qp.rows[row].atBound = true
	held.updateConstrainedResponses(false)
	s.updateArticulationContactMasses()
	return true
}

// maxImpulseFraction is the part of an impulse at a link up to which held rows stay within their bounds, and
// the first row that would not.
func (art *articulation) maxImpulseFraction(at int32, on *velocityChange) (part float64, first int) {
	part = 1
	for i, r := range art.response.heldRows {
		x, row := &art.response.rowReactions[int(at)*len(art.response.heldRows)+i], &art.qp.rows[r]
		d := x.Lin.Dot(on.v) + x.Ang.Dot(on.w)
		room := row.upper - row.impulse
		if d < 0 {
			room = row.lower - row.impulse
		}
		if float64(part*math.Abs(d)) > math.Abs(room)+1e-12 {
			part, first = room/d, int(r)
		}
	}
	return part, first
}

// storeRowImpulses stores row impulses for the next substep's warm start.
func (w *World) storeRowImpulses() {
	for _, i := range w.solver.activeArticulations {
		for r := range w.articulations[i].qp.rows {
			if row := &w.articulations[i].qp.rows[r]; row.kind != rowLoop {
				*w.joints.all[row.joint].storedImpulse(row.kind) = row.impulse
			}
		}
	}
}
