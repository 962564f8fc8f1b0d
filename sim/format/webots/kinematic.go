package webots

import (
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// Masses of links without Physics that a motor moves. No gravity pulls at them, and their motors have no
// limit: a mass only tells the engine how to divide what they push.
const (
	kinematicMass  = 1    // kg, of a link on a base that stands in the world
	kinematicShare = 1e-3 // of the mass of a base that moves, so that the link weighs nothing on it
)

// moveKinematically lets the motors of joints whose end has no Physics move it as they are told, as Webots
// does. Such a joint without a motor keeps its position. It reports that there is such a motor.
func (b *builder) moveKinematically(r ref) (motors bool) {
	for i := range b.spec.Joints {
		j := &b.spec.Joints[i]
		if j.Kind == scene.Fixed || j.Parent == scene.World || b.dynamic[j.Child] || propels(b, i) {
			continue
		}
		j.Damping, j.Stiffness, j.Friction, j.Limit.Effort = 0, 0, 0, 0
		b.weighNothing(j.Child)
		_, motor := b.factors[j.Name]
		switch {
		case motor:
			j.Kinematic, motors = true, true
		case j.Kind == scene.Ball:
			j.Kind = scene.Fixed
		default:
			j.Limit = scene.Limit{Set: true, Lower: j.Initial, Upper: j.Initial}
			if j.Kind == scene.Continuous {
				j.Kind = scene.Revolute
			}
			j.Kinematic, j.Hold = true, true
		}
	}
	if motors {
		b.noteOnce(scene.Inferred, r,
			"solids of %q without Physics go where their motors move them, and stop for nothing", b.spec.Name)
	}
	return motors
}

// weighNothing gives a link without Physics a mass that nothing feels.
func (b *builder) weighNothing(link int) {
	l := &b.spec.Links[link]
	l.NoGravity = true
	mass := float64(kinematicMass)
	if base := b.spec.Links[0].Inertial.Mass; b.dynamic[0] && base > 0 {
		mass = kinematicShare * base
	}
	l.Inertial = scene.Inertial{Mass: mass, Pose: r3.IdentityPose(),
		Inertia: r3.Diag(r3.V(1, 1, 1).Scale(0.4 * mass * 0.1 * 0.1))}
}
