package node

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"simdeck/ros/cdr"
	"simdeck/ros/msgs"
	"simdeck/ros/msgs/stdsrvs"
	"simdeck/ros/netsim"
	"simdeck/ros/rtps"
	"simdeck/ros/rtps/wire"
)

type (
	setRequest  = stdsrvs.SetBoolRequest
	setResponse = stdsrvs.SetBoolResponse
)

// echo answers with who asked.
func echo(_ context.Context, c Caller, q *setRequest) *setResponse {
	if !q.Data {
		panic("false is not wanted")
	}
	return &setResponse{Success: true, Message: c.Client}
}

func failed(err error) *setResponse { return &setResponse{Message: err.Error()} }

// serve makes a server of /flag and runs its node.
func (b *bench) serve(c ServerConfig,
	answer func(context.Context, Caller, *setRequest) *setResponse) *Server {
	b.t.Helper()
	n := b.node("server")
	c.Name, c.Lines = "flag", []Line{NewLine(stdsrvs.SetBoolService(), answer, failed)}
	s, err := n.Serve(c)
	if err != nil {
		b.t.Fatal(err)
	}
	b.start(n)
	return s
}

func (b *bench) client(name string) *Client[setRequest, setResponse] {
	b.t.Helper()
	n := b.node(name)
	c, err := NewClient(n, "/flag", stdsrvs.SetBoolService())
	if err != nil {
		b.t.Fatal(err)
	}
	b.start(n)
	return c
}

func TestEveryCallIsAnsweredToTheOneWhoAsked(t *testing.T) {
	onBench(t, func(b *bench) {
		b.net.SetFaults(netsim.Faults{Delay: 2 * time.Millisecond, Loss: 0.1})
		b.serve(ServerConfig{Concurrency: 3}, echo)
		one, two := b.client("one"), b.client("two")
		ctx := b.soon()
		var wait sync.WaitGroup
		for i, c := range []*Client[setRequest, setResponse]{one, two, one, two, one, two} {
			wait.Go(func() {
				s, err := c.Call(ctx, &setRequest{Data: true})
				if err != nil || !s.Success || s.Message != c.requests.GUID().String() {
					t.Errorf("call %d of %s: %+v, %v", i, c.requests.GUID(), s, err)
				}
			})
		}
		wait.Wait()
	})
}

func TestAPanicInAHandlerIsAnErrorReply(t *testing.T) {
	onBench(t, func(b *bench) {
		b.serve(ServerConfig{}, echo)
		c := b.client("c")
		s, err := c.Call(b.soon(), &setRequest{Data: false})
		if err != nil || s.Success || !strings.Contains(s.Message, "false is not wanted") {
			t.Errorf("the reply is %+v, %v", s, err)
		}
		if s, err := c.Call(b.soon(), &setRequest{Data: true}); err != nil || !s.Success {
			t.Errorf("after the panic: %+v, %v", s, err)
		}
	})
}

func TestALongHandlerHoldsUpNobodyWhoMayOvertakeIt(t *testing.T) {
	onBench(t, func(b *bench) {
		release := make(chan struct{})
		var once sync.Once
		b.serve(ServerConfig{Concurrency: 2},
			func(ctx context.Context, _ Caller, _ *setRequest) *setResponse {
				long := false
				once.Do(func() { long = true })
				if long {
					<-release
				}
				return &setResponse{Success: true, Message: fmt.Sprint(long)}
			})
		c := b.client("c")
		first := make(chan string, 1)
		go func() {
			s, err := c.Call(b.soon(), &setRequest{})
			first <- fmt.Sprint(s.Message, err)
		}()
		time.Sleep(2 * time.Second)
		if s, err := c.Call(b.soon(), &setRequest{}); err != nil || s.Message != "false" {
			t.Errorf("the second call: %+v, %v", s, err)
		}
		close(release)
		if got := <-first; got != "true<nil>" {
			t.Errorf("the first call: %s", got)
		}
	})
}

