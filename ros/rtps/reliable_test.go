package rtps_test

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"simdeck/ros/netsim"
	"simdeck/ros/rtps"
	"simdeck/ros/rtps/wire"
)

func TestTenThousandSamplesArriveInOrderOverABadNetwork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, netsim.Faults{Delay: time.Millisecond, Jitter: time.Millisecond, Loss: 0.2,
			Duplicate: 0.05})
		defer w.end()
		a, b := w.join("a"), w.join("b")
		x, r := w.writer(a, keepAll), w.reader(b, keepAll)
		w.until(10*time.Second, "matched", ready(r, 1))
		const n = 10000
		var got []int
		for i := 1; i <= n; i++ {
			w.write(x, i)
			if i%10 == 0 {
				time.Sleep(10 * time.Millisecond)
				got = append(got, taken(r)...)
			}
		}
		w.until(time.Minute, "all arrive", func() bool {
			got = append(got, taken(r)...)
			return len(got) >= n
		})
		if !slices.Equal(got, numbers(1, n)) {
			t.Errorf("%d samples, not 1 to %d in order", len(got), n)
		}
		if s := b.Stats(); s.Duplicates == 0 || s.Lost != 0 || s.Dropped != 0 {
			t.Errorf("%+v", s)
		}
		if s := a.Stats(); s.Resent > n {
			t.Errorf("%d samples sent again, for 20 %% of %d lost", s.Resent, n)
		}
		w.until(10*time.Second, "acknowledged", func() bool { return x.Acked(n) })
	})
}

func TestAStuckReaderDoesNotHoldTheWriter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, netsim.Faults{Delay: time.Millisecond})
		defer w.end()
		a, b, c := w.join("a"), w.join("b"), w.join("c")
		x, stuck, fine := w.writer(a, reliable), w.reader(b, keepAll), w.reader(c, keepAll)
		w.until(time.Second, "matched", ready(x, 2))
		w.SetLinkFaults("b", "a", netsim.Faults{Loss: 1}) // b hears, but is not heard
		var got []int
		for i := 1; i <= 2000; i++ {
			w.write(x, i)
			time.Sleep(time.Millisecond)
			got = append(got, taken(fine)...)
		}
		time.Sleep(100 * time.Millisecond)
		if got = append(got, taken(fine)...); !slices.Equal(got, numbers(1, 2000)) {
			t.Errorf("the other reader got %d samples, not 1 to 2000", len(got))
		}
		time.Sleep(time.Second)
		if x.Stats().Overwritten == 0 {
			t.Error("a history of 10 held 2000 unacknowledged samples")
		}
		if got := taken(stuck); len(got) < 200 || !slices.IsSorted(got) {
			t.Errorf("the stuck reader got %d", len(got))
		}
	})
}

func TestALosslessReaderHoldsTheWriterBackAndLosesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, netsim.Faults{Delay: time.Millisecond, Loss: 0.05})
		defer w.end()
		a, b := w.join("a"), w.join("b")
		x := w.writer(a, keepAll)
		r, err := b.NewReader(rtps.ReaderConfig{Topic: topic, Type: strMsg, QoS: keepAll, Queue: 3})
		if err != nil {
			t.Fatal(err)
		}
		w.until(time.Second, "matched", ready(r, 1))
		w.write(x, numbers(1, 500)...)
		time.Sleep(10 * time.Second)
		var got []int
		w.until(10*time.Second, "all arrive", func() bool {
			got = append(got, taken(r)...)
			return len(got) >= 500
		})
		if !slices.Equal(got, numbers(1, 500)) || r.Stats().Dropped != 0 {
			t.Errorf("got %d samples, %+v", len(got), r.Stats())
		}
	})
}

func TestAFullQueueOfAKeepLastReaderLosesTheOldest(t *testing.T) {
	for _, q := range []rtps.QoS{best, reliable} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(t, netsim.Faults{})
			defer w.end()
			x := w.writer(w.join("a"), reliable)
			q.Depth = 3
			r := w.reader(w.join("b"), q)
			w.until(time.Second, "matched", ready(x, 1))
			for i := range 10 {
				w.write(x, i)
				time.Sleep(time.Millisecond)
			}
			time.Sleep(time.Second)
			w.expect(r, 7, 8, 9)
			if s := r.Stats(); s.Dropped != 7 || s.Received != 10 {
				t.Errorf("%+v", s)
			}
		})
	}
}

func TestALateReaderGetsWhatIsKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, netsim.Faults{Delay: time.Millisecond, Loss: 0.3})
		defer w.end()
		x := w.writer(w.join("a"), latched)
		w.write(x, numbers(1, 9)...)
		late, volatile := w.reader(w.join("b"), latched), w.reader(w.join("c"), reliable)
		w.until(10*time.Second, "matched",
			func() bool { return ready(late, 1)() && ready(volatile, 1)() && ready(x, 2)() })
		time.Sleep(5 * time.Second)
		w.expect(late, 5, 6, 7, 8, 9)
		w.write(x, 10)
		time.Sleep(5 * time.Second)
		w.expect(late, 10)
		w.expect(volatile, 10)
	})
}

func TestNothingWrittenAfterTheMatchIsLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, netsim.Faults{Delay: 5 * time.Millisecond, Loss: 0.3})
		defer w.end()
		x := w.writer(w.join("a"), reliable)
		r := w.reader(w.join("b"), reliable)
		w.until(10*time.Second, "matched", func() bool { return len(x.Matches()) == 1 })
		w.write(x, 1, 2, 3) // before the reader has answered
		time.Sleep(10 * time.Second)
		w.expect(r, 1, 2, 3)
	})
}

func TestASampleForOneParticipantReachesNobodyElse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, netsim.Faults{Delay: time.Millisecond, Loss: 0.2})
		defer w.end()
		a, b, c := w.join("a"), w.join("b"), w.join("c")
		x, rb, rc := w.writer(a, keepAll), w.reader(b, keepAll), w.reader(c, keepAll)
		w.until(10*time.Second, "matched", ready(x, 2))
		request := wire.SampleIdentity{Writer: rb.GUID(), SN: 77}
		to := b.GUID().Prefix
		if _, err := x.Write(number(1), rtps.WriteOptions{To: &to, Related: &request}); err != nil {
			t.Fatal(err)
		}
		w.write(x, 2)
		time.Sleep(5 * time.Second)
		first, ok := rb.Take()
		if !ok || first.Related != request || first.SN != 1 || first.Writer != x.GUID() ||
			first.SourceTime.IsZero() {
			t.Errorf("got %+v", first)
		}
		w.expect(rb, 2)
		w.expect(rc, 2)
		if s := rc.Stats(); s.Lost != 0 {
			t.Errorf("a sample for another counts as lost: %+v", s)
		}
		if x.MatchedIn(to) != 1 || x.MatchedIn(a.GUID().Prefix) != 0 {
			t.Error("MatchedIn")
		}
	})
}

func TestABusyReaderDoesNotPushOutWhatIsForASlowOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, netsim.Faults{Delay: time.Millisecond})
		defer w.end()
		a, b, c := w.join("a"), w.join("b"), w.join("c")
		x, slow, busy := w.writer(a, reliable), w.reader(b, reliable), w.reader(c, reliable)
		w.until(time.Second, "matched", ready(x, 2))
		w.Partition([]string{"a", "c"}, []string{"b"})
		to := func(p *rtps.Participant, n int) {
			prefix := p.GUID().Prefix
			if _, err := x.Write(number(n), rtps.WriteOptions{To: &prefix}); err != nil {
				t.Fatal(err)
			}
			time.Sleep(2 * time.Millisecond)
		}
		to(b, 1)
		var got []int
		for i := range 300 { // thirty times the depth
			to(c, i)
			got = append(got, taken(busy)...)
		}
		for i := 2; i <= reliable.Depth; i++ {
			to(b, i)
		}
		w.Heal()
		w.until(5*time.Second, "what was for the slow one",
			func() bool { return x.Acked(wire.SequenceNumber(x.Stats().Written)) })
		w.expect(slow, numbers(1, reliable.Depth)...)
		if got = append(got, taken(busy)...); !slices.Equal(got, numbers(0, 299)) ||
			x.Stats().Overwritten != 0 {
			t.Errorf("the busy one got %d of 300; %d overwritten", len(got), x.Stats().Overwritten)
		}
		w.Partition([]string{"a", "c"}, []string{"b"})
		for i := range 3 * reliable.Depth {
			to(b, 100+i)
		}
		if n := x.Stats().Overwritten; n != uint64(2*reliable.Depth) {
			t.Errorf("of %d that one does not take %d are overwritten, want all but %d", 3*reliable.Depth, n,
				reliable.Depth)
		}
	})
}

func TestPeersWithoutTypeHashesGetTheOtherForm(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, netsim.Faults{Delay: time.Millisecond})
		defer w.end()
		x := w.writer(w.join("a"), latched)
		if _, err := x.Write(number(16), rtps.WriteOptions{Untyped: number(24)}); err != nil {
			t.Fatal(err)
		}
		typed := w.reader(w.join("jazzy"), latched)
		untyped, err := w.join("humble").NewReader(rtps.ReaderConfig{Topic: topic, Type: strMsg,
			QoS: latched})
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(5 * time.Second)
		w.expect(typed, 16)
		w.expect(untyped, 24)
	})
}

