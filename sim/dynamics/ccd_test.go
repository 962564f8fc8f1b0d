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

// walls are obstacles at x = 1: a box, a hull and a kinematic box 1 mm thick, a mesh and a heightfield
// without thickness.
func walls(t *testing.T) map[string]func(s *scene) {
	upright := r3.Pose{Pos: r3.V(1, 0, 0), Rot: r3.AxisAngle(r3.V(0, 1, 0), -math.Pi/2)}
	return map[string]func(s *scene){
		"box":   func(s *scene) { s.fixed(shape.BoxOf(r3.V(0.001, 20, 20)), at(1, 0, 0)) },
		"mesh":  func(s *scene) { s.fixed(shapetest.FloorMesh(t, 20, 0.5), upright) },
		"field": func(s *scene) { s.fixed(flatField(t, 20, 0.5), upright) },
		"hull":  func(s *scene) { s.fixed(plate(t), at(1, 0, 0)) },
		"kinematic": func(s *scene) {
			id, err := s.AddBody(BodyDef{Type: Kinematic, Pose: at(1, 0, 0)})
			s.check(err)
			s.geom(id, shape.BoxOf(r3.V(0.001, 20, 20)), r3.Pose{})
		},
	}
}

func plate(t *testing.T) *shape.Hull {
	t.Helper()
	var points []r3.Vec
	for i := range 8 {
		points = append(points, boxCorner(r3.V(0.0005, 10, 10), i))
	}
	h, err := shape.ConvexHull(points, 0)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// TestNothingFastPassesAThinWall: no center of mass of a spinning projectile of 5 to 46 mm gets beyond a wall
// at 3 to 300 m/s. The angle of incidence and the step length vary.
func TestNothingFastPassesAThinWall(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 1))
	bullets := []shape.Shape{
		shape.Sphere{Radius: 0.0025}, shape.BoxOf(r3.V(0.02, 0.01, 0.005)),
		shape.Capsule{Radius: 0.003, Half: 0.02}, shape.Cylinder{Radius: 0.01, Half: 0.002},
	}
	for name, build := range walls(t) {
		for i, sh := range bullets {
			for k := range 12 {
				s := newScene(t, 0.3, Config{NoSleep: true})
				build(s)
				dt := []float64{0.001, 0.004, 1.0 / 60}[k%3]
				b := s.body(sh, 0.01, r3.Pose{Pos: r3.V(0.9*r.Float64(), r.Float64(), r.Float64()),
					Rot: randomPose(r, 1).Rot}, 0)
				v := r3.V(300, 200*r.NormFloat64(), 200*r.NormFloat64()).Scale(math.Pow(10, -2*r.Float64()))
				s.check(s.Body(b).SetTwist(r3.Twist{Linear: v,
					Angular: r3.V(r.NormFloat64(), r.NormFloat64(), r.NormFloat64()).Scale(30)}))
				for range 40 {
					s.stepChecked(dt, 1)
					if x := s.Body(b).COM().X; x > 1 && s.Body(b).COM().Sub(r3.V(1, 0, 0)).MaxAbs() < 9 {
						t.Fatalf("%s: %v (%d) at %v m/s, step %v s, passed to x = %v", name, sh.Kind(), i, v,
							dt, x)
					}
				}
			}
		}
	}
}

