package articulation

import (
	"math"

	"simdeck/sim/dynamics/linalg"
	"simdeck/sim/r3"
)

// Joint velocities change their meaning as links move. A light link at the end of a long chain responds with
// several times the speed after a rotation of 0.1 rad. Bias forces (Coriolis, centrifugal, gyroscopic)
// evaluated at one instant would then multiply the energy. So a fast articulation conserves its energy over
// the substep. Where bias forces fail, links carry their momenta as if they were free. Joint velocities are
// then their projection in the metric of kinetic energy (Gauss's principle of least constraint). It never has
// more energy than the links.

const (
	// fastTurn is the rotation of links per substep, rad, from which an articulation is fast. With motors or
	// friction fastTurnActuated holds, unless it floats in free space: they absorb the gain, and encoders
	// read exactly what motors did.
	fastTurn         = 0.01
	fastTurnActuated = 0.02
	// suddenFactor scales the limit where an impact, not the articulation's own motion, made it fast; chosen.
	suddenFactor = 3
)

// carriedMotion is the motion that fast links take along through a substep.
type carriedMotion struct {
	time          float64 // s, of the way; 0: no momenta are carried
	origin        r3.Vec  // the origin at its start
	kineticEnergy float64 // J
	comTargetSet  bool
	comTarget     r3.Vec    // predicted centre of mass of a floating articulation
	spinEnergies  []float64 // J, of the links' rotations about their centres of mass, at its start
}

