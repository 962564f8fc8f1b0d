package physics

import "simdeck/sim/r3"

// A joint that closes a ring of a limb's links is solved with the limb: what it holds are rows of the limb's block, beside
// its motors and stops, by what the joints of the tree do to its ends (J·M⁻¹·Jᵀ of all that close rings, at once).
// A joint that waits for its turn beside the tree is undone by the others turn by turn, and undoes them: a ring that its
// joints leave hardly free is then thrown by what is left. See limbshut.go for how the ends stay together.

// loop is such a joint in this step. The ring may close through what does not move of itself.
type loop struct {
	row  jointRow // its constants, and where it is
	a, b int32    // links; -1: what does not move of itself
	// Of its rows in the block: the first, how many hold its ends together, and how many hold them straight.
	first, ends, turns int
	loose              [2]float64 // by how much its bodies would yield if they were free: to impulses, and to torques
}

// closeRing makes a joint a loop of the limb in which it closes a ring; false: it does not.
func (w *World) closeRing(slot int32) bool {
	j := &w.joints[slot]
	number, c := int32(0), loop{a: -1, b: -1}
	for _, e := range [2]struct {
		body int32
		link *int32
	}{{j.parent, &c.a}, {j.child, &c.b}} {
		if e.body < 0 || w.bodies[e.body].kind != Dynamic {
			continue
		}
		b := &w.bodies[e.body]
		if b.limb == 0 || number != 0 && b.limb != number {
			return false
		}
		number, *e.link = b.limb, b.link
		in := &w.inert[e.body]
		turn := in.inv.XX + in.inv.YY + in.inv.ZZ
		anchor := j.anchorB
		if e.link == &c.a {
			anchor = j.anchorA
		}
		c.loose[0] += in.invMass + float64(turn*anchor.Len2())
		c.loose[1] += turn
	}
	if number == 0 || !w.moves(w.limbs[number-1].links[0].body) || j.gear.on || w.leads(slot) {
		return false // gears know ordinary joints, and those of limbs
	}
	l := &w.limbs[number-1]
	j.rescale(w.warmScale())
	j.jDamp = float64(j.jDamp * w.warmScale())
	c.row = jointRow{
		slot: slot, kind: j.kind, pitch: j.pitch, position: j.position,
		anchorA: j.anchorA, anchorB: j.anchorB, rotA: j.rotA, rotB: j.rotB,
	}
	l.loops = append(l.loops, c)
	l.held = l.held || j.friction > 0 || j.damping > 0 || j.stiffness > 0 || j.motor.mode != motorOff || j.locked()
	return true
}

// leads reports that another joint follows this one.
func (w *World) leads(slot int32) bool {
	for i := range w.joints {
		if g := &w.joints[i].gear; g.on && g.leader == slot {
			return true
		}
	}
	return false
}

// loopEnd is where an end's body is now, and how it moves if that does not follow from the limb's joints.
func (w *World) loopEnd(l *limb, link, body int32) (com r3.Vec, rot r3.Quat, v kick) {
	if link >= 0 {
		k := &l.links[link]
		return k.com, k.rot, kick{l.baseTwist.at(k.arm), l.baseTwist.ang}
	}
	if body < 0 {
		return r3.Vec{}, r3.Identity(), kick{}
	}
	m := &w.motion[body]
	com, rot = m.com, m.rot
	if w.bodies[body].kind == Kinematic {
		v = kick{m.v, m.w}
		if i := w.solver.index[body]; i != 0 {
			mv := &w.solver.moving[i]
			com, rot = com.Add(mv.dp), rot.Turn(mv.da)
		}
	}
	return com, rot, v
}

// follow finds where a loop's ends are, with the links where they are; it returns by which velocity they part as the
// base, and what does not move of itself, carry them.
func (w *World) followLoop(l *limb, c *loop) (a, b kick) {
	r, j := &c.row, &w.joints[c.row.slot]
	comA, rotA, a := w.loopEnd(l, c.a, j.parent)
	comB, rotB, b := w.loopEnd(l, c.b, j.child)
	frameA, frameB := rotA.Mul(r.rotA), rotB.Mul(r.rotB)
	m := frameA.Mat()
	r.p1, r.p2, r.axis = m.Col(0), m.Col(1), m.Col(2)
	r.armA, r.armB = rotA.Rotate(r.anchorA), rotB.Rotate(r.anchorB)
	r.apart = comB.Sub(comA).Add(r.armB).Sub(r.armA)
	r.armA = r.armA.Add(r.apart) // ends push each other at one point: B's, as A sees it
	switch r.kind {
	case Universal:
		second := frameB.Rotate(r3.Vec{X: 1})
		r.position = countOn(r.position, r3.Atan2(second.Dot(r.p2), second.Dot(r.p1)), false)
		r.p1 = second.Cross(r.axis)
		r.skewed = r.p1.Scale(r.axis.Dot(second))
	case Revolute, Continuous, Screw, Planar:
		r.position = countOn(r.position, twistAngle(frameA, frameB), false)
		r.lean(frameB.Rotate(r3.Vec{Z: 1}))
	case Fixed, Prismatic:
		r.skewed = frameB.Mul(frameA.Conj()).Vector()
	}
	along := r.apart.Dot(r.axis)
	switch r.kind {
	case Prismatic:
		r.position = along
		r.apart = r.apart.AddScaled(-along, r.axis)
	case Screw:
		r.apart = r.apart.AddScaled(float64(-r.pitch*r.position), r.axis)
	case Planar:
		r.apart = r.axis.Scale(along)
	}
	return a, b
}

// off is by how much a part of a loop's ends is not where it should be, m or rad.
func (r *jointRow) off(part uint8) float64 {
	if part < 3 {
		return r.apart.Dot(r.direction(part))
	}
	return r.skewed.Dot(r.direction(part))
}

// look writes by how much a row along and about which A and B count looks at each degree of freedom.
func (l *limb) look(c *loop, x []float64, along, armA, armB r3.Vec) {
	clear(x)
	if c.b >= 0 {
		k := &l.links[c.b]
		for d := k.last; d >= 0; d = l.dofs[d].parent {
			s := &l.dofs[d].axis
			x[d] += along.Dot(s.at(k.arm)) + armB.Dot(s.ang)
		}
	}
	if c.a >= 0 {
		k := &l.links[c.a]
		for d := k.last; d >= 0; d = l.dofs[d].parent {
			s := &l.dofs[d].axis
			x[d] -= along.Dot(s.at(k.arm)) + armA.Dot(s.ang)
		}
	}
}

// readLoops copies what encoders and torque sensors say to the joints that close loops.
func (w *World) readLoops(l *limb) {
	for i := range l.loops {
		slot := l.loops[i].row.slot
		j := &w.joints[slot]
		j.effort = 0
		if j.motor.mode != motorOff {
			j.effort = float64(j.jDrive * w.solver.invH)
		}
		j.lin, j.ang = r3.Vec{}, r3.Vec{}
		w.measureJoint(slot, true)
	}
}
