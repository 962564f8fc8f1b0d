package sim

import (
	"context"
	"fmt"
	"sync/atomic"
)

// call is a command on its way through the loop.
type call struct {
	ctx     context.Context
	command Command
	loaded  Loaded
	record  *change // instead of a command
	sender  string
	claimed atomic.Bool // by the loop, which carries it out, or by a caller who gave up
	answer  chan reply  // holds one
}

// reply is what a call is answered with.
type reply struct {
	to    *call
	reply Reply
	err   error
}

// Do carries out a command at the next step boundary; see Deck. What the
// command needs from files is read before, in the caller's goroutine. A
// StepWorld whose ctx ends answers both Stepped and the error of ctx.
func (e *Engine) Do(ctx context.Context, c Command) (Reply, error) {
	switch c := c.(type) {
	case nil:
		return nil, fmt.Errorf("%w: no command", ErrUnsupported)
	case BeginLoad:
		return nil, fmt.Errorf("%w: BeginLoad is sent by LoadWorld", ErrUnsupported)
	case LoadWorld:
		return e.loadWorld(ctx, c)
	case ListSpawnables:
		return e.listSpawnables(c)
	case ListWorlds:
		return e.listWorlds(c)
	case Measure:
		return e.measure(ctx, c)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	l := e.reader.load(ctx, c)
	if err := ctx.Err(); err != nil { // so that it is not refused for what was not read
		return nil, err
	}
	return e.send(ctx, c, l)
}

// cutting takes what a reader tells and wakes the loop to show it.
func (e *Engine) cutting(c Cutting) {
	e.cut.Store(&c)
	e.crew.tell()
	if e.config.Tell != nil {
		e.config.Tell(c)
	}
}

// loadWorld keeps the state at LoadingWorld while it reads. Once begun it goes
// through, whatever happens to ctx: half a load would leave no state to be in.
// Reading ends with ctx, and is refused then as what cannot be read.
func (e *Engine) loadWorld(ctx context.Context, c LoadWorld) (Reply, error) {
	if _, err := e.send(ctx, BeginLoad{c.Resource}, Loaded{}); err != nil {
		return nil, err
	}
	l := e.reader.load(ctx, c)
	return e.send(context.WithoutCancel(ctx), c, l)
}

func (e *Engine) listSpawnables(c ListSpawnables) (Reply, error) {
	if e.config.Clients == nil {
		return nil, fmt.Errorf("%w: this simulator has no library", ErrUnsupported)
	}
	list, failed := e.config.Clients.Spawnables(c.Sources)
	return Spawnables{List: list, Failed: failed}, nil
}

// measure compiles a model as spawning does, which then finds it done.
func (e *Engine) measure(ctx context.Context, c Measure) (Reply, error) {
	m := e.reader.model(ctx, c.Resource)
	if m.err != nil {
		return nil, m.err
	}
	f, err := footprint(m.plan)
	if err != nil {
		return nil, err
	}
	return Measured{f}, nil
}

func (e *Engine) listWorlds(c ListWorlds) (Reply, error) {
	if e.config.Clients == nil {
		return nil, fmt.Errorf("%w: this simulator has no library", ErrUnsupported)
	}
	list, failed := e.config.Clients.Worlds(c.Sources)
	return Worlds{List: list, Failed: failed}, nil
}

// send hands a command to the loop and waits for its answer.
func (e *Engine) send(ctx context.Context, c Command, l Loaded) (Reply, error) {
	return e.post(&call{ctx: ctx, command: c, loaded: l, sender: Sender(ctx), answer: make(chan reply, 1)})
}

func (e *Engine) post(k *call) (Reply, error) {
	ctx := k.ctx
	select {
	case e.calls <- k:
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-e.ended:
		return nil, k.late()
	}
	select {
	case a := <-k.answer:
		return a.reply, a.err
	case <-e.ended:
	case <-ctx.Done():
		if k.claimed.CompareAndSwap(false, true) {
			return nil, ctx.Err() // it was still waiting: it never happens
		}
	}
	// The loop has it: a step boundary away from an answer, or from its end.
	select {
	case a := <-k.answer:
		return a.reply, a.err
	case <-e.ended:
	}
	select {
	case a := <-k.answer:
		return a.reply, a.err
	default:
		return nil, k.late()
	}
}

// late says that the engine has ended before it could do a call.
func (k *call) late() error {
	what := "a recording"
	if k.command != nil {
		what = Describe(k.command)
	}
	return fmt.Errorf("%w: %s came too late", ErrClosed, what)
}

// maxRound is how many commands a step waits for at most.
const maxRound = 4096

// takeAll carries out the calls that wait at this step boundary, those too for which the queue had no room: a thousand robots
// are told what to do before the next step, which may be a long one. Who waits for an answer cannot call again before it.
func (e *Engine) takeAll() {
	for range maxRound {
		select {
		case k := <-e.calls:
			e.take(k)
		default:
			return
		}
	}
}

// take carries out a call at this step boundary.
func (e *Engine) take(k *call) {
	if !k.claimed.CompareAndSwap(false, true) {
		return
	}
	if k.record != nil {
		e.finished = append(e.finished, reply{k, Done{}, e.carryOut(k.record, k.sender)})
		e.owed = true
		return
	}
	r, err := e.perform(k.command, k.loaded, k.sender)
	if _, steps := k.command.(StepWorld); steps && err == nil && r == nil {
		e.stepper = k
		return
	}
	e.finished = append(e.finished, reply{k, r, err})
	e.owed = e.owed || err != nil || !frequent(k.command)
	e.endSteps() // k may have ended them, and the next call of this round may begin others
}

// perform applies a command and writes it down.
func (e *Engine) perform(c Command, l Loaded, sender string) (Reply, error) {
	if dropsSamples(c) {
		e.settle()
	}
	before, at := e.world.origin(), e.world.Time()
	r, err := e.world.Apply(c, l)
	e.seq++
	e.dirty = true
	switch {
	case err != nil:
		e.refused++
		e.world.report(Warn, sender, "%s refused: %v", Describe(c), err)
	case frequent(c):
		e.told = true
	default:
		e.news = true
		e.world.report(Info, sender, "%s", Describe(c))
	}
	e.note(before, LogEntry{Step: before.Steps, Seq: e.seq, Time: at, Sender: sender, Command: c, Err: err})
	return r, err
}

// frequent reports whether a command comes so often that people are spared it, and that nobody waits for the picture that
// shows it: what it does is seen with the steps to come.
func frequent(c Command) bool {
	switch c.(type) {
	case DriveEntity, DriveCar, SetJoint, SetJoints:
		return true
	}
	return false
}

// dropsSamples reports whether a command may take away sensors: the samples
// that they were due for are shown before, however long they take, so that
// what readers get does not depend on it.
func dropsSamples(c Command) bool {
	switch c.(type) {
	case Reset, Delete, SetState, LoadWorld, UnloadWorld, Rewind, Resume:
		return true
	}
	return false
}

// giveUpSteps cancels a StepWorld whose caller has gone.
func (e *Engine) giveUpSteps() {
	if e.stepper != nil && e.world.Stepping() && e.stepper.ctx.Err() != nil {
		_, _ = e.perform(CancelSteps{}, Loaded{}, e.stepper.sender) // never refused
	}
}

// endSteps answers a StepWorld that is done.
func (e *Engine) endSteps() {
	if e.stepper == nil || e.world.Stepping() {
		return
	}
	r, err := e.world.Outcome()
	if err != nil && e.stepper.ctx.Err() != nil {
		err = e.stepper.ctx.Err()
	}
	e.finished = append(e.finished, reply{e.stepper, r, err})
	e.stepper = nil
	e.news, e.owed = true, true
}

// reply answers the calls of this round, after the snapshot that shows what they changed.
func (e *Engine) reply() {
	for _, r := range e.finished {
		r.to.answer <- r
	}
	clear(e.finished)
	e.finished = e.finished[:0]
}
