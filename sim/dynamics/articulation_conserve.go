package dynamics

import (
	"math"

	"simdeck/sim/r3"
)

// An articulation that floats or has loops conserves energy and momentum explicitly. Loop constraints and
// bias forces do no work. Links move straight during a substep and are then projected back onto the loops;
// both steps change the energy slightly. So the energy budget counts the work of loads, springs, motors,
// friction and contacts, and the kinetic energy is scaled to it. The momentum of a floating articulation is
// restored likewise.

// conservation is the energy and momentum bookkeeping of a substep.
type conservation struct {
	freeVelocity     []float64 // by degree of freedom: velocity before impulses
	jointForce       []float64 // by degree of freedom: efforts, dampers and springs
	meanVelocity     []float64 // scratch
	velocityChange   []float64
	kineticBefore    float64 // J, when the substep began
	springBefore     float64 // J, of springs, likewise
	momentumBefore   spatial // about the world's origin, when the substep began
	contactImpulse   spatial // of contacts, about the world's origin
	smoothClosure    bool    // loop constraints hold at the middle of the substep, where they do no work
	onlyLoopImpulses bool    // all impulses are the loops'; the work of other forces follows from the path
	drivenLoop       bool    // a loop closes through a kinematic body, which does work
	startedClosed    bool    // loops were closed in velocity when the substep began
}

// maxLoopSpeedGain bounds the factor by which energy restoration may raise velocities.
const maxLoopSpeedGain = 1.05

// minConservedTurn is the least rotation of links per substep, rad, for bookkeeping of a floating
// articulation in contact: at rest nothing is lost.
const minConservedTurn = 0.001

// needsConservation selects bookkeeping for a substep: with loops, or floating.
func (l *articulation) needsConservation(h float64) bool {
	return len(l.loops) > 0 || l.floating && !l.step.hasExternalJoint && (!l.step.inContact || l.angularSpeedBound()*h > minConservedTurn)
}

// beginConservation saves energy, momentum and link positions when a substep begins.
func (l *articulation) beginConservation(w *World, com r3.Vec, rot r3.Quat) {
	if !l.step.kinematicsValid {
		l.forwardKinematics(w, 0, com, rot)
	}
	l.computeBaseVelocity(w, com)
	if l.step.untouched || !l.step.kinematicsValid { // else the inertias of the last substep's end are still valid
		l.computeLinkInertias(w)
	}
	l.saveMomentum()
	l.conservation.springBefore = l.springEnergy()
	l.saveLinkPositions()
}

// saveMomentum saves the kinetic energy, and the momentum about the world's origin.
func (l *articulation) saveMomentum() {
	l.conservation.kineticBefore, l.conservation.momentumBefore = l.kineticEnergyAndMomentum()
	l.conservation.momentumBefore, l.conservation.contactImpulse = l.aboutWorldOrigin(&l.conservation.momentumBefore), spatial{}
	for i := range l.links {
		l.links[i].comSubstepStart = l.links[i].com
	}
}

// saveLinkPositions saves the COMs, from which externalWork counts.
func (l *kinematicTree) saveLinkPositions() {
	for i := range l.links {
		l.links[i].comSegmentStart = l.links[i].com
	}
}

// aboutWorldOrigin moves a momentum's reference point from the articulation's origin to the world's.
func (l *kinematicTree) aboutWorldOrigin(p *spatial) spatial {
	return spatial{p.ang.Add(l.root.origin.Cross(p.lin)), p.lin}
}

// externalWork is the work of external forces since saveLinkPositions, J.
func (l *kinematicTree) externalWork() (sum float64) {
	for i := range l.links {
		k := &l.links[i]
		sum += k.externalForce.lin.Dot(k.com.Sub(k.comSegmentStart))
	}
	return sum
}

// saveFreeMotion saves the velocities before impulses and the smooth joint forces.
func (l *articulation) saveFreeMotion(h float64) {
	s := &l.conservation
	s.freeVelocity, s.jointForce = resizedScratch(s.freeVelocity, len(l.dofs)), resizedScratch(s.jointForce, len(l.dofs))
	for d := range l.dofs {
		f := &l.dofs[d]
		s.freeVelocity[d], s.jointForce[d] = f.v, f.effort-float64(f.damping*f.v)
		if f.stiffness > 0 {
			end := f.v
			if l.step.integrator.smooth() {
				end = float64(0.5 * (f.vBefore + f.v))
			}
			s.jointForce[d] -= float64(f.stiffness * (f.q + float64(0.5*h*end) - f.springRest))
		}
	}
	if l.step.inContact {
		_, has := l.kineticEnergyAndMomentum()
		s.contactImpulse = l.aboutWorldOrigin(&has)
	}
}

