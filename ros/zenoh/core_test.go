package zenoh

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"simdeck/ros/zenoh/wire"
)

// log is a Handler that notes what it is told.
type log struct{ lines []string }

func (l *log) note(format string, args ...any) {
	l.lines = append(l.lines, fmt.Sprintf(format, args...))
}
func (l *log) Up()                               { l.note("up") }
func (l *log) Down()                             { l.note("down") }
func (l *log) Value(key string, v *wire.Value)   { l.note("%s: %d octets", key, len(v.Payload)) }
func (l *log) Query(q Query)                     { l.note("query %d of %s: %s", q.ID, q.Key, q.Payload) }
func (l *log) Answered(id uint32)                { l.note("answered %d", id) }
func (l *log) Token(key string, there bool)      { l.note("token %s %v", key, there) }
func (l *log) Subscriber(key string, there bool) { l.note("subscriber %s %v", key, there) }

func (l *log) Answer(id uint32, _ wire.ID, key string, _ bool, v *wire.Value) {
	l.note("answer to %d on %s: %s", id, key, v.Payload)
}

// bench is a session and a router's side of its link.
type bench struct {
	t   *testing.T
	c   *Core
	log *log
	now time.Time
	sn  uint32
}

func newBench(t *testing.T) *bench {
	l := &log{}
	return &bench{t: t, c: NewCore(wire.ID{1}, 100, l), log: l, now: time.Unix(1000, 0)}
}

// sent are the transport messages that the session has to send.
func (b *bench) sent() (all []wire.Message) {
	b.t.Helper()
	for batch := b.c.Next(b.now); batch != nil; batch = b.c.Next(b.now) {
		if size := wire.BatchSize([2]byte(batch)); size != len(batch)-2 || size > wire.MaxBatch {
			b.t.Fatalf("a batch of %d octets says that it has %d", len(batch)-2, size)
		}
		for left := bytes.Clone(batch[2:]); len(left) > 0; {
			m, rest, err := wire.ParseTransport(left)
			if err != nil {
				b.t.Fatal(err)
			}
			all, left = append(all, m), rest
		}
	}
	return all
}

// messages are the network messages that it has to send.
func (b *bench) messages() (all []wire.Message) {
	b.t.Helper()
	var parts []byte
	for _, m := range b.sent() {
		var whole []byte
		switch m := m.(type) {
		case *wire.Frame:
			whole = m.Messages
		case *wire.Fragment:
			if parts = append(parts, m.Part...); !m.More {
				whole, parts = parts, nil
			}
		}
		for len(whole) > 0 {
			m, rest, err := wire.ParseNetwork(whole)
			if err != nil {
				b.t.Fatal(err)
			}
			all, whole = append(all, m), rest
		}
	}
	return all
}

// open does the handshake.
func (b *bench) open(batch uint16) {
	b.t.Helper()
	b.c.Connected(b.now)
	if m := b.sent(); len(m) != 1 || m[0].(*wire.Init).Role != wire.Client {
		b.t.Fatalf("it begins with %+v", m)
	}
	b.take(&wire.Init{Ack: true, Version: wire.Version, ID: wire.ID{2}, Resolution: wire.DefaultResolution,
		Batch: batch, Cookie: []byte("c")})
	if m := b.sent(); len(m) != 1 || string(m[0].(*wire.Open).Cookie) != "c" {
		b.t.Fatalf("it goes on with %+v", m)
	}
	b.take(&wire.Open{Ack: true, Lease: 4 * time.Second, SN: 1})
	if !b.c.IsOpen() {
		b.t.Fatal("the session is not open")
	}
}

func (b *bench) take(m wire.Message) {
	b.t.Helper()
	if err := b.c.Receive(m.Append(nil), b.now); err != nil {
		b.t.Fatal(err)
	}
}

// frame is network messages as a router sends them.
func (b *bench) frame(all ...wire.Message) []byte {
	b.sn++
	f := (&wire.Frame{Reliable: true, SN: b.sn}).Append(nil)
	for _, m := range all {
		f = m.Append(f)
	}
	return f
}

func (b *bench) hear(all ...wire.Message) {
	b.t.Helper()
	if err := b.c.Receive(b.frame(all...), b.now); err != nil {
		b.t.Fatal(err)
	}
}

