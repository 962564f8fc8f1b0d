package node

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"

	"simdeck/ros/msgs"
	"simdeck/ros/rtps"
	"simdeck/ros/rtps/wire"
)

// Why a server answers with Line's failure instead of asking the handler.
var (
	ErrDefinition = errors.New("the client has another definition of the service")
	ErrRequest    = errors.New("the request cannot be read")
	ErrHandler    = errors.New("the handler failed")
	ErrBusy       = errors.New("too many requests of this client wait")
)

// requestQueue is the number of requests of a client that wait for a free handler.
const requestQueue = 256

// Line is one definition of a service with what answers it. Definitions of
// several releases share a name; a client's type hash tells which it speaks.
type Line struct {
	request, response msgs.Message // for their names and hashes
	hash              string       // of the service as a whole
	newRequest        func() msgs.Message
	answer            func(context.Context, Caller, msgs.Message, respond) // may respond later
	failure           func(error) msgs.Message
}

// respond sends the response to a request; only the first one counts.
type respond func(msgs.Message)

// NewLine is a line that answer serves. failure makes the response to a
// request that does not reach it, or in which it panics; nil: the response
// with its defaults.
func NewLine[Q, S any, PQ msgs.Of[Q], PS msgs.Of[S]](svc msgs.Service[Q, S],
	answer func(context.Context, Caller, *Q) *S, failure func(error) *S) Line {
	l := Line{
		request: PQ(nil), response: PS(nil), hash: svc.Hash, newRequest: svc.NewRequest,
		answer: func(ctx context.Context, c Caller, q msgs.Message, to respond) {
			to(PS(answer(ctx, c, (*Q)(q.(PQ)))))
		},
		failure: func(error) msgs.Message { return svc.NewResponse() },
	}
	if failure != nil {
		l.failure = func(err error) msgs.Message { return PS(failure(err)) }
	}
	return l
}

// ServerConfig is the configuration of a service.
type ServerConfig struct {
	Name        string // expanded and remapped
	Lines       []Line // at least one; the first is announced
	Untyped     int    // index of the line that clients without a type hash speak
	Concurrency int    // requests handled at once; 0: one, in the order of their arrival
	PerClient   int    // of these, requests of one participant; others of it wait in their order; 0: all
	QoS         QoS    // zero: ServiceQoS
}

// Server answers requests of callers of every middleware. Other services go
// on while its handlers run.
type Server struct {
	node     *Node
	name     string
	lines    []Line
	untyped  int
	requests Reader
	replies  Writer
	turns    *turns
	held     chan struct{}
}

// Serve makes a server on n. Errors wrap ErrName.
func (n *Node) Serve(c ServerConfig) (*Server, error) {
	full, err := n.Resolve(c.Name)
	if err != nil {
		return nil, err
	}
	if len(c.Lines) == 0 || c.Untyped < 0 || c.Untyped >= len(c.Lines) {
		return nil, fmt.Errorf("service %s: %d lines, of which %d is for clients without a hash: want one that exists",
			full, len(c.Lines), c.Untyped)
	}
	if c.QoS.Depth == 0 {
		c.QoS = ServiceQoS()
	}
	most := max(1, c.Concurrency)
	s := &Server{node: n, name: full, lines: c.Lines, untyped: c.Untyped,
		turns: newTurns(most, cmp.Or(min(c.PerClient, most), most)), held: make(chan struct{}, maxHeld)}
	if err := s.open(c.QoS); err != nil {
		return nil, fmt.Errorf("service %s: %w", full, err)
	}
	n.mu.Lock()
	n.serving = append(n.serving, s)
	n.mu.Unlock()
	n.tasks.add(s.run)
	return s, nil
}

