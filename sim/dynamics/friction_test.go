package dynamics

import (
	"math"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// slider is a body with Coulomb friction on a plane. The coefficients are mu1 along a direction and mu2
// across. Friction changes the contact's velocity by inverseMass times the change of the body's own.
type slider struct {
	inverseMass float64
	mu1, mu2    float64
	along       r3.Vec
	weight      float64 // m/s²
	down, v, u  r3.Vec  // acceleration along the plane, m/s²; velocity of the body and of the contact
}

// goes returns the displacement after some seconds, by small steps. Friction opposes the slip up to Coulomb's
// bound; with two coefficients its direction maximizes the dissipation.
func (c slider) goes(seconds float64) (way r3.Vec) {
	const h = 2e-4
	across := r3.V(0, 0, 1).Cross(c.along)
	scaled := func(v r3.Vec, x, y float64) r3.Vec {
		return c.along.Scale(x*v.Dot(c.along)).AddScaled(y*v.Dot(across), across)
	}
	for range int(math.Round(seconds / h)) {
		// The force that stops the slip within the small step, or the largest one that the bound allows.
		pull := c.u.Scale(1 / h).Add(c.down).Scale(1 / c.inverseMass)
		if scaled(pull, 1/c.mu1, 1/c.mu2).Len() > c.weight {
			way := c.u.AddScaled(h, c.down)
			pull = scaled(way, c.mu1*c.mu1, c.mu2*c.mu2).Scale(c.weight / scaled(way, c.mu1, c.mu2).Len())
		}
		c.v = c.v.AddScaled(h, c.down.Sub(pull))
		c.u = c.u.AddScaled(h, c.down.AddScaled(-c.inverseMass, pull))
		way = way.AddScaled(h, c.v)
	}
	return way
}

// slidings are bodies that friction tilts one way more than the other, and one that rolls.
func slidings(t *testing.T) []slidingThing {
	prism, err := shape.ConvexHull([]r3.Vec{
		{X: 0.12}, {X: -0.08, Y: 0.05}, {X: -0.08, Y: -0.05}, {X: 0.1, Z: 0.05}, {X: -0.07, Y: 0.04, Z: 0.05},
		{X: -0.07, Y: -0.04, Z: 0.05},
	}, 0)
	if err != nil {
		t.Fatal(err)
	}
	brick, lies := shape.Box{Half: r3.V(0.1, 0.05, 0.03)}, at(0, 0, 0.03)
	askew := lies.Mul(r3.Pose{Rot: r3.AxisAngle(r3.V(0, 0, 1), 0.6)})
	return []slidingThing{
		{name: "brick", shape: brick, pose: lies},
		{name: "brick askew", shape: brick, pose: askew},
		{name: "brick of two frictions", shape: brick, pose: askew,
			material: Material{Friction: 0.5, Friction2: 0.2, Direction: r3.V(1, 0, 0)}},
		{name: "prism", shape: prism},
		{name: "ball", shape: shape.Sphere{Radius: 0.06}, pose: at(0, 0, 0.06), spin: r3.V(-8, 3, 2)},
	}
}

type slidingThing struct {
	name     string
	shape    shape.Convex
	pose     r3.Pose
	spin     r3.Vec
	material Material
}

// TestFrictionFollowsCoulombsLawInEveryDirection: bodies stand, slide and stop on inclines around the
// friction angle that fall in any direction. They are free, on joints, and links of trees. Friction has the
// magnitude and the direction of Coulomb's law to 1 %.
func TestFrictionFollowsCoulombsLawInEveryDirection(t *testing.T) {
	for _, thing := range slidings(t) {
		for _, as := range []string{"alone", "on a joint", "as a tree"} {
			worst := 0.0
			for _, beyond := range []float64{-0.3, -0.02, 0.02, 0.3} {
				for i, v := range []r3.Vec{{}, {X: 0.6}, {X: -0.2, Y: 0.6}} {
					for k := range 4 {
						dt := []float64{0.002, 0.005}[(i+k)%2]
						angle, turn := math.Atan(0.5)+beyond,
							r3.AxisAngle(r3.V(0, 0, 1), float64(k)*math.Pi/4+0.1)
						off := thing.off(t, as, turn.Rotate(r3.V(9.81*math.Sin(angle), 0,
							-9.81*math.Cos(angle))), turn.Rotate(v), dt)
						worst = max(worst, off)
						if off > 0.01 {
							t.Errorf(
								"%s %s, %.2f rad beyond the friction angle towards %d·π/4, from %v m/s, dt %v: friction is %.1f %% off",
								thing.name, as, beyond, k, v, dt, 100*off)
						}
					}
				}
			}
			t.Logf("%s %s: %.2f %%", thing.name, as, 100*worst)
		}
	}
}

// TestBodiesStandJustBelowTheFrictionAngle: at 1 mrad below it they do not creep once they have come to rest.
func TestBodiesStandJustBelowTheFrictionAngle(t *testing.T) {
	for _, thing := range slidings(t)[:2] {
		for _, as := range []string{"alone", "on a joint", "as a tree"} {
			for _, towards := range []float64{0.1, 0.9, 1.7} {
				angle, turn := math.Atan(0.5)-0.001, r3.AxisAngle(r3.V(0, 0, 1), towards)
				s := newScene(t, 0.5, Config{Gravity: turn.Rotate(r3.V(9.81*math.Sin(angle), 0,
					-9.81*math.Cos(angle))), NoSleep: true})
				s.ground()
				foot := s.loaded(&thing, as)
				s.stepChecked(0.004, 125)
				from := s.Body(foot).Pose().Pos
				s.stepChecked(0.004, 500)
				if off := s.Body(foot).Pose().Pos.Dist(from); off > 1e-8 {
					t.Errorf("%s %s, towards %v rad: creeps %v m in 2 s", thing.name, as, towards, off)
				}
			}
		}
	}
}

// off is the error of a sliding body's friction, relative to the largest friction.
func (thing *slidingThing) off(t *testing.T, as string, pull, v r3.Vec, dt float64) float64 {
	const seconds = 0.6
	s := newScene(t, 0.5, Config{Gravity: pull, NoSleep: true})
	s.ground()
	foot := s.loaded(thing, as)
	for _, id := range s.Bodies(nil) {
		s.check(s.Body(id).SetTwist(r3.Twist{Linear: v, Angular: thing.spin}))
	}
	from := s.Body(foot).Pose().Pos
	s.stepChecked(dt, int(math.Round(seconds/dt)))
	c := slider{inverseMass: 1, mu1: 0.5, mu2: 0.5, along: r3.V(1, 0, 0), weight: -pull.Z,
		down: r3.V(pull.X, pull.Y, 0), v: v, u: v}
	if b, ok := thing.shape.(shape.Sphere); ok {
		c.inverseMass += 1.2 * b.Radius * b.Radius / (0.4*b.Radius*b.Radius + 0.4*0.2*0.01*0.01)
		c.u = v.Add(thing.spin.Cross(r3.V(0, 0, -b.Radius)))
	}
	if m := &thing.material; m.Friction > 0 {
		c.mu1, c.mu2, c.along = m.Friction, m.Friction2, thing.pose.Rot.Rotate(m.Direction)
	}
	return s.Body(foot).Pose().Pos.Sub(from).Dist(c.goes(seconds)) / (0.5 * 0.5 * c.weight * seconds *
		seconds)
}

// loaded is a body of 1 kg with a load of 0.2 kg at its center of mass. Both are two links on a fixed joint,
// two bodies on a fixed joint, or one body.
func (s *scene) loaded(thing *slidingThing, as string) BodyID {
	load := shape.Sphere{Radius: 0.01}
	little, mass := load.Mass(0.2/load.Mass(1).Mass), thing.shape.Mass(1/thing.shape.Mass(1).Mass)
	middle := r3.Pose{Pos: mass.COM, Rot: r3.Identity()}
	if as == "alone" {
		mass = mass.Plus(little.Moved(middle))
	}
	material := thing.material
	if material.Friction == 0 {
		material.Friction = s.mu
	}
	foot := must[BodyID](s)(s.AddBody(BodyDef{Type: Dynamic, Pose: thing.pose, Mass: mass.Mass, COM: mass.COM,
		Inertia: mass.Inertia}))
	must[GeomID](s)(s.AddGeom(foot, GeomDef{Shape: thing.shape, Material: material}))
	if as == "alone" {
		return foot
	}
	top := must[BodyID](s)(s.AddBody(BodyDef{Type: Dynamic, Pose: thing.pose.Mul(middle), Mass: little.Mass,
		Inertia: little.Inertia}))
	joint := must[JointID](s)(s.AddJoint(JointDef{Type: Fixed, Parent: foot, Child: top,
		ParentFrame: middle}))
	if as == "as a tree" {
		s.check(s.Articulate([]JointID{joint}))
	}
	return foot
}

// freeMotions are degrees of freedom without a position coordinate. A ball of 2 kg and 0.2 m radius moves in
// them, against the world or a ball of 6 kg.
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
// When the child has slid away from a floating parent on a planar joint, friction also rotates the parent and
// its plane. There is no closed form for that case, and such speeds may be off by 2 %.
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

// TestDampersWithoutAPositionDecayExponentially: the speed decays as exp(-c·t/m) and keeps its direction.
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

// TestDryFrictionWithoutAPositionStopsAndHolds: the speed falls by τ/m per second in any direction and stays
// zero. A load below τ does not move the body; a larger one accelerates it by the excess.
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
