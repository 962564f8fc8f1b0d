package rtps

import (
	"testing"
	"time"

	"simdeck/ros/rtps/wire"
)

// crowded is a core with room for eight, of which two have shown themselves and the others are made up, at
// addresses of their own.
func saturated(t *testing.T) (s *foreignPeer, known func(n byte) bool, arrive func(n byte)) {
	s = meet(t, wire.VendorEProsima)
	s.core.cfg.Limits.Participants = 8
	first := s.prefix
	arrive = func(n byte) {
		s.prefix[5] = n
		s.say(lan(n), false, s.announcement(1, lan(n)))
	}
	known = func(n byte) bool {
		p := first
		p[5] = n
		return s.core.spdp.peers[p] != nil
	}
	s.say(lan(9), true) // the first
	arrive(50)
	s.say(lan(50), true)
	for n := byte(51); n < 57; n++ {
		arrive(n)
	}
	if len(s.core.spdp.peers) != 8 {
		t.Fatalf("%d participants, want 8", len(s.core.spdp.peers))
	}
	return s, known, arrive
}

func TestWhoHasNotShownItselfMakesRoom(t *testing.T) {
	s, known, arrive := saturated(t)
	arrive(60)
	if known(60) || !known(51) {
		t.Error("a newcomer displaces one that came a moment before")
	}
	s.advance(graceTime)
	arrive(60)
	if !known(60) || known(51) || !known(52) {
		t.Error("after a moment the oldest that has not shown itself makes room")
	}
	for n := byte(61); n < 100; n++ {
		arrive(n)
		s.advance(graceTime / 6)
	}
	if !known(0) || !known(50) || len(s.core.spdp.peers) != 8 {
		t.Errorf("of those that have shown themselves: %v, %v; %d participants", known(0), known(50),
			len(s.core.spdp.peers))
	}
}

func TestAPendingParticipantIsLetIn(t *testing.T) {
	s, known, arrive := saturated(t)
	s.prefix[5] = 60
	s.say(lan(60), true, wire.AckNack{Reader: wire.EntityPublicationsReader,
		Writer: wire.EntityPublicationsWriter,
		State:  wire.SequenceNumberSet{Base: 1}, Count: 1})
	arrive(60)
	if !known(60) || known(51) {
		t.Error("it has heard us, and waits behind those that may not exist")
	}
	for n := range 2 * maxPending {
		s.prefix[6], s.prefix[7] = byte(n), byte(n>>8)
		s.say(lan(60), true)
	}
	if len(s.core.spdp.pending) > maxPending {
		t.Errorf("%d pending participants, at most %d", len(s.core.spdp.pending), maxPending)
	}
}

func TestOneAddressHasHalfOfTheTable(t *testing.T) {
	s := meet(t, wire.VendorEProsima)
	s.core.cfg.Limits.Participants = 8
	for n := range byte(20) {
		s.prefix[5] = 100 + n
		s.say(lan(9), false, s.announcement(1, lan(9)))
		s.say(lan(9), true)
	}
	if len(s.core.spdp.peers) != 4 {
		t.Errorf("%d participants at one address, want 4", len(s.core.spdp.peers))
	}
	s.prefix[5] = 1
	s.say(lan(50), false, s.announcement(1, lan(50)))
	if len(s.core.spdp.peers) != 5 {
		t.Error("no room for one at another address")
	}
}

func TestABegunSampleDoesNotKeepOthersOut(t *testing.T) {
	s := meet(t, wire.VendorEProsima)
	// of a sample that has begun
	s.core.cfg.Limits.SampleBytes, s.core.reorder.limit = 1<<20, 2*firstPart
	for _, q := range []QoS{{Reliability: Reliable, Depth: 10}} {
		if _, err := s.core.newReader(ReaderConfig{Topic: "rt/t", Type: "T", QoS: q}, s.now); err != nil {
			t.Fatal(err)
		}
	}
	begin := func(n byte, size uint32) {
		s.prefix[5], s.count = n, 0
		s.say(lan(n), false, s.announcement(1, lan(n)))
		s.say(lan(n), true)
		d := wire.EndpointData{GUID: s.guid(theirWriter), Topic: "rt/t", Type: "T", QoS: wireReliable}
		s.say(lan(n), true, wire.Data{Writer: wire.EntityPublicationsWriter, SN: 1, Content: wire.ContentData,
			Payload: d.Append(nil)},
			wire.Heartbeat{Writer: wire.EntityPublicationsWriter, First: 1, Last: 1, Count: 1},
			wire.Heartbeat{Writer: theirWriter, First: 1, Last: 1, Count: 1},
			wire.DataFrag{Writer: theirWriter, SN: 1, Start: 1, Count: 1, Size: 1000, SampleSize: size,
				Payload: make([]byte, 1000)})
	}
	begin(20, 1<<20)
	begin(21, 1<<20) // now it is full
	begin(22, 50_000)
	held := map[byte]int{}
	for _, p := range s.core.spdp.order {
		held[p.guid.Prefix[5]] = p.budget.partial
	}
	if held[22] != 50_000 || held[20]+held[21] != firstPart {
		t.Errorf("half-received samples: %v", held)
	}
	begin(23, 1<<20) // wants as much as the other holds
	if p := s.core.spdp.peers[s.prefix]; p.budget.partial != 0 {
		t.Error("one takes from another what it would only have itself")
	}
	s.check(t)
}

func TestWhatWaitsForASampleDoesNotKeepItOut(t *testing.T) {
	s := meet(t, wire.VendorEProsima)
	s.core.cfg.Limits.SampleBytes, s.core.reorder.limit = 1<<20, 1<<20
	r, err := s.core.newReader(ReaderConfig{Topic: "rt/t", Type: "T", QoS: QoS{Reliability: Reliable}}, s.now)
	if err != nil {
		t.Fatal(err)
	}
	s.endpoint(theirWriter, wireReliable)
	const size, each, samples = 100_000, 50_000, 12 // a participant may have half a megabyte wait
	fragment := func(sn wire.SequenceNumber, n uint32) {
		s.send(wire.DataFrag{Writer: theirWriter, SN: sn, Start: n, Count: 1, Size: each, SampleSize: size,
			Payload: make([]byte, each)})
	}
	count := uint32(1)
	beat := func() {
		count++
		s.send(wire.Heartbeat{Writer: theirWriter, First: 1, Last: samples, Count: count})
	}
	beat()
	for sn := wire.SequenceNumber(2); sn <= samples; sn++ { // all of the first one was lost
		fragment(sn, 1)
		fragment(sn, 2)
	}
	asked := 0
	for range 50 { // every requested sample is sent again
		beat()
		for _, m := range s.advance(50 * time.Millisecond) {
			a, ok := m.(wire.AckNack)
			if !ok || a.Writer != theirWriter {
				continue
			}
			for sn := a.State.End() - 1; sn >= a.State.Base; sn-- { // the last one first
				if a.State.Contains(sn) {
					asked++
					fragment(sn, 2)
					fragment(sn, 1)
				}
			}
		}
		s.check(t)
	}
	if r.stats.Received != samples || r.stats.Lost != 0 {
		t.Errorf("%d of %d samples, %d lost, %d asked for again", r.stats.Received, samples, r.stats.Lost,
			asked)
	}
}
