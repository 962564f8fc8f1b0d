package dynamics

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// Workers is a pool of goroutines that compute steps together with the caller of Step. Their number shows in
// no result. One pool may serve several worlds, one step at a time. Idle workers sleep.
//
// A task is cut into parts, which workers take one after the other. The caller waits only for taken parts: on
// a busy machine it computes nearly all alone and loses little.
type Workers struct {
	// The job of the moment: written by the caller before jobTicket, read by workers that have taken a part.
	world *World
	task  task
	color int32

	jobTicket atomic.Uint64 // jobs so far << 32 | parts << 16 | parts that are taken
	_         [56]byte
	done      atomic.Int32 // parts
	_         [60]byte

	parking     []parkedWorker // of the caller and of the goroutines
	size        int            // workers while started, with the caller; else 1
	stopped     atomic.Bool
	running     sync.WaitGroup
	panicked    atomic.Pointer[any] // value of a worker's panic
	alwaysSplit bool                // splits everything, however little it is: for tests
	clock       func() int64        // ns
	tuner       *parallelTuner      // of the world whose step is under way
}

// parkedWorker is the sleeping place of a worker.
type parkedWorker struct {
	asleep atomic.Bool
	wake   chan struct{}
	_      [48]byte
}

const (
	// spinsBeforeSleep is the number of times that an idle worker looks for a part before it sleeps. That is
	// some 20 µs, as long as waking takes.
	spinsBeforeSleep = 10_000
	// maxWorkers bounds the workers of a pool.
	maxWorkers = 64
	// partsPerWorker is the most parts of a task for each worker: faster ones take more.
	partsPerWorker = 3
	// fewPartsPerWorker is the same for tasks of a few long items.
	fewPartsPerWorker = 8
)

// NewWorkers makes a pool of so many workers, the caller included; it starts nothing. With a clock, in ns, it
// measures at times whether it beats the caller alone, and rests while it does not; nil: always works.
func NewWorkers(workers int, clock func() int64) *Workers {
	c := &Workers{size: 1, parking: make([]parkedWorker, max(1, min(workers, maxWorkers))), clock: clock,
		tuner: new(parallelTuner)}
	for i := range c.parking {
		c.parking[i].wake = make(chan struct{}, 1)
	}
	return c
}

// Start starts the goroutines, which run until Stop. Without them Step computes alone.
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

// Stop ends the goroutines and waits for them. No step may be under way.
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

// begin begins a step of a world: the tuner chooses its mode, where there is a clock.
func (c *Workers) begin(w *World) {
	if c == nil || c.size == 1 {
		return
	}
	if c.tuner = &w.tuner; c.clock != nil {
		c.tuner.begin(c.clock, w.stats.Touching)
	}
}

// end ends the step that begin began.
func (c *Workers) end() {
	if c != nil && c.size > 1 && c.clock != nil {
		c.tuner.end(c.clock)
	}
}

// parts is the number of parts for so much work, of which each should have at least so much.
func (c *Workers) parts(work, each int) int32 {
	if c == nil || c.size == 1 || c.tuner.mode == serial {
		return 1
	}
	if c.alwaysSplit {
		each = 1
	}
	return int32(max(1, min(partsPerWorker*c.size, work/each)))
}

// partsOfFew is parts for a few long items, of which each is work enough: a worker that is done must not wait
// long for another.
func (c *Workers) partsOfFew(items int) int32 {
	if c == nil || c.size == 1 || c.tuner.mode == serial {
		return 1
	}
	return int32(max(1, min(items, fewPartsPerWorker*c.size)))
}

// partsOfIteration is parts for tasks of iterations, which share their bodies: one per worker, so that most
// bodies stay in one cache.
func (c *Workers) partsOfIteration(work, each int) int32 {
	if c != nil && c.tuner.mode != parallelAll {
		return 1
	}
	if c == nil || c.alwaysSplit {
		return c.parts(work, each)
	}
	return min(c.parts(work, each), int32(c.size))
}

// run computes a task in so many parts and returns when all are done.
func (c *Workers) run(w *World, t task, at, parts int32) {
	if parts <= 1 {
		t(w, at, taskPart{0, 1})
		return
	}
	c.world, c.task, c.color = w, t, at
	c.done.Store(0)
	c.jobTicket.Store((c.jobTicket.Load()>>32+1)<<32 | uint64(parts)<<16)
	for i := 1; i < len(c.parking); i++ {
		c.parking[i].wakeUp()
	}
	for c.computeNextPart() {
	}
	c.waitForParts(parts)
}