// open makes the ends of the service.
func (s *Server) open(q QoS) error {
	n, first := s.node, s.lines[0]
	c := ServiceConfig{Name: s.name, ID: n.uniqueID(), QoS: q, Queue: max(requestQueue, q.Depth)}
	for _, l := range s.lines {
		c.Types = append(c.Types, ServiceTypes{l.request, l.response, l.hash})
	}
	r, w, err := n.participant.NewServer(n.named(), c)
	if err != nil {
		return err
	}
	s.replies, s.requests = w, r
	flushed := func() bool { return w.Acked(wire.SequenceNumber(w.Stats().Written)) }
	n.adopt(w.GUID(), endpoint{writer: true, topic: ddsReply(s.name), kind: first.response.DDSTypeName(),
		hash: first.response.TypeHash(), close: w.Close, flushed: flushed, mismatches: ofWriter(w)})
	n.adopt(r.GUID(), endpoint{topic: ddsRequest(s.name), kind: first.request.DDSTypeName(),
		hash: first.request.TypeHash(), close: r.Close, mismatches: ofReader(r)})
	return nil
}

// handle answers one request.
func (s *Server) handle(ctx context.Context, sample rtps.Sample) {
	c := s.node.callerOf(sample)
	s.debug("a request has come", c, sample.SN)
	line, err := s.choose(c)
	var once sync.Once
	to := func(m msgs.Message) { once.Do(func() { s.reply(c, m) }) }
	s.serve(ctx, line, &c, sample.Payload, err, to)
}

// debug logs what becomes of a client's request, or of one of its replies, for who looks for a lost one.
func (s *Server) debug(what string, c Caller, number wire.SequenceNumber) {
	if s.node.log.Enabled(context.Background(), slog.LevelDebug) {
		s.node.log.Debug(what, "service", s.name, "client", c.Client, "number", int64(number))
	}
}

// serve has a line answer a request as it is serialised, or say why it was refused. The caller gets the
// number of its request, and the payload is given back.
func (s *Server) serve(ctx context.Context, line Line, c *Caller, payload []byte, err error, to respond) {
	request := line.newRequest()
	if err == nil {
		if err = c.decode(payload, request); err != nil {
			err = fmt.Errorf("%w: %w", ErrRequest, err)
		}
	}
	s.requests.Recycle(payload)
	if err != nil {
		s.node.notices.warn(s.node.log, c.Client, "requests of a client are refused", "service", s.name,
			"error", err)
		to(line.failure(err))
		return
	}
	s.ask(ctx, line, *c, request, to)
}

// choose finds the line that a client speaks by the hash of its request type.
// When lines differ in their responses only, the reader that waits for the
// reply tells; it is never answered with another definition than its own. With
// an error the line is the announced one.
func (s *Server) choose(c Caller) (Line, error) {
	if c.TypeHash == "" {
		return s.lines[s.untyped], nil
	}
	var fit []Line
	for _, l := range s.lines {
		if l.request.TypeHash() == c.TypeHash {
			fit = append(fit, l)
		}
	}
	first := s.lines[0]
	if len(fit) == 0 {
		return first, fmt.Errorf("%w: it announces %s for %s, served is %s: build it against the served release",
			ErrDefinition, c.TypeHash, first.request.TypeName(), first.request.TypeHash())
	}
	if len(fit) > 1 {
		s.hold(c)
	}
	reader, found := s.readerOf(c)
	hash := s.node.announcedHash(reader)
	for _, l := range fit {
		if !found || hash == "" || l.response.TypeHash() == hash {
			return l, nil
		}
	}
	return first, fmt.Errorf("%w: it announces %s for %s, served is %s: build it against the served release",
		ErrDefinition, hash, first.response.TypeName(), first.response.TypeHash())
}

// ask runs the handler; a panic becomes an error reply.
func (s *Server) ask(ctx context.Context, l Line, c Caller, q msgs.Message, to respond) {
	defer func() {
		if p := recover(); p != nil {
			s.node.caught("the handler of service "+s.name, c.Client, q, p)
			to(l.failure(fmt.Errorf("%w: %v", ErrHandler, p)))
		}
	}()
	l.answer(ctx, c, q, to)
}

