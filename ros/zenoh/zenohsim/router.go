// Package zenohsim is a Zenoh router in memory, for tests: a zenoh.Dialer whose connections end in it. It
// passes on as a real one does, for clients that declare keys as text. It is not shipped.
package zenohsim

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"time"

	"simdeck/ros/zenoh"
	"simdeck/ros/zenoh/wire"
)

// Router passes on between the sessions that dial it.
type Router struct {
	mu       sync.Mutex
	sessions []*session
	down     bool
	asked    uint32
	queries  map[uint32]*query
}

// session is a client of the router.
type session struct {
	router   *Router
	id       wire.ID
	out      chan []byte // batches
	sn       uint32
	declared map[uint32]wire.Declare
	interest map[uint32]wire.Interest
	numbers  map[string]uint32 // of what was told of others, by kind, session and number
	gone     chan struct{}
	once     sync.Once
	link     io.Closer
}

// query is a query under way: from whom, under which number, and how many are still to answer.
type query struct {
	from *session
	id   uint32
	left int
}

// New makes a router without sessions.
func New() *Router { return &Router{queries: map[uint32]*query{}} }

// SetDown makes the router vanish or come back. Connections break.
func (r *Router) SetDown(down bool) {
	r.mu.Lock()
	r.down = down
	all := append([]*session(nil), r.sessions...)
	r.mu.Unlock()
	if down {
		for _, s := range all {
			s.leave()
		}
	}
}

// pipe is one end of a connection.
type pipe struct {
	io.Reader
	io.Writer
	close func() error
}

func (p pipe) Close() error { return p.close() }

// Dial connects a session.
func (r *Router) Dial(_ context.Context, _ string) (io.ReadWriteCloser, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.down {
		return nil, errors.New("connection refused")
	}
	near, far := Pipe()
	s := &session{router: r, out: make(chan []byte, 4096), declared: map[uint32]wire.Declare{},
		interest: map[uint32]wire.Interest{}, numbers: map[string]uint32{}, gone: make(chan struct{}),
		link: far}
	go s.write(far)
	go s.read(far)
	return near, nil
}

// Pipe is a connection in memory: what is written to one end is read from the other.
func Pipe() (near, far io.ReadWriteCloser) {
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	end := func() error {
		return errors.Join(inW.Close(), outW.Close(), inR.Close(), outR.Close())
	}
	return pipe{inR, outW, end}, pipe{outR, inW, end}
}

func (s *session) leave() {
	s.once.Do(func() {
		close(s.gone)
		s.link.Close()
		r := s.router
		r.mu.Lock()
		defer r.mu.Unlock()
		for i, o := range r.sessions {
			if o == s {
				r.sessions = append(r.sessions[:i:i], r.sessions[i+1:]...)
				break
			}
		}
		for _, d := range s.declared {
			r.undeclared(s, d)
		}
	})
}

func (s *session) write(link io.Writer) {
	for {
		select {
		case b := <-s.out:
			if _, err := link.Write(wire.AppendBatch(nil, b)); err != nil {
				return
			}
		case <-time.After(zenoh.Lease / 4):
			s.out <- (&wire.KeepAlive{}).Append(nil)
		case <-s.gone:
			return
		}
	}
}

func (s *session) read(link io.Reader) {
	defer s.leave()
	var header [wire.BatchHeader]byte
	var parts []byte
	for {
		if _, err := io.ReadFull(link, header[:]); err != nil {
			return
		}
		b := make([]byte, wire.BatchSize(header))
		if _, err := io.ReadFull(link, b); err != nil {
			return
		}
		for len(b) > 0 {
			m, left, err := wire.ParseTransport(b)
			if err != nil {
				panic(err)
			}
			b = left
			var whole []byte
			switch m := m.(type) {
			case *wire.Init:
				s.id = m.ID
				s.out <- (&wire.Init{Ack: true, Version: wire.Version, ID: wire.ID{0xee},
					Resolution: wire.DefaultResolution, Batch: wire.MaxBatch,
					Cookie: []byte("c")}).Append(nil)
			case *wire.Open:
				s.out <- (&wire.Open{Ack: true, Lease: zenoh.Lease, SN: 1}).Append(nil)
				s.router.mu.Lock()
				s.router.sessions = append(s.router.sessions, s)
				s.router.mu.Unlock()
			case *wire.Close:
				return
			case *wire.Frame:
				whole = m.Messages
			case *wire.Fragment:
				if parts = append(parts, m.Part...); !m.More {
					whole, parts = parts, nil
				}
			}
			s.messages(whole)
		}
	}
}

func (s *session) messages(b []byte) {
	s.router.mu.Lock()
	defer s.router.mu.Unlock()
	for len(b) > 0 {
		m, left, err := wire.ParseNetwork(b)
		if err != nil {
			panic(err)
		}
		b = left
		s.router.pass(s, m)
	}
}

