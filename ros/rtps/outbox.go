package rtps

import (
	"simdeck/ros/rtps/wire"
)

// Sizes of datagrams, in octets of UDP payload.
const (
	// remoteDatagram fits into an Ethernet frame with IPv4 and UDP headers: nothing is fragmented by IP on a LAN.
	remoteDatagram = 1472
	// localDatagram is for peers on the same host, where the loopback interface takes 64 KiB at once.
	localDatagram = 60000
	// remoteFragment is the fragment size for other hosts; with its headers it fits into remoteDatagram.
	remoteFragment = 1344
	// qosFragment is for samples that carry inline QoS in every fragment.
	qosFragment = 1280
	// localFragment is the fragment size for peers on the same host.
	localFragment = 16384
)

// outbox collects datagrams. It reuses their memory.
type outbox struct {
	header  wire.Header
	packets []*Packet
	n       int
}

func (o *outbox) reset() { o.n = 0 }

// open begins a datagram for everybody who listens at to.
func (o *outbox) open(to []wire.Locator, link int) *Packet {
	if o.n == len(o.packets) {
		o.packets = append(o.packets, &Packet{})
	}
	p := o.packets[o.n]
	o.n++
	p.B = o.header.Append(p.B[:0])
	p.To, p.Link = to, link
	return p
}

// openTo begins a datagram for one participant.
func (o *outbox) openTo(to []wire.Locator, dst wire.GUIDPrefix) *Packet {
	p := o.open(to, 0)
	p.B = wire.InfoDst{Prefix: dst}.Append(p.B)
	return p
}
