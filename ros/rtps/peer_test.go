package rtps

import (
	"testing"
	"time"

	"simdeck/ros/rtps/wire"
)

// foreignPeer is a participant of which only the datagrams exist: a test says what it sends.
type foreignPeer struct {
	core   *Core
	vendor wire.VendorID
	prefix wire.GUIDPrefix
	now    time.Time
	count  uint32
}

var strangerAddress = wire.UDPv4([4]byte{10, 0, 0, 9}, 40000)

// meet makes a core and a foreign peer that has announced itself to it.
func meet(t *testing.T, vendor wire.VendorID) *foreignPeer {
	t.Helper()
	c, err := NewCore(Config{Prefix: wire.GUIDPrefix{1, 0x7e, 1}})
	if err != nil {
		t.Fatal(err)
	}
	s := &foreignPeer{core: c, vendor: vendor, prefix: wire.GUIDPrefix{byte(vendor >> 8), byte(vendor), 2},
		now: time.Unix(1_700_000_000, 0)}
	c.SetLinks([]wire.Link{{Index: 1, Name: "eth0", Bits: []int{24},
		Meta: []wire.Locator{wire.UDPv4([4]byte{10, 0, 0, 1}, 7410)},
		User: []wire.Locator{wire.UDPv4([4]byte{10, 0, 0, 1}, 7411)}, Announce: []wire.Locator{scriptGroup}}},
		s.now)
	c.Start(s.now)
	s.announce(20 * time.Second)
	s.advance(0)
	return s
}

func (s *foreignPeer) guid(e wire.EntityID) wire.GUID { return wire.GUID{Prefix: s.prefix, Entity: e} }

func (s *foreignPeer) participant(lease time.Duration) wire.ParticipantData {
	return wire.ParticipantData{Version: wire.Version, Vendor: s.vendor, GUID: s.guid(wire.EntityParticipant),
		Builtin: wire.BuiltinEndpoints, Lease: lease,
		Meta: []wire.Locator{wire.UDPv4([4]byte{10, 0, 0, 9}, 7410)},
		User: []wire.Locator{wire.UDPv4([4]byte{10, 0, 0, 9}, 7411)}}
}

func (s *foreignPeer) announce(lease time.Duration) {
	s.send(wire.Data{Reader: wire.EntitySPDPReader, Writer: wire.EntitySPDPWriter, SN: 1,
		Content: wire.ContentData,
		Payload: s.participant(lease).Append(nil)})
}

// send gives the core one datagram with some submessages.
func (s *foreignPeer) send(subs ...interface{ Append([]byte) []byte }) {
	b := wire.Header{Version: wire.Version, Vendor: s.vendor, Prefix: s.prefix}.Append(nil)
	for _, m := range subs {
		b = m.Append(b)
	}
	s.core.receiver.receive(b, strangerAddress, s.now)
}

// endpoint announces a writer or a reader.
func (s *foreignPeer) endpoint(e wire.EntityID, q wire.EndpointQoS) {
	w := wire.EntitySubscriptionsWriter
	if e.IsWriter() {
		w = wire.EntityPublicationsWriter
	}
	s.count++
	d := wire.EndpointData{GUID: s.guid(e), Topic: "rt/t", Type: "T", QoS: q}
	s.send(wire.Data{Writer: w, SN: wire.SequenceNumber(s.count), Content: wire.ContentData,
		Payload: d.Append(nil)},
		wire.Heartbeat{Writer: w, First: 1, Last: wire.SequenceNumber(s.count), Count: s.count})
}

// advance lets time pass and gives the submessages that the core sent to the foreign peer meanwhile.
func (s *foreignPeer) advance(d time.Duration) (sent []any) {
	for end := s.now.Add(d); ; {
		for _, p := range s.core.Advance(s.now) {
			b := p.Append(nil)
			for off := wire.HeaderSize; off < len(b); {
				m, n, err := wire.ParseSubmessage(b[off:])
				if err != nil {
					panic(err) // of our own making
				}
				sent = append(sent, parsed(m.ID, b[off:off+n]))
				off += n
			}
		}
		at, ok := s.core.Deadline()
		switch {
		case s.core.Pending():
		case !ok || at.After(end):
			s.now = end
			return sent
		default:
			s.now = at
		}
	}
}

