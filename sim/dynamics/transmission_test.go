package dynamics

import (
	"math"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/transmission"
)

// place is a point or frame on a body.
func place(body int32, x, y, z float64) transmission.Mount {
	return transmission.Mount{Body: body, Pose: r3.Pose{Pos: r3.V(x, y, z), Rot: r3.Identity()}}
}

// stringOf is a string through points of bodies.
func stringOf(at ...transmission.Mount) (p transmission.Path) {
	for _, m := range at {
		p.Parts = append(p.Parts, transmission.Part{Kind: transmission.Site, Body: m.Body, Pose: m.Pose})
	}
	return p
}

// ball is a body of 2 kg in a world without gravity.
func ball(t *testing.T, w *World, at r3.Vec) BodyID {
	t.Helper()
	id, err := w.AddBody(BodyDef{Type: Dynamic, Pose: r3.Pose{Pos: at, Rot: r3.Identity()}, Mass: 2,
		Inertia: r3.Diag(r3.V(0.1, 0.1, 0.1))})
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func mustTransmission(t *testing.T, w *World, d TransmissionDef) Transmission {
	t.Helper()
	id, err := w.AddTransmission(d)
	if err != nil {
		t.Fatal(err)
	}
	return w.Transmission(id)
}

func steps(t *testing.T, w *World, n int, dt float64) {
	t.Helper()
	for range n {
		if err := w.Step(dt); err != nil {
			t.Fatal(err)
		}
	}
}

// Two bodies on a spring between them swing by the reduced mass.
func TestAStringWithASpringSwingsByTheReducedMass(t *testing.T) {
	w, _ := New(Config{})
	a, b := ball(t, w, r3.V(0, 0, 0)), ball(t, w, r3.V(1.2, 0, 0))
	s := mustTransmission(t, w, TransmissionDef{Path: stringOf(place(0, 0, 0, 0), place(1, 0, 0, 0)),
		Bodies: []BodyID{a, b}, Passive: transmission.Passive{Stiffness: 40, Rest: [2]float64{1, 1}}})
	omega := math.Sqrt(40) // reduced mass 1 kg
	const dt = 1e-4
	n := int(math.Round(2 * math.Pi * 1.25 / omega / dt)) // a period and a quarter
	steps(t, w, n, dt)
	length, speed := s.State()
	if math.Abs(length-1) > 1e-3 || math.Abs(speed+0.2*omega) > 2e-3 {
		t.Errorf("length %.5f m, speed %.5f m/s; want 1 and %.5f", length, speed, -0.2*omega)
	}
	if p := w.Body(a).Twist().Linear.Add(w.Body(b).Twist().Linear).Len(); p > 1e-12 {
		t.Errorf("the momentum has become %g kg·m/s", 2*p)
	}
}

// An armature of 3 kg on a string from a fixed point lets a body of 2 kg swing as one of 5 kg.
func TestTheArmatureOfAStringMovesAsItsLengthDoes(t *testing.T) {
	w, _ := New(Config{})
	b := ball(t, w, r3.V(1.2, 0, 0))
	s := mustTransmission(t, w, TransmissionDef{Path: stringOf(place(-1, 0, 0, 0), place(0, 0, 0, 0)),
		Bodies: []BodyID{b}, Passive: transmission.Passive{Stiffness: 20, Rest: [2]float64{1, 1},
			Armature: 3}})
	const dt = 1e-4
	steps(t, w, int(math.Round(2*math.Pi*1.25/2/dt)), dt) // ω = 2/s, a period and a quarter
	if length, speed := s.State(); math.Abs(length-1) > 1e-3 || math.Abs(speed+0.4) > 2e-3 {
		t.Errorf("length %.5f m, speed %.5f m/s; want 1 and -0.4", length, speed)
	}
	// Where it is set down, it does not remember its speed.
	if err := w.Body(b).SetTwist(r3.Twist{}); err != nil {
		t.Fatal(err)
	}
	steps(t, w, 1, dt)
	if _, speed := s.State(); math.Abs(speed) > 0.01 {
		t.Errorf("it moves on with %.3f m/s", speed)
	}
}

// MuJoCo's constraint gives by g·(1−d)/(d²·k) under a weight, whatever the mass.
func TestARangeGivesAsMuchAsMuJoCos(t *testing.T) {
	for _, d := range []float64{0.5, 0.9} {
		w, _ := New(Config{Gravity: r3.V(0, 0, -9.81), NoSleep: true})
		b := ball(t, w, r3.V(0, 0, -1))
		limit := transmission.Limit{Stiffness: 400, Damping: 40, Impedance: [5]float64{d, d, 0.001, 0.5, 2}}
		s := mustTransmission(t, w, TransmissionDef{Path: stringOf(place(-1, 0, 0, 0), place(0, 0, 0, 0)),
			Bodies: []BodyID{b}, Passive: transmission.Passive{Limited: true, Range: [2]float64{0, 1},
				Limit: limit}})
		steps(t, w, 2000, 1e-3)
		want := 1 + 9.81*(1-d)/(d*d*400)
		if length, speed := s.State(); math.Abs(length-want) > 1e-5 || math.Abs(speed) > 1e-5 {
			t.Errorf("impedance %g: %.6f m long, %.6f m/s; want %.6f m", d, length, speed, want)
		}
	}
}

// However stiff a range is meant, and however long the step, a body that falls into it comes to rest there.
func TestNoStiffnessOfARangeIsUnstable(t *testing.T) {
	for _, k := range []float64{1e2, 1e4, 1e6, 1e8, 1e12} {
		for _, dt := range []float64{1e-4, 1e-3, 1e-2} {
			w, _ := New(Config{Gravity: r3.V(0, 0, -9.81), NoSleep: true})
			b := ball(t, w, r3.V(0, 0, -0.5))
			limit := transmission.Limit{Stiffness: k, Damping: 2 * math.Sqrt(k),
				Impedance: [5]float64{0.9, 0.95, 0.001, 0.5, 2}}
			s := mustTransmission(t, w, TransmissionDef{Path: stringOf(place(-1, 0, 0, 0), place(0, 0, 0, 0)),
				Bodies: []BodyID{b}, Passive: transmission.Passive{Limited: true, Range: [2]float64{0, 1},
					Limit: limit}})
			steps(t, w, int(4/dt), dt)
			if length, speed := s.State(); length > 1.02 || length < 0.99 || math.Abs(speed) > 1e-3 {
				t.Errorf("stiffness %g, steps of %g s: %.5f m long, %.5f m/s", k, dt, length, speed)
			}
		}
	}
}

// A spring of any stiffness and a damper of any strength are stable in steps of 10 ms, and come to rest
// within the range.
func TestNoStiffnessOfAStringIsUnstable(t *testing.T) {
	for _, k := range []float64{1, 1e3, 1e6, 1e9, 1e12} {
		for _, c := range []float64{0, 1, 1e3, 1e9} {
			w, _ := New(Config{NoSleep: true})
			a, b := ball(t, w, r3.V(0, 0, 0)), ball(t, w, r3.V(1.1, 0.3, 0))
			s := mustTransmission(t, w, TransmissionDef{Bodies: []BodyID{a, b},
				Path: stringOf(place(0, 0, 0.1, 0), place(-1, 0.5, 0.5, 0.5), place(1, 0, 0, 0.1)),
				Passive: transmission.Passive{Stiffness: k, Damping: c, Rest: [2]float64{1, 1.2},
					Limited: true, Range: [2]float64{0.8, 1.3}}})
			started, _ := s.State()
			worst := 0.0
			for range 300 {
				steps(t, w, 1, 0.01)
				length, _ := s.State()
				worst = max(worst, length)
				v := w.Body(a).Twist().Linear.Len() + w.Body(b).Twist().Linear.Len()
				if v > max(20, 1+math.Sqrt(k)) {
					t.Fatalf("stiffness %g, damping %g: %g m/s", k, c, v)
				}
			}
			if worst > started+0.1 {
				t.Errorf("stiffness %g, damping %g: the string was %.3f m long, and %.3f at the start", k, c,
					worst, started)
			}
		}
	}
}

// A hanging weight pulls a weight that is half as heavy over a fixed ring: Atwood's machine. The string is
// kept by its range.
func TestARangeCarriesAWeightOverARing(t *testing.T) {
	w, _ := New(Config{Gravity: r3.V(0, 0, -9.81), NoSleep: true})
	heavy, light := ball(t, w, r3.V(-0.5, 0, 1)), ball(t, w, r3.V(0.5, 0, 1))
	light2 := light
	s := mustTransmission(t, w, TransmissionDef{Bodies: []BodyID{heavy, light2},
		Path:    stringOf(place(0, 0, 0, 0), place(-1, -0.5, 0, 3), place(-1, 0.5, 0, 3), place(1, 0, 0, 0)),
		Passive: transmission.Passive{Limited: true, Range: [2]float64{0, 5}}})
	if err := w.Body(light).ApplyWrench(r3.V(0, 0, 9.81), r3.Vec{}, r3.V(0.5, 0, 1)); err != nil {
		t.Fatal(err)
	}
	for range 500 {
		// A force of half its weight holds the second one up.
		if err := w.Body(light).ApplyWrench(r3.V(0, 0, 9.81), r3.Vec{}, w.Body(light).COM()); err != nil {
			t.Fatal(err)
		}
		steps(t, w, 1, 1e-3)
	}
	// 2·9.81 − 9.81 N on 4 kg
	want := 1 - 0.5*9.81/4*0.25
	if z := w.Body(heavy).COM().Z; math.Abs(z-want) > 3e-3 {
		t.Errorf("the heavy weight is at %.4f m; want %.4f", z, want)
	}
	if length, _ := s.State(); math.Abs(length-5) > 1e-3 {
		t.Errorf("the string is %.5f m long; want 5", length)
	}
	if f := s.Force(); math.Abs(f+1.5*9.81) > 0.05 {
		t.Errorf("the string pulls by %.3f N; want %.3f", f, -1.5*9.81)
	}
}

// hinges is a chain of two hinges about z on the world, of bodies of 1 kg·m² each.
func hinges(t *testing.T, w *World) (ids [2]JointID) {
	t.Helper()
	parent := BodyID{}
	for i := range ids {
		b, err := w.AddBody(BodyDef{Type: Dynamic, Pose: r3.IdentityPose(), Mass: 1,
			Inertia: r3.Diag(r3.V(1, 1, 1))})
		if err != nil {
			t.Fatal(err)
		}
		ids[i], err = w.AddJoint(JointDef{Type: Continuous, Parent: parent, Child: b, Axis: r3.V(0, 0, 1)})
		if err != nil {
			t.Fatal(err)
		}
		parent = b
	}
	return ids
}

// A sum of two hinges is drawn to a length by a spring, and a motor holds the first: the second goes all the
// way. It does so in maximal coordinates and in reduced ones.
func TestAMotorOfTwoJointsPullsBothAgainstTheirDrives(t *testing.T) {
	for _, reduced := range []bool{false, true} {
		w, _ := New(Config{NoSleep: true})
		ids := hinges(t, w)
		if reduced {
			if err := w.Articulate(ids[:]); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Joint(ids[0]).SetMotorVelocity(0, 0); err != nil {
			t.Fatal(err)
		}
		s := mustTransmission(t, w, TransmissionDef{Joints: []JointTerm{{ids[0], 2}, {ids[1], -0.5}}})
		if err := s.SetMotor(transmission.Motor{Effort: 400, Stiffness: 1000, Damping: 30,
			Lower: math.Inf(-1), Upper: math.Inf(1)}); err != nil {
			t.Fatal(err)
		}
		for i := range 2000 {
			steps(t, w, 1, 1e-3)
			if q := w.Joint(ids[0]).State().Position; math.Abs(q) > 2e-3 {
				t.Fatalf("reduced %v: after %d ms the first hinge has given way by %g rad", reduced, i+1, q)
			}
		}
		if q := w.Joint(ids[1]).State().Position; math.Abs(q+0.8) > 1e-2 {
			t.Errorf("reduced %v: the second hinge is at %.4f rad; want -0.8", reduced, q)
		}
	}
}

// A world that goes back has the impulses and the motors of its transmissions, and goes on alike.
func TestAStateHoldsWhatTransmissionsRemember(t *testing.T) {
	build := func() (*World, Transmission) {
		w, _ := New(Config{Gravity: r3.V(0, 0, -9.81)})
		a := ball(t, w, r3.V(0, 0, 0))
		return w, mustTransmission(t, w, TransmissionDef{Bodies: []BodyID{a},
			Path:    stringOf(place(-1, 0.3, 0, 1), place(0, 0.1, 0, 0)),
			Passive: transmission.Passive{Limited: true, Range: [2]float64{0, 1.1}, Friction: 0.1}})
	}
	w, s := build()
	if err := s.SetMotor(transmission.Motor{Effort: -3, Damping: 1, Lower: -5, Upper: 5}); err != nil {
		t.Fatal(err)
	}
	steps(t, w, 50, 2e-3)
	state := w.AppendState(nil)
	other, _ := build()
	if err := other.RestoreState(state); err != nil {
		t.Fatal(err)
	}
	copied, _ := New(Config{})
	copied.CopyFrom(w)
	steps(t, w, 100, 2e-3)
	steps(t, other, 100, 2e-3)
	steps(t, copied, 100, 2e-3)
	if w.Hash() != other.Hash() || w.Hash() != copied.Hash() {
		t.Error("the restored world goes another way")
	}
	without, _ := New(Config{})
	ball(t, without, r3.Vec{})
	if err := without.RestoreState(state); err == nil {
		t.Error("a world without the transmission takes the state")
	}
}

// A transmission goes with its bodies, and what hung on it falls.
func TestATransmissionGoesWithItsBodies(t *testing.T) {
	w, _ := New(Config{Gravity: r3.V(0, 0, -10)})
	a, b := ball(t, w, r3.V(0, 0, 1)), ball(t, w, r3.V(0, 0, 0))
	s := mustTransmission(t, w, TransmissionDef{Bodies: []BodyID{a, b},
		Path: stringOf(place(0, 0, 0, 0), place(1, 0, 0, 0)), Passive: transmission.Passive{Stiffness: 10}})
	if err := w.RemoveBody(b); err != nil {
		t.Fatal(err)
	}
	if err := s.SetMotor(transmission.Motor{}); err == nil {
		t.Error("a transmission is there whose body is gone")
	}
	steps(t, w, 10, 1e-3)
	if v := w.Body(a).Twist().Linear.Z; math.Abs(v+0.1) > 1e-9 {
		t.Errorf("the body falls at %g m/s; want -0.1", v)
	}
	if _, err := w.AddTransmission(TransmissionDef{}); err == nil {
		t.Error("a transmission of nothing is taken")
	}
}
