package dynamics

import (
	"math/rand/v2"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// TestOverflowingForcesLeaveAValidWorld: forces and motors that overflow act on bodies, chains, trees and
// loops, and contained bodies are released at times. Every invariant holds after each step.
func TestOverflowingForcesLeaveAValidWorld(t *testing.T) {
	contained := 0
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 8))
		s := newScene(t, 0.6, containing())
		s.ground()
		var joints []JointID
		for k := range 6 {
			x, group := float64(k%3)*0.9, int32(k+1)
			links := []BodyID{s.body(shape.Box{Half: r3.V(0.2, 0.1, 0.1)}, 1, at(x, float64(k/3)*0.5, 0.3),
				group)}
			var own []JointID
			for i := range 3 {
				links = append(links, s.body(shape.Capsule{Radius: 0.05, Half: 0.1}, 0.3,
					at(x, float64(k/3)*0.5, 0.6+float64(i)*0.3), group))
				own = append(own, s.hinge(links[i], links[i+1],
					r3.V(x, float64(k/3)*0.5, 0.45+float64(i)*0.3), r3.V(0, 1, 0)))
			}
			if k%3 == 1 {
				s.check(s.Articulate(own))
			}
			if k%3 == 2 {
				s.check(s.SetCoupling(own[2], own[0], 2, 0))
			}
			if k > 3 {
				s.hinge(links[3], links[0], r3.V(x, float64(k/3)*0.5, 0.9), r3.V(0, 1, 0))
			}
			joints = append(joints, own...)
		}
		for i := range 10 {
			s.body(shape.Sphere{Radius: 0.15}, 0.5, at(float64(i%5)*0.4, 0.25, 1.8+float64(i/5)*0.4), 0)
		}
		for range 120 {
			switch r.IntN(8) {
			case 0:
				s.check(s.Joint(joints[r.IntN(len(joints))]).SetMotorEffort([]float64{1e300, -1e200, 1e40,
					1e12}[r.IntN(4)]))
			case 1:
				s.check(s.Body(s.added[r.IntN(len(s.added))]).ApplyWrench(r3.V(1e300, -1e300, 1e290),
					r3.V(0, 1e280, 0), r3.V(1, 2, 3)))
			case 2:
				s.check(s.Joint(joints[r.IntN(len(joints))]).SetMotorVelocity(1e250, 1e280))
			case 3:
				s.Release(s.added[r.IntN(len(s.added)):])
			}
			s.stepChecked(0.004, 2)
			contained += len(s.Faults())
		}
	}
	if contained < 50 {
		t.Errorf("%d bodies were contained: the test asks for too little", contained)
	}
}
