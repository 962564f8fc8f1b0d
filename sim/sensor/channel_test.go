package sensor

import (
	"math"
	"testing"

	"simdeck/sim/scene"
)

func TestAChannelAddsTheNoiseThatItsDeviceHas(t *testing.T) {
	c := NewChannel(scene.Noise{Mean: 0.5, Std: 0.2}, Key{Seed: 1}, 0, 100)
	const n = 50_000
	var sum, square float64
	for k := range uint64(n) {
		x := c.Report(3, k+1) - 3.5
		sum, square = sum+x, square+x*x
	}
	if mean, std := sum/n, math.Sqrt(square/n); math.Abs(mean) > 0.004 || math.Abs(std-0.2) > 0.003 {
		t.Errorf("mean off by %.4f, deviation %.4f; want 0 and 0.2", mean, std)
	}
}

func TestABiasIsDrawnOnceForADevice(t *testing.T) {
	const n = 4000
	var sum, square float64
	for device := range uint64(n) {
		c := NewChannel(scene.Noise{BiasMean: 1, BiasStd: 0.3}, Key{Seed: 1, Entity: device}, 0, 100)
		first := c.Report(0, 1)
		if again := c.Report(0, 500); again != first {
			t.Fatalf("the bias was %v, then %v", first, again)
		}
		sum, square = sum+first-1, square+(first-1)*(first-1)
	}
	if mean, std := sum/n, math.Sqrt(square/n); math.Abs(mean) > 0.02 || math.Abs(std-0.3) > 0.015 {
		t.Errorf("biases of mean 1%+.3f and deviation %.3f, want 1 and 0.3", mean, std)
	}
}

func TestAWanderingErrorHasItsDeviationAndItsMemory(t *testing.T) {
	c := NewChannel(scene.Noise{WalkStd: 0.4, WalkTime: 0.5}, Key{Seed: 5}, 0, 100)
	const n, lag = 400_000, 50 // a lag of one correlation time
	var x [n]float64
	for k := range x {
		x[k] = c.Report(0, uint64(k)+1)
	}
	var square, product float64
	for k := range n - lag {
		square += x[k] * x[k]
		product += x[k] * x[k+lag]
	}
	if std := math.Sqrt(square / (n - lag)); math.Abs(std-0.4) > 0.02 {
		t.Errorf("deviation %.3f, want 0.4", std)
	}
	if r := product / square; math.Abs(r-math.Exp(-1)) > 0.03 {
		t.Errorf("after a correlation time %.3f of it is left, want %.3f", r, math.Exp(-1))
	}
}

func TestAReportDependsOnItsNumberOnly(t *testing.T) {
	noise := scene.Noise{Std: 0.1, BiasStd: 1, WalkStd: 0.4, WalkTime: 0.5}
	all, few := NewChannel(noise, Key{Seed: 5}, 2, 100), NewChannel(noise, Key{Seed: 5}, 2, 100)
	var at [301]float64
	for k := 1; k <= 300; k++ {
		at[k] = all.Report(1, uint64(k))
	}
	for _, k := range []uint64{7, 200, 300, 12, 1} {
		if got := few.Report(1, k); got != at[k] {
			t.Errorf("sample %d is %v when those before were not asked for, else %v", k, got, at[k])
		}
	}
	other := NewChannel(noise, Key{Seed: 5}, 3, 100)
	if other.Report(1, 5) == at[5] {
		t.Error("two channels of a device say the same")
	}
}

func TestAChannelRoundsToItsPrecision(t *testing.T) {
	c := NewChannel(scene.Noise{Precision: 0.25}, Key{}, 0, 1)
	if got := c.Report(1.3, 1); got != 1.25 {
		t.Errorf("1.3 is reported as %v, want 1.25", got)
	}
}
