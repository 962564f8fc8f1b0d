package engine

import (
	"runtime"
	"sync"
)

// maxSensorWorkers is how many goroutines compute scans at most: the machine is also
// there for the console, for ROS and for other people's nodes.
const maxSensorWorkers = 4

// sensorPool is a few goroutines that compute scans beside the loop, the oldest
// first, several at the parts of one. Which of them does what shows in no
// result.
type sensorPool struct {
	mu      sync.Mutex
	more    sync.Cond // of mu: a scan came, or it is over
	queue   []*sensorJob
	stopped bool
	workers sync.WaitGroup
	wake    chan struct{} // told when a scan is done; holds one
}

func newSensorPool() *sensorPool {
	c := &sensorPool{wake: make(chan struct{}, 1)}
	c.more.L = &c.mu
	return c
}

// sensorWorkerCount leaves a processor to the loop where there is more than one.
func sensorWorkerCount() int { return max(1, min(maxSensorWorkers, runtime.GOMAXPROCS(0)-1)) }

// start begins the work; it goes on until stop.
func (c *sensorPool) start(n int) {
	for range n {
		c.workers.Go(c.worker)
	}
}

// submit gives the workers a scan. It never waits.
func (c *sensorPool) submit(s *sensorJob) {
	s.onDone = c.notify
	c.mu.Lock()
	c.queue = append(c.queue, s)
	c.mu.Unlock()
	c.more.Broadcast()
}

// stop ends the workers and waits for it; scans that are not done never will be.
func (c *sensorPool) stop() {
	c.mu.Lock()
	c.stopped, c.queue = true, nil
	c.mu.Unlock()
	c.more.Broadcast()
	c.workers.Wait()
}

func (c *sensorPool) worker() {
	for s := c.next(); s != nil; s = c.next() {
		s.runPart()
		runtime.Gosched() // on one processor the loop waits for a part at most
	}
}

// next waits for a scan of which a part is left; nil when it is over.
func (c *sensorPool) next() *sensorJob {
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

func (c *sensorPool) notify() {
	select {
	case c.wake <- struct{}{}:
	default:
	}
}
