package rtps

import (
	"time"

	"simdeck/ros/rtps/wire"
)

// A participant that died and comes back under the same name counts its samples from 1 again, and knows of none of ours. What we know of it
// would keep both sides from hearing each other until its lease is over.

const (
	// A writer that says restartHeartbeats times in a row, over restartTime at least, that it has less than it gave before, has begun anew: its
	// participant died and came back with the same name. Once may be a HEARTBEAT that was long on its way.
	restartHeartbeats = 3
	restartTime       = 600 * time.Millisecond
	// openingLife is how long after the match the first ACKNACK of a reader, which knows of nothing yet, may come a second time.
	openingLife = 5 * time.Second
)

// restartDetector is what a writer has said that is less than it gave before.
type restartDetector struct {
	heartbeats int
	count      uint32
	since      time.Time
}

// restarted tells whether the writer has begun anew.
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

// restarted tells whether the reader, of what we say of our endpoints, has begun anew: it knows of nothing though it had acknowledged something.
func (p *readerProxy) restarted(a *wire.AckNack, now time.Time) bool {
	return p.writer.builtin && p.live && p.acked >= max(1, p.start) && a.State.Base <= 1 && a.State.Empty() && a.Count < p.ackCount &&
		now.Sub(p.since) > openingLife
}

// restart forgets a participant. Its next announcement is that of a new one.
func (s *participantDiscovery) restart(p *peer) {
	s.core.stats.Restarted++
	s.dropPeer(p)
}