func TestALongHandlerDelaysItsOwnClientAlone(t *testing.T) {
	onBench(t, func(b *bench) {
		release := make(chan struct{})
		var mu sync.Mutex
		var order []string
		stranger := ""
		b.serve(ServerConfig{Concurrency: 4, PerClient: 1},
			func(_ context.Context, c Caller, q *setRequest) *setResponse {
				mu.Lock()
				order = append(order, fmt.Sprint(c.Client == stranger, q.Data))
				mu.Unlock()
				if c.Client == stranger && q.Data {
					<-release
				}
				return &setResponse{Success: true}
			})
		slow, honest := b.client("slow"), b.client("honest")
		stranger = slow.requests.GUID().String()
		var calls sync.WaitGroup
		for i := range 20 {
			calls.Go(func() {
				if _, err := slow.Call(b.soon(), &setRequest{Data: i == 0}); err != nil {
					t.Error(err)
				}
			})
			time.Sleep(10 * time.Millisecond)
		}
		time.Sleep(time.Second)
		for range 3 {
			if r, err := honest.Call(b.soon(), &setRequest{}); err != nil || !r.Success {
				t.Errorf("another client: %+v, %v", r, err)
			}
		}
		close(release)
		calls.Wait()
		if len(order) != 23 || order[0] != "true true" || order[1] != "false false" ||
			order[4] != "true false" {
			t.Errorf("handled in the order %v", order)
		}
	})
}

func TestRequestsOfAClientThatWaitAreBounded(t *testing.T) {
	turns := newTurns(1, 1)
	of := func(who byte) rtps.Sample {
		s := rtps.Sample{}
		s.Writer.Prefix[0] = who
		return s
	}
	for i := range 10 * waitingOfOne {
		err := turns.add(of(1))
		if (err == nil) != (i < waitingOfOne) || err != nil && !errors.Is(err, ErrBusy) {
			t.Fatalf("request %d: %v", i, err)
		}
	}
	if err := turns.add(of(2)); err != nil {
		t.Errorf("another client: %v", err)
	}
}

func TestRepliesUnderWayArriveBeforeTheNodeLeaves(t *testing.T) {
	onBench(t, func(b *bench) {
		n := b.node("server")
		asked := make(chan struct{})
		line := NewLine(stdsrvs.SetBoolService(),
			func(ctx context.Context, _ Caller, _ *setRequest) *setResponse {
				close(asked)
				<-ctx.Done()
				return &setResponse{Message: "told to stop"}
			}, failed)
		if _, err := n.Serve(ServerConfig{Name: "flag", Lines: []Line{line}}); err != nil {
			t.Fatal(err)
		}
		stop := b.start(n)
		c := b.client("c")
		go func() {
			<-asked
			stop()
		}()
		if s, err := c.Call(b.soon(), &setRequest{}); err != nil || s.Message != "told to stop" {
			t.Errorf("the reply is %+v, %v", s, err)
		}
	})
}

func TestACallWithoutAServerSaysSo(t *testing.T) {
	onBench(t, func(b *bench) {
		c := b.client("c")
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		if _, err := c.Call(ctx, &setRequest{}); !errors.Is(err, ErrNoServer) ||
			!errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the call ends with %v", err)
		}
	})
}

// raw is a client as other middlewares make it, endpoint by endpoint.
type raw struct {
	p *rtps.Participant
	w *rtps.Writer
	r *rtps.Reader
}

func (b *bench) raw(hash, id string) *raw {
	b.t.Helper()
	c := &raw{p: b.participant("raw")}
	var err error
	if c.w, err = c.p.NewWriter(rtps.WriterConfig{Topic: "rq/flagRequest",
		Type: (*setRequest)(nil).DDSTypeName(),
		QoS:  ServiceQoS(), UserData: []byte(id + hash)}); err != nil {
		b.t.Fatal(err)
	}
	return c
}

func (c *raw) read(b *bench, id string) {
	b.t.Helper()
	var err error
	if c.r, err = c.p.NewReader(rtps.ReaderConfig{Topic: "rr/flagReply",
		Type: (*setResponse)(nil).DDSTypeName(),
		QoS:  ServiceQoS(), UserData: []byte(id)}); err != nil {
		b.t.Fatal(err)
	}
}

