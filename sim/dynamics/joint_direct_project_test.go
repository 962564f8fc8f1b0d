package dynamics

import (
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// TestAnOpenLoopIsClosedByProjection: two heavy balls and two light rods with long levers; one ball is put
// where the rods span the gap only by turning. One step closes them to a twentieth of the levers; no momentum
// results, and the centre of mass stays.
func TestAnOpenLoopIsClosedByProjection(t *testing.T) {
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
			p := s.Body(b).Pose()
			p.Pos = p.Pos.Add(off)
			s.check(s.Body(b).SetPose(p))
			middle := func() r3.Vec { return s.Body(a).COM().Scale(10).AddScaled(6, s.Body(b).COM()) }
			before := middle()
			s.stepChecked(dt, 1)
			worst, lever := 0.0, 0.12
			for i := range s.joints.all {
				worst = max(worst, s.Joint(s.joints.id(int32(i))).Gap())
			}
			e, _ := s.treeEnergy()
			t.Logf("%v off, step %.4f s: gap %.3g m, %.3g J, the middle went %.2g m", off, dt, worst, e,
				middle().Dist(before)/16)
			if worst > 0.05*2*lever || e > 1e-4 || middle().Dist(before) > 16e-4 {
				t.Errorf("%v off, step %.4f s: gap %v m, kinetic energy %v J, the middle went %v m", off, dt,
					worst, e, middle().Dist(before)/16)
			}
		}
	}
}
