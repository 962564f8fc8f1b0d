package rtps

import (
	"testing"
	"time"

	"simdeck/ros/rtps/wire"
)

// wired is two cores with nothing between them but a loop.
type wired struct {
	a, b *Core
	now  time.Time
	w    *localWriter
	r    *localReader
	buf  []byte
}

func newWired(t testing.TB, q QoS) *wired {
	t.Helper()
	x := &wired{now: time.Unix(1_700_000_000, 0)}
	for i, c := range []**Core{&x.a, &x.b} {
		core, err := NewCore(Config{Prefix: wire.GUIDPrefix{1, 0x7e, byte(i + 1)}})
		if err != nil {
			t.Fatal(err)
		}
		a := [4]byte{10, 0, 0, byte(i + 1)}
		core.SetLinks([]wire.Link{{Index: 1, Name: "eth0", Bits: []int{24},
			Meta: []wire.Locator{wire.UDPv4(a, 7410)},
			User: []wire.Locator{wire.UDPv4(a, 7411)}, Announce: []wire.Locator{scriptGroup}}}, x.now)
		core.Start(x.now)
		*c = core
	}
	var err error
	if x.w, err = x.a.newWriter(WriterConfig{Topic: "rt/t", Type: "T", QoS: q}, x.now); err != nil {
		t.Fatal(err)
	}
	if x.r, err = x.b.newReader(ReaderConfig{Topic: "rt/t", Type: "T", QoS: q}, x.now); err != nil {
		t.Fatal(err)
	}
	for range 1000 {
		x.step(time.Millisecond)
	}
	if len(x.w.order) != 1 || !x.w.order[0].live {
		t.Fatal("not matched")
	}
	return x
}

func wiredAddress(i byte) wire.Locator { return wire.UDPv4([4]byte{10, 0, 0, i}, 40000) }

// step moves time and exchanges what there is.
func (x *wired) step(d time.Duration) {
	x.now = x.now.Add(d)
	for again := true; again; {
		again = false
		for _, p := range x.a.Advance(x.now) {
			x.buf = p.Append(x.buf[:0])
			x.b.Receive(x.buf, wiredAddress(1), x.now)
			again = true
		}
		for _, p := range x.b.Advance(x.now) {
			x.buf = p.Append(x.buf[:0])
			x.a.Receive(x.buf, wiredAddress(2), x.now)
			again = true
		}
	}
}

// send moves one sample from the writer to whoever takes it.
func (x *wired) send(t testing.TB, payload []byte) {
	if _, err := x.a.write(x.w, payload, &WriteOptions{}, x.now); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		x.step(3 * time.Millisecond)
	}
	s, ok := x.b.take(x.r, x.now)
	if !ok {
		t.Fatal("no sample")
	}
	x.b.pool.put(s.Payload)
}

func TestSteadySmallSamplesAllocateNothing(t *testing.T) {
	for _, q := range []QoS{{Depth: 5}, {Reliability: Reliable, Depth: 5}} {
		x := newWired(t, q)
		payload := make([]byte, 200)
		for range 200 {
			x.send(t, payload)
		}
		if n := testing.AllocsPerRun(500, func() { x.send(t, payload) }); n > 0.5 {
			t.Errorf("reliability %d: %v allocations per sample", q.Reliability, n)
		}
	}
}

func BenchmarkReliableSample(b *testing.B) {
	x := newWired(b, QoS{Reliability: Reliable, Depth: 5})
	payload := make([]byte, 200)
	b.ReportAllocs()
	for b.Loop() {
		x.send(b, payload)
	}
}

func BenchmarkLargeSample(b *testing.B) {
	x := newWired(b, QoS{Reliability: Reliable, Depth: 5})
	payload := make([]byte, 1<<20)
	b.SetBytes(1 << 20)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := x.a.write(x.w, payload, &WriteOptions{}, x.now); err != nil {
			b.Fatal(err)
		}
		for x.r.queue.n == 0 {
			x.step(time.Millisecond)
		}
		s, _ := x.b.take(x.r, x.now)
		x.b.pool.put(s.Payload)
	}
}
