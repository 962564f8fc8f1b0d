package vehicle

import (
	"math"
	"time"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// Gear of a car, with the numbers of gs_sim_msgs/msg/VehicleControlCmd.
type Gear uint8

// Gears.
const (
	Park Gear = iota
	Reverse
	Neutral
	Forward
)

// String is the gear in a word.
func (g Gear) String() string {
	if int(g) < len(gearNames) {
		return gearNames[g]
	}
	return "unknown gear"
}

var gearNames = [...]string{"park", "reverse", "neutral", "drive"}

// LongitudinalControl is the quantity by which a Control drives a car.
type LongitudinalControl uint8

// Longitudinal controls, with the numbers of gs_sim_msgs/msg/VehicleControlCmd.
const (
	ByPedals LongitudinalControl = iota // Throttle and Brake
	ToSpeed                             // Speed, within Accel
	ByAccel                             // Accel
)

// Control is a driver's command to a car.
type Control struct {
	Gear         Gear
	Longitudinal LongitudinalControl `json:"Pedal"` // recordings name it so
	Steer        float64             // rad at the middle of the front axle, to the left
	SteerRate    float64             // rad/s; 0: as fast as the car can
	Speed        float64             // m/s, how fast in the direction of the gear
	Accel        float64             // m/s²; ToSpeed: at most, 0 as the car can
	Throttle     float64             // 0 to 1, of the greatest acceleration
	Brake        float64             // 0 to 1, of the greatest deceleration
}

// Driving is to go at a speed, in reverse where it is below 0, steered by an angle.
func Driving(speed, steer float64) Control {
	c := Control{Gear: Forward, Longitudinal: ToSpeed, Steer: steer, Speed: math.Abs(speed)}
	if speed < 0 {
		c.Gear = Reverse
	}
	return c
}

// Ahead is Speed, below 0 in reverse.
func (c *Control) Ahead() float64 {
	if c.Gear == Reverse {
		return -c.Speed
	}
	return c.Speed
}

// Valid reports whether all is finite and known.
func (c *Control) Valid() bool {
	for _, x := range [...]float64{c.Steer, c.SteerRate, c.Speed, c.Accel, c.Throttle, c.Brake} {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return false
		}
	}
	return c.Gear <= Forward && c.Longitudinal <= ByAccel
}

// carDynamics is the additional state of a drive that is a car. The zero value is a car at a stand that
// nobody has commanded.
type carDynamics struct {
	control   Control
	steerRate float64 // rad/s, over the last step
	current   r3.Twist
	previous  r3.Twist // before the last step
	stale     bool     // in the last step no command was in force
}

// Begin sets a car going as it comes into the world at a time.
func (d *Drive) Begin(now time.Duration) {
	d.since = now
	d.setPace(d.spec.Car.Start)
	d.car.control = Control{Gear: Forward, Longitudinal: ToSpeed, Speed: d.linear}
}

// setPace gives a car a velocity in its base frame.
func (d *Drive) setPace(t r3.Twist) {
	d.linear, d.lateral, d.angular = t.Linear.X, t.Linear.Y, t.Angular.Z
	d.car.current = d.velocity()
	d.car.previous = d.car.current
}

// velocity is that of the base at the end of the last Ask.
func (d *Drive) velocity() r3.Twist {
	return r3.Twist{Linear: r3.V(d.linear, d.lateral, 0), Angular: r3.V(0, 0, d.angular)}
}

// Car reports whether the drive is a car's, which takes Control.
func (d *Drive) Car() bool { return d.spec.Car != nil }

// Steered reports whether the drive takes a steering angle and a speed, not a velocity: a car always, other
// Ackermann drives after Control.
func (d *Drive) Steered() bool { return d.Car() || d.car.control.Longitudinal == ToSpeed }

// Obeys reports whether the drive can do what a Control asks. Other steered vehicles have no pedals.
func (d *Drive) Obeys(c *Control) bool {
	return d.Car() || d.spec.Kind == scene.Ackermann && c.Longitudinal == ToSpeed &&
		(c.Gear == Forward || c.Gear == Reverse)
}

// Control tells a drive that Obeys what to do from a time on.
func (d *Drive) Control(c Control, now time.Duration) {
	d.car.control, d.since = c, now
	d.target = r3.Twist{Linear: r3.V(c.Ahead(), 0, 0)}
}

// controlTwist is a velocity command as a driver would carry it out: a turn at a
// stand leaves the wheels as they are.
func (d *Drive) controlTwist(t r3.Twist, now time.Duration) {
	c := Driving(t.Linear.X, d.steer)
	if math.Abs(t.Linear.X) > 1e-6 {
		c.Steer = r3.Atan(float64(t.Angular.Z*d.spec.WheelBase) / t.Linear.X)
	}
	d.Control(c, now)
	d.target = r3.Twist{Linear: r3.V(t.Linear.X, 0, 0), Angular: r3.V(0, 0, t.Angular.Z)}
}

// targetsCar moves a car on by a step.
func (d *Drive) targetsCar(now time.Duration, dt float64) JointTargets {
	c := &d.car
	c.stale = d.spec.Timeout > 0 && (now-d.since).Seconds() > d.spec.Timeout
	c.previous = c.current
	was := d.steer
	d.turnWheel(dt)
	c.steerRate = (d.steer - was) / dt
	speed := d.pace(d.linear, dt)
	tan := r3.Tan(d.steer)
	switch d.spec.Car.Model {
	case scene.DynamicBicycle:
		d.slip(was, speed, dt)
	default:
		d.linear = speed
		d.angular = float64(speed*tan) / d.spec.WheelBase
		d.lateral = float64(d.angular * d.spec.Car.Rear)
	}
	c.current = d.velocity()
	return d.wheelsOf(tan)
}

