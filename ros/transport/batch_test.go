package transport

import (
	"bytes"
	"context"
	"net"
	"testing"
	"time"

	"simdeck/ros/rtps"
	"simdeck/ros/rtps/wire"
)

var (
	_ rtps.Batcher = (*UDP)(nil)
	_ rtps.Pauser  = (*UDP)(nil)
)

// couple is a writer and a reader of two participants that run, over real sockets.
func couple(t testing.TB, domain uint32, q rtps.QoS) (*rtps.Writer, *rtps.Reader) {
	t.Helper()
	var all [2]*rtps.Participant
	for i := range all {
		u, err := Open(Config{Domain: domain})
		if err != nil {
			t.Fatal(err)
		}
		p, err := rtps.New(rtps.Config{DomainID: domain, Transport: u})
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(context.Background())
		done := make(chan error, 1)
		go func() { done <- p.Run(ctx) }()
		t.Cleanup(func() {
			stop()
			if err := <-done; err != nil {
				t.Error(err)
			}
		})
		all[i] = p
	}
	w, err := all[0].NewWriter(rtps.WriterConfig{Topic: "rt/t", Type: "T", QoS: q})
	if err != nil {
		t.Fatal(err)
	}
	r, err := all[1].NewReader(rtps.ReaderConfig{Topic: "rt/t", Type: "T", QoS: q})
	if err != nil {
		t.Fatal(err)
	}
	limit := time.After(20 * time.Second)
	for _, end := range []struct {
		watch   *rtps.Watch
		matches func() []rtps.Match
	}{{all[0].Watch(), w.Matches}, {all[1].Watch(), r.Matches}} {
		for m := end.matches(); len(m) == 0 || !m[0].Ready; m = end.matches() {
			select {
			case <-end.watch.C():
			case <-limit:
				t.Fatal("no match")
			}
		}
	}
	return w, r
}

// pass moves a sample from one to the other.
func pass(t testing.TB, w *rtps.Writer, r *rtps.Reader, payload []byte) {
	if _, err := w.Write(payload, rtps.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	s, err := r.Receive(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	r.Recycle(s.Payload)
}

func TestABatchArrivesWholeWhateverIsInIt(t *testing.T) {
	if testing.Short() {
		t.Skip("opens sockets, waits on the real clock")
	}
	u, err := Open(Config{Domain: 51})
	if err != nil {
		t.Fatal(err)
	}
	defer u.Close()
	to, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	defer to.Close()
	here := wire.UDPv4([4]byte{127, 0, 0, 1}, uint16(to.LocalAddr().(*net.UDPAddr).Port))
	link := u.Links()[0].Index
	var all []wire.Datagram
	var want [][]byte
	for i := range 3 * maxBatch / 2 {
		d := wire.Datagram{Parts: [3][]byte{{byte(i)}, bytes.Repeat([]byte{2}, i), {3}}, To: here}
		if i%2 == 0 {
			d.Parts[1], d.Parts[2] = nil, nil
		}
		all, want = append(all, d), append(want, d.Append(nil))
		switch i {
		case 7:
			all = append(all, wire.Datagram{Parts: [3][]byte{{9}}, To: wire.UDPv4(group, 7400), Link: link})
		case 9: // datagrams that the system refuses harm no other
			all = append(all, wire.Datagram{Parts: [3][]byte{make([]byte, 70000)}, To: here})
		case 11:
			all = append(all, wire.Datagram{Parts: [3][]byte{{9}}, To: wire.UDPv4(group, 7400), Link: 99})
		}
	}
	if done, failed := u.SendBatch(all, true); done != len(all) || failed != 2 {
		t.Errorf("done with %d of %d, %d failed, want 2", done, len(all), failed)
	}
	b := make([]byte, 1000)
	to.SetReadDeadline(time.Now().Add(10 * time.Second))
	for i, w := range want {
		n, err := to.Read(b)
		if err != nil || !bytes.Equal(b[:n], w) {
			t.Fatalf("datagram %d: % x, want % x: %v", i, b[:n], w, err)
		}
	}
}

func TestAPauseIsMuchShorterThanATimers(t *testing.T) {
	if testing.Short() {
		t.Skip("measures time")
	}
	var u UDP
	best := time.Hour
	for range 100 {
		begin := time.Now()
		u.Pause(50 * time.Microsecond)
		best = min(best, time.Since(begin))
	}
	if best < 50*time.Microsecond || best > 900*time.Microsecond {
		t.Errorf("the shortest of 100 pauses of 50 µs takes %v", best)
	}
}

func benchmarkPass(b *testing.B, size int, q rtps.QoS) {
	w, r := couple(b, 52, q)
	payload := make([]byte, size)
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		pass(b, w, r, payload)
	}
}

// One sample at a time, from a participant to another over real sockets.
func BenchmarkPass64B(b *testing.B) {
	benchmarkPass(b, 64, rtps.QoS{Reliability: rtps.Reliable, Depth: 10})
}

func BenchmarkPass6MB(b *testing.B) {
	benchmarkPass(b, 6<<20, rtps.QoS{Reliability: rtps.Reliable, Depth: 10})
}
