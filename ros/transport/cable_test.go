package transport

import (
	"encoding/binary"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"simdeck/ros/rtps"
)

// Options of queueing disciplines (linux/pkt_sched.h).
const (
	tbfParms  = 1
	tbfBurst  = 6
	tickNanos = 64 // of psched, in which netem's times are told
	queueRoot = 0xffffffff
)

// queue gives an interface a queueing discipline (tc-netem(8), tc-tbf(8)).
func (s *space) queue(name, kind string, options []byte) (err error) {
	s.t.Helper()
	s.in(func() error {
		i, failed := index(name)
		if failed != nil {
			return failed
		}
		m := append(append(make(request, 4), num(i)...), num(0)...) // tcmsg
		m = append(append(m, num(queueRoot)...), num(0)...)
		err = ask(unix.RTM_NEWQDISC, create,
			m.attribute(unix.TCA_KIND, text(kind)).attribute(unix.TCA_OPTIONS, options))
		return nil
	})
	return err
}

// share is a probability as netem takes it.
func share(percent uint64) uint32 { return uint32(percent * (1<<32 - 1) / 100) }

// netem is a cable that loses, repeats and delays by chance.
func netem(delay, jitter time.Duration, loss, duplicate uint64) (b []byte) {
	for _, v := range []uint32{uint32(delay.Nanoseconds() / tickNanos), 1000, share(loss), 0,
		share(duplicate), uint32(jitter.Nanoseconds() / tickNanos)} {
		b = binary.NativeEndian.AppendUint32(b, v)
	}
	return b
}

// tbf is a cable that carries so many octets per second, and loses what its queue cannot hold.
func tbf(rate, burst, limit uint32) []byte {
	p := append(make([]byte, 8), num(rate)...)
	p = append(append(p, make([]byte, 12)...), num(limit)...)
	return request(nil).attribute(tbfParms, append(p, make([]byte, 8)...)).attribute(tbfBurst, num(burst))
}

// TestReliableStaysReliableOverABadCable has the kernel do the damage. Every kernel has a queue that is too
// short; not every one has netem. On package netsim the same is tested under any.
func TestReliableStaysReliableOverABadCable(t *testing.T) {
	if testing.Short() {
		t.Skip("waits on the real clock")
	}
	here, there := newSpace(t), newSpace(t)
	here.cable("cable", there)
	for s, a := range map[*space][4]byte{here: {10, 77, 0, 1}, there: {10, 77, 0, 2}} {
		s.give("cable", a)
		s.turn("cable", true)
	}
	for i, c := range []struct {
		what, kind string
		options    []byte
	}{
		{"a queue too short for a large sample, 20 MB/s", "tbf", tbf(20<<20, 20<<10, 40<<10)},
		{"10 % lost, 5 % twice, 2 ± 2 ms", "netem", netem(2*time.Millisecond, 2*time.Millisecond, 10, 5)},
	} {
		what := c.kind + ": " + c.what
		here.unqueue("cable")
		there.unqueue("cable")
		if err := here.queue("cable", c.kind, c.options); err != nil {
			if c.kind == "tbf" {
				t.Fatal(err)
			}
			t.Logf("%s: NOT TESTED: this kernel has it not: %v", what, err)
			continue
		}
		if err := there.queue("cable", c.kind, c.options); err != nil {
			t.Fatal(err)
		}
		a, _ := here.join(Config{Domain: 71 + uint32(i)})
		b, _ := there.join(Config{Domain: 71 + uint32(i)})
		q := rtps.QoS{Reliability: rtps.Reliable}
		w, err := a.NewWriter(rtps.WriterConfig{Topic: "rt/t", Type: "T", QoS: q})
		if err != nil {
			t.Fatal(err)
		}
		r, err := b.NewReader(rtps.ReaderConfig{Topic: "rt/t", Type: "T", QoS: q})
		if err != nil {
			t.Fatal(err)
		}
		until(t, what+": matched", func() bool { m := w.Matches(); return len(m) == 1 && m[0].Ready })
		begin := time.Now()
		const samples = 600
		for i := range samples {
			size := 100
			if i%20 == 0 {
				size = 300_000
			}
			payload := append(make([]byte, 0, size), 0, 1, 0, 0)
			payload = binary.LittleEndian.AppendUint32(payload, uint32(i))
			if _, err := w.Write(payload[:size], rtps.WriteOptions{}); err != nil {
				t.Fatal(err)
			}
			if i%20 == 19 {
				time.Sleep(20 * time.Millisecond)
			}
		}
		for i := range samples {
			var s rtps.Sample
			until(t, what, func() (ok bool) { s, ok = r.Take(); return ok })
			if n := binary.LittleEndian.Uint32(s.Payload[4:]); int(n) != i {
				t.Fatalf("%s: sample %d comes as number %d", what, n, i)
			}
		}
		st := a.Stats()
		t.Logf("%s: %d samples in %v, sent again: %d samples, %d of %d fragments", what, samples,
			time.Since(begin).Round(time.Millisecond), st.Resent,
			st.Fragments.Resent, st.Fragments.Out)
		if st.Resent+st.Fragments.Resent == 0 {
			t.Errorf("%s: nothing was lost: that proves nothing", what)
		}
	}
}

// unqueue gives an interface its own queueing discipline back.
func (s *space) unqueue(name string) {
	s.t.Helper()
	s.in(func() error {
		i, err := index(name)
		if err != nil {
			return err
		}
		m := append(append(make(request, 4), num(i)...), num(0)...)
		_ = ask(unix.RTM_DELQDISC, 0, append(append(m, num(queueRoot)...), num(0)...)) // there may be none
		return nil
	})
}
