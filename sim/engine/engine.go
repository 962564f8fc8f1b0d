package engine

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"simdeck/sim"
	"simdeck/sim/dynamics"
	"simdeck/sim/scene"
	"simdeck/sim/sensing"
)

// Config is the configuration of an Engine. The comment of each field says what its zero value means.
type Config struct {
	Library scene.Library // finds worlds and models; nil: commands that need one are ErrUnsupported
	// the same as whoever sends commands may use it; Library alone reads World; nil: Library
	Clients  scene.Library
	World    sim.Resource    // loaded by New; zero: none, the engine begins in NoWorld
	Start    sim.State       // Stopped, Paused or Playing, once New has loaded World
	RealTime float64         // 0: what the world asks, else 1; AsFastAsPossible
	StepSize time.Duration   // 0: what the world asks, else DefaultStepSize
	Seed     uint64          // of sensor noise
	OnFault  sim.FaultPolicy // ContainFaults
	Limits   sim.Limits      // of what commands may put into the world; zero: none
	Sensors  SensorPolicy    // SensorsOnDemand
	Until    time.Duration   // simulated time beyond which nothing is stepped; 0: there is no end
	Unpaced  bool            // steps do not wait for the target speed, which snapshots show as measured
	Rewind   time.Duration   // of simulated time that Rewind can go back; 0: none is kept
	// sleeps for less than a millisecond more exactly than timers; Run calls it, and accepts no command meanwhile;
	// nil: timers do
	Nap func(time.Duration)
	// goroutines that a step is computed on, the loop's included; 0: the loop alone, as several lose time
	// below some thousand bodies in contact
	Workers  int
	Monitor  *sim.LoopMonitor // of the loop; nil: nobody looks
	Recorder sim.Recorder     // of everything, New's own commands included; nil: nobody
	// OnProgress is told how far a command has read the world or model that it needs. It is called from any
	// goroutine, one call of a command at a time. nil: nobody.
	OnProgress func(sim.Loading)
}

const forever = time.Duration(1<<63 - 1)

// napMost is the resolution of timers while a program is idle: one that is set for less comes late, and a step of
// a millisecond is then followed by the next one at once, every few steps.
const napMost = time.Millisecond

// shownWait is the length of a wait for a controller from which on snapshots show it: shorter ones come with
// every step.
const shownWait = 200 * time.Millisecond

// heldWait is the longest delay of noticing that a recording has caught up; its readers wake the loop.
const heldWait = 10 * time.Millisecond

// Engine runs a World: one goroutine, Run's, is the only one that touches it.
// Everybody else sends commands and reads snapshots.
type Engine struct {
	config     Config
	reader     atomic.Pointer[reader] // for commands
	feed       sim.Feed
	calls      chan *call
	sensorPool *sensing.Pool
	workers    *dynamics.Workers // that compute a step with the loop
	ended      chan struct{}     // closed when Run has ended
	started    atomic.Bool
	lockstep   *sim.Lockstep // with controllers outside
	keyboard   sim.Keyboard  // of operators, for controllers outside
	loading    atomic.Pointer[sim.Loading]

	// The loop's own.
	world *World
	recording
	pacer          pacer
	publication    publication
	playing        bool
	stepCall       *call   // its StepWorld is in progress
	pendingReplies []reply // to be sent after the snapshot
	seq            uint64  // of commands
	refused        uint64
	stepCost       time.Duration // of a step, smoothed
	slowAt         time.Time     // of the last step that was warned of
	finalHash      uint64        // the hash of the world at the end
}

var _ sim.Backend = (*Engine)(nil)

// New makes an engine, reads its world in the caller's goroutine, and starts
// nothing. The error is one of loading.
func New(c Config) (*Engine, error) { return NewContext(context.Background(), c) }