// TestContinuousCollisionIgnoresNearMisses: a ball keeps its speed past the edge of a plate, through a gap,
// and above a floor. Its clearance is 5 mm, 10 mm on each side, and 0.1 mm. It travels 4 m to within two
// steps.
func TestContinuousCollisionIgnoresNearMisses(t *testing.T) {
	for name, build := range map[string]func(s *scene){
		"edge": func(s *scene) { s.fixed(shape.BoxOf(r3.V(0.2, 1, 1)), at(1, 0.515, 0)) },
		"gap": func(s *scene) {
			s.fixed(shape.BoxOf(r3.V(1, 1, 1)), at(2, 0.52, 0))
			s.fixed(shape.BoxOf(r3.V(1, 1, 1)), at(2, -0.52, 0))
		},
		"floor": func(s *scene) { s.fixed(shapetest.FloorMesh(t, 40, 0.25), at(0, 0, -0.0101)) },
		"field": func(s *scene) { s.fixed(flatField(t, 40, 0.25), at(0, 0, -0.0101)) },
		"other": func(s *scene) { s.body(shape.BoxOf(r3.V(0.2, 1, 1)), 1, at(1, 0.515, 0), 0) },
	} {
		for _, speed := range []float64{20, 300} {
			s := newScene(t, 0.5, Config{NoSleep: true})
			build(s)
			b := s.body(shape.Sphere{Radius: 0.01}, 0.1, r3.Pose{}, 0)
			s.check(s.Body(b).SetTwist(r3.Twist{Linear: r3.V(speed, 0, 0)}))
			for range int(4 / (speed * 0.002)) {
				s.stepChecked(0.002, 1)
			}
			if way := s.Body(b).COM().X; math.Abs(way-4) > 2*speed*0.002 ||
				math.Abs(s.Body(b).Twist().Linear.X-speed) > 1e-6*speed {
				t.Errorf("%s at %v m/s: came %v m far of 4, at %v", name, speed, way,
					s.Body(b).Twist().Linear)
			}
		}
	}
}

// TestASpinningRodHitsAPost: the part of a rod 1 cm thick that meets a post moves by up to 15 cm per step.
// The rod must not pass the post.
func TestASpinningRodHitsAPost(t *testing.T) {
	for _, rod := range []shape.Shape{shape.BoxOf(r3.V(1, 0.01, 0.01)),
		shape.Capsule{Radius: 0.005, Half: 0.5}} {
		for _, spin := range []float64{5, 50, 90} {
			s := newScene(t, 0, Config{NoSleep: true})
			post := 2.0 // rad, where the rod will come
			s.fixed(shape.Cylinder{Radius: 0.004, Half: 0.5},
				r3.Pose{Pos: r3.V(0.4*math.Cos(post), 0.4*math.Sin(post), 0), Rot: r3.Identity()})
			p := r3.IdentityPose()
			if rod.Kind() == shape.KindCapsule {
				p.Rot = r3.AxisAngle(r3.V(0, 1, 0), math.Pi/2)
			}
			b := s.body(rod, 1, p, 0)
			s.check(s.Body(b).SetTwist(r3.Twist{Angular: r3.V(0, 0, spin)}))
			// Continuous collision stops the rod before its core is past the post: until the impact the post
			// stays on the same side of the rod.
			for s.Body(b).Twist().Angular.Z == spin {
				s.stepChecked(1.0/240, 1)
				q := s.Body(b).Pose().ApplyInverse(r3.V(0.4*math.Cos(post), 0.4*math.Sin(post), 0))
				turned := float64(s.Steps()) * spin / 240
				if across := q.Y; turned > post-math.Pi/2 && across < 0.004 || turned > post+2*spin/240+0.1 {
					t.Fatalf("%v at %v rad/s has turned by %v rad, the post at %v is %v beside it",
						rod.Kind(), spin, turned, post, across)
				}
			}
		}
	}
}

