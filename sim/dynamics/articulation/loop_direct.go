package articulation

import (
	"math"

	"simdeck/sim/dynamics/newton"
)

// Loops of an island that Newton's method solves are rows of its problem. Their impulses act along the
// directions of the substep's beginning, and joints must be closed at its end. This is the rule of SHAKE
// (Ryckaert, Ciccotti and Berendsen, 1977). A joint's gap at the end, by the velocities found, changes the
// targets of its rows until it is closed. The ways before and after the beginning are chords of one curve, so
// that impulses do no work to the second order.

const (
	// loopCompliance is the compliance of a loop joint's rows, as a part of the inverse effective mass of all
	// of them together. Redundant rows are soft beside the others by that. Gaps by it are closed with the
	// rest.
	loopCompliance = 1e-6
	// freeLoopCompliance is the least compliance, as a part of the inverse effective mass of free bodies;
	// less is rounding.
	freeLoopCompliance = 1e-10
	// maxClosedSpeed is the most, m/s or rad/s, at which a joint that is open closes for it to be closed
	// wholly within a substep: beyond it something has hit the loop; chosen.
	maxClosedSpeed = 0.5
)

// LoopsThroughWorld reports that a loop closes through a body that the articulation does not move.
func LoopsThroughWorld(art *Articulation) bool { return closeThroughWorld(art.loops) }

// buildLoops builds the rows of loop joints at the beginning of a substep.
func (d Direct) buildLoops(h float64, base *Base, joints Joints) {
	art := d.art
	art.Rows.denseCoefficients = art.Rows.denseCoefficients[:0]
	if len(art.loops) == 0 {
		return
	}
	for i := range art.loops {
		c := &art.loops[i]
		directions := joints.LoopDirections(i, h, false)
		c.buildRows(art, int32(i), directions)
		c.open = false
		for n := range directions {
			row := &art.Rows.list[c.firstRow+n]
			closing := directions[n].Error / h
			row.Target -= closing
			c.open = c.open || math.Abs(closing) > maxClosedSpeed
		}
		joints.AddLoopRows(i)
	}
	art.computeInertia(0)
	for r := range art.Rows.list {
		if row := &art.Rows.list[r]; row.dense > 0 {
			row.regularization = d.inverseMassOf(row)
		}
	}
	d.predictLoops(h, base, joints)
}

// predictLoops adds to the targets of loop joints by how much their ways are bent. It goes by the velocities
// before the substep. Bias forces follow from the velocities that are found first, which need it.
func (d Direct) predictLoops(h float64, base *Base, joints Joints) {
	art := d.art
	end := base.after(h)
	art.forwardKinematics(h, &end)
	for i := range art.loops {
		c := &art.loops[i]
		directions := joints.LoopDirections(i, h, true)
		c.hit = c.open
		for n := range directions {
			c.hit = c.hit || math.Abs(directions[n].Error) > float64(maxClosedSpeed*h)
		}
		for n := 0; n < len(directions) && !c.hit; n++ {
			row := &art.Rows.list[c.firstRow+n]
			bent := row.denseSpeed(&art.Rows, art.dofs) - row.Target - directions[n].Error/h
			row.Target += bent
			row.RelaxedTarget += bent
		}
	}
	art.forwardKinematics(0, base)
}

// inverseMassOf is J·M⁻¹·Jᵀ of a dense row.
func (d Direct) inverseMassOf(row *Row) (sum float64) {
	art := d.art
	j := row.coefficients(&art.Rows, len(art.dofs))
	art.projection.shift = append(art.projection.shift[:0], j...)
	art.inertiaFactor.Solve(art.projection.shift)
	for i, x := range art.projection.shift {
		sum += float64(j[i] * x)
	}
	return sum
}

// weighLoops sets the compliances of loop joints.
func (d Direct) weighLoops() {
	art := d.art
	for i := range art.loops {
		c := &art.loops[i]
		end := c.firstRow + c.linearRows
		d.weighLoopRows(art.Rows.list[c.firstRow:end], c.freeCompliance[0])
		d.weighLoopRows(art.Rows.list[end:end+c.angularRows], c.freeCompliance[1])
	}
}

// weighLoopRows sets one compliance for rows.
func (d Direct) weighLoopRows(rows []Row, freeCompliance float64) {
	sum := 0.0
	for i := range rows {
		sum += rows[i].regularization
	}
	for i := range rows {
		rows[i].Compliance = float64(loopCompliance*sum) + float64(freeLoopCompliance*freeCompliance)
	}
}

