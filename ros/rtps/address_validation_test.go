package rtps

import (
	"testing"
	"time"

	"simdeck/ros/rtps/wire"
)

// say gives the core a datagram from an address in the name of the foreign peer.
func (s *foreignPeer) say(from wire.Locator, named bool, subs ...interface{ Append([]byte) []byte }) {
	b := wire.Header{Version: wire.Version, Vendor: s.vendor, Prefix: s.prefix}.Append(nil)
	if named {
		b = wire.InfoDst{Prefix: s.core.cfg.Prefix}.Append(b)
	}
	for _, m := range subs {
		b = m.Append(b)
	}
	s.core.receiver.receive(b, from, s.now)
}

// announcement is the foreign peer's, with addresses.
func (s *foreignPeer) announcement(sn wire.SequenceNumber, at ...wire.Locator) wire.Data {
	d := s.participant(20 * time.Second)
	d.Meta, d.User = at, at
	return wire.Data{Writer: wire.EntitySPDPWriter, SN: sn, Content: wire.ContentData, Payload: d.Append(nil)}
}

func (s *foreignPeer) farewell() wire.Data {
	return wire.Data{Writer: wire.EntitySPDPWriter, SN: 99,
		InlineQoS: wire.InlineQoS{Status: 3, KeyHash: s.guid(wire.EntityParticipant).KeyHash()}.Append(nil)}
}

// octetsTo lets time pass and counts what is sent to an address but announcements to all.
func (s *foreignPeer) octetsTo(a [4]byte, d time.Duration) (n int) {
	for end := s.now.Add(d); ; {
		for _, k := range s.core.Advance(s.now) {
			for _, to := range k.To {
				if to.IPv4() == a {
					n += k.Len()
				}
			}
		}
		at, ok := s.core.Deadline()
		switch {
		case s.core.Pending():
		case !ok || at.After(end):
			s.now = end
			return n
		default:
			s.now = at
		}
	}
}

func lan(last byte) wire.Locator { return wire.UDPv4([4]byte{10, 0, 0, last}, 7410) }

func TestNobodyElseSpeaksForAParticipant(t *testing.T) {
	for _, named := range []bool{false, true} {
		s := meet(t, wire.VendorEProsima)
		s.endpoint(theirWriter, wireReliable)
		p := s.core.spdp.peers[s.prefix]
		for _, m := range []wire.Data{s.announcement(5, lan(66)), s.farewell(),
			{Writer: wire.EntityPublicationsWriter, SN: 2,
				InlineQoS: wire.InlineQoS{Status: 3, KeyHash: s.guid(theirWriter).KeyHash()}.Append(nil)}} {
			s.say(lan(66), named, m)
		}
		if s.core.spdp.peers[s.prefix] != p || len(s.core.sedp.remotes) != 1 || p.meta[0] != lan(9) {
			t.Errorf("named %v: another address took it over: %v, %d endpoints", named, p.meta,
				len(s.core.sedp.remotes))
		}
		if s.core.stats.Unvalidated != 3 {
			t.Errorf("named %v: %d strange datagrams, want 3", named, s.core.stats.Unvalidated)
		}
		s.say(lan(9), named, s.farewell())
		if len(s.core.spdp.peers) != 0 {
			t.Errorf("named %v: its own farewell is not heard", named)
		}
	}
}

func TestAParticipantThatMovesIsFollowed(t *testing.T) {
	s := meet(t, wire.VendorEProsima)
	w, err := s.core.newWriter(WriterConfig{Topic: "rt/t", Type: "T", QoS: QoS{Depth: 10}}, s.now)
	if err != nil {
		t.Fatal(err)
	}
	s.endpoint(theirReader, wire.EndpointQoS{Reliability: wire.ReliabilityBestEffort})
	p := s.core.spdp.peers[s.prefix]
	s.say(lan(66), false, s.announcement(2, lan(66)))
	s.advance(challengePause)
	if p.meta[0] != lan(9) {
		t.Fatalf("moved to %v before it was asked", p.meta)
	}
	s.advance(challengeTries * challengePause)
	if len(p.meta) != 1 || p.meta[0] != lan(66) || p.verified() {
		t.Fatalf("after questions without an answer it is at %v, verified %v", p.meta, p.verified())
	}
	s.say(wire.UDPv4([4]byte{10, 0, 0, 66}, 40000), true)
	if !p.verified() {
		t.Error("it has shown itself at its new address")
	}
	if _, err := s.core.write(w, make([]byte, 30000), &WriteOptions{}, s.now); err != nil {
		t.Fatal(err)
	}
	if n := s.octetsTo([4]byte{10, 0, 0, 66}, 100*time.Millisecond); n < 30000 {
		t.Errorf("%d octets of a sample of 30000 go to its new address", n)
	}
}

