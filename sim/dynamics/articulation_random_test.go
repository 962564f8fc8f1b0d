package dynamics

import (
	"math"
	"math/rand/v2"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// randomTree is up to eight bodies on joints of every type with limits, friction, dampers and springs;
// floating, or on the world.
func (s *scene) randomTree(r *rand.Rand, group int32) []JointID {
	dir := func() r3.Vec { return r3.V(r.Float64()-0.5, r.Float64()-0.5, r.Float64()-0.5) }
	turn := func() r3.Quat { return r3.AxisAngle(dir().Add(r3.V(0, 0, 0.01)), 3*r.Float64()) }
	var bodies []BodyID
	var joints []JointID
	base := BodyID{}
	if r.IntN(3) > 0 {
		base = s.body(shape.Box{Half: r3.V(0.1, 0.15, 0.1)}, 2, r3.Pose{Pos: r3.V(0, 0, 1.5), Rot: turn()},
			group)
		bodies = append(bodies, base)
	}
	for i := range 2 + r.IntN(6) {
		parent := base
		if len(bodies) > 0 && (i > 0 || base != (BodyID{})) {
			parent = bodies[r.IntN(len(bodies))]
		}
		pose := r3.Pose{Pos: r3.V(0, 0, 1.5).Add(dir().Scale(0.8)), Rot: turn()}
		var sh shape.Shape = shape.Box{Half: r3.V(0.05+0.1*r.Float64(), 0.05, 0.05+0.1*r.Float64())}
		if r.IntN(2) == 0 {
			sh = shape.Capsule{Radius: 0.05, Half: 0.1}
		}
		b := s.body(sh, 0.2+2*r.Float64(), pose, group)
		at := r3.Pose{Pos: pose.Pos.Add(dir().Scale(0.3)), Rot: turn()}
		frame := at
		if parent != (BodyID{}) {
			frame = s.Body(parent).Pose().Relative(at)
		}
		d := JointDef{
			Type: kinds[r.IntN(len(kinds))], Parent: parent, Child: b, ParentFrame: frame,
			ChildFrame: s.Body(b).Pose().Relative(at),
			Axis:       dir().Add(r3.V(0.01, 0, 0)), Axis2: dir(), Pitch: 0.2 * r.Float64(),
			Limited: r.IntN(2) == 0, Lower: -0.5 * r.Float64(), Upper: 0.5 * r.Float64(),
		}
		if d.Type == Planar || d.Type == Prismatic {
			d.Limited = true // or a link would fall out of the world
		}
		if d.Type == Planar {
			d.Type = Ball
		}
		for _, f := range [3]*float64{&d.Damping, &d.Friction, &d.Armature} {
			if r.IntN(3) == 0 {
				*f = 0.2 * r.Float64()
			}
		}
		if r.IntN(4) == 0 {
			d.Stiffness = 20 * r.Float64()
		}
		joints = append(joints, must[JointID](s)(s.AddJoint(d)))
		bodies = append(bodies, b)
		if parent == (BodyID{}) {
			base = b
		}
	}
	s.check(s.Articulate(joints))
	return joints
}

// TestRandomArticulationsFallWithoutGainOfEnergy on the ground. Energy stored in springs, and returned by
// soft limits and contacts, is small against that of the fall.
func TestRandomArticulationsFallWithoutGainOfEnergy(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 7))
		s := newScene(t, 0.5, earth())
		s.ground()
		joints := s.randomTree(r, 1)
		e0, springs := s.energy(), 0.0
		for _, j := range joints {
			d := &s.joints.all[j.slot]
			springs += 0.5 * d.stiffness * 4 * math.Pi * math.Pi
		}
		dt := stepLengths[r.IntN(len(stepLengths))]
		for i := range int(2 / dt) {
			s.stepChecked(dt, 1)
			if e := s.energy(); !(e < e0+springs+0.05*math.Abs(e0)+1) {
				t.Fatalf("seed %d, dt %.4f: energy %v after step %d, %v at the start", seed, dt, e, i, e0)
			}
		}
		for _, b := range s.added {
			if z := s.Body(b).COM().Z; z < -0.05 {
				t.Errorf("seed %d: a body is at a height of %v", seed, z)
			}
		}
	}
}

// TestRandomArticulationsWithMotorsStayBounded with motors of every mode and random targets.
func TestRandomArticulationsWithMotorsStayBounded(t *testing.T) {
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 8))
		s := newScene(t, 0.5, earth())
		s.ground()
		joints := s.randomTree(r, 0)
		dt := stepLengths[r.IntN(len(stepLengths))]
		for range 20 {
			for _, j := range joints {
				if !s.joints.all[j.slot].kind.HasAxis() {
					continue
				}
				switch r.IntN(4) {
				case 0:
					s.check(s.Joint(j).SetMotorVelocity(4*(r.Float64()-0.5), 20*r.Float64()))
				case 1:
					s.check(s.Joint(j).SetMotorPosition(2*(r.Float64()-0.5), 1e4*r.Float64(), 10*r.Float64(),
						50*r.Float64()))
				case 2:
					s.check(s.Joint(j).SetMotorPosition(2*(r.Float64()-0.5), 0, 0, 50*r.Float64()))
				case 3:
					s.check(s.Joint(j).SetMotorEffort(4 * (r.Float64() - 0.5)))
				}
			}
			s.stepChecked(dt, int(0.1/dt))
		}
		for _, b := range s.added {
			if v := s.Body(b).Twist(); v.Linear.Len() > 100 || v.Angular.Len() > 500 {
				t.Errorf("seed %d, dt %.4f: a body goes at %v", seed, dt, v)
			}
		}
	}
}
