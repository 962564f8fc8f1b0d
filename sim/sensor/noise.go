package sensor

import (
	"math"
	"math/rand/v2"

	"simdeck/sim/r3"
)

// Noise is a stream of Gaussian numbers that depends on its key alone: not on the order of sensors, nor on
// unrequested samples.
type Noise struct {
	source rand.PCG
	spare  float64
	full   bool
}

// Key names a stream: the engine's seed, who measures, with which of its
// sensors, and the number of the sample.
type Key struct {
	Seed, Entity, Sensor, Sample uint64
}

// NewNoise starts the stream of a key.
func NewNoise(k Key) Noise {
	var n Noise
	n.source.Seed(mix(k.Seed^mix(k.Entity)), mix(k.Sensor^mix(k.Sample)))
	return n
}

// Normal is the next number of mean 0 and variance 1 (Marsaglia's polar
// method, with r3's logarithm: the same bits on every machine).
func (n *Noise) Normal() float64 {
	if n.full {
		n.full = false
		return n.spare
	}
	for {
		u, v := n.uniform(), n.uniform()
		s := float64(u*u) + float64(v*v)
		if s >= 1 || s == 0 {
			continue
		}
		k := math.Sqrt(-2 * r3.Log(s) / s)
		n.spare, n.full = float64(v*k), true
		return float64(u * k)
	}
}

// uniform is in [-1, 1).
func (n *Noise) uniform() float64 {
	return float64(int64(n.source.Uint64())>>10) / (1 << 53)
}

// mix spreads the bits of x (the finaliser of SplitMix64; Steele, Lea and
// Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
