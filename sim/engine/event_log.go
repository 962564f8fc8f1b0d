package engine

import "simdeck/sim"

// maxEvents is how many events a snapshot shows at most; at least half of
// them are the newest.
const maxEvents = 512

// maxEventLength is how long the text of an event may be, in bytes: commands carry
// what strangers send.
const maxEventLength = 2048

// eventLog keeps the newest events. Published events never change, so that snapshots share their memory.
type eventLog struct {
	events []sim.Event
	seq    uint64
}

func (j *eventLog) add(e sim.Event) {
	j.seq++
	e.Seq = j.seq
	if len(j.events) >= maxEvents {
		j.events = append(make([]sim.Event, 0, maxEvents), j.events[len(j.events)-maxEvents/2:]...)
	}
	j.events = append(j.events, e)
}

// recent is what a snapshot may keep.
func (j *eventLog) recent() []sim.Event { return j.events[:len(j.events):len(j.events)] }
