package rtps

import (
	"time"

	"simdeck/ros/rtps/wire"
)

// A participant that died and restarts under the same GUID prefix counts its samples from 1 again and has
// none of ours. The state kept of it would keep both sides deaf until its lease ends, so a restart is
// detected.

const (
	// A writer has restarted when restartHeartbeats HEARTBEATs in a row, over restartTime at least, have a
	// last sequence number below one that it has sent. A single one may be a HEARTBEAT that was delayed.
	restartHeartbeats = 3
	restartTime       = 600 * time.Millisecond
	// openingLife is the time after a match in which the first, empty ACKNACK of a reader may come as a
	// duplicate.
	openingLife = 5 * time.Second
)

// restartDetector counts HEARTBEATs of a writer whose last sequence number is below one that it has sent.
type restartDetector struct {
	heartbeats int
	count      uint32
	since      time.Time
}

// restarted reports that the writer has restarted.
func (w *writerProxy) restarted(h *wire.Heartbeat, now time.Time) bool {
	r := &w.restart
	switch {
	case !w.heard || !w.started || h.Last+1 >= w.next:
		r.heartbeats = 0
		return false
	case r.heartbeats == 0 || h.Count <= r.count:
		r.heartbeats, r.since = 0, now
	}
	r.heartbeats++
	r.count = h.Count
	return r.heartbeats >= restartHeartbeats && now.Sub(r.since) >= restartTime
}

// restarted reports that a reader of built-in topics has restarted: its ACKNACK is empty after it had
// acknowledged samples.
func (p *readerProxy) restarted(a *wire.AckNack, now time.Time) bool {
	return p.writer.builtin && p.live && p.acked >= max(1, p.start) && a.State.Base <= 1 && a.State.Empty() &&
		a.Count < p.answered.ack &&
		now.Sub(p.since) > openingLife
}

// restart forgets a participant. Its next announcement makes a new one.
func (s *participantDiscovery) restart(p *peer) {
	s.core.stats.Restarted++
	s.dropPeer(p)
}
