package control

import (
	"math"

	"simdeck/sim/scene"
	"simdeck/sim/sensor"
)

// odometryError is the error model of a drive's odometry: errors of the wheels' radii, and slip. The zero
// value is a drive without.
type odometryError struct {
	spec        scene.Drift
	radius      float64
	key         sensor.Key
	radiusError [4]float64 // relative errors of the radii
	traveled    [4]float64 // rad, at the last step
	predicted   [4]float64 // rad: what is believed above what is
	begun       bool
}

// wearInterval is the sample of a drift's stream from which its constant errors
// come; the others are numbers of steps.
const wearInterval = 1 << 62

func newOdometryError(spec *scene.Drive, key sensor.Key) odometryError {
	d := odometryError{spec: spec.Odometry.Drift, radius: spec.Radius, key: key}
	if d.spec == (scene.Drift{}) || !(spec.Radius > 0) {
		return odometryError{}
	}
	key.Sample = wearInterval
	n := sensor.NewNoise(key)
	for k := range d.radiusError {
		d.radiusError[k] = float64(d.spec.Scale * n.Normal())
	}
	return d
}

// apply makes of how the wheels stand after a step what the drive believes.
func (d *odometryError) apply(angles *[4]float64, step uint64) {
	if d.spec == (scene.Drift{}) {
		return
	}
	if !d.begun {
		d.traveled, d.begun = *angles, true
	}
	d.key.Sample = step
	n := sensor.NewNoise(d.key)
	for k := range angles {
		turned := angles[k] - d.traveled[k]
		d.traveled[k] = angles[k]
		walk := float64(d.spec.Walk*math.Sqrt(math.Abs(float64(turned*d.radius)))) / d.radius
		d.predicted[k] += float64(turned*d.radiusError[k]) + float64(walk*n.Normal())
		angles[k] += d.predicted[k]
	}
}