func parsed(id uint8, b []byte) any {
	switch id {
	case wire.IDData:
		v, _, _ := wire.ParseData(b)
		return v
	case wire.IDDataFrag:
		v, _, _ := wire.ParseDataFrag(b)
		return v
	case wire.IDHeartbeat:
		v, _, _ := wire.ParseHeartbeat(b)
		return v
	case wire.IDAckNack:
		v, _, _ := wire.ParseAckNack(b)
		return v
	case wire.IDGap:
		v, _, _ := wire.ParseGap(b)
		return v
	}
	return nil
}

// of picks the submessages of one kind that a user endpoint has sent.
func of[T any](sent []any) (out []T) {
	for _, v := range sent {
		m, ok := v.(T)
		if !ok {
			continue
		}
		switch m := any(m).(type) {
		case wire.Data:
			ok = !m.Writer.IsBuiltin()
		case wire.Heartbeat:
			ok = !m.Writer.IsBuiltin()
		case wire.AckNack:
			ok = !m.Writer.IsBuiltin()
		}
		if ok {
			out = append(out, m)
		}
	}
	return out
}

var (
	wireReliable = wire.EndpointQoS{Reliability: wire.ReliabilityReliable}
	wireLatched  = wire.EndpointQoS{Reliability: wire.ReliabilityReliable,
		Durability: wire.DurabilityTransientLocal}
	someData = []byte{0, 1, 0, 0, 7, 0, 0, 0}
)

const theirReader, theirWriter wire.EntityID = 0x204, 0x203

func TestACycloneReadersOpeningAcknackDoesNotMakeItLive(t *testing.T) {
	for _, c := range []struct {
		vendor wire.VendorID
		live   bool
	}{{wire.VendorCyclone, false}, {wire.VendorEProsima, true}} {
		s := meet(t, c.vendor)
		w, err := s.core.newWriter(WriterConfig{Topic: "rt/t", Type: "T",
			QoS: QoS{Reliability: Reliable, Depth: 10}}, s.now)
		if err != nil {
			t.Fatal(err)
		}
		s.endpoint(theirReader, wireReliable)
		s.advance(time.Millisecond)
		ack := wire.AckNack{Reader: theirReader, Writer: w.guid.Entity,
			State: wire.SequenceNumberSet{Base: 1}}
		if c.vendor == wire.VendorEProsima {
			ack.State.Base, ack.Count = 0, 1
		}
		s.send(ack)
		if _, err := s.core.write(w, someData, &WriteOptions{}, s.now); err != nil {
			t.Fatal(err)
		}
		sent := s.advance(time.Millisecond)
		if beats := of[wire.Heartbeat](sent); len(beats) == 0 {
			t.Errorf("%v: an opening ACKNACK is not answered", c.vendor)
		}
		if data := of[wire.Data](sent); (len(data) == 1) != c.live {
			t.Errorf("%v: %d samples sent after the opening ACKNACK, live %v", c.vendor, len(data), c.live)
		}
		if c.live {
			continue
		}
		ack.Count++ // the answer to a HEARTBEAT
		s.send(ack)
		if data := of[wire.Data](s.advance(time.Millisecond)); len(data) != 1 || data[0].SN != 1 {
			t.Errorf("%v: %d samples sent after the first answer", c.vendor, len(data))
		}
	}
}

