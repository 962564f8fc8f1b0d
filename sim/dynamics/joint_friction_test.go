package dynamics

import (
	"math"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// freeMotions are degrees of freedom without a position. A ball of 2 kg with a radius of 0.2 m moves in them
// against the world or a ball of 6 kg.
var freeMotions = []struct {
	name  string
	def   JointDef
	twist r3.Twist
	turns bool
}{
	{"a ball about its axis", JointDef{Type: Ball}, r3.Twist{Angular: r3.V(4, 0, 0)}, true},
	{"a ball about any axis", JointDef{Type: Ball}, r3.Twist{Angular: r3.V(1, -2, 3)}, true},
	{"a plane, sliding", JointDef{Type: Planar, Axis: r3.V(0, 0, 1)}, r3.Twist{Linear: r3.V(2, -1, 0)},
		false},
	{"a plane, turning", JointDef{Type: Planar, Axis: r3.V(0, 0, 1)}, r3.Twist{Angular: r3.V(0, 0, -3)},
		true},
	{"a universal joint's second axis", JointDef{Type: Universal, Axis: r3.V(1, 0, 0), Axis2: r3.V(0, 1, 0)},
		r3.Twist{Angular: r3.V(0, 3, 0)}, true},
	{"a universal joint's first axis", JointDef{Type: Universal, Axis: r3.V(1, 0, 0), Axis2: r3.V(0, 1, 0)},
		r3.Twist{Angular: r3.V(3, 0, 0)}, true},
}

// freeMotion builds one of them; mass is the effective mass, kg or kg·m².
//
// Where a ball has slid away from the one whose plane it is in, friction rotates that one and the plane.
// There is no closed form, so such speeds may be off by 2 %.
func freeMotion(t *testing.T, k int, floats bool, damping, friction float64) (s *scene, speed func() r3.Vec,
	mass float64) {
	s = newScene(t, 0.5, Config{NoSleep: true})
	m := freeMotions[k]
	d := m.def
	d.Damping, d.Friction = damping, friction
	parent := BodyID{}
	if floats {
		parent = s.body(shape.Sphere{Radius: 0.3}, 6, at(0, 0, 0), 0)
		d.Parent = parent
	}
	d.Child = s.body(shape.Sphere{Radius: 0.2}, 2, at(0, 0, 0), 0)
	must[JointID](t)(s.AddJoint(d))
	s.check(s.Body(d.Child).SetTwist(m.twist))
	mass = 2
	if m.turns {
		mass = s.Body(d.Child).Mass().Inertia.XX
	}
	if floats {
		other := 6.0
		if m.turns {
			other = s.Body(parent).Mass().Inertia.XX
		}
		mass = mass * other / (mass + other)
	}
	return s, func() r3.Vec {
		tw := s.Body(d.Child).Twist()
		if floats {
			p := s.Body(parent).Twist()
			tw.Linear, tw.Angular = tw.Linear.Sub(p.Linear), tw.Angular.Sub(p.Angular)
		}
		if m.turns {
			return tw.Angular
		}
		return tw.Linear
	}, mass
}

func speedTolerance(k int, floats bool) float64 {
	if floats && !freeMotions[k].turns {
		return 0.02
	}
	return 2e-3
}

// TestDampersWithoutAPositionDecayExponentially: a speed decays as exp(-c·t/m) without a change of direction.
func TestDampersWithoutAPositionDecayExponentially(t *testing.T) {
	for k, m := range freeMotions {
		for _, floats := range []bool{false, true} {
			for _, dt := range []float64{1.0 / 60, 1.0 / 240} {
				_, _, mass := freeMotion(t, k, floats, 0, 0)
				s, speed, _ := freeMotion(t, k, floats, 2*mass, 0) // half a second to 1/e
				began := speed()
				s.stepChecked(dt, int(math.Round(1/dt)))
				want := began.Scale(math.Exp(-2))
				if off := speed().Dist(want) / want.Len(); off > speedTolerance(k, floats) {
					t.Errorf("%s, floats %v, step %v s: %v after 1 s, want %v, off by %.2g", m.name, floats,
						dt, speed(), want, off)
				}
			}
		}
	}
}

// TestDryFrictionWithoutAPositionStopsAndHolds: a speed falls by τ/m per second in any direction, and stays
// zero. A load below τ does not move the body, a larger one accelerates it by the excess.
func TestDryFrictionWithoutAPositionStopsAndHolds(t *testing.T) {
	for k, m := range freeMotions {
		for _, floats := range []bool{false, true} {
			_, began, mass := freeMotion(t, k, floats, 0, 0)
			v := began()
			friction := mass * v.Len() // stops within 1 s
			s, speed, _ := freeMotion(t, k, floats, 0, friction)
			s.stepChecked(1.0/240, 120)
			if off := speed().Dist(v.Scale(0.5)) / v.Len(); off > speedTolerance(k, floats) {
				t.Errorf("%s, floats %v: %v after 0.5 s, want %v, off by %.2g", m.name, floats, speed(),
					v.Scale(0.5), off)
			}
			s.stepChecked(1.0/240, 140)
			if l := speed().Len(); l > 1e-9 {
				t.Errorf("%s, floats %v: still has %v", m.name, floats, l)
			}
			if floats {
				continue
			}
			way, _ := v.Unit()
			for part, want := range map[float64]float64{0.9: 0, 1.5: 0.5} {
				s, speed, _ = freeMotion(t, k, floats, 0, friction)
				b := s.added[0]
				s.check(s.Body(b).SetTwist(r3.Twist{}))
				for range 120 {
					push, turn := way.Scale(part*friction), r3.Vec{}
					if m.turns {
						push, turn = turn, push
					}
					s.check(s.Body(b).ApplyWrench(push, turn, s.Body(b).COM()))
					s.stepChecked(1.0/240, 1)
				}
				if got, want := speed().Dot(way), want*friction/mass*0.5; math.Abs(got-want) > 2e-3*v.Len() {
					t.Errorf("%s: pushed with %v of its friction it runs %v after 0.5 s, want %v", m.name,
						part, got, want)
				}
			}
		}
	}
}

// TestAPendulumOnADampedBallDecaysLikeOneOnAHinge: the pivot's constraint is part of the damper's effective
// mass.
func TestAPendulumOnADampedBallDecaysLikeOneOnAHinge(t *testing.T) {
	swing := func(kind JointType, articulate bool) float64 {
		s := newScene(t, 0.5, earth())
		b := s.body(shape.Sphere{Radius: 0.1}, 1, at(0, 0, -0.5), 0)
		d := JointDef{Type: kind, Child: b, ChildFrame: at(0, 0, 0.5), Axis: r3.V(0, 1, 0), Damping: 0.1}
		j := must[JointID](t)(s.AddJoint(d))
		if articulate {
			s.check(s.Articulate([]JointID{j}))
		}
		s.check(s.Body(b).SetTwist(r3.Twist{Linear: r3.V(0.3, 0, 0), Angular: r3.V(0, -0.6, 0)}))
		most := 0.0
		for i := range 1000 {
			s.stepChecked(0.004, 1)
			if i > 600 {
				most = max(most, math.Abs(s.Body(b).Pose().Pos.X))
			}
		}
		return most
	}
	want := swing(Revolute, true)
	for _, kind := range []JointType{Revolute, Ball} {
		if got := swing(kind, false); math.Abs(got/want-1) > 0.03 {
			t.Errorf("%v between bodies: swings to %v m at the end, on a hinge in a tree %v", kind, got, want)
		}
	}
}
