package instance

import (
	"slices"
	"time"

	"simdeck/ros/rtps/wire"
)

// State is whether an instance is there (DDS 1.4 §2.2.2.5.1.3).
type State uint8

// Alive is the zero value: somebody writes the instance. Disposed: a writer has said that it is gone.
// NoWriters: nobody writes it any more.
const (
	Alive State = iota
	Disposed
	NoWriters
)

// StateOf gives the state that a change's status says (RTPS 2.2 §9.6.3.4).
func StateOf(status uint32) State {
	switch {
	case status&wire.StatusDisposed != 0:
		return Disposed
	case status&wire.StatusUnregistered != 0:
		return NoWriters
	}
	return Alive
}

// Policy holds the demands of a reader, or the offer of a writer, for each instance. Durations of 0 are
// infinite.
type Policy struct {
	Exclusive  bool          // ownership: only the strongest writer of an instance is heard
	Separation time.Duration // of two samples that a reader takes
	Deadline   time.Duration // within which each instance has a new sample
	Limit      int           // of instances that are kept in mind
}

// Source is the writer of a sample.
type Source struct {
	Writer   wire.GUID
	Strength int32 // of its ownership
}

// stronger tells whether a writer is heard rather than another. Of two with the same strength all readers
// choose the same one.
func (s Source) stronger(o Source) bool {
	return s.Strength > o.Strength || s.Strength == o.Strength && s.Writer.Compare(o.Writer) < 0
}

// Set holds the instances of one reader or writer. It is not safe for concurrent use.
type Set struct {
	policy Policy
	all    map[wire.KeyHash]*known
	order  []wire.KeyHash // in the order in which they came, so that everything is reproducible
}

// known is one instance.
type known struct {
	state   State
	writers []wire.GUID
	owner   Source    // where ownership is exclusive; zero: nobody yet
	taken   time.Time // the last sample that the reader took
	due     time.Time // the next sample, by the deadline
}

// NewSet makes a set without instances.
func NewSet(p Policy) *Set { return &Set{policy: p, all: map[wire.KeyHash]*known{}} }

// Len is the number of instances.
func (s *Set) Len() int { return len(s.all) }

// Verdict says whether the reader gets a sample.
type Verdict uint8

// Take: the reader is to have it. Filtered: it is not, by ownership or by the time-based filter. Refused: it
// is of an instance beyond the limit.
const (
	Take Verdict = iota
	Filtered
	Refused
)

// Sample takes in that a writer has written an instance.
func (s *Set) Sample(k wire.KeyHash, from Source, now time.Time) Verdict {
	i := s.all[k]
	if i == nil {
		if i = s.add(k); i == nil {
			return Refused
		}
	}
	if !slices.Contains(i.writers, from.Writer) {
		i.writers = append(i.writers, from.Writer)
	}
	if !s.owns(i, from) {
		return Filtered
	}
	i.state = Alive
	if s.policy.Deadline > 0 {
		i.due = now.Add(s.policy.Deadline)
	}
	if !i.taken.IsZero() && now.Sub(i.taken) < s.policy.Separation {
		return Filtered
	}
	i.taken = now
	return Take
}

// owns tells whether a writer is heard, and makes it the owner of an instance if it is the strongest.
func (s *Set) owns(i *known, from Source) bool {
	if !s.policy.Exclusive {
		return true
	}
	if i.owner.Writer.IsZero() || i.owner.Writer == from.Writer || from.stronger(i.owner) {
		i.owner = from
	}
	return i.owner.Writer == from.Writer
}

// add makes room for an instance; nil when there is none. Instances that have ended go first.
func (s *Set) add(k wire.KeyHash) *known {
	if len(s.all) >= s.policy.Limit {
		at := slices.IndexFunc(s.order, func(o wire.KeyHash) bool { return s.all[o].state != Alive })
		if at < 0 {
			return nil
		}
		delete(s.all, s.order[at])
		s.order = slices.Delete(s.order, at, at+1)
	}
	i := &known{}
	s.all[k] = i
	s.order = append(s.order, k)
	return i
}

// End takes in that a writer disposes an instance, or writes it no more (NoWriters). It is true when the
// reader is to know: the state of an instance that it knows has changed.
func (s *Set) End(k wire.KeyHash, from Source, to State) bool {
	i := s.all[k]
	if i == nil {
		return false
	}
	if to == Disposed {
		if !s.owns(i, from) || i.state == Disposed {
			return false
		}
		i.state, i.due = Disposed, time.Time{}
		return true
	}
	return i.leave(from.Writer)
}

// leave takes a writer off an instance. It is true when the instance has lost its last one.
func (i *known) leave(w wire.GUID) bool {
	at := slices.Index(i.writers, w)
	if at < 0 {
		return false
	}
	i.writers = slices.Delete(i.writers, at, at+1)
	if i.owner.Writer == w {
		i.owner = Source{}
	}
	if len(i.writers) > 0 || i.state != Alive {
		return false
	}
	i.state, i.due = NoWriters, time.Time{}
	return true
}

// Gone takes in that a writer is not there any more, or not alive. It gives the instances that have no
// writers now.
func (s *Set) Gone(w wire.GUID) (left []wire.KeyHash) {
	for _, k := range s.order {
		if s.all[k].leave(w) {
			left = append(left, k)
		}
	}
	return left
}

// Overdue gives the number of instances that have missed their deadline since its last call, and the time of
// the next call. That time is zero where no instance is due. An owner that misses the deadline owns the
// instance no more (DDS 1.4 §2.2.3.9.2).
func (s *Set) Overdue(now time.Time) (missed int, next time.Time) {
	for _, k := range s.order {
		i := s.all[k]
		if i.due.IsZero() {
			continue
		}
		if late := now.Sub(i.due); late >= 0 {
			missed++
			i.owner = Source{}
			i.due = i.due.Add((late/s.policy.Deadline + 1) * s.policy.Deadline)
		}
		if next.IsZero() || i.due.Before(next) {
			next = i.due
		}
	}
	return missed, next
}
