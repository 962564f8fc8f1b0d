package sensor

import (
	"math"
	"testing"
)

func TestNoiseIsGaussian(t *testing.T) {
	n := NewNoise(Key{Seed: 1})
	const count = 200_000
	var sum, sum2, sum4 float64
	for range count {
		x := n.Normal()
		sum, sum2, sum4 = sum+x, sum2+x*x, sum4+x*x*x*x
	}
	mean, variance, kurtosis := sum/count, sum2/count, sum4/count
	if math.Abs(mean) > 0.01 || math.Abs(variance-1) > 0.02 || math.Abs(kurtosis-3) > 0.1 {
		t.Errorf("mean %.4f, variance %.4f, fourth moment %.3f; want 0, 1, 3", mean, variance, kurtosis)
	}
}

func TestEveryKeyHasItsOwnStream(t *testing.T) {
	seen := map[float64]Key{}
	for i := range uint64(4) {
		for _, k := range []Key{{Seed: i + 1}, {Entity: i + 1}, {Sensor: i + 1}, {Sample: i + 1}} {
			a, b := NewNoise(k), NewNoise(k)
			x := a.Normal()
			if y := b.Normal(); x != y {
				t.Errorf("%+v gave %v, then %v", k, x, y)
			}
			if other, taken := seen[x]; taken {
				t.Errorf("%+v and %+v start with the same number", k, other)
			}
			seen[x] = k
		}
	}
}
