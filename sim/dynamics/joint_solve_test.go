package dynamics

import (
	"math"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// oscillation is a measured oscillation of a spring between two free bodies: frequency, Hz, and damping
// ratio.
type oscillation struct{ hertz, ratio float64 }

// oscillate lets 1 kg swing ten times on a spring against 3 kg, on a slide or a hinge in free space.
func oscillate(t testing.TB, kind JointType, hertz, ratio, dt float64) oscillation {
	s := newScene(t, 0.5, Config{NoSleep: true})
	a := s.body(shape.Box{Half: r3.V(0.2, 0.2, 0.2)}, 3, at(0, 0, 0), 0)
	b := s.body(shape.Box{Half: r3.V(0.1, 0.1, 0.1)}, 1, at(0.5, 0, 0), 0)
	mass := 3.0 / 4
	if kind == Revolute {
		a, b := s.Body(a).Mass().Inertia.XX, s.Body(b).Mass().Inertia.XX
		mass = a * b / (a + b)
	}
	omega := 2 * math.Pi * hertz
	must[JointID](t)(s.AddJoint(JointDef{Type: kind, Parent: a, Child: b, ParentFrame: at(0.5, 0, 0),
		Axis:      r3.V(1, 0, 0),
		Stiffness: mass * omega * omega, Damping: 2 * ratio * omega * mass}))
	j := JointID{0, s.joints.ids.gen[0]}
	const push = 0.3
	if kind == Revolute {
		s.check(s.Body(b).SetTwist(r3.Twist{Angular: r3.V(push, 0, 0)}))
	} else {
		s.check(s.Body(b).SetTwist(r3.Twist{Linear: r3.V(push, 0, 0)}))
	}
	was, first, last, began, n := JointState{Velocity: push}, 0.0, 0.0, push, 0
	ended := push
	for i := 1; n < 10 && float64(i)*dt*hertz < 12; i++ {
		s.stepChecked(dt, 1)
		now := s.Joint(j).State()
		if was.Position < 0 && now.Position >= 0 { // it swings through, up
			part := -was.Position / (now.Position - was.Position)
			last = (float64(i-1) + part) * dt
			ended = was.Velocity + part*(now.Velocity-was.Velocity)
			if n == 0 {
				first, began = last, ended
			}
			n++
		}
		was = now
	}
	damped := float64(n-1) / (last - first) // Hz
	decay := math.Log(began/ended) / (last - first)
	return oscillation{damped, decay / math.Hypot(decay, 2*math.Pi*damped)}
}

// TestASpringBetweenBodiesHasItsFrequencyAndDamping compares with the closed form, at a coarse step and a
// fine one. An undamped spring loses next to nothing per period, where implicit Euler with the same substeps
// loses up to half of its energy. A damped one loses what the damper takes.
func TestASpringBetweenBodiesHasItsFrequencyAndDamping(t *testing.T) {
	for _, kind := range []JointType{Prismatic, Revolute} {
		for _, dt := range []float64{1.0 / 60, 1.0 / 240} {
			h := dt / float64(substepsFor(dt, true))
			for _, hertz := range []float64{0.5, 2, 5, 10} {
				for _, ratio := range []float64{0, 0.05, 0.2} {
					if hertz*dt > 0.1 {
						continue // the positions at the steps alone do not determine the oscillation
					}
					got := oscillate(t, kind, hertz, ratio, dt)
					want := hertz * math.Sqrt(1-ratio*ratio)
					omega := 2 * math.Pi * hertz
					coarse := 0.05 * hertz * dt * hertz * dt // error of interpolation between steps
					// of a period, as a part: how far a damper lags behind
					late := ratio * omega * h
					t.Logf(
						"%-9v step %.5f s: %7.4f Hz of %7.4f, loses %5.2f %% in a period of %5.2f %% (implicit in all %5.2f %%, in the damper alone, as MuJoCo at 2 ms, %5.2f %%)",
						kind, dt, got.hertz, want, 100*lost(got.ratio), 100*lost(ratio),
						100*(1-math.Pow(1+omega*omega*h*h+2*ratio*omega*h, -1/(h*want))),
						100*(1-math.Pow(1+2*ratio*omega*0.002, -1/(0.002*want))))
					if math.Abs(got.hertz/want-1) > 1e-3+0.6*late ||
						math.Abs(got.ratio-ratio) > 1e-4+0.1*late+coarse {
						t.Errorf(
							"%v at %v Hz and %v of critical damping, in steps of %v s: swings at %v Hz and dies away with %v",
							kind, hertz, ratio, dt, got.hertz, got.ratio)
					}
				}
			}
		}
	}
}

// lost is the part of the energy lost per period at a damping ratio.
func lost(ratio float64) float64 { return 1 - math.Exp(-4*math.Pi*ratio/math.Sqrt(1-ratio*ratio)) }

// TestNoStiffnessMakesSpringsBetweenBodiesUnstable with parallel springs between two bodies, from soft to far
// stiffer than the substep resolves. They never exceed their initial speed, and stiff ones come to rest.
func TestNoStiffnessMakesSpringsBetweenBodiesUnstable(t *testing.T) {
	for _, count := range []int{1, 8} {
		for _, stiffness := range []float64{1e2, 1e4, 2e4, 4e4, 1e5, 3e5, 1e6, 1e8} {
			s := newScene(t, 0.5, Config{NoSleep: true})
			a := s.body(shape.Box{Half: r3.V(0.2, 0.2, 0.2)}, 3, at(0, 0, 0), 0)
			b := s.body(shape.Box{Half: r3.V(0.1, 0.1, 0.1)}, 1, at(0.5, 0, 0), 0)
			for range count {
				must[JointID](t)(s.AddJoint(JointDef{Type: Prismatic, Parent: a, Child: b,
					ParentFrame: at(0.5, 0, 0), Axis: r3.V(1, 0, 0), Stiffness: stiffness}))
			}
			s.check(s.Body(b).SetTwist(r3.Twist{Linear: r3.V(1, 0, 0)}))
			for range 600 {
				s.stepChecked(1.0/60, 1)
				if v := s.Body(b).Twist().Linear.Sub(s.Body(a).Twist().Linear).Len(); !(v < 1.5) {
					t.Fatalf(
						"%d springs of %v N/m: their bodies part at %v m/s after %d steps, having begun with 1",
						count, stiffness, v, s.Steps())
				}
			}
			if v := s.Body(b).Twist().Linear.Sub(s.Body(a).Twist().Linear).Len(); stiffness >= 1e6 &&
				v > 1e-3 {
				t.Errorf("%d springs of %v N/m still part at %v m/s", count, stiffness, v)
			}
		}
	}
}

// TestAPartedJointDoesNotShootTogether: one that is 3 m apart or twisted by 2.8 rad closes, at 5 m/s or
// 20 rad/s at most.
func TestAPartedJointDoesNotShootTogether(t *testing.T) {
	turned := r3.Pose{Rot: r3.AxisAngle(r3.V(0, 0, 1), 2.8)}
	for name, c := range map[string]struct {
		pose  r3.Pose
		most  float64
		speed func(r3.Twist) float64
	}{
		"parted":  {at(3, 0, 0), 5.2, func(v r3.Twist) float64 { return v.Linear.Len() }},
		"twisted": {turned, 20.8, func(v r3.Twist) float64 { return v.Angular.Len() }},
	} {
		s := newScene(t, 0.5, Config{})
		post := s.fixed(shape.BoxOf(r3.V(0.1, 0.1, 0.1)), at(0, 0, 0))
		b := s.body(shape.BoxOf(r3.V(0.1, 0.1, 0.1)), 1, at(0, 0, 0), 0)
		must[JointID](t)(s.AddJoint(JointDef{Type: Fixed, Parent: post, Child: b}))
		s.check(s.Body(b).SetPose(c.pose))
		fastest := 0.0
		before := s.Body(b).Pose()
		for range 100 {
			s.stepChecked(0.001, 1)
			now := s.Body(b).Pose()
			moved := r3.Twist{Linear: now.Pos.Sub(before.Pos).Scale(1000),
				Angular: now.Rot.Mul(before.Rot.Conj()).Vector().Scale(1000)}
			before, fastest = now, max(fastest, c.speed(moved))
		}
		if fastest == 0 || fastest > c.most {
			t.Errorf("%s: it closes at up to %v, want at most %v", name, fastest, c.most)
		}
	}
}

// TestAnImplicitDamperTakesAsMuchAsAnExactOne: as long as it takes a fifth in a substep. A harder one is not
// strengthened by more than it needs there.
func TestAnImplicitDamperTakesAsMuchAsAnExactOne(t *testing.T) {
	const mass, h = 2, 0.01
	for _, x := range []float64{0.01, 0.05, 0.1, 0.18, 0.3, 3, 1000} {
		_, damper := springImplicitTerms(0, x*mass/h, mass, h)
		left, exact := 1/(1+damper*h/mass), math.Exp(-x)
		if off := math.Abs(left - exact); x < 0.2 && off > 1e-3 {
			t.Errorf("h·c/m = %v: %v of the speed is left, want %v", x, left, exact)
		}
		if gain := damper * h / mass / x; gain > 1.15 {
			t.Errorf("h·c/m = %v: a damper is %v times as strong", x, gain)
		}
	}
}
