package physics

import (
	"math"

	"simdeck/sim/r3"
)

// While links move, what their joints' velocities mean changes: a light link at the end of a long chain answers to
// the same push by a few times the speed after a tenth of a radian. The forces that come of it (Coriolis, centrifugal
// and gyroscopic ones), taken as they are at one moment, would give such a tree many times the energy that it has.
// So a tree that is swift keeps its energy on the way, and takes its momenta along where those forces fail: each link
// keeps its own as if it were free, and the joints take the velocities that come nearest to that by the measure of
// kinetic energy (Gauss' principle of least constraint), which never have more than the links had.

const (
	// swiftTurn is how far, in radians, links turn in a substep before their tree is swift. One that motors or friction
	// hold may go faster, unless it floats: what it gains they take, and its encoders say exactly what its motors have done.
	swiftTurn = 0.01
	swiftHeld = 0.02
	// suddenly is how many times as far they turn when a hit, and not the tree's own motion, has made it swift.
	suddenly = 3
)

// pace is the most by which links turn in a second, rad/s, or a little more.
func (l *limb) pace() float64 {
	most := 0.0
	for i := range l.links {
		k := &l.links[i]
		k.pace = 0
		if k.parent >= 0 {
			k.pace = l.links[k.parent].pace
		}
		own := 0.0
		for d := k.first; d < k.first+k.count; d++ {
			switch f := &l.dofs[d]; {
			case f.ball:
				own += float64(f.v * f.v)
			case f.axis.ang != (r3.Vec{}):
				k.pace += math.Abs(f.v)
			}
		}
		k.pace += math.Sqrt(own)
		most = max(most, k.pace)
	}
	return most
}

// isSwift reports that the links of a tree turn far in a substep.
func (l *limb) isSwift(h, times float64) bool {
	limit := swiftTurn
	if l.held && (l.touched || !l.floats) {
		limit = swiftHeld
	}
	return l.pace()*h > float64(times*limit)
}

// takeAlong notes the momenta of the links, where they are, and their energy, for their way in a time.
func (l *limb) takeAlong(time float64) {
	l.moveLinks()
	l.keptAt, l.taken, l.energy = l.origin, time, 0
	for i := range l.links {
		k := &l.links[i]
		k.kept = k.own.momentum(&k.motion)
		l.energy += float64(0.5 * k.kept.dot(&k.motion))
	}
	for d := range l.dofs {
		f := &l.dofs[d]
		f.last = f.v
		l.energy += float64(0.5 * f.rotor * f.v * f.v)
	}
}

// carryOn gives the joints the velocities that they have where the links are now. The base stands at com, rot.
func (w *World) carryOn(l *limb, com r3.Vec, rot r3.Quat) {
	time := l.taken
	l.taken = 0
	w.weighLimb(l, max(0, time))
	if time < 0 || !w.swerve(l, time) {
		w.weighLimb(l, 0)
		l.project()
	}
	if time > 0 && l.runsOn() {
		w.bend(l, float64(0.5*time))
		w.poseLimb(l, 0, com, rot)
		w.weighLinks(l)
	}
	l.arrive()
	if l.baseTwist == (spatial{}) { // or the base does work
		l.rescale(l.energy, mostRegain)
	}
}

// runsOn reports that nothing has held the joints.
func (l *limb) runsOn() bool {
	for r := range l.rows {
		if l.rows[r].sum != 0 {
			return false
		}
	}
	return !l.held && !l.tied
}

// bend moves the joints by what their velocities have changed, in a time: with half of it, by their mean.
func (w *World) bend(l *limb, time float64) {
	for d := range l.dofs {
		f := &l.dofs[d]
		f.last, f.v = f.v, f.v-f.last
	}
	w.moveJoints(l, time, 0)
	for d := range l.dofs {
		l.dofs[d].v = l.dofs[d].last
	}
}

// swerve changes the velocities of the joints by what the forces of motion do in a time, in whose middle loads will
// have done half of what they do next: what precesses does so because the two are in balance. It reports whether the
// energy has stayed so near to what it was that this is the right way.
func (w *World) swerve(l *limb, time float64) bool {
	w.forces(l, time, 0, forcesOf{loads: true, motion: true})
	l.push(time)
	w.forces(l, time, 0.5, forcesOf{motion: true})
	for d := range l.dofs {
		l.rate[d] = -float64(time * l.dofs[d].bias)
	}
	l.divide(l.rate)
	for d := range l.dofs {
		l.dofs[d].v += l.rate[d]
	}
	has, _ := l.motionEnergy()
	if math.Abs(has-l.energy) <= float64(swervePart*l.energy) {
		return true
	}
	for d := range l.dofs {
		l.dofs[d].v -= l.rate[d]
	}
	return false
}

// motionEnergy is the energy of motion of a tree, and its momentum about the origin.
func (l *limb) motionEnergy() (has float64, sum spatial) {
	l.moveLinks()
	for i := range l.links {
		k := &l.links[i]
		p := k.own.momentum(&k.motion)
		has += float64(0.5 * p.dot(&k.motion))
		sum.add(&p)
	}
	for d := range l.dofs {
		f := &l.dofs[d]
		has += float64(0.5 * f.rotor * f.v * f.v)
	}
	return has, sum
}

