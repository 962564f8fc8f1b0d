package medium

import (
	"math"
	"math/rand/v2"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// wind is a wind with the seed of its noise.
type wind struct {
	scene.Wind
	seed uint64
}

// noisePeriod is the time in s for which a drawn number of the wind's noise holds.
const noisePeriod = 1e-3

// Streams of the wind's noise.
const (
	speedStream = 0x77696e64 + iota
	upStream
	veerStream
)

// at is the velocity of the wind after t seconds. It rises from still air as a filter of the first order
// does, which Gazebo's WindEffects computes in steps.
func (w *wind) at(t float64) r3.Vec {
	if w.Still() {
		return r3.Vec{}
	}
	v := w.Velocity
	mean := math.Sqrt(float64(v.X*v.X)+float64(v.Y*v.Y)) * risen(t, w.Rise)
	speed := float64(mean*(1+swing(w.Sway, t))) + w.drawn(&w.Noise, speedStream, t)
	up := float64(v.Z*risen(t, w.RiseUp)) + w.drawn(&w.NoiseUp, upStream, t)
	turn := float64(swing(w.Veer, t)) + w.drawn(&w.Veering, veerStream, t)
	sin, cos := r3.SinCos(r3.Atan2(v.Y, v.X) + turn)
	return r3.V(speed*cos, speed*sin, up)
}

// risen is the part of its final value that a filter has reached.
func risen(t, rise float64) float64 {
	if !(rise > 0) {
		return 1
	}
	return 1 - r3.Exp(-max(0, t)/rise)
}

// swing is a sine at a time.
func swing(s scene.Sway, t float64) float64 {
	if s.Amplitude == 0 || !(s.Period > 0) {
		return 0
	}
	return s.Amplitude * r3.Sin(2*math.Pi*math.Mod(t/s.Period, 1))
}

// drawn is the noise of a number at a time.
func (w *wind) drawn(n *scene.Noise, stream uint64, t float64) float64 {
	out := n.Mean + n.BiasMean
	if n.Std > 0 {
		var r rand.PCG
		r.Seed(w.seed^stream, uint64(math.Floor(t/noisePeriod+1e-6)))
		out += float64(n.Std * normal(&r))
	}
	return out
}

// normal is a number of mean 0 and variance 1 (Box and Muller), with the same bits on every machine.
func normal(r *rand.PCG) float64 {
	u := 1 - part(r)
	return float64(math.Sqrt(-2*r3.Log(u)) * r3.Cos(2*math.Pi*part(r)))
}

// part is a number from 0 to below 1, of 53 random bits.
func part(r *rand.PCG) float64 { return float64(r.Uint64()>>11) / (1 << 53) }
