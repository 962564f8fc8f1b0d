package dynamics

import (
	"math"
	"math/rand/v2"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

func TestAPyramidStandsForTwentySeconds(t *testing.T) {
	s := pyramid(t, 20, earth())
	var start []r3.Pose
	for _, b := range s.added {
		start = append(start, s.Body(b).Pose())
	}
	s.step(1.0/60, 1200)
	if err := s.Validate(); err != nil {
		t.Fatal(err)
	}
	drift, sunk, fastest := 0.0, 0.0, 0.0
	for i, b := range s.added {
		d := s.Body(b).Pose().Pos.Sub(start[i].Pos)
		drift, sunk = max(drift, math.Hypot(d.X, d.Y)), min(sunk, d.Z)
		fastest = max(fastest, s.Body(b).Twist().Linear.Len())
	}
	if drift > 0.01 || sunk < -0.025 || fastest > 1e-3 {
		t.Errorf("drifted %v m, sank %v m, still moves at %v m/s", drift, sunk, fastest)
	}
}

// TestAStackStands for ten seconds without leaning. It sags as the springs of its contacts do, by the square
// of the substep.
func TestAStackStands(t *testing.T) {
	cases := []struct {
		boxes, substeps int
		dt              float64
		lean, sag       float64 // m
	}{
		{20, 0, 1.0 / 60, 0.03, 0.11},
		{20, 8, 1.0 / 60, 0.01, 0.03},
		{20, 16, 1.0 / 60, 0.005, 0.008},
		{20, 0, 0.001, 0.005, 0.008},
		{20, 4, 0.004, 0.005, 0.008},
		{10, 0, 0.001, 0.001, 0.002},
		{10, 0, 0.004, 0.003, 0.008},
		{10, 0, 1.0 / 60, 0.01, 0.03},
	}
	for _, c := range cases {
		cfg := earth()
		cfg.Substeps = c.substeps
		s := newScene(t, 0.5, cfg)
		s.ground()
		for i := range c.boxes {
			s.body(shape.BoxOf(r3.V(0.4, 0.4, 0.2)), 1, at(0, 0, 0.1+0.2*float64(i)), 0)
		}
		lean, sag := 0.0, 0.0
		for range 10 {
			s.stepChecked(c.dt, int(1/c.dt))
			for i, b := range s.added {
				p := s.Body(b).Pose().Pos
				lean, sag = max(lean, math.Hypot(p.X, p.Y)), max(sag, math.Abs(p.Z-(0.1+0.2*float64(i))))
			}
		}
		t.Logf("%d boxes, %d substeps of %v s: leans %.4f m, sags %.4f m", c.boxes, c.substeps, c.dt, lean,
			sag)
		if lean > c.lean || sag > c.sag {
			t.Errorf("%+v: leans %.4f m, sags %.4f m", c, lean, sag)
		}
	}
}

func TestAHeapOfAThousandBoxesComesToRest(t *testing.T) {
	s := fallingBoxes(t, 10, 10, 10, earth())
	s.step(1.0/60, 600)
	if err := s.Validate(); err != nil {
		t.Fatal(err)
	}
	lowest, fastest, energy := 0.0, 0.0, 0.0
	for _, b := range s.added {
		p, v := s.Body(b).Pose(), s.Body(b).Twist().Linear.Len()
		for i := range 8 {
			lowest = min(lowest, p.Apply(boxCorner(r3.V(0.25, 0.25, 0.25), i)).Z)
		}
		fastest, energy = max(fastest, v), energy+0.5*125*v*v/1000
	}
	t.Logf("lowest vertex %.5f m, fastest %.4f m/s, kinetic energy %.5f J per body", lowest, fastest, energy)
	if lowest < -0.01 || energy > 1 {
		t.Errorf("lowest vertex %v m, kinetic energy %v J per body", lowest, energy)
	}
}

// TestOverlapsArePushedApartGently: five bodies start inside one another. They separate below 3.5 m/s; a fall
// of 0.5 m alone gives 3.1 m/s.
func TestOverlapsArePushedApartGently(t *testing.T) {
	s := newScene(t, 0.5, earth())
	s.ground()
	for i := range 5 {
		s.body(s.someShape(i), 1, at(0.02*float64(i), 0.01*float64(i), 0.3), 0)
	}
	fastest := 0.0
	for range 500 {
		s.stepChecked(0.004, 1)
		for _, b := range s.added {
			fastest = max(fastest, s.Body(b).Twist().Linear.Len())
		}
	}
	if fastest > 3.5 { // a fall of half a metre alone makes 3.1
		t.Errorf("something flew off at %v m/s", fastest)
	}
}

func TestABallBouncesAsItsRestitutionSays(t *testing.T) {
	s := newScene(t, 0.5, earth())
	s.ground()
	b := must[BodyID](t)(s.AddBody(BodyDef{
		Type: Dynamic, Pose: at(0, 0, 1.1), Mass: 1, Inertia: r3.Diag(r3.V(0.004, 0.004, 0.004)),
	}))
	must[GeomID](t)(s.AddGeom(b, GeomDef{Shape: shape.Sphere{Radius: 0.1},
		Material: Material{Friction: 0.5, Restitution: 0.8}}))
	top, falling := 0.0, true
	for range 1000 {
		s.stepChecked(0.001, 1)
		z := s.Body(b).Pose().Pos.Z - 0.1
		if s.Body(b).Twist().Linear.Z > 0 {
			falling = false
		}
		if !falling {
			top = max(top, z)
		}
	}
	if math.Abs(top-0.64) > 0.02 {
		t.Errorf("bounced to %v m of 1 m, want 0.64", top)
	}
}

func TestAFastBallDoesNotPassAThinWall(t *testing.T) {
	for _, speed := range []float64{5, 30, 100, 300} {
		s := newScene(t, 0.5, Config{})
		s.fixed(shape.BoxOf(r3.V(0.01, 4, 4)), at(2, 0, 0))
		b := s.body(shape.Sphere{Radius: 0.02}, 0.1, at(0, 0.1, 0), 0)
		if err := s.Body(b).SetTwist(r3.Twist{Linear: r3.V(speed, 0, 0)}); err != nil {
			t.Fatal(err)
		}
		s.stepChecked(1.0/240, 240)
		if x := s.Body(b).Pose().Pos.X; x > 2 {
			t.Errorf("at %v m/s it is on the other side: %v", speed, x)
		}
	}
}

func TestRollingAndTorsionalFrictionStopWhatTurns(t *testing.T) {
	s := newScene(t, 0.5, earth())
	g := s.ground()
	if err := s.RemoveBody(g); err != nil {
		t.Fatal(err)
	}
	g = must[BodyID](t)(s.AddBody(BodyDef{}))
	must[GeomID](t)(s.AddGeom(g, GeomDef{Shape: shape.Plane{},
		Material: Material{Friction: 0.5, Rolling: 0.01, Torsional: 0.01}}))
	b := s.body(shape.Sphere{Radius: 0.1}, 1, at(0, 0, 0.1), 0)
	if err := s.Body(b).SetTwist(r3.Twist{Linear: r3.V(1, 0, 0), Angular: r3.V(0, 10, 5)}); err != nil {
		t.Fatal(err)
	}
	s.stepChecked(1.0/240, 720)
	// Decelerated by (5/7)·g·rolling/radius: 0.5·v²/a = 0.714 m.
	want := 0.5 / (5.0 / 7 * 9.81 * 0.1)
	if x := s.Body(b).Pose().Pos.X; math.Abs(x/want-1) > 0.05 {
		t.Errorf("rolled %v m, want %v", x, want)
	}
	if w := s.Body(b).Twist().Angular; w.Len() > 1e-3 {
		t.Errorf("still turns at %v", w)
	}
}

func TestAnisotropicFrictionSlidesWhereItIsSmall(t *testing.T) {
	for _, across := range []bool{false, true} {
		s := newScene(t, 0.8, tilted(20))
		s.ground()
		b := s.body(shape.Box{Half: r3.V(0.1, 0.1, 0.1)}, 1, at(0, 0, 0.1), 0)
		dir := r3.V(1, 0, 0)
		if across {
			dir = r3.V(0, 1, 0)
		}
		if err := s.RemoveGeom(s.Body(b).Geoms(nil)[0]); err != nil {
			t.Fatal(err)
		}
		must[GeomID](t)(s.AddGeom(b, GeomDef{
			Shape:    shape.Box{Half: r3.V(0.1, 0.1, 0.1)},
			Material: Material{Friction: 0.05, Friction2: 0.8, Direction: dir},
		}))
		s.stepChecked(1.0/240, 240)
		if x := s.Body(b).Pose().Pos.X; (x > 0.5) == across {
			t.Errorf("slippery along %v: slid %v m down +x", dir, x)
		}
	}
}

// TestRandomWorldsStayFinite: bodies and joints come and go at random with steps of every length. Every
// invariant holds.
func TestRandomWorldsStayFinite(t *testing.T) {
	if testing.Short() {
		t.Skip("takes 3 s")
	}
	for seed := range uint64(4) {
		r := rand.New(rand.NewPCG(seed, 99))
		s := mixedShapes(t, Config{Gravity: r3.V(0, 0, -9.81)})
		for i := range 2500 {
			s.meddle(r, i)
			if err := s.Step([]float64{0.001, 0.004, 1.0 / 60, 0.05}[r.IntN(4)]); err != nil {
				t.Fatal(err)
			}
			if i%10 == 0 {
				if err := s.Validate(); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

func (s *scene) meddle(r *rand.Rand, i int) {
	b := s.added[r.IntN(len(s.added))]
	switch r.IntN(60) {
	case 0:
		s.body(s.someShape(i), 0.01+10*r.Float64(), randomPose(r, 1), 0)
	case 1:
		if err := s.RemoveBody(b); err == nil {
			s.added = s.Bodies(s.added[:0])
		}
	case 2:
		s.check(s.Body(b).SetPose(randomPose(r, 2)))
	case 3:
		s.check(s.Body(b).SetTwist(r3.Twist{Linear: r3.V(r.NormFloat64()*20, 0, 3),
			Angular: r3.V(0, r.NormFloat64()*50, 1)}))
	case 4:
		s.check(s.Body(b).ApplyWrench(r3.V(0, 0, 500*r.NormFloat64()), r3.V(r.NormFloat64()*100, 0, 0),
			s.Body(b).COM()))
	case 5:
		other := s.added[r.IntN(len(s.added))]
		j, err := s.AddJoint(JointDef{Type: JointType(r.IntN(5)), Parent: b, Child: other, Limited: true,
			Lower: -0.5, Upper: 0.5, Damping: 0.1})
		if err == nil && r.IntN(2) == 0 {
			_ = s.Joint(j).SetMotorPosition(0.3, 100, 1, 20) // refused where there is no axis
		}
	case 6:
		if j := s.Joints(nil); len(j) > 0 {
			s.check(s.RemoveJoint(j[r.IntN(len(j))]))
		}
	}
}

func (s *scene) check(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}
