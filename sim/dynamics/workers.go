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
// A task is cut into parts, which workers take one after the other. The caller waits only for parts that were
// taken: on a busy machine, which does not let the others run, it computes nearly all alone and loses little.
type Workers struct {
	// The job of the moment: written by the caller before jobTicket, read by workers that have taken a part.
	world *World
	stage taskStage
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

// parkedWorker is where a worker sleeps.
type parkedWorker struct {
	asleep atomic.Bool
	wake   chan struct{}
	_      [48]byte
}

const (
	// spinsBeforeSleep is how often an idle worker looks for a part before it sleeps: some 20 µs, as long as
	// waking takes.
	spinsBeforeSleep = 10_000
	// maxWorkers bounds the workers of a pool.
	maxWorkers = 64
	// partsPerWorker is the most parts of a task for each worker: faster ones take more.
	partsPerWorker = 3
)

// NewWorkers makes a pool of so many workers, the caller included; it starts nothing. With a clock, in ns, it
// measures now and then whether it is faster than the caller alone, and rests while it is not; nil: it always
// works.
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

// partsOfIteration is parts for the tasks of iterations, which all need the same bodies: one part for each
// worker, so that most bodies stay in the cache of one.
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

// taskPart is one of the equal parts of a task.
type taskPart struct{ i, n int32 }

// subrange is the part of a range.
func (p taskPart) subrange(s batchRange) (first, end int32) {
	n := int64(s.end - s.first)
	return s.first + int32(n*int64(p.i)/int64(p.n)), s.first + int32(n*int64(p.i+1)/int64(p.n))
}

// rangeOf is the part of the range from 0 to n.
func (p taskPart) rangeOf(n int) (first, end int32) { return p.subrange(batchRange{0, int32(n)}) }

// taskStage is a task over many items of a step, which are independent of each other and are computed in
// parts.
type taskStage uint8

const (
	stagePairs               taskStage = iota // pairs of geoms that have moved
	stageCollide                              // manifolds of active contacts
	stageLoadBodies                           // load bodies
	stageBuildContacts                        // build contact rows
	stageIntegrateVelocities                  // of bodies, by a substep
	stageWarmStart                            // contacts of one colour
	stageSolveBias                            // contacts of one colour
	stageRelax                                // contacts of one colour, without bias
	stageIntegratePositions                   // of bodies, by a substep
	stageStoreImpulses                        // impulses of contacts
	stageFinish                               // write bodies, move their geoms
)

// The least work that is worth a part of a task.
const (
	geomsPerPart        = 32
	contactsPerPart     = 128
	bodiesPerPart       = 256
	batchesPerPart      = 32
	colorBatchesPerPart = 16
)

// runStagePart computes a part of a task; at is the colour, where there is one.
func (w *World) runStagePart(s taskStage, at int32, p taskPart) {
	v := &w.solver
	switch s {
	case stagePairs:
		first, end := p.rangeOf(len(w.geoms.moved))
		w.geoms.findPairsOf(&w.bodies, &w.joints, &w.scratch[p.i], w.geoms.moved[first:end])
	case stageCollide:
		first, end := p.rangeOf(len(w.active.contacts))
		n := narrowphaseOf(w)
		n.run(&w.scratch[p.i], w.active.contacts[first:end])
	case stageLoadBodies:
		first, end := p.rangeOf(len(w.active.bodies))
		for i := first; i < end; i++ {
			v.load(&w.bodies, w.cfg.Gravity, v.h, 1+i, w.active.bodies[i])
		}
	case stageBuildContacts:
		first, end := p.rangeOf(len(v.batches))
		cb := contactBuilderOf(w)
		cb.build(&w.scratch[p.i], first, end)
	case stageIntegrateVelocities:
		v.integrateVelocities(p.subrange(v.allStates()))
	case stageWarmStart:
		v.warmStartBatches(p.subrange(v.coloring.colors[at]))
	case stageSolveBias:
		first, end := p.subrange(v.coloring.colors[at])
		v.solveBatches(first, end, &v.biasIteration)
	case stageRelax:
		first, end := p.subrange(v.coloring.colors[at])
		v.solveBatches(first, end, &v.relaxIteration)
	case stageIntegratePositions:
		first, end := p.subrange(v.allStates())
		v.integratePositions(&w.bodies, v.h, first, end)
	case stageStoreImpulses:
		cb := contactBuilderOf(w)
		cb.storeImpulses(p.rangeOf(len(v.batches)))
	case stageFinish:
		first, end := p.subrange(v.allStates())
		finishBodies(w, &w.scratch[p.i], first, end)
	}
}

// workerScratch is the output of a part of a task. The outputs are merged in their order, so that nothing
// depends on their number.
type workerScratch struct {
	narrow           narrowScratch
	near             []int32
	touching         []int32           // contacts
	pairsFound       []uint64          // pairs
	deadContacts     bool              // contacts are
	newManifolds     []manifold        // of contacts that own none yet
	pendingManifolds []pendingManifold // of these
	contactExtras
	escaped     []int32       // geoms that have left their fat boxes
	fastBodies  []motionSweep // of fast bodies
	fastJointed []motionSweep // of those on joints
	lostBody    int32         // the last body that left the finite numbers; -1: none
}

// pendingManifold is a contact whose new manifolds wait for a block.
type pendingManifold struct{ contact, count int32 }

// runStage computes a task in as many parts as there is work for, with cleared outputs.
func (w *World) runStage(s taskStage, work, each int) {
	parts := w.cfg.Workers.parts(work, each)
	for len(w.scratch) < int(parts) {
		w.scratch = append(w.scratch, workerScratch{})
	}
	for i := range w.scratch {
		d := &w.scratch[i]
		d.touching = d.touching[:0]
		d.pairsFound, d.deadContacts, d.newManifolds, d.pendingManifolds = d.pairsFound[:0], false,
			d.newManifolds[:0], d.pendingManifolds[:0]
		d.contactExtras.clear()
		d.escaped, d.lostBody = d.escaped[:0], -1
		d.fastBodies, d.fastJointed = d.fastBodies[:0], d.fastJointed[:0]
	}
	w.cfg.Workers.run(w, s, 0, parts)
}

// runColors computes a task for one colour after the other.
func (w *World) runColors(s taskStage) {
	for i, c := range w.solver.coloring.colors {
		w.cfg.Workers.run(w, s, int32(i),
			w.cfg.Workers.partsOfIteration(int(c.end-c.first), colorBatchesPerPart))
	}
}

// runBodyStage computes a task for all bodies of the solver.
func (w *World) runBodyStage(s taskStage) {
	w.cfg.Workers.run(w, s, 0, w.cfg.Workers.partsOfIteration(len(w.solver.states), bodiesPerPart))
}

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
// do not repay the synchronisation; and between distant processors, cache lines of bodies that two of them
// push travel to and fro. The mode shows in no result.
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
	tunerInterval     = 512
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
