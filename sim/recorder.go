package sim

import (
	"time"
)

// Recorder is told by the engine's loop what happens to the world, in the order in which it happens.
// It must not wait; what it is given it may keep, and may not change.
type Recorder interface {
	// Begin comes first: the engine's position, and the commands that make its world, which have no hashes.
	// There are none for a recording that begins with the engine. now is the number of steps that it has
	// done.
	Begin(from RecordPosition, before []LogEntry, now uint64)
	// Command is a command, or a step that failed; see LogEntry.
	Command(LogEntry)
	// Step is the hash of the world after a step; total counts since the engine started.
	Step(total, hash uint64)
	// State is all of the world after the steps so far, every StatePeriod or so: whoever looks for a later
	// time begins there. The step was of this size.
	State(total uint64, step time.Duration, is Restore)
	// Full reports that so much waits to be written that the next step should wait for it.
	Full() bool
	// End comes last: somebody ended the recording, or the engine has ended.
	End()
}

// StatePeriod is the interval of states in a recording, in simulated time: a seek computes at most that.
const StatePeriod = 10 * time.Second

// RecordPosition is the position in an engine's life at which a recording begins. The zero value is the
// beginning.
type RecordPosition struct {
	Steps uint64 // that were done before
	ID    uint64 // the last that an entity or trajectory had got
}