// turnWheel steers as fast as is asked and possible. Without a command it stays.
func (d *Drive) turnWheel(dt float64) {
	if d.car.stale {
		return
	}
	d.steer = approach(d.steer, clamp(d.car.control.Steer, d.limit), float64(d.steerRate()*dt))
}

// steerRate is the largest steering rate of the command in force, rad/s; 0: unbounded.
func (d *Drive) steerRate() float64 {
	return least(d.spec.SteerRate, math.Abs(d.car.control.SteerRate))
}

// pace is the speed ahead after a step that began with v.
func (d *Drive) pace(v, dt float64) float64 {
	k, c := d.spec.Car, &d.car.control
	stop := func(brake float64) float64 { return approach(v, 0, max(float64(brake*dt), 1e-12)) }
	sign := 1.0
	if c.Gear == Reverse {
		sign = -1
	}
	along := sign * v // in the direction of the gear
	switch {
	case d.car.stale:
		return stop(k.Emergency)
	case c.Gear == Park:
		return stop(k.Brake)
	case c.Gear == Neutral && c.Longitudinal == ByPedals:
		return stop(float64(k.Brake * unit(c.Brake)))
	case c.Gear == Neutral:
		return v
	case along < 0:
		return stop(k.Brake) // it rolls against its gear
	case c.Longitudinal == ToSpeed:
		return sign * d.towards(along, clamp(max(0, c.Speed), d.spec.MaxLinearSpeed), math.Abs(c.Accel), dt)
	}
	a := float64(unit(c.Throttle)*k.Accel) - float64(unit(c.Brake)*k.Brake)
	if c.Longitudinal == ByAccel {
		a = max(-k.Brake, min(k.Accel, c.Accel))
	}
	along = max(0, along+float64(a*dt))
	if top := d.spec.MaxLinearSpeed; top > 0 {
		along = min(along, max(top, sign*v))
	}
	return sign * along
}

// towards takes a speed to another within what the car can, and at most (0: nothing more is said).
func (d *Drive) towards(v, to, most, dt float64) float64 {
	limit := d.spec.Car.Accel
	if to < v {
		limit = d.spec.Car.Brake
	}
	return approach(v, to, float64(least(limit, most)*dt))
}

func unit(x float64) float64 { return max(0, min(1, x)) }

// mean is the velocity at the middle of the last step: with it a body covers the
// way of one that speeds up evenly.
func (c *carDynamics) mean() r3.Twist {
	half := func(a, b r3.Vec) r3.Vec { return a.Add(b).Scale(0.5) }
	return r3.Twist{Linear: half(c.previous.Linear, c.current.Linear),
		Angular: half(c.previous.Angular, c.current.Angular)}
}

// Of a car that was held up: how far off its speed is then.
const (
	heldSpeed = 0.3 // m/s
	heldTurn  = 0.3 // rad/s
	ahead     = 1.5 // m/s, that the wheels of a rigid car are at most before it
)

// SetMeasured tells a car how its base truly moved during the step, in its own frame at the middle of it.
// After a collision the car goes on at its measured speed.
func (d *Drive) SetMeasured(t r3.Twist) {
	if d.spec.Car.Model == scene.RigidCar {
		d.linear = t.Linear.X + clamp(d.linear-t.Linear.X, ahead)
		d.car.current = d.velocity()
		return
	}
	want := d.car.mean()
	off := t.Linear.Sub(want.Linear)
	if r3.Hypot(off.X, off.Y) < heldSpeed && math.Abs(t.Angular.Z-want.Angular.Z) < heldTurn {
		return
	}
	d.setPace(r3.Twist{Linear: r3.V(t.Linear.X, t.Linear.Y, 0), Angular: r3.V(0, 0, t.Angular.Z)})
}

// SetVelocity gives a car that was put somewhere its velocity, in the base frame.
func (d *Drive) SetVelocity(t r3.Twist) { d.setPace(t) }

// CarState is the state on a car's dashboard.
type CarState struct {
	Twist     r3.Twist // in the base frame: m/s, rad/s
	Accel     r3.Twist // of the base, likewise, over the last step: m/s², rad/s²
	Steer     float64  // rad at the middle of the front axle
	SteerRate float64  // rad/s
	Gear      Gear
	Stale     bool // no command came for longer than the time-out
}

// Dashboard is the state of a car after a step of dt seconds.
func (d *Drive) Dashboard(dt float64) CarState {
	c := &d.car
	s := CarState{Twist: c.current, Steer: d.steer, SteerRate: c.steerRate, Gear: c.control.Gear,
		Stale: c.stale}
	change := r3.Twist{Linear: c.current.Linear.Sub(c.previous.Linear).Scale(1 / dt),
		Angular: c.current.Angular.Sub(c.previous.Angular).Scale(1 / dt)}
	s.Accel = r3.Twist{Linear: change.Linear.Add(c.current.Angular.Cross(c.current.Linear)),
		Angular: change.Angular}
	return s
}

// CarNumbers are everything of a car that decides what it does next.
func (d *Drive) CarNumbers() [11]float64 {
	c := &d.car.control
	return [11]float64{float64(c.Gear), float64(c.Longitudinal), c.Steer, c.SteerRate, c.Speed, c.Accel,
		c.Throttle,
		c.Brake,
		d.car.previous.Linear.X, d.car.previous.Linear.Y, d.car.previous.Angular.Z}
}
