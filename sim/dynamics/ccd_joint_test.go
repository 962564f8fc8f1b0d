package dynamics

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
	"simdeck/sim/shape/shapetest"
)

// spun gives all bodies the velocities of one rigid body that turns about a point.
func (s *scene) spun(about, v, w r3.Vec) {
	s.Helper()
	for _, b := range s.added {
		s.check(s.Body(b).SetTwist(r3.Twist{Linear: v.Add(w.Cross(s.Body(b).Pose().Pos.Sub(about))),
			Angular: w}))
	}
}

// eachWay runs a test with joints that the solver holds and with a tree in reduced coordinates, and with
// short and long steps.
func eachWay(t *testing.T, run func(t *testing.T, tree bool, dt float64)) {
	for _, tree := range []bool{false, true} {
		for _, dt := range []float64{0.001, 1.0 / 240, 1.0 / 60} {
			t.Run(fmt.Sprintf("tree %v, step %.4f", tree, dt), func(t *testing.T) { run(t, tree, dt) })
		}
	}
}

// TestARoverDoesNotPassAThinWall drives and throws a rover of five bodies at walls of 2 cm and thinner.
func TestARoverDoesNotPassAThinWall(t *testing.T) {
	barriers := walls(t)
	barriers["2 cm"] = func(s *scene) { s.fixed(shape.BoxOf(r3.V(0.02, 20, 20)), at(1, 0, 0)) }
	eachWay(t, func(t *testing.T, tree bool, dt float64) {
		for name, build := range barriers {
			for _, speed := range []float64{10, 30, 100} {
				for k := range 3 {
					s := newScene(t, 0.8, earth())
					s.ground()
					build(s)
					chassis, joints := s.robot4(-2, 0.03, 1, speed/0.1, speed/0.1)
					if tree {
						s.check(s.Articulate(joints))
					}
					spin := r3.Vec{}
					if k > 0 {
						spin = randomPose(rand.New(rand.NewPCG(uint64(k), 8)), 15).Pos
					}
					s.spun(s.Body(chassis).Pose().Pos, r3.V(speed, 0, 0), spin)
					hit := false
					for range int(4/speed/dt) + 20 {
						s.stepChecked(dt, 1)
						hit = hit || s.Body(chassis).Twist().Linear.X < 0.5*speed
						for _, b := range s.added {
							if p := s.Body(b).COM(); p.X > 1 && p.Z < 8 {
								t.Fatalf("%s: a part of a rover at %v m/s, turning at %v, is at %v", name,
									speed, spin, p)
							}
						}
					}
					if !hit {
						t.Errorf("%s: a rover at %v m/s never met it", name, speed)
					}
				}
			}
		}
	})
}

// TestALinkThatSwingsDoesNotPassAThinPlate swings an arm of two links at a plate of 5 mm that it meets with
// its outer link, which is 2 cm thick and moves by up to 40 times that in a step.
func TestALinkThatSwingsDoesNotPassAThinPlate(t *testing.T) {
	eachWay(t, func(t *testing.T, tree bool, dt float64) {
		for _, spin := range []float64{5, 10, 20, 40} {
			for k := range 6 {
				s := newScene(t, 0.3, Config{NoSleep: true})
				s.fixed(shape.BoxOf(r3.V(0.4, 0.005, 0.4)), at(0.9, 0, 0))
				from := 0.1*float64(k) - 1.5
				dir, rot := r3.V(math.Cos(from), math.Sin(from), 0), r3.AxisAngle(r3.V(0, 0, 1), from)
				link := shape.BoxOf(r3.V(0.6, 0.02, 0.02))
				a, b := s.body(link, 1, r3.Pose{Pos: dir.Scale(0.3), Rot: rot}, 1),
					s.body(link, 1, r3.Pose{Pos: dir.Scale(0.9), Rot: rot}, 1)
				joints := []JointID{s.hinge(BodyID{}, a, r3.Vec{}, r3.V(0, 0, 1)),
					s.hinge(a, b, dir.Scale(0.6), r3.V(0, 0, 1))}
				if tree {
					s.check(s.Articulate(joints))
				}
				s.spun(r3.Vec{}, r3.Vec{}, r3.V(0, 0, spin))
				for range int(2.5/spin/dt) + 4 {
					s.stepChecked(dt, 1)
					if p := s.Body(b).COM(); p.X > 0.7 && p.Y > 0.03 {
						t.Fatalf("at %v rad/s from %v rad the outer link is at %v, behind the plate", spin,
							from, p)
					}
				}
			}
		}
	})
}

