package rtps

import (
	"testing"
	"time"

	"simdeck/ros/rtps/wire"
)

// subscribed is a core with a writer, and a foreign peer with so many readers of it, of which every third is
// best effort. All reliable ones have answered.
func subscribed(t *testing.T, readers int) (*foreignPeer, *localWriter) {
	t.Helper()
	s := meet(t, wire.VendorEProsima)
	w, err := s.core.newWriter(WriterConfig{Topic: "rt/t", Type: "T",
		QoS: QoS{Reliability: Reliable, Depth: 10}}, s.now)
	if err != nil {
		t.Fatal(err)
	}
	s.send(wire.Heartbeat{Writer: wire.EntitySubscriptionsWriter, First: 1, Last: 0, Count: 1})
	for n := range readers {
		s.subscribe(n, n%3 != 2)
		s.confirm(w, n)
	}
	if len(w.order) != readers {
		t.Fatalf("%d of %d readers", len(w.order), readers)
	}
	s.advance(time.Second)
	s.confirmAll(w, readers)
	s.advance(0)
	return s, w
}

func nth(n int) wire.EntityID { return wire.EntityID(n+1)<<8 | wire.KindUserReader }

// subscribe announces the n-th reader, at some ports of its own.
func (s *foreignPeer) subscribe(n int, reliable bool, ports ...uint16) {
	q := wire.EndpointQoS{Reliability: wire.ReliabilityBestEffort}
	if reliable {
		q = wireReliable
	}
	d := wire.EndpointData{GUID: s.guid(nth(n)), Topic: "rt/t", Type: "T", QoS: q}
	for _, port := range ports {
		d.Unicast = append(d.Unicast, wire.UDPv4([4]byte{10, 0, 0, 9}, port))
	}
	s.send(wire.Data{Writer: wire.EntitySubscriptionsWriter, SN: wire.SequenceNumber(n + 1),
		Content: wire.ContentData, Payload: d.Append(nil)})
}

// confirm says that the n-th reader has everything.
func (s *foreignPeer) confirm(w *localWriter, n int) {
	s.count++
	s.send(wire.AckNack{Reader: nth(n), Writer: w.guid.Entity,
		State: wire.SequenceNumberSet{Base: w.last + 1}, Count: s.count, Final: true})
}

func (s *foreignPeer) confirmAll(w *localWriter, readers int) {
	for n := range readers {
		s.confirm(w, n)
	}
}

// datagrams lets time pass and counts what a writer has sent meanwhile.
func (s *foreignPeer) datagrams(w *localWriter, d time.Duration) (count, octets int) {
	for end := s.now.Add(d); ; {
		for _, p := range s.core.Advance(s.now) {
			b := p.Append(nil)
			if spokenBy(b, w.guid.Entity) {
				count, octets = count+len(p.To), octets+len(p.To)*len(b)
			}
		}
		at, ok := s.core.Deadline()
		switch {
		case s.core.Pending():
		case !ok || at.After(end):
			s.now = end
			return count, octets
		default:
			s.now = at
		}
	}
}

// spokenBy tells whether a datagram holds something of a writer.
func spokenBy(b []byte, w wire.EntityID) bool {
	for off := wire.HeaderSize; off < len(b); {
		m, n, err := wire.ParseSubmessage(b[off:])
		if err != nil {
			return false
		}
		switch v := parsed(m.ID, b[off:off+n]).(type) {
		case wire.Data:
			return v.Writer == w
		case wire.DataFrag:
			return v.Writer == w
		case wire.Heartbeat:
			return v.Writer == w
		case wire.Gap:
			return v.Writer == w
		}
		off += n
	}
	return false
}

func (s *foreignPeer) write(t *testing.T, w *localWriter, size int) {
	t.Helper()
	if _, err := s.core.write(w, make([]byte, size), &WriteOptions{}, s.now); err != nil {
		t.Fatal(err)
	}
}

func TestASampleGoesOnceToAllReadersAtOneAddress(t *testing.T) {
	const readers = 300
	for _, c := range []struct {
		what   string
		spoil  func(s *foreignPeer, w *localWriter)
		most   int // datagrams per sample
		octets int
	}{
		{"all are level", func(*foreignPeer, *localWriter) {}, 1, 300},
		{"one does not answer any more", func(s *foreignPeer, w *localWriter) {
			s.write(t, w, 100)
			s.advance(0)
			for n := 1; n < readers; n++ {
				s.confirm(w, n)
			}
			s.advance(2 * time.Second)
		}, 1, 300},
		{"one has just come and has said nothing", func(s *foreignPeer, w *localWriter) {
			s.subscribe(readers, true)
			s.advance(100 * time.Millisecond)
		}, 6, 600 + 32*readers}, // each by name, in datagrams of an Ethernet frame
		{"one has come and never says anything", func(s *foreignPeer, w *localWriter) {
			s.subscribe(readers, true)
			s.advance(5 * time.Second)
		}, 1, 300},
	} {
		s, w := subscribed(t, readers)
		c.spoil(s, w)
		s.datagrams(w, 0)
		for range 20 {
			s.write(t, w, 100)
			n, octets := s.datagrams(w, 0)
			if n > c.most || octets > c.octets {
				t.Errorf("%s: %d datagrams, %d octets for a sample to %d readers at one address; want %d of %d",
					c.what, n, octets, readers, c.most, c.octets)
				break
			}
			for n := 1; n < readers; n++ {
				s.confirm(w, n)
			}
			s.datagrams(w, 5*time.Millisecond)
		}
	}
}

