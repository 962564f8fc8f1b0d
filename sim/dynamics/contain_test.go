package dynamics

import (
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// containing is a configuration with gravity and containment.
func containing() Config { return Config{Gravity: r3.V(0, 0, -9.81), Contain: true} }

// heldStack is a stack of three boxes on the ground; the middle one has a fault in the next step.
func heldStack(t *testing.T, twist r3.Twist) (s *scene, boxes [3]BodyID) {
	s = newScene(t, 0.5, containing())
	s.ground()
	for i := range boxes {
		boxes[i] = s.body(shape.Box{Half: r3.V(0.5, 0.5, 0.5)}, 1, at(0, 0, 0.5+float64(i)), 0)
	}
	s.step(0.004, 20)
	s.check(s.Body(boxes[1]).SetTwist(twist))
	return s, boxes
}

func TestABodyThatLeavesTheFiniteNumbersIsContainedAndTheOthersGoOn(t *testing.T) {
	for name, twist := range map[string]r3.Twist{
		"overflow": {Linear: r3.V(1e300, 0, 0)},
		"too fast": {Linear: r3.V(1e7, 0, 0)},
	} {
		t.Run(name, func(t *testing.T) {
			s, boxes := heldStack(t, twist)
			where := s.Body(boxes[1]).Pose()
			s.step(0.004, 1)
			f := s.Faults()
			if len(f) != 1 || f[0].Body != boxes[1] || !s.Body(boxes[1]).Contained() {
				t.Fatalf("contained: %+v, want the middle box %v", f, boxes[1])
			}
			if hits := f[0].Hits(); len(hits) != 2 || hits[0].Body == hits[1].Body {
				t.Errorf("it touched %+v, want the boxes below and above", hits)
			}
			if s.Body(boxes[1]).Pose() != where || s.Body(boxes[1]).Twist() != (r3.Twist{}) {
				t.Errorf("it is at %v with %v, want at rest at %v", s.Body(boxes[1]).Pose(),
					s.Body(boxes[1]).Twist(),
					where)
			}
			s.step(0.004, 500)
			s.check(s.Validate())
			if len(s.Faults()) != 0 || s.Body(boxes[1]).Pose() != where {
				t.Errorf("after 2 s: faults %v, at %v, want none, at %v", s.Faults(),
					s.Body(boxes[1]).Pose(), where)
			}
			if z := s.Body(boxes[2]).Pose().Pos.Z; z < 2.45 || z > 2.55 {
				t.Errorf("the box above is at %v m, want on the contained one", z)
			}
		})
	}
}

func TestAContainedBodyMovesAgainWhenItIsReleased(t *testing.T) {
	s, boxes := heldStack(t, r3.Twist{Linear: r3.V(1e300, 0, 0)})
	s.step(0.004, 1)
	s.Body(boxes[1]).Wake()
	s.check(s.Body(boxes[1]).SetTwist(r3.Twist{Linear: r3.V(1, 0, 0)}))
	s.check(s.Body(boxes[1]).SetPose(at(5, 0, 3)))
	s.check(s.Body(boxes[1]).ApplyWrench(r3.V(1, 0, 0), r3.Vec{}, r3.Vec{}))
	s.step(0.004, 50)
	s.check(s.Validate())
	if z := s.Body(boxes[1]).Pose().Pos.Z; z != 3 {
		t.Fatalf("it has moved to %v m without a release", z)
	}
	s.Release([]BodyID{boxes[1]})
	s.step(0.004, 500)
	s.check(s.Validate())
	if z := s.Body(boxes[1]).Pose().Pos.Z; z < 0.45 || z > 0.55 {
		t.Errorf("it is at %v m, want on the ground", z)
	}
}

func TestContainmentIsPartOfTheStateOfAWorld(t *testing.T) {
	s, boxes := heldStack(t, r3.Twist{Linear: r3.V(1e300, 0, 0)})
	before := s.AppendState(nil)
	s.step(0.004, 1)
	after, hash := s.AppendState(nil), s.Hash()
	asleep, _ := heldStack(t, r3.Twist{})
	asleep.CopyFrom(s.World)
	if asleep.Hash() != hash || !asleep.Body(boxes[1]).Contained() {
		t.Error("a copy is not the same")
	}
	s.World.bodies.all[boxes[1].slot].contained = false
	if s.Hash() == hash {
		t.Error("the hash is the same with a body that only sleeps")
	}
	s.World.bodies.all[boxes[1].slot].contained = true
	s.step(0.004, 100)
	end := s.Hash()
	s.check(s.RestoreState(before))
	if s.Body(boxes[1]).Contained() {
		t.Error("it is contained before the fault")
	}
	s.check(s.RestoreState(after))
	if !s.Body(boxes[1]).Contained() || s.Hash() != hash {
		t.Errorf("restored: %016x, want %016x", s.Hash(), hash)
	}
	s.step(0.004, 100)
	if s.Hash() != end {
		t.Errorf("the same steps again: %016x, want %016x", s.Hash(), end)
	}
}

func TestBodiesJointedToAContainedBodyAreContainedToo(t *testing.T) {
	for name, reduced := range map[string]bool{"between bodies": false, "in reduced coordinates": true} {
		t.Run(name, func(t *testing.T) {
			s := newScene(t, 0.5, containing())
			s.ground()
			stand := s.fixed(shape.Box{Half: r3.V(0.1, 0.1, 0.5)}, at(0, 0, 0.5))
			upper := s.body(shape.Box{Half: r3.V(0.2, 0.05, 0.05)}, 1, at(0.4, 0, 1), 1)
			lower := s.body(shape.Box{Half: r3.V(0.2, 0.05, 0.05)}, 1, at(0.9, 0, 1), 1)
			other := s.body(shape.Sphere{Radius: 0.1}, 1, at(0.9, 0, 1.15), 0)
			first := s.hinge(stand, upper, r3.V(0.15, 0, 1), r3.V(0, 1, 0))
			second := s.hinge(upper, lower, r3.V(0.65, 0, 1), r3.V(0, 1, 0))
			if reduced {
				s.check(s.Articulate([]JointID{first, second}))
			}
			s.step(0.004, 5)
			s.check(s.Joint(second).SetMotorEffort(1e300))
			poses := [2]r3.Pose{s.Body(upper).Pose(), s.Body(lower).Pose()}
			s.step(0.004, 1)
			if !s.Body(upper).Contained() || !s.Body(lower).Contained() || s.Body(stand).Contained() ||
				s.Body(other).Contained() {
				t.Fatalf("contained: upper %v, lower %v, stand %v, ball %v", s.Body(upper).Contained(),
					s.Body(lower).Contained(), s.Body(stand).Contained(), s.Body(other).Contained())
			}
			for i, b := range [2]BodyID{upper, lower} {
				if d := s.Body(b).Pose().Pos.Dist(poses[i].Pos); d > 1e-9 {
					t.Errorf("link %d has moved by %v m", i, d)
				}
			}
			s.step(0.004, 500)
			s.check(s.Validate())
			if z := s.Body(other).Pose().Pos.Z; z < 0.05 || z > 1.2 {
				t.Errorf("the ball that lay on the arm is at %v m", z)
			}
			s.check(s.Joint(second).SetMotorEffort(0))
			s.Release([]BodyID{lower})
			s.step(0.004, 200)
			s.check(s.Validate())
			if s.Body(upper).Contained() || s.Body(lower).Pose().Pos.Dist(poses[1].Pos) < 0.05 {
				t.Errorf("released, it has not fallen: %v", s.Body(lower).Pose())
			}
			s.check(s.RemoveBody(upper))
		})
	}
}

func TestContainmentIsTheSameForAnyNumberOfWorkers(t *testing.T) {
	hashes := map[uint64]bool{}
	for _, workers := range []int{1, 3} {
		c := containing()
		c.Workers = NewWorkers(workers, nil)
		c.Workers.Start()
		s := newScene(t, 0.5, c)
		s.ground()
		var all []BodyID
		for i := range 400 {
			all = append(all, s.body(shape.Box{Half: r3.V(0.2, 0.2, 0.2)}, 1,
				at(float64(i%20)*0.41, float64(i/20)*0.41, 0.2), 0))
		}
		s.step(0.004, 5)
		for i := 7; i < len(all); i += 50 {
			s.check(s.Body(all[i]).SetTwist(r3.Twist{Linear: r3.V(1e200, 0, 0)}))
		}
		s.step(0.004, 60)
		s.check(s.Validate())
		c.Workers.Stop()
		hashes[s.Hash()] = true
		if n := len(contained(s.World)); n != 8 {
			t.Errorf("%d workers: %d bodies are contained, want the 8 that were thrown", workers, n)
		}
	}
	if len(hashes) != 1 {
		t.Errorf("hashes %v", hashes)
	}
}

// contained returns the contained bodies of a world.
func contained(w *World) (all []BodyID) {
	for _, id := range w.Bodies(nil) {
		if w.Body(id).Contained() {
			all = append(all, id)
		}
	}
	return all
}

func TestABodyBeyondTheExtentOfAWorldIsContained(t *testing.T) {
	s := newScene(t, 0.5, containing())
	far := s.body(shape.Sphere{Radius: 0.1}, 1, at(MaxExtent, 0, 0), 0)
	near := s.body(shape.Sphere{Radius: 0.1}, 1, at(0, 0, 0), 0)
	s.check(s.Body(far).SetTwist(r3.Twist{Linear: r3.V(1000, 0, 0)}))
	s.step(0.004, 1)
	f := s.Faults()
	if len(f) != 1 || f[0].Body != far || f[0].Cause != FaultTooFar || s.Body(near).Contained() {
		t.Errorf("faults %+v", f)
	}
}

// TestBodiesAreContainedFromTheBoundsOfTheManual: a fifth below 10⁶ m/s and 10⁹ m a body moves on,
// a fifth above it is contained.
func TestBodiesAreContainedFromTheBoundsOfTheManual(t *testing.T) {
	for _, part := range []float64{0.8, 1.2} {
		for name, def := range map[string]BodyDef{
			"speed":  {Pose: at(0, 0, 0), Twist: r3.Twist{Linear: r3.V(part*1e6, 0, 0)}},
			"extent": {Pose: at(0, 0, part*1e9)},
		} {
			s := newScene(t, 0.5, Config{Contain: true})
			def.Type, def.Mass, def.Inertia = Dynamic, 1, r3.Diag(r3.V(0.004, 0.004, 0.004))
			b := must[BodyID](t)(s.AddBody(def))
			must[GeomID](t)(s.AddGeom(b, GeomDef{Shape: shape.Sphere{Radius: 0.1}}))
			s.step(0.001, 1)
			if got := s.Body(b).Contained(); got != (part > 1) {
				t.Errorf("%v of the bound of %s: contained %v", part, name, got)
			}
		}
	}
}

// TestAFaultNamesFourBodiesThatTouchedTheContainedOne: of six.
func TestAFaultNamesFourBodiesThatTouchedTheContainedOne(t *testing.T) {
	s := newScene(t, 0.5, Config{Contain: true})
	middle := s.body(shape.BoxOf(r3.V(1, 1, 1)), 1, at(0, 0, 0), 0)
	for _, p := range []r3.Vec{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}, {Z: 1}, {Z: -1}} {
		s.body(shape.BoxOf(r3.V(0.9, 0.9, 0.9)), 1, at(0.95*p.X, 0.95*p.Y, 0.95*p.Z), 0)
	}
	s.step(0.001, 5)
	s.check(s.Body(middle).SetTwist(r3.Twist{Linear: r3.V(1e300, 0, 0)}))
	s.step(0.001, 1)
	f := s.Faults()
	if len(f) == 0 || f[0].Body != middle || len(f[0].Hits()) != 4 {
		t.Errorf("faults %+v, want one of the middle body with four hits", f)
	}
}
