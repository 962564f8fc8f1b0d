package dynamics

// The spring and the damper of a joint between bodies pull by where the joint was when the substep began and by how fast
// it runs when it ends (semi-implicit Euler): so a spring gives back what it took, to the second order of the substep,
// where one that looked at where it will be would lose as much as a damper of half ω·h of critical damping takes. Both
// passes of a substep look at the same place, for both ask for the same impulse. A spring too stiff for the substep, whose
// ω·h is not small, looks ahead by as much as it is: there it is the implicit one, which no stiffness makes unstable.
const (
	// exactSpringLimit and implicitSpringLimit are the squares of ω·h up to which a spring does not look ahead, and from which on
	// it does by all of the substep. The mass in them is that of its two bodies alone; what else hangs on them makes the
	// spring slower, and others beside it on the same bodies may be eight, for up to 4 all of them hold.
	exactSpringLimit, implicitSpringLimit = 0.1, 0.5
	// maxDamperRate is the most by which a damper is strengthened for what an implicit one lacks, as a part: of 1 - exp(-x),
	// x/(1 + x) is short by half of x.
	maxDamperRate = 0.1
)

// springImplicitTerms is by which part of the substep a spring looks ahead, and how strong an implicit damper must be to take what the
// damper would. Mass is what the joint feels of its bodies, along or about its axis.
func springImplicitTerms(stiffness, damping, mass, h float64) (ahead, damper float64) {
	if mass <= 0 {
		return 1, damping
	}
	z := float64(h*h*stiffness) / mass
	ahead = max(0, min(1, (z-exactSpringLimit)/(implicitSpringLimit-exactSpringLimit)))
	return ahead, float64(damping * (1 + min(maxDamperRate, float64(0.5*h*damping)/mass)))
}

// solveSpring solves the spring and damper of a joint.
func (r *jointConstraint) solveSpring(s *solver) {
	if r.axisMass <= 0 {
		return
	}
	ahead, damper := springImplicitTerms(r.stiffness, r.damping, r.axisMass, s.h)
	k := damper + float64(float64(ahead*s.h)*r.stiffness)
	d := -(float64(k*r.speed(s)) + float64((r.positionBefore-r.springRest)*r.stiffness) + float64(s.invH*r.impulseDamping)) / (k/r.axisMass + s.invH)
	r.impulseDamping += d
	r.applyAlongAxis(s, d)
}