func TestAClientOfCycloneIsAnsweredBehindItsHeader(t *testing.T) {
	onBench(t, func(b *bench) {
		b.serve(ServerConfig{}, echo)
		hash := "typehash=" + (*setRequest)(nil).TypeHash() + ";"
		c := b.raw(hash, "clientid=1.2.3;")
		c.read(b, "clientid=1.2.3;")
		b.until("the server", func() bool { return len(c.w.Matches()) == 1 && len(c.r.Matches()) == 1 })
		payload := cdr.AppendHeader(nil)
		payload = cdr.AppendUint64(payload, 0x0123456789abcdef)
		payload = cdr.AppendInt64(payload, 42)
		payload = (&setRequest{Data: true}).AppendCDR(payload)
		if _, err := c.w.Write(payload, rtps.WriteOptions{}); err != nil {
			t.Fatal(err)
		}
		s, err := c.r.Receive(b.soon())
		if err != nil {
			t.Fatal(err)
		}
		r := cdr.NewReader(s.Payload)
		id, number := r.Uint64(), r.Int64()
		var m setResponse
		m.ReadCDR(r)
		if id != 0x0123456789abcdef || number != 42 || !m.Success || r.Err() != nil ||
			!s.Related.Writer.IsZero() {
			t.Errorf("the reply is %x %d %+v %v, related %v", id, number, m, r.Err(), s.Related)
		}
	})
}

func TestAReplyIsHeldUntilTheClientReadsIt(t *testing.T) {
	onBench(t, func(b *bench) {
		b.serve(ServerConfig{}, echo)
		hash := "typehash=" + (*setRequest)(nil).TypeHash() + ";"
		c := b.raw(hash, "clientid=9;")
		b.until("the server", func() bool { return len(c.w.Matches()) == 1 })
		payload := cdr.AppendHeader(nil)
		payload = cdr.AppendUint64(payload, 7)
		payload = cdr.AppendInt64(payload, 1)
		payload = (&setRequest{Data: true}).AppendCDR(payload)
		if _, err := c.w.Write(payload, rtps.WriteOptions{}); err != nil {
			t.Fatal(err)
		}
		// Meanwhile another client is served.
		if s, err := b.client("quick").Call(b.soon(), &setRequest{Data: true}); err != nil || !s.Success {
			t.Errorf("while a reply is held: %+v, %v", s, err)
		}
		time.Sleep(500 * time.Millisecond)
		c.read(b, "clientid=other;") // a reader of the same participant, of another client
		other := c.r
		time.Sleep(500 * time.Millisecond)
		c.read(b, "clientid=9;")
		if s, err := c.r.Receive(b.soon()); err != nil || cdr.NewReader(s.Payload).Uint64() != 7 {
			t.Errorf("the held reply: %v, %v", s, err)
		}
		if other.Stats().Matched != 1 {
			t.Error("the reader of the other client was never matched: the test proves nothing")
		}
	})
}

func TestAClientOfFastIsAnsweredByItsReaderOrItsWriter(t *testing.T) {
	for _, named := range []bool{true, false} {
		onBench(t, func(b *bench) {
			b.serve(ServerConfig{}, echo)
			c := b.raw("", "")
			c.read(b, "")
			b.until("the server", func() bool { return len(c.w.Matches()) == 1 && len(c.r.Matches()) == 1 })
			o, want := rtps.WriteOptions{}, c.w.GUID()
			if named {
				want = c.r.GUID()
				o.Related = &wire.SampleIdentity{Writer: want, SN: wire.SequenceNumberUnknown}
			}
			payload, err := msgs.Encode(nil, &setRequest{Data: true})
			if err != nil {
				t.Fatal(err)
			}
			sn, err := c.w.Write(payload, o)
			if err != nil {
				t.Fatal(err)
			}
			s, err := c.r.Receive(b.soon())
			if err != nil || s.Related != (wire.SampleIdentity{Writer: want, SN: sn}) {
				t.Errorf("named %v: the reply belongs to %v, %v; want %v %d", named, s.Related, err, want, sn)
			}
		})
	}
}

