package rmw

import (
	"context"

	"simdeck/ros/rtps"
)

// queue holds samples until they are taken; the oldest give way. It is locked by the session's lock, which
// with calls hold.
type queue struct {
	all    []rtps.Sample
	limit  int
	octets int
	ready  chan struct{}
	done   bool
	stats  rtps.ReaderStats
}

// maxQueued bounds the octets that wait in a queue; a single sample always fits.
const maxQueued = 64 << 20

func newQueue(limit int) queue {
	if limit <= 0 {
		limit = 1024
	}
	return queue{limit: limit, ready: make(chan struct{}, 1)}
}

func (q *queue) push(s rtps.Sample) {
	if q.done {
		return
	}
	for len(q.all) > 0 && (len(q.all) >= q.limit || q.octets+len(s.Payload) > maxQueued) {
		q.octets -= len(q.all[0].Payload)
		q.all[0] = rtps.Sample{}
		q.all = q.all[1:]
		q.stats.Dropped++
	}
	q.all = append(q.all, s)
	q.octets += len(s.Payload)
	q.stats.Received++
	select {
	case q.ready <- struct{}{}:
	default:
	}
}

func (q *queue) pop() (s rtps.Sample, ok bool) {
	if len(q.all) == 0 {
		return s, false
	}
	s = q.all[0]
	q.all[0] = rtps.Sample{}
	if q.all = q.all[1:]; len(q.all) == 0 {
		q.all = nil
	}
	q.octets -= len(s.Payload)
	return s, true
}

func (q *queue) close() {
	if !q.done {
		q.done = true
		close(q.ready)
	}
}

// receive waits for a sample; with calls a function under the lock.
func (q *queue) receive(ctx context.Context, with func(func())) (s rtps.Sample, err error) {
	for {
		var ok bool
		with(func() { s, ok = q.pop() })
		if ok {
			return s, nil
		}
		select {
		case <-ctx.Done():
			return s, ctx.Err()
		case _, open := <-q.ready:
			if !open {
				with(func() { s, ok = q.pop() })
				if ok {
					return s, nil
				}
				return s, rtps.ErrClosed
			}
		}
	}
}
