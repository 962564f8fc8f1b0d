package netsim

import (
	"slices"
	"time"

	"simdeck/ros/rtps/wire"
)

// Endpoint is a writer or reader of the participant that is attacked, as discovery tells of it.
type Endpoint struct {
	Writer      bool
	Entity      wire.EntityID
	Topic, Type string
	Reliable    bool
}

// Intruder is a real participant: it announces itself, has endpoints on its target's topics, and answers as
// far as its attack needs. It sends nothing itself, and one goroutine at a time may use it.
type Intruder struct {
	Target wire.GUIDPrefix
	Self   wire.Locator // where it takes everything
	Prefix wire.GUIDPrefix
	Vendor wire.VendorID // zero: Fast DDS

	// sent samples of its discovery writers, a datagram's submessages each
	said  map[wire.EntityID][][]byte
	mine  map[wire.EntityID][]wire.EntityID // its readers of each of the target's writers
	ids   uint32
	count uint32
}

// Enter gives the datagrams with which the intruder shows itself.
func (i *Intruder) Enter() [][]byte {
	d := wire.ParticipantData{Version: wire.Version, Vendor: i.vendor(),
		GUID:    wire.GUID{Prefix: i.Prefix, Entity: wire.EntityParticipant},
		Builtin: wire.BuiltinEndpoints, Lease: 20 * time.Second, Meta: []wire.Locator{i.Self},
		User: []wire.Locator{i.Self}, Name: "/"}
	b := wire.Data{Reader: wire.EntitySPDPReader, Writer: wire.EntitySPDPWriter, SN: 1,
		Content: wire.ContentData, Payload: d.Append(nil)}
	return [][]byte{b.Append(i.header())}
}

func (i *Intruder) vendor() wire.VendorID {
	if i.Vendor == 0 {
		return wire.VendorEProsima
	}
	return i.Vendor
}

func (i *Intruder) header() []byte {
	b := wire.Header{Version: wire.Version, Vendor: i.vendor(), Prefix: i.Prefix}.Append(nil)
	return wire.InfoDst{Prefix: i.Target}.Append(b)
}

// Oppose gives the datagrams that announce an endpoint which takes from or gives to one of the target's, and
// its id. A reader on a writer that offers it is reliable when asked for.
func (i *Intruder) Oppose(e Endpoint, reliable bool) (wire.EntityID, []byte) {
	i.ids++
	id, from := wire.EntityID(i.ids<<8)|wire.KindUserWriter, wire.EntityID(wire.EntityPublicationsWriter)
	if e.Writer {
		id, from = wire.EntityID(i.ids<<8)|wire.KindUserReader, wire.EntitySubscriptionsWriter
	}
	d := wire.EndpointData{GUID: wire.GUID{Prefix: i.Prefix, Entity: id}, Topic: e.Topic, Type: e.Type,
		UserData: []byte("typehash=RIHS01_00;")}
	d.QoS.Reliability = wire.ReliabilityBestEffort
	if reliable {
		d.QoS.Reliability = wire.ReliabilityReliable
	}
	if i.said == nil {
		i.said, i.mine = map[wire.EntityID][][]byte{}, map[wire.EntityID][]wire.EntityID{}
	}
	if e.Writer && reliable {
		i.mine[e.Entity] = append(i.mine[e.Entity], id)
	}
	sn := wire.SequenceNumber(len(i.said[from]) + 1)
	i.said[from] = append(i.said[from],
		wire.Data{Writer: from, SN: sn, Content: wire.ContentData, Payload: d.Append(nil)}.Append(nil))
	return id, i.tell(from, sn)
}

// tell says one of the discovery samples, and up to where there are some.
func (i *Intruder) tell(from wire.EntityID, sn wire.SequenceNumber) []byte {
	i.count++
	b := append(i.header(), i.said[from][sn-1]...)
	return wire.Heartbeat{Writer: from, First: 1, Last: wire.SequenceNumber(len(i.said[from])),
		Count: i.count}.Append(b)
}

// Answer returns the intruder's replies to a datagram of its target: discovery samples that the target
// misses. With acknowledge, its readers also acknowledge all that the target offers them.
func (i *Intruder) Answer(b []byte, acknowledge bool) (out [][]byte) {
	h, off, err := wire.ParseHeader(b)
	if err != nil || h.Prefix != i.Target {
		return nil
	}
	for off < len(b) {
		s, n, err := wire.ParseSubmessage(b[off:])
		if err != nil {
			return out
		}
		switch s.ID {
		case wire.IDAckNack:
			if a, _, err := wire.ParseAckNack(b[off : off+n]); err == nil {
				out = append(out, i.repeat(&a)...)
			}
		case wire.IDHeartbeat:
			if beat, _, err := wire.ParseHeartbeat(b[off : off+n]); err == nil &&
				(acknowledge || beat.Writer.IsBuiltin()) {
				out = append(out, i.acknowledge(&beat)...)
			}
		}
		off += n
	}
	return out
}

// repeat says again what of its discovery the target asks for.
func (i *Intruder) repeat(a *wire.AckNack) (out [][]byte) {
	for sn := max(1, a.State.Base); sn < a.State.End(); sn++ {
		if a.State.Contains(sn) && int(sn) <= len(i.said[a.Writer]) {
			out = append(out, i.tell(a.Writer, sn))
		}
	}
	return out
}

// acknowledge says that the readers whom a HEARTBEAT is for have everything, as many of them in a datagram as
// fit.
func (i *Intruder) acknowledge(h *wire.Heartbeat) (out [][]byte) {
	readers := []wire.EntityID{h.Reader}
	switch {
	case h.Writer.IsBuiltin():
		readers = []wire.EntityID{builtinReader(h.Writer)}
	case h.Reader == wire.EntityUnknown:
		readers = i.mine[h.Writer]
	}
	const most = 1400
	for some := range slices.Chunk(readers, most/32) {
		b := i.header()
		for _, r := range some {
			i.count++
			b = wire.AckNack{Reader: r, Writer: h.Writer, State: wire.SequenceNumberSet{Base: h.Last + 1},
				Count: i.count, Final: true}.Append(b)
		}
		out = append(out, b)
	}
	return out
}

// builtinReader is the reader of a discovery writer's topic (RTPS 2.2 §9.3.1.3).
func builtinReader(w wire.EntityID) wire.EntityID {
	switch w {
	case wire.EntityPublicationsWriter:
		return wire.EntityPublicationsReader
	case wire.EntitySubscriptionsWriter:
		return wire.EntitySubscriptionsReader
	}
	return wire.EntityParticipantMessageRead
}
