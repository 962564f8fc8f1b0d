package sim

import (
	"time"

	"simdeck/sim/scene"
)

// SetActor tells an actor to go or to stand, and how fast it wants to go on its lane. A nil changes nothing.
// Replies Done.
type SetActor struct {
	Name   string
	Moving *bool
	Speed  *float64 // m/s
}

// SetSignal puts a traffic signal at the beginning of a phase, by its name or by what it shows. Without one
// it stays where it is. Hold keeps it there, else it goes on with its cycle. Replies Done.
type SetSignal struct {
	Name  string
	Phase string
	Hold  bool
}

func (SetActor) command()  {}
func (SetSignal) command() {}

// ActorState is the state of an actor. Other entities have none.
type ActorState struct {
	Moving  bool
	Lane    string  // that it is on; empty: it keeps the times of a trajectory
	At      float64 // m along the lane, or s since the beginning of the trajectory
	Speed   float64 // m/s along the lane
	Wanted  float64 // m/s
	Follows bool    // it keeps its distance from what is ahead
}

// SignalState is the state of a traffic signal. Other entities have none.
type SignalState struct {
	Phase  string // its name
	Aspect scene.Aspect
	Until  time.Duration // simulated time at which the next phase begins; not while it is Held
	Held   bool
}
