package dynamics

import (
	"math"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// weldedRing joins three bodies of 1 kg in a triangle rigidly: two in an articulation, and with ring a third
// as loop.
func weldedRing(t testing.TB, ring bool, damping float64) *scene {
	s := newScene(t, 0.5, Config{NoSleep: true})
	box := shape.Box{Half: r3.V(0.1, 0.1, 0.1)}
	for i := range 3 {
		a := 2 * math.Pi / 3 * float64(i)
		d := BodyDef{Type: Dynamic, Pose: at(math.Cos(a), math.Sin(a), 0), Mass: 1,
			Inertia: box.Mass(1 / box.Mass(1).Mass).Inertia, LinearDamping: damping, AngularDamping: damping}
		b := must[BodyID](t)(s.AddBody(d))
		must[GeomID](t)(s.AddGeom(b, GeomDef{Shape: box}))
		s.added = append(s.added, b)
	}
	fix := func(a, b BodyID) JointID {
		return must[JointID](t)(s.AddJoint(JointDef{Type: Fixed, Parent: a, Child: b,
			ParentFrame: s.Body(a).Pose().Relative(s.Body(b).Pose()), ChildFrame: r3.IdentityPose()}))
	}
	s.check(s.Articulate([]JointID{fix(s.added[0], s.added[1]), fix(s.added[1], s.added[2])}))
	if ring {
		fix(s.added[2], s.added[0])
	}
	return s
}

// TestAFloatingArticulationRespondsToATorqueAndToBodyDamping, with and without a loop: the spin is τ·t/I, and
// the speed decays as e^-ct.
func TestAFloatingArticulationRespondsToATorqueAndToBodyDamping(t *testing.T) {
	for _, ring := range []bool{false, true} {
		s := weldedRing(t, ring, 0)
		in := 3 * (1 + s.Body(s.added[0]).Mass().Inertia.ZZ)
		for range 500 {
			s.check(s.Body(s.added[1]).ApplyWrench(r3.Vec{}, r3.V(0, 0, 0.5), s.Body(s.added[1]).COM()))
			s.stepChecked(0.004, 1)
		}
		if w := s.Body(s.added[0]).Twist().Angular; w.Dist(r3.V(0, 0, 0.5*2/in)) > 1e-3*w.Len() {
			t.Errorf("ring %v: after 2 s of 0.5 N·m it rotates at %v rad/s, want %v", ring, w, 0.5*2/in)
		}
		s = weldedRing(t, ring, 0.7)
		for _, b := range s.added {
			s.check(s.Body(b).SetTwist(r3.Twist{Linear: r3.V(1, 2, 0)}))
		}
		s.MeasureJoints()
		s.stepChecked(0.004, 500)
		if v := s.Body(s.added[2]).Twist().Linear; v.Dist(r3.V(1, 2,
			0).Scale(math.Exp(-1.4))) > 3e-3*v.Len() {
			t.Errorf("ring %v: after 2 s with a damping of 0.7 1/s it moves at %v m/s, want %v", ring, v,
				r3.V(1, 2, 0).Scale(math.Exp(-1.4)))
		}
	}
}

// TestAFloatingArticulationConservesMomentum for a minute, both kinds to less than 1e-3, without gain of
// energy, whatever acts in its joints.
func TestAFloatingArticulationConservesMomentum(t *testing.T) {
	if testing.Short() {
		t.Skip("takes 4 s")
	}
	for name, equip := range map[string]func(*JointDef){
		"free":          func(*JointDef) {},
		"with friction": func(d *JointDef) { d.Friction = 0.02 },
		"with dampers":  func(d *JointDef) { d.Damping = 0.01 },
		"with springs":  func(d *JointDef) { d.Stiffness = 3 },
		"with limits": func(d *JointDef) {
			d.Limited, d.Lower, d.Upper = d.Type == Revolute || d.Type == Prismatic, -0.5, 0.5
		},
		"with motors": func(*JointDef) {},
	} {
		for _, dt := range []float64{0.004, 1.0 / 60} {
			s := newScene(t, 0.5, Config{NoSleep: true})
			var joints []JointID
			mass := 3.0
			for i, kind := range []JointType{Fixed, Revolute, Ball, Prismatic, Universal} {
				b := s.body(shape.Box{Half: r3.V(0.05, 0.1, 0.02)}, mass,
					at(0.3*float64(i), 0.1*float64(i%2), 0), 1)
				mass *= 0.6
				w := r3.V(1, -0.5, 0.3).Scale(3 * float64(1+i))
				s.check(s.Body(b).SetTwist(r3.Twist{Linear: r3.V(0.3, 0, 0.1*float64(i)), Angular: w}))
				if i == 0 {
					continue
				}
				d := JointDef{Type: kind, Parent: s.added[i-1], Child: b, ParentFrame: at(0.15, 0, 0.03),
					ChildFrame: at(-0.15, 0, 0), Axis: r3.V(0, 0, 1)}
				equip(&d)
				joints = append(joints, must[JointID](t)(s.AddJoint(d)))
			}
			s.check(s.Articulate(joints))
			if name == "with motors" {
				s.check(s.Joint(joints[0]).SetMotorPosition(0.4, 20, 1, 5))
				s.check(s.Joint(joints[2]).SetMotorVelocity(0, 1))
				s.check(s.Joint(joints[3]).SetMotorPosition(-0.3, 0, 0, 2))
			}
			s.MeasureJoints()
			run, n := []moment{s.moment()}, int(math.Round(0.1/dt))
			least, _ := s.treeEnergy()
			gain, first := 0.0, least
			for range 600 {
				s.stepChecked(dt, n)
				run = append(run, s.moment())
				e, _ := s.treeEnergy()
				gain, least = max(gain, e-least), min(least, e)
			}
			p := strayed(run, func(m moment) r3.Vec { _, _, p, _ := s.sums(m); return p }, nothing)
			l := strayed(run, func(m moment) r3.Vec { _, _, _, l := s.sums(m); return l }, nothing)
			t.Logf("%-14s %.4f s: momentum off by %.2g, angular by %.2g; gained %.2g of %.3g J", name, dt, p,
				l, gain, first)
			if p > 1e-9 || l > 1e-7 || gain > 1e-5*first {
				t.Errorf("%s, step %.4f s: momentum off by %v, angular by %v; gained %v of %v J", name, dt, p,
					l, gain, first)
			}
		}
	}
}

// TestABeadSlidingOutOnARotatingRodConservesEnergyAndMomentum: a free rod with the moment of inertia I
// rotates; a mass slides along it far out. E = μv²/2 + L²/2(I+μr²), with the reduced mass μ, gives both
// speeds. The tiny joint friction selects the integrator of actuated articulations.
func TestABeadSlidingOutOnARotatingRodConservesEnergyAndMomentum(t *testing.T) {
	for _, dt := range []float64{0.002, 1.0 / 60} {
		s := newScene(t, 0.5, Config{NoSleep: true})
		rod := s.body(shape.Box{Half: r3.V(0.5, 0.02, 0.02)}, 3, at(0, 0, 0), 1)
		bead := s.body(shape.Sphere{Radius: 0.02}, 0.2, at(0.3, 0, 0), 1)
		j := must[JointID](t)(s.AddJoint(JointDef{Type: Prismatic, Parent: rod, Child: bead,
			ParentFrame: at(0.3, 0, 0), Axis: r3.V(1, 0, 0), Friction: 1e-12}))
		s.check(s.Articulate([]JointID{j}))
		const spin = 2.0
		s.check(s.Body(rod).SetTwist(r3.Twist{Angular: r3.V(0, 0, spin)}))
		s.check(s.Body(bead).SetTwist(r3.Twist{Linear: r3.V(0, 0.3*spin, 0), Angular: r3.V(0, 0, spin)}))
		s.MeasureJoints()
		reduced, in := 3*0.2/3.2, s.Body(rod).Mass().Inertia.ZZ+s.Body(bead).Mass().Inertia.ZZ
		heavy := func(r float64) float64 { return in + reduced*r*r }
		l := heavy(0.3) * spin
		e := 0.5 * l * spin
		for range 8 {
			s.stepChecked(dt, int(math.Round(4/dt)))
			r := 0.3 + s.Joint(j).State().Position
			wantSpin := l / heavy(r)
			wantSpeed := math.Sqrt(2 * (e - 0.5*l*wantSpin) / reduced)
			w, v := s.Body(rod).Twist().Angular.Z, s.Joint(j).State().Velocity
			if math.Abs(w-wantSpin) > 1e-4*wantSpin || math.Abs(v-wantSpeed) > 1e-4*wantSpeed {
				t.Errorf(
					"step %.4f s, %.3g m out: it slides at %v m/s, want %v; the rod rotates at %v rad/s, want %v",
					dt, r, v, wantSpeed, w, wantSpin)
			}
		}
	}
}
