package node

import (
	"context"
	"sync"
	"time"
)

// tasks are the goroutines of a node. Those given before it runs wait for it;
// those given after its end are not started.
type tasks struct {
	mu      sync.Mutex
	ctx     context.Context // of loops: ends when the node is told to
	calls   context.Context // of handlers: ends when they had time to finish
	waiting []func(context.Context)
	ended   bool
	running sync.WaitGroup
}

// add starts f, at once or when the node runs; false when the node has ended.
func (t *tasks) add(f func(context.Context)) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.ended:
		return false
	case t.ctx == nil:
		t.waiting = append(t.waiting, f)
	default:
		t.start(f)
	}
	return true
}

func (t *tasks) start(f func(context.Context)) {
	ctx := t.ctx
	t.running.Go(func() { f(ctx) })
}

// call starts a handler of a request; false when the node has ended.
func (t *tasks) call(f func(context.Context)) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ended || t.calls == nil {
		return false
	}
	ctx := t.calls
	t.running.Go(func() { f(ctx) })
	return true
}

// late starts f also while the node is ending, which then waits for it. Only
// a running task may call it.
func (t *tasks) late(f func()) { t.running.Go(f) }

// run starts what waits.
func (t *tasks) run(ctx, calls context.Context) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ctx, t.calls = ctx, calls
	for _, f := range t.waiting {
		t.start(f)
	}
	t.waiting = nil
}

// end takes no more tasks and waits until those that run have returned, at
// most for limit; it reports whether they have.
func (t *tasks) end(limit time.Duration) bool {
	t.mu.Lock()
	t.ended = true
	t.mu.Unlock()
	done := make(chan struct{})
	go func() {
		t.running.Wait()
		close(done)
	}()
	select {
	case <-done:
		return true
	case <-time.After(limit):
		return false
	}
}
