package sim

import (
	"runtime"
	"sync"
)

// crewMost is how many goroutines compute scans at most: the machine is also
// there for the console, for ROS and for other people's nodes.
const crewMost = 4

// crew is a few goroutines that compute scans beside the loop, the oldest
// first, several at the parts of one. Which of them does what shows in no
// result.
type crew struct {
	mu    sync.Mutex
	more  sync.Cond // of mu: a scan came, or it is over
	queue []*scan
	over  bool
	hands sync.WaitGroup
	wake  chan struct{} // told when a scan is done; holds one
}

func newCrew() *crew {
	c := &crew{wake: make(chan struct{}, 1)}
	c.more.L = &c.mu
	return c
}

// crewSize leaves a processor to the loop where there is more than one.
func crewSize() int { return max(1, min(crewMost, runtime.GOMAXPROCS(0)-1)) }

// start begins the work; it goes on until stop.
func (c *crew) start(n int) {
	for range n {
		c.hands.Go(c.work)
	}
}

// take gives the crew a scan. It never waits.
func (c *crew) take(s *scan) {
	s.told = c.tell
	c.mu.Lock()
	c.queue = append(c.queue, s)
	c.mu.Unlock()
	c.more.Broadcast()
}

// stop ends the crew and waits for it; scans that are not done never will be.
func (c *crew) stop() {
	c.mu.Lock()
	c.over, c.queue = true, nil
	c.mu.Unlock()
	c.more.Broadcast()
	c.hands.Wait()
}

func (c *crew) work() {
	for s := c.next(); s != nil; s = c.next() {
		s.work()
		runtime.Gosched() // on one processor the loop waits for a part at most
	}
}

// next waits for a scan of which a part is left; nil when it is over.
func (c *crew) next() *scan {
	c.mu.Lock()
	defer c.mu.Unlock()
	for {
		for len(c.queue) > 0 && c.queue[0].begun() {
			c.queue[0] = nil
			c.queue = c.queue[1:]
		}
		switch {
		case c.over:
			return nil
		case len(c.queue) > 0:
			return c.queue[0]
		}
		c.more.Wait()
	}
}

func (c *crew) tell() {
	select {
	case c.wake <- struct{}{}:
	default:
	}
}