// energyBudget is the kinetic energy that the articulation may have at the end of a substep, J, without the
// work of projections. With onlyLoopImpulses it includes the springs' energy and excludes the weight's work
// on the way. Forces and impulses do work by the mean of the velocities before and after; the work of loop
// constraints and bias forces is left out.
func (l *articulation) energyBudget(w *World, h float64) float64 {
	s := &l.conservation
	if s.onlyLoopImpulses {
		sum := 0.0
		for d := range l.dofs {
			f := &l.dofs[d]
			sum += float64(0.5 * h * (f.vBefore + f.v) * (f.effort - float64(f.damping*f.v)))
		}
		return s.kineticBefore + s.springBefore + sum
	}
	sum, has := l.kineticEnergyAndMomentum()
	if l.step.inContact {
		has = l.aboutWorldOrigin(&has)
		s.contactImpulse = spatial{has.ang.Sub(s.contactImpulse.ang), has.lin.Sub(s.contactImpulse.lin)}
	}
	for r := range l.qp.rows {
		if row := &l.qp.rows[r]; row.kind == rowLoop {
			for d, c := range row.denseCoefficients(l) {
				sum -= float64(0.5 * row.impulse * c * (l.dofs[d].vBefore + l.dofs[d].v))
			}
		}
	}
	s.meanVelocity, s.velocityChange = resizedScratch(s.meanVelocity, len(l.dofs)), resizedScratch(s.velocityChange, len(l.dofs))
	for d := range l.dofs {
		f := &l.dofs[d]
		s.meanVelocity[d], s.velocityChange[d] = float64(0.5*(f.vBefore+f.v)), s.freeVelocity[d]-f.vBefore
		sum += float64(h * s.jointForce[d] * s.meanVelocity[d])
		s.freeVelocity[d] = f.v
	}
	sum -= l.inertialWork(s.meanVelocity, s.velocityChange)
	sum += l.bodyDampingWork(w, h)
	for i := range l.links {
		k := &l.links[i]
		sum += float64(h * k.externalForce.dot(&k.velocity))
	}
	for d := range l.dofs {
		l.dofs[d].v = s.freeVelocity[d]
	}
	return sum
}

// restoreMomentum gives a floating articulation the momentum that loads and contacts leave it, by a rigid
// motion. It moves the centre of mass accordingly.
func (l *articulation) restoreMomentum(w *World, h float64) {
	if !l.floating || l.step.hasExternalJoint || l.closesThroughWorld() {
		return
	}
	s := &l.conservation
	mass, at, want := 0.0, r3.Vec{}, s.momentumBefore
	for i := range l.links {
		k := &l.links[i]
		if b := &w.bodies[k.body]; b.linDamping > 0 || b.angDamping > 0 {
			l.shiftToPredictedCenter()
			return
		}
		mass, at = mass+k.inertia.mass, at.AddScaled(k.inertia.mass, k.comSubstepStart)
		want.lin = want.lin.AddScaled(h, k.externalForce.lin)
	}
	at = at.Scale(1 / mass)
	if !l.step.inContact { // else contacts have moved it
		l.carried.comTarget, l.carried.comTargetSet = at.AddScaled(float64(0.5*h/mass), s.momentumBefore.lin.Add(want.lin)), true
	}
	l.shiftToPredictedCenter()
	for i := range l.links { // about the centre of mass before the substep
		k := &l.links[i]
		want.ang = want.ang.AddScaled(h, w.bodies[k.body].torque.Add(k.comSubstepStart.Sub(at).Cross(k.externalForce.lin)))
	}
	want.ang = want.ang.Add(s.contactImpulse.ang).Sub(at.Cross(s.momentumBefore.lin.Add(s.contactImpulse.lin)))
	want.lin = want.lin.Add(s.contactImpulse.lin)
	_, has := l.kineticEnergyAndMomentum()
	off := spatial{want.ang.Add(l.centerOfMass(mass).Cross(want.lin)).Sub(has.ang), want.lin.Sub(has.lin)}
	more := l.rigidTwistOf(&off)
	for i := range 3 {
		l.dofs[i].v += more.lin.At(i)
		l.dofs[3+i].v += more.ang.At(i)
	}
}

// centerOfMass is the centre of mass from the origin, m.
func (l *kinematicTree) centerOfMass(mass float64) (sum r3.Vec) {
	for i := range l.links {
		sum = sum.AddScaled(l.links[i].inertia.mass/mass, l.links[i].arm)
	}
	return sum
}

