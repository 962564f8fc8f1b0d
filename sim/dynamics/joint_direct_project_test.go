package dynamics

import (
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// TestARingThatIsOpenIsShutByAShift: two heavy balls and two light rods with long levers, one of the balls put where the
// rods do not reach without turning. They are shut where they are within a step, by no more than a twentieth of the levers
// off; nothing of that becomes motion, and their centre of mass stays.
func TestARingThatIsOpenIsShutByAShift(t *testing.T) {
	for _, dt := range []float64{0.004, 1.0 / 120, 1.0 / 60} {
		for _, off := range []r3.Vec{{X: 0.04}, {X: -0.03, Y: 0.02}, {Z: 0.05}} {
			s := newScene(t, 0.5, Config{NoSleep: true})
			a := s.body(shape.Sphere{Radius: 0.03}, 10, at(-0.05, 0, 0), 1)
			b := s.body(shape.Sphere{Radius: 0.03}, 6, at(0.05, 0, 0), 1)
			for i, y := range []float64{0.15, -0.12} {
				rod := s.body(shape.Box{Half: r3.V(0.003, 0.012, 0.003)}, 0.001, at(0, y, 0), 1)
				side := 0.02 * float64(1-2*i)
				s.ball(a, rod, r3.V(-0.05, side, 0))
				s.ball(b, rod, r3.V(0.05, side, 0.01))
			}
			p := s.Pose(b)
			p.Pos = p.Pos.Add(off)
			s.check(s.SetPose(b, p))
			middle := func() r3.Vec { return s.COM(a).Scale(10).AddScaled(6, s.COM(b)) }
			before := middle()
			s.stepChecked(dt, 1)
			worst, lever := 0.0, 0.12
			for i := range s.joints {
				worst = max(worst, s.JointGap(s.jointID(int32(i))))
			}
			e, _ := s.treeEnergy()
			t.Logf("%v off, step %.4f s: still parted by %.3g m, %.3g J, the middle went %.2g m", off, dt, worst, e, middle().Dist(before)/16)
			if worst > 0.05*2*lever || e > 1e-4 || middle().Dist(before) > 16e-4 {
				t.Errorf("%v off, step %.4f s: still parted by %v m, moving with %v J, the middle went %v m", off, dt, worst, e, middle().Dist(before)/16)
			}
		}
	}
}
