package dynamics

import "math"

// Joints have a speed limit where URDF and SDF give one. Gazebo's engine keeps it as a constraint whatever
// moves the joint (DART since 6.10: dartsim/dart pull request 1407), Webots bounds only what a motor asks
// for, and MuJoCo knows none. Here it is a brake that acts at the limit and gives way a little: it lets
// through some of what the joint would gain in a substep, and where a stop or what does not yield pushes
// it, it pushes back with a bounded force.

// velocityLimitCompliance is how much of the joint's own mobility the brake adds to it.
const velocityLimitCompliance = 0.01

// solveVelocityLimit holds an ordinary joint to its speed limit.
func (r *jointConstraint) solveVelocityLimit(s *solver) {
	v, sign := r.speed(s), 1.0
	if r.impulseVelocityLimit > 0 || r.impulseVelocityLimit == 0 && v < 0 {
		sign = -1
	}
	over, pull := float64(sign*v)-r.speedLimit, float64(-sign*r.impulseVelocityLimit)
	if over <= 0 && pull == 0 {
		return
	}
	d := (float64(r.axisMass*over) - float64(velocityLimitCompliance*pull)) / (1 + velocityLimitCompliance)
	d = max(d, -pull)
	r.impulseVelocityLimit -= float64(sign * d)
	r.applyAlongAxis(s, float64(-sign*d))
}

// addVelocityLimit adds the brake of a joint of a limb that is near its limit, or that a spring drives there.
func (b *articulationQP) addVelocityLimit(row articulationRow, j *joint, v float64) {
	if n := len(b.rows); n > 0 && b.rows[n-1].kind == rowDrive && b.rows[n-1].joint == row.joint && math.Abs(b.rows[n-1].target) > math.Abs(v) {
		v = b.rows[n-1].target
	}
	if math.Abs(v) < float64(0.5*j.speedLimit) {
		j.impulseVelocityLimit = 0
		return
	}
	row.kind, row.lower, row.upper, row.target = rowVelocityLimit, math.Inf(-1), 0, j.speedLimit
	if v < 0 {
		row.lower, row.upper, row.target = 0, math.Inf(1), -j.speedLimit
	}
	row.relaxedTarget = row.target
	b.addRow(&row, j)
}
