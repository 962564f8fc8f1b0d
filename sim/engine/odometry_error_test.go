package engine

import (
	"math"
	"testing"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/scenetest"
	"simdeck/sim/sensor"
)

// deviation is that of what many drives believe of a wheel which rolled a way
// in steps, in metres.
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

func TestOdometryDriftsFromTheTruthAndTheSameWayAgain(t *testing.T) {
	drifting := scenetest.Rover()
	drifting.Drives[0].Odometry.Drift = scene.Drift{Scale: 0.02, Walk: 0.005}
	ground := scene.Placed{Name: "ground", Model: scenetest.Ground(), Pose: r3.IdentityPose()}
	run := func(w *World) (truth, odom r3.Pose) {
		apply(t, w, sim.DriveEntity{Name: "a", Twist: twist(0.5, 0.1)})
		steps(t, w, 1000)
		s := w.Snapshot()
		i, _ := s.Find("a")
		return s.Entities[i].Pose, s.OdomOf(i)[0].Pose
	}
	w := played(t, earthward(), ground, scene.Placed{Name: "a", Model: drifting, Pose: r3.IdentityPose()})
	truth, odom := run(w)
	true2, exact := run(played(t, earthward(), ground,
		scene.Placed{Name: "a", Model: scenetest.Rover(), Pose: r3.IdentityPose()}))
	if truth != true2 {
		t.Errorf("what odometry believes moved the robot: %v and %v", truth, true2)
	}
	if d := odom.Pos.Dist(exact.Pos); d < 0.001 || d > 0.3 {
		t.Errorf("drift of %v m after 2 m", d)
	}
	apply(t, w, sim.Reset{})
	if _, again := run(w); again != odom {
		t.Errorf("after a reset it drifts to %v, before to %v", again, odom)
	}
}