func TestOldSamplesAreNotSentAfterTheirLifespan(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, netsim.Faults{Delay: time.Millisecond})
		defer w.end()
		q := latched
		q.Lifespan = 10 * time.Second
		x := w.writer(w.join("a"), q)
		w.write(x, 1)
		time.Sleep(9 * time.Second)
		w.write(x, 2)
		time.Sleep(2 * time.Second)
		r := w.reader(w.join("b"), latched)
		time.Sleep(2 * time.Second)
		w.write(x, 3)
		time.Sleep(2 * time.Second)
		w.expect(r, 2, 3)
	})
}

func TestBestEffortDeliversInRisingOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, netsim.Faults{Delay: time.Millisecond, Loss: 0.2, Duplicate: 0.2, Reorder: 0.2})
		defer w.end()
		x := w.writer(w.join("a"), best)
		r, err := w.join("b").NewReader(rtps.ReaderConfig{Topic: topic, Type: strMsg, QoS: best, Queue: 1000})
		if err != nil {
			t.Fatal(err)
		}
		w.until(10*time.Second, "matched", ready(x, 1))
		for i := range 1000 {
			w.write(x, i)
			time.Sleep(time.Millisecond)
		}
		time.Sleep(time.Second)
		got := taken(r)
		if len(got) < 500 || len(got) > 900 || !slices.IsSorted(got) ||
			len(slices.Compact(slices.Clone(got))) != len(got) {
			t.Errorf("%d samples of 1000, rising %v", len(got), slices.IsSorted(got))
		}
		if r.Stats().Lost == 0 {
			t.Error("no loss counted")
		}
	})
}

func TestEndpointsOfOneParticipantMatchWithoutTheNetwork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, netsim.Faults{Loss: 1})
		defer w.end()
		p := w.join("a")
		x := w.writer(p, latched)
		w.write(x, 1)
		late, r := w.reader(p, latched), w.reader(p, best)
		w.write(x, 2)
		w.expect(late, 1, 2)
		w.expect(r, 2)
		if m, ok := x.Matched(r.GUID()); !m || !ok || len(x.Matches()) != 2 || x.Stats().Matched != 2 ||
			len(r.Matches()) != 1 {
			t.Errorf("matches %v, %v", x.Matches(), r.Matches())
		}
		r.Close()
		if _, open := <-r.Ready(); open {
			<-r.Ready()
		}
		w.write(x, 3)
		if _, err := r.Receive(t.Context()); err != rtps.ErrClosed {
			t.Errorf("a closed reader: %v", err)
		}
		w.expect(late, 3)
	})
}

func TestAReaderWaitsForSamples(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, netsim.Faults{Delay: time.Millisecond})
		defer w.end()
		x, r := w.writer(w.join("a"), reliable), w.reader(w.join("b"), reliable)
		w.until(time.Second, "matched", ready(x, 1))
		go func() {
			time.Sleep(3 * time.Second)
			w.write(x, 42)
		}()
		s, err := r.Receive(t.Context())
		if err != nil || s.Payload[4] != 42 ||
			s.Received.Sub(s.SourceTime).Round(time.Millisecond) != time.Millisecond {
			t.Errorf("%+v: %v", s, err)
		}
	})
}

func TestAReaderThatFallsSilentCostsNoTraffic(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, netsim.Faults{Delay: time.Millisecond})
		defer w.end()
		a, b := w.join("a"), w.join("b")
		x, r := w.writer(a, reliable), w.reader(b, reliable)
		w.until(time.Second, "matched", ready(x, 1))
		w.Partition([]string{"a"}, []string{"b"})
		payload := pattern(1<<20, 1)
		var sent uint64
		for i := range 100 {
			if _, err := x.Write(payload, rtps.WriteOptions{}); err != nil {
				t.Fatal(err)
			}
			time.Sleep(100 * time.Millisecond)
			if i == 20 {
				sent = a.Stats().Traffic.BytesOut
			}
		}
		if n := a.Stats().Traffic.BytesOut - sent; n > 100<<10 {
			t.Errorf("%d octets in 8 s to nobody", n)
		}
		// within its lease: it is still the same reader, and gets what was half sent to it, and what is still
		// there of the rest
		w.Heal()
		for i := range 4 + 10 {
			s, err := r.Receive(t.Context())
			if err != nil || i < 4 && int(s.SN) != i+1 || i >= 4 && s.SN < 90 {
				t.Fatalf("sample %d: %v", s.SN, err)
			}
		}
	})
}
