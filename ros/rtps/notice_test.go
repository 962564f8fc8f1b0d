package rtps

import (
	"strings"
	"testing"
	"time"

	"simdeck/ros/rtps/wire"
)

func TestWhoIsRefusedSomethingIsNamedOnceInAWhile(t *testing.T) {
	s, w := subscribed(t, 1)
	s.core.cfg.Limits.Endpoints = maxMatches + 100
	announce := func(from, to int) {
		for n := from; n < to; n++ {
			s.subscribe(n, false)
		}
	}
	announce(1, maxMatches+200)
	if len(w.order) != maxMatches {
		t.Fatalf("%d readers", len(w.order))
	}
	var said []string
	for _, n := range s.core.notices.all {
		if n.Participant != s.prefix || n.From != strangerAddress || n.Fault != nil {
			t.Errorf("it is not said who: %+v", n)
		}
		said = append(said, n.Limit+" "+n.Topic)
	}
	if got, want := strings.Join(said, "; "),
		"512 readers of one participant on one topic rt/t; 612 readers and writers of one participant "; got != want {
		t.Errorf("said: %s; want: %s", got, want)
	}
	s.core.notices.all = nil
	announce(maxMatches+200, maxMatches+300)
	if n := len(s.core.notices.all); n != 0 {
		t.Errorf("said again at once, %d times", n)
	}
	for n := range 100 { // one each second is refused something else, by many names
		s.prefix[5] = byte(100 + n)
		s.now = s.now.Add(time.Second)
		s.core.notices.refuse(&peer{guid: s.guid(wire.EntityParticipant)}, strangerAddress, 1, "things", "",
			s.now)
	}
	if n := len(s.core.notices.all); n > maxNotices {
		t.Errorf("%d notices wait, want at most %d", n, maxNotices)
	}
}

func TestAPanicThatADatagramBringsToLightIsToldWithIt(t *testing.T) {
	s := meet(t, wire.VendorEProsima)
	if _, err := s.core.newReader(ReaderConfig{Topic: "rt/t", Type: "T"}, s.now); err != nil {
		t.Fatal(err)
	}
	s.endpoint(theirWriter, wireReliable)
	s.core.local.inbound[s.guid(theirWriter)][0] = nil // a fault of ours, injected
	b := wire.Header{Version: wire.Version, Vendor: s.vendor, Prefix: s.prefix}.Append(nil)
	b = wire.Data{Writer: theirWriter, SN: 7, Content: wire.ContentData,
		Payload: make([]byte, 3000)}.Append(b)
	for range 1000 {
		s.core.Receive(b, strangerAddress, s.now)
	}
	if n := s.core.stats.Panics; n != 1000 {
		t.Errorf("%d panics are counted", n)
	}
	if n := len(s.core.notices.all); n == 0 || n > noticeBurst {
		t.Fatalf("%d are told of, want 1 to %d", n, noticeBurst)
	}
	n := s.core.notices.all[0]
	f := n.Fault
	if f == nil || n.From != strangerAddress || n.Participant != s.prefix || !n.At.Equal(s.now) {
		t.Fatalf("told: %+v", n)
	}
	if f.Size != len(b) || string(f.Datagram) != string(b[:faultOctets]) ||
		!strings.Contains(f.Value, "nil pointer") ||
		!strings.Contains(string(f.Stack), "onData") {
		t.Errorf("told: %d octets, %d kept, %q, stack %s", f.Size, len(f.Datagram), f.Value, f.Stack)
	}
	s.count = 0
	s.endpoint(theirReader, wireReliable)
	if len(s.core.sedp.remotes) != 2 {
		t.Error("nothing is taken in any more")
	}
}

func TestAPanicInWhatIsToBeSentEndsThatAlone(t *testing.T) {
	s, w := subscribed(t, 3)
	w.order[1].task.run = func(time.Time) { panic("injected") }
	for range 5 {
		s.write(t, w, 100)
		if n, _ := s.datagrams(w, time.Millisecond); n == 0 {
			t.Error("the other readers get nothing any more")
		}
		s.confirmAll(w, 3)
	}
	if n := s.core.stats.Panics; n != 1 || len(s.core.notices.all) != 1 ||
		s.core.notices.all[0].Fault.Size != 0 {
		t.Errorf("%d faults, %d told", n, len(s.core.notices.all))
	}
}
