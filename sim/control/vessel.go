package control

import (
	"simdeck/sim/medium"
	"simdeck/sim/model"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// vessel is the controller of what swims or dives by thrusters: what it knows of its hull. It follows
// velocities by proportional and integral terms on each freedom that its thrusters have, and keeps level.
type vessel struct {
	rotors     []int        // by ModelSpec.Flow.Rotors
	shares     [][6]float64 // by rotors: its thrust for a force and a torque in the frame of the base
	thrusts    []float64    // N, by rotors, of the step that is computed
	controlled [6]bool
	inertia    [6]float64 // kg and kg·m², added masses included
}

// Gains of a vessel. They follow a step of a velocity with two poles at -1/s, and right an inclination with
// two at -2/s.
const (
	swimGain    = 2.0 // 1/s
	swimRepeat  = 1.0 // 1/s²
	rightGain   = 4.0 // 1/s²
	rightDamper = 4.0 // 1/s
)

// course are the integrals of what a vessel lags behind: of its velocities ahead, to the left and up, m, and
// of its turning, rad. Of an aeroplane: of its speed, m, of its turning about the axes of its base, rad, and
// of its climb, m.
type course [5]float64

// steered are the freedoms of a course.
var steered = [4]int{model.Surge, model.Sway, model.Heave, model.Yaw}

// newVessel is the controller of a drive; nil: it is no vessel's.
func newVessel(m *model.Model, spec *scene.Drive) *vessel {
	if spec.Kind != scene.Vessel {
		return nil
	}
	v := &vessel{}
	v.shares, v.rotors, v.controlled = m.ThrusterAllocation(spec.Propulsion)
	v.thrusts = make([]float64, len(v.rotors))
	mass, moments := m.AboutBase()
	v.inertia = [6]float64{mass, mass, mass, moments[0], moments[1], moments[2]}
	for i := range m.Spec.Links {
		if a := m.Spec.Links[i].Added; a != nil { // the least of it is in the mass already
			least, _ := medium.Split(a)
			v.inertia[0] += a.Linear.XX - least
			v.inertia[1] += a.Linear.YY - least
			v.inertia[2] += a.Linear.ZZ - least
		}
	}
	return v
}

// swim tells the thrusters how to follow a velocity for a step of dt seconds, in the base's frame but level.
// Thrusters at their bounds keep it level before they turn it, and turn it before it goes.
func (v *vessel) swim(base r3.Pose, twist, told r3.Twist, c *course, dt float64, on *rotorSet) {
	level := r3.AxisAngle(r3.V(0, 0, 1), base.Rot.Yaw())
	lag := told.Linear.Sub(level.RotateBack(twist.Linear))
	lags := [4]float64{lag.X, lag.Y, lag.Z, told.Angular.Z - twist.Angular.Z}
	var want [4]float64
	next := *c
	for k, f := range steered {
		if v.controlled[f] {
			next[k] += float64(lags[k] * dt)
			want[k] = v.inertia[f] * (float64(swimGain*lags[k]) + float64(swimRepeat*next[k]))
		}
	}
	force := base.Rot.RotateBack(level.Rotate(r3.V(want[0], want[1], want[2])))
	roll, pitch, _ := base.Rot.RPY()
	spin := base.Rot.RotateBack(twist.Angular)
	clear(v.thrusts)
	v.add(&[6]float64{
		model.Roll:  -v.inertia[3] * (float64(rightGain*roll) + float64(rightDamper*spin.X)),
		model.Pitch: -v.inertia[4] * (float64(rightGain*pitch) + float64(rightDamper*spin.Y))}, on)
	if v.add(&[6]float64{model.Yaw: want[3]}, on) {
		c[3] = next[3] // beyond what thrusters can do nothing adds up
	}
	if v.add(&[6]float64{force.X, force.Y, force.Z}, on) {
		c[0], c[1], c[2] = next[0], next[1], next[2]
	}
	for k, i := range v.rotors {
		on.push(i, v.thrusts[k])
	}
}

// add adds a force and a torque to what thrusters are to do, as far as their bounds allow; true: wholly.
func (v *vessel) add(wrench *[6]float64, on *rotorSet) bool {
	part := 1.0
	for k, i := range v.rotors {
		force, more := &on.of.Spec.Flow.Rotors[i].Force, v.share(k, wrench)
		switch now := v.thrusts[k]; {
		case more > 0 && now+more > force[1]:
			part = min(part, max(0, force[1]-now)/more)
		case more < 0 && now+more < force[0]:
			part = min(part, min(0, force[0]-now)/more)
		}
	}
	for k := range v.rotors {
		v.thrusts[k] += float64(part * v.share(k, wrench))
	}
	return part == 1
}

// share is the part of a thruster in a force and a torque, N.
func (v *vessel) share(k int, wrench *[6]float64) (sum float64) {
	for f, share := range v.shares[k] {
		sum += float64(share * wrench[f])
	}
	return sum
}
