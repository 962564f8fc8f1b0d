package rtps_test

import (
	"context"
	"encoding/binary"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"simdeck/ros/netsim"
	"simdeck/ros/rtps"
	"simdeck/ros/rtps/wire"
)

const (
	topic  = "rt/chatter"
	strMsg = "std_msgs::msg::dds_::String_"
)

var (
	reliable = rtps.QoS{Reliability: rtps.Reliable, Depth: 10}
	keepAll  = rtps.QoS{Reliability: rtps.Reliable}
	latched  = rtps.QoS{Reliability: rtps.Reliable, Durability: rtps.TransientLocal, Depth: 5}
	best     = rtps.QoS{Depth: 5}
)

// world is a virtual network with participants that run. Use it under synctest.
type world struct {
	*netsim.Network
	t     *testing.T
	stops []context.CancelFunc
	done  []chan error
	all   []*rtps.Participant
}

func newWorld(t *testing.T, f netsim.Faults) *world {
	w := &world{Network: netsim.New(1), t: t}
	w.SetFaults(f)
	return w
}

// prefix gives the GUID prefix of the participant with a name; tests need the same one every time.
func prefix(name string) (p wire.GUIDPrefix) {
	copy(p[:], "\x01\x7e"+name)
	return p
}

// join adds a participant.
func (w *world) join(name string, change ...func(*rtps.Config)) *rtps.Participant {
	w.t.Helper()
	cfg := rtps.Config{Transport: w.Host(name), Prefix: prefix(name)}
	for _, f := range change {
		f(&cfg)
	}
	p, err := rtps.New(cfg)
	if err != nil {
		w.t.Fatal(err)
	}
	ctx, stop := context.WithCancel(w.t.Context())
	done := make(chan error, 1)
	go func() { done <- p.Run(ctx) }()
	w.stops, w.done, w.all = append(w.stops, stop), append(w.done, done), append(w.all, p)
	return p
}

// leave stops the i-th participant.
func (w *world) leave(i int) {
	w.stops[i]()
	if err := <-w.done[i]; err != nil {
		w.t.Errorf("participant %d: %v", i, err)
	}
	if n := w.all[i].Stats().Panics; n != 0 {
		w.t.Errorf("participant %d: %d faults while receiving", i, n)
	}
	w.done[i] <- nil
}

func (w *world) end() {
	for i := range w.stops {
		w.leave(i)
	}
}

func (w *world) writer(p *rtps.Participant, q rtps.QoS) *rtps.Writer {
	w.t.Helper()
	x, err := p.NewWriter(rtps.WriterConfig{Topic: topic, Type: strMsg, QoS: q,
		UserData: []byte("typehash=RIHS01_00;")})
	if err != nil {
		w.t.Fatal(err)
	}
	return x
}

func (w *world) reader(p *rtps.Participant, q rtps.QoS) *rtps.Reader {
	w.t.Helper()
	x, err := p.NewReader(rtps.ReaderConfig{Topic: topic, Type: strMsg, QoS: q,
		UserData: []byte("typehash=RIHS01_00;")})
	if err != nil {
		w.t.Fatal(err)
	}
	return x
}

// write writes samples that are numbered in their payload.
func (w *world) write(x *rtps.Writer, numbers ...int) {
	w.t.Helper()
	for _, n := range numbers {
		if _, err := x.Write(number(n), rtps.WriteOptions{}); err != nil {
			w.t.Fatal(err)
		}
	}
}

func number(n int) []byte { return binary.LittleEndian.AppendUint32([]byte{0, 1, 0, 0}, uint32(n)) }

// taken gives the numbers of all samples that wait.
func taken(r *rtps.Reader) (all []int) {
	for {
		s, ok := r.Take()
		if !ok {
			return all
		}
		all = append(all, int(binary.LittleEndian.Uint32(s.Payload[4:])))
	}
}

func (w *world) expect(r *rtps.Reader, want ...int) {
	w.t.Helper()
	if got := taken(r); !slices.Equal(got, want) {
		w.t.Errorf("got samples %v, want %v", got, want)
	}
}

// until waits in virtual time for a condition.
func (w *world) until(limit time.Duration, what string, ok func() bool) time.Duration {
	w.t.Helper()
	begin := time.Now()
	for !ok() {
		if time.Since(begin) > limit {
			w.t.Fatalf("%s: not within %v", what, limit)
		}
		time.Sleep(time.Millisecond)
		synctest.Wait()
	}
	return time.Since(begin)
}

func ready(x interface{ Matches() []rtps.Match }, n int) func() bool {
	return func() bool {
		m := x.Matches()
		return len(m) == n && !slices.ContainsFunc(m, func(m rtps.Match) bool { return !m.Ready })
	}
}

func numbers(from, to int) (all []int) {
	for i := from; i <= to; i++ {
		all = append(all, i)
	}
	return all
}

func TestAReliableReaderGetsWhatIsWritten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, netsim.Faults{Delay: time.Millisecond})
		defer w.end()
		a, b := w.join("a"), w.join("b")
		x, r := w.writer(a, reliable), w.reader(b, reliable)
		w.until(time.Second, "match", ready(x, 1))
		w.until(time.Second, "match", ready(r, 1))
		w.write(x, 1, 2, 3)
		time.Sleep(100 * time.Millisecond)
		w.expect(r, 1, 2, 3)
		w.until(time.Second, "acknowledged", func() bool { return x.Acked(3) })
	})
}
