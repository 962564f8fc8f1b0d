package rtps

import (
	"simdeck/ros/rtps/wire"
)

// Sizes of datagrams, in octets of UDP payload.
const (
	// remoteDatagram fits into an Ethernet frame with IPv4 and UDP headers: nothing is fragmented by IP on a
	// LAN.
	remoteDatagram = 1472
	// localDatagram is for peers on the same host, where the loopback interface takes 64 KiB at once.
	localDatagram = 60000
	// remoteFragment is the fragment size for other hosts; with its headers it fits into remoteDatagram.
	remoteFragment = 1344
	// qosFragment is for samples that carry inline QoS in every fragment.
	qosFragment = 1280
	// localFragment is the fragment size for peers on the same host: one fills a datagram.
	localFragment = 59000
	// largePart is the size from which on a payload is sent from its place instead of being copied into the
	// datagram.
	largePart = 1024
)

// Packet is a datagram to send to every address of To. Parts of it may lie in a writer's history, which keeps
// them until the next Advance.
type Packet struct {
	To   []wire.Locator
	Link int // Link.Index from which a multicast leaves; 0 = any

	peer *peer  // its destination; nil = any
	b    []byte // without part
	at   int    // where part belongs in b
	part []byte // nil = b is all
}

// Len gives the octets of the datagram.
func (p *Packet) Len() int { return len(p.b) + len(p.part) }

// datagram gives the datagram for one address.
func (p *Packet) datagram(to wire.Locator) wire.Datagram {
	if p.part == nil {
		return wire.Datagram{Parts: [3][]byte{p.b}, To: to, Link: p.Link}
	}
	return wire.Datagram{Parts: [3][]byte{p.b[:p.at], p.part, p.b[p.at:]}, To: to, Link: p.Link}
}

// holds tells whether a payload is to stay where it lies: a large one, when no other does.
func (p *Packet) holds(payload []byte) bool { return p.part == nil && len(payload) >= largePart }

// Append adds the octets of the datagram.
func (p *Packet) Append(b []byte) []byte {
	d := p.datagram(wire.Locator{})
	return d.Append(b)
}

// sendQueue collects datagrams. It reuses their memory.
type sendQueue struct {
	header  wire.Header
	packets []*Packet
	n       int
}

// reset forgets the datagrams.
func (o *sendQueue) reset() {
	for _, p := range o.packets[:o.n] {
		p.part = nil
	}
	o.n = 0
}

// open begins a datagram for everybody who listens at to.
func (o *sendQueue) open(to []wire.Locator, link int) *Packet {
	if o.n == len(o.packets) {
		o.packets = append(o.packets, &Packet{})
	}
	p := o.packets[o.n]
	o.n++
	p.b = o.header.Append(p.b[:0])
	p.To, p.Link, p.peer = to, link, nil
	return p
}

// openTo begins a datagram for one participant.
func (o *sendQueue) openTo(to []wire.Locator, dst *peer) *Packet {
	p := o.open(to, 0)
	p.peer = dst
	p.b = wire.InfoDst{Prefix: dst.guid.Prefix}.Append(p.b)
	return p
}
