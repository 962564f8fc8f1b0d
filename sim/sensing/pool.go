package sensing

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// maxWorkers bounds the goroutines that compute scans. The machine also serves the console, ROS and other
// nodes.
const maxWorkers = 4

// Pool is a few goroutines that compute scans beside the loop, the oldest
// first, several at the parts of one. Which of them does what shows in no
// result.
type Pool struct {
	LeavesOut atomic.Bool // late samples are left out, see Pipeline.LeaveOut

	mu      sync.Mutex
	more    sync.Cond // of mu: a scan came, or it is over
	queue   []*Job
	stopped bool
	workers sync.WaitGroup
	wake    chan struct{} // told when a scan is done; holds one
}

// Wake tells that a sample is done, or that Notify was called.
func (c *Pool) Wake() <-chan struct{} { return c.wake }

// NewPool makes one whose goroutines have not begun.
func NewPool() *Pool {
	c := &Pool{wake: make(chan struct{}, 1)}
	c.more.L = &c.mu
	return c
}

// WorkerCount leaves a processor to the loop where there is more than one.
func WorkerCount() int { return max(1, min(maxWorkers, runtime.GOMAXPROCS(0)-1)) }

// Start begins the work; it goes on until Stop.
func (c *Pool) Start(n int) {
	for range n {
		c.workers.Go(c.worker)
	}
}

// Submit gives the workers a scan. It never waits.
func (c *Pool) Submit(s *Job) {
	s.onDone = c.Notify
	c.mu.Lock()
	c.queue = append(c.queue, s)
	c.mu.Unlock()
	c.more.Broadcast()
}

// Stop ends the workers and waits for it; scans that are not done never will be.
func (c *Pool) Stop() {
	c.mu.Lock()
	c.stopped, c.queue = true, nil
	c.mu.Unlock()
	c.more.Broadcast()
	c.workers.Wait()
}

func (c *Pool) worker() {
	for s := c.next(); s != nil; s = c.next() {
		s.runPart()
		runtime.Gosched() // on one processor the loop waits for a part at most
	}
}

// next waits for a scan of which a part is left; nil when it is over.
func (c *Pool) next() *Job {
	c.mu.Lock()
	defer c.mu.Unlock()
	for {
		for len(c.queue) > 0 && c.queue[0].hasStarted() {
			c.queue[0] = nil
			c.queue = c.queue[1:]
		}
		switch {
		case c.stopped:
			return nil
		case len(c.queue) > 0:
			return c.queue[0]
		}
		c.more.Wait()
	}
}

// Notify wakes who waits for samples.
func (c *Pool) Notify() {
	select {
	case c.wake <- struct{}{}:
	default:
	}
}
