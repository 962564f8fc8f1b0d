package dynamics

import (
	"math"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// arm is the six-axis arm of scene D.
type arm struct {
	links  [6]BodyID
	joints [6]JointID
}

var armLength = [6]float64{0.20, 0.40, 0.36, 0.10, 0.10, 0.10}

func (s *scene) arm() arm {
	s.Helper()
	return s.armAtHeight(0)
}

// armAtHeight is the arm on a column of height z.
func (s *scene) armAtHeight(z float64) arm {
	s.Helper()
	width := [6]float64{0.12, 0.10, 0.08, 0.07, 0.07, 0.06}
	mass := [6]float64{4, 8, 3, 1.2, 1.2, 0.5}
	start := [6]float64{0, 0.5, 0.8, 0.4, 0.3, 0.2}
	axes := [6]r3.Vec{{Z: 1}, {Y: 1}, {Y: 1}, {Y: 1}, {Z: 1}, {Y: 1}}
	var a arm
	p := at(0, 0, z)
	var parent BodyID
	for i := range 6 {
		axis := p.Rot.Rotate(axes[i])
		p.Rot = p.Rot.Mul(r3.AxisAngle(axes[i], start[i]))
		half := r3.V(width[i]/2, width[i]/2, armLength[i]/2)
		a.links[i] = s.body(shape.Box{Half: half}, mass[i], p.Mul(at(0, 0, half.Z)), 1)
		a.joints[i] = s.hinge(parent, a.links[i], p.Pos, axis)
		parent = a.links[i]
		p = p.Mul(at(0, 0, armLength[i]))
	}
	return a
}

func (s *scene) armTip(a arm) r3.Vec { return s.Body(a.links[5]).Pose().Apply(r3.V(0, 0, 0.05)) }

func (s *scene) armGap(a arm) float64 {
	worst := 0.0
	for _, j := range a.joints {
		worst = max(worst, s.Joint(j).Gap())
	}
	return worst
}

func (s *scene) energy() float64 {
	e := 0.0
	for _, b := range s.added {
		m, tw := s.Body(b).Mass(), s.Body(b).Twist()
		w := s.Body(b).Pose().Rot.RotateBack(tw.Angular)
		e += 0.5*m.Mass*tw.Linear.Len2() + 0.5*w.Dot(m.Inertia.Apply(w)) -
			m.Mass*s.Body(b).COM().Dot(s.Gravity())
	}
	return e
}

func TestAnArmHoldsItself(t *testing.T) {
	for _, dt := range stepLengths {
		s := newScene(t, 0.5, earth())
		a := s.arm()
		for _, j := range a.joints {
			if err := s.Joint(j).SetMotorVelocity(0, 200); err != nil {
				t.Fatal(err)
			}
		}
		tip, gap := s.armTip(a), 0.0
		for range int(math.Round(10 / dt)) {
			s.stepChecked(dt, 1)
			gap = max(gap, s.armGap(a))
		}
		sag := s.armTip(a).Dist(tip)
		t.Logf("dt %.4f: sag %.3g m, gap %.3g m", dt, sag, gap)
		if gap > 1e-3 || sag > 0.01 {
			t.Errorf("dt %.4f: sags by %v m in 10 s, joints part by %v m", dt, sag, gap)
		}
	}
}

func TestAFallingArmFollowsTheExactSolution(t *testing.T) {
	s := newScene(t, 0.5, earth())
	a := s.arm()
	e0 := s.energy()
	if math.Abs(e0-68.937575) > 1e-5 {
		t.Fatalf("energy at the start %v", e0)
	}
	gap, low, high := 0.0, e0, e0
	for range 500 {
		s.stepChecked(0.001, 1)
		gap, low, high = max(gap, s.armGap(a)), min(low, s.energy()), max(high, s.energy())
	}
	want := r3.V(0.639523, 0.045954, -0.517029) // RK4 at 1e-5 s
	t.Logf("tip off by %.3g, gap %.3g, energy %.4f..%.4f of %.4f", s.armTip(a).Dist(want), gap, low, high, e0)
	if d := s.armTip(a).Dist(want); d > 0.02 {
		t.Errorf("tip after 0.5 s at %v, want %v", s.armTip(a), want)
	}
	if gap > 5e-3 || high > e0*1.01 || low < e0*0.97 {
		t.Errorf("joints part by %v m, energy between %v and %v of %v", gap, low, high, e0)
	}
}
