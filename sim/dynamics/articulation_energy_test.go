package dynamics

import (
	"math"
	"math/rand/v2"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// treeEnergy is the energy of bodies, springs and rotors, J, and the kinetic energy of bodies alone.
func (s *scene) treeEnergy() (all, motion float64) {
	for _, b := range s.added {
		m, in := &s.bodies.motion[b.slot], &s.bodies.massProps[b.slot]
		w := m.rot.RotateBack(m.w)
		motion += 0.5*in.mass*m.v.Len2() + 0.5*w.Dot(in.inertia.Apply(w))
		all -= in.mass * s.cfg.Gravity.Dot(m.com)
	}
	for i := range s.articulations {
		all += s.articulations[i].SpringEnergy() + s.articulations[i].RotorEnergy()
	}
	return all + motion, motion
}

// spinningChain is up to five bodies from 30 g to 30 kg in any order, on joints of any type, at up to 200
// rad/s.
func spinningChain(t *testing.T, r *rand.Rand, gravity float64, equip func(*JointDef)) *scene {
	s := newScene(t, 0.5, Config{NoSleep: true, Gravity: r3.V(0, 0, -gravity)})
	dir := func() r3.Vec { return randomPose(r, 1).Pos }
	pos, parent, floats := r3.V(0, 0, 1.2), BodyID{}, r.IntN(2) == 0
	var joints []JointID
	for i := range 2 + r.IntN(4) {
		size := 0.02 + 0.2*r.Float64()
		u, _ := dir().Unit()
		p := r3.Pose{Pos: pos.AddScaled(0.05+0.3*r.Float64(), u), Rot: randomPose(r, 1).Rot}
		b := s.body(shape.Box{Half: r3.V(0.1+r.Float64(), 0.1+r.Float64(), 1).Scale(size)},
			math.Pow(10, 3*r.Float64()-1.5), p, 1)
		if i > 0 || !floats {
			at := r3.Pose{Pos: pos.Lerp(p.Pos, r.Float64()), Rot: randomPose(r, 1).Rot}
			frame := at
			if parent != (BodyID{}) {
				frame = s.Body(parent).Pose().Relative(at)
			}
			d := JointDef{
				Type: kinds[r.IntN(len(kinds)-1)], Parent: parent, Child: b, ParentFrame: frame,
				ChildFrame: s.Body(b).Pose().Relative(at),
				Axis:       r3.V(0, 0, 1), Pitch: 0.2 * r.Float64(),
			}
			equip(&d)
			joints = append(joints, must[JointID](t)(s.AddJoint(d)))
		}
		parent, pos = b, p.Pos
	}
	s.check(s.Articulate(joints))
	rate := math.Pow(10, 2.3*r.Float64())
	for _, b := range s.added {
		s.check(s.Body(b).SetTwist(r3.Twist{Linear: dir(), Angular: dir().Scale(rate)}))
	}
	s.MeasureJoints()
	return s
}

// TestAPassiveArticulationNeverGainsEnergy: gains between any two steps are relative to the first kinetic
// energy and the energy of lifting by 10 cm.
func TestAPassiveArticulationNeverGainsEnergy(t *testing.T) {
	for _, c := range []struct {
		name    string
		gravity float64
		ground  bool
		gain    float64
		equip   func(*rand.Rand, *JointDef)
	}{
		{"that is free", 0, false, 1e-4, nil},
		{"that falls or swings", 9.81, false, 1e-4, nil},
		{"with dampers", 0, false, 1e-4,
			func(r *rand.Rand, d *JointDef) { d.Damping = math.Pow(10, 4*r.Float64()-4) }},
		{"with rotors", 0, false, 1e-4,
			func(r *rand.Rand, d *JointDef) { d.Armature = math.Pow(10, 4*r.Float64()-5) }},
		{"with friction", 0, false, 0.02,
			func(r *rand.Rand, d *JointDef) { d.Friction = math.Pow(10, 4*r.Float64()-4) }},
		{"with springs", 0, false, 0.01,
			func(r *rand.Rand, d *JointDef) { d.Stiffness = math.Pow(10, 6*r.Float64()-2) }},
		{"with limits", 9.81, false, 0.02, func(_ *rand.Rand, d *JointDef) {
			d.Limited, d.Lower, d.Upper = d.Type == Revolute || d.Type == Prismatic || d.Type == Screw, -0.4,
				0.4
		}},
		{"that hits the ground", 9.81, true, 0.02, nil},
	} {
		for seed := range uint64(12) {
			r := rand.New(rand.NewPCG(seed, 99))
			dt := []float64{0.001, 0.002, 0.004, 1.0 / 240, 1.0 / 60}[r.IntN(5)]
			s := spinningChain(t, r, c.gravity, func(d *JointDef) {
				if c.equip != nil {
					c.equip(r, d)
				}
			})
			if c.ground {
				s.ground()
			}
			least, motion := s.treeEnergy()
			allowed := motion
			for _, b := range s.added {
				allowed += 0.1 * c.gravity * s.bodies.massProps[b.slot].mass
			}
			allowed *= c.gain
			for i := range min(400, int(1/dt)) {
				s.check(s.Step(dt))
				e, _ := s.treeEnergy()
				if !(e-least <= allowed) {
					t.Fatalf(
						"a tree %s, seed %d, step %d of %.4f s: %v J, and there were only %v; allowed are %v",
						c.name, seed, i, dt, e, least, allowed)
				}
				least = min(least, e)
			}
		}
	}
}

// whip is three fast links on ball joints, each a tenth of the one before, in reduced or maximal coordinates.
func whip(t *testing.T, cfg Config, reduced, floats bool) *scene {
	cfg.NoSleep = true
	s := newScene(t, 0.5, cfg)
	var joints []JointID
	parent, z, mass := BodyID{}, 1.0, 1.0
	for i := range 3 {
		b := s.body(shape.Box{Half: r3.V(0.02, 0.01, 0.1)}, mass, at(0, 0, z-0.1), 1)
		if i > 0 || !floats {
			joints = append(joints, s.ball(parent, b, r3.V(0, 0, z)))
		}
		w := r3.V(1, -0.5, 0.3).Scale(10 * float64(1+i))
		s.check(s.Body(b).SetTwist(r3.Twist{Angular: w}))
		parent, z, mass = b, z-0.2, 0.1*mass
	}
	if reduced {
		s.check(s.Articulate(joints))
		s.MeasureJoints()
	}
	return s
}

func (s *scene) ball(parent, child BodyID, p r3.Vec) JointID {
	frame := r3.Pose{Pos: p, Rot: r3.Identity()}
	if parent != (BodyID{}) {
		frame = s.Body(parent).Pose().Relative(frame)
	}
	return must[JointID](s)(s.AddJoint(JointDef{Type: Ball, Parent: parent, Child: child, ParentFrame: frame,
		ChildFrame: r3.Pose{Pos: s.Body(child).Pose().ApplyInverse(p), Rot: r3.Identity()}}))
}

func TestAFloatingWhipConservesEnergyAndMomentum(t *testing.T) {
	for _, dt := range []float64{0.001, 0.004, 1.0 / 60} {
		s := whip(t, Config{}, true, true)
		e0, _ := s.treeEnergy()
		p0, l0 := s.momentum()
		s.stepChecked(dt, int(math.Round(2/dt)))
		e, _ := s.treeEnergy()
		p, l := s.momentum()
		t.Logf("step %.4f s: energy %v → %v J, momentum off by %.2g, angular by %.2g of %v", dt, e0, e,
			p.Dist(p0), l.Dist(l0), l0.Len())
		if math.Abs(e-e0) > 1e-6*e0 || p.Dist(p0) > 1e-4 || l.Dist(l0) > 1e-3*l0.Len() {
			t.Errorf("step %.4f s: energy %v → %v J, momentum %v → %v, angular %v → %v", dt, e0, e, p0, p, l0,
				l)
		}
	}
}

// TestAWhipMovesAlikeInReducedAndMaximalCoordinates: the maximal ones take steps of 20 µs.
func TestAWhipMovesAlikeInReducedAndMaximalCoordinates(t *testing.T) {
	end := func(reduced bool, dt float64) [3]r3.Vec {
		s := whip(t, earth(), reduced, false)
		s.step(dt, int(math.Round(0.1/dt)))
		return [3]r3.Vec{s.Body(s.added[0]).COM(), s.Body(s.added[1]).COM(), s.Body(s.added[2]).COM()}
	}
	a, b := end(true, 0.001), end(false, 2e-5)
	for i := range a {
		if d := a[i].Dist(b[i]); d > 0.005 {
			t.Errorf("after 0.1 s link %d is at %v, on ordinary joints at %v, %v m away", i, a[i], b[i], d)
		}
	}
}

// TestATwistSetForOneLinkSpreadsWithItsMomentum: the articulation has the momentum that was set for one body.
func TestATwistSetForOneLinkSpreadsWithItsMomentum(t *testing.T) {
	for _, kind := range kinds {
		s := newScene(t, 0.5, Config{NoSleep: true})
		base := s.body(shape.Box{Half: r3.V(0.2, 0.1, 0.1)}, 3, at(-0.4, 0, 2), 1)
		s.check(s.Articulate(s.chain(kind, base, 3)))
		for _, b := range s.added {
			s.check(s.Body(b).SetTwist(r3.Twist{}))
		}
		s.check(s.Body(s.added[1]).SetTwist(r3.Twist{Linear: r3.V(0, 2, 1), Angular: r3.V(10, -5, 7)}))
		p0, l0 := s.momentum()
		_, given := s.treeEnergy()
		s.MeasureJoints()
		p, l := s.momentum()
		_, taken := s.treeEnergy()
		if p.Dist(p0) > 1e-9*p0.Len() || l.Dist(l0) > 1e-9*l0.Len() || taken > given*(1+1e-9) {
			t.Errorf("%v: momentum %v, given were %v; angular %v, %v; %v J of %v", kind, p, p0, l, l0, taken,
				given)
		}
	}
}

func TestAPendulumBobSwingsAfterAHit(t *testing.T) {
	s := newScene(t, 0.5, Config{NoSleep: true})
	b := s.body(shape.Sphere{Radius: 0.05}, 2, at(0, 0, 0.5), 0)
	j := s.hinge(BodyID{}, b, r3.V(0, 0, 1), r3.V(0, 1, 0))
	s.check(s.Articulate([]JointID{j}))
	s.check(s.Body(b).SetTwist(r3.Twist{Linear: r3.V(-1, 0, 0)}))
	s.MeasureJoints()
	// Its momentum about the hinge is m·v·l, its moment of inertia m·(l² + 0.4·r²).
	if v, want := s.Joint(j).State().Velocity, 0.5/(0.25+0.4*0.05*0.05); math.Abs(v-want) > 1e-9 {
		t.Errorf("it swings at %v rad/s, want %v", v, want)
	}
}

// TestAJointWithEqualLimitsIsLocked, whatever its motor is told.
func TestAJointWithEqualLimitsIsLocked(t *testing.T) {
	for name, drive := range map[string]func(*scene, JointID) error{
		"a spring":   func(s *scene, j JointID) error { return s.Joint(j).SetMotorPosition(1.5, 1e4, 10, 0) },
		"a servo":    func(s *scene, j JointID) error { return s.Joint(j).SetMotorPosition(-2, 0, 0, 0) },
		"a velocity": func(s *scene, j JointID) error { return s.Joint(j).SetMotorVelocity(20, 0) },
		"an effort":  func(s *scene, j JointID) error { return s.Joint(j).SetMotorEffort(1e4) },
		"no motor":   func(s *scene, j JointID) error { return s.Joint(j).SetMotorOff() },
	} {
		for _, reduced := range []bool{true, false} {
			for _, dt := range stepLengths {
				s := newScene(t, 0.5, earth())
				low := s.body(shape.Box{Half: r3.V(0.2, 0.03, 0.03)}, 1, at(0.2, 0, 1), 1)
				high := s.body(shape.Box{Half: r3.V(0.2, 0.03, 0.03)}, 0.1, at(0.6, 0, 1), 1)
				locked := must[JointID](t)(s.AddJoint(JointDef{Type: Revolute, Parent: low, Child: high,
					ParentFrame: at(0.2, 0, 0), ChildFrame: at(-0.2, 0, 0), Axis: r3.V(0, 1, 0),
					Limited: true}))
				shoulder := s.hinge(BodyID{}, low, r3.V(0, 0, 1), r3.V(0, 1, 0))
				if reduced {
					s.check(s.Articulate([]JointID{shoulder, locked}))
				}
				s.check(drive(s, locked))
				e0, _ := s.treeEnergy()
				most := 0.0
				for range int(1 / dt) {
					s.stepChecked(dt, 1)
					most = max(most, math.Abs(s.Joint(locked).State().Position))
				}
				if e, _ := s.treeEnergy(); most > 0.01 || reduced && most > 1e-6 || e > e0+0.02 {
					t.Errorf("%s, reduced %v, step %.4f s: the joint gives way by %v rad; energy %v → %v J",
						name, reduced, dt, most, e0, e)
				}
			}
		}
	}
}