// NewContext is New whose reading of the world ends early with ctx.
func NewContext(ctx context.Context, c Config) (*Engine, error) {
	c.Clients = cmp.Or(c.Clients, c.Library)
	workers := dynamics.NewWorkers(max(1, c.Workers), stopwatch())
	w, err := NewWorld(Options{StepSize: c.StepSize, RealTime: c.RealTime, Seed: c.Seed, OnFault: c.OnFault,
		Limits: c.Limits, Rewind: c.Rewind, Clock: stopwatch(), Workers: workers})
	if err != nil {
		return nil, err
	}
	e := &Engine{config: c, world: w, calls: make(chan *call, 64),
		sensorPool: sensing.NewPool(), workers: workers, ended: make(chan struct{}),
		recording: recording{recorder: c.Recorder}}
	e.lockstep = sim.NewLockstep(e.sensorPool.Notify)
	e.feed.Room = e.sensorPool.Notify
	e.loading.Store(&sim.Loading{})
	first := &reader{lib: c.Library, own: c.Library, onProgress: e.showLoading}
	e.reader.Store(first)
	if e.recorder != nil {
		e.recorder.Begin(sim.RecordPosition{}, nil, 0)
	}
	switch c.Sensors {
	case SensorsOnDemand:
		w.sensing.Wanted, w.sensing.CameraWanted = e.feed.SensorWatched, e.feed.SensorRequested
	case SensorsNever:
		w.sensing.Wanted, w.sensing.CameraWanted = sensing.Never, sensing.Never
	}
	if c.World != (sim.Resource{}) {
		load := sim.LoadWorld{Resource: c.World, IgnoreMissingAssets: true}
		if _, err := e.perform(load, first.load(ctx, load), sim.Starter); err != nil {
			return nil, err
		}
		if c.Start == sim.Playing && w.source.spec.Paused {
			c.Start = sim.Paused
		}
		if c.Start != sim.Stopped {
			if _, err := e.perform(sim.SetState{State: c.Start}, Loaded{}, sim.Starter); err != nil {
				return nil, err
			}
		}
	}
	first.lib = c.Clients
	e.publish(time.Time{})
	return e, nil
}

// Snapshot is the newest picture of the world. While the world runs it is a fraction of a second old, and
// after a Do it shows the command's effect. Of a burst of drive and motor commands it shows the first at once
// and the others together, some milliseconds later.
func (e *Engine) Snapshot() *sim.Snapshot {
	e.publication.asked.Store(true)
	return e.feed.Latest()
}

// Subscribe opens a stream of snapshots; it begins with the newest.
func (e *Engine) Subscribe(d sim.Delivery) *sim.Subscription { return e.feed.Subscribe(d) }

// Run is the loop. It returns nil after SetState{Quitting} or when ctx ends,
// and an error that wraps ErrFault when the engine itself broke. It runs once.
func (e *Engine) Run(ctx context.Context) (err error) {
	if !e.started.CompareAndSwap(false, true) {
		return fmt.Errorf("%w: an engine runs once", sim.ErrIncorrectState)
	}
	defer e.finish(&err)
	e.sensorPool.Start(sensing.WorkerCount())
	e.workers.Start()
	e.world.sensing.Submit = e.sensorPool.Submit
	e.world.sensing.LeaveOut = func() bool {
		return e.sensorPool.LeavesOut.Load() && e.world.clock.realTimeFactor > 0
	}
	timer := time.NewTimer(forever)
	defer timer.Stop()
	for e.world.State() != sim.Quitting {
		now := time.Now()
		e.config.Monitor.Begin(now)
		wait := e.iterate(now)
		if ctx.Err() != nil {
			// Quitting is never refused
			_, _ = e.perform(sim.SetState{State: sim.Quitting}, Loaded{}, "context")
			break
		}
		if wait <= 0 {
			if e.pacer.mustYield(time.Now()) {
				runtime.Gosched()
			}
			continue
		}
		e.config.Monitor.Idle()
		if e.config.Nap != nil && wait < napMost {
			e.config.Nap(wait)
			e.pacer.endRest(time.Now())
			continue
		}
		timer.Reset(wait)
		select {
		case k := <-e.calls:
			e.accept(k)
		case <-timer.C:
		case <-e.sensorPool.Wake():
		case <-ctx.Done():
		}
		e.pacer.endRest(time.Now())
	}
	return nil
}