func TestReadersThatNeverAnswerAreRemindedTogether(t *testing.T) {
	s, w := subscribed(t, 300)
	s.write(t, w, 100)
	if n, octets := s.datagrams(w, 10*time.Second); n > 60 || octets > 10_000 {
		t.Errorf("%d datagrams of %d octets in 10 s to remind readers of one sample", n, octets)
	}
}

func TestWhoAsksForEverythingForEverGetsItSlowly(t *testing.T) {
	s, w := subscribed(t, 300)
	for range 10 {
		s.write(t, w, 50_000)
	}
	s.datagrams(w, 100*time.Millisecond)
	octets := 0
	for range 1000 { // for 10 s
		for n := range 300 {
			s.count++
			set := wire.SequenceNumberSet{Base: 1}
			for sn := wire.SequenceNumber(1); sn <= 256; sn++ {
				set.Add(sn)
			}
			s.send(wire.AckNack{Reader: nth(n), Writer: w.guid.Entity, State: set, Count: s.count})
		}
		_, more := s.datagrams(w, 10*time.Millisecond)
		octets += more
	}
	if most := repeatBurst + 11*repeatRate; octets > most {
		t.Errorf("%d octets in 10 s for who asks for the same again and again; want %d", octets, most)
	}
}

func TestWhatIsGoneIsToldInOneGap(t *testing.T) {
	s, w := subscribed(t, 1)
	for range 400 {
		s.write(t, w, 10)
		s.confirmAll(w, 1)
	}
	s.datagrams(w, time.Second)
	s.subscribe(1, true)
	s.datagrams(w, time.Second)
	s.confirm(w, 1)
	set := wire.SequenceNumberSet{Base: 100}
	for sn := wire.SequenceNumber(100); sn < 356; sn += 2 {
		set.Add(sn)
	}
	s.count++
	s.send(wire.AckNack{Reader: nth(1), Writer: w.guid.Entity, State: set, Count: s.count})
	gaps := of[wire.Gap](s.advance(10 * time.Millisecond))
	if len(gaps) != 1 {
		t.Fatalf("%d GAPs, want one", len(gaps))
	}
	for sn := wire.SequenceNumber(100); sn < 356; sn += 2 {
		if sn >= gaps[0].List.Base && !gaps[0].List.Contains(sn) || sn < gaps[0].Start {
			t.Fatalf("the GAP from %d, %d on does not hold %d", gaps[0].Start, gaps[0].List.Base, sn)
		}
	}
}

func TestAParticipantHasFewAddressesForItsReaders(t *testing.T) {
	s := meet(t, wire.VendorEProsima)
	w, err := s.core.newWriter(WriterConfig{Topic: "rt/t", Type: "T", QoS: QoS{Depth: 10}}, s.now)
	if err != nil {
		t.Fatal(err)
	}
	s.send(wire.Heartbeat{Writer: wire.EntitySubscriptionsWriter, First: 1, Last: 0, Count: 1})
	for n := range 300 {
		s.subscribe(n, false, uint16(20_000+n))
	}
	s.datagrams(w, time.Second)
	s.write(t, w, 100)
	if n, _ := s.datagrams(w, 0); n > maxDestinations+1 {
		t.Errorf("%d datagrams for a sample to one participant with 300 ports; want %d", n, maxDestinations+1)
	}
	s.check(t)
}

func TestAllWritersTogetherKeepNoMoreThanTheirShareForWhoDoesNotAcknowledge(t *testing.T) {
	s, first := subscribed(t, 3)
	s.core.cfg.Limits.Unacknowledged = 3 << 20
	all := []*localWriter{first}
	for range 7 {
		w, err := s.core.newWriter(first.cfg, s.now)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, w)
	}
	for range 20 {
		for _, w := range all {
			s.write(t, w, 200_000)
		}
		s.advance(100 * time.Millisecond)
	}
	if held := s.core.held; held > 3<<20+len(all)*200_000 {
		t.Errorf("%d octets are kept", held)
	}
	for _, w := range all {
		if w.hist.len() == 0 {
			t.Error("a writer keeps nothing")
		}
	}
	s.check(t)
	s.send(s.farewell())
	if s.core.held != 0 {
		t.Errorf("%d octets are kept for nobody", s.core.held)
	}
}