func TestWhereAReaderStarts(t *testing.T) {
	volatile, latched := QoS{Reliability: Reliable, Depth: 100},
		QoS{Reliability: Reliable, Durability: TransientLocal, Depth: 100}
	for _, c := range []struct {
		what   string
		vendor wire.VendorID
		reader QoS
		writer wire.EndpointQoS
		early  wire.SequenceNumber // this sample comes before the HEARTBEAT; 0 = none
		want   wire.SequenceNumber
	}{
		{"volatile from Fast DDS: its first", wire.VendorEProsima, volatile, wireReliable, 0, 3},
		{"volatile from latched Fast DDS: its first, a GAP follows", wire.VendorEProsima, volatile,
			wireLatched, 0, 3},
		{"volatile from Cyclone DDS: its first", wire.VendorCyclone, volatile, wireReliable, 0, 3},
		{"volatile from latched Cyclone DDS: not its history", wire.VendorCyclone, volatile, wireLatched, 0,
			10},
		{"the same, when a sample was seen", wire.VendorCyclone, volatile, wireLatched, 8, 8},
		{"latched from Cyclone DDS: all", wire.VendorCyclone, latched, wireLatched, 0, 3},
	} {
		s := meet(t, c.vendor)
		r, err := s.core.newReader(ReaderConfig{Topic: "rt/t", Type: "T", QoS: c.reader}, s.now)
		if err != nil {
			t.Fatal(err)
		}
		s.endpoint(theirWriter, c.writer)
		if c.early > 0 {
			s.send(wire.Data{Writer: theirWriter, SN: c.early, Content: wire.ContentData, Payload: someData})
		}
		s.advance(time.Millisecond)
		s.send(wire.Heartbeat{Writer: theirWriter, First: 3, Last: 9, Count: 1})
		acks := of[wire.AckNack](s.advance(time.Millisecond))
		if len(acks) == 0 {
			t.Errorf("%s: the first HEARTBEAT is not answered at once", c.what)
			continue
		}
		got := acks[0].State.Base
		if c.early > 0 {
			got--
		}
		if got != c.want {
			t.Errorf("%s: starts at %d, want %d", c.what, got, c.want)
		}
		if c.early > 0 && r.queue.n != 1 {
			t.Errorf("%s: the early sample is not delivered", c.what)
		}
	}
}