// iterate does the loop's work at a step boundary: commands, a step when one is due, a snapshot when a reader
// is due, replies. It returns the time until the next work is due.
func (e *Engine) iterate(now time.Time) time.Duration {
	e.acceptAll()
	e.cancelAbandonedSteps()
	e.alignPacer(now)
	held := e.held()
	if !held && e.world.collectSamples() {
		e.publication.dirty = true
	}
	if *e.loading.Load() != e.publication.loading {
		e.publication.dirty = true
	}
	wait := heldWait
	if !held {
		wait = e.stepIfDue(now)
	}
	e.endSteps()
	if !held && !e.world.Due() {
		e.drainSamples()
	}
	wait = min(wait, e.publishIfDue(now))
	e.reply()
	if next := e.feed.Flush(now); !next.IsZero() {
		wait = min(wait, next.Sub(now))
	}
	if e.world.State() == sim.Quitting {
		return 0
	}
	return wait
}

// held reports whether a complete recording has to catch up before the next step. Commands are carried out
// meanwhile.
func (e *Engine) held() (wait bool) {
	e.completes, wait = e.feed.Held()
	return wait || e.recorder != nil && e.recorder.Full()
}

// alignPacer tells the pacer when playing began or its factor changed.
func (e *Engine) alignPacer(now time.Time) {
	playing := e.world.State() == sim.Playing
	if playing == e.playing && e.pacer.target == e.world.clock.realTimeFactor {
		return
	}
	e.playing, e.pacer.target = playing, e.world.clock.realTimeFactor
	e.pacer.align(now)
	e.pacer.meter.stop()
}

// stepIfDue steps once when it is time, and returns how long to wait for the
// step after.
func (e *Engine) stepIfDue(now time.Time) time.Duration {
	if !e.world.Due() || e.over() {
		e.lockstep.Idle()
		e.showWaiting(nil)
		return forever
	}
	if wait := e.awaitControllers(now); wait > 0 {
		return wait
	}
	dt := e.world.StepSize()
	if e.playing {
		e.pacer.meter.sample(now, e.pacer.played)
		if wait := e.paceWait(now, dt); wait > 0 {
			return wait
		}
		e.pacer.advance(dt)
	}
	// A step that fails has paused the world and said so in the log.
	before := e.world.position()
	e.recordStep(before, e.world.Step())
	e.publication.dirty = true
	cost := time.Since(now)
	e.updateStepCost(cost)
	e.tellSlow(now, cost)
	if e.completes && !e.sensorPool.LeavesOut.Load() || e.over() {
		e.world.drainSamples() // in this step's snapshot, so that equal runs have equal recordings and ends
	}
	if e.lockstep.Advance() {
		e.deliverRest()
	}
	if !e.playing {
		return 0
	}
	return e.paceWait(now, dt)
}

// over reports whether the time has come beyond which nothing is stepped.
func (e *Engine) over() bool { return e.config.Until > 0 && e.world.Time() >= e.config.Until }

// paceWait is the time until the next step is due.
func (e *Engine) paceWait(now time.Time, dt time.Duration) time.Duration {
	if e.config.Unpaced {
		return 0
	}
	return e.pacer.wait(now, dt)
}

// awaitControllers is the time for which the world has to wait for a controller outside of it. Readers see
// meanwhile where it stands, and for whom it waits.
func (e *Engine) awaitControllers(now time.Time) time.Duration {
	spec := e.world.source.spec
	wait, over := e.lockstep.Wait(now, e.world.source.load, spec != nil && len(spec.Lockstep) > 0)
	for _, who := range over.Late {
		e.world.report(sim.Warn, who, "has not asked for its next step in time: the world goes on without it")
		e.publication.dirty = true
	}
	if len(over.Pause) > 0 {
		e.pauseFor(over.Pause)
		return time.Nanosecond
	}
	if wait == 0 {
		e.showWaiting(nil)
		return 0
	}
	if e.lockstep.Asks() {
		e.deliverRest()
	}
	who, missed := e.lockstep.Waiting(now.Add(-shownWait))
	e.publication.missed = missed
	e.showWaiting(who)
	return min(wait, shownWait)
}

// deliverRest gives controllers the world as it is, with all samples that were due. Every reader gets it
// where an attendant asks: those for whom it speaks see the world by these readers.
func (e *Engine) deliverRest() {
	e.drainSamples()
	if e.lockstep.Asks() {
		e.publication.structureChanged = true
	}
	e.publish(time.Now())
	e.lockstep.Deliver(e.feed.Latest())
}

