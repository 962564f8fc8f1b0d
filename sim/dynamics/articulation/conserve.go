package articulation

import (
	"math"

	"simdeck/sim/dynamics/linalg"
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

// maxLoopSpeedGain bounds the factor by which energy restoration may raise velocities;
// chosen.
const maxLoopSpeedGain = 1.05

// minConservedTurn is the least rotation of links per substep, rad, for bookkeeping of a floating
// articulation in contact: at rest nothing is lost.
const minConservedTurn = 0.001

// needsConservation selects bookkeeping for a substep: with loops, or floating.
func (art *Articulation) needsConservation(h float64) bool {
	return len(art.loops) > 0 || art.floating && !art.step.hasExternalJoint &&
		(!art.step.inContact || art.angularSpeedBound()*h > minConservedTurn)
}

// beginConservation saves energy, momentum and link positions when a substep begins.
func (art *Articulation) beginConservation(base *Base) {
	if !art.step.kinematicsValid {
		art.forwardKinematics(0, base)
	}
	art.computeBaseVelocity(base)
	// else the inertias of the last substep's end are still valid
	if art.step.untouched || !art.step.kinematicsValid {
		art.computeLinkInertias()
	}
	art.saveMomentum()
	art.conservation.springBefore = art.SpringEnergy()
	art.saveLinkPositions()
}

// saveMomentum saves the kinetic energy, and the momentum about the world's origin.
func (art *Articulation) saveMomentum() {
	art.conservation.kineticBefore, art.conservation.momentumBefore = art.kineticEnergyAndMomentum()
	art.conservation.momentumBefore,
		art.conservation.contactImpulse = art.aboutWorldOrigin(&art.conservation.momentumBefore), spatial{}
	for i := range art.links {
		art.links[i].comSubstepStart = art.links[i].com
	}
}

// saveLinkPositions saves the COMs, from which externalWork counts.
func (tree *Tree) saveLinkPositions() {
	for i := range tree.links {
		tree.links[i].comSegmentStart = tree.links[i].com
	}
}

// aboutWorldOrigin moves a momentum's reference point from the articulation's origin to the world's.
func (tree *Tree) aboutWorldOrigin(p *spatial) spatial {
	return spatial{p.ang.Add(tree.baseMotion.origin.Cross(p.lin)), p.lin}
}

// externalWork is the work of external forces since saveLinkPositions, J.
func (tree *Tree) externalWork() (sum float64) {
	for i := range tree.links {
		k := &tree.links[i]
		sum += k.externalForce.lin.Dot(k.com.Sub(k.comSegmentStart))
	}
	return sum
}

// saveFreeMotion saves the velocities before impulses and the smooth joint forces.
func (art *Articulation) saveFreeMotion(h float64) {
	s := &art.conservation
	s.freeVelocity, s.jointForce = linalg.Grow(s.freeVelocity, len(art.dofs)),
		linalg.Grow(s.jointForce, len(art.dofs))
	for d := range art.dofs {
		f := &art.dofs[d]
		s.freeVelocity[d], s.jointForce[d] = f.v, f.effort-float64(f.damping*f.v)
		if f.stiffness > 0 {
			end := f.v
			if art.step.integrator.smooth() {
				end = float64(0.5 * (f.vBefore + f.v))
			}
			s.jointForce[d] -= float64(f.stiffness * (f.q + float64(0.5*h*end) - f.springRest))
		}
	}
	if art.step.inContact {
		_, has := art.kineticEnergyAndMomentum()
		s.contactImpulse = art.aboutWorldOrigin(&has)
	}
}

// energyBudget is the kinetic energy that the articulation may have at the end of a substep, J, without the
// work of projections. With onlyLoopImpulses it includes the springs' energy and excludes the weight's work
// on the way. Forces and impulses do work by the mean of the velocities before and after; the work of loop
// constraints and bias forces is left out.
func (art *Articulation) energyBudget(h float64) float64 {
	s := &art.conservation
	if s.onlyLoopImpulses {
		sum := 0.0
		for d := range art.dofs {
			f := &art.dofs[d]
			sum += float64(0.5 * h * (f.vBefore + f.v) * (f.effort - float64(f.damping*f.v)))
		}
		return s.kineticBefore + s.springBefore + sum
	}
	sum, has := art.kineticEnergyAndMomentum()
	if art.step.inContact {
		has = art.aboutWorldOrigin(&has)
		s.contactImpulse = spatial{has.ang.Sub(s.contactImpulse.ang), has.lin.Sub(s.contactImpulse.lin)}
	}
	for r := range art.Rows.list {
		if row := &art.Rows.list[r]; row.loop {
			for d, c := range row.coefficients(&art.Rows, len(art.dofs)) {
				sum -= float64(0.5 * row.Impulse * c * (art.dofs[d].vBefore + art.dofs[d].v))
			}
		}
	}
	s.meanVelocity, s.velocityChange = linalg.Grow(s.meanVelocity, len(art.dofs)),
		linalg.Grow(s.velocityChange, len(art.dofs))
	for d := range art.dofs {
		f := &art.dofs[d]
		s.meanVelocity[d], s.velocityChange[d] = float64(0.5*(f.vBefore+f.v)), s.freeVelocity[d]-f.vBefore
		sum += float64(h * s.jointForce[d] * s.meanVelocity[d])
		s.freeVelocity[d] = f.v
	}
	sum -= art.inertialWork(s.meanVelocity, s.velocityChange)
	sum += art.bodyDampingWork(h)
	for i := range art.links {
		k := &art.links[i]
		sum += float64(h * k.externalForce.dot(&k.velocity))
	}
	for d := range art.dofs {
		art.dofs[d].v = s.freeVelocity[d]
	}
	return sum
}

// restoreMomentum gives a floating articulation the momentum that loads and contacts leave it, by a rigid
// motion. It moves the centre of mass accordingly.
func (art *Articulation) restoreMomentum(h float64) {
	if !art.floating || art.step.hasExternalJoint || closeThroughWorld(art.loops) {
		return
	}
	s := &art.conservation
	mass, at, want := 0.0, r3.Vec{}, s.momentumBefore
	for i := range art.links {
		k := &art.links[i]
		if b := &k.body; b.LinearDamping > 0 || b.AngularDamping > 0 {
			art.carried.shiftToPredictedCenter(&art.Tree)
			return
		}
		mass, at = mass+k.inertia.mass, at.AddScaled(k.inertia.mass, k.comSubstepStart)
		want.lin = want.lin.AddScaled(h, k.externalForce.lin)
	}
	at = at.Scale(1 / mass)
	if !art.step.inContact { // else contacts have moved it
		art.carried.comTarget, art.carried.comTargetSet = at.AddScaled(float64(0.5*h/mass),
			s.momentumBefore.lin.Add(want.lin)), true
	}
	art.carried.shiftToPredictedCenter(&art.Tree)
	for i := range art.links { // about the centre of mass before the substep
		k := &art.links[i]
		want.ang = want.ang.AddScaled(h,
			k.load.torque.Add(k.comSubstepStart.Sub(at).Cross(k.externalForce.lin)))
	}
	want.ang = want.ang.Add(s.contactImpulse.ang).
		Sub(at.Cross(s.momentumBefore.lin.Add(s.contactImpulse.lin)))
	want.lin = want.lin.Add(s.contactImpulse.lin)
	_, has := art.kineticEnergyAndMomentum()
	off := spatial{want.ang.Add(art.centerOfMass(mass).Cross(want.lin)).Sub(has.ang), want.lin.Sub(has.lin)}
	more := art.rigidTwistOf(&off)
	for i := range 3 {
		art.dofs[i].v += more.lin.At(i)
		art.dofs[3+i].v += more.ang.At(i)
	}
}

// centerOfMass is the centre of mass from the origin, m.
func (tree *Tree) centerOfMass(mass float64) (sum r3.Vec) {
	for i := range tree.links {
		sum = sum.AddScaled(tree.links[i].inertia.mass/mass, tree.links[i].arm)
	}
	return sum
}

// hasExternalLoads reports that body damping or an applied torque acts on a link.
func (tree *Tree) hasExternalLoads() bool {
	for i := range tree.links {
		if k := &tree.links[i]; k.body.LinearDamping > 0 || k.body.AngularDamping > 0 ||
			k.load.torque != (r3.Vec{}) {
			return true
		}
	}
	return false
}

// inertialWork is changeᵀ·M·at, J, for velocity changes at given velocities. It leaves the links moving at
// the latter.
func (tree *Tree) inertialWork(at, change []float64) (sum float64) {
	for d := range tree.dofs {
		tree.dofs[d].v = change[d]
		sum += float64(tree.dofs[d].armature * at[d] * change[d])
	}
	tree.ComputeTwists()
	for i := range tree.links {
		k := &tree.links[i]
		k.acceleration = k.inertia.momentum(&k.velocity)
	}
	for d := range tree.dofs {
		tree.dofs[d].v = at[d]
	}
	tree.ComputeTwists()
	for i := range tree.links {
		k := &tree.links[i]
		sum += k.acceleration.dot(&k.velocity)
	}
	return sum
}

// bodyDampingWork is the work of body damping in a time h, J.
func (tree *Tree) bodyDampingWork(h float64) (sum float64) {
	for i := range tree.links {
		k := &tree.links[i]
		if b := &k.body; b.LinearDamping > 0 || b.AngularDamping > 0 {
			tensor := k.body.Inertia.TurnedSymmetric(k.rot)
			sum -= float64(h * k.inertia.mass * min(b.LinearDamping, 1/h) * k.velocity.linearAt(k.arm).Len2())
			sum -= float64(h * min(b.AngularDamping, 1/h) * k.velocity.ang.Dot(tensor.Apply(k.velocity.ang)))
		}
	}
	return sum
}

// SpringEnergy returns the energy of joint springs, J.
func (tree *Tree) SpringEnergy() (sum float64) {
	for d := range tree.dofs {
		if f := &tree.dofs[d]; f.stiffness > 0 {
			sum += float64(0.5 * f.stiffness * (f.q - f.springRest) * (f.q - f.springRest))
		}
	}
	return sum
}

// RotorEnergy returns the kinetic energy of armatures, J, which no body has.
func (tree *Tree) RotorEnergy() (sum float64) {
	for d := range tree.dofs {
		f := &tree.dofs[d]
		sum += float64(0.5 * f.armature * f.v * f.v)
	}
	return sum
}

// clampEnergy scales the kinetic energy to its budget.
func (art *Articulation) clampEnergy(budget float64) {
	// these do work
	if art.baseMotion.twist != (spatial{}) || art.conservation.drivenLoop || art.step.hasExternalJoint {
		return
	}
	if has, _ := art.kineticEnergyAndMomentum(); has > budget {
		art.scaleToEnergy(budget, 1)
	} else if art.conservation.startedClosed &&
		!art.step.inContact { // else contacts would have to absorb the gain

		art.scaleToEnergy(budget, maxLoopSpeedGain)
	}
}

// checkLoopsClosed tests whether loop velocities were closed when the substep began. After a hit or SetTwist
// they may be far from it.
func (art *Articulation) checkLoopsClosed() {
	s := &art.conservation
	s.startedClosed = true
	for i := range art.loops {
		c := &art.loops[i]
		s.startedClosed = s.startedClosed &&
			art.closedWithin(c.firstRow, c.firstRow+c.linearRows, c.freeCompliance[0]) &&
			art.closedWithin(c.firstRow+c.linearRows, c.firstRow+c.linearRows+c.angularRows,
				c.freeCompliance[1])
	}
	s.smoothClosure = s.smoothClosure && s.startedClosed
}

// closedWithin reports that rows first to end were closed: their speed is small against the sum of its terms.
// Where those are rounding only, the free bodies' speed is the scale.
func (art *Articulation) closedWithin(first, end int, freeCompliance float64) bool {
	off, most := 0.0, float64(1e-5*math.Sqrt(float64(2*art.conservation.kineticBefore*freeCompliance)))
	for r := first; r < end; r++ {
		row := &art.Rows.list[r]
		was, all := -row.Target, 0.0
		for d, c := range row.coefficients(&art.Rows, len(art.dofs)) {
			x := float64(c * art.dofs[d].vBefore)
			was, all = was+x, all+math.Abs(x)
		}
		off, most = max(off, math.Abs(was)), max(most, all)
	}
	return off <= float64(maxClosingSpeedRatio*most)
}

// maxClosingSpeedRatio bounds the speed of separation of a closed loop, as a part of its terms; chosen.
// Beyond it something has hit the loop.
const maxClosingSpeedRatio = 0.1
