package sensor

import (
	"math"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// Channel is one number that a device reports, with the error that it keeps:
// a constant one and one that wanders. Both follow from the key of the channel
// and the number of the sample alone, so that it does not matter which samples
// somebody asked for.
type Channel struct {
	noise scene.Noise
	key   Key // without the sample
	step  float64
	keep  float64 // of the wandering error from one sample to the next
	shake float64
	bias  float64
	at    uint64 // the sample that walk is of
	walk  float64
}

// Parts of a channel's key that the noise of a sample does not use.
const (
	biasSample = 1 << 62
	walkSensor = 1 << 40
)

// NewChannel is a channel of a device that is sampled at a rate in Hz.
func NewChannel(n scene.Noise, k Key, index int, rate float64) Channel {
	k.Sensor += uint64(index+1) << 32
	c := Channel{noise: n, key: k}
	k.Sample = biasSample
	once := NewNoise(k)
	c.bias = n.BiasMean
	if n.BiasStd > 0 {
		c.bias += float64(n.BiasStd * once.Normal())
	}
	if n.WalkStd > 0 && n.WalkTime > 0 && rate > 0 {
		// The exact step of the process (Maybeck, "Stochastic models,
		// estimation and control", 1979, section 4.11).
		c.keep = r3.Exp(-1 / (float64(rate * n.WalkTime)))
		c.shake = n.WalkStd * math.Sqrt(max(0, 1-float64(c.keep*c.keep)))
	}
	return c
}

// Report is what sample number seq says of a true value.
func (c *Channel) Report(truth float64, seq uint64) float64 {
	out := truth + c.noise.Mean + c.bias
	if c.shake > 0 {
		out += c.wander(seq)
	}
	if c.noise.Std > 0 {
		k := c.key
		k.Sample = seq
		n := NewNoise(k)
		out += float64(c.noise.Std * n.Normal())
	}
	if p := c.noise.Precision; p > 0 {
		out = float64(math.Round(out/p) * p)
	}
	return out
}

// wander goes on to a sample; back is from the beginning.
func (c *Channel) wander(seq uint64) float64 {
	if seq < c.at {
		c.at, c.walk = 0, 0
	}
	k := c.key
	k.Sensor += walkSensor
	for c.at < seq {
		c.at++
		k.Sample = c.at
		n := NewNoise(k)
		c.walk = float64(c.keep*c.walk) + float64(c.shake*n.Normal())
	}
	return c.walk
}