// showWaiting has the next snapshot show for whom the world waits.
func (e *Engine) showWaiting(who []sim.Awaited) {
	if !slices.Equal(who, e.publication.waiting) {
		e.publication.waiting = who
		e.publication.dirty, e.publication.structureChanged = true, true
	}
}

// pauseFor pauses a world, or ends the StepWorld that is under way, because those for whom it waits have not
// come. Recordings hold it as a command.
func (e *Engine) pauseFor(missing []sim.Awaited) {
	why := sim.LockstepHalt + strings.Join(told(missing), "; ")
	if e.world.Stepping() {
		_, _ = e.perform(sim.CancelSteps{}, Loaded{}, "lockstep") // never refused
		e.world.job.err = fmt.Errorf("%w: %s", sim.ErrCancelled, why)
	} else {
		_, _ = e.perform(sim.SetState{State: sim.Paused}, Loaded{}, "lockstep") // it is playing
	}
	e.world.state.halted = why
	e.world.report(sim.Error, "lockstep", "paused: %s; play to wait again", why)
	e.publication.dirty, e.publication.structureChanged = true, true
}

// told are those for whom a world waits, in words.
func told(missing []sim.Awaited) (all []string) {
	for _, a := range missing {
		all = append(all, strings.TrimSuffix(a.Who+": "+a.What, ": "))
	}
	return all
}

// publishIfDue makes a snapshot when the world changed and somebody is due. It returns the time until the
// next one is due.
func (e *Engine) publishIfDue(now time.Time) time.Duration {
	if !e.publication.dirty {
		return forever
	}
	wait := e.publication.wait(now)
	if wait <= 0 || e.feed.Wanted(now, e.world.Time(), e.world.snapshots.samplesReady) {
		e.publish(now)
		return forever
	}
	return wait
}

// drainSamples waits for the samples that were due and publishes them. Samples that no snapshot shows yet are
// published first, so that no newer sample replaces one that no reader has had.
func (e *Engine) drainSamples() {
	if e.world.sensing.Pending() == 0 {
		return
	}
	if e.world.snapshots.samplesReady {
		e.publish(time.Now())
	}
	e.world.drainSamples()
	e.publish(time.Now())
}

func (e *Engine) publish(now time.Time) {
	e.world.snapshots.drawing = e.feed.Drawing()
	s := e.world.Snapshot()
	e.publication.count++
	e.publication.loading = *e.loading.Load()
	s.Seq, s.Loading = e.publication.count, e.publication.loading
	s.Pacing.Measured = e.pacer.meter.last
	if asked := e.world.clock.realTimeFactor; e.config.Unpaced && e.playing && asked > 0 {
		s.Pacing.Measured = asked
	}
	s.Stats.StepCost, s.Stats.Stages = e.stepCost, e.world.stageTimer.parts(e.stepCost)
	s.Stats.Commands, s.Stats.Refused = e.seq, e.refused
	s.Waiting, s.Stats.Missed = e.publication.waiting, e.publication.missed
	s.Stats.Late = e.world.sensing.Late()
	s.Stats.Snapshots, s.Stats.Dropped = e.publication.count, e.feed.Dropped()
	e.feed.Publish(s, now, e.publication.structureChanged || e.world.snapshots.samplesReady)
	e.world.snapshots.samplesReady = false
	e.publication.done(now)
}

// finish ends every stream and answers everybody who waits. A panic becomes an
// error: nothing of the engine can be trusted then but the last snapshot.
func (e *Engine) finish(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("%w: %v\n%s", sim.ErrFault, p, debug.Stack())
		last := *e.feed.Latest()
		last.Seq++
		last.State = sim.Quitting
		e.feed.Publish(&last, time.Now(), true)
	} else {
		e.endSteps()
		e.publish(time.Now())
		e.reply()
		e.finalHash = e.world.Hash()
	}
	e.stopRecording()
	e.sensorPool.Stop()
	e.workers.Stop()
	e.feed.Close()
	close(e.ended)
	for {
		select {
		case k := <-e.calls:
			k.answer <- reply{k, nil, sim.ErrClosed}
		default:
			return
		}
	}
}

// Monitor is Config.Watch.
func (e *Engine) Monitor() *sim.LoopMonitor { return e.config.Monitor }