func TestDeclarationsAreToldToEveryRouterAnew(t *testing.T) {
	b := newBench(t)
	b.c.Declare(wire.DeclareSubscriber, "a", false)
	gone := b.c.Declare(wire.DeclareToken, "t", false)
	b.c.Interest(wire.OfTokens, "**")
	b.open(wire.MaxBatch)
	if got := len(b.messages()); got != 3 {
		t.Errorf("%d messages to the first router, want 3", got)
	}
	b.c.Undeclare(gone)
	if m := b.messages(); len(m) != 1 || m[0].(*wire.Declare).What != wire.UndeclareToken {
		t.Errorf("%+v", m)
	}
	b.c.Lost()
	b.open(wire.MaxBatch)
	if got := len(b.messages()); got != 2 {
		t.Errorf("%d messages to the second router, want 2", got)
	}
	if want := []string{"up", "down", "up"}; !slices.Equal(b.log.lines, want) {
		t.Errorf("%q", b.log.lines)
	}
}

func TestLargeAndSmallMessagesFitIntoBatchesOfAnySize(t *testing.T) {
	for _, batch := range []uint16{minBatch, 1000, wire.MaxBatch} {
		b := newBench(t)
		b.open(batch)
		for _, n := range []int{1, 50, 200_000, 2, 70_000} {
			if !b.c.Put("key", &wire.Value{Payload: make([]byte, n)}, true) {
				t.Fatal("not taken")
			}
		}
		var sizes []int
		for _, m := range b.messages() {
			sizes = append(sizes, len(m.(*wire.Push).Value.Payload))
		}
		if !slices.Equal(sizes, []int{1, 50, 200_000, 2, 70_000}) {
			t.Errorf("batches of %d: %v", batch, sizes)
		}
		if b.c.out.octets != 0 || !b.c.Idle() {
			t.Errorf("%d octets are taken for waiting", b.c.out.octets)
		}
	}
}

func TestNamesOfARouterAreResolvedAndForgotten(t *testing.T) {
	b := newBench(t)
	b.open(wire.MaxBatch)
	b.hear(&wire.Declare{What: wire.DeclareKey, ID: 7, Key: wire.Key("a/b")},
		&wire.Declare{What: wire.DeclareToken, ID: 1,
			Key: wire.KeyExpr{Scope: 7, Suffix: []byte("/c"), OfSender: true}},
		&wire.Declare{What: wire.DeclareSubscriber, ID: 1, Key: wire.KeyExpr{Scope: 7, OfSender: true}},
		&wire.Push{Key: wire.KeyExpr{Scope: 7, OfSender: true}, Value: wire.Value{Payload: []byte("xyz")}},
		&wire.Declare{What: wire.UndeclareToken, ID: 1}, &wire.Declare{What: wire.UndeclareToken, ID: 1},
		&wire.Declare{What: wire.UndeclareSubscriber, ID: 1})
	want := []string{"up", "token a/b/c true", "subscriber a/b true", "a/b: 3 octets", "token a/b/c false",
		"subscriber a/b false"}
	if !slices.Equal(b.log.lines, want) {
		t.Errorf("%q, want %q", b.log.lines, want)
	}
	b.hear(&wire.Declare{What: wire.UndeclareKey, ID: 7})
	late := b.frame(&wire.Push{Key: wire.KeyExpr{Scope: 7, OfSender: true}})
	if err := b.c.Receive(late, b.now); !errors.Is(err, ErrProtocol) {
		t.Errorf("a key that is not declared any more: %v", err)
	}
	if b.c.remote.text != 0 {
		t.Errorf("%d octets of text are taken for kept", b.c.remote.text)
	}
}

