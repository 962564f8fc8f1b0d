package sim

import (
	"context"
	"time"
)

// Fleet is many simulators somewhere else, as far as they tell. All methods are
// safe for concurrent use.
type Fleet interface {
	// Members are all simulators that were seen and not forgotten, by name.
	Members() []Member
	// Do has several do a command at once, and says which of them did not, and why.
	Do(ctx context.Context, ids []string, c Command) error
	// Forget drops one that is lost.
	Forget(id string)
}

// Member is a simulator of a Fleet.
type Member struct {
	ID       string // names it to the Fleet; one that comes back has it again
	Name     string // on the graph
	Host     string // name or address of its machine
	World    string // empty: not told, or none
	State    State  // Unknown as long as it has not told
	Time     time.Duration
	Timed    bool      // Time is known
	Factor   float64   // simulated seconds in a second, of late; below 0: not known
	Entities int       // below 0: not known
	Seen     time.Time // when it answered last, or showed
	Lost     bool      // it has left the graph, or was silent for its lease
	Fault    string    // why nothing new is known; empty: it answers
}

// Unknown is the state of a simulator that does not tell its state.
const Unknown = State(255)
