package vehicle

import (
	"math"
	"time"

	"simdeck/sim/r3"
)

// Words visits everything of the drive that decides what it does next, as
// 64-bit words in one order; what the visitor makes of a word is taken over.
func (d *Drive) Words(visit func(*uint64)) {
	float := func(list ...*float64) {
		for _, f := range list {
			bits := math.Float64bits(*f)
			visit(&bits)
			*f = math.Float64frombits(bits)
		}
	}
	twist := func(t *r3.Twist) {
		float(&t.Linear.X, &t.Linear.Y, &t.Linear.Z, &t.Angular.X, &t.Angular.Y, &t.Angular.Z)
	}
	flag := func(b *bool) {
		var bit uint64
		if *b {
			bit = 1
		}
		visit(&bit)
		*b = bit == 1
	}
	twist(&d.target)
	since := uint64(d.since)
	visit(&since)
	d.since = time.Duration(since)
	float(&d.linear, &d.lateral, &d.angular, &d.steer, &d.angles[0], &d.angles[1], &d.angles[2], &d.angles[3], &d.x, &d.y, &d.yaw)
	flag(&d.observed)
	twist(&d.speed)
	c := &d.helm.control
	gear, pedal := uint64(c.Gear), uint64(c.Pedal)
	visit(&gear)
	visit(&pedal)
	c.Gear, c.Pedal = Gear(gear), Pedal(pedal)
	float(&c.Steer, &c.SteerRate, &c.Speed, &c.Accel, &c.Throttle, &c.Brake, &d.helm.steerRate)
	twist(&d.helm.now)
	twist(&d.helm.was)
	flag(&d.helm.stale)
}