// hasExternalLoads reports that body damping or an applied torque acts on a link.
func (l *kinematicTree) hasExternalLoads(w *World) bool {
	for i := range l.links {
		if b := &w.bodies[l.links[i].body]; b.linDamping > 0 || b.angDamping > 0 || b.torque != (r3.Vec{}) {
			return true
		}
	}
	return false
}

// closesThroughWorld reports that a loop closes through a body that the articulation does not move.
func (l *articulation) closesThroughWorld() bool {
	for i := range l.loops {
		if l.loops[i].linkA < 0 || l.loops[i].linkB < 0 {
			return true
		}
	}
	return false
}

// inertialWork is changeᵀ·M·at, J, for velocity changes at given velocities. It leaves the links moving at
// the latter.
func (l *kinematicTree) inertialWork(at, change []float64) (sum float64) {
	for d := range l.dofs {
		l.dofs[d].v = change[d]
		sum += float64(l.dofs[d].armature * at[d] * change[d])
	}
	l.computeVelocities()
	for i := range l.links {
		k := &l.links[i]
		k.acceleration = k.inertia.momentum(&k.velocity)
	}
	for d := range l.dofs {
		l.dofs[d].v = at[d]
	}
	l.computeVelocities()
	for i := range l.links {
		k := &l.links[i]
		sum += k.acceleration.dot(&k.velocity)
	}
	return sum
}

// bodyDampingWork is the work of body damping in a time h, J.
func (l *kinematicTree) bodyDampingWork(w *World, h float64) (sum float64) {
	for i := range l.links {
		k := &l.links[i]
		if b := &w.bodies[k.body]; b.linDamping > 0 || b.angDamping > 0 {
			tensor := rotateTensor(&w.massProps[k.body].inertia, k.rot)
			sum -= float64(h * k.inertia.mass * min(b.linDamping, 1/h) * k.velocity.linearAt(k.arm).Len2())
			sum -= float64(h * min(b.angDamping, 1/h) * k.velocity.ang.Dot(tensor.Apply(k.velocity.ang)))
		}
	}
	return sum
}

// springEnergy is the energy of joint springs, J.
func (l *kinematicTree) springEnergy() (sum float64) {
	for d := range l.dofs {
		if f := &l.dofs[d]; f.stiffness > 0 {
			sum += float64(0.5 * f.stiffness * (f.q - f.springRest) * (f.q - f.springRest))
		}
	}
	return sum
}

// clampEnergy scales the kinetic energy to its budget.
func (l *articulation) clampEnergy(budget float64) {
	if l.root.twist != (spatial{}) || l.conservation.drivenLoop || l.step.hasExternalJoint { // these do work
		return
	}
	if has, _ := l.kineticEnergyAndMomentum(); has > budget {
		l.scaleToEnergy(budget, 1)
	} else if l.conservation.startedClosed && !l.step.inContact { // else contacts would have to absorb the gain

		l.scaleToEnergy(budget, maxLoopSpeedGain)
	}
}

// checkLoopsClosed tests whether loop velocities were closed when the substep began. After a hit or SetTwist
// they may be far from it.
func (l *articulation) checkLoopsClosed() {
	s := &l.conservation
	s.startedClosed = true
	for i := range l.loops {
		c := &l.loops[i]
		s.startedClosed = s.startedClosed && l.closedWithin(c.firstRow, c.firstRow+c.linearRows, c.freeCompliance[0]) && l.closedWithin(c.firstRow+c.linearRows, c.firstRow+c.linearRows+c.angularRows, c.freeCompliance[1])
	}
	s.smoothClosure = s.smoothClosure && s.startedClosed
}

// closedWithin reports that rows first to end were closed: their speed is small against the sum of its terms.
// Where those are rounding only, the free bodies' speed is the scale.
func (l *articulation) closedWithin(first, end int, freeCompliance float64) bool {
	off, most := 0.0, float64(1e-5*math.Sqrt(float64(2*l.conservation.kineticBefore*freeCompliance)))
	for r := first; r < end; r++ {
		row := &l.qp.rows[r]
		was, all := -row.target, 0.0
		for d, c := range row.denseCoefficients(l) {
			x := float64(c * l.dofs[d].vBefore)
			was, all = was+x, all+math.Abs(x)
		}
		off, most = max(off, math.Abs(was)), max(most, all)
	}
	return off <= float64(maxClosingSpeedRatio*most)
}

// maxClosingSpeedRatio bounds the speed of separation of a closed loop, as a part of its terms.
const maxClosingSpeedRatio = 0.1