func TestAQueryIsAnsweredAndEndedOnce(t *testing.T) {
	b := newBench(t)
	b.open(wire.MaxBatch)
	b.hear(&wire.Request{ID: 5, Key: wire.Key("s"), HasBody: true, Payload: []byte("q")})
	if !b.c.Reply(5, "s", &wire.Value{Payload: []byte("r")}) || b.c.Reply(6, "s", &wire.Value{}) {
		t.Error("replies go to queries that wait, and to no others")
	}
	b.c.Finish(5)
	b.c.Finish(5)
	if b.c.Reply(5, "s", &wire.Value{}) {
		t.Error("a query is answered that has ended")
	}
	if m := b.messages(); len(m) != 2 || m[1].(*wire.ResponseFinal).Request != 5 {
		t.Errorf("%+v", m)
	}
	id, ok := b.c.Ask(wire.Request{Key: wire.Key("s"), HasBody: true})
	b.hear(&wire.Response{Request: id, Key: wire.Key("s"), Value: wire.Value{Payload: []byte("r")}},
		&wire.ResponseFinal{Request: id})
	want := []string{"up", "query 5 of s: q", "answer to 1 on s: r", "answered 1"}
	if !ok || !slices.Equal(b.log.lines, want) {
		t.Errorf("%q, want %q", b.log.lines, want)
	}
}

func TestASilentSessionKeepsItselfAliveAndASilentRouterIsLeft(t *testing.T) {
	b := newBench(t)
	b.open(wire.MaxBatch)
	alive := 0
	for range 400 {
		b.now = b.now.Add(10 * time.Millisecond)
		next, err := b.c.Tick(b.now)
		if err != nil {
			break
		}
		if !next.After(b.now) {
			t.Fatalf("the next call is due at %v, it is %v", next, b.now)
		}
		for _, m := range b.sent() {
			if _, ok := m.(*wire.KeepAlive); ok {
				alive++
			}
		}
	}
	if alive != 1 {
		t.Errorf("%d in 4 s, want one each %v", alive, Lease/keepAlives)
	}
	if _, err := b.c.Tick(b.now); !errors.Is(err, ErrSilent) {
		t.Errorf("after the router's lease: %v", err)
	}
	b.c.Lost()
	b.c.Connected(b.now)
	if _, err := b.c.Tick(b.now.Add(handshakeMayTake)); !errors.Is(err, ErrSilent) {
		t.Errorf("without an answer to Init: %v", err)
	}
}

func TestARouterThatBreaksTheProtocolIsLeft(t *testing.T) {
	ack := wire.Init{Ack: true, Version: wire.Version, ID: wire.ID{2}, Resolution: wire.DefaultResolution,
		Batch: wire.MaxBatch}
	with := func(f func(m *wire.Init)) wire.Message { m := ack; f(&m); return &m }
	for name, m := range map[string]wire.Message{
		"another version":     with(func(m *wire.Init) { m.Version = 8 }),
		"numbers of 8 bits":   with(func(m *wire.Init) { m.Resolution = 0 }),
		"batches of 9 octets": with(func(m *wire.Init) { m.Batch = 9 }),
		"this session itself": with(func(m *wire.Init) { m.ID = wire.ID{1} }),
		"a question":          with(func(m *wire.Init) { m.Ack = false }),
		"out of turn":         &wire.Open{Ack: true, Lease: time.Second},
		"a frame":             &wire.Frame{},
		"a fragment":          &wire.Fragment{},
	} {
		b := newBench(t)
		b.c.Connected(b.now)
		if err := b.c.Receive(m.Append(nil), b.now); !errors.Is(err, ErrProtocol) {
			t.Errorf("%s: %v", name, err)
		}
	}
	b := newBench(t)
	b.open(wire.MaxBatch)
	closes := (&wire.Close{Reason: wire.MaxSessions}).Append(nil)
	if err := b.c.Receive(closes, b.now); !errors.Is(err, ErrRefused) {
		t.Errorf("%v", err)
	}
	if err := b.c.Receive([]byte{0xff}, b.now); !errors.Is(err, ErrProtocol) {
		t.Errorf("%v", err)
	}
}