// TestAPendulumsBobDoesNotPassAPlate drops a bob of 2 cm on a rod of 2 m, which has 9 m/s at its lowest
// point, where a plate of 1 mm stands.
func TestAPendulumsBobDoesNotPassAPlate(t *testing.T) {
	eachWay(t, func(t *testing.T, tree bool, dt float64) {
		s := newScene(t, 0.3, earth())
		s.fixed(shape.BoxOf(r3.V(0.001, 0.3, 0.3)), at(0, 0, -2))
		bob := s.body(shape.Sphere{Radius: 0.01}, 1, at(-2, 0, 0.1), 0)
		j := s.hinge(BodyID{}, bob, r3.Vec{}, r3.V(0, 1, 0))
		if tree {
			s.check(s.Articulate([]JointID{j}))
		}
		for range int(1.2 / dt) {
			s.stepChecked(dt, 1)
			if p := s.Body(bob).COM(); p.X > 0 {
				t.Fatalf("the bob is at %v, behind the plate", p)
			}
		}
	})
}

// TestFastWheelsAreNotStoppedByTheirGround: a wheel that turns by half a radian in a step rolls on what can
// be met as it does on a plane, which cannot.
func TestFastWheelsAreNotStoppedByTheirGround(t *testing.T) {
	way := map[string]float64{}
	grounds := map[string]shape.Shape{"plane": shape.Plane{}, "box": shape.BoxOf(r3.V(60, 4, 1)),
		"mesh": shapetest.FloorMesh(t, 40, 0.5)}
	for name, ground := range grounds {
		s := newScene(t, 0.8, earth())
		p := at(0, 0, 0)
		if name == "box" {
			p.Pos.Z = -0.5
		}
		s.fixed(ground, p)
		chassis, _ := s.robot4(-8, 0, 1, 120, 120)
		s.spun(r3.Vec{}, r3.V(12, 0, 0), r3.Vec{})
		for i, b := range s.added {
			if i > 0 {
				s.check(s.Body(b).SetTwist(r3.Twist{Linear: r3.V(12, 0, 0), Angular: r3.V(0, 120, 0)}))
			}
		}
		s.stepChecked(1.0/240, 240)
		way[name] = s.Body(chassis).COM().X + 8
	}
	for name, w := range way {
		if math.Abs(w-way["plane"]) > 0.05 || math.Abs(w-12) > 0.2 {
			t.Errorf("on a %s it came %v m far in a second, on a plane %v", name, w, way["plane"])
		}
	}
}

func TestAScrewEndsWhereItShould(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for range 1000 {
		dp, da := randomPose(r, 1).Pos, randomPose(r, 1).Pos
		reel := screwVelocity(dp, da)
		if off := screwMotion(reel, da, 1).Sub(dp).Len(); off > 1e-12*(1+reel.Len()) {
			t.Fatalf("by %v, turned by %v: off by %v", dp, da, off)
		}
		// A point of a body that turns about a fixed centre stays as far from it.
		centre, axis := randomPose(r, 1).Pos, randomPose(r, 1).Pos
		end := centre.Sub(r3.Identity().Turn(axis).Rotate(centre))
		if axis.Len() > math.Pi {
			continue
		}
		if p := screwMotion(screwVelocity(end, axis), axis,
			r.Float64()); math.Abs(p.Dist(centre)-centre.Len()) > 1e-9 {
			t.Fatalf("on an arc about %v it is at %v from it, was at %v", centre, p.Dist(centre),
				centre.Len())
		}
	}
}
