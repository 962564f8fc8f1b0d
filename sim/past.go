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

// OnlyPaces reports whether a command only pauses, continues, steps or paces the world. In the past such a one
// ends no way forward again, and no Mark is made of it.
func OnlyPaces(c Command) bool {
	switch c := c.(type) {
	case SetState:
		return c.State == Playing || c.State == Paused
	case SetPacing, SetFaultPolicy, StepWorld, CancelSteps, Rewind:
		return true
	}
	return false
}

// ReplacesWorld reports whether a command replaces the world: a history begins or ends there.
func ReplacesWorld(c Command) bool {
	switch c.(type) {
	case LoadWorld, UnloadWorld, BeginLoad, Restore:
		return true
	}
	return false
}

// AtHighRate reports whether a command comes at a high rate. Such commands are no events, and no caller waits
// for the snapshot that shows their effect; the next steps show it.
func AtHighRate(c Command) bool {
	switch c.(type) {
	case DriveEntity, DriveCar, SetJoint, SetJoints, SetLamps:
		return true
	}
	return false
}