func TestAFloodOfARouterIsBounded(t *testing.T) {
	b := newBench(t)
	b.open(wire.MaxBatch)
	for i := range uint32(maxTokens + 100) {
		b.hear(&wire.Declare{What: wire.DeclareToken, ID: i, Key: wire.Key(fmt.Sprint("t", i))})
	}
	if n := len(b.c.remote.tokens); n != maxTokens {
		t.Errorf("%d tokens are kept, want %d", n, maxTokens)
	}
	for i := range uint32(maxQueries + 100) {
		b.hear(&wire.Request{ID: i, Key: wire.Key("s")})
	}
	if n := len(b.c.queries); n != maxQueries || b.c.Stats().Refused != 200 {
		t.Errorf("%d queries are kept, want %d; %d were refused", n, maxQueries, b.c.Stats().Refused)
	}
	part := (&wire.Fragment{Reliable: true, More: true, Part: make([]byte, 60_000)})
	var err error
	for i := 0; err == nil && i < 2*maxMessage/60_000; i++ {
		part.SN++
		err = b.c.Receive(part.Append(nil), b.now)
	}
	if !errors.Is(err, ErrProtocol) {
		t.Errorf("a message without end: %v", err)
	}
}

func TestARouterThatTakesNothingCostsNoMoreThanTheQueue(t *testing.T) {
	b := newBench(t)
	b.open(wire.MaxBatch)
	b.messages()
	v := &wire.Value{Payload: make([]byte, 1<<20)}
	for range 200 {
		b.c.Put("best", v, false)
	}
	if most := (bestEffortMB + 1) << 20; b.c.out.octets > most || b.c.Stats().Dropped < 190 {
		t.Errorf("%d octets of best effort wait, at most %d; %d were dropped", b.c.out.octets, most,
			b.c.Stats().Dropped)
	}
	for range 200 {
		b.c.Put("reliable", v, true)
	}
	if most := (reliableMB + 1) << 20; b.c.out.octets > most {
		t.Errorf("%d octets wait, at most %d", b.c.out.octets, most)
	}
}

func TestKeysMeetExpressionsAsZenohSays(t *testing.T) {
	for _, c := range []struct {
		expression, key string
		want            bool
	}{
		{"a/b", "a/b", true}, {"a/b", "a/c", false}, {"a", "a/b", false}, {"a/b", "a", false},
		{"a/*", "a/b", true}, {"a/*", "a", false}, {"a/*", "a/b/c", false}, {"*/b", "a/b", true},
		{"**", "a", true}, {"**", "a/b/c", true}, {"a/**", "a", true}, {"a/**", "a/b/c", true},
		{"a/**", "b", false}, {"**/c", "a/b/c", true}, {"**/c", "c", true}, {"**/c", "a/d", false},
		{"a/**/c", "a/c", true}, {"a/**/c", "a/x/y/c", true}, {"a/**/c", "a/x", false},
		{"a/b$*", "a/bcd", true}, {"a/$*d", "a/bcd", true}, {"a/b$*d/e", "a/bcd/e", true},
		{"a/b$*", "a/cb", false}, {"*", "@x", false}, {"**", "@x/y", false}, {"**", "a/@x", false},
		{"@x/**", "@x/y", true}, {"a/@adv/**", "a/@adv/pub/1", true}, {"a/**", "a/@adv/pub", false},
	} {
		if got := Matches(c.expression, c.key); got != c.want {
			t.Errorf("Matches(%q, %q) is %v", c.expression, c.key, got)
		}
	}
}

func FuzzReceive(f *testing.F) {
	b := &bench{}
	f.Add(b.frame(&wire.Declare{What: wire.DeclareKey, ID: 7, Key: wire.Key("a/b")},
		&wire.Push{Key: wire.KeyExpr{Scope: 7, OfSender: true}, Value: wire.Value{Payload: []byte("x")}}))
	f.Add(b.frame(&wire.Request{ID: 1, Key: wire.Key("s")}, &wire.ResponseFinal{Request: 1}))
	f.Add((&wire.Fragment{Reliable: true, More: true, SN: 1, Part: []byte{1}}).Append(nil))
	f.Add((&wire.Close{}).Append(nil))
	f.Fuzz(func(t *testing.T, batch []byte) {
		b := newBench(t)
		b.open(wire.MaxBatch)
		for range 3 {
			if b.c.Receive(batch, b.now) != nil {
				break
			}
			b.messages()
			if _, err := b.c.Tick(b.now); err != nil {
				t.Fatal(err)
			}
		}
		b.c.Lost()
		if b.c.remote.text != 0 || len(b.c.queries) != 0 {
			t.Error("something of a lost router is kept")
		}
	})
}
