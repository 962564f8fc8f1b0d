package dynamics

import (
	"math"

	"simdeck/sim/dynamics/articulation"
)

// URDF and SDF give joints a velocity limit. Gazebo's engine enforces it as a constraint whatever moves the
// joint (DART since 6.10: dartsim/dart applied request 1407). Webots bounds only the motor's target, and
// MuJoCo has none. Here it is a unilateral constraint with a small compliance, so its impulse stays bounded
// against joint limits and rigid contacts.

// velocityLimitCompliance is the constraint's compliance relative to the joint's inverse effective mass.
const velocityLimitCompliance = 0.01

// solveVelocityLimit enforces the velocity limit of a joint constraint.
func (r *jointConstraint) solveVelocityLimit(s *solver) {
	v, sign := r.speed(s), 1.0
	if r.impulseVelocityLimit > 0 || r.impulseVelocityLimit == 0 && v < 0 {
		sign = -1
	}
	over, applied := float64(sign*v)-r.speedLimit, float64(-sign*r.impulseVelocityLimit)
	if over <= 0 && applied == 0 {
		return
	}
	d := (float64(r.axisMass*over) - float64(velocityLimitCompliance*applied)) / (1 + velocityLimitCompliance)
	d = max(d, -applied)
	r.impulseVelocityLimit -= float64(sign * d)
	r.applyAlongAxis(s, float64(-sign*d))
}

// addVelocityLimit adds the velocity limit of a joint near it, or that a motor drives there.
func (art *worldArticulation) addVelocityLimit(row articulation.Row, j *joint, v float64) {
	if n := art.Rows.Len(); n > 0 {
		if joint, kind, target, ok := art.Rows.Target(n - 1); ok && rowKind(kind) == rowDrive &&
			joint == row.Joint && math.Abs(target) > math.Abs(v) {
			v = target
		}
	}
	if math.Abs(v) < float64(0.5*j.speedLimit) {
		j.impulseVelocityLimit = 0
		return
	}
	row.Lower, row.Upper, row.Target = math.Inf(-1), 0, j.speedLimit
	if v < 0 {
		row.Lower, row.Upper, row.Target = 0, math.Inf(1), -j.speedLimit
	}
	row.RelaxedTarget, row.RelativeCompliance = row.Target, velocityLimitCompliance
	art.addRow(&row, rowVelocityLimit, j)
}
