package dynamics

import (
	"math"
	"math/rand/v2"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// kinetic is the kinetic energy of all bodies, J.
func (s *scene) kinetic() float64 {
	sum := 0.0
	for _, b := range s.added {
		m, in := &s.bodies.motion[b.slot], &s.bodies.massProps[b.slot]
		w := m.rot.RotateBack(m.w)
		sum += 0.5*in.mass*m.v.Len2() + 0.5*w.Dot(in.inertia.Apply(w))
	}
	return sum
}

// TestNoImpactGainsEnergy: spinning bodies hit static ones without gravity. The kinetic energy never rises,
// in flight or in an impact, for any shape, spin, step or friction.
func TestNoImpactGainsEnergy(t *testing.T) {
	thrown := []shape.Shape{
		shape.BoxOf(r3.V(1, 0.01, 0.01)), shape.BoxOf(r3.V(1, 0.02, 0.01)),
		shape.Capsule{Radius: 0.005, Half: 0.5}, shape.BoxOf(r3.V(1, 0.01, 0.5)),
		shape.BoxOf(r3.V(0.3, 0.3, 0.3)), shape.BoxOf(r3.V(0.3, 0.2, 0.1)),
		shape.Cylinder{Radius: 0.3, Half: 0.01}, shape.Sphere{Radius: 0.1},
	}
	standing := []shape.Shape{
		shape.Cylinder{Radius: 0.004, Half: 0.5}, shape.Sphere{Radius: 0.05},
		shape.BoxOf(r3.V(0.1, 0.1, 0.1)), shape.BoxOf(r3.V(4, 4, 0.1)),
	}
	for i, a := range thrown {
		for k, b := range standing {
			hits := 0
			for n := range 48 {
				r := rand.New(rand.NewPCG(uint64(n), uint64(8*i+k)))
				s := newScene(t, []float64{0, 0.5}[n%2], Config{NoSleep: true})
				s.fixed(b, r3.IdentityPose())
				p := randomPose(r, 1)
				u, _ := p.Pos.Unit()
				p.Pos = u.Scale(0.3 + 0.5*r.Float64())
				if k == 3 {
					p.Pos.Z = 0.7
				}
				if shape.Overlap(a, p, b, r3.IdentityPose()) {
					continue // overlap recovery does work
				}
				id := s.body(a, 1, p, 0)
				spin := randomPose(r, 1).Pos.Scale(math.Pow(10, 2*r.Float64()))
				s.check(s.Body(id).SetTwist(r3.Twist{Linear: p.Pos.Scale(-10 * r.Float64()), Angular: spin}))
				if s.neverGains(0.25, []float64{0.001, 1.0 / 240, 1.0 / 60}[n%3]) {
					hits++
				}
			}
			if hits < 10 {
				t.Errorf("%v at %v: only %d hits", a.Kind(), b.Kind(), hits)
			}
		}
	}
}

// neverGains steps the scene and fails when the kinetic energy rises by more than 1 %. It reports whether an
// impact took at least 1 % of it.
func (s *scene) neverGains(seconds, dt float64) bool {
	s.Helper()
	first := s.kinetic()
	least := first
	for range int(seconds / dt) {
		s.stepChecked(dt, 1)
		now := s.kinetic()
		// With three different moments of inertia, the energy of a free rotation oscillates by a part of a
		// percent.
		if now > 1.01*least {
			s.Fatalf("step %d of %v s: %v J, had had %v J; at %v", s.Steps(), dt, now, least,
				s.Body(s.added[0]).Twist())
		}
		least = min(least, now)
	}
	return least < 0.99*first
}

// TestAnImpactOnARodTakesTheEnergyOfTheStruckPoint: the point of a spinning rod that hits a post stops. The
// rod turns about that point for a moment and keeps I/(I + m·r²) of its energy.
func TestAnImpactOnARodTakesTheEnergyOfTheStruckPoint(t *testing.T) {
	for _, rod := range []shape.Shape{shape.BoxOf(r3.V(1, 0.01, 0.01)),
		shape.Capsule{Radius: 0.005, Half: 0.5}} {
		for _, spin := range []float64{1, 5, 20, 50, 90, 150} {
			for _, arm := range []float64{0.1, 0.25, 0.4, 0.48} {
				for _, dt := range []float64{0.001, 1.0 / 240, 1.0 / 60} {
					s := newScene(t, 0, Config{NoSleep: true})
					s.fixed(shape.Cylinder{Radius: 0.004, Half: 0.5}, at(arm*math.Cos(2), arm*math.Sin(2), 0))
					p := r3.IdentityPose()
					if rod.Kind() == shape.KindCapsule {
						p.Rot = r3.AxisAngle(r3.V(0, 1, 0), math.Pi/2)
					}
					b := s.body(rod, 1, p, 0)
					s.check(s.Body(b).SetTwist(r3.Twist{Angular: r3.V(0, 0, spin)}))
					before := s.kinetic()
					for s.kinetic() > 0.999*before {
						s.stepChecked(dt, 1)
					}
					// from the speculative contact that slows it down to the post itself
					s.stepChecked(dt, int(0.02/dt))
					in := &s.bodies.massProps[b.slot]
					across := max(in.principalMoments.X, in.principalMoments.Y, in.principalMoments.Z)
					want := across / (across + arm*arm)
					if got := s.kinetic() / before; math.Abs(got-want) > 0.03 {
						t.Errorf(
							"%v, %v rad/s, hit at %v m, step %v s: keeps %v of its energy, %v is right; %v",
							rod.Kind(), spin, arm, dt, got, want, s.Body(b).Twist())
					}
				}
			}
		}
	}
}

// TestThinBodiesTumbleWithConstantEnergy: free rotation conserves angular momentum to 1e-9, however thin the
// body. It conserves the energy to 1e-9 where two principal moments are equal, and to a few percent where
// none are.
func TestThinBodiesTumbleWithConstantEnergy(t *testing.T) {
	for _, c := range []struct {
		s     shape.Shape
		bound float64
	}{
		{shape.BoxOf(r3.V(1, 0.01, 0.01)), 1e-9}, {shape.Cylinder{Radius: 0.3, Half: 0.005}, 1e-9},
		{shape.Capsule{Radius: 0.002, Half: 0.5}, 1e-9},
		{shape.BoxOf(r3.V(1, 0.02, 0.01)), 0.002}, {shape.BoxOf(r3.V(1, 0.5, 0.01)), 0.05},
		{shape.BoxOf(r3.V(0.3, 0.2, 0.1)), 0.02},
	} {
		for n := range 12 {
			r := rand.New(rand.NewPCG(uint64(n), 77))
			dt := []float64{0.001, 0.004, 1.0 / 60}[n%3]
			s := newScene(t, 0, Config{NoSleep: true})
			b := s.body(c.s, 1, randomPose(r, 1), 0)
			s.check(s.Body(b).SetTwist(r3.Twist{Angular: randomPose(r, 1).Pos.Scale(20)}))
			momentum := func() r3.Vec {
				m := &s.bodies.motion[b.slot]
				return m.rot.Rotate(s.bodies.massProps[b.slot].inertia.Apply(m.rot.RotateBack(m.w)))
			}
			first, l := s.kinetic(), momentum()
			for range 2000 {
				s.step(dt, 1)
				if e := s.kinetic(); math.Abs(e/first-1) > c.bound {
					t.Fatalf("%+v, step %v s: %v J, began with %v J", c.s, dt, e, first)
				}
			}
			if off := momentum().Sub(l).Len(); off > 1e-9*l.Len() {
				t.Errorf("%+v, step %v s: angular momentum is off by %v of %v", c.s, dt, off, l.Len())
			}
		}
	}
}

// TestRestitutionActsFromHalfAMetrePerSecond: a ball that arrives at 0.4 m/s stays down, one at 0.6 m/s comes
// back with its part of the speed.
func TestRestitutionActsFromHalfAMetrePerSecond(t *testing.T) {
	for speed, want := range map[float64]float64{0.4: 0, 0.6: 0.48, 0.9: 0.72} {
		s := newScene(t, 0.5, Config{})
		s.ground()
		b := must[BodyID](t)(s.AddBody(BodyDef{
			Type: Dynamic, Pose: at(0, 0, 0.15), Mass: 1, Inertia: r3.Diag(r3.V(0.004, 0.004, 0.004)),
		}))
		must[GeomID](t)(s.AddGeom(b, GeomDef{Shape: shape.Sphere{Radius: 0.1},
			Material: Material{Friction: 0.5, Restitution: 0.8}}))
		s.check(s.Body(b).SetTwist(r3.Twist{Linear: r3.V(0, 0, -speed)}))
		s.stepChecked(0.001, 300)
		if up := s.Body(b).Twist().Linear.Z; math.Abs(up-want) > 0.02 {
			t.Errorf("a ball that arrives at %v m/s leaves at %v m/s, want %v", speed, up, want)
		}
	}
}
