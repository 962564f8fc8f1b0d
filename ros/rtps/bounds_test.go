package rtps

import (
	"testing"
	"time"

	"simdeck/ros/rtps/wire"
)

func TestBuffersKeepFew(t *testing.T) {
	var p buffers
	for i := range 1000 {
		p.put(make([]byte, 1<<(i%26)))
	}
	octets := 0
	for _, b := range p.free {
		octets += cap(b)
	}
	if len(p.free) > maxFree || octets > maxFreeOctets || octets != p.octets {
		t.Errorf("%d buffers of %d octets, booked %d", len(p.free), octets, p.octets)
	}
	before := len(p.free)
	if p.put(make([]byte, maxFreeOctets+1)); len(p.free) != before {
		t.Error("a huge one is kept")
	}
	if b := p.get(1000); len(b) != 1000 || cap(b) > 4*1000+256 {
		t.Errorf("%d of %d octets for 1000", len(b), cap(b))
	}
}

// described announces an endpoint with so much user data.
func (s *foreignPeer) described(e wire.EntityID, sn wire.SequenceNumber, userData int) {
	w := wire.EntityID(wire.EntitySubscriptionsWriter)
	if e.IsWriter() {
		w = wire.EntityPublicationsWriter
	}
	d := wire.EndpointData{GUID: s.guid(e), Topic: "rt/t", Type: "T", QoS: wireReliable,
		UserData: make([]byte, userData)}
	s.send(wire.Data{Writer: w, SN: sn, Content: wire.ContentData, Payload: d.Append(nil)})
}

func TestWhatEndpointsSayOfThemselvesIsBounded(t *testing.T) {
	s := meet(t, wire.VendorEProsima)
	s.core.cfg.Limits.Discovery = 400_000 // a quarter of it for one
	s.send(wire.Heartbeat{Writer: wire.EntitySubscriptionsWriter, First: 1, Last: 0, Count: 1})
	for i := range wire.SequenceNumber(30) {
		s.described(wire.EntityID(i+1)<<8|wire.KindUserReader, i+1, 9000)
	}
	p := s.core.spdp.peers[s.prefix]
	if n := len(p.endpoints); n != 10 || s.core.sedp.known != p.budget.known || p.budget.known > 100_000 ||
		s.core.stats.Refused != 20 {
		t.Errorf("%d endpoints, %d octets, in all %d, %d refused", n, p.budget.known, s.core.sedp.known,
			s.core.stats.Refused)
	}
	for i := range wire.SequenceNumber(5) { // the same GUIDs, other contents
		s.described(wire.EntityID(i+1)<<8|wire.KindUserReader, i+31, 1000)
	}
	if n := len(p.endpoints); n != 10 || s.core.sedp.known > 70_000 {
		t.Errorf("%d endpoints, %d octets after some have shrunk", n, s.core.sedp.known)
	}
	s.send(s.farewell())
	if s.core.sedp.known != 0 || len(s.core.sedp.remotes) != 0 {
		t.Errorf("%d octets of nobody", s.core.sedp.known)
	}
}

func TestOneParticipantMatchesAnEndpointSoOftenAtMost(t *testing.T) {
	s := meet(t, wire.VendorEProsima)
	w, err := s.core.newWriter(WriterConfig{Topic: "rt/t", Type: "T",
		QoS: QoS{Reliability: Reliable, Depth: 1}}, s.now)
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.core.newReader(ReaderConfig{Topic: "rt/t", Type: "T",
		QoS: QoS{Reliability: Reliable, Depth: 1}}, s.now)
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range []wire.EntityID{wire.KindUserReader, wire.KindUserWriter} {
		from := wire.EntityID(wire.EntitySubscriptionsWriter)
		if kind == wire.KindUserWriter {
			from = wire.EntityPublicationsWriter
		}
		s.send(wire.Heartbeat{Writer: from, First: 1, Last: 0, Count: 1})
		for i := range wire.SequenceNumber(maxMatches + 50) {
			s.described(wire.EntityID(i+1)<<8|kind, i+1, 0)
		}
	}
	if len(w.order) != maxMatches || len(r.order) != maxMatches ||
		len(s.core.sedp.remotes) != 2*(maxMatches+50) {
		t.Errorf("%d readers and %d writers of one participant, %d known", len(w.order), len(r.order),
			len(s.core.sedp.remotes))
	}
}

