package sim

import (
	"fmt"
	"strings"
	"time"
)

// FaultPolicy says what a world does when the motion of an entity leaves the finite numbers or their bounds
// (physics.MaxSpeed, physics.MaxExtent). The entity is contained with either of the first two: see Fault.
type FaultPolicy uint8

// Fault policies.
const (
	ContainFaults FaultPolicy = iota // the world goes on
	PauseOnFault                     // the world pauses, and can be played on
	// nothing is contained and the world stays paused until a reset: of recordings that name none
	HaltOnFault
)

// String is the policy as options, parameters and recordings name it.
func (p FaultPolicy) String() string {
	switch p {
	case ContainFaults:
		return "contain"
	case PauseOnFault:
		return "pause"
	case HaltOnFault:
		return "halt"
	}
	return fmt.Sprintf("fault policy %d", uint8(p))
}

// ParseFaultPolicy reads what an option or a parameter may say.
func ParseFaultPolicy(text string) (FaultPolicy, error) {
	for _, p := range [...]FaultPolicy{ContainFaults, PauseOnFault} {
		if text == p.String() {
			return p, nil
		}
	}
	return 0, fmt.Errorf("%w: on_fault %q; want %s or %s", ErrUnsupported, text, ContainFaults,
		PauseOnFault)
}

// SetFaultPolicy changes what faults do, until another world is loaded. Replies Done.
type SetFaultPolicy struct{ Policy FaultPolicy }

func (SetFaultPolicy) command() {}

// Fault is the cause of an entity's containment: it keeps its pose before the step, immovable, and others
// collide with it. Moving it or setting its velocity, a reset, deleting it and Rewind end that.
type Fault struct {
	Step  uint64 // in which it happened, since the last reset of time
	Time  time.Duration
	Link  string
	Cause string
	Speed float64    // m/s, of its fastest point before the step
	Hits  []FaultHit // bodies that touched it in that step, the fastest first
}

// FaultHit is an entity that touched a contained one.
type FaultHit struct {
	Entity string
	Speed  float64 // m/s, of the two against each other
}

// Touched says in words what touched the entity.
func (f *Fault) Touched() string {
	if len(f.Hits) == 0 {
		return "nothing touched it"
	}
	words := make([]string, len(f.Hits))
	for i, h := range f.Hits {
		words[i] = fmt.Sprintf("%s at %.3g m/s", h.Entity, h.Speed)
	}
	return "touched by " + strings.Join(words, ", ")
}

// String is the fault in a line.
func (f *Fault) String() string {
	return fmt.Sprintf("link %q in step %d: %s; %.3g m/s before; %s", f.Link, f.Step, f.Cause, f.Speed,
		f.Touched())
}
