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

// wallAt is the plane x = 1 as a wall a millimetre thick, or as a surface without any thickness.
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

// TestNothingFastPassesAThinWall shoots balls of 5 mm, and other small things that spin, at walls from all
// angles.
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

// TestWhatPassesBesideIsNotStopped: balls fly closely past the edge of a plate, over a floor, and through a
// gap; nothing slows them.
func TestWhatPassesBesideIsNotStopped(t *testing.T) {
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

// TestASpinningRodHitsAPost: a thin rod whose end moves by fifteen times its thickness in a step meets a post
// as thin.
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
			// Until it has hit the post, which it must before its core is past it, the post stays on the same
			// side.
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

// TestBulletsMeetMovingThings: head on, from any distance, and through a plate that floats.
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

// TestSlowBodiesAreNotFollowed: a pile at rest and a robot that drives cost nothing.
func TestSlowBodiesAreNotFollowed(t *testing.T) {
	s := newScene(t, 0.8, earth())
	s.ground()
	s.robot4(0, 0, 1, 10, 10)
	for i := range 5 {
		s.body(shape.BoxOf(r3.V(0.2, 0.2, 0.2)), 1, at(3, 0, 0.1+0.2*float64(i)), 0)
	}
	for range 240 {
		s.stepChecked(1.0/240, 1)
		if st := s.Stats(); st.Swept != 0 {
			t.Fatalf("step %d: %d bodies were followed", s.Steps(), st.Swept)
		}
	}
}

func BenchmarkFollowing(b *testing.B) {
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