func TestSamplesGoNowhereWhereNobodyHasShownHimself(t *testing.T) {
	victim := [4]byte{10, 0, 0, 77}
	s := meet(t, wire.VendorEProsima)
	w, err := s.core.newWriter(WriterConfig{Topic: "rt/t", Type: "T", QoS: QoS{Depth: 10}}, s.now)
	if err != nil {
		t.Fatal(err)
	}
	// an honest participant, but its reader's samples are to go elsewhere
	d := wire.EndpointData{GUID: s.guid(theirReader), Topic: "rt/t", Type: "T",
		QoS:     wire.EndpointQoS{Reliability: wire.ReliabilityBestEffort},
		Unicast: []wire.Locator{wire.UDPv4(victim, 7411), wire.UDPv4(victim, 7413)}}
	s.send(wire.Data{Writer: wire.EntitySubscriptionsWriter, SN: 1, Content: wire.ContentData,
		Payload: d.Append(nil)},
		wire.Heartbeat{Writer: wire.EntitySubscriptionsWriter, First: 1, Last: 1, Count: 1})
	total := 0
	for range 100 {
		if _, err := s.core.write(w, make([]byte, 10000), &WriteOptions{}, s.now); err != nil {
			t.Fatal(err)
		}
		total += s.octetsTo(victim, 100*time.Millisecond)
	}
	if most := amplificationBurst + 10*amplificationRate; total > most || len(w.order) != 1 {
		t.Errorf("%d octets of samples of a megabyte, at most %d; %d readers", total, most, len(w.order))
	}
}

func TestAnnouncedVictimsGetLittle(t *testing.T) {
	victim := [4]byte{10, 0, 0, 77}
	s := meet(t, wire.VendorEProsima)
	total := 0
	for i := range 3000 { // a hundred per second
		s.prefix[5], s.prefix[6] = byte(i), byte(i>>8)
		for range 3 {
			s.say(lan(66), i%2 == 0, s.announcement(1, wire.UDPv4(victim, 7410), wire.UDPv4(victim, 7412),
				wire.UDPv4(victim, 7414)))
		}
		total += s.octetsTo(victim, 10*time.Millisecond)
	}
	if most := amplificationBurstAll + 30*amplificationRateAll; total > most ||
		total < amplificationBurstAll {
		t.Errorf("%d octets in 30 s, want %d to %d", total, amplificationBurstAll, most)
	}
}

func TestSomePortsAndAddressesAreNobodys(t *testing.T) {
	s := meet(t, wire.VendorEProsima)
	for _, c := range []struct {
		at wire.Locator
		ok bool
	}{
		{lan(5), true},
		{wire.UDPv4([4]byte{10, 0, 0, 5}, 53), false},        // a service of the system
		{wire.UDPv4([4]byte{10, 0, 0, 255}, 7410), false},    // all hosts of our network
		{wire.UDPv4([4]byte{10, 0, 1, 255}, 7410), true},     // a host of another
		{wire.UDPv4([4]byte{0, 0, 0, 5}, 7410), false},       // no address
		{wire.UDPv4([4]byte{255, 0, 0, 5}, 7410), false},     // reserved
		{wire.UDPv4([4]byte{239, 255, 0, 1}, 7410), false},   // a group
		{wire.UDPv4([4]byte{192, 168, 7, 200}, 7410), true},  // elsewhere
		{wire.UDPv4([4]byte{10, 0, 0, 5}, 1023), false},      // of the system
		{wire.UDPv4([4]byte{10, 0, 0, 5}, 1024), true},       // anybody's
		{wire.UDPv4([4]byte{127, 0, 0, 1}, 7410), true},      // choose leaves it to this host's
		{wire.UDPv4([4]byte{169, 254, 3, 255}, 65535), true}, // link-local
	} {
		if got := s.core.net.usable(c.at); got != c.ok {
			t.Errorf("%v: usable %v, want %v", c.at, got, c.ok)
		}
	}
}

func TestAParticipantOfThisHostMaySpeakFromAnyOfItsAddresses(t *testing.T) {
	s := meet(t, wire.VendorEProsima)
	s.prefix[5] = 1
	// Fast DDS does not announce the loopback interface where there is another
	s.say(lan(1), false, s.announcement(1, lan(1)))
	p := s.core.spdp.peers[s.prefix]
	if p == nil || p.verified() {
		t.Fatalf("after its announcement: %+v", p)
	}
	s.say(wire.UDPv4([4]byte{127, 0, 0, 1}, 40000), true)
	if !p.verified() || p.meta[0] != lan(1) {
		t.Errorf("verified %v, at %v", p.verified(), p.meta)
	}
	s.prefix[5] = 2
	s.say(lan(2), false, s.announcement(1, lan(2)))
	p = s.core.spdp.peers[s.prefix]
	s.say(wire.UDPv4([4]byte{127, 0, 0, 1}, 40000), true)
	if p.verified() {
		t.Error("somebody of this host speaks for a participant of another")
	}
}

