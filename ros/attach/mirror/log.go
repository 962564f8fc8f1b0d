package mirror

import (
	"slices"
	"sync"

	"simdeck/sim"
)

// maxEvents is the number of log lines that a snapshot carries.
const maxEvents = 256

// eventLog is the list of events seen from this side, without other clients' commands.
type eventLog struct {
	mu   sync.Mutex
	seq  uint64
	list []sim.Event
}

func (l *eventLog) add(e sim.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.seq++
	e.Text = cut(e.Text, longestText)
	e.Seq = l.seq
	if n := len(l.list); n > 0 && l.list[n-1].Text == e.Text && l.list[n-1].Level == sim.Error &&
		e.Level == sim.Error {
		return // a fault that lasts is told once
	}
	l.list = append(l.list, e)
	if len(l.list) > maxEvents {
		l.list = slices.Clone(l.list[len(l.list)-maxEvents:])
	}
}

// shared is the log for a snapshot; it is only ever added to.
func (l *eventLog) shared() []sim.Event {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clip(l.list)
}

// note adds a line to the log.
func (m *Mirror) note(level sim.Level, who, text string) {
	m.log.add(sim.Event{Time: m.Snapshot().Time, Level: level, Who: who, Text: text})
}
