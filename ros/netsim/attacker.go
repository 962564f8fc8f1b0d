package netsim

import (
	"math/rand/v2"

	"simdeck/ros/rtps/wire"
)

// Attacker makes up datagrams that a participant should survive: noise, truncated and replayed traffic, and
// forged messages of a well-known participant. It also makes hundreds of participants with addresses of
// others, and thousands of endpoints that contradict each other. Its attacks come from a seed. It sends
// nothing itself.
type Attacker struct {
	Target   wire.GUIDPrefix // victim; listeners to its announcements know its random prefix
	Victim   wire.Locator    // the address of somebody who has nothing to do with it
	Self     wire.Locator    // where the attacker can be reached
	Captures [][]byte        // datagrams of others, for replay
	Topic    string          // on which the target reads and writes
	Type     string
	Writer   wire.GUID        // an honest writer that the target reads
	Reader   wire.GUID        // an honest reader that the target writes to
	Ours     [2]wire.EntityID // the target's writer and reader on the topic

	rand    *rand.Rand
	spoofed []wire.GUIDPrefix // made-up participants with the victim's address
	live    wire.GUIDPrefix   // a participant that really is here, and answers by guessing
	count   uint32
	sn      wire.SequenceNumber // of what live says of its endpoints
}

// crowdSize is the number of spoofed participants.
const crowdSize = 700

// Seed sets what the attacker does from now on.
func (a *Attacker) Seed(seed uint64) {
	a.rand = rand.New(rand.NewPCG(seed, 0xbad))
	a.spoofed = nil
	for range crowdSize {
		a.spoofed = append(a.spoofed, a.prefix())
	}
	a.live = a.prefix()
}

func (a *Attacker) prefix() (p wire.GUIDPrefix) {
	for i := range p {
		p[i] = byte(a.rand.Uint32())
	}
	p[0], p[1] = 1, 0x0f
	return p
}

// Next gives the next datagram.
func (a *Attacker) Next() []byte {
	a.count++
	switch a.rand.IntN(13) {
	case 0:
		return a.noise()
	case 1:
		return a.replay()
	case 2, 3:
		return a.announce(a.spoofed[a.rand.IntN(len(a.spoofed))], a.victims())
	case 4:
		return a.pretend()
	case 5:
		return a.announce(a.live, []wire.Locator{a.Self})
	case 6, 7:
		return a.endpoint()
	case 8:
		return a.ranges(a.live, wire.GUID{Prefix: a.live, Entity: a.writer()})
	case 9:
		return a.fragment()
	case 10:
		return a.acknowledge(a.live, a.reader())
	case 11:
		return a.guess()
	default:
		return a.cut(a.endpoint())
	}
}

// header begins a datagram of a participant. One in two names the target.
func (a *Attacker) header(p wire.GUIDPrefix) []byte {
	b := wire.Header{Version: wire.Version, Vendor: wire.VendorEProsima, Prefix: p}.Append(nil)
	if a.rand.IntN(2) == 0 {
		b = wire.InfoDst{Prefix: a.Target}.Append(b)
	}
	return b
}

func (a *Attacker) noise() []byte {
	b := make([]byte, a.rand.IntN(1500))
	for i := range b {
		b[i] = byte(a.rand.Uint32())
	}
	if a.rand.IntN(2) == 0 && len(b) > wire.HeaderSize {
		copy(b, a.header(a.live))
	}
	return b
}

// replay gives a capture, whole, cut, with one octet changed, or with the target named in it.
func (a *Attacker) replay() []byte {
	b := append([]byte(nil), a.Captures[a.rand.IntN(len(a.Captures))]...)
	switch a.rand.IntN(4) {
	case 0:
		return a.cut(b)
	case 1:
		b[a.rand.IntN(len(b))] ^= byte(1 << a.rand.IntN(8))
	case 2:
		if len(b) > wire.HeaderSize {
			return append(wire.InfoDst{Prefix: a.Target}.Append(append([]byte(nil), b[:wire.HeaderSize]...)),
				b[wire.HeaderSize:]...)
		}
	}
	return b
}

func (a *Attacker) cut(b []byte) []byte { return b[:a.rand.IntN(len(b)+1)] }

// victims gives up to sixteen addresses of the victim.
func (a *Attacker) victims() (all []wire.Locator) {
	for i := range 1 + a.rand.IntN(16) {
		l := a.Victim
		l.Port += uint32(i)
		all = append(all, l)
	}
	return all
}
