package instance_test

import (
	"slices"
	"testing"
	"time"

	"simdeck/ros/rtps/instance"
	"simdeck/ros/rtps/wire"
)

var (
	start = time.Unix(1000, 0)
	red   = wire.KeyHash{1}
	blue  = wire.KeyHash{2}
	green = wire.KeyHash{3}
)

// from is a writer with a number and a strength.
func from(n wire.EntityID, strength int32) instance.Source {
	return instance.Source{Writer: wire.GUID{Prefix: wire.GUIDPrefix{9}, Entity: n}, Strength: strength}
}

// at is the start and so many milliseconds.
func at(ms int) time.Time { return start.Add(time.Duration(ms) * time.Millisecond) }

func TestTheStrongestWriterOfAnInstanceIsHeard(t *testing.T) {
	weak, strong, twin := from(1, 3), from(2, 4), from(3, 4)
	s := instance.NewSet(instance.Policy{Exclusive: true, Limit: 10})
	for n, c := range []struct {
		key    wire.KeyHash
		writer instance.Source
		want   instance.Verdict
	}{
		{red, weak, instance.Take},
		{red, strong, instance.Take},
		{red, weak, instance.Filtered},
		{red, twin, instance.Filtered}, // as strong, and it comes later in the order of GUIDs
		{blue, weak, instance.Take},    // of another instance it is the only one
		{red, strong, instance.Take},
	} {
		if got := s.Sample(c.key, c.writer, at(n)); got != c.want {
			t.Errorf("sample %d: %v, want %v", n, got, c.want)
		}
	}
	if s.End(red, weak, instance.Disposed) {
		t.Error("a writer that does not own the instance has disposed it")
	}
	if s.Gone(strong.Writer); s.Sample(red, weak, at(10)) != instance.Take {
		t.Error("the owner is gone, and the next writer is not heard")
	}
	if s.Sample(red, twin, at(11)) != instance.Take || s.Sample(red, weak, at(12)) != instance.Filtered {
		t.Error("a stronger writer does not take over")
	}
}

func TestWithoutExclusiveOwnershipAllWritersAreHeard(t *testing.T) {
	s := instance.NewSet(instance.Policy{Limit: 10})
	for n, w := range []instance.Source{from(1, 3), from(2, 4), from(1, 3)} {
		if got := s.Sample(red, w, at(n)); got != instance.Take {
			t.Errorf("sample %d: %v", n, got)
		}
	}
}

func TestAnOwnerThatMissesTheDeadlineMakesRoomForTheNext(t *testing.T) {
	s := instance.NewSet(instance.Policy{Exclusive: true, Deadline: time.Second, Limit: 10})
	s.Sample(red, from(2, 9), at(0))
	if s.Sample(red, from(1, 1), at(999)) != instance.Filtered {
		t.Error("the weaker is heard within the deadline of the stronger")
	}
	if n, _ := s.Overdue(at(1000)); n != 1 || s.Sample(red, from(1, 1), at(1001)) != instance.Take {
		t.Error("the weaker is not heard though the stronger is late")
	}
	if s.Sample(red, from(2, 9), at(1002)) != instance.Take {
		t.Error("the stronger does not come back")
	}
}

func TestATimeBasedFilterLetsOneSampleOfEachInstanceThroughAtATime(t *testing.T) {
	s := instance.NewSet(instance.Policy{Separation: time.Second, Limit: 10})
	var took []int
	for ms := 0; ms <= 3000; ms += 100 {
		if s.Sample(red, from(1, 0), at(ms)) == instance.Take {
			took = append(took, ms)
		}
		if got := s.Sample(blue, from(1, 0), at(ms)) == instance.Take; got != slices.Contains(took, ms) {
			t.Errorf("%d ms: the other instance is taken: %v", ms, got)
		}
	}
	if want := []int{0, 1000, 2000, 3000}; !slices.Equal(took, want) {
		t.Errorf("taken at %v ms, want %v", took, want)
	}
}

func TestEachInstanceHasItsDeadline(t *testing.T) {
	s := instance.NewSet(instance.Policy{Deadline: time.Second, Limit: 10})
	if n, next := s.Overdue(at(0)); n != 0 || !next.IsZero() {
		t.Errorf("nothing was written: %d missed, next at %v", n, next)
	}
	s.Sample(red, from(1, 0), at(0))
	s.Sample(blue, from(1, 0), at(400))
	for _, c := range []struct{ ms, missed, next int }{
		{999, 0, 1000}, {1000, 1, 1400}, {1001, 0, 1400}, {1400, 1, 2000},
		{4500, 2, 5000}, // late by several: once each
	} {
		if n, next := s.Overdue(at(c.ms)); n != c.missed || !next.Equal(at(c.next)) {
			t.Errorf("at %d ms %d missed, next %v; want %d and %d ms", c.ms, n, next.Sub(start), c.missed, c.next)
		}
	}
	s.End(red, from(1, 0), instance.Disposed)
	s.Gone(from(1, 0).Writer)
	if n, next := s.Overdue(at(9000)); n != 0 || !next.IsZero() {
		t.Errorf("a disposed instance and one without writers: %d missed, next at %v", n, next)
	}
}

func TestAnInstanceEndsOnceAndBeginsAgain(t *testing.T) {
	a, b := from(1, 0), from(2, 0)
	s := instance.NewSet(instance.Policy{Limit: 10})
	if s.End(red, a, instance.Disposed) || s.End(red, a, instance.NoWriters) {
		t.Error("an instance that nobody has seen has ended")
	}
	s.Sample(red, a, at(0))
	s.Sample(red, b, at(1))
	if s.End(red, a, instance.NoWriters) || s.End(red, a, instance.NoWriters) {
		t.Error("it has ended though a writer is left")
	}
	if !s.End(red, b, instance.NoWriters) || s.End(red, b, instance.NoWriters) {
		t.Error("the end of the last writer is to be told, once")
	}
	s.Sample(red, a, at(2))
	if !s.End(red, a, instance.Disposed) || s.End(red, b, instance.Disposed) {
		t.Error("the end by disposal is to be told, once")
	}
	if left := s.Gone(a.Writer); left != nil {
		t.Errorf("a disposed instance has lost its writers: %v", left)
	}
	s.Sample(red, a, at(3))
	s.Sample(blue, a, at(3))
	s.Sample(green, b, at(3))
	if left := s.Gone(a.Writer); !slices.Equal(left, []wire.KeyHash{red, blue}) {
		t.Errorf("%v have no writers, want red and blue", left)
	}
}

func TestInstancesBeyondTheLimitAreRefusedUntilOneEnds(t *testing.T) {
	s := instance.NewSet(instance.Policy{Limit: 2})
	s.Sample(red, from(1, 0), at(0))
	s.Sample(blue, from(1, 0), at(0))
	if s.Sample(green, from(1, 0), at(0)) != instance.Refused || s.Len() != 2 {
		t.Errorf("a third is taken: %d", s.Len())
	}
	s.End(red, from(1, 0), instance.Disposed)
	if s.Sample(green, from(1, 0), at(1)) != instance.Take || s.Len() != 2 {
		t.Errorf("no room is made: %d", s.Len())
	}
}

func TestStatusSaysWhatHasBecomeOfAnInstance(t *testing.T) {
	for status, want := range map[uint32]instance.State{0: instance.Alive, 1: instance.Disposed,
		2: instance.NoWriters, 3: instance.Disposed, 4: instance.Alive} {
		if got := instance.StateOf(status); got != want {
			t.Errorf("status %d: %v, want %v", status, got, want)
		}
	}
}
