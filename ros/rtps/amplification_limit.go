package rtps

import (
	"time"

	"simdeck/ros/rtps/wire"
)

const (
	// Limits of octets to addresses that are not validated, at once and per second: for one participant, and
	// for all together. Multicast announcements are not counted.
	amplificationBurst, amplificationRate       = 16 << 10, 1 << 10
	amplificationBurstAll, amplificationRateAll = 256 << 10, 32 << 10
)

// tokenBucket is a budget that grows with time up to a burst.
type tokenBucket struct {
	spent int // octets ahead of time
	last  time.Time
}

// spend tells whether n octets may be sent now, and books them if so.
func (a *tokenBucket) spend(n, burst, rate int, now time.Time) bool {
	if d := now.Sub(a.last); d >= time.Hour {
		a.spent, a.last = 0, now
	} else if grown := int64(d/time.Second)*int64(rate) +
		int64(d%time.Second)*int64(rate)/int64(time.Second); grown > 0 {
		a.spent, a.last = int(max(0, int64(a.spent)-grown)), now
	}
	if a.spent+n > burst {
		return false
	}
	a.spent += n
	return true
}

// refill takes back what was booked and not sent.
func (a *tokenBucket) refill(n int) { a.spent = max(0, a.spent-n) }

// admitted tells whether a datagram may leave: to addresses that are proven always, to others within the
// limit. An announced address of a victim thus gets that much at most.
func (v *addressValidation) admitted(k *Packet, now time.Time) bool {
	if k.peer == nil {
		return true
	}
	doubtful := 0
	for _, to := range k.To {
		if !v.core.net.at(k.peer, to) {
			doubtful += k.Len()
		}
	}
	if doubtful == 0 {
		return true
	}
	if !k.peer.budget.unvalidated.spend(doubtful, amplificationBurst, amplificationRate, now) {
		return false
	}
	if !v.spend.spend(doubtful, amplificationBurstAll, amplificationRateAll, now) {
		k.peer.budget.unvalidated.refill(doubtful)
		return false
	}
	return true
}

// exceedsAmplificationLimit takes the datagrams out that may not leave.
func (v *addressValidation) exceedsAmplificationLimit(packets []*Packet, now time.Time) []*Packet {
	kept := 0
	for i, k := range packets {
		if !v.admitted(k, now) {
			v.core.stats.AmplificationLimited++
			continue
		}
		packets[kept], packets[i] = packets[i], packets[kept]
		kept++
	}
	return packets[:kept]
}

// usable reports that an announced address may be sent to. Ports of the system's own services and broadcast
// addresses of our networks are not.
func (n *network) usable(l wire.Locator) bool {
	if l.Port < 1024 || l.IsMulticast() || l.Address[12] == 0 || l.Address[12] >= 240 {
		return false
	}
	for i := range n.links {
		if n.links[i].Broadcast(l.IPv4()) {
			return false
		}
	}
	return true
}