func TestTheFirstAddressThatWorksIsUsed(t *testing.T) {
	c, err := NewCore(Config{Prefix: wire.GUIDPrefix{1}, Limits: Limits{Locators: 4}})
	if err != nil {
		t.Fatal(err)
	}
	at := func(a, b, c, d byte) wire.Locator { return wire.UDPv4([4]byte{a, b, c, d}, 7410) }
	c.SetLinks([]wire.Link{
		{Index: 1, Name: "lo", Loopback: true, Bits: []int{8}, Meta: []wire.Locator{at(127, 0, 0, 1)}},
		{Index: 2, Name: "eth0", Bits: []int{24}, Meta: []wire.Locator{at(10, 1, 0, 1)}},
		{Index: 3, Name: "eth1", Bits: []int{24, 16}, Meta: []wire.Locator{at(10, 2, 0, 1), at(10, 3, 0, 1)}},
		{Index: 4, Name: "vlan3", Bits: []int{24}, Meta: []wire.Locator{at(10, 3, 3, 1)}},
	}, time.Time{})
	for _, x := range []struct {
		what string
		from wire.Locator
		locs []wire.Locator
		want []wire.Locator
		link string
	}{
		{"the one it sends from", at(10, 2, 0, 7), []wire.Locator{at(10, 1, 0, 7), at(10, 2, 0, 7)},
			[]wire.Locator{at(10, 2, 0, 7)}, "eth1"},
		{"same host", at(127, 0, 0, 1), []wire.Locator{at(10, 1, 0, 1), at(127, 0, 0, 1)},
			[]wire.Locator{at(127, 0, 0, 1)}, "lo"},
		{"same host by its outer address", at(10, 1, 0, 1), []wire.Locator{at(10, 1, 0, 1)},
			[]wire.Locator{at(10, 1, 0, 1)}, "eth0"},
		{"not another host's loopback", at(10, 1, 0, 9), []wire.Locator{at(127, 0, 0, 1), at(10, 1, 0, 7)},
			[]wire.Locator{at(10, 1, 0, 7)}, "eth0"},
		{"near before far", at(10, 9, 0, 9), []wire.Locator{at(192, 168, 0, 1), at(10, 2, 0, 7)},
			[]wire.Locator{at(10, 2, 0, 7)}, "eth1"},
		{"far, when there is nothing else", at(10, 9, 0, 9),
			[]wire.Locator{at(192, 168, 0, 1), at(172, 17, 0, 1)},
			[]wire.Locator{at(192, 168, 0, 1), at(172, 17, 0, 1)}, "eth0"},
		{"in an interface's second network", at(10, 3, 9, 9), []wire.Locator{at(10, 3, 9, 9)},
			[]wire.Locator{at(10, 3, 9, 9)}, "eth1"},
		{"in the closest network", at(10, 3, 3, 9), []wire.Locator{at(10, 3, 3, 9)},
			[]wire.Locator{at(10, 3, 3, 9)}, "vlan3"},
		{"no groups", at(10, 9, 0, 9), []wire.Locator{at(239, 255, 0, 1)}, nil, "lo"},
		{"no more than the limit", at(10, 9, 0, 9),
			[]wire.Locator{at(9, 0, 0, 1), at(9, 0, 0, 2), at(9, 0, 0, 3), at(9, 0, 0, 4), at(10, 1, 0, 7)},
			[]wire.Locator{at(9, 0, 0, 1), at(9, 0, 0, 2), at(9, 0, 0, 3), at(9, 0, 0, 4)}, "eth0"},
	} {
		got, link := c.choose(x.locs, &peer{from: x.from})
		if len(got) != len(x.want) {
			t.Errorf("%s: %v, want %v", x.what, got, x.want)
			continue
		}
		for i := range got {
			if got[i] != x.want[i] {
				t.Errorf("%s: %v, want %v", x.what, got, x.want)
			}
		}
		if name := c.net.links[link].Name; name != x.link {
			t.Errorf("%s: over %s, want %s", x.what, name, x.link)
		}
	}
}

func TestAnAddressThatNeverAnswersIsNotTalkedToForEver(t *testing.T) {
	s := meet(t, wire.VendorEProsima)
	s.announce(0) // an infinite lease, for an address that may be somebody else's
	sent := s.advance(29 * time.Second)
	if len(s.core.spdp.peers) != 1 {
		t.Error("forgotten too early")
	}
	if len(sent) > 1500 {
		t.Errorf("%d submessages in 29 s to somebody who does not answer", len(sent))
	}
	s.advance(2 * time.Second)
	if len(s.core.spdp.peers) != 0 {
		t.Error("still talked to")
	}
}

func TestOnlyTheOwnerSpeaksForAnEndpoint(t *testing.T) {
	s := meet(t, wire.VendorEProsima)
	other := *s
	other.prefix[5] = 77
	other.announce(20 * time.Second)
	s.endpoint(theirWriter, wireReliable)
	if len(s.core.sedp.remotes) != 1 {
		t.Fatalf("%d endpoints", len(s.core.sedp.remotes))
	}
	refused := s.core.stats.Refused
	// the other one announces, and withdraws, what is not its own
	d := wire.EndpointData{GUID: s.guid(0x303), Topic: "rt/t", Type: "T", QoS: wireReliable}
	gone := wire.InlineQoS{Status: wire.StatusDisposed, KeyHash: s.guid(theirWriter).KeyHash()}.Append(nil)
	other.send(
		wire.Data{Writer: wire.EntityPublicationsWriter, SN: 1, Content: wire.ContentData,
			Payload: d.Append(nil)},
		wire.Data{Writer: wire.EntityPublicationsWriter, SN: 2, InlineQoS: gone},
		wire.Heartbeat{Writer: wire.EntityPublicationsWriter, First: 1, Last: 2, Count: 1})
	leave := wire.InlineQoS{Status: wire.StatusDisposed,
		KeyHash: s.guid(wire.EntityParticipant).KeyHash()}.Append(nil)
	other.send(wire.Data{Writer: wire.EntitySPDPWriter, SN: 2, InlineQoS: leave})
	if len(s.core.sedp.remotes) != 1 || len(s.core.spdp.peers) != 2 {
		t.Errorf("%d endpoints, %d participants", len(s.core.sedp.remotes), len(s.core.spdp.peers))
	}
	if s.core.stats.Refused-refused != 2 {
		t.Errorf("%d refused, want 2", s.core.stats.Refused-refused)
	}
}

