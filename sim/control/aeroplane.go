package control

import (
	"math"
	"slices"

	"simdeck/sim"
	"simdeck/sim/medium"
	"simdeck/sim/model"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// aeroplane is the controller of what flies by wings: what it knows of its airframe. Loops for the path, the
// attitude and the rates stand in each other. Source: Beard and McLain, "Small Unmanned Aircraft", 2012,
// chapters 6 and 9.
type aeroplane struct {
	spec      *scene.Aircraft
	rotors    []int        // by ModelSpec.Flow.Rotors
	pulls     []float64    // by rotors: its thrust by that of all
	shares    [][6]float64 // by surfaces: its angle for a torque at 1 Pa
	targets   []float64    // rad, by surfaces, of the step that is computed
	mass      float64      // kg
	most      float64      // N, of all propellers
	inertia   [3]float64   // kg·m², about the axes of the base
	controls  [3]bool      // the axes about which surfaces turn it
	leastLift float64      // m/s, the speed through the air below which surfaces stay in the middle
}

// Gains of an aeroplane. Each loop is about three times as quick as the one about it.
const (
	thrustGain   = 0.8 // 1/s, acceleration by the lag of the speed
	thrustRepeat = 0.2 // 1/s²
	heightGain   = 0.4 // 1/s, climb by the lag of the height
	pathGain     = 2.0 // 1/s, turn of the path by its lag
	bankGain     = 2.0 // 1/s
	slipGain     = 1.0 // 1/s, turn by the angle of sideslip
	attackGain   = 3.0 // 1/s, turn of the path by what is left of the angle of attack
	rateGain     = 6.0 // 1/s
	rateRepeat   = 9.0 // 1/s²
)

// Bounds of an aeroplane.
const (
	steepestPath = 0.35 // rad, of climbing and sinking
	quickestRoll = 1.5  // rad/s
	mostLoad     = 1.0  // g beyond that of level flight
	// speedFirst is the path's angle, rad, by the excess over the least speed in parts of that. Below the
	// least speed the nose goes down, whatever climb is asked.
	speedFirst = 1.5
	// flownFrom is the part of the least speed from which control surfaces work.
	flownFrom = 0.6
)

// Bounds of what an aeroplane adds up, which nothing else ends while it rolls on the ground.
const (
	mostHeightLag = 3.0 // m
	mostTurnLag   = 0.4 // rad
	nearSpeed     = 0.1 // part of a speed within which the lag of it adds up
)

// newAeroplane is the controller of a drive; nil: it is no aeroplane's.
func newAeroplane(m *model.Model, spec *scene.Drive) *aeroplane {
	if spec.Aircraft == nil {
		return nil
	}
	a := &aeroplane{spec: spec.Aircraft, leastLift: flownFrom * spec.Aircraft.LeastSpeed,
		targets: make([]float64, len(spec.Aircraft.Surfaces))}
	a.pulls, a.rotors = m.PropellerAllocation(spec.Aircraft)
	var controlled [6]bool
	a.shares, controlled = m.SurfaceAllocation(spec.Aircraft)
	a.mass, a.inertia = m.AboutBase()
	copy(a.controls[:], controlled[model.Roll:])
	a.most = math.Inf(1)
	for k, i := range a.rotors {
		if r := &m.Spec.Flow.Rotors[i]; r.Most > 0 && a.pulls[k] > 0 {
			a.most = min(a.most, r.Thrust*r.Most*r.Most/a.pulls[k])
		}
	}
	return a
}

// fly tells the propellers how to follow a speed through the air, m/s. It computes the angles of the control
// surfaces for a climb, m/s, and a turn, rad/s. Without a speed the propellers stand, and it glides.
func (a *aeroplane) fly(gravity float64, base r3.Pose, twist, told r3.Twist, air medium.State, c *course,
	dt float64, on *rotorSet) {
	flow := twist.Linear.Sub(air.Velocity) // of the base against the air
	speed := flow.Len()
	most := r3.Sin(steepestPath)
	lag := bound(c[4]+float64((told.Linear.Z-twist.Linear.Z)*dt), mostHeightLag)
	climb := bound((told.Linear.Z+float64(heightGain*lag))/max(speed, a.spec.LeastSpeed), most)
	a.throttle(gravity, told.Linear.X, speed, climb, c, dt, on)
	if clear(a.targets); speed < a.leastLift {
		c[1], c[2], c[3], c[4] = 0, 0, 0, 0
		return
	}
	c[4] = lag
	off := a.rates(gravity, base, twist, flow, climb, told.Angular.Z).
		Sub(base.Rot.RotateBack(twist.Angular))
	pressure := 0.5 * air.Density * speed * speed
	trim := speed / a.spec.CruiseSpeed
	trim *= trim // it is trimmed by a coefficient
	next, torque, free := *c, [3]float64{}, true
	for k, lag := range [3]float64{off.X, off.Y, off.Z} {
		if a.controls[k] {
			next[1+k] = bound(next[1+k]+float64(lag*dt), mostTurnLag)
			torque[k] = a.inertia[k] * (float64(rateGain*lag) + float64(rateRepeat*trim*next[1+k]))
		}
	}
	for k := range a.targets {
		share := &a.shares[k]
		a.targets[k] = (float64(share[model.Roll]*torque[0]) + float64(share[model.Pitch]*torque[1]) +
			float64(share[model.Yaw]*torque[2])) / pressure
		held := clampToLimits(&on.of.Spec.Joints[a.spec.Surfaces[k]], a.targets[k])
		free = free && held == a.targets[k]
		a.targets[k] = held
	}
	if free { // beyond what surfaces can do nothing adds up
		c[1], c[2], c[3] = next[1], next[2], next[3]
	}
}

// throttle tells the propellers a thrust.
func (a *aeroplane) throttle(gravity, told, speed, climb float64, c *course, dt float64, on *rotorSet) {
	thrust := 0.0
	if told > 0 {
		told = max(told, a.spec.LeastSpeed)
		lag := told - speed
		if math.Abs(lag) < nearSpeed*told {
			c[0] += float64(lag * dt)
		}
		thrust = a.mass * (float64(thrustGain*lag) + float64(thrustRepeat*c[0]) + float64(gravity*climb))
		thrust = max(0, min(a.most, thrust))
	} else {
		c[0] = 0
	}
	for k, i := range a.rotors {
		on.push(i, thrust*a.pulls[k])
	}
}

// rates are the angular velocities that lead to a climb and to a turn without sideslip, rad/s in the frame of
// the base. The climb is given by the sine of the path; least speed and angle of attack come before it.
func (a *aeroplane) rates(gravity float64, base r3.Pose, twist r3.Twist, flow r3.Vec, climb,
	turn float64) r3.Vec {
	local, speed := base.Rot.RotateBack(flow), flow.Len()
	quick := gravity / speed // rad/s, at one g
	want := min(r3.Asin(climb), speedFirst*(speed/a.spec.LeastSpeed-1))
	path := r3.Asin(bound(twist.Linear.Z/speed, 1))
	rise := bound(pathGain*(max(-steepestPath, want)-path), mostLoad*quick)
	rise = min(rise, attackGain*(a.spec.MaxAttack-r3.Atan2(-local.Z, local.X)))

	roll, pitch, _ := base.Rot.RPY()
	bank := -bound(r3.Atan2(turn, quick), a.spec.MaxBank)
	rolling := bound(bankGain*(bank-roll), quickestRoll)
	turning := -quick * r3.Tan(bound(roll, a.spec.MaxBank))
	sinRoll, cosRoll := r3.SinCos(roll)
	sinPitch, cosPitch := r3.SinCos(pitch)
	return r3.V(rolling-float64(turning*sinPitch),
		float64(-rise*cosRoll)+float64(turning*cosPitch*sinRoll),
		float64(rise*sinRoll)+float64(turning*cosPitch*cosRoll)+float64(slipGain*local.Y/speed))
}

// bound is a number within ±most.
func bound(x, most float64) float64 { return max(-most, min(most, x)) }

// steers reports that a joint is one of its control surfaces.
func (a *aeroplane) steers(joint int) bool { return slices.Contains(a.spec.Surfaces, joint) }

// deflect sets the motors of an aeroplane's control surfaces.
func (a *aeroplane) deflect(p Dynamics, c *Controller) {
	for k, joint := range a.spec.Surfaces {
		m := motor{target: a.targets[k], mode: sim.JointPosition}
		if c.motors[joint] == m {
			continue // one at rest may sleep
		}
		// The joints of an entity live as long as it does, and the target is finite.
		if c.setMotor(p, joint, m) == nil {
			c.motors[joint] = m
		}
	}
}