// messages is the core's proxy of the foreign peer's reader of participant messages.
func (s *foreignPeer) messages() *readerProxy {
	return s.core.sedp.builtin.messages.proxies[s.guid(wire.EntityParticipantMessageRead)]
}

// acknowledged is the foreign peer's word that it has all samples of our participant messages below one.
func (s *foreignPeer) acknowledged(base wire.SequenceNumber) wire.AckNack {
	s.count++
	return wire.AckNack{Reader: wire.EntityParticipantMessageRead, Writer: wire.EntityParticipantMessageWrite,
		State: wire.SequenceNumberSet{Base: base}, Count: s.count, Final: true}
}

func TestOnlyWhoKnowsTheNumberIsTheParticipantAtAnotherAddress(t *testing.T) {
	s := meet(t, wire.VendorEProsima)
	s.endpoint(theirWriter, wireReliable)
	s.advance(10 * time.Millisecond)
	p, number := s.core.spdp.peers[s.prefix], s.messages().shift
	for _, guess := range []wire.SequenceNumber{1, 2, number - 1, number, number + 2, number << 1, 1 << 40} {
		s.say(lan(66), true, s.acknowledged(guess))
	}
	s.say(lan(66), false, s.acknowledged(number+1)) // it must name us
	s.say(lan(66), true, s.farewell())
	if len(p.validated) != 1 || s.core.spdp.peers[s.prefix] != p {
		t.Fatalf("whoever guesses speaks for it: at home at %v", p.validated)
	}
	s.say(lan(66), true, s.acknowledged(number+1))
	if len(p.validated) != 2 {
		t.Error("who knows the number is not believed")
	}
	s.say(lan(66), true, s.farewell())
	if len(s.core.spdp.peers) != 0 {
		t.Error("nor is what it says afterwards")
	}
}

func TestANumberProvesOnlyTheAddressThatItWasSentTo(t *testing.T) {
	victim := wire.UDPv4([4]byte{10, 0, 0, 77}, 7410)
	s := meet(t, wire.VendorEProsima)
	w, err := s.core.newWriter(WriterConfig{Topic: "rt/t", Type: "T", QoS: QoS{Depth: 10}}, s.now)
	if err != nil {
		t.Fatal(err)
	}
	s.endpoint(theirReader, wire.EndpointQoS{Reliability: wire.ReliabilityBestEffort})
	s.advance(time.Second)
	number := s.messages().shift
	s.say(strangerAddress, true, s.acknowledged(number+1))
	s.say(strangerAddress, true, s.announcement(2, victim)) // its true address no longer
	total := 0
	for i := range 50 {
		s.say(strangerAddress, true, s.acknowledged(number+1))
		s.say(strangerAddress, true, s.acknowledged(number+wire.SequenceNumber(i)))
		if _, err := s.core.write(w, make([]byte, 10000), &WriteOptions{}, s.now); err != nil {
			t.Fatal(err)
		}
		total += s.octetsTo(victim.IPv4(), 100*time.Millisecond)
	}
	if most := amplificationBurst + 5*amplificationRate; total > most || s.messages().shift <= number {
		t.Errorf("%d octets went to an address that was not proven, at most %d; the number was %d and is %d",
			total, most, number, s.messages().shift)
	}
	s.say(strangerAddress, true, s.acknowledged(s.messages().shift+1)) // the listener at that address
	if _, err := s.core.write(w, make([]byte, 30000), &WriteOptions{}, s.now); err != nil {
		t.Fatal(err)
	}
	if n := s.octetsTo(victim.IPv4(), 100*time.Millisecond); n < 30000 {
		t.Errorf("%d octets of a sample of 30000 go to an address that is proven", n)
	}
}

func TestWhoPretendsThatAParticipantHasMovedIsNotBelievedWhileItAnswers(t *testing.T) {
	s := meet(t, wire.VendorCyclone)
	s.endpoint(theirWriter, wireReliable)
	p := s.core.spdp.peers[s.prefix]
	asked := 0
	for range 200 {
		s.say(lan(66), true, s.announcement(7, lan(66)))
		for _, m := range s.advance(100 * time.Millisecond) {
			if h, ok := m.(wire.Heartbeat); ok && h.Writer == wire.EntitySubscriptionsWriter && !h.Final {
				asked++
				s.now = s.now.Add(time.Millisecond)
				s.send(wire.AckNack{Reader: wire.EntitySubscriptionsReader,
					Writer: wire.EntitySubscriptionsWriter,
					State:  wire.SequenceNumberSet{Base: 1}, Count: uint32(asked + 100), Final: true})
			}
		}
	}
	if s.core.spdp.peers[s.prefix] != p || p.meta[0] != lan(9) || s.core.stats.AddressChanges != 0 {
		t.Errorf("it was taken over: %v, moved %d times", p.meta, s.core.stats.AddressChanges)
	}
	if asked == 0 || asked > 60 {
		t.Errorf("asked %d times in 20 s", asked)
	}
}
