package dynamics

import (
	"math"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// TestDebugDrawShowsBodiesJointsAndContacts of a stack of three at rest, a pendulum, and a box that falls
// asleep.
func TestDebugDrawShowsBodiesJointsAndContacts(t *testing.T) {
	s := newScene(t, 0.5, Config{Gravity: r3.V(0, 0, -9.81)})
	s.ground()
	for i := range 3 {
		s.body(shape.BoxOf(r3.V(0.2, 0.2, 0.2)), 1, at(0, 0, 0.1+0.2*float64(i)), 0)
	}
	post := s.fixed(shape.BoxOf(r3.V(0.1, 0.1, 0.1)), at(2, 0, 2))
	bob := s.body(shape.Sphere{Radius: 0.1}, 1, at(2.5, 0, 2), 0)
	s.hinge(post, bob, r3.V(2, 0, 2), r3.V(0, 1, 0))
	s.stepChecked(0.004, 50)
	count := func(flags DrawFlags) (n int, lines []Line) {
		lines = Draw(s.World, flags, nil)
		for _, l := range lines {
			if l.Kind&flags == 0 || l.Kind&(l.Kind-1) != 0 || !l.A.IsFinite() || !l.B.IsFinite() {
				t.Fatalf("flags %b: line %+v", flags, l)
			}
		}
		return len(lines), lines
	}
	for flags, want := range map[DrawFlags]int{
		0: 0, DrawContacts: 12, DrawBounds: 5 * 12, DrawFrames: 6 * 3, DrawJoints: 3, DrawIslands: 4,
		DrawSleep: 0, DrawFrames | DrawJoints: 21,
	} {
		if n, _ := count(flags); n != want {
			t.Errorf("flags %b: %d lines, want %d", flags, n, want)
		}
	}
	_, forces := count(DrawForces)
	weight := 0.0
	for _, l := range forces {
		if math.Abs(l.A.Z) < 0.01 {
			weight += l.Value
		}
	}
	if math.Abs(weight-3*9.81) > 0.5 {
		t.Errorf("the ground carries %v N, the stack weighs 29.43", weight)
	}
	_, islands := count(DrawIslands)
	if islands[0].Value != islands[2].Value || islands[0].Value == islands[3].Value ||
		islands[2].A != s.Body(s.added[0]).COM() {
		t.Errorf("islands %+v", islands)
	}
	s.stepChecked(0.004, 500)
	if n, _ := count(DrawSleep); n != 3*12 {
		t.Errorf("%d lines of sleepers, want 36", n)
	}
	if _, asleep := count(DrawIslands); asleep[0].Value != asleep[2].Value {
		t.Errorf("islands asleep %+v", asleep)
	}
	before := s.Hash()
	Draw(s.World, ^DrawFlags(0), nil)
	if s.Hash() != before {
		t.Error("drawing changed the world")
	}
}
