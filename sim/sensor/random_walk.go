package sensor

import (
	"math"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// randomWalk is an error that wanders: a Gauss–Markov process that begins at 0 with sample 0. Any of its
// samples takes as many bisections as there are levels, from the far end of the process down. An interval's
// middle follows from its two ends and a number of its own: in a Gauss–Markov process nothing else counts.
// Nobody waits for a million samples because somebody looks for the first time after an hour, or goes back.
type randomWalk struct {
	key  Key // without the sample
	far  float64
	half [walkLevels]bisectionInterval
}

// bisectionInterval is an interval of 2·2^level samples.
type bisectionInterval struct {
	keep, shake float64 // of both ends in the middle, and what is added there
	at          uint64  // the middle that value is of
	value       float64
}

// walkLevels is enough for 2^40 samples: 35 years at 1 kHz.
const walkLevels = 40

// newRandomWalk is the wandering error of a device that is sampled at a rate in Hz;
// nil where there is none.
func newRandomWalk(n *scene.Noise, k Key, rate float64) *randomWalk {
	if !(n.WalkStd > 0 && n.WalkTime > 0 && rate > 0) {
		return nil
	}
	w := &randomWalk{key: k}
	w.key.Sensor += walkSensor
	decay := 1 / float64(rate*n.WalkTime)
	for level := range w.half {
		// Half of an interval keeps b of an end. In the middle between x and y the mean is b (x + y) / (1 +
		// b²), and the variance (1 - b²) / (1 + b²) of the whole.
		time := float64(decay * float64(uint64(1)<<level))
		b := r3.Exp(-time)
		square := 2 - lost(2*time) // 1 + b²
		w.half[level].keep = b / square
		w.half[level].shake = n.WalkStd * math.Sqrt(lost(2*time)/square)
	}
	whole := float64(decay * float64(uint64(1)<<walkLevels))
	w.far = n.WalkStd * math.Sqrt(lost(2*whole)) * w.number(1<<walkLevels)
	return w
}

// lost is 1 - exp(-x), exact for small x too.
func lost(x float64) float64 {
	if x < 1e-4 {
		return x - float64(x*x)/2 + float64(float64(x*x)*x)/6
	}
	return 1 - r3.Exp(-x)
}

// number is the Gaussian number of a sample.
func (w *randomWalk) number(sample uint64) float64 {
	k := w.key
	k.Sample = sample
	n := NewNoise(k)
	return n.Normal()
}

// error is that of a sample. The middles on the way to it are kept: the next
// sample shares most of them.
func (w *randomWalk) error(sample uint64) float64 {
	sample &= 1<<walkLevels - 1
	if sample == 0 {
		return 0
	}
	first, left, right := uint64(0), 0.0, w.far
	for level := walkLevels - 1; ; level-- {
		h, middle := &w.half[level], first+1<<level
		if h.at != middle {
			h.at, h.value = middle, float64(h.keep*(left+right))+float64(h.shake*w.number(middle))
		}
		switch {
		case sample == middle:
			return h.value
		case sample < middle:
			right = h.value
		default:
			first, left = middle, h.value
		}
	}
}
