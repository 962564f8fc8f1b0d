package dynamics

const (
	// exactSpringLimit and implicitSpringLimit are (ω·h)² up to which a spring is explicit, and from which it
	// is fully implicit. ω is of the joint's two bodies alone; attached bodies make it slower. Up to eight
	// springs beside each other on the same bodies are stable, which needs (ω·h)² up to 4.
	exactSpringLimit, implicitSpringLimit = 0.1, 0.5
	// maxDamperRate bounds the gain of a damper that makes up for the implicit rule: x/(1 + x) falls short of
	// 1 - exp(-x) by half of x.
	maxDamperRate = 0.1
)

// springImplicitTerms returns the implicit part of the substep, and the damping with which an implicit damper
// takes what the exact one would. mass is the effective mass along or about the axis, kg or kg·m².
func springImplicitTerms(stiffness, damping, mass, h float64) (implicit, damper float64) {
	if mass <= 0 {
		return 1, damping
	}
	z := float64(h*h*stiffness) / mass
	implicit = max(0, min(1, (z-exactSpringLimit)/(implicitSpringLimit-exactSpringLimit)))
	return implicit, float64(damping * (1 + min(maxDamperRate, float64(0.5*h*damping)/mass)))
}

// solveSpring solves the joint's spring and damper. It is semi-implicit Euler: the position is the substep's
// start, the velocity its end. An explicit spring returns its energy to second order in h, where an implicit
// one loses as much as a damping ratio of ω·h/2. Both iterations use the same position and so find the same
// impulse. A spring too stiff for the substep becomes implicit in proportion, and is stable at any stiffness.
func (r *jointConstraint) solveSpring(s *solver) {
	if r.axisMass <= 0 {
		return
	}
	implicit, damper := springImplicitTerms(r.stiffness, r.damping, r.axisMass, s.h)
	k := damper + float64(float64(implicit*s.h)*r.stiffness)
	d := -(float64(k*r.speed(s)) + float64((r.positionBefore-r.springRest)*r.stiffness) +
		float64(s.invH*r.impulseDamping)) / (k/r.axisMass + s.invH)
	r.impulseDamping += d
	r.applyAlongAxis(s, d)
}
