package dynamics

import (
	"testing"

	"simdeck/sim/r3"
)

// benchSteps steps a scene and restores its start after so many steps: every run measures the same mix of
// falling, piling and resting.
func benchSteps(b *testing.B, build func() *scene, dt float64, steps int) {
	s := build()
	start := s.AppendState(nil)
	n := 0
	b.ReportAllocs()
	for b.Loop() {
		if n == steps {
			b.StopTimer()
			if err := s.RestoreState(start); err != nil {
				b.Fatal(err)
			}
			n = 0
			b.StartTimer()
		}
		s.step(dt, 1)
		n++
	}
}

func BenchmarkA1k(b *testing.B) {
	benchSteps(b, func() *scene { return fallingBoxes(b, 10, 10, 10, earth()) }, 1.0/60, 600)
}

func BenchmarkPyramid(b *testing.B) {
	benchSteps(b, func() *scene { return pyramid(b, 20, earth()) }, 1.0/60, 1200)
}

func BenchmarkRobots(b *testing.B) {
	benchSteps(b, func() *scene { return robots(b, 100, 200, earth()) }, 1.0/240, 2400)
}

func BenchmarkArm(b *testing.B) { benchArm(b, (*scene).arm) }

// benchArm is scene Dhold with an arm of either kind.
func benchArm(b *testing.B, build func(*scene) arm) {
	benchSteps(b, func() *scene {
		s := newScene(b, 0.5, earth())
		for _, j := range build(s).joints {
			s.check(s.Joint(j).SetMotorVelocity(0, 200))
		}
		return s
	}, 1.0/240, 2400)
}

func benchResting(b *testing.B, c Config) {
	s := resting(b, 1000, c)
	s.step(1.0/240, 600)
	b.ReportAllocs()
	for b.Loop() {
		s.step(1.0/240, 1)
	}
}

func BenchmarkRestingAsleep1k(b *testing.B) { benchResting(b, Config{Gravity: r3.V(0, 0, -9.81)}) }

func BenchmarkRestingAwake1k(b *testing.B) { benchResting(b, earth()) }

// BenchmarkLidar100k is scene Fprim: 100,000 rays at 200 shapes.
func BenchmarkLidar100k(b *testing.B) {
	s := prims(b)
	dirs := lidar()
	b.ReportAllocs()
	for b.Loop() {
		for _, d := range dirs {
			s.Queries().CastRay(r3.Ray{Origin: r3.V(0, 0, 1), Dir: d}, 100, 0)
		}
	}
}

// BenchmarkArticulation is scene Dhold in reduced coordinates.
func BenchmarkArticulation(b *testing.B) { benchArm(b, (*scene).articulatedArm) }
