package node

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"simdeck/ros/msgs"
	"simdeck/ros/rtps"
	"simdeck/ros/rtps/wire"
)

// ErrBusy is a client of whom too many requests wait.
var ErrBusy = errors.New("too many requests of this client wait")

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
