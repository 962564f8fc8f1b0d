package dynamics

import (
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// wallSweep is a ball of 0.1 m at a gap before a wall, and the sweep of its motion.
func wallSweep(t *testing.T, gap float64) (*scene, *motionSweep) {
	s := newScene(t, 0.5, Config{})
	s.fixed(shape.BoxOf(r3.V(1, 1, 0.2)), at(0, 0, -0.1))
	b := s.body(shape.Sphere{Radius: 0.1}, 1, at(0, 0, 0.1+gap), 0)
	return s, &motionSweep{slot: int32(b.slot), com: r3.V(0, 0, 0.1+gap), rot: r3.Identity(), radius: 0.1,
		fraction: 1}
}

// meets is the fraction of a sweep at which its ball meets the wall.
func (s *scene) meets(sw *motionSweep) (float64, bool) {
	wall, ball := &s.geoms.all[0], &s.geoms.all[1]
	return sw.timeOfImpact(&ball.Proxy, ball, r3.Vec{}, &wall.Proxy, s.geoms.placements[0].Pose, r3.Vec{})
}

// TestAWayThatEndsFiftyMicrometresBeforeAWallMeetsIt: one that ends further away does not. A longer way ends
// there, before the ball touches.
func TestAWayThatEndsFiftyMicrometresBeforeAWallMeetsIt(t *testing.T) {
	for left, want := range map[float64]bool{-0.02: true, 0.35e-4: true, 0.7e-4: false} {
		s, sw := wallSweep(t, 0.05)
		sw.translation = r3.V(0, 0, left-0.05)
		at, met := s.meets(sw)
		if gap := 0.05 + at*(left-0.05); met != want || met && (gap < 0.35e-4 || gap > 0.7e-4) {
			t.Errorf("a way that ends %v m before the wall meets it: %v, with a gap of %v m", left, met, gap)
		}
	}
}

// TestASweepThatIsUndecidedAfterFortyEightStepsMeetsTheWall: a ball that spins near a wall comes no nearer.
// Its sweep knows that its points move by so much, and advances by the gap at each step.
func TestASweepThatIsUndecidedAfterFortyEightStepsMeetsTheWall(t *testing.T) {
	for steps, want := range map[float64]bool{10: false, 40: false, 58: true, 200: true} {
		s, sw := wallSweep(t, 0.05)
		sw.rotation = r3.V(0.05*steps/sw.radius, 0, 0)
		if at, met := s.meets(sw); met != want || met && (at <= 0 || at >= 1) {
			t.Errorf("a spin that takes some %v steps meets the wall: %v, at %v of the way", steps, met, at)
		}
	}
}

// TestABodyIsABulletFromThreeThicknessesInAStepOn: a ball that moves by five times its radius in a step is
// swept against what does not move alone. One that moves by seven radii is swept against all.
func TestABodyIsABulletFromThreeThicknessesInAStepOn(t *testing.T) {
	for radii, bullet := range map[float64]bool{1: false, 5: false, 7: true} {
		s := newScene(t, 0.5, Config{})
		const dt = 0.01
		ball := s.body(shape.Sphere{Radius: 0.1}, 1, at(-0.2, 0, 0), 0)
		target := s.body(shape.BoxOf(r3.V(0.02, 1, 1)), 1, at(-0.2+0.05*radii, 0, 0), 0)
		s.check(s.Body(ball).SetTwist(r3.Twist{Linear: r3.V(0.1*radii/dt, 0, 0)}))
		if got := s.bodies.isBullet(int32(ball.slot), 0.1*radii); got != bullet {
			t.Errorf("%v radii in a step: a bullet %v, want %v", radii, got, bullet)
		}
		s.step(dt, 1)
		stopped := s.Body(ball).Pose().Pos.X < s.Body(target).Pose().Pos.X
		if bullet && !stopped {
			t.Errorf("%v radii in a step: it passes what it hits", radii)
		}
	}
}
