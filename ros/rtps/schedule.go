package rtps

import (
	"container/heap"
	"time"
)

// task is a scheduled action of the core. It is embedded by what does it.
type task struct {
	run    func(now time.Time)
	at     time.Time
	pos    int  // place in the heap + 1; 0 = not there
	queued bool // in the ready queue
	dead   bool
}

// schedule holds the tasks of a core: ready ones in order, and timed ones.
type schedule struct {
	ready  []*task // from head on
	head   int
	timers timers
}

// soon has the task run with the next Advance.
func (s *schedule) soon(t *task) {
	if !t.queued && !t.dead {
		t.queued = true
		s.ready = append(s.ready, t)
	}
}

// by has the task run at a time, or earlier if it is already set so.
func (s *schedule) by(t *task, at time.Time) {
	switch {
	case t.dead:
	case t.pos == 0:
		t.at = at
		heap.Push(&s.timers, t)
	case at.Before(t.at):
		t.at = at
		heap.Fix(&s.timers, t.pos-1)
	}
}

// stop takes the timer back.
func (s *schedule) stop(t *task) {
	if t.pos > 0 {
		heap.Remove(&s.timers, t.pos-1)
	}
}

// kill ends the task for good.
func (s *schedule) kill(t *task) {
	s.stop(t)
	t.dead = true
}

// expire moves the tasks whose time has come into the ready queue.
func (s *schedule) expire(now time.Time) {
	for len(s.timers) > 0 && !s.timers[0].at.After(now) {
		t := s.timers[0]
		heap.Remove(&s.timers, 0)
		s.soon(t)
	}
}

// waiting is the number of ready tasks.
func (s *schedule) waiting() int { return len(s.ready) - s.head }

// idle tells whether nothing is ready.
func (s *schedule) idle() bool { return s.head == len(s.ready) }

// next takes the first ready task; nil when there is none.
func (s *schedule) next() *task {
	for s.head < len(s.ready) {
		t := s.ready[s.head]
		s.ready[s.head] = nil
		s.head++
		t.queued = false
		if !t.dead {
			return t
		}
	}
	s.ready, s.head = s.ready[:0], 0
	return nil
}

// timers is a heap of tasks, the earliest first.
type timers []*task

func (h timers) Len() int           { return len(h) }
func (h timers) Less(i, j int) bool { return h[i].at.Before(h[j].at) }
func (h timers) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].pos, h[j].pos = i+1, j+1
}

// Push adds a *task, for package heap.
func (h *timers) Push(x any) {
	t := x.(*task)
	*h = append(*h, t)
	t.pos = len(*h)
}

// Pop takes the last task, for package heap.
func (h *timers) Pop() any {
	old := *h
	t := old[len(old)-1]
	old[len(old)-1] = nil
	*h = old[:len(old)-1]
	t.pos = 0
	return t
}
