package vehicle

import "simdeck/sim/statecodec"

// CodeState visits everything of the drive that decides what it does next.
func (d *Drive) CodeState(v statecodec.Visitor) {
	v.Twist(&d.target)
	v.Duration(&d.since)
	v.Floats(&d.linear, &d.lateral, &d.angular, &d.steer, &d.angles[0], &d.angles[1], &d.angles[2],
		&d.angles[3], &d.x, &d.y, &d.yaw)
	v.Flag(&d.observed)
	v.Twist(&d.speed)
	c := &d.car.control
	statecodec.Whole(v, &c.Gear)
	statecodec.Whole(v, &c.Longitudinal)
	v.Floats(&c.Steer, &c.SteerRate, &c.Speed, &c.Accel, &c.Throttle, &c.Brake, &d.car.steerRate)
	v.Twist(&d.car.current)
	v.Twist(&d.car.previous)
	v.Flag(&d.car.stale)
}
