package dynamics

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
	// fastTurn is how far, in radians, links turn in a substep before their tree is swift. One that motors or friction
	// hold may go faster, unless it floats: what it gains they take, and its encoders say exactly what its motors have done.
	fastTurn         = 0.01
	fastTurnActuated = 0.02
	// suddenFactor is how many times as far they turn when a hit, and not the tree's own motion, has made it swift.
	suddenFactor = 3
)

// angularSpeedBound is the most by which links turn in a second, rad/s, or a little more.
func (l *kinematicTree) angularSpeedBound() float64 {
	most := 0.0
	for i := range l.links {
		k := &l.links[i]
		k.angularSpeedBound = 0
		if k.parent >= 0 {
			k.angularSpeedBound = l.links[k.parent].angularSpeedBound
		}
		own := 0.0
		for d := k.firstDof; d < k.firstDof+k.dofCount; d++ {
			switch f := &l.dofs[d]; {
			case f.spherical:
				own += float64(f.v * f.v)
			case f.axis.ang != (r3.Vec{}):
				k.angularSpeedBound += math.Abs(f.v)
			}
		}
		k.angularSpeedBound += math.Sqrt(own)
		most = max(most, k.angularSpeedBound)
	}
	return most
}

// isFast reports that the links of a tree turn far in a substep.
func (l *articulation) isFast(h, times float64) bool {
	limit := fastTurn
	if l.step.actuated && (l.step.inContact || !l.floating) {
		limit = fastTurnActuated
	}
	return l.angularSpeedBound()*h > float64(times*limit)
}

// saveMomenta notes the momenta of the links, where they are, and their energy, for their way in a time.
func (l *articulation) saveMomenta(time float64) {
	l.computeVelocities()
	l.carried.origin, l.carried.time, l.carried.kineticEnergy = l.root.origin, time, 0
	for i := range l.links {
		k := &l.links[i]
		k.carriedMomentum = k.inertia.momentum(&k.velocity)
		l.carried.kineticEnergy += float64(0.5 * k.carriedMomentum.dot(&k.velocity))
	}
	for d := range l.dofs {
		f := &l.dofs[d]
		f.vBefore = f.v
		l.carried.kineticEnergy += float64(0.5 * f.armature * f.v * f.v)
	}
}

// restoreFromMomenta gives the joints the velocities that they have where the links are now. The base stands at com, rot.
func (l *articulation) restoreFromMomenta(w *World, com r3.Vec, rot r3.Quat) {
	time := l.carried.time
	l.carried.time = 0
	l.computeInertia(w, max(0, time))
	if time < 0 || !l.integrateBiasForces(w, time) {
		l.computeInertia(w, 0)
		l.projectMomenta()
	}
	if time > 0 && l.isUnconstrained() {
		l.correctPositions(w, float64(0.5*time))
		l.forwardKinematics(w, 0, com, rot)
		l.computeLinkInertias(w)
	}
	l.shiftToPredictedCenter()
	if l.root.twist == (spatial{}) { // or the base does work
		l.scaleToEnergy(l.carried.kineticEnergy, maxSpeedGain)
	}
}

// isUnconstrained reports that nothing has held the joints.
func (l *articulation) isUnconstrained() bool {
	for r := range l.qp.rows {
		if l.qp.rows[r].impulse != 0 {
			return false
		}
	}
	return !l.step.actuated && !l.step.hasExternalJoint
}

// correctPositions moves the joints by what their velocities have changed, in a time: with half of it, by their mean.
func (l *articulation) correctPositions(w *World, time float64) {
	for d := range l.dofs {
		f := &l.dofs[d]
		f.vBefore, f.v = f.v, f.v-f.vBefore
	}
	l.integrateJoints(w, time, 0)
	for d := range l.dofs {
		l.dofs[d].v = l.dofs[d].vBefore
	}
}

// integrateBiasForces changes the velocities of the joints by what the forces of motion do in a time, in whose middle loads will
// have done half of what they do next: what precesses does so because the two are in balance. It reports whether the
// energy has stayed so near to what it was that this is the right way.
func (l *articulation) integrateBiasForces(w *World, time float64) bool {
	l.computeBias(w, time, 0, biasTerms{external: true, inertial: true})
	l.solveVelocityDelta(time)
	l.computeBias(w, time, 0.5, biasTerms{inertial: true})
	for d := range l.dofs {
		l.velocityDelta[d] = -float64(time * l.dofs[d].bias)
	}
	l.solveInertia(l.velocityDelta)
	for d := range l.dofs {
		l.dofs[d].v += l.velocityDelta[d]
	}
	has, _ := l.kineticEnergyAndMomentum()
	if math.Abs(has-l.carried.kineticEnergy) <= float64(maxEnergyError*l.carried.kineticEnergy) {
		return true
	}
	for d := range l.dofs {
		l.dofs[d].v -= l.velocityDelta[d]
	}
	return false
}

// kineticEnergyAndMomentum is the energy of motion of a tree, and its momentum about the origin.
func (l *kinematicTree) kineticEnergyAndMomentum() (has float64, sum spatial) {
	l.computeVelocities()
	for i := range l.links {
		k := &l.links[i]
		p := k.inertia.momentum(&k.velocity)
		has += float64(0.5 * p.dot(&k.velocity))
		sum.add(&p)
	}
	for d := range l.dofs {
		f := &l.dofs[d]
		has += float64(0.5 * f.armature * f.v * f.v)
	}
	return has, sum
}