// angularSpeedBound is an upper bound of the links' angular speeds, rad/s.
func (tree *Tree) angularSpeedBound() float64 {
	most := 0.0
	for i := range tree.links {
		k := &tree.links[i]
		k.angularSpeedBound = 0
		if k.parent >= 0 {
			k.angularSpeedBound = tree.links[k.parent].angularSpeedBound
		}
		own := 0.0
		for d := k.firstDof; d < k.firstDof+k.dofCount; d++ {
			switch f := &tree.dofs[d]; {
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

// isFast reports that links rotate by more than times the limit in a substep.
func (art *Articulation) isFast(h, times float64) bool {
	limit := fastTurn
	if art.step.actuated && (art.step.inContact || !art.floating) {
		limit = fastTurnActuated
	}
	return art.angularSpeedBound()*h > float64(times*limit)
}

// save saves the links' momenta, the origin and the kinetic energy, to carry them for a time, s.
func (c *carriedMotion) save(tree *Tree, time float64) {
	c.saveMomenta(tree)
	c.time, c.kineticEnergy = time, 0
	for i := range tree.links {
		k := &tree.links[i]
		c.kineticEnergy += float64(0.5 * k.carriedMomentum.dot(&k.velocity))
	}
	for d := range tree.dofs {
		f := &tree.dofs[d]
		f.vBefore = f.v
		c.kineticEnergy += float64(0.5 * f.armature * f.v * f.v)
	}
}

// saveMomenta saves the links' momenta and the origin.
func (c *carriedMotion) saveMomenta(tree *Tree) {
	tree.ComputeTwists()
	c.origin = tree.baseMotion.origin
	for i := range tree.links {
		k := &tree.links[i]
		k.carriedMomentum = k.inertia.momentum(&k.velocity)
	}
}

// restoreFromMomenta computes joint velocities at the present poses from carried momenta.
func (art *Articulation) restoreFromMomenta(base *Base) {
	time := art.carried.time
	art.carried.time = 0
	art.computeInertia(max(0, time))
	if time < 0 || !art.integrateBiasForces(time) {
		art.computeInertia(0)
		art.carried.project(&art.Tree)
	}
	if time > 0 && art.isUnconstrained() {
		art.correctPositions(float64(0.5 * time))
		art.forwardKinematics(0, base)
		art.computeLinkInertias()
	}
	art.carried.shiftToPredictedCenter(&art.Tree)
	if art.baseMotion.twist == (spatial{}) { // else the base does work
		art.scaleToEnergy(art.carried.kineticEnergy, maxSpeedGain)
	}
}

// isUnconstrained reports that no row has acted on the joints.
func (art *Articulation) isUnconstrained() bool {
	for r := range art.Rows.list {
		if art.Rows.list[r].Impulse != 0 {
			return false
		}
	}
	return !art.step.actuated && !art.step.hasExternalJoint
}

// correctPositions integrates the last velocity change for a time; half the substep makes the rule one of
// mean velocities.
func (art *Articulation) correctPositions(time float64) {
	for d := range art.dofs {
		f := &art.dofs[d]
		f.vBefore, f.v = f.v, f.v-f.vBefore
	}
	art.integrateJoints(time, 0)
	for d := range art.dofs {
		art.dofs[d].v = art.dofs[d].vBefore
	}
}

// integrateBiasForces applies bias forces for a time. They are evaluated at half the velocity change of the
// coming loads, since precession is the balance of the two. It reports whether the energy error is at most
// maxEnergyError; else it undoes the change.
func (art *Articulation) integrateBiasForces(time float64) bool {
	art.computeBias(time, 0, biasTerms{external: true, inertial: true})
	art.solveVelocityDelta(time)
	art.computeBias(time, 0.5, biasTerms{inertial: true})
	for d := range art.dofs {
		art.velocityDelta[d] = -float64(time * art.dofs[d].bias)
	}
	art.inertiaFactor.Solve(art.velocityDelta)
	for d := range art.dofs {
		art.dofs[d].v += art.velocityDelta[d]
	}
	has, _ := art.kineticEnergyAndMomentum()
	if math.Abs(has-art.carried.kineticEnergy) <= float64(maxEnergyError*art.carried.kineticEnergy) {
		return true
	}
	for d := range art.dofs {
		art.dofs[d].v -= art.velocityDelta[d]
	}
	return false
}

// kineticEnergyAndMomentum returns the kinetic energy, J, and the momentum about the origin.
func (tree *Tree) kineticEnergyAndMomentum() (has float64, sum spatial) {
	tree.ComputeTwists()
	for i := range tree.links {
		k := &tree.links[i]
		p := k.inertia.momentum(&k.velocity)
		has += float64(0.5 * p.dot(&k.velocity))
		sum.add(&p)
	}
	for d := range tree.dofs {
		f := &tree.dofs[d]
		has += float64(0.5 * f.armature * f.v * f.v)
	}
	return has, sum
}

// project computes the joint velocities that have the carried momenta; motor rotors keep their own.
func (c *carriedMotion) project(tree *Tree) {
	shift := c.origin.Sub(tree.baseMotion.origin)
	for i := range tree.links {
		k := &tree.links[i]
		base := k.inertia.momentum(&tree.baseMotion.twist)
		k.acceleration = spatial{k.carriedMomentum.ang.Add(shift.Cross(k.carriedMomentum.lin)).Sub(base.ang),
			k.carriedMomentum.lin.Sub(base.lin)}
	}
	for i := len(tree.links) - 1; i >= 0; i-- {
		k := &tree.links[i]
		for d := k.firstDof; d < k.firstDof+k.dofCount; d++ {
			tree.velocityDelta[d] = tree.dofs[d].axis.dot(&k.acceleration) +
				float64(tree.dofs[d].armature*tree.dofs[d].v)
		}
		if k.parent >= 0 {
			tree.links[k.parent].acceleration.add(&k.acceleration)
		}
	}
	tree.inertiaFactor.Solve(tree.velocityDelta)
	for d := range tree.dofs {
		tree.dofs[d].v = tree.velocityDelta[d]
	}
}

// maxSpeedGain bounds the factor by which energy restoration may raise joint velocities; chosen.
const maxSpeedGain = 1.25

// maxEnergyError bounds the relative energy error of integrateBiasForces; chosen.
const maxEnergyError = 0.1

// wholeEnergyTolerance is the relative excess allowed for the rigid motion of a floating articulation. The
// energy of a rotating rigid body oscillates by about that much from step to step.
const wholeEnergyTolerance = 1e-5

// scaleToEnergy scales the kinetic energy to a value, J, by the internal motion. The momentum of a floating
// articulation is kept where possible. Velocities increase at most by the factor most.
func (tree *Tree) scaleToEnergy(energy, most float64) {
	if !(energy > 0) {
		energy = 0
	}
	has, sum := tree.kineticEnergyAndMomentum()
	whole, drift := 0.0, spatial{}
	if tree.floating {
		drift = tree.rigidTwistOf(&sum)
		whole = float64(0.5 * sum.dot(&drift))
	}
	inner := has - whole
	if energy < float64((1-wholeEnergyTolerance)*whole) {
		if energy < has {
			scaleAboutTranslation(tree, energy, has, &sum)
		}
		return
	}
	if inner > float64(1e-9*has) {
		tree.scaleInternalMotion(drift, min(most, math.Sqrt(max(0, energy-whole)/inner)))
	}
}

// scaleAboutTranslation scales the kinetic energy from a value to a lower one, J, which rotation alone would
// exceed. The linear momentum stays where translation alone has less.
func scaleAboutTranslation(tree *Tree, energy, has float64, momentum *spatial) {
	mass := 0.0
	for i := range tree.links {
		mass += tree.links[i].inertia.mass
	}
	drift := spatial{lin: momentum.lin.Scale(1 / mass)}
	moving := float64(0.5 * momentum.lin.Dot(drift.lin))
	if energy < moving {
		drift, moving = spatial{}, 0
	}
	tree.scaleInternalMotion(drift, math.Sqrt((energy-moving)/(has-moving)))
}

// scaleInternalMotion multiplies the motion relative to a rigid motion by k.
func (tree *Tree) scaleInternalMotion(drift spatial, k float64) {
	for d := range tree.dofs {
		f := &tree.dofs[d]
		f.v = float64(k * f.v)
	}
	if tree.floating {
		for i := range 3 {
			tree.dofs[i].v += float64((1 - k) * drift.lin.At(i))
			tree.dofs[3+i].v += float64((1 - k) * drift.ang.At(i))
		}
	}
}

// rigidTwistOf is the twist at which the floating articulation, rigid as it stands, has a momentum.
func (tree *Tree) rigidTwistOf(p *spatial) spatial {
	all := inertia{}
	for i := range tree.links {
		all.add(&tree.links[i].inertia)
	}
	c := all.moment.Scale(1 / all.mass)
	var about inertia
	about.set(-all.mass, &r3.Mat{XX: all.xx, XY: all.xy, XZ: all.xz, YY: all.yy, YZ: all.yz, ZZ: all.zz}, c)
	t := r3.Mat{XX: about.xx, XY: about.xy, XZ: about.xz, YX: about.xy, YY: about.yy, YZ: about.yz,
		ZX: about.xz, ZY: about.yz, ZZ: about.zz}
	inv, ok := t.Inverse()
	if !ok {
		return spatial{lin: p.lin.Scale(1 / all.mass)}
	}
	turn := inv.Apply(p.ang.Sub(c.Cross(p.lin)))
	return spatial{turn, p.lin.Scale(1 / all.mass).Sub(turn.Cross(c))}
}

// predictCenterOfMass predicts the centre of mass of a floating articulation after h: it moves straight,
// whatever the links do about it.
func (c *carriedMotion) predictCenterOfMass(tree *Tree, h float64) {
	tree.ComputeTwists()
	mass, at, way := 0.0, r3.Vec{}, r3.Vec{}
	for i := range tree.links {
		k := &tree.links[i]
		mass += k.inertia.mass
		at = at.AddScaled(k.inertia.mass, k.com)
		way = way.AddScaled(k.inertia.mass, k.velocity.linearAt(k.arm))
	}
	c.comTarget, c.comTargetSet = at.AddScaled(h, way).Scale(1/mass), true
}

// shiftToPredictedCenter moves a floating articulation to its predicted centre of mass.
func (c *carriedMotion) shiftToPredictedCenter(tree *Tree) {
	if !c.comTargetSet {
		return
	}
	c.comTargetSet = false
	mass, at := 0.0, r3.Vec{}
	for i := range tree.links {
		k := &tree.links[i]
		mass += k.inertia.mass
		at = at.AddScaled(k.inertia.mass, k.com)
	}
	off := c.comTarget.Sub(at.Scale(1 / mass))
	tree.baseMotion.origin = tree.baseMotion.origin.Add(off)
	for i := range 3 {
		tree.dofs[i].q += off.At(i)
	}
	for i := range tree.links {
		tree.links[i].com = tree.links[i].com.Add(off)
	}
}

// saveSpins saves the energies of rotation of links whose momenta are saved.
func (c *carriedMotion) saveSpins(tree *Tree) {
	c.spinEnergies = linalg.Grow(c.spinEnergies, len(tree.links))
	for i := range tree.links {
		k := &tree.links[i]
		w := k.rot.RotateBack(k.velocity.ang)
		c.spinEnergies[i] = float64(0.5 * w.Dot(k.body.Inertia.Apply(w)))
	}
}

// boundSpins bounds the energies of rotation of links that have carried their momenta to the present poses by
// those that they had. Links go along curves, on which momenta that stay are not those of free bodies.
func (c *carriedMotion) boundSpins(tree *Tree) {
	shift := c.origin.Sub(tree.baseMotion.origin)
	for i := range tree.links {
		k := &tree.links[i]
		p := &k.carriedMomentum
		moment := k.arm.Sub(shift).Cross(p.lin)
		about := k.rot.RotateBack(p.ang.Sub(moment))
		inverse, ok := k.body.Inertia.Inverse()
		if !ok {
			continue
		}
		w := inverse.Apply(about)
		if has := float64(0.5 * w.Dot(about)); has > c.spinEnergies[i] {
			p.ang = moment.AddScaled(math.Sqrt(c.spinEnergies[i]/has), k.rot.Rotate(about))
		}
	}
}
