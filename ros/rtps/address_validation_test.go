package rtps

import (
	"testing"
	"time"

	"simdeck/ros/rtps/wire"
)

// messages gives what the core knows of the foreign peer's reader of participant messages.
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
	s.say(strangerAddress, true, s.acknowledged(s.messages().shift+1)) // who hears what goes there
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