// projectMomenta gives the joints the velocities with which the tree has the momenta that its links have taken along; the
// rotors of motors keep theirs.
func (l *articulation) projectMomenta() {
	shift := l.carried.origin.Sub(l.root.origin)
	for i := range l.links {
		k := &l.links[i]
		base := k.inertia.momentum(&l.root.twist)
		k.acceleration = spatial{k.carriedMomentum.ang.Add(shift.Cross(k.carriedMomentum.lin)).Sub(base.ang), k.carriedMomentum.lin.Sub(base.lin)}
	}
	for i := len(l.links) - 1; i >= 0; i-- {
		k := &l.links[i]
		for d := k.firstDof; d < k.firstDof+k.dofCount; d++ {
			l.velocityDelta[d] = l.dofs[d].axis.dot(&k.acceleration) + float64(l.dofs[d].armature*l.dofs[d].v)
		}
		if k.parent >= 0 {
			l.links[k.parent].acceleration.add(&k.acceleration)
		}
	}
	l.solveInertia(l.velocityDelta)
	for d := range l.dofs {
		l.dofs[d].v = l.velocityDelta[d]
	}
}

// maxSpeedGain is by how much the velocities of joints grow at most when energy is given back.
const maxSpeedGain = 1.25

// maxEnergyError is by what part of it the energy may differ after a swerve.
const maxEnergyError = 0.1

// wholeEnergyTolerance is by what part of it the energy of the whole of a tree that floats may be above what there is to be: a stiff
// body whose momentum stays as it turns step by step has now a little more, now a little less.
const wholeEnergyTolerance = 1e-5

// scaleToEnergy brings the energy of motion to what it is to be, by the velocities of the joints among each other: what a
// tree that floats has as a whole, the momenta, stays where that is possible. They grow by a factor of most.
func (l *kinematicTree) scaleToEnergy(energy, most float64) {
	if !(energy > 0) {
		energy = 0
	}
	has, sum := l.kineticEnergyAndMomentum()
	whole, drift := 0.0, spatial{}
	if l.floating {
		drift = l.rigidTwistOf(&sum)
		whole = float64(0.5 * sum.dot(&drift))
	}
	inner := has - whole
	if energy < float64((1-wholeEnergyTolerance)*whole) {
		if energy < has {
			l.scaleInternalMotion(spatial{}, math.Sqrt(energy/has))
		}
		return
	}
	if inner > float64(1e-9*has) {
		l.scaleInternalMotion(drift, min(most, math.Sqrt(max(0, energy-whole)/inner)))
	}
}

// scaleInternalMotion multiplies what the joints have beside a motion of the whole.
func (l *kinematicTree) scaleInternalMotion(drift spatial, k float64) {
	for d := range l.dofs {
		f := &l.dofs[d]
		f.v = float64(k * f.v)
	}
	if l.floating {
		for i := range 3 {
			l.dofs[i].v += float64((1 - k) * drift.lin.At(i))
			l.dofs[3+i].v += float64((1 - k) * drift.ang.At(i))
		}
	}
}

// rigidTwistOf is the velocity with which a floating tree, stiff as it stands, would have a momentum.
func (l *kinematicTree) rigidTwistOf(p *spatial) spatial {
	all := inertia{}
	for i := range l.links {
		all.add(&l.links[i].inertia)
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

// predictCenterOfMass notes where the centre of mass of a floating tree is in a time: it goes straight ahead, however the links whirl
// about it.
func (l *articulation) predictCenterOfMass(h float64) {
	l.computeVelocities()
	mass, at, way := 0.0, r3.Vec{}, r3.Vec{}
	for i := range l.links {
		k := &l.links[i]
		mass += k.inertia.mass
		at = at.AddScaled(k.inertia.mass, k.com)
		way = way.AddScaled(k.inertia.mass, k.velocity.linearAt(k.arm))
	}
	l.carried.comTarget, l.carried.comTargetSet = at.AddScaled(h, way).Scale(1/mass), true
}

// shiftToPredictedCenter shifts a floating tree to where its centre of mass was bound for.
func (l *articulation) shiftToPredictedCenter() {
	if !l.carried.comTargetSet {
		return
	}
	l.carried.comTargetSet = false
	mass, at := 0.0, r3.Vec{}
	for i := range l.links {
		k := &l.links[i]
		mass += k.inertia.mass
		at = at.AddScaled(k.inertia.mass, k.com)
	}
	off := l.carried.comTarget.Sub(at.Scale(1 / mass))
	l.root.origin = l.root.origin.Add(off)
	for i := range 3 {
		l.dofs[i].q += off.At(i)
	}
	for i := range l.links {
		l.links[i].com = l.links[i].com.Add(off)
	}
}

// clearFastWarmStart takes the impulses of the substep before from the contacts of swift trees: answered by links that have
// turned they would give energy. What begins with nothing and only takes speed never does.
func (s *solver) clearFastWarmStart() {
	s.anyNoWarmStart = false
	for i := range s.articulationContacts {
		p := &s.articulationContacts[i]
		if a, b := p.a.articulation, p.b.articulation; (a == nil || !a.step.integrator.fast()) && (b == nil || !b.step.integrator.fast()) {
			continue
		}
		s.anyNoWarmStart = true
		rows := p.allRows(s)
		for k := range rows {
			rows[k].impulse = 0
		}
	}
}

// iterateArticulationContacts is a pass over the contacts of links, or, where some began with nothing, many.
func (s *solver) iterateArticulationContacts(useBias bool, limit float64) {
	n := 1
	if s.anyNoWarmStart {
		n = noWarmStartIterations
	}
	for range n {
		s.solveArticulationContacts(useBias, limit)
	}
}
