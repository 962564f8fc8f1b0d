package physics

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// Crew is goroutines that compute steps together with whoever calls Step. How many they are shows in no
// result. A crew may serve several worlds, one step at a time. While there is nothing to do they sleep.
//
// A stage is cut into parts, and whoever has time takes the next one. Nobody waits for a hand that has not
// taken one: on a busy machine, which does not let the others run, the caller computes nearly all alone
// and loses little.
type Crew struct {
	// The job of the moment: written by the caller before ticket, read by who has taken a part of it.
	world *World
	stage stage
	at    int32

	ticket atomic.Uint64 // jobs so far << 32 | parts << 16 | parts that are taken
	_      [56]byte
	done   atomic.Int32 // parts
	_      [60]byte

	berths []berth // of the caller and of the goroutines
	size   int     // hands while it works, the caller's too; else 1
	over   atomic.Bool
	gone   sync.WaitGroup
	fault  atomic.Pointer[any] // what a hand panicked with
	eager  bool                // cuts up everything, however little it is: for tests
	clock  func() int64        // ns
	trial  *trial              // of the world whose step is under way
}

// berth is where a hand sleeps.
type berth struct {
	asleep atomic.Bool
	wake   chan struct{}
	_      [48]byte
}

const (
	// patience is how often a hand looks for something to do before it sleeps: some 20 µs, which is what
	// waking takes.
	patience = 10_000
	// crewMost is how many hands a crew has at most.
	crewMost = 64
	// partsEach is into how many parts for each hand a stage is cut at most: who is faster takes more.
	partsEach = 3
)

// NewCrew makes a crew of so many hands, that of the caller included; it starts nothing. With a clock, in ns, it tries
// now and then whether it is faster than the caller alone, and rests while it is not; nil: it always works.
func NewCrew(hands int, clock func() int64) *Crew {
	c := &Crew{size: 1, berths: make([]berth, max(1, min(hands, crewMost))), clock: clock, trial: new(trial)}
	for i := range c.berths {
		c.berths[i].wake = make(chan struct{}, 1)
	}
	return c
}

// Start begins the work; it goes on until Stop. Until then Step computes alone.
func (c *Crew) Start() {
	if c.size > 1 {
		return
	}
	c.over.Store(false)
	for i := 1; i < len(c.berths); i++ {
		c.gone.Go(func() { c.work(&c.berths[i]) })
	}
	c.size = len(c.berths)
}

// Stop ends the work and waits until all are gone. No step may be under way.
func (c *Crew) Stop() {
	if c.size == 1 {
		return
	}
	c.over.Store(true)
	for i := range c.berths {
		c.berths[i].rouse()
	}
	c.gone.Wait()
	c.size = 1
}

// begin and end are around a step of a world. Without a clock nothing is tried: the crew always works.
func (c *Crew) begin(w *World) {
	if c == nil || c.size == 1 {
		return
	}
	if c.trial = &w.trial; c.clock != nil {
		c.trial.begin(c.clock, w.stats.Touching)
	}
}

func (c *Crew) end() {
	if c != nil && c.size > 1 && c.clock != nil {
		c.trial.end(c.clock)
	}
}

// parts is into how many parts so much work is cut, of which each should have at least so much.
func (c *Crew) parts(work, each int) int32 {
	if c == nil || c.size == 1 || c.trial.way == byOne {
		return 1
	}
	if c.eager {
		each = 1
	}
	return int32(max(1, min(partsEach*c.size, work/each)))
}

// partsOfPass is parts for a stage of which there are many in a step, and which all need the same bodies: a part for each
// hand, so that most bodies stay with one.
func (c *Crew) partsOfPass(work, each int) int32 {
	if c != nil && c.trial.way != byAll {
		return 1
	}
	if c == nil || c.eager {
		return c.parts(work, each)
	}
	return min(c.parts(work, each), int32(c.size))
}

// run computes a stage in so many parts and returns when all are done.
func (c *Crew) run(w *World, s stage, at, parts int32) {
	if parts <= 1 {
		w.compute(s, at, part{0, 1})
		return
	}
	c.world, c.stage, c.at = w, s, at
	c.done.Store(0)
	c.ticket.Store((c.ticket.Load()>>32+1)<<32 | uint64(parts)<<16)
	for i := 1; i < len(c.berths); i++ {
		c.berths[i].rouse()
	}
	for c.take() {
	}
	c.await(parts)
}

// await waits until all parts are done. What another hand panicked with, the caller panics with.
func (c *Crew) await(parts int32) {
	b := &c.berths[0]
	for n := 0; c.done.Load() < parts; n++ {
		if n%256 == 255 {
			runtime.Gosched()
		}
		if n > patience {
			b.sleep(func() bool { return c.done.Load() == parts })
		}
	}
	if f := c.fault.Swap(nil); f != nil {
		panic(*f)
	}
}

// take computes the next part; false: there is none.
func (c *Crew) take() bool {
	t := c.ticket.Load()
	next, parts := int32(t&0xffff), int32(t>>16&0xffff)
	if next >= parts {
		return false
	}
	if c.ticket.CompareAndSwap(t, t+1) {
		c.world.compute(c.stage, c.at, part{next, parts})
		c.finish(parts)
	}
	return true
}

// finish counts a part as done, and wakes the caller after the last one.
func (c *Crew) finish(parts int32) {
	if c.done.Add(1) == parts {
		c.berths[0].rouse()
	}
}

// work is what the others do until Stop, or until one of them panics.
func (c *Crew) work(b *berth) {
	defer func() {
		if p := recover(); p != nil {
			c.fault.Store(&p)
			c.finish(int32(c.ticket.Load() >> 16 & 0xffff))
		}
	}()
	for n := 0; !c.over.Load(); n++ {
		if c.take() {
			n = 0
		}
		if n > patience {
			b.sleep(func() bool { return c.over.Load() || c.ticket.Load()&0xffff < c.ticket.Load()>>16&0xffff })
			n = 0
		}
	}
}

// sleep waits to be roused, unless there is a reason not to.
func (b *berth) sleep(reason func() bool) {
	b.asleep.Store(true)
	if reason() && b.asleep.CompareAndSwap(true, false) {
		return
	}
	<-b.wake
}

// rouse wakes who sleeps here.
func (b *berth) rouse() {
	if b.asleep.Load() && b.asleep.CompareAndSwap(true, false) {
		b.wake <- struct{}{}
	}
}

// part is one of the equal parts of a stage.
type part struct{ i, n int32 }

// share is the part of a span.
func (p part) share(s span) (first, end int32) {
	n := int64(s.end - s.first)
	return s.first + int32(n*int64(p.i)/int64(p.n)), s.first + int32(n*int64(p.i+1)/int64(p.n))
}

// of is the part of n things.
func (p part) of(n int) (first, end int32) { return p.share(span{0, int32(n)}) }
