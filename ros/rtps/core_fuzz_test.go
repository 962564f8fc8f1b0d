package rtps

import (
	"bytes"
	"slices"
	"testing"
	"time"

	"simdeck/ros/netsim"
	"simdeck/ros/rtps/wire"
)

// captured reads the datagrams that real participants sent.
func captured(t testing.TB) [][]byte {
	t.Helper()
	all, err := netsim.Captures("wire/testdata/captures/*")
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// matched is a core that is matched with a foreign peer's reliable and best-effort endpoints.
func matched(t *testing.T) *foreignPeer {
	t.Helper()
	s := meet(t, wire.VendorEProsima)
	s.core.cfg.Limits.SampleBytes, s.core.reorder.limit = 1<<20, 2<<20
	for _, q := range []QoS{{Reliability: Reliable}, {Depth: 2},
		{Reliability: Reliable, Durability: TransientLocal, Depth: 3}} {
		w, err := s.core.newWriter(WriterConfig{Topic: "rt/t", Type: "T", QoS: q}, s.now)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.core.newReader(ReaderConfig{Topic: "rt/t", Type: "T", QoS: q, Queue: 4},
			s.now); err != nil {
			t.Fatal(err)
		}
		for _, n := range []int{8, 5000, 100} {
			if _, err := s.core.write(w, make([]byte, n), &WriteOptions{}, s.now); err != nil {
				t.Fatal(err)
			}
		}
	}
	s.endpoint(theirWriter, wireLatched)
	s.endpoint(0x303, wire.EndpointQoS{Reliability: wire.ReliabilityBestEffort})
	s.count = 0
	s.endpoint(theirReader, wireLatched)
	s.endpoint(0x304, wire.EndpointQoS{Reliability: wire.ReliabilityBestEffort})
	s.advance(10 * time.Millisecond)
	return s
}

// FuzzReceive throws datagrams at a core: several in a row, from a participant that it knows. For any input,
// the core must not panic, must keep its invariants, and must not hold more than its limits allow.
func FuzzReceive(f *testing.F) {
	for _, b := range captured(f) {
		if len(b) < 2000 && len(b) > wire.HeaderSize {
			f.Add(b[wire.HeaderSize:])
		}
	}
	beat := wire.Heartbeat{Writer: theirWriter, First: 1, Last: 5, Count: 2}
	frag := wire.DataFrag{Writer: theirWriter, SN: 2, Start: 1, Count: 1, Size: 4, SampleSize: 12,
		Payload: someData[:4]}
	f.Add(frag.Append(beat.Append(nil)))
	f.Add(wire.Gap{Writer: theirWriter, Start: 1, List: wire.SequenceNumberSet{Base: 9}}.Append(nil))
	f.Add(wire.AckNack{Reader: theirReader, Writer: 0x103, State: wire.SequenceNumberSet{Base: 1},
		Count: 9}.Append(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		s := matched(t)
		header := wire.Header{Version: wire.Version, Vendor: s.vendor, Prefix: s.prefix}.Append(nil)
		for part := range bytes.SplitSeq(b, []byte("\xff\xff\xff\xfe")) {
			s.core.receiver.receive(append(bytes.Clone(header), part...), strangerAddress, s.now)
			s.advance(3 * time.Millisecond)
		}
		s.advance(time.Second)
		s.core.receiver.receive(b, strangerAddress, s.now)
		s.check(t)
	})
}

// check goes through the core's books.
func (s *foreignPeer) check(t *testing.T) {
	t.Helper()
	c := s.core
	partial := 0
	for _, r := range c.local.readers {
		for _, w := range r.order {
			for _, p := range w.partial {
				partial += len(p.buf)
			}
			for _, h := range w.ahead {
				partial += len(h.octets())
			}
			if len(w.ahead) > window {
				t.Errorf("%d samples held, window is %d", len(w.ahead), window)
			}
			if c.spdp.peers[w.peer.guid.Prefix] != w.peer {
				t.Error("matched with a writer of nobody")
			}
		}
		if r.queue.n > r.queue.limit && !r.builtin {
			t.Errorf("queue of %d holds %d", r.queue.limit, r.queue.n)
		}
	}
	if partial != c.reorder.partial || partial > c.reorder.limit {
		t.Errorf("%d octets in part, booked %d, limit %d", partial, c.reorder.partial,
			c.reorder.limit)
	}
	held := 0
	for _, w := range c.local.writers {
		bytes := 0
		for _, h := range w.hist.from(0) {
			bytes += h.size()
		}
		if !w.keeps() {
			held += bytes
		}
		if bytes != w.hist.bytes {
			t.Errorf("history holds %d octets, booked %d", bytes, w.hist.bytes)
		}
		for _, p := range w.order {
			if p.acked > w.last || p.next > w.last+1 || p.acked >= p.next && w.last > 0 {
				t.Errorf("reader %v: acknowledged %d, next %d, of %d", p.guid, p.acked, p.next, w.last)
			}
			if !slices.Contains(w.audiences[p.peer].readers, p) {
				t.Errorf("reader %v is not in its audience", p.guid)
			}
		}
	}
	if held != c.held {
		t.Errorf("histories of volatile writers hold %d octets, booked %d", held, c.held)
	}
}

func TestCapturedTrafficIsTakenIn(t *testing.T) {
	c, err := NewCore(Config{Prefix: wire.GUIDPrefix{1}})
	if err != nil {
		t.Fatal(err)
	}
	now := time.Unix(1_700_000_000, 0)
	for range 2 {
		for _, b := range captured(t) {
			c.receiver.receive(b, strangerAddress, now)
			c.Advance(now)
			now = now.Add(time.Millisecond)
		}
	}
	if c.stats.Malformed != 0 || len(c.spdp.peers) == 0 {
		t.Errorf("%d malformed, %d participants", c.stats.Malformed, len(c.spdp.peers))
	}
}