// addDenseRow adds a row of a loop joint to the problem. Degrees of freedom that move both ends alike are
// left out.
func (d Direct) addDenseRow(p *newton.Problem, r *Row) {
	art := d.art
	c := &art.loops[r.loopOf]
	x := r.coefficients(&art.Rows, len(art.dofs))
	a, b := int32(-1), int32(-1)
	if c.linkA >= 0 {
		a = art.links[c.linkA].lastDof
	}
	if c.linkB >= 0 {
		b = art.links[c.linkB].lastDof
	}
	compliance := r.Compliance
	if !r.loop {
		part := max(r.RelativeCompliance, minDirectRowCompliance)
		compliance = max(compliance, float64(part*r.regularization)+
			float64(freeLoopCompliance*(c.freeCompliance[0]+c.freeCompliance[1])))
	}
	dofs, coefficients := art.step.rowDofs[:0], art.step.rowCoefficients[:0]
	for a != b {
		at := max(a, b)
		if a == at {
			a = art.dofs[a].parent
		} else {
			b = art.dofs[b].parent
		}
		dofs, coefficients = append(dofs, d.dof+at), append(coefficients, x[at])
	}
	art.step.rowDofs, art.step.rowCoefficients = dofs, coefficients
	p.AddJointRow(&newton.Row{Target: r.Target, RelaxedTarget: r.RelaxedTarget, Lower: r.Lower,
		Upper: r.Upper, Impulse: r.Impulse, Compliance: compliance}, dofs, coefficients)
}

// EndGaps finds the gaps of loop joints at the end of a substep of h seconds, by the solved velocities. The
// base is the one there. It returns the largest, m or rad. PlaceAgain must follow in the end.
func (d Direct) EndGaps(p *newton.Problem, h float64, base *Base, joints Joints) (worst float64) {
	art := d.art
	for i := range art.dofs {
		f := &art.dofs[i]
		f.vBefore, f.v = f.v, p.Velocity[int(d.dof)+i]
	}
	art.forwardKinematics(h, base)
	for i := range art.dofs {
		art.dofs[i].v = art.dofs[i].vBefore
	}
	for i := range art.loops {
		c := &art.loops[i]
		if c.open {
			continue
		}
		directions := joints.LoopDirections(i, h, true)
		for n := range directions {
			off := directions[n].Error
			worst = max(worst, math.Abs(off))
			art.Rows.list[c.firstRow+n].endGap = off
		}
	}
	return worst
}

// AimLoops changes the targets of loop joints by their gaps at the end of a substep of h seconds. Resume must
// follow.
func (d Direct) AimLoops(p *newton.Problem, h float64) {
	for i := range d.art.Rows.list {
		if r := &d.art.Rows.list[i]; r.loop && !d.art.loops[r.loopOf].open {
			r.aimed = -r.endGap / h
			p.ChangeTarget(d.row+int32(i), r.aimed)
		}
	}
}

// UndoAim takes the last change of AimLoops back. Resume must follow.
func (d Direct) UndoAim(p *newton.Problem) {
	for i := range d.art.Rows.list {
		if r := &d.art.Rows.list[i]; r.loop && !d.art.loops[r.loopOf].open {
			p.ChangeTarget(d.row+int32(i), -r.aimed)
		}
	}
}

// PlaceAgain puts the links where BeginDirect had put them.
func (d Direct) PlaceAgain(h float64, base *Base, bias BiasForces) {
	if bias == BiasMiddle {
		middle := base.after(float64(0.5 * h))
		d.art.forwardKinematics(float64(0.5*h), &middle)
		d.art.computeBaseVelocity(&middle)
		return
	}
	d.art.forwardKinematics(0, base)
	d.art.computeBaseVelocity(base)
}

// LoopWork is the work in the solution, J, of loop joints that something has hit: their velocities were not
// those of a closed loop. The work of joints to what moves does not count.
func (d Direct) LoopWork(p *newton.Problem) (sum float64) {
	for i := range d.art.Rows.list {
		if r := &d.art.Rows.list[i]; r.loop && d.art.loops[r.loopOf].hit && r.RelaxedTarget == 0 {
			sum += p.JointWork(d.row + int32(i))
		}
	}
	return sum
}

// HoldLoops takes what closes loop joints out of the relaxed velocities: impulses that hold those do no work.
func (d Direct) HoldLoops(p *newton.Problem) {
	for i := range d.art.Rows.list {
		if r := &d.art.Rows.list[i]; r.loop {
			p.SetRelaxedTarget(d.row+int32(i), r.RelaxedTarget)
		}
	}
}
