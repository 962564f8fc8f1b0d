package rtps

import (
	"time"

	"simdeck/ros/rtps/wire"
)

// Load shedding bounds the cost of a flood before its datagrams are parsed. Useless datagrams are no RTPS,
// malformed, refused or of unknown participants. Above a rate of them the reader of the socket rests: the
// system then drops the excess, and the processors are the simulation's.

const (
	// One origin may show so many new participants at once and per second, those that have heard us apart
	// (see admission.go). A participant's own socket is one.
	newcomerBurst, newcomerRate = 64, 8
	// maxOrigins bounds the origins that are remembered.
	maxOrigins = 1024
	// One participant may say so much of what it has and lacks at once and per second: ACKNACK, NACK_FRAG,
	// HEARTBEAT, GAP.
	controlBurst, controlRate = 64 << 10, 32 << 10
	// uselessBurst and uselessRate bound useless datagrams, at once and per second. Beyond them the reader of
	// a socket rests for uselessRest after each.
	uselessBurst, uselessRate = 8 << 10, 32 << 10
	uselessRest               = time.Millisecond
)

// newcomer tells whether an origin may show one more participant.
func (rx *messageReceiver) newcomer(m *message) bool {
	if _, ok := rx.core.spdp.pending[m.src]; ok {
		return true
	}
	a := rx.origins[m.from]
	if a == nil {
		if len(rx.origins) >= maxOrigins {
			clear(rx.origins)
		}
		a = &tokenBucket{}
		rx.origins[m.from] = a
	}
	return a.spend(1, newcomerBurst, newcomerRate, m.now)
}

// controls tells whether a participant may say one more thing of what it has and lacks.
func (rx *messageReceiver) controls(m *message, id uint8) bool {
	switch id {
	case wire.IDAckNack, wire.IDNackFrag, wire.IDHeartbeat, wire.IDHeartbeatFrag, wire.IDGap:
		return m.peer == nil || m.peer.budget.control.spend(1, controlBurst, controlRate, m.now)
	}
	return true
}

// useless counts what has served nobody.
func (s *Stats) useless() uint64 { return s.Foreign + s.Malformed + s.Refused + s.Unvalidated + s.Shed }

// rest gives the time for which the reader of a socket rests after a datagram. served reports that it was of
// a known participant; before is the count of useless datagrams until then.
func (rx *messageReceiver) rest(served bool, before uint64, now time.Time) time.Duration {
	if served && rx.core.stats.useless() == before || rx.waste.spend(1, uselessBurst, uselessRate, now) {
		return 0
	}
	rx.core.stats.Rests++
	return uselessRest
}
