package rtps

import (
	"time"

	"simdeck/ros/rtps/wire"
)

const (
	// graceTime is the time for which an unvalidated participant keeps its place when others want it.
	graceTime = 250 * time.Millisecond
	// maxPending bounds how many participants are remembered that spoke to us by name without being known.
	maxPending = 256
)

// admit makes room for a new participant. It is false when there is none: then those that have shown
// themselves fill the table, or others came a moment before. One address can have half of the table.
func (s *participantDiscovery) admit(m *message) bool {
	full := len(s.peers) >= s.core.cfg.Limits.Participants
	same := 0
	var oldest, oldestSame *peer // of those that have not shown themselves
	for _, p := range s.order {
		mine := p.from.IPv4() == m.from.IPv4()
		if mine {
			same++
		}
		if p.verified() {
			continue
		}
		if oldest == nil {
			oldest = p
		}
		if mine && oldestSame == nil {
			oldestSame = p
		}
	}
	saturated := same >= max(1, s.core.cfg.Limits.Participants/2)
	if !full && !saturated {
		return true
	}
	if saturated {
		oldest = oldestSame
	}
	wasPending := s.isPending(m.src)
	if oldest == nil || !wasPending && m.now.Sub(oldest.since) < graceTime {
		return false
	}
	s.core.stats.Displaced++
	s.dropPeer(oldest)
	return true
}

// addPending remembers an unknown participant that addressed us by name. It has heard us, and is admitted
// before those that may not exist.
func (s *participantDiscovery) addPending(p wire.GUIDPrefix) {
	if len(s.pending) >= maxPending {
		clear(s.pending)
	}
	s.pending[p] = struct{}{}
}

func (s *participantDiscovery) isPending(p wire.GUIDPrefix) bool {
	_, ok := s.pending[p]
	delete(s.pending, p)
	return ok
}
