package rtps

import (
	"testing"
	"time"

	"simdeck/ros/rtps/wire"
)

func TestOneOriginShowsFewNewParticipantsAtATime(t *testing.T) {
	s := meet(t, wire.VendorEProsima)
	s.core.cfg.Limits.Participants = 10_000
	before := len(s.core.spdp.peers)
	for n := range 3000 {
		s.prefix[5], s.prefix[6] = byte(n), byte(n>>8)
		s.prefix[7] = 1
		s.say(lan(9), false, s.announcement(1, lan(9)))
	}
	if n := len(s.core.spdp.peers) - before; n != newcomerBurst {
		t.Errorf("%d participants were taken in at once, want %d", n, newcomerBurst)
	}
	if n := s.core.stats.Shed; n != 3000-newcomerBurst {
		t.Errorf("%d were not looked into", n)
	}
	s.now = s.now.Add(2 * time.Second)
	for n := range 100 {
		s.prefix[7] = byte(2 + n)
		s.say(lan(9), false, s.announcement(1, lan(9)))
	}
	if n := len(s.core.spdp.peers) - before; n != newcomerBurst+2*newcomerRate {
		t.Errorf("%d participants after 2 s more, want %d", n, newcomerBurst+2*newcomerRate)
	}
	s.prefix[8] = 77
	s.say(lan(10), false, s.announcement(1, lan(10)))
	if s.core.spdp.peers[s.prefix] == nil {
		t.Error("another origin is kept out")
	}
	s.prefix[8] = 78
	s.say(lan(9), true) // has heard us
	s.say(lan(9), false, s.announcement(1, lan(9)))
	if s.core.spdp.peers[s.prefix] == nil {
		t.Error("who has heard us is kept out")
	}
	for n := range 3 * maxOrigins {
		s.prefix[9], s.prefix[10] = byte(n), byte(n>>8)
		s.say(wire.UDPv4([4]byte{10, 0, 0, 9}, uint16(20_000+n)), false, s.announcement(1, lan(9)))
	}
	if n := len(s.core.receiver.origins); n > maxOrigins {
		t.Errorf("%d origins are remembered", n)
	}
}

func TestWhoSaysTooMuchOfWhatItLacksIsNotListenedTo(t *testing.T) {
	s, w := subscribed(t, 1)
	const each = 50
	ask := wire.AckNack{Reader: nth(0), Writer: w.guid.Entity, State: wire.SequenceNumberSet{Base: 1},
		Final: true}
	before := s.core.stats.Shed
	for range 10 * controlBurst / each {
		var all []interface{ Append([]byte) []byte }
		for range each {
			s.count++
			ask.Count = s.count
			all = append(all, ask)
		}
		s.send(all...)
	}
	if n := int(s.core.stats.Shed - before); n < 8*controlBurst {
		t.Errorf("only %d of %d are passed over", n, 10*controlBurst)
	}
	s.now = s.now.Add(time.Second)
	s.write(t, w, 10)
	s.datagrams(w, time.Millisecond)
	s.confirm(w, 0)
	if w.order[0].acked != w.last {
		t.Error("a second later it is still not listened to")
	}
}

func TestTheReaderOfASocketRestsWhenAllThatComesServesNobody(t *testing.T) {
	s := meet(t, wire.VendorEProsima)
	noise := make([]byte, 100)
	rests := 0
	for range 10 * uselessBurst {
		if s.core.Receive(noise, strangerAddress, s.now) > 0 {
			rests++
		}
	}
	if want := 9 * uselessBurst; rests < want-10 || rests > want {
		t.Errorf("%d rests, want %d", rests, want)
	}
	b := wire.Header{Version: wire.Version, Vendor: s.vendor, Prefix: s.prefix}.Append(nil)
	b = wire.Heartbeat{Writer: wire.EntityPublicationsWriter, First: 1, Last: 0, Count: 1}.Append(b)
	for range 100 {
		if s.core.Receive(b, strangerAddress, s.now) > 0 {
			t.Fatal("the reader rests after what a known participant says")
		}
	}
	s.now = s.now.Add(time.Second)
	if s.core.Receive(noise, strangerAddress, s.now) > 0 {
		t.Error("the reader rests after a little noise")
	}
}