func TestAClientWithAnotherDefinitionIsToldSo(t *testing.T) {
	ours := "typehash=" + (*setRequest)(nil).TypeHash() + ";"
	for _, hashes := range [][2]string{{"typehash=RIHS01_1234;", ""}, {ours, "typehash=RIHS01_1234;"}} {
		refused(t, hashes[0], hashes[1])
	}
}

// refused checks that a client whose endpoints announce other types is told so.
func refused(t *testing.T, request, response string) {
	t.Helper()
	onBench(t, func(b *bench) {
		b.serve(ServerConfig{}, echo)
		c := b.raw(request, "")
		c.read(b, response)
		b.until("the server", func() bool { return len(c.w.Matches()) == 1 && len(c.r.Matches()) == 1 })
		if _, err := c.w.Write([]byte("\x00\x01\x00\x00\x01\x00\x00\x00"), rtps.WriteOptions{}); err != nil {
			t.Fatal(err)
		}
		s, err := c.r.Receive(b.soon())
		var m setResponse
		if err != nil || msgs.Decode(s.Payload, &m) != nil || m.Success ||
			!strings.Contains(m.Message, "RIHS01_1234") {
			t.Errorf("the reply is %+v, %v: want a refusal that names the hash", m, err)
		}
	})
}

func TestWhoAnnouncesNothingSpeaksTheLineForThat(t *testing.T) {
	onBench(t, func(b *bench) {
		n := b.node("server")
		says := func(text string) Line {
			return NewLine(stdsrvs.SetBoolService(),
				func(context.Context, Caller, *setRequest) *setResponse {
					return &setResponse{Message: text}
				},
				nil)
		}
		if _, err := n.Serve(ServerConfig{Name: "flag", Lines: []Line{says("new"), says("old")},
			Untyped: 1}); err != nil {
			t.Fatal(err)
		}
		if _, err := n.Serve(ServerConfig{Name: "bad", Lines: []Line{says("new")}, Untyped: 1}); err == nil {
			t.Error("a line that is not there is taken")
		}
		b.start(n)
		if s, err := b.client("typed").Call(b.soon(), &setRequest{}); err != nil || s.Message != "new" {
			t.Errorf("with a hash: %+v, %v", s, err)
		}
		c := b.raw("", "")
		c.read(b, "")
		b.until("the server", func() bool { return len(c.w.Matches()) == 1 && len(c.r.Matches()) == 1 })
		if _, err := c.w.Write([]byte("\x00\x01\x00\x00\x01\x00\x00\x00"), rtps.WriteOptions{}); err != nil {
			t.Fatal(err)
		}
		var m setResponse
		if s, err := c.r.Receive(b.soon()); err != nil || msgs.Decode(s.Payload, &m) != nil ||
			m.Message != "old" {
			t.Errorf("without a hash: %+v, %v", m, err)
		}
	})
}

func TestTheLogTellsAtDebugLevelWhatBecomesOfARequest(t *testing.T) {
	for _, level := range []slog.Level{slog.LevelDebug, slog.LevelInfo} {
		t.Run(level.String(), func(t *testing.T) {
			onBench(t, func(b *bench) {
				var said faultLog
				n, err := New(Config{Name: "server", Transport: b.net.Host("server"),
					Log: slog.New(slog.NewTextHandler(&said, &slog.HandlerOptions{Level: level}))})
				if err != nil {
					t.Fatal(err)
				}
				if _, err := n.Serve(ServerConfig{Name: "flag",
					Lines: []Line{NewLine(stdsrvs.SetBoolService(), echo, failed)}}); err != nil {
					t.Fatal(err)
				}
				b.start(n)
				c := b.client("c")
				if _, err := c.Call(b.soon(), &setRequest{Data: true}); err != nil {
					t.Fatal(err)
				}
				said.mu.Lock()
				text := said.text.String()
				said.mu.Unlock()
				for _, what := range []string{"a request has come", "its reply is sent"} {
					line := fmt.Sprintf("%q service=/flag client=%s number=1", what, c.requests.GUID())
					if told := strings.Contains(text, line); told != (level == slog.LevelDebug) {
						t.Errorf("%s is told: %v\n%s", line, told, text)
					}
				}
			})
		})
	}
}