func TestAQueueHoldsNoMoreOctetsThanItsLimit(t *testing.T) {
	for _, q := range []QoS{{Depth: 100}, {Reliability: Reliable}} {
		s := meet(t, wire.VendorEProsima)
		s.core.cfg.Limits.HistoryBytes = 10_000
		r, err := s.core.newReader(ReaderConfig{Topic: "rt/t", Type: "T", QoS: q}, s.now)
		if err != nil {
			t.Fatal(err)
		}
		s.endpoint(theirWriter, wireReliable)
		s.send(wire.Heartbeat{Writer: theirWriter, First: 1, Last: 0, Count: 1})
		for i := range wire.SequenceNumber(50) {
			s.send(wire.Data{Writer: theirWriter, SN: i + 1, Content: wire.ContentData,
				Payload: make([]byte, 1000)})
		}
		if r.queue.n != 10 || r.queue.octets != 10_000 {
			t.Errorf("reliability %d: %d samples of %d octets wait", q.Reliability, r.queue.n, r.queue.octets)
		}
		got := 0
		for {
			x, ok := s.core.take(r, s.now)
			if !ok {
				break
			}
			if got++; r.lossless() && x.SN != wire.SequenceNumber(got) {
				t.Errorf("sample %d is number %d", x.SN, got)
			}
		}
		if want := map[bool]int{false: 10, true: 50}[r.lossless()]; got != want || r.queue.octets != 0 {
			t.Errorf("reliability %d: %d samples, want %d", q.Reliability, got, want)
		}
		s.check(t)
	}
}

func TestWatchesAreNotToldOfEveryChange(t *testing.T) {
	c, err := NewCore(Config{Prefix: wire.GUIDPrefix{1}})
	if err != nil {
		t.Fatal(err)
	}
	now := time.Unix(100, 0)
	told := 0
	for range 1000 {
		if c.watch.mayTell(now) {
			told++
		}
		now = now.Add(100 * time.Microsecond)
	}
	if told != 20 {
		t.Errorf("told %d times in 100 ms of changes", told)
	}
	if at, ok := c.Deadline(); !ok || at.Sub(now) > tellPause {
		t.Errorf("the last change is told at %v, %v", at, ok)
	}
}

func TestASampleThatHasBegunTakesNoMoreMemoryThanHasComeOfIt(t *testing.T) {
	s := meet(t, wire.VendorEProsima)
	for _, q := range []QoS{{Reliability: Reliable, Depth: 10}, {Depth: 10}} {
		if _, err := s.core.newReader(ReaderConfig{Topic: "rt/t", Type: "T", QoS: q}, s.now); err != nil {
			t.Fatal(err)
		}
	}
	s.endpoint(theirWriter, wireReliable)
	s.send(wire.Heartbeat{Writer: theirWriter, First: 1, Last: 1, Count: 1})
	const size = 60 << 20
	fragment := func(sn wire.SequenceNumber, n uint32, each int) {
		s.send(wire.DataFrag{Writer: theirWriter, SN: sn, Start: n, Count: 1, Size: uint16(each),
			SampleSize: size, Payload: make([]byte, min(each, size-int(n-1)*each))})
	}
	for sn := wire.SequenceNumber(1); sn <= 16; sn++ {
		fragment(sn, 1, 1344)
		fragment(sn, 40_000, 1344) // far beyond
		fragment(sn+100, 1, 1)     // in sixty million fragments
	}
	if most := 2 * 16 * firstPart; s.core.reorder.partial > most {
		t.Errorf("%d octets wait for samples of which little has come; want %d", s.core.reorder.partial, most)
	}
	s.check(t)
	const each = 50_000
	total := uint32((size + each - 1) / each)
	for n := uint32(1); n <= total; n++ {
		fragment(200, n, each)
	}
	for _, r := range s.core.local.readers {
		if !r.builtin && r.cfg.QoS.Reliability == BestEffort && r.stats.Received != 1 {
			t.Error("a large sample that comes in its order does not arrive")
		}
	}
	s.check(t)
}

// A crowd of readers of one participant shares a rate, and holds up few samples.
func TestACrowdOfReadersCostsLittle(t *testing.T) {
	for _, c := range []struct {
		readers int
		crowded bool
	}{{200, false}, {300, true}} { // on each of two writers
		s, one := subscribed(t, c.readers)
		two, err := s.core.newWriter(one.cfg, s.now)
		if err != nil {
			t.Fatal(err)
		}
		for n := range c.readers {
			s.confirm(two, n)
		}
		s.advance(time.Second)
		octets, most := 0, 0
		const size, seconds = 500_000, 2
		for range seconds * 50 {
			s.write(t, one, size)
			s.write(t, two, size)
			_, n := s.datagrams(one, 10*time.Millisecond)
			_, m := s.datagrams(two, 10*time.Millisecond)
			octets += n + m
			most = max(most, s.core.held)
		}
		if c.crowded && (octets > seconds*10_000_000 || octets < 1_000_000 || most > crowdHeld+3*size) {
			t.Errorf("%d readers on two topics get %d octets in %d s, and hold %d", c.readers, octets, seconds, most)
		}
		if !c.crowded && octets < seconds*20_000_000 {
			t.Errorf("%d readers on two topics get %d octets in %d s", c.readers, octets, seconds)
		}
		s.check(t)
		if s.send(s.farewell()); s.core.held != 0 {
			t.Errorf("%d octets are kept for nobody", s.core.held)
		}
	}
}
