package sensor

import (
	"math"

	"simdeck/sim/scene"
)

// Channel is one number that a device reports, with the error that it keeps:
// a constant one and one that wanders. Both follow from the channel's key and the sample's number alone, so
// that it does not matter which samples were requested.
type Channel struct {
	noise      scene.Noise
	key        Key // without the sample
	bias       float64
	randomWalk *randomWalk // nil: nothing wanders
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
	c.randomWalk = newRandomWalk(&n, c.key, rate)
	return c
}

// Report is the reading of sample number seq for a true value.
func (c *Channel) Report(truth float64, seq uint64) float64 {
	out := truth + c.noise.Mean + c.bias
	if c.randomWalk != nil {
		out += c.randomWalk.error(seq)
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