func TestBothStylesOfFarewellAreUnderstood(t *testing.T) {
	for _, fast := range []bool{true, false} {
		s := meet(t, wire.VendorEProsima)
		s.endpoint(theirWriter, wireReliable)
		bye := func(w wire.EntityID, sn wire.SequenceNumber, pid uint16, g wire.GUID) wire.Data {
			if fast {
				return wire.Data{Writer: w, SN: sn,
					InlineQoS: wire.InlineQoS{Status: 3, KeyHash: g.KeyHash()}.Append(nil)}
			}
			return wire.Data{Writer: w, SN: sn, InlineQoS: wire.InlineQoS{Status: 3}.Append(nil),
				Content: wire.ContentKey,
				Payload: wire.Key{ID: pid, GUID: g}.Append(nil)}
		}
		s.send(bye(wire.EntityPublicationsWriter, 2, wire.PIDEndpointGUID, s.guid(theirWriter)))
		if len(s.core.sedp.remotes) != 0 {
			t.Errorf("Fast DDS %v: the writer is still there", fast)
		}
		s.send(bye(wire.EntitySPDPWriter, 2, wire.PIDParticipantGUID, s.guid(wire.EntityParticipant)))
		if len(s.core.spdp.peers) != 0 {
			t.Errorf("Fast DDS %v: the participant is still there", fast)
		}
		s.announce(20 * time.Second) // was on its way
		if len(s.core.spdp.peers) != 0 {
			t.Errorf("Fast DDS %v: the participant is back", fast)
		}
	}
}

func TestAParticipantThatTellsEveryInterfaceSomethingElseIsSteady(t *testing.T) {
	s := meet(t, wire.VendorSimdeck)
	say := func(sn wire.SequenceNumber, last byte) {
		d := s.participant(20 * time.Second)
		d.Meta = []wire.Locator{wire.UDPv4([4]byte{10, 0, 0, last}, 7410)}
		s.send(wire.Data{Writer: wire.EntitySPDPWriter, SN: sn, Content: wire.ContentData,
			Payload: d.Append(nil)})
	}
	before := s.core.watch.revision
	for range 5 {
		say(1, 77)
		say(1, 9)
	}
	if s.core.watch.revision != before {
		t.Error("the graph changes with every announcement")
	}
	say(2, 77)
	if g := s.core.Graph(); g.Participants[0].Address != "10.0.0.77:7410" {
		t.Errorf("a higher number is no news: %s", g.Participants[0].Address)
	}
}

func TestAnAddressThatCannotBeUsedIsReplacedByOneThatCan(t *testing.T) {
	s := meet(t, wire.VendorSimdeck)
	other := *s
	other.prefix[5] = 77
	d := other.participant(20 * time.Second)
	d.Meta = []wire.Locator{wire.UDPv4([4]byte{127, 0, 0, 1}, 7410)}
	announce := wire.Data{Writer: wire.EntitySPDPWriter, SN: 1, Content: wire.ContentData,
		Payload: d.Append(nil)}
	other.send(announce)
	p := s.core.spdp.peers[other.prefix]
	if len(p.meta) != 0 {
		t.Fatalf("another host's loopback address is used: %v", p.meta)
	}
	b := wire.Header{Version: wire.Version, Vendor: other.vendor, Prefix: other.prefix}.Append(nil)
	// it is on this host after all
	s.core.receiver.receive(announce.Append(b), wire.UDPv4([4]byte{127, 0, 0, 1}, 40000), s.now)
	if len(p.meta) != 1 {
		t.Error("still without address")
	}
	found := false
	for _, k := range s.core.Advance(s.now) {
		found = found || len(k.To) == 1 && k.To[0].IsLoopback()
	}
	if !found {
		t.Error("nothing is sent there")
	}
}

