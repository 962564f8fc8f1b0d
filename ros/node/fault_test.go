package node

import (
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"simdeck/ros/msgs/stdsrvs"
	"simdeck/ros/rtps"
	"simdeck/ros/rtps/wire"
)

// faultLog is a log that a test reads, and the faults that were told.
type faultLog struct {
	mu     sync.Mutex
	text   strings.Builder
	faults []Fault
}

func (j *faultLog) Write(b []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.Write(b)
}

func (j *faultLog) take(f Fault) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.faults = append(j.faults, f)
}

func (j *faultLog) node(b *bench, name string) *Node {
	n, err := New(Config{Name: name, Transport: b.net.Host(name), Log: slog.New(slog.NewTextHandler(j, nil)),
		Faults: j.take})
	if err != nil {
		b.t.Fatal(err)
	}
	return n
}

func TestAPanicInAHandlerIsCountedAndToldWithTheMessage(t *testing.T) {
	onBench(t, func(b *bench) {
		var j faultLog
		n := j.node(b, "server")
		if _, err := n.Serve(ServerConfig{Name: "flag",
			Lines: []Line{NewLine(stdsrvs.SetBoolService(), echo, failed)}}); err != nil {
			t.Fatal(err)
		}
		b.start(n)
		c := b.client("c")
		const calls = 50
		for range calls {
			if _, err := c.Call(b.soon(), &setRequest{Data: false}); err != nil {
				t.Fatal(err)
			}
		}
		if got := n.Traffic().Faults; got != calls {
			t.Errorf("%d faults are counted, want %d", got, calls)
		}
		if len(j.faults) == 0 || len(j.faults) > faultBurst+2 {
			t.Fatalf("%d faults are told of, want 1 to %d", len(j.faults), faultBurst)
		}
		f := j.faults[0]
		if f.Where != "the handler of service /flag" || f.From == "" || f.Value != "false is not wanted" ||
			!strings.Contains(f.Stack, "echo") ||
			string(f.Data) != "\x00\x01\x00\x00\x00" || f.Size != 5 {
			t.Errorf("told: %+v", f)
		}
		if !strings.Contains(j.text.String(), "data=0001000000") {
			t.Errorf("the log does not show the message: %s", j.text.String())
		}
	})
}

func TestWhatTheParticipantHasToTellIsLogged(t *testing.T) {
	onBench(t, func(b *bench) {
		var j faultLog
		n := j.node(b, "n")
		at := time.Now()
		from := wire.UDPv4([4]byte{10, 9, 8, 7}, 4321)
		n.context.tell(rtps.Notice{At: at, From: from, Participant: wire.GUIDPrefix{0xab},
			Limit: "512 readers of one participant on one topic", Topic: "rt/clock"})
		n.context.tell(rtps.Notice{At: at, From: from,
			Fault: &rtps.Fault{Datagram: []byte("RTPS"), Size: 4, Value: "boom", Stack: []byte("here")}})
		for _, want := range []string{"participant=ab0000", "from=10.9.8.7:4321",
			`limit="512 readers of one participant on one topic"`, "topic=/clock",
			"a datagram", "data=52545053", "panic=boom", "stack=here"} {
			if !strings.Contains(j.text.String(), want) {
				t.Errorf("the log does not say %s: %s", want, j.text.String())
			}
		}
		if len(j.faults) != 1 || j.faults[0].Where != "a datagram" {
			t.Errorf("told: %+v", j.faults)
		}
	})
}

func TestAParticipantWithTooManyReadersIsNamedInTheLog(t *testing.T) {
	onBench(t, func(b *bench) {
		var j faultLog
		n := j.node(b, "n")
		if _, err := NewPublisher[setRequest](n, "x", DefaultQoS()); err != nil {
			t.Fatal(err)
		}
		b.start(n)
		p := b.participant("crowd")
		for range 520 {
			if _, err := p.NewReader(rtps.ReaderConfig{Topic: "rt/x", Type: new(setRequest).DDSTypeName(),
				QoS: SensorQoS()}); err != nil {
				t.Fatal(err)
			}
		}
		said := func() bool {
			j.mu.Lock()
			defer j.mu.Unlock()
			return strings.Contains(j.text.String(), "participant="+p.GUID().Prefix.String())
		}
		b.until("a word about it", said)
		if got := strings.Count(j.text.String(), "reached a limit"); got != 1 || n.Traffic().Refused == 0 {
			t.Errorf("said %d times, %d refused", got, n.Traffic().Refused)
		}
	})
}
