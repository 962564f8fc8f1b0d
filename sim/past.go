package sim

import "time"

// Past is the part of a world's history that Rewind can go to. Its times count from the loading of the world,
// along the way that it came: a reset of the simulated time changes none.
type Past struct {
	Reach               time.Duration // that is kept at most; 0: none is
	Oldest, Now, Newest time.Duration // Now is before Newest after a Rewind, until the world goes on
	Marks               []Mark        // oldest first; shared
}

// Mark is a moment of the past that is worth a look.
type Mark struct {
	At   time.Duration // as Past counts; a command took effect after the step of that time
	Kind MarkKind
	Text string
}

// MarkKind is the kind of a Mark. Where several share a place, the greatest is shown.
type MarkKind uint8

// Kinds of marks.
const (
	MarkCommand MarkKind = iota
	MarkCollision
	MarkWarn
	MarkError
)
