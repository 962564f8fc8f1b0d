package control

import (
	"math"
	"simdeck/sim/scene"
	"simdeck/sim/sensor"
	"testing"
)

// deviation is the standard deviation, in metres, of many drives' odometry of a wheel that rolled a way in
// steps.
func deviation(spec scene.Drift, way float64, steps int) float64 {
	const robots, radius = 2000, 0.1
	square := 0.0
	for robot := range uint64(robots) {
		d := newOdometryError(&scene.Drive{Radius: radius, Odometry: scene.Odometry{Drift: spec}},
			sensor.Key{Seed: 9, Entity: robot})
		var angles [4]float64
		for k := range steps + 1 {
			angle := way / radius * float64(k) / float64(steps)
			angles = [4]float64{angle, angle, angle, angle}
			d.apply(&angles, uint64(k))
		}
		for _, a := range angles {
			square += math.Pow(a*radius-way, 2) / (4 * robots)
		}
	}
	return math.Sqrt(square)
}

func TestOdometryDriftsWithTheRootOfTheWay(t *testing.T) {
	for _, way := range []float64{4, 16} {
		for _, steps := range []int{20, 100} { // how fine the steps are does not matter
			if got, want := deviation(scene.Drift{Walk: 0.002}, way, steps),
				0.002*math.Sqrt(way); math.Abs(got-want) > 0.05*want {
				t.Errorf("after %v m in %d steps a wheel is off by %.5f m, want %.5f", way, steps, got, want)
			}
		}
	}
}

func TestWornWheelsGoWrongWithTheWay(t *testing.T) {
	if got := deviation(scene.Drift{Scale: 0.01}, 3, 10); math.Abs(got-0.03) > 0.0015 {
		t.Errorf("after 3 m a wheel is off by %.4f m, want 0.03", got)
	}
	if got := deviation(scene.Drift{}, 3, 10); got > 1e-12 {
		t.Errorf("without drift a wheel is off by %v m", got)
	}
}
