package engine

import (
	"math"
	"testing"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/scenetest"
)

// encoded is a wheel that is turned at 2 rad/s, with an encoder.
func encoded(t *testing.T, c scene.Encoder) (*World, *entity) {
	t.Helper()
	m := scenetest.Linked(2, scene.Joint{Parent: scene.World, Child: 0, Kind: scene.Fixed},
		scene.Joint{Parent: 0, Child: 1, Kind: scene.Continuous, Axis: r3.V(0, 0, 1)})
	m.Joints[1].Encoder = c
	w, e := stood(t, m)
	apply(t, w, sim.SetJoint{Name: m.Name, Joint: "1", Mode: sim.JointVelocity, Target: 2})
	steps(t, w, 50)
	return w, e
}

func (w *World) joint(e *entity, j int) sim.JointState {
	s := w.Snapshot()
	i, _ := s.Find(e.name)
	return s.JointsOf(i)[j]
}

func TestAnEncoderTellsWholeStepsOfItsResolution(t *testing.T) {
	const step = 2 * math.Pi / 4096
	w, e := encoded(t, scene.Encoder{Set: true, Position: scene.Noise{Precision: step}})
	way, worst, n := 0.0, 0.0, 1000
	before := w.joint(e, 1).Encoder.Position
	start := before
	for range n {
		steps(t, w, 1)
		s := w.joint(e, 1)
		q, v := s.Reported()
		if d := math.Abs(q - s.Position); d > step/2+1e-12 || math.Abs(math.Remainder(q, step)) > 1e-9 {
			t.Fatalf("tells %v of %v: not the nearest of its steps of %v", q, s.Position, step)
		}
		if math.Abs(v-(q-before)/0.004) > 1e-6 {
			t.Fatalf("tells %v rad/s, its positions go at %v", v, (q-before)/0.004)
		}
		worst = max(worst, math.Abs(v-s.Velocity))
		way, before = way+v*0.004, q
	}
	if math.Abs(way-(before-start)) > 1e-9 || worst > step/0.004 || worst < 0.1*step/0.004 {
		t.Errorf("velocities sum up to %v, it went %v; they are %v rad/s off at most", way, before-start,
			worst)
	}
}

func TestAnEncodersNoiseIsWhatTheFileSays(t *testing.T) {
	w, e := encoded(t, scene.Encoder{Set: true, Tacho: true, Position: scene.Noise{Std: 0.01, Mean: 0.1},
		Velocity: scene.Noise{Std: 0.2}})
	var q, v, qq, vv float64
	const n = 2000
	for range n {
		steps(t, w, 1)
		s := w.joint(e, 1)
		a, b := s.Encoder.Position-s.Position, s.Encoder.Velocity-s.Velocity
		q, v, qq, vv = q+a/n, v+b/n, qq+a*a/n, vv+b*b/n
	}
	if math.Abs(q-0.1) > 0.001 || math.Abs(math.Sqrt(qq-q*q)-0.01) > 0.001 || math.Abs(v) > 0.02 ||
		math.Abs(math.Sqrt(vv)-0.2) > 0.02 {
		t.Errorf("positions are off by %v ± %v, velocities by %v ± %v", q, math.Sqrt(qq-q*q), v,
			math.Sqrt(vv))
	}
}

// TestWhatAnEncoderSaysDependsOnNobodyWhoLooks: not on how often, in which order, or with what walked before.
func TestWhatAnEncoderSaysDependsOnNobodyWhoLooks(t *testing.T) {
	spec := scene.Encoder{Set: true,
		Position: scene.Noise{Std: 0.01, BiasStd: 0.1, WalkStd: 0.05, WalkTime: 1, Precision: 1e-4}}
	a, ea := encoded(t, spec)
	b, eb := encoded(t, spec)
	for range 100 {
		steps(t, a, 1)
		_, _ = a.joint(ea, 1), a.joint(ea, 1)
	}
	steps(t, b, 100)
	if x, y := a.joint(ea, 1), b.joint(eb, 1); x != y || !x.Encoder.Set || x.Encoder.Position == x.Position {
		t.Errorf("watched it says %+v, else %+v", x, y)
	}
	other, eo := encoded(t, scene.Encoder{})
	steps(t, other, 100)
	if x, y := other.joint(eo, 1), b.joint(eb, 1); x.Encoder.Set || x.Position != y.Position ||
		a.Hash() != b.Hash() || other.Hash() != b.Hash() {
		t.Errorf("an encoder changes the world: %+v, %+v", x, y)
	}
	if q, v := (&sim.JointState{Position: 1, Velocity: 2}).Reported(); q != 1 || v != 2 {
		t.Errorf("without an encoder it tells %v and %v", q, v)
	}
}