// TestBulletsMeetMovingThings: two balls of 1 cm collide although they approach each other by 2.2 m per step.
// A ball of 2 cm does not pass a floating plate of 1 mm.
func TestBulletsMeetMovingThings(t *testing.T) {
	for gap := 0.5; gap < 4; gap += 0.173 {
		s := newScene(t, 0, Config{NoSleep: true})
		ball := shape.Sphere{Radius: 0.005}
		a, b := s.body(ball, 0.1, r3.Pose{}, 0), s.body(ball, 0.1, at(gap, 0.001, 0), 0)
		s.check(s.Body(a).SetTwist(r3.Twist{Linear: r3.V(300, 0, 0)}))
		s.check(s.Body(b).SetTwist(r3.Twist{Linear: r3.V(-250, 0, 0)}))
		s.stepChecked(0.004, 12)
		if s.Body(a).Twist().Linear.X > 150 || s.Body(b).Twist().Linear.X < -100 {
			t.Errorf("%v m apart two balls passed through each other: at %v and %v", gap, s.Body(a).COM(),
				s.Body(b).COM())
		}
	}
	for _, bullet := range []bool{true, false} {
		s := newScene(t, 0, Config{NoSleep: true})
		plate := s.body(shape.BoxOf(r3.V(0.001, 1, 1)), 5, at(1, 0, 0), 0)
		inertia := shape.Sphere{Radius: 0.01}.Mass(1000)
		b, err := s.AddBody(BodyDef{Type: Dynamic, Mass: inertia.Mass, Inertia: inertia.Inertia,
			Bullet: bullet, Twist: r3.Twist{Linear: r3.V(12, 0, 0)}})
		s.check(err)
		s.geom(b, shape.Sphere{Radius: 0.01}, r3.Pose{})
		s.stepChecked(0.004, 60)
		if s.Body(b).COM().X > s.Body(plate).COM().X {
			t.Errorf("bullet %v: it is at %v, the plate at %v", bullet, s.Body(b).COM(), s.Body(plate).COM())
		}
	}
}

// TestContinuousCollisionSkipsSlowBodies: a stack at rest and a robot that drives at 1 m/s are never swept.
func TestContinuousCollisionSkipsSlowBodies(t *testing.T) {
	s := newScene(t, 0.8, earth())
	s.ground()
	s.robot4(0, 0, 1, 10, 10)
	for i := range 5 {
		s.body(shape.BoxOf(r3.V(0.2, 0.2, 0.2)), 1, at(3, 0, 0.1+0.2*float64(i)), 0)
	}
	for range 240 {
		s.stepChecked(1.0/240, 1)
		if st := s.Stats(); st.Swept != 0 {
			t.Fatalf("step %d: %d bodies were swept", s.Steps(), st.Swept)
		}
	}
}

func BenchmarkContinuousCollision(b *testing.B) {
	for _, speed := range []float64{0, 100} {
		b.Run(fmt.Sprintf("%v m per s", speed), func(b *testing.B) {
			s := newScene(b, 0.5, Config{NoSleep: true})
			s.fixed(shapetest.FloorMesh(b, 100, 0.5), at(0, 0, -1))
			for i := range 200 {
				id := s.body(shape.Sphere{Radius: 0.02}, 1, at(float64(i%20), float64(i/20), 0), 0)
				s.check(s.Body(id).SetTwist(r3.Twist{Linear: r3.V(speed, 0, 0)}))
			}
			b.ReportAllocs()
			for b.Loop() {
				s.step(1e-4, 1)
			}
		})
	}
}

// spun gives all bodies the velocity field of one rigid body: v at a point, and the angular velocity w.
func (s *scene) spun(about, v, w r3.Vec) {
	s.Helper()
	for _, b := range s.added {
		s.check(s.Body(b).SetTwist(r3.Twist{Linear: v.Add(w.Cross(s.Body(b).Pose().Pos.Sub(about))),
			Angular: w}))
	}
}

// eachWay runs a test in maximal and in reduced coordinates, each with steps of 1 ms, 1/240 s and 1/60 s.
func eachWay(t *testing.T, run func(t *testing.T, tree bool, dt float64)) {
	for _, tree := range []bool{false, true} {
		for _, dt := range []float64{0.001, 1.0 / 240, 1.0 / 60} {
			t.Run(fmt.Sprintf("tree %v, step %.4f", tree, dt), func(t *testing.T) { run(t, tree, dt) })
		}
	}
}

// TestARoverDoesNotPassAThinWall: a rover of five bodies at 10 to 100 m/s, driving or tumbling, hits walls of
// 2 cm and thinner. No part of it gets beyond the wall.
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