// waitForParts waits until all parts are done, and repeats the panic of a worker.
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
		c.task(c.world, c.color, taskPart{next, parts})
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

// workerLoop takes parts until Stop, or until one panics.
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
			b.sleep(func() bool {
				return c.stopped.Load() ||
					c.jobTicket.Load()&0xffff < c.jobTicket.Load()>>16&0xffff
			})
			n = 0
		}
	}
}

// sleep waits for wakeUp, unless there is a reason not to.
func (b *parkedWorker) sleep(reason func() bool) {
	b.asleep.Store(true)
	if reason() && b.asleep.CompareAndSwap(true, false) {
		return
	}
	<-b.wake
}

// wakeUp wakes the worker that sleeps here.
func (b *parkedWorker) wakeUp() {
	if b.asleep.Load() && b.asleep.CompareAndSwap(true, false) {
		b.wake <- struct{}{}
	}
}

// task computes a part of what many items of a step need, independent of each other; at is the colour, where
// there is one.
type task func(w *World, at int32, p taskPart)

// taskPart is one of the equal parts of a task.
type taskPart struct{ i, n int32 }

// subrange is the part of a range.
func (p taskPart) subrange(s batchRange) (first, end int32) {
	n := int64(s.end - s.first)
	return s.first + int32(n*int64(p.i)/int64(p.n)), s.first + int32(n*int64(p.i+1)/int64(p.n))
}

// rangeOf is the part of the range from 0 to n.
func (p taskPart) rangeOf(n int) (first, end int32) { return p.subrange(batchRange{0, int32(n)}) }

// parallelMode says which parts of a step are split among workers.
type parallelMode uint8

const (
	parallelAll parallelMode = iota // every task in parts
	// iterations over contacts and bodies by the caller alone, the rest in parts
	parallelExceptSolver
	serial // every task by the caller
	parallelModeCount
)

// parallelTuner measures now and then which mode is the fastest for a world. Small worlds and busy machines
// do not repay synchronisation; between distant processors, cache lines of shared bodies travel to and fro.
// The mode shows in no result.
type parallelTuner struct {
	steps int // since the last measurement began
	work  int // touching contacts then
	began int64
	mode  parallelMode
	times [parallelModeCount][tunerStepsPerMode]int64
}

const (
	// tunerStepsPerMode steps run in each mode, every tunerInterval steps. Half of them run before those of
	// the other modes and half after, in the opposite order, in case steps become longer or shorter
	// meanwhile.
	tunerStepsPerMode = 8
	tunerWindow       = int(parallelModeCount) * tunerStepsPerMode
	tunerInterval     = 512 // measuring must cost little
	// tunerMinInterval is the number of steps after which changed work is measured again: falling bodies have
	// become a heap.
	tunerMinInterval = 64
	// tunerMinContacts is the work, in contacts, below which changes do not matter.
	tunerMinContacts = 64
)

// begin begins a step of a world with so many touching contacts; the clock is in ns.
func (t *parallelTuner) begin(clock func() int64, work int) {
	if t.steps == tunerInterval || t.steps >= tunerMinInterval && t.workChanged(work) {
		t.steps = 0
	}
	if t.steps == 0 {
		t.work = work
	}
	if t.steps < tunerWindow {
		t.mode, _ = modeOfStep(t.steps)
		t.began = clock()
	}
}

// modeOfStep is the mode of a step of a measurement, and its number among those of the mode.
func modeOfStep(step int) (parallelMode, int) {
	const half = tunerStepsPerMode / 2
	w, i := step/half, step%half
	if w >= int(parallelModeCount) {
		w, i = 2*int(parallelModeCount)-1-w, half+i
	}
	return parallelModeCount - 1 - parallelMode(w), i
}

// workChanged reports twice or half the work of the last measurement.
func (t *parallelTuner) workChanged(work int) bool {
	least, most := min(work, t.work), max(work, t.work)
	return most > tunerMinContacts && most >= 2*least
}

// end ends a step, and the measurement after its last one.
func (t *parallelTuner) end(clock func() int64) {
	step := t.steps
	t.steps++
	if step >= tunerWindow {
		return
	}
	w, i := modeOfStep(step)
	t.times[w][i] = clock() - t.began
	if step < tunerWindow-1 {
		return
	}
	for w := range t.times {
		slices.Sort(t.times[w][:])
	}
	for w := parallelModeCount; w > 0; w-- { // the fewer workers the better, where they are as fast
		if t.times[w-1][tunerStepsPerMode/2] < t.times[t.mode][tunerStepsPerMode/2] {
			t.mode = w - 1
		}
	}
}
