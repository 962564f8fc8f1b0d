package rtps

import (
	"fmt"
	"time"

	"simdeck/ros/rtps/wire"
)

// A participant that died and restarts under the same GUID prefix counts its samples from 1 again and has
// none of ours. The state kept of it would keep both sides deaf until its lease ends, so a restart is
// detected.

const (
	// A writer has restarted when restartHeartbeats HEARTBEATs in a row, over restartTime at least, have a
	// last sequence number below one that it has sent. Their count begins below the highest one before. A
	// single one may be a HEARTBEAT that was delayed. Fast DDS's discovery tells a lower last number as soon
	// as the newest of its endpoints is withdrawn, but counts on.
	restartHeartbeats = 3
	restartTime       = 600 * time.Millisecond
	// openingLife is the time after a match in which the first, empty ACKNACK of a reader may come as a
	// duplicate.
	openingLife = 5 * time.Second
)

// restartDetector counts HEARTBEATs of a writer whose last sequence number is below one that it has sent.
type restartDetector struct {
	heartbeats int
	count      uint32 // of the last of them
	since      time.Time
	most       uint32 // highest count of the others
}

// restarted reports that the writer has restarted.
func (w *writerProxy) restarted(h *wire.Heartbeat, now time.Time) bool {
	r := &w.restart
	below := w.heard && w.started && h.Last+1 < w.next
	switch {
	case !below || r.heartbeats == 0 && h.Count > r.most:
		r.heartbeats, r.most = 0, max(r.most, h.Count)
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

// restart forgets a participant that has restarted, as one of its endpoints shows. Its next announcement
// makes a new one.
func (s *participantDiscovery) restart(p *peer, by wire.GUID, now time.Time) {
	s.core.stats.Restarted++
	s.core.notices.gone(p, fmt.Sprintf("its endpoint %v counts from the start again", by), now)
	s.dropPeer(p)
}