// Name is the full name.
func (s *Server) Name() string { return s.name }

// Close takes the service off the graph; a handler that runs finishes and its
// reply is lost. It may be called more than once.
func (s *Server) Close() error {
	s.node.mu.Lock()
	s.node.serving = slices.DeleteFunc(s.node.serving, func(o *Server) bool { return o == s })
	s.node.mu.Unlock()
	return errors.Join(s.node.release(s.requests.GUID()), s.node.release(s.replies.GUID()))
}

// Bounds of requests that wait for their client's turn: of one client, and of all.
const (
	waitingOfOne = requestQueue
	waitingOfAll = 4 * requestQueue
)

// turns hands out requests: those of one participant in their order, so many at once, and participants in
// turn. A request that takes long delays those of its own participant only.
type turns struct {
	most, each int // requests handled at once, and of one participant

	mu      sync.Mutex
	running map[wire.GUIDPrefix]int
	waiting map[wire.GUIDPrefix][]rtps.Sample
	order   []wire.GUIDPrefix // those with waiting requests; the next one first
	handled int
	total   int // that wait
}

func newTurns(most, each int) *turns {
	return &turns{most: most, each: each, running: map[wire.GUIDPrefix]int{},
		waiting: map[wire.GUIDPrefix][]rtps.Sample{}}
}

// add makes a request wait; the error says why it may not.
func (t *turns) add(s rtps.Sample) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	who := s.Writer.Prefix
	switch n := len(t.waiting[who]); {
	case n >= waitingOfOne:
		return fmt.Errorf("%w: %d, at most %d may", ErrBusy, n+1, waitingOfOne)
	case t.total >= waitingOfAll:
		return fmt.Errorf("%w: %d of all clients, at most %d may", ErrBusy, t.total+1, waitingOfAll)
	case n == 0:
		t.order = append(t.order, who)
	}
	t.waiting[who] = append(t.waiting[who], s)
	t.total++
	return nil
}

// next is a request that may be handled now.
func (t *turns) next() (rtps.Sample, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.handled >= t.most {
		return rtps.Sample{}, false
	}
	for i, who := range t.order {
		if t.running[who] >= t.each {
			continue
		}
		s := t.waiting[who][0]
		t.waiting[who] = t.waiting[who][1:]
		t.order = slices.Delete(t.order, i, i+1)
		if len(t.waiting[who]) > 0 {
			t.order = append(t.order, who)
		} else {
			delete(t.waiting, who)
		}
		t.running[who]++
		t.handled++
		t.total--
		return s, true
	}
	return rtps.Sample{}, false
}

// done ends a request.
func (t *turns) done(s rtps.Sample) {
	t.mu.Lock()
	defer t.mu.Unlock()
	who := s.Writer.Prefix
	if t.running[who]--; t.running[who] == 0 {
		delete(t.running, who)
	}
	t.handled--
}

// run takes requests as they come; each is handled in a goroutine of its own when it is its client's turn.
func (s *Server) run(ctx context.Context) {
	for {
		sample, err := s.requests.Receive(ctx)
		if err != nil {
			return
		}
		if err := s.turns.add(sample); err != nil {
			c := s.node.callerOf(sample)
			line, _ := s.choose(c)
			s.serve(ctx, line, &c, sample.Payload, err, func(m msgs.Message) { s.reply(c, m) })
			continue
		}
		if !s.dispatch() {
			return
		}
	}
}

// dispatch starts handlers of the requests whose turn it is; false when the node has ended.
func (s *Server) dispatch() bool {
	for {
		sample, found := s.turns.next()
		if !found {
			return true
		}
		if !s.node.tasks.call(func(ctx context.Context) {
			defer s.dispatch()
			defer s.turns.done(sample)
			s.handle(ctx, sample)
		}) {
			return false
		}
	}
}