// TestAWriterHasRestartedOnlyWhenItCountsAnew: the discovery of Fast DDS takes the notice of a withdrawn
// endpoint out of its history once everybody has it. Its last number is then below one that it has sent.
func TestAWriterHasRestartedOnlyWhenItCountsAnew(t *testing.T) {
	for name, c := range map[string]struct {
		counts [4]uint32
		gone   bool
	}{
		"a withdrawn endpoint":            {[4]uint32{8, 9, 10, 11}, false},
		"a restart":                       {[4]uint32{1, 2, 3, 4}, true},
		"a restart, heard late":           {[4]uint32{6, 8, 11, 12}, true},
		"a HEARTBEAT that was delayed":    {[4]uint32{5, 5, 5, 5}, false},
		"two that overtook one another":   {[4]uint32{6, 5, 5, 5}, false},
		"a withdrawn endpoint, then more": {[4]uint32{8, 9, 20, 21}, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := meet(t, wire.VendorEProsima)
			s.send(wire.Heartbeat{Writer: wire.EntityPublicationsWriter, First: 1, Last: 0, Count: 6})
			for sn := range wire.SequenceNumber(5) {
				s.described(theirWriter+wire.EntityID(sn)<<8, sn+1, 0)
			}
			s.send(wire.Heartbeat{Writer: wire.EntityPublicationsWriter, First: 1, Last: 5, Count: 7})
			if n := len(s.core.sedp.remotes); n != 5 {
				t.Fatalf("%d endpoints", n)
			}
			for _, n := range c.counts {
				s.advance(time.Second)
				s.send(wire.Heartbeat{Writer: wire.EntityPublicationsWriter, First: 1, Last: 3, Count: n})
			}
			if gone := s.core.stats.Restarted > 0; gone != c.gone || gone != (len(s.core.sedp.remotes) == 0) {
				t.Errorf("taken for restarted: %v, with %d endpoints left", gone, len(s.core.sedp.remotes))
			}
		})
	}
}

func TestAnEndpointThatMovesStaysMatchedAndGetsWhatIsOnItsWay(t *testing.T) {
	s, w := subscribed(t, 1)
	s.write(t, w, 100)
	s.advance(10 * time.Millisecond)
	p := w.order[0]
	known := s.core.sedp.known
	again := wire.EndpointData{GUID: s.guid(nth(0)), Topic: "rt/t", Type: "T", QoS: wireReliable,
		Unicast: []wire.Locator{wire.UDPv4([4]byte{10, 0, 0, 9}, 7777)}}
	s.send(wire.Data{Writer: wire.EntitySubscriptionsWriter, SN: 2, Content: wire.ContentData,
		Payload: again.Append(nil)})
	if len(w.order) != 1 || w.order[0] != p || p.acked >= w.last {
		t.Fatalf("%d readers, the same: %v; %d of %d acknowledged", len(w.order), w.order[0] == p, p.acked,
			w.last)
	}
	if len(p.locs) != 1 || p.locs[0].Port != 7777 {
		t.Errorf("its samples go to %v", p.locs)
	}
	if grown := s.core.sedp.known - known; grown != 24 {
		t.Errorf("%d more octets are known of it, want those of one address", grown)
	}
	sent := of[wire.Heartbeat](s.advance(time.Second))
	if len(sent) == 0 || sent[len(sent)-1].Last != w.last {
		t.Errorf("HEARTBEATs %v: the sample is not offered any more", sent)
	}
}
