package netsim

import (
	"fmt"
	"time"

	"simdeck/ros/rtps/wire"
)

// announce is a participant at some addresses.
func (a *Attacker) announce(p wire.GUIDPrefix, at []wire.Locator) []byte {
	d := wire.ParticipantData{Version: wire.Version, Vendor: wire.VendorEProsima,
		GUID:    wire.GUID{Prefix: p, Entity: wire.EntityParticipant},
		Builtin: wire.BuiltinEndpoints, Lease: time.Duration(a.rand.IntN(3)) * time.Hour, Meta: at, User: at,
		UserData: make([]byte, a.rand.IntN(300)), Name: "/"}
	return wire.Data{Reader: wire.EntitySPDPReader, Writer: wire.EntitySPDPWriter,
		SN: wire.SequenceNumber(a.count), Content: wire.ContentData,
		Payload: d.Append(nil)}.Append(a.header(p))
}

// pretend speaks in the name of honest participants: moves or removes them, disposes endpoints, skips
// samples, or acknowledges ones not received.
func (a *Attacker) pretend() []byte {
	who := a.Writer.Prefix
	gone := func(g wire.GUID) []byte {
		return wire.InlineQoS{Status: wire.StatusDisposed,
			KeyHash: g.KeyHash()}.Append(nil)
	}
	switch a.rand.IntN(7) {
	case 0:
		return a.announce(who, a.victims())
	case 1:
		return a.announce(who, []wire.Locator{a.Self})
	case 2:
		return wire.Data{Writer: wire.EntitySPDPWriter, SN: 1 << 20,
			InlineQoS: gone(wire.GUID{Prefix: who, Entity: wire.EntityParticipant})}.
			Append(a.header(who))
	case 3:
		b := wire.Data{Writer: wire.EntityPublicationsWriter, SN: wire.SequenceNumber(a.rand.IntN(9) + 1),
			InlineQoS: gone(a.Writer)}.Append(a.header(who))
		return wire.Heartbeat{Writer: wire.EntityPublicationsWriter, First: 1, Last: 1 << 31,
			Count: a.count}.Append(b)
	case 4:
		return a.ranges(who, a.Writer)
	case 5:
		return a.acknowledge(a.Reader.Prefix, a.Reader.Entity)
	default:
		return wire.Data{Writer: a.Writer.Entity, SN: wire.SequenceNumber(a.rand.IntN(5000)),
			Content: wire.ContentData,
			Payload: []byte{0, 1, 0, 0, 9, 9, 9, 9}}.Append(a.header(who))
	}
}

// endpoint is one of thousands that the live participant says it has; what it says of one GUID differs from
// time to time.
func (a *Attacker) endpoint() []byte {
	a.sn++
	id, w := a.reader(), wire.EntityID(wire.EntitySubscriptionsWriter)
	if a.rand.IntN(2) == 0 {
		id, w = a.writer(), wire.EntityPublicationsWriter
	}
	d := wire.EndpointData{GUID: wire.GUID{Prefix: a.live, Entity: id}, Topic: a.Topic, Type: a.Type,
		UserData: make([]byte, a.rand.IntN(2000)),
		QoS:      wire.EndpointQoS{Reliability: wire.ReliabilityReliable, Durability: uint32(a.rand.IntN(2))}}
	if a.rand.IntN(3) == 0 {
		d.Topic = fmt.Sprintf("rt/%d", a.rand.IntN(50))
	}
	if a.rand.IntN(2) == 0 {
		d.Unicast = a.victims()
	}
	b := wire.Data{Writer: w, SN: a.sn/2 + 1, Content: wire.ContentData,
		Payload: d.Append(nil)}.Append(a.header(a.live))
	return wire.Heartbeat{Writer: w, First: max(1, a.sn/2-100), Last: a.sn/2 + 1, Count: a.count}.Append(b)
}

// writer is one of few, so that what it sends meets what was said of it.
func (a *Attacker) writer() wire.EntityID {
	return wire.EntityID(a.rand.IntN(40)<<8) | wire.KindUserWriter
}

