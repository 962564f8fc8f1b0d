package sim

import (
	"math"

	"simdeck/sim/scene"
	"simdeck/sim/sensor"
)

// drift is how far what a drive believes of its wheels runs away from how they
// turned: by the errors of their radii, and by what they slip. The zero value
// is a drive without.
type drift struct {
	spec   scene.Drift
	radius float64
	key    sensor.Key
	wear   [4]float64 // relative errors of the radii
	rolled [4]float64 // rad, at the last step
	ahead  [4]float64 // rad: what is believed above what is
	begun  bool
}

// wearSample is the sample of a drift's stream from which its constant errors
// come; the others are numbers of steps.
const wearSample = 1 << 62

func newDrift(spec *scene.Drive, key sensor.Key) drift {
	d := drift{spec: spec.Drift, radius: spec.Radius, key: key}
	if d.spec == (scene.Drift{}) || !(spec.Radius > 0) {
		return drift{}
	}
	key.Sample = wearSample
	n := sensor.NewNoise(key)
	for k := range d.wear {
		d.wear[k] = float64(d.spec.Scale * n.Normal())
	}
	return d
}

// disturb makes of how the wheels stand after a step what the drive believes.
func (d *drift) disturb(angles *[4]float64, step uint64) {
	if d.spec == (scene.Drift{}) {
		return
	}
	if !d.begun {
		d.rolled, d.begun = *angles, true
	}
	d.key.Sample = step
	n := sensor.NewNoise(d.key)
	for k := range angles {
		turned := angles[k] - d.rolled[k]
		d.rolled[k] = angles[k]
		walk := float64(d.spec.Walk*math.Sqrt(math.Abs(float64(turned*d.radius)))) / d.radius
		d.ahead[k] += float64(turned*d.wear[k]) + float64(walk*n.Normal())
		angles[k] += d.ahead[k]
	}
}