// TestASwingingLinkDoesNotPassAThinPlate: the outer of two links, 2 cm thick, meets a plate of 5 mm. At 40
// rad/s and 1/60 s its end moves by 0.8 m per step.
func TestASwingingLinkDoesNotPassAThinPlate(t *testing.T) {
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

// TestAPendulumBobDoesNotPassAPlate: a bob of 2 cm falls by 2.1 m on a rod of 2 m. It reaches √(2·g·2.1 m) =
// 6.4 m/s at its lowest point, where a plate of 1 mm stands.
func TestAPendulumBobDoesNotPassAPlate(t *testing.T) {
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

// TestContinuousCollisionDoesNotStopFastWheels: wheels that turn half a radian per step roll on a box and a
// mesh as on a plane, which is never swept. At 120 rad/s and a radius of 0.1 m they travel 12 m in a second.
func TestContinuousCollisionDoesNotStopFastWheels(t *testing.T) {
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

// TestAScrewMotionEndsAtItsDisplacement, and keeps the distance of a rotating point from a fixed center.
func TestAScrewMotionEndsAtItsDisplacement(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for range 1000 {
		dp, da := randomPose(r, 1).Pos, randomPose(r, 1).Pos
		reel := screwVelocity(dp, da)
		if off := screwMotion(reel, da, 1).Sub(dp).Len(); off > 1e-12*(1+reel.Len()) {
			t.Fatalf("by %v, turned by %v: off by %v", dp, da, off)
		}
		// A point of a body that turns about a fixed center keeps its distance from it.
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

// TestWhatASweepLeavesOutMeetsNothing: neither boxes that stay apart nor a shape that stays clear of another
// hide an impact of its core.
func TestWhatASweepLeavesOutMeetsNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(19, 2))
	left, met := 0, 0
	for i := range 2000 {
		s := newScene(t, 0.5, Config{})
		s.fixed(shape.BoxOf(r3.V(0.3, 0.2, 0.01)), randomPose(r, 0.3))
		s.body([]shape.Shape{plate(t), shape.BoxOf(r3.V(0.2, 0.1, 0.02)),
			shape.Capsule{Radius: 0.02, Half: 0.1}}[i%3], 1, randomPose(r, 0.5), 0)
		g, other := &s.geoms.all[1], &s.geoms.all[0]
		m, end := &s.bodies.motion[1], s.geoms.placements[0].Pose
		sw := motionSweep{slot: 1, com: m.com, rot: m.rot, translation: randomPose(r, 0.5).Pos,
			rotation: randomPose(r, 0.5).Pos, radius: s.bodies.massProps[1].radius, fraction: 1}
		sw.turning = sw.rotation.Len() * sw.radius
		came := randomPose(r, 0.5).Pos
		start := s.geoms.placements[1].tight.Grow(sw.turning)
		near := sw.comesNear(&start, &s.geoms.placements[0].tight, came) &&
			!sw.staysClear(g, r3.Vec{}, &other.Proxy, end, came)
		if sw.distanceAt(&g.Proxy, g, 0, r3.Vec{}, &other.Proxy, end, came).Distance <= 2*ccdTolerance {
			continue
		}
		want, meets := sw.timeOfImpact(&g.core[0], g, r3.Vec{}, &other.Proxy, end, came)
		sw.conservativeAdvance(g, r3.Vec{}, &other.Proxy, end, came)
		if meets != (sw.fraction < 1) || meets && (!near || sw.fraction > want) {
			t.Fatalf("%d: the core meets at %v (%v), the sweep ends at %v; boxes near: %v", i, want, meets,
				sw.fraction, near)
		}
		if meets {
			met++
		} else if !near {
			left++
		}
	}
	if left < 100 || met < 100 {
		t.Errorf("%d left out by their boxes, %d met", left, met)
	}
}

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

// TestASweepThatIsUndecidedMeetsTheWall: a ball that spins near a wall comes no nearer.
// Its sweep knows that its points move by so much, and advances by the gap at each step.
func TestASweepThatIsUndecidedMeetsTheWall(t *testing.T) {
	for steps, want := range map[float64]bool{10: false, 200: true} {
		s, sw := wallSweep(t, 0.05)
		sw.rotation = r3.V(0.05*steps/sw.radius, 0, 0)
		if at, met := s.meets(sw); met != want || met && (at <= 0 || at >= 1) {
			t.Errorf("a spin that takes some %v steps meets the wall: %v, at %v of the way", steps, met, at)
		}
	}
}
