package statecodec

import (
	"math"
	"slices"
	"testing"
	"time"

	"simdeck/sim/r3"
)

// memory is one of everything that can be visited.
type memory struct {
	f, g  float64
	yes   bool
	d     time.Duration
	small int8
	pose  r3.Pose
	twist r3.Twist
}

func (m *memory) words(v Visitor) {
	v.Floats(&m.f, &m.g)
	v.Flag(&m.yes)
	v.Duration(&m.d)
	Whole(v, &m.small)
	v.Pose(&m.pose)
	v.Twist(&m.twist)
}

func TestWhatIsReadWordByWordIsTheSameWhenItIsWrittenBack(t *testing.T) {
	was := memory{math.Copysign(0, -1), math.Inf(1), true, -time.Second, -5,
		r3.Pose{Pos: r3.V(1, 2, 3), Rot: r3.Quat{W: 0.5, X: 0.5, Y: -0.5, Z: 0.5}},
		r3.Twist{Linear: r3.V(4, 5, 6), Angular: r3.V(7, 8, math.SmallestNonzeroFloat64)}}
	var kept []uint64
	copied := was
	copied.words(func(w *uint64) { kept = append(kept, *w) })
	if copied != was || !math.Signbit(copied.f) {
		t.Errorf("reading changed %+v to %+v", was, copied)
	}
	var back memory
	next := slices.Clone(kept)
	back.words(func(w *uint64) { *w, next = next[0], next[1:] })
	if back != was || !math.Signbit(back.f) || len(next) != 0 {
		t.Errorf("written back: %+v, want %+v; %d words are left", back, was, len(next))
	}
}

func TestAFlagThatIsNeitherIsFalse(t *testing.T) {
	b := true
	Visitor(func(w *uint64) { *w = 7 }).Flag(&b)
	if b {
		t.Error("7 is taken for true")
	}
}
