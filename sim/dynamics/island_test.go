package dynamics

import (
	"math"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// sleepers is three stacks of two boxes apart from each other, asleep.
func sleepers(t *testing.T) *scene {
	t.Helper()
	s := newScene(t, 0.5, Config{Gravity: r3.V(0, 0, -9.81)})
	s.ground()
	for i := range 3 {
		s.body(shape.BoxOf(r3.V(0.2, 0.2, 0.2)), 1, at(float64(i), 0, 0.1), 0)
		s.body(shape.BoxOf(r3.V(0.2, 0.2, 0.2)), 1, at(float64(i), 0, 0.3), 0)
	}
	s.stepChecked(1.0/60, 120)
	if n := s.Stats().Awake; n != 0 {
		t.Fatalf("%d bodies are still awake after 2 s", n)
	}
	return s
}

func (s *scene) awake() (n int) {
	for _, b := range s.added {
		if s.Body(b).Awake() {
			n++
		}
	}
	return n
}

func TestBodiesAtRestFallAsleepAndReportIt(t *testing.T) {
	s := newScene(t, 0.5, Config{Gravity: r3.V(0, 0, -9.81)})
	s.ground()
	b := s.body(shape.Box{Half: r3.V(0.1, 0.1, 0.1)}, 1, at(0, 0, 0.1), 0)
	said := 0
	for range 120 {
		s.stepChecked(1.0/60, 1)
		for _, e := range s.SleepEvents() {
			if e.Body != b || !e.Asleep {
				t.Errorf("event %+v", e)
			}
			said++
		}
	}
	if said != 1 || s.Body(b).Awake() {
		t.Errorf("said so %d times, awake %v", said, s.Body(b).Awake())
	}
	s.Body(b).Wake()
	s.stepChecked(1.0/60, 1)
	if e := s.SleepEvents(); len(e) != 1 || e[0].Asleep {
		t.Errorf("after waking: %+v", e)
	}
}

func TestWakingABodyWakesItsIslandOnly(t *testing.T) {
	causes := map[string]struct {
		do   func(*scene) error
		want int
	}{
		"a wrench": {func(s *scene) error {
			return s.Body(s.added[0]).ApplyWrench(r3.V(0, 0, 1), r3.Vec{},
				r3.Vec{})
		}, 2},
		"a twist":   {func(s *scene) error { return s.Body(s.added[3]).SetTwist(r3.Twist{}) }, 2},
		"a pose":    {func(s *scene) error { return s.Body(s.added[1]).SetPose(at(0, 0, 0.35)) }, 2},
		"a removal": {func(s *scene) error { return s.RemoveBody(s.added[2]) }, 1},
		"gravity":   {func(s *scene) error { return s.SetGravity(r3.V(0, 0, -9)) }, 6},
		"a visitor": {func(s *scene) error {
			return s.Body(s.added[5]).SetPose(at(0, 0, 0.5))
		}, 4}, // its own island of two, and the one that it lands on
	}
	for name, c := range causes {
		s := sleepers(t)
		if err := c.do(s); err != nil {
			t.Fatal(err)
		}
		s.stepChecked(1.0/60, 2)
		if n := s.awake(); n != c.want {
			t.Errorf("%s woke %d bodies, want %d", name, n, c.want)
		}
	}
}

func TestDrivenBodiesAndThoseOnMovingOnesStayAwake(t *testing.T) {
	s := newScene(t, 0.5, Config{Gravity: r3.V(0, 0, -9.81)})
	s.ground()
	chassis, joints := s.robot4(0, 0, 1, 0, 0)
	for _, j := range joints {
		s.check(s.Joint(j).SetMotorVelocity(0.001, 5)) // slower than the sleeping speed
	}
	s.stepChecked(1.0/240, 480)
	if !s.Body(chassis).Awake() {
		t.Error("a robot that creeps was put to sleep")
	}
	for _, j := range joints {
		s.check(s.Joint(j).SetMotorVelocity(0, 5))
	}
	s.stepChecked(1.0/240, 480)
	if s.Body(chassis).Awake() {
		t.Error("a robot that stands stays awake")
	}
	s.check(s.Joint(joints[0]).SetMotorVelocity(1, 5))
	if !s.Body(chassis).Awake() {
		t.Error("a command did not wake it")
	}

	lift := must[BodyID](t)(s.AddBody(BodyDef{Type: Kinematic, Pose: at(5, 0, 0.1),
		Twist: r3.Twist{Linear: r3.V(0, 0, 0.005)}}))
	s.geom(lift, shape.BoxOf(r3.V(1, 1, 0.2)), r3.Pose{})
	load := s.body(shape.BoxOf(r3.V(0.2, 0.2, 0.2)), 1, at(5, 0, 0.3), 0)
	s.stepChecked(1.0/240, 480)
	if !s.Body(load).Awake() {
		t.Error("what stands on a slow lift was put to sleep")
	}
	if z := s.Body(load).Pose().Pos.Z; math.Abs(z-0.31) > 1e-3 {
		t.Errorf("lifted to %v, want 0.31", z)
	}
}

func TestSleepOnDemandTakesTheWholeIsland(t *testing.T) {
	s := sleepers(t)
	s.Body(s.added[0]).Wake()
	if n := s.awake(); n != 2 {
		t.Fatalf("%d awake", n)
	}
	s.stepChecked(1.0/60, 1)
	s.Body(s.added[1]).Sleep()
	if n := s.awake(); n != 0 {
		t.Errorf("%d still awake", n)
	}
	if err := s.Validate(); err != nil {
		t.Error(err)
	}
}

// resting is a grid of boxes on the ground, some of them stacked.
func resting(t testing.TB, n int, c Config) *scene {
	s := newScene(t, 0.5, c)
	s.ground()
	for i := range n {
		s.body(shape.BoxOf(r3.V(0.5, 0.5, 0.5)), 125,
			at(float64(i%20)*0.6, float64(i/20%10)*0.6, 0.25+0.5*float64(i/200)), 0)
	}
	return s
}

func TestAStepAllocatesNothing(t *testing.T) {
	scenes := map[string]*scene{
		"1000 boxes asleep": resting(t, 1000, Config{Gravity: r3.V(0, 0, -9.81)}),
		"1000 boxes awake":  resting(t, 1000, earth()),
		"robots":            robots(t, 9, 20, earth()),
		"shapes on a mesh":  mixedShapes(t, earth()),
	}
	for name, s := range scenes {
		s.step(1.0/240, 900)
		if n := testing.AllocsPerRun(50, func() { s.step(1.0/240, 1) }); n > 0 {
			t.Errorf("%s: %v allocations per step", name, n)
		}
	}
}

// TestAGeomPlacedIntoASleepingBodyWakesIt: a wall that is moved or added into a sleeping body pushes it out.
func TestAGeomPlacedIntoASleepingBodyWakesIt(t *testing.T) {
	for name, put := range map[string]func(s *scene, wall BodyID){
		"moved": func(s *scene, wall BodyID) { s.check(s.Body(wall).SetPose(at(0.15, 0, 0.5))) },
		"made":  func(s *scene, _ BodyID) { s.fixed(shape.BoxOf(r3.V(0.2, 2, 1)), at(0.15, 0, 0.5)) },
		"plane": func(s *scene, _ BodyID) { s.fixed(shape.Plane{}, at(0, 0, 0.1)) },
		"kinematic": func(s *scene, wall BodyID) {
			id, err := s.AddBody(BodyDef{Type: Kinematic, Pose: at(0.15, 0, 0.5)})
			s.check(err)
			s.geom(id, shape.BoxOf(r3.V(0.2, 2, 1)), r3.Pose{})
		},
	} {
		s := newScene(t, 0.5, Config{Gravity: r3.V(0, 0, -9.81)})
		s.ground()
		wall := s.fixed(shape.BoxOf(r3.V(0.2, 2, 1)), at(5, 0, 0.5))
		b := s.body(shape.BoxOf(r3.V(0.2, 0.2, 0.2)), 1, at(0, 0, 0.1), 0)
		s.stepChecked(0.004, 500)
		if s.Body(b).Awake() {
			t.Fatalf("%s: the box does not sleep", name)
		}
		put(s, wall)
		s.stepChecked(0.004, 250)
		p := s.Body(b).Pose().Pos
		if out := p.X < -0.04; out == (name == "plane") || p.Z > 0.21 || name == "plane" && p.Z < 0.19 {
			t.Errorf("%s: a second later the box is at %v", name, p)
		}
	}
}
