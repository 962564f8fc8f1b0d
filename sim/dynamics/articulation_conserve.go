package dynamics

import (
	"math"

	"simdeck/sim/r3"
)

// A limb with loops, and one that floats, keeps to its energy. Joints that close loops do no work, nor do the forces of
// motion; but as links go straight ahead for a substep, and are then put back to where the loops close, both take some or
// give some. So what the limb may have is counted, by what loads, springs, motors, friction and contacts have done, and
// brought about; and so is the momentum of one that floats.

// conservation is what is counted in a substep.
type conservation struct {
	freeVelocity     []float64 // by degree of freedom: velocities before impulses
	jointForce       []float64 // and what pushes, dampers and springs push
	meanVelocity     []float64 // scratch
	velocityChange   []float64
	kineticBefore    float64 // J of motion when the substep began
	springBefore     float64 // and of springs
	momentumBefore   spatial // momentum, about the world's origin, when it began
	contactImpulse   spatial // and what of it those have given that touch the limb
	smoothClosure    bool    // what closes the loops does no work in the middle of the substep
	onlyLoopImpulses bool    // nothing but loops acts by impulses: what forces do follows from the way
	drivenLoop       bool    // a loop closes through what moves by itself, and does work
	startedClosed    bool    // the loops were closed, in their velocities too, when the substep began
}

// maxLoopSpeedGain is by how much velocities grow at most when energy is given back.
const maxLoopSpeedGain = 1.05

// minConservedTurn is how far, in radians, the links of a floating tree that touches something turn in a substep for it to be
// counted: what stands loses nothing.
const minConservedTurn = 0.001

// needsConservation reports that what a limb has is counted in this substep: where it has loops, or floats.
func (l *articulation) needsConservation(h float64) bool {
	return len(l.loops) > 0 || l.floating && !l.step.hasExternalJoint && (!l.step.inContact || l.angularSpeedBound()*h > minConservedTurn)
}

// beginConservation notes what a limb has when a substep begins.
func (l *articulation) beginConservation(w *World, com r3.Vec, rot r3.Quat) {
	if !l.step.kinematicsValid {
		l.forwardKinematics(w, 0, com, rot)
	}
	l.computeBaseVelocity(w, com)
	if l.step.untouched || !l.step.kinematicsValid { // or they were where they are when the last substep ended
		l.computeLinkInertias(w)
	}
	l.saveMomentum()
	l.conservation.springBefore = l.springEnergy()
	l.saveLinkPositions()
}

// saveMomentum notes the energy of motion of a limb, and its momentum about the world's origin.
func (l *articulation) saveMomentum() {
	l.conservation.kineticBefore, l.conservation.momentumBefore = l.kineticEnergyAndMomentum()
	l.conservation.momentumBefore, l.conservation.contactImpulse = l.aboutWorldOrigin(&l.conservation.momentumBefore), spatial{}
	for i := range l.links {
		l.links[i].comSubstepStart = l.links[i].com
	}
}

// saveLinkPositions notes where the links are.
func (l *kinematicTree) saveLinkPositions() {
	for i := range l.links {
		l.links[i].comSegmentStart = l.links[i].com
	}
}

// aboutWorldOrigin is a momentum about the limb's origin about the world's.
func (l *kinematicTree) aboutWorldOrigin(p *spatial) spatial {
	return spatial{p.ang.Add(l.root.origin.Cross(p.lin)), p.lin}
}

// externalWork is what weights have done since then.
func (l *kinematicTree) externalWork() (sum float64) {
	for i := range l.links {
		k := &l.links[i]
		sum += k.externalForce.lin.Dot(k.com.Sub(k.comSegmentStart))
	}
	return sum
}

// saveFreeMotion notes how the limb moves before impulses, and by which forces of its joints.
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

// energyBudget is the energy of motion that a limb with loops may have at the end of a substep, but for what shifts of its
// joints do; and where nothing else pushes it that of springs with it, but for what its weight does on the way. All that
// pushes does work by the mean of the velocities before and after: what loops and the forces of motion have done is
// taken back.
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

// restoreMomentum gives a limb that floats the momentum that it had and that its loads, and what touches it, have given it,
// by a motion of the whole; and puts it to where that has brought it.
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
	if !l.step.inContact { // or its contacts have seen to where it goes
		l.carried.comTarget, l.carried.comTargetSet = at.AddScaled(float64(0.5*h/mass), s.momentumBefore.lin.Add(want.lin)), true
	}
	l.shiftToPredictedCenter()
	for i := range l.links { // about where the centre of mass was
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

// centerOfMass is where the centre of mass is, from the origin.
func (l *kinematicTree) centerOfMass(mass float64) (sum r3.Vec) {
	for i := range l.links {
		sum = sum.AddScaled(l.links[i].inertia.mass/mass, l.links[i].arm)
	}
	return sum
}

// hasExternalLoads reports that what brakes a body of a limb, or a torque on it, does work too.
func (l *kinematicTree) hasExternalLoads(w *World) bool {
	for i := range l.links {
		if b := &w.bodies[l.links[i].body]; b.linDamping > 0 || b.angDamping > 0 || b.torque != (r3.Vec{}) {
			return true
		}
	}
	return false
}

// closesThroughWorld reports that a loop closes through what does not move of itself.
func (l *articulation) closesThroughWorld() bool {
	for i := range l.loops {
		if l.loops[i].linkA < 0 || l.loops[i].linkB < 0 {
			return true
		}
	}
	return false
}

// inertialWork is what a change of velocities does at others, by the inertia of the limb; the links move by the others then.
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

// bodyDampingWork is what brakes bodies do to links as they move.
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

// springEnergy is that of the springs of a limb.
func (l *kinematicTree) springEnergy() (sum float64) {
	for d := range l.dofs {
		if f := &l.dofs[d]; f.stiffness > 0 {
			sum += float64(0.5 * f.stiffness * (f.q - f.springRest) * (f.q - f.springRest))
		}
	}
	return sum
}

// clampEnergy brings the energy of motion to what it may be.
func (l *articulation) clampEnergy(budget float64) {
	if l.root.twist != (spatial{}) || l.conservation.drivenLoop || l.step.hasExternalJoint { // or others do work
		return
	}
	if has, _ := l.kineticEnergyAndMomentum(); has > budget {
		l.scaleToEnergy(budget, 1)
	} else if l.conservation.startedClosed && !l.step.inContact { // or contacts would have to take it

		l.scaleToEnergy(budget, maxLoopSpeedGain)
	}
}

// checkLoopsClosed finds whether the loops were closed when the substep began, in their velocities too: they may be far from it
// where something was thrown or has hit.
func (l *articulation) checkLoopsClosed() {
	s := &l.conservation
	s.startedClosed = true
	for i := range l.loops {
		c := &l.loops[i]
		s.startedClosed = s.startedClosed && l.closedWithin(c.firstRow, c.firstRow+c.linearRows, c.freeCompliance[0]) && l.closedWithin(c.firstRow+c.linearRows, c.firstRow+c.linearRows+c.angularRows, c.freeCompliance[1])
	}
	s.smoothClosure = s.smoothClosure && s.startedClosed
}

// closedWithin reports that what the rows from first to end look at was slow, beside what it is made up of; where that is
// nothing but what was rounded, beside how fast the bodies would be if they were free.
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

// maxClosingSpeedRatio is how fast, as a part of what parts them, ends may part of a loop that counts as closed.
const maxClosingSpeedRatio = 0.1
