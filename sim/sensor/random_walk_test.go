package sensor

import (
	"math"
	"testing"

	"simdeck/sim/scene"
)

// TestABiasGoesAtRandomAsGazebosDoes holds the whole process against its
// definition: it begins at 0, gathers the noise that drives it, and forgets.
func TestABiasGoesAtRandomAsGazebosDoes(t *testing.T) {
	const drive, time, rate, devices = 0.02, 3.0, 50.0, 6000
	n := scene.Noise{WalkStd: drive * math.Sqrt(time/2), WalkTime: time}
	for _, at := range []uint64{1, 2, 3, 10, 64, 100, 127, 1000, 1 << 20} {
		var square, product float64
		for device := range uint64(devices) {
			c := NewChannel(n, Key{Seed: 9, Entity: device}, 0, rate)
			x, before := c.Report(0, at), c.Report(0, at-1)
			square += x * x / devices
			product += (x - before*math.Exp(-1/(rate*time))) * before / devices
		}
		want := drive * drive * time / 2 * (1 - math.Exp(-2*float64(at)/(rate*time)))
		if math.Abs(square/want-1) > 0.08 {
			t.Errorf("sample %d has variance %.3g, want %.3g", at, square, want)
		}
		if math.Abs(product) > 0.1*math.Sqrt(square*want/(rate*time)) {
			t.Errorf("the step to sample %d goes with where it begins: %.3g of %.3g", at, product, square)
		}
	}
}

// TestASlowBiasIsARandomWalk: one that forgets in years gathers the root of the
// time, however small its steps are beside 1.
func TestASlowBiasIsARandomWalk(t *testing.T) {
	const drive, time, rate, devices = 1e-4, 1e12, 1000.0, 4000
	var square, step float64
	for device := range uint64(devices) {
		c := NewChannel(scene.Noise{WalkStd: drive * math.Sqrt(time/2), WalkTime: time}, Key{Entity: device},
			0, rate)
		x := c.Report(0, 60_000)
		y := c.Report(0, 60_001) - x
		square, step = square+x*x/devices, step+y*y/devices
	}
	if want := drive * drive * 60; math.Abs(square/want-1) > 0.1 {
		t.Errorf("after a minute the variance is %.3g, want %.3g", square, want)
	}
	if want := drive * drive / rate; math.Abs(step/want-1) > 0.1 {
		t.Errorf("a step's variance is %.3g, want %.3g", step, want)
	}
}

// TestALateLookAtABiasIsAsQuickAsAnEarlyOne: after a year at 1 kHz nobody waits
// for what nobody saw.
func TestALateLookAtABiasIsAsQuickAsAnEarlyOne(t *testing.T) {
	c := NewChannel(scene.Noise{WalkStd: 1, WalkTime: 100}, Key{}, 0, 1000)
	const year = 365 * 86400 * 1000
	late := c.Report(0, year)
	if early := c.Report(0, 5); early == late || math.IsNaN(late) || math.Abs(late) > 6 {
		t.Errorf("%v and, a year later, %v", early, late)
	}
	if again := c.Report(0, year); again != late {
		t.Errorf("a year on it is %v, and %v when asked again", late, again)
	}
}
