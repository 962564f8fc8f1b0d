package rtps_test

import (
	"bytes"
	"testing"
	"testing/synctest"
	"time"

	"simdeck/ros/netsim"
	"simdeck/ros/rtps"
)

// pattern makes a payload in which a misplaced fragment shows.
func pattern(n, seed int) []byte {
	b := make([]byte, n)
	copy(b, []byte{0, 1, 0, 0})
	x := uint32(seed)*2654435761 + 1
	for i := 4; i < n; i++ {
		x = x*1664525 + 1013904223
		b[i] = byte(x >> 24)
	}
	return b
}

func TestLargeSamplesArriveOverALossyNetwork(t *testing.T) {
	for _, size := range []int{1345, 1473, 70000, 1 << 20, 8 << 20} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(t, netsim.Faults{Delay: time.Millisecond, Jitter: time.Millisecond, Loss: 0.05,
				Duplicate: 0.01})
			defer w.end()
			a, b := w.join("a"), w.join("b")
			x, r := w.writer(a, reliable), w.reader(b, reliable)
			w.until(10*time.Second, "matched", ready(r, 1))
			for i := range 3 {
				if _, err := x.Write(pattern(size+i, i), rtps.WriteOptions{}); err != nil {
					t.Fatal(err)
				}
			}
			begin := time.Now()
			for i := range 3 {
				s, err := r.Receive(t.Context())
				if err != nil || !bytes.Equal(s.Payload[:size+i], pattern(size+i, i)) ||
					len(s.Payload) > size+i+3 {
					t.Fatalf("%d octets: sample %d differs, %d octets: %v", size, i, len(s.Payload), err)
				}
				r.Recycle(s.Payload)
			}
			if took := time.Since(begin); took > 5*time.Second {
				t.Errorf("%d octets: took %v", size, took)
			}
			if s := a.Stats(); size > 100000 &&
				(s.Fragments.Resent == 0 || s.Fragments.Resent > s.Fragments.Out/3) {
				t.Errorf("%d octets: %d fragments of %d sent again, for 5 %% lost", size, s.Fragments.Resent,
					s.Fragments.Out)
			}
		})
	}
}

func TestABestEffortReaderGetsLargeSamplesWhole(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, netsim.Faults{Delay: time.Millisecond, Jitter: time.Millisecond})
		defer w.end()
		x, r := w.writer(w.join("a"), best), w.reader(w.join("b"), best)
		w.until(10*time.Second, "matched", ready(x, 1))
		for i := range 20 {
			if i == 10 {
				w.SetFaults(netsim.Faults{Delay: time.Millisecond, Loss: 0.01})
			}
			if _, err := x.Write(pattern(200000, i), rtps.WriteOptions{}); err != nil {
				t.Fatal(err)
			}
			time.Sleep(50 * time.Millisecond)
			s, ok := r.Take()
			switch {
			case !ok && i < 10:
				t.Errorf("sample %d did not arrive", i)
			case ok && !bytes.Equal(s.Payload[:200000], pattern(200000, int(s.SN)-1)):
				t.Errorf("sample %d differs", s.SN)
			}
		}
	})
}

func TestAFastWriterOfLargeSamplesDoesNotOvertakeItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, netsim.Faults{Delay: time.Millisecond})
		defer w.end()
		q := reliable
		q.Depth = 1
		x, r := w.writer(w.join("a"), q), w.reader(w.join("b"), reliable)
		w.until(10*time.Second, "matched", ready(x, 1))
		got, payload := 0, pattern(8<<20, 1)
		for range 100 { // 8 MiB every 10 ms is far more than is sent in that time
			if _, err := x.Write(payload, rtps.WriteOptions{}); err != nil {
				t.Fatal(err)
			}
			time.Sleep(10 * time.Millisecond)
			for {
				s, ok := r.Take()
				if !ok {
					break
				}
				got++
				r.Recycle(s.Payload)
			}
		}
		if got < 5 {
			t.Errorf("%d samples in 1 s", got)
		}
	})
}

func TestSamplesBeyondTheLimitAreRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, netsim.Faults{Delay: time.Millisecond})
		defer w.end()
		a, b := w.join("a"), w.join("b", func(c *rtps.Config) { c.Limits.SampleBytes = 5000 })
		x, r := w.writer(a, keepAll), w.reader(b, keepAll)
		w.until(10*time.Second, "matched", ready(x, 1))
		if _, err := x.Write(pattern(6000, 1), rtps.WriteOptions{}); err != nil {
			t.Fatal(err)
		}
		w.write(x, 2)
		time.Sleep(2 * time.Second)
		w.expect(r, 2) // later samples are not held up
		if b.Stats().Refused == 0 || r.Stats().Lost != 1 {
			t.Errorf("%+v", r.Stats())
		}
		y, err := b.NewWriter(rtps.WriterConfig{Topic: "rt/y", Type: strMsg})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := y.Write(pattern(5001, 1), rtps.WriteOptions{}); err == nil {
			t.Error("a writer took a sample beyond the limit")
		}
		if _, err := y.Write([]byte{0, 1}, rtps.WriteOptions{}); err == nil {
			t.Error("a writer took a payload without header")
		}
	})
}
