package dynamics

import (
	"math"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// spinner is rotor in reduced coordinates.
func spinner(t *testing.T, d JointDef) (*scene, JointID) {
	t.Helper()
	s, j := rotor(t, d)
	s.check(s.Articulate([]JointID{j}))
	return s, j
}

func TestJointsOfAnArticulationFollowClosedForms(t *testing.T) {
	for _, dt := range stepLengths {
		n := int(math.Round(1 / dt))
		spun := func(d JointDef, v float64, set func(s *scene, j JointID)) JointState {
			s, j := spinner(t, d)
			s.check(s.Body(s.added[0]).SetTwist(r3.Twist{Angular: r3.V(0, 0, v)}))
			if set != nil {
				set(s, j)
			}
			s.stepChecked(dt, n)
			return s.Joint(j).State()
		}
		if st := spun(JointDef{}, 0, func(s *scene,
			j JointID) {
			s.check(s.Joint(j).SetMotorEffort(0.1))
		}); math.Abs(st.Velocity-5) > 1e-9 || math.Abs(st.Position-2.5) > 1e-9 || st.Effort != 0.1 {
			t.Errorf("dt %.4f: 0.1 N·m on 0.02 kg·m²: %+v", dt, st)
		}
		if st := spun(JointDef{Armature: 0.08}, 0,
			func(s *scene, j JointID) { s.check(s.Joint(j).SetMotorEffort(0.1)) }); math.Abs(
			st.Velocity-1) > 1e-9 {
			t.Errorf("dt %.4f: 0.1 N·m on 0.1 kg·m² with the motor's: %+v", dt, st)
		}
		if st := spun(JointDef{Damping: 0.02}, 10, nil); math.Abs(st.Velocity/(10/math.E)-1) > 0.01 {
			t.Errorf("dt %.4f: damped: %+v, want %v rad/s", dt, st, 10/math.E)
		}
		if st := spun(JointDef{Damping: 1e6}, 10, nil); math.Abs(st.Velocity) > 1e-6 {
			t.Errorf("dt %.4f: an enormous damper leaves %+v", dt, st)
		}
		if st := spun(JointDef{Friction: 0.1}, 10, nil); math.Abs(st.Velocity-5) > 1e-6 {
			t.Errorf("dt %.4f: with friction: %+v, want 5 rad/s", dt, st)
		}
		if st := spun(JointDef{Friction: 0.1}, 0,
			func(s *scene, j JointID) { s.check(s.Joint(j).SetMotorEffort(0.09)) }); math.Abs(
			st.Velocity) > 1e-9 {
			t.Errorf("dt %.4f: turns under less than its friction: %+v", dt, st)
		}
		if st := spun(JointDef{MaxEffort: 0.1}, 0,
			func(s *scene, j JointID) {
				s.check(s.Joint(j).SetMotorVelocity(100,
					0))
			}); math.Abs(st.Velocity-5) > 1e-9 || math.Abs(st.Effort-0.1) > 1e-9 {
			t.Errorf("dt %.4f: a motor of 0.1 N·m: %+v", dt, st)
		}
		if st := spun(JointDef{Type: Revolute, Limited: true, Lower: -0.5, Upper: 0.8}, 0,
			func(s *scene, j JointID) {
				s.check(s.Joint(j).SetMotorEffort(1))
			}); math.Abs(st.Position-0.8) > 1e-6 || math.Abs(st.Velocity) > 1e-9 {
			t.Errorf("dt %.4f: at its limit: %+v", dt, st)
		}
		for name, kp := range map[string]float64{"spring": 5, "stiff": 1e6, "servo": 0} {
			st := spun(JointDef{}, 0, func(s *scene,
				j JointID) {
				s.check(s.Joint(j).SetMotorPosition(1.2, kp, kp/5, 0))
			})
			if math.Abs(st.Position-1.2) > 0.01 {
				t.Errorf("dt %.4f: %s: %+v, want 1.2 rad", dt, name, st)
			}
		}
	}
}

func TestASpringOfAnArticulationSwingsWithItsPeriod(t *testing.T) {
	s, j := spinner(t, JointDef{Stiffness: 0.02 * 4 * math.Pi * math.Pi, SpringRest: 0.5}) // 1 Hz
	most := 0.0
	for i := range 10000 {
		s.stepChecked(0.001, 1)
		if i > 9000 {
			most = max(most, s.Joint(j).State().Position)
		}
	}
	if p := s.Joint(j).State().Position; math.Abs(p) > 1e-3 || math.Abs(most-1) > 1e-4 {
		t.Errorf("after 10 periods at %v rad of 0, swings to %v of 1", p, most)
	}
}

func TestAScrewDescendsAlongItsThread(t *testing.T) {
	s := newScene(t, 0.5, earth())
	b := s.body(shape.Cylinder{Radius: 0.2, Half: 0.05}, 1, at(0, 0, 1), 0)
	j := must[JointID](t)(s.AddJoint(JointDef{Type: Screw, Child: b, ParentFrame: at(0, 0, 1),
		Axis: r3.V(0, 0, 1), Pitch: 0.5}))
	s.check(s.Articulate([]JointID{j}))
	s.stepChecked(0.002, 500)
	p := 0.5 / (2 * math.Pi)
	want := -9.81 * p / (p*p + 0.02) // rad/s²
	if st := s.Joint(j).State(); math.Abs(st.Velocity/want-1) > 1e-6 ||
		math.Abs(s.Body(b).Pose().Pos.Z-1-st.Position*p) > 1e-12 {
		t.Errorf("%+v at %v, want %v rad/s", st, s.Body(b).Pose().Pos, want)
	}
}

func TestCoupledJointsOfAnArticulationMoveTogether(t *testing.T) {
	// Two discs of 0.02 kg·m², the second at -3 times the first: the first feels 0.2 kg·m².
	s := newScene(t, 0.5, earth())
	var j [2]JointID
	for i := range j {
		b := s.body(shape.Cylinder{Radius: 0.2, Half: 0.05}, 1, at(float64(i), 0, 1), 0)
		j[i] = must[JointID](t)(s.AddJoint(JointDef{Type: Continuous, Child: b,
			ParentFrame: at(float64(i), 0, 1), Axis: r3.V(0, 0, 1)}))
	}
	s.check(s.Articulate(j[:]))
	s.check(s.SetCoupling(j[1], j[0], -3, 0.5))
	s.check(s.Joint(j[0]).SetMotorEffort(0.1))
	s.stepChecked(0.004, 250)
	a, b := s.Joint(j[0]).State(), s.Joint(j[1]).State()
	if math.Abs(a.Velocity-0.5) > 0.01 || math.Abs(b.Velocity+3*a.Velocity) > 1e-9 ||
		math.Abs(b.Position+3*a.Position-0.5) > 1e-6 {
		t.Errorf("coupled joints: %+v and %+v, want 0.5 and -1.5 rad/s", a, b)
	}
}

// TestAParallelogramKeepsItsLoopClosed: three bars are an articulation and the fourth corner is a loop joint.
// It swings as two pendulums, and the low bar stays level.
func TestAParallelogramKeepsItsLoopClosed(t *testing.T) {
	s := newScene(t, 0.5, earth())
	bar := func(x, z float64, half r3.Vec) BodyID { return s.body(shape.Box{Half: half}, 1, at(x, 0, z), 1) }
	left, right, low := bar(0, 1.75, r3.V(0.02, 0.02, 0.25)), bar(1, 1.75, r3.V(0.02, 0.02, 0.25)),
		bar(0.5, 1.5, r3.V(0.5, 0.02, 0.02))
	y := r3.V(0, 1, 0)
	tree := []JointID{s.hinge(BodyID{}, left, r3.V(0, 0, 2), y), s.hinge(BodyID{}, right, r3.V(1, 0, 2), y),
		s.hinge(left, low, r3.V(0, 0, 1.5), y)}
	loop := s.hinge(low, right, r3.V(1, 0, 1.5), y)
	s.check(s.Articulate(tree))
	s.check(s.Body(left).SetTwist(r3.Twist{Linear: r3.V(1, 0, 0).Scale(0.25), Angular: r3.V(0, -1, 0)}))
	s.check(s.Body(right).SetTwist(r3.Twist{Linear: r3.V(1, 0, 0).Scale(0.25), Angular: r3.V(0, -1, 0)}))
	s.check(s.Body(low).SetTwist(r3.Twist{Linear: r3.V(0.5, 0, 0)}))
	gap, tilt := 0.0, 0.0
	last, crossings := 0.0, 0
	for range 5000 {
		s.stepChecked(0.001, 1)
		gap, tilt = max(gap, s.Joint(loop).Gap()), max(tilt, s.Body(low).Pose().Rot.Vector().Len())
		if q := s.Joint(tree[0]).State().Position; q*last < 0 {
			crossings++
			last = q
		} else {
			last = q
		}
	}
	// I q̈ = -(m g 0.25 · 2 + m g 0.5) q with I = 2·(1/12·0.25 + 0.0625) + 0.25: a period of 1.30 s.
	if gap > 1e-9 || tilt > 1e-9 || crossings < 7 || crossings > 8 {
		t.Errorf("the loop parts by %v m, the bar tilts by %v rad, %d crossings in 5 s", gap, tilt, crossings)
	}
}

func TestABaseWithAnArmDrivesOnWheels(t *testing.T) {
	s := newScene(t, 0.8, earth())
	s.ground()
	chassis := s.diffDrive(4, 6)
	low := s.body(shape.Box{Half: r3.V(0.03, 0.03, 0.1)}, 0.5, at(0, 0, 0.29), 1)
	high := s.body(shape.Box{Half: r3.V(0.02, 0.02, 0.1)}, 0.3, at(0, 0, 0.49), 1)
	arm := []JointID{s.hinge(chassis, low, r3.V(0, 0, 0.19), r3.V(0, 1, 0)),
		s.hinge(low, high, r3.V(0, 0, 0.39), r3.V(0, 1, 0))}
	s.check(s.Articulate(arm))
	for _, j := range arm {
		s.check(s.Joint(j).SetMotorPosition(0.2, 0, 0, 50))
	}
	s.step(1.0/240, 480)
	yaw, length := s.travel(chassis, 1.0/240, 1200)
	if math.Abs(yaw/5-0.5) > 0.005 || math.Abs(length/5-0.5) > 0.005 {
		t.Errorf("yaw rate %v rad/s, speed %v m/s, want 0.5 and 0.5", yaw/5, length/5)
	}
	for _, j := range arm {
		if p := s.Joint(j).State().Position; math.Abs(p-0.2) > 1e-4 {
			t.Errorf("the arm is at %v rad, want 0.2", p)
		}
	}
}

func TestAnArticulationFollowsItsBase(t *testing.T) {
	s := newScene(t, 0.5, earth())
	base := must[BodyID](t)(s.AddBody(BodyDef{Type: Kinematic, Pose: at(0, 0, 1)}))
	bar := s.body(shape.Box{Half: r3.V(0.1, 0.02, 0.02)}, 1, at(0.1, 0, 1), 0)
	j := s.hinge(base, bar, r3.V(0, 0, 1), r3.V(0, 1, 0))
	s.check(s.Articulate([]JointID{j}))
	s.check(s.Joint(j).SetMotorPosition(0.5, 0, 0, 100))
	s.stepChecked(0.004, 500)
	s.check(s.Body(base).SetPose(at(2, 0, 3)))
	s.MeasureJoints()
	if p := s.Body(bar).Pose().Pos; p.Dist(r3.V(2+0.1*math.Cos(0.5), 0, 3-0.1*math.Sin(0.5))) > 1e-3 {
		t.Errorf("the bar is at %v", p)
	}
	s.check(s.Body(base).SetTwist(r3.Twist{Linear: r3.V(1, 0, 0), Angular: r3.V(0, 0, 1)}))
	s.stepChecked(0.004, 250)
	want := s.Body(base).Pose().Apply(r3.V(0.1*math.Cos(0.5), 0, -0.1*math.Sin(0.5)))
	if p := s.Body(bar).Pose().Pos; p.Dist(want) > 2e-3 || math.Abs(s.Body(base).Pose().Pos.X-3) > 1e-9 {
		t.Errorf("on a base that moves and turns the bar is at %v, want %v", p, want)
	}
}

func TestASpringBetweenBodiesHoldsAWeight(t *testing.T) {
	for _, reduced := range []bool{true, false} {
		s := newScene(t, 0.5, earth())
		b := s.body(shape.Box{Half: r3.V(0.1, 0.1, 0.1)}, 2, at(0, 0, 1), 0)
		j := must[JointID](t)(s.AddJoint(JointDef{
			Type: Prismatic, Child: b, ParentFrame: at(0, 0, 1), Axis: r3.V(0, 0, 1), Stiffness: 400,
			SpringRest: 0.1, Damping: 20,
		}))
		if reduced {
			s.check(s.Articulate([]JointID{j}))
		}
		s.stepChecked(0.004, 1000)
		if p, want := s.Joint(j).State().Position, 0.1-2*9.81/400; math.Abs(p-want) > 1e-5 {
			t.Errorf("reduced %v: at %v m, want %v", reduced, p, want)
		}
	}
}

// TestASpinningTopPrecesses: a fast top precesses at m·g·l/(I₃·ω₃).
func TestASpinningTopPrecesses(t *testing.T) {
	s := newScene(t, 0.5, earth())
	top := must[BodyID](t)(s.AddBody(BodyDef{
		Type: Dynamic, Mass: 1, COM: r3.V(0, 0, 0.1), Inertia: r3.Diag(r3.V(0.002, 0.002, 0.004)),
		Pose: r3.Pose{Pos: r3.V(0, 0, 1), Rot: r3.AxisAngle(r3.V(0, 1, 0), 0.5)},
	}))
	s.added = append(s.added, top)
	j := must[JointID](t)(s.AddJoint(JointDef{Type: Ball, Child: top, ParentFrame: at(0, 0, 1)}))
	s.check(s.Articulate([]JointID{j}))
	// Regular precession Ω: I₁' Ω² cos θ - I₃ ω₃ Ω + m g l = 0, with I₁' about the tip.
	const spin = 150.0
	a, b, c := 0.012*math.Cos(0.5), -0.004*spin, 0.981
	omega := (-b - math.Sqrt(b*b-4*a*c)) / (2 * a)
	axis := s.Body(top).Pose().Rot.Rotate(r3.V(0, 0, 1))
	s.check(s.Body(top).SetTwist(r3.Twist{Angular: axis.Scale(spin - omega*math.Cos(0.5)).Add(r3.V(0, 0,
		omega))}))
	e0 := s.energy()
	tilt := [2]float64{1, -1}
	angle, last := 0.0, 0.0
	for range 4000 {
		s.stepChecked(0.0005, 1)
		axis = s.Body(top).Pose().Rot.Rotate(r3.V(0, 0, 1))
		tilt = [2]float64{min(tilt[0], axis.Z), max(tilt[1], axis.Z)}
		now := math.Atan2(axis.Y, axis.X)
		angle += math.Remainder(now-last, 2*math.Pi)
		last = now
	}
	t.Logf("precession %v rad/s, want %v; tilts %v to %v of %v, energy %v of %v", angle/2, omega, tilt[0],
		tilt[1], math.Cos(0.5), s.energy(), e0)
	if math.Abs(angle/2/omega-1) > 0.01 || tilt[1]-tilt[0] > 2e-3 || math.Abs(s.energy()/e0-1) > 1e-3 {
		t.Errorf("precession %v rad/s, want %v; tilts %v to %v of %v, energy %v of %v", angle/2, omega,
			tilt[0], tilt[1], math.Cos(0.5), s.energy(), e0)
	}
}

// TestADoublePendulumFollowsRungeKutta: two points of 1 kg on rods of 1 m, from rest at 90° and 120°.
func TestADoublePendulumFollowsRungeKutta(t *testing.T) {
	s := newScene(t, 0.5, earth())
	q := [2]float64{math.Pi / 2, 2 * math.Pi / 3}
	bob := func(p r3.Vec) BodyID {
		return must[BodyID](t)(s.AddBody(BodyDef{Type: Dynamic, Mass: 1,
			Inertia: r3.Diag(r3.V(1e-9, 1e-9, 1e-9)), Pose: r3.Pose{Pos: p}}))
	}
	at1 := r3.V(math.Sin(q[0]), 0, -math.Cos(q[0]))
	at2 := at1.Add(r3.V(math.Sin(q[1]), 0, -math.Cos(q[1])))
	a, b := bob(at1), bob(at2)
	s.check(s.Articulate([]JointID{s.hinge(BodyID{}, a, r3.Vec{}, r3.V(0, 1, 0)),
		s.hinge(a, b, at1, r3.V(0, 1, 0))}))
	s.step(0.0005, 2000)
	x := [4]float64{q[0], q[1], 0, 0}
	rate := func(x [4]float64) [4]float64 {
		d := x[0] - x[1]
		sd, cd := math.Sincos(d)
		den := 2 - cd*cd
		const g = 9.81
		w1, w2 := x[2], x[3]
		a1 := (-w1*w1*sd*cd + g*math.Sin(x[1])*cd - w2*w2*sd - 2*g*math.Sin(x[0])) / den
		a2 := (w2*w2*sd*cd + 2*g*math.Sin(x[0])*cd + 2*w1*w1*sd - 2*g*math.Sin(x[1])) / den
		return [4]float64{w1, w2, a1, a2}
	}
	x = rungeKutta(x, 1e-4, 10000, rate, along4)
	want := r3.V(math.Sin(x[0])+math.Sin(x[1]), 0, -math.Cos(x[0])-math.Cos(x[1]))
	if d := s.Body(b).COM().Dist(want); d > 5e-4 {
		t.Errorf("after 1 s the lower bob is at %v, %v m from %v", s.Body(b).COM(), d, want)
	}
}