// project gives the joints the velocities with which the tree has the momenta that its links have taken along; the
// rotors of motors keep theirs.
func (l *limb) project() {
	shift := l.keptAt.Sub(l.origin)
	for i := range l.links {
		k := &l.links[i]
		base := k.own.momentum(&l.baseTwist)
		k.gain = spatial{k.kept.ang.Add(shift.Cross(k.kept.lin)).Sub(base.ang), k.kept.lin.Sub(base.lin)}
	}
	for i := len(l.links) - 1; i >= 0; i-- {
		k := &l.links[i]
		for d := k.first; d < k.first+k.count; d++ {
			l.rate[d] = l.dofs[d].axis.dot(&k.gain) + float64(l.dofs[d].rotor*l.dofs[d].v)
		}
		if k.parent >= 0 {
			l.links[k.parent].gain.add(&k.gain)
		}
	}
	l.divide(l.rate)
	for d := range l.dofs {
		l.dofs[d].v = l.rate[d]
	}
}

// mostRegain is by how much the velocities of joints grow at most when energy is given back.
const mostRegain = 1.25

// swervePart is by what part of it the energy may differ after a swerve.
const swervePart = 0.1

// wholePart is by what part of it the energy of the whole of a tree that floats may be above what there is to be: a stiff
// body whose momentum stays as it turns step by step has now a little more, now a little less.
const wholePart = 1e-5

// rescale brings the energy of motion to what it is to be, by the velocities of the joints among each other: what a
// tree that floats has as a whole, the momenta, stays where that is possible. They grow by a factor of most.
func (l *limb) rescale(energy, most float64) {
	if !(energy > 0) {
		energy = 0
	}
	has, sum := l.motionEnergy()
	whole, drift := 0.0, spatial{}
	if l.floats {
		drift = l.wholeTwist(&sum)
		whole = float64(0.5 * sum.dot(&drift))
	}
	inner := has - whole
	if energy < float64((1-wholePart)*whole) {
		if energy < has {
			l.scaleAbout(spatial{}, math.Sqrt(energy/has))
		}
		return
	}
	if inner > float64(1e-9*has) {
		l.scaleAbout(drift, min(most, math.Sqrt(max(0, energy-whole)/inner)))
	}
}

// scaleAbout multiplies what the joints have beside a motion of the whole.
func (l *limb) scaleAbout(drift spatial, k float64) {
	for d := range l.dofs {
		f := &l.dofs[d]
		f.v = float64(k * f.v)
	}
	if l.floats {
		for i := range 3 {
			l.dofs[i].v += float64((1 - k) * drift.lin.At(i))
			l.dofs[3+i].v += float64((1 - k) * drift.ang.At(i))
		}
	}
}

// wholeTwist is the velocity with which a floating tree, stiff as it stands, would have a momentum.
func (l *limb) wholeTwist(p *spatial) spatial {
	all := inertia{}
	for i := range l.links {
		all.add(&l.links[i].own)
	}
	c := all.moment.Scale(1 / all.mass)
	var about inertia
	about.set(-all.mass, &r3.Mat{XX: all.xx, XY: all.xy, XZ: all.xz, YY: all.yy, YZ: all.yz, ZZ: all.zz}, c)
	t := r3.Mat{XX: about.xx, XY: about.xy, XZ: about.xz, YX: about.xy, YY: about.yy, YZ: about.yz, ZX: about.xz, ZY: about.yz, ZZ: about.zz}
	inv, ok := t.Inverse()
	if !ok {
		return spatial{lin: p.lin.Scale(1 / all.mass)}
	}
	turn := inv.Apply(p.ang.Sub(c.Cross(p.lin)))
	return spatial{turn, p.lin.Scale(1 / all.mass).Sub(turn.Cross(c))}
}

// aim notes where the centre of mass of a floating tree is in a time: it goes straight ahead, however the links whirl
// about it.
func (l *limb) aim(h float64) {
	l.moveLinks()
	mass, at, way := 0.0, r3.Vec{}, r3.Vec{}
	for i := range l.links {
		k := &l.links[i]
		mass += k.own.mass
		at = at.AddScaled(k.own.mass, k.com)
		way = way.AddScaled(k.own.mass, k.motion.at(k.arm))
	}
	l.goal, l.bound = at.AddScaled(h, way).Scale(1/mass), true
}

// arrive shifts a floating tree to where its centre of mass was bound for.
func (l *limb) arrive() {
	if !l.bound {
		return
	}
	l.bound = false
	mass, at := 0.0, r3.Vec{}
	for i := range l.links {
		k := &l.links[i]
		mass += k.own.mass
		at = at.AddScaled(k.own.mass, k.com)
	}
	off := l.goal.Sub(at.Scale(1 / mass))
	l.origin = l.origin.Add(off)
	for i := range 3 {
		l.dofs[i].q += off.At(i)
	}
	for i := range l.links {
		l.links[i].com = l.links[i].com.Add(off)
	}
}

// coolSwift takes the impulses of the substep before from the contacts of swift trees: answered by links that have
// turned they would give energy. What begins with nothing and only takes speed never does.
func (s *solver) coolSwift() {
	s.cool = false
	for i := range s.limbPatches {
		p := &s.limbPatches[i]
		if a, b := p.a.limb, p.b.limb; (a == nil || !a.swift) && (b == nil || !b.swift) {
			continue
		}
		s.cool = true
		rows := s.allRows(p)
		for k := range rows {
			rows[k].j = 0
		}
	}
}

// passLimbPatches is a pass over the contacts of links, or, where some began with nothing, many.
func (s *solver) passLimbPatches(push bool, limit float64) {
	n := 1
	if s.cool {
		n = coldPasses
	}
	for range n {
		s.solveLimbPatches(push, limit)
	}
}
