package dynamics

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// Workers is goroutines that compute steps together with whoever calls Step. How many they are shows in no
// result. A crew may serve several worlds, one step at a time. While there is nothing to do they sleep.
//
// A stage is cut into parts, and whoever has time takes the next one. Nobody waits for a hand that has not
// taken one: on a busy machine, which does not let the others run, the caller computes nearly all alone
// and loses little.
type Workers struct {
	// The job of the moment: written by the caller before ticket, read by who has taken a part of it.
	world *World
	stage taskStage
	color int32

	jobTicket atomic.Uint64 // jobs so far << 32 | parts << 16 | parts that are taken
	_         [56]byte
	done      atomic.Int32 // parts
	_         [60]byte

	parking     []parkedWorker // of the caller and of the goroutines
	size        int            // hands while it works, the caller's too; else 1
	stopped     atomic.Bool
	running     sync.WaitGroup
	panicked    atomic.Pointer[any] // what a hand panicked with
	alwaysSplit bool                // cuts up everything, however little it is: for tests
	clock       func() int64        // ns
	tuner       *parallelTuner      // of the world whose step is under way
}

// parkedWorker is where a hand sleeps.
type parkedWorker struct {
	asleep atomic.Bool
	wake   chan struct{}
	_      [48]byte
}

const (
	// spinsBeforeSleep is how often a hand looks for something to do before it sleeps: some 20 µs, which is what
	// waking takes.
	spinsBeforeSleep = 10_000
	// maxWorkers is how many hands a crew has at most.
	maxWorkers = 64
	// partsPerWorker is into how many parts for each hand a stage is cut at most: who is faster takes more.
	partsPerWorker = 3
)

// NewWorkers makes a crew of so many hands, that of the caller included; it starts nothing. With a clock, in ns, it tries
// now and then whether it is faster than the caller alone, and rests while it is not; nil: it always works.
func NewWorkers(hands int, clock func() int64) *Workers {
	c := &Workers{size: 1, parking: make([]parkedWorker, max(1, min(hands, maxWorkers))), clock: clock, tuner: new(parallelTuner)}
	for i := range c.parking {
		c.parking[i].wake = make(chan struct{}, 1)
	}
	return c
}

// Start begins the work; it goes on until Stop. Until then Step computes alone.
func (c *Workers) Start() {
	if c.size > 1 {
		return
	}
	c.stopped.Store(false)
	for i := 1; i < len(c.parking); i++ {
		c.running.Go(func() { c.workerLoop(&c.parking[i]) })
	}
	c.size = len(c.parking)
}

// Stop ends the work and waits until all are gone. No step may be under way.
func (c *Workers) Stop() {
	if c.size == 1 {
		return
	}
	c.stopped.Store(true)
	for i := range c.parking {
		c.parking[i].wakeUp()
	}
	c.running.Wait()
	c.size = 1
}

// begin and end are around a step of a world. Without a clock nothing is tried: the crew always works.
func (c *Workers) begin(w *World) {
	if c == nil || c.size == 1 {
		return
	}
	if c.tuner = &w.tuner; c.clock != nil {
		c.tuner.begin(c.clock, w.stats.Touching)
	}
}

func (c *Workers) end() {
	if c != nil && c.size > 1 && c.clock != nil {
		c.tuner.end(c.clock)
	}
}

// parts is into how many parts so much work is cut, of which each should have at least so much.
func (c *Workers) parts(work, each int) int32 {
	if c == nil || c.size == 1 || c.tuner.mode == serial {
		return 1
	}
	if c.alwaysSplit {
		each = 1
	}
	return int32(max(1, min(partsPerWorker*c.size, work/each)))
}

// partsOfIteration is parts for a stage of which there are many in a step, and which all need the same bodies: a part for each
// hand, so that most bodies stay with one.
func (c *Workers) partsOfIteration(work, each int) int32 {
	if c != nil && c.tuner.mode != parallelAll {
		return 1
	}
	if c == nil || c.alwaysSplit {
		return c.parts(work, each)
	}
	return min(c.parts(work, each), int32(c.size))
}

// run computes a stage in so many parts and returns when all are done.
func (c *Workers) run(w *World, s taskStage, at, parts int32) {
	if parts <= 1 {
		w.runStagePart(s, at, taskPart{0, 1})
		return
	}
	c.world, c.stage, c.color = w, s, at
	c.done.Store(0)
	c.jobTicket.Store((c.jobTicket.Load()>>32+1)<<32 | uint64(parts)<<16)
	for i := 1; i < len(c.parking); i++ {
		c.parking[i].wakeUp()
	}
	for c.computeNextPart() {
	}
	c.waitForParts(parts)
}

// waitForParts waits until all parts are done. What another hand panicked with, the caller panics with.
func (c *Workers) waitForParts(parts int32) {
	b := &c.parking[0]
	for n := 0; c.done.Load() < parts; n++ {
		if n%256 == 255 {
			runtime.Gosched()
		}
		if n > spinsBeforeSleep {
			b.sleep(func() bool { return c.done.Load() == parts })
		}
	}
	if f := c.panicked.Swap(nil); f != nil {
		panic(*f)
	}
}

// computeNextPart computes the next part; false: there is none.
func (c *Workers) computeNextPart() bool {
	t := c.jobTicket.Load()
	next, parts := int32(t&0xffff), int32(t>>16&0xffff)
	if next >= parts {
		return false
	}
	if c.jobTicket.CompareAndSwap(t, t+1) {
		c.world.runStagePart(c.stage, c.color, taskPart{next, parts})
		c.countDone(parts)
	}
	return true
}

// countDone counts a part as done, and wakes the caller after the last one.
func (c *Workers) countDone(parts int32) {
	if c.done.Add(1) == parts {
		c.parking[0].wakeUp()
	}
}

// workerLoop is what the others do until Stop, or until one of them panics.
func (c *Workers) workerLoop(b *parkedWorker) {
	defer func() {
		if p := recover(); p != nil {
			c.panicked.Store(&p)
			c.countDone(int32(c.jobTicket.Load() >> 16 & 0xffff))
		}
	}()
	for n := 0; !c.stopped.Load(); n++ {
		if c.computeNextPart() {
			n = 0
		}
		if n > spinsBeforeSleep {
			b.sleep(func() bool { return c.stopped.Load() || c.jobTicket.Load()&0xffff < c.jobTicket.Load()>>16&0xffff })
			n = 0
		}
	}
}

// sleep waits to be roused, unless there is a reason not to.
func (b *parkedWorker) sleep(reason func() bool) {
	b.asleep.Store(true)
	if reason() && b.asleep.CompareAndSwap(true, false) {
		return
	}
	<-b.wake
}

// wakeUp wakes who sleeps here.
func (b *parkedWorker) wakeUp() {
	if b.asleep.Load() && b.asleep.CompareAndSwap(true, false) {
		b.wake <- struct{}{}
	}
}

// taskPart is one of the equal parts of a stage.
type taskPart struct{ i, n int32 }

// subrange is the part of a span.
func (p taskPart) subrange(s batchRange) (first, end int32) {
	n := int64(s.end - s.first)
	return s.first + int32(n*int64(p.i)/int64(p.n)), s.first + int32(n*int64(p.i+1)/int64(p.n))
}

// rangeOf is the part of n things.
func (p taskPart) rangeOf(n int) (first, end int32) { return p.subrange(batchRange{0, int32(n)}) }
