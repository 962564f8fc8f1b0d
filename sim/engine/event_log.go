package engine

import (
	"strings"

	"simdeck/sim"
)

// maxEvents bounds the events of a snapshot; at least half of them are the newest.
const maxEvents = 512

// maxEventLength bounds the text of an event, in bytes: commands carry text from strangers.
const maxEventLength = 2048

// shortened is a text of at most so many bytes, with a sign where the rest was cut off.
func shortened(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

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

// recent returns the events for a snapshot.
func (j *eventLog) recent() []sim.Event { return j.events[:len(j.events):len(j.events)] }