func (a *Attacker) reader() wire.EntityID {
	return wire.EntityID(a.rand.IntN(3000)<<8) | wire.KindUserReader
}

// ranges tells of endless samples, or takes them back.
func (a *Attacker) ranges(p wire.GUIDPrefix, w wire.GUID) []byte {
	first := wire.SequenceNumber(a.rand.Uint64N(1 << (1 + a.rand.IntN(40))))
	length := wire.SequenceNumber(a.rand.Uint64N(1 << a.rand.IntN(40)))
	b := a.header(p)
	if a.rand.IntN(2) == 0 {
		return wire.Heartbeat{Writer: w.Entity, First: first + 1, Last: first + length,
			Count: a.count}.Append(b)
	}
	set := wire.SequenceNumberSet{Base: first + 1 + length}
	for i := range wire.SequenceNumber(wire.SetBits) {
		set.Add(set.Base + i)
	}
	return wire.Gap{Writer: w.Entity, Start: first + 1, List: set}.Append(b)
}

// fragment begins a sample of up to a gigabyte, each time of another size.
func (a *Attacker) fragment() []byte {
	size := uint32(1) << (10 + a.rand.IntN(21))
	d := wire.DataFrag{Writer: a.writer(), SN: wire.SequenceNumber(a.rand.IntN(20) + 1),
		Start: 1 + uint32(a.rand.IntN(3)), Count: 1, Size: 1000,
		SampleSize: size + uint32(a.rand.IntN(3)), Payload: make([]byte, 1000)}
	if d.SampleSize < 1000*(d.Start+1) {
		d.Start = 1
	}
	return d.Append(a.header(a.live))
}

// acknowledge asks for everything, or says that all is there; of samples, and of fragments.
func (a *Attacker) acknowledge(p wire.GUIDPrefix, reader wire.EntityID) []byte {
	set := wire.SequenceNumberSet{Base: wire.SequenceNumber(a.rand.IntN(1 << a.rand.IntN(20)))}
	if a.rand.IntN(2) == 0 {
		for i := range wire.SequenceNumber(wire.SetBits) {
			set.Add(set.Base + i)
		}
	}
	b := wire.AckNack{Reader: reader, Writer: a.Ours[0], State: set, Count: a.count}.Append(a.header(p))
	f := wire.FragmentNumberSet{Base: 1 + uint32(a.rand.IntN(100))}
	f.Add(f.Base + 200)
	return wire.NackFrag{Reader: reader, Writer: a.Ours[0], SN: max(1, set.Base), State: f,
		Count: a.count}.Append(b)
}

// guess acknowledges participant messages that it has not got, for honest participants, made-up ones and the
// live one, and says that writers are alive.
func (a *Attacker) guess() []byte {
	who := [...]wire.GUIDPrefix{a.Writer.Prefix, a.spoofed[a.rand.IntN(len(a.spoofed))],
		a.live}[a.rand.IntN(3)]
	b := wire.InfoDst{Prefix: a.Target}.Append(wire.Header{Version: wire.Version, Vendor: wire.VendorEProsima,
		Prefix: who}.Append(nil))
	for range 1 + a.rand.IntN(20) {
		set := wire.SequenceNumberSet{Base: 1 + wire.SequenceNumber(a.rand.IntN(1<<17))}
		b = wire.AckNack{Reader: wire.EntityParticipantMessageRead,
			Writer: wire.EntityParticipantMessageWrite, State: set, Count: a.count}.Append(b)
	}
	m := wire.ParticipantMessage{Prefix: a.Writer.Prefix, Kind: 1 + a.rand.Uint32N(2), Data: []byte{0}}
	return wire.Data{Writer: wire.EntityParticipantMessageWrite,
		SN: wire.SequenceNumber(a.rand.IntN(100)) + 1, Content: wire.ContentData,
		Payload: m.Append(nil)}.Append(b)
}