// send gives a session a message, in fragments where it is large.
func (s *session) send(m wire.Message) {
	b := m.Append(nil)
	for len(b) > 0 {
		s.sn++
		if len(b) < 60_000 {
			s.out <- (&wire.Frame{Reliable: true, SN: s.sn, Messages: b}).Append(nil)
			return
		}
		for len(b) > 0 {
			n := min(60_000, len(b))
			s.out <- (&wire.Fragment{Reliable: true, More: n < len(b), SN: s.sn, Part: b[:n]}).Append(nil)
			if b = b[n:]; len(b) > 0 {
				s.sn++
			}
		}
	}
}

// meets is whether two expressions have a key in common, of which one at least has no wildcards.
func meets(a, b string) bool {
	if strings.Contains(a, "*") {
		return zenoh.Matches(a, b)
	}
	return zenoh.Matches(b, a)
}

// pass passes a message of a session on.
func (r *Router) pass(from *session, m wire.Message) {
	switch m := m.(type) {
	case *wire.Push:
		for _, s := range r.sessions {
			if s != from && s.has(wire.DeclareSubscriber, string(m.Key.Suffix)) {
				s.send(m)
			}
		}
	case *wire.Request:
		r.asked++
		q := &query{from: from, id: m.ID}
		r.queries[r.asked] = q
		copied := *m
		copied.ID = r.asked
		for _, s := range r.sessions {
			if s != from && s.has(wire.DeclareQueryable, string(m.Key.Suffix)) {
				q.left++
				s.send(&copied)
			}
		}
		if q.left == 0 {
			from.send(&wire.ResponseFinal{Request: m.ID})
		}
	case *wire.Response:
		if q := r.queries[m.Request]; q != nil {
			copied := *m
			copied.Request = q.id
			q.from.send(&copied)
		}
	case *wire.ResponseFinal:
		if q := r.queries[m.Request]; q != nil {
			if q.left--; q.left == 0 {
				delete(r.queries, m.Request)
				q.from.send(&wire.ResponseFinal{Request: q.id})
			}
		}
	case *wire.Interest:
		r.interest(from, *m)
	case *wire.Declare:
		r.declare(from, *m)
	}
}

func (s *session) has(what wire.What, key string) bool {
	for _, d := range s.declared {
		if d.What == what && meets(string(d.Key.Suffix), key) {
			return true
		}
	}
	return false
}

func (r *Router) declare(from *session, d wire.Declare) {
	d.Key.Suffix = append([]byte(nil), d.Key.Suffix...)
	if d.What%2 == 1 { // the end of one
		if was, ok := from.declared[d.ID]; ok {
			delete(from.declared, d.ID)
			r.undeclared(from, was)
		}
		return
	}
	from.declared[d.ID] = d
	for _, s := range r.sessions {
		for _, i := range s.interest {
			s.tell(from, d, i, false)
		}
	}
}

// undeclared tells others of the end of a declaration.
func (r *Router) undeclared(from *session, d wire.Declare) {
	for _, s := range r.sessions {
		at := name(from, d)
		if n, told := s.numbers[at]; told {
			delete(s.numbers, at)
			s.send(&wire.Declare{What: d.What + 1, ID: n})
		}
	}
}

func name(from *session, d wire.Declare) string {
	return string(rune(d.What)) + from.id.String() + "/" + string(rune(d.ID))
}

// tell tells a session of a declaration that it is interested in.
func (s *session) tell(of *session, d wire.Declare, i wire.Interest, answers bool) {
	wants := d.What == wire.DeclareToken && i.Of&wire.OfTokens != 0 ||
		d.What == wire.DeclareSubscriber && i.Of&wire.OfSubscribers != 0 && of != s
	if !wants || !meets(string(i.Key.Suffix), string(d.Key.Suffix)) {
		return
	}
	at := name(of, d)
	if _, told := s.numbers[at]; told {
		return
	}
	s.numbers[at] = uint32(len(s.numbers)) + 1000 + s.sn
	s.send(&wire.Declare{Answers: answers, Interest: i.ID, What: d.What, ID: s.numbers[at], Key: d.Key})
}

func (r *Router) interest(from *session, i wire.Interest) {
	if i.Mode == wire.Ended {
		delete(from.interest, i.ID)
		return
	}
	i.Key.Suffix = append([]byte(nil), i.Key.Suffix...)
	from.interest[i.ID] = i
	for _, s := range r.sessions {
		for _, d := range s.declared {
			from.tell(s, d, i, true)
		}
	}
	from.send(&wire.Declare{Answers: true, Interest: i.ID, What: wire.DeclareFinal})
}
