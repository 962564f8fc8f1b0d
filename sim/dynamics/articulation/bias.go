package articulation

import (
	"math"

	"simdeck/sim/r3"
)

// computeExternalForces moves each link's weight and applied wrench to the origin.
func (tree *Tree) computeExternalForces() {
	for i := range tree.links {
		k := &tree.links[i]
		k.externalForce = spatial{k.load.torque.Add(k.arm.Cross(k.load.force)), k.load.force}
	}
}

// midpointTurn is the rotation of links in a substep, rad, from which bias forces are those of its middle.
// Below it the factorization of the beginning serves.
const midpointTurn = 1e-3

// integrateSmoothForces applies smooth forces for a time h: weight, wrenches, efforts, dampers, springs, and
// bias by recursive Newton–Euler (Featherstone, RBDA 2008, table 5.1). Where it matters, bias forces are
// evaluated at the mid-substep velocities.
func (art *Articulation) integrateSmoothForces(h float64) {
	// carried momenta replace bias forces of fast articulations
	all := biasTerms{external: true, inertial: !art.step.integrator.fast()}
	art.computeBias(h, 0, all)
	art.solveVelocityDelta(h)
	if all.inertial && (art.step.integrator.smooth() || art.step.maxAngularSpeed*h > midpointTurn) {
		art.computeBias(h, 0.5, all)
		art.solveVelocityDelta(h)
	}
	for i := range art.dofs {
		d := &art.dofs[i]
		d.vBefore = d.v
		d.v += art.velocityDelta[i]
	}
}

// solveVelocityDelta solves M·Δq̇ = h·(τ - bias). A spring acts by its mean length; the part that depends on
// Δq̇ is in the inertia.
func (tree *Tree) solveVelocityDelta(h float64) {
	for i := range tree.dofs {
		d := &tree.dofs[i]
		f := d.effort - d.bias - float64(d.damping*d.v)
		if d.stiffness > 0 {
			f -= float64(d.stiffness * (d.q - d.springRest + float64(0.5*h*d.v)))
		}
		tree.velocityDelta[i] = float64(h * f)
	}
	tree.inertiaFactor.Solve(tree.velocityDelta)
}

// biasTerms selects forces: weight, wrenches and body damping; velocity-dependent bias forces.
type biasTerms struct{ external, inertial bool }

// computeBias computes the generalised bias force of every degree of freedom, for velocities now plus a part
// of the last velocity change (RNEA).
func (art *Articulation) computeBias(h, part float64, of biasTerms) {
	art.computeLinkVelocities(part)
	art.step.maxAngularSpeed = 0
	for i := range art.links {
		k := &art.links[i]
		art.step.maxAngularSpeed = max(art.step.maxAngularSpeed, k.velocity.ang.Len2())
		var ang, lin r3.Vec
		if of.inertial {
			ang, lin = k.inertia.apply(k.acceleration.ang, k.acceleration.lin)
			a, b := k.inertia.apply(k.velocity.ang, k.velocity.lin)
			ang = ang.Add(k.velocity.ang.Cross(a)).Add(k.velocity.lin.Cross(b))
			lin = lin.Add(k.velocity.ang.Cross(b))
		}
		k.biasForce = spatial{ang, lin}
		if of.external {
			ang, lin = ang.Sub(k.externalForce.ang), lin.Sub(k.externalForce.lin)
		}
		if b := &k.body; of.external && (b.LinearDamping > 0 || b.AngularDamping > 0) {
			drag := k.velocity.linearAt(k.arm).Scale(float64(k.inertia.mass * min(b.LinearDamping, 1/h)))
			tensor := k.body.Inertia.TurnedSymmetric(k.rot)
			lin = lin.Add(drag)
			slow := tensor.Apply(k.velocity.ang).Scale(min(b.AngularDamping, 1/h))
			ang = ang.Add(k.arm.Cross(drag)).Add(slow)
		}
		k.acceleration = spatial{ang, lin}
	}
	art.step.maxAngularSpeed = math.Sqrt(art.step.maxAngularSpeed)
	for i := len(art.links) - 1; i >= 0; i-- {
		k := &art.links[i]
		for d := k.firstDof; d < k.firstDof+k.dofCount; d++ {
			art.dofs[d].bias = art.dofs[d].axis.dot(&k.acceleration)
		}
		if k.parent >= 0 {
			art.links[k.parent].acceleration.add(&k.acceleration)
		}
	}
}

// computeLinkVelocities computes the links' velocities, and their accelerations at zero joint acceleration.
func (tree *Tree) computeLinkVelocities(part float64) {
	for i := range tree.links {
		k := &tree.links[i]
		motion, gain := &tree.baseMotion.twist, &tree.baseMotion.acceleration
		if k.parent >= 0 {
			p := &tree.links[k.parent]
			motion, gain = &p.velocity, &p.acceleration
		}
		ang, lin, gainAng, gainLin := motion.ang, motion.lin, gain.ang, gain.lin
		carrierAng, carrierLin := ang, lin
		for d := k.firstDof; d < k.firstDof+k.dofCount; d++ {
			f := &tree.dofs[d]
			v := f.v + float64(part*tree.velocityDelta[d])
			a, b := f.axis.ang.Scale(v), f.axis.lin.Scale(v)
			gainAng = gainAng.Add(carrierAng.Cross(a))
			gainLin = gainLin.Add(carrierAng.Cross(b).Add(carrierLin.Cross(a)))
			ang, lin = ang.Add(a), lin.Add(b)
			if !f.spherical {
				carrierAng, carrierLin = ang, lin
			}
		}
		k.velocity.ang, k.velocity.lin = ang, lin
		k.acceleration.ang, k.acceleration.lin = gainAng, gainLin
	}
}
