package rtps

import (
	"slices"
	"testing"
	"time"

	"simdeck/ros/rtps/wire"
)

// sparing is a reader of a Fast DDS writer that sends no HEARTBEAT with its samples, and has said once that
// there are none.
func sparing(t *testing.T) (*foreignPeer, *localReader) {
	t.Helper()
	s := meet(t, wire.VendorEProsima)
	r, err := s.core.newReader(ReaderConfig{Topic: "rt/t", Type: "T",
		QoS: QoS{Reliability: Reliable, Depth: 100}}, s.now)
	if err != nil {
		t.Fatal(err)
	}
	s.endpoint(theirWriter, wireReliable)
	s.send(wire.Heartbeat{Writer: theirWriter, First: 1, Last: 0, Count: 1})
	s.advance(50 * time.Millisecond)
	return s, r
}

func (s *foreignPeer) sample(sn wire.SequenceNumber) {
	s.send(wire.Data{Writer: theirWriter, SN: sn, Content: wire.ContentData, Payload: someData})
}

// asked are the numbers that the ACKNACKs of some time ask for.
func (s *foreignPeer) asked(d time.Duration) (sns []wire.SequenceNumber) {
	for _, a := range of[wire.AckNack](s.advance(d)) {
		for sn := a.State.Base; sn < a.State.End(); sn++ {
			if a.State.Contains(sn) {
				sns = append(sns, sn)
			}
		}
	}
	return sns
}

func TestALostSampleIsAskedForWithoutAHeartbeat(t *testing.T) {
	s, r := sparing(t)
	s.sample(1)
	s.sample(3)
	s.sample(5)
	if got := s.asked(earlyNackPause - time.Microsecond); got != nil {
		t.Errorf("%v asked for at once: they may be on the way", got)
	}
	if got := s.asked(time.Millisecond); !slices.Equal(got, []wire.SequenceNumber{2, 4}) {
		t.Errorf("asked for %v, want 2 and 4", got)
	}
	s.sample(2)
	s.sample(4)
	if r.queue.n != 5 {
		t.Errorf("%d samples delivered, want all five", r.queue.n)
	}
	if got := s.asked(10 * time.Second); got != nil {
		t.Errorf("%v asked for when nothing was missing", got)
	}
}

func TestASampleThatOvertakesAnotherCostsNothing(t *testing.T) {
	s, r := sparing(t)
	s.sample(2)
	s.advance(3 * time.Millisecond)
	s.sample(1)
	if got := s.asked(time.Second); got != nil || r.queue.n != 2 {
		t.Errorf("asked for %v, %d samples here", got, r.queue.n)
	}
}

func TestAWriterThatDoesNotAnswerIsAskedLessAndLess(t *testing.T) {
	s, _ := sparing(t)
	s.sample(2)
	for _, c := range []struct {
		within time.Duration
		want   int
	}{{100 * time.Millisecond, 3}, {900 * time.Millisecond, 3}, {9 * time.Second, 14}} {
		if got := len(s.asked(c.within)); got < c.want-1 || got > c.want+1 {
			t.Errorf("asked %d times in %v, want about %d", got, c.within, c.want)
		}
		s.announce(20 * time.Second)
	}
	s.sample(1)
	s.sample(4)
	if got := s.asked(earlyNackPause + time.Millisecond); !slices.Equal(got, []wire.SequenceNumber{3}) {
		t.Errorf("a new hole: asked for %v, want 3 as soon as at first", got)
	}
}

func TestAHoleOfWhichFragmentsArriveIsLeftToTheirRepair(t *testing.T) {
	s, _ := sparing(t)
	s.send(wire.DataFrag{Writer: theirWriter, SN: 1, Start: 1, Count: 1, Size: 1000, SampleSize: 2000,
		Payload: make([]byte, 1000)})
	s.sample(2)
	if got := s.asked(40 * time.Millisecond); got != nil {
		t.Errorf("%v asked for whole, half of it is here", got)
	}
}

// TestAMatchThatBeginsAnewCountsOn: Fast DDS ignores an ACKNACK whose count is not above those of the match
// before. It would take nothing for acknowledged, and send nothing, until the counts had caught up.
func TestAMatchThatBeginsAnewCountsOn(t *testing.T) {
	s, r := sparing(t)
	counts := func(sent []wire.AckNack) (all []uint32) {
		for _, a := range sent {
			if a.Writer == theirWriter {
				all = append(all, a.Count)
			}
		}
		return all
	}
	var before []uint32
	for n := range wire.SequenceNumber(20) {
		s.sample(n + 1)
		s.send(wire.Heartbeat{Writer: theirWriter, First: 1, Last: n + 1, Count: uint32(2 + n)})
		before = append(before, counts(of[wire.AckNack](s.advance(50*time.Millisecond)))...)
	}
	s.core.sedp.dropEndpoint(s.core.sedp.remotes[s.guid(theirWriter)])
	s.endpoint(theirWriter, wireReliable)
	after := counts(of[wire.AckNack](s.advance(50 * time.Millisecond)))
	if len(r.order) != 1 || len(before) < 20 || len(after) == 0 {
		t.Fatalf("%d writers matched; counts %v before, %v after", len(r.order), before, after)
	}
	if most := slices.Max(before); after[0] <= most {
		t.Errorf("the first count after is %d, want above %d", after[0], most)
	}
}

// TestWhatAHeartbeatShowsIsAskedForUntilItComes: Fast DDS ignores the first ACKNACK within the milliseconds
// after it has sent the sample, which came before its writer was known here.
func TestWhatAHeartbeatShowsIsAskedForUntilItComes(t *testing.T) {
	s, r := sparing(t)
	s.send(wire.Heartbeat{Writer: theirWriter, First: 1, Last: 2, Count: 2})
	for _, c := range []struct {
		within time.Duration
		want   int
	}{{10 * time.Millisecond, 1}, {time.Second, 5}, {10 * time.Second, 16}} {
		asked := 0
		for _, a := range of[wire.AckNack](s.advance(c.within)) {
			if a.State.Contains(1) && a.State.Contains(2) {
				asked++
			}
		}
		if asked < c.want-1 || asked > c.want+1 {
			t.Errorf("asked %d times in %v, want about %d", asked, c.within, c.want)
		}
		s.announce(20 * time.Second)
	}
	s.sample(1)
	s.sample(2)
	if got := s.asked(10 * time.Second); got != nil || r.queue.n != 2 {
		t.Errorf("asked for %v when nothing was missing; %d samples here", got, r.queue.n)
	}
}
