package engine

import (
	"context"
	"fmt"
	"sync/atomic"

	"simdeck/sim"
	"simdeck/sim/model"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/shape"
)

// call is a command on its way through the loop.
type call struct {
	ctx     context.Context
	command sim.Command
	loaded  Loaded
	record  *recordingChange // instead of a command
	sender  string
	claimed atomic.Bool // by the loop, which carries it out, or by a caller who gave up
	answer  chan reply  // holds one
}

// reply is the reply to a call.
type reply struct {
	to    *call
	reply sim.Reply
	err   error
}

// Do carries out a command at the next step boundary; see Backend. Files that the command needs are read
// before, in the caller's goroutine. A StepWorld whose ctx ends answers both Stepped and the error of ctx.
func (e *Engine) Do(ctx context.Context, c sim.Command) (sim.Reply, error) {
	switch c := c.(type) {
	case nil:
		return nil, fmt.Errorf("%w: no command", sim.ErrUnsupported)
	case sim.BeginLoad:
		return nil, fmt.Errorf("%w: BeginLoad is sent by LoadWorld", sim.ErrUnsupported)
	case sim.LoadWorld:
		return e.loadWorld(ctx, c, e.reader.Load())
	case sim.ListSpawnables:
		return e.listSpawnables(c)
	case sim.ListWorlds:
		return e.listWorlds(c)
	case sim.Measure:
		return e.measure(ctx, c)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return e.readAndSend(ctx, c, e.reader.Load())
}

// readAndSend reads what a command needs and sends it.
func (e *Engine) readAndSend(ctx context.Context, c sim.Command, r *reader) (sim.Reply, error) {
	l := r.load(ctx, c)
	if err := ctx.Err(); err != nil { // so that it is not refused for what was not read
		return nil, err
	}
	return e.send(ctx, c, l)
}

// Open does a LoadWorld or Restore as if the engine had begun with it. It reads the world through own. Once
// that stands, commands are read through clients. It is for the user who started the program alone.
func (e *Engine) Open(ctx context.Context, own, clients scene.Library, c sim.Command) (r sim.Reply,
	err error) {
	reads := &reader{lib: own, own: own, onProgress: e.showLoading}
	after := &reader{lib: clients, own: own, onProgress: e.showLoading}
	switch c := c.(type) {
	case sim.LoadWorld:
		r, err = e.loadWorld(ctx, c, reads)
	case sim.Restore:
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		r, err = e.readAndSend(ctx, c, after)
	default:
		return nil, fmt.Errorf("%w: opening a world by %s", sim.ErrUnsupported, sim.Describe(c))
	}
	if err == nil {
		e.reader.Store(after)
	}
	return r, err
}

// showLoading takes what a reader tells and wakes the loop to show it.
func (e *Engine) showLoading(c sim.Loading) {
	e.loading.Store(&c)
	e.sensorPool.Notify()
	if e.config.OnProgress != nil {
		e.config.OnProgress(c)
	}
}

// loadWorld keeps the state at LoadingWorld while it reads. Once begun it goes
// through, whatever happens to ctx: half a load would leave no state to be in.
// Reading ends with ctx, and is refused then as what cannot be read.
func (e *Engine) loadWorld(ctx context.Context, c sim.LoadWorld, r *reader) (sim.Reply, error) {
	if _, err := e.send(ctx, sim.BeginLoad{Resource: c.Resource}, Loaded{}); err != nil {
		return nil, err
	}
	l := r.load(ctx, c)
	return e.send(context.WithoutCancel(ctx), c, l)
}

func (e *Engine) listSpawnables(c sim.ListSpawnables) (sim.Reply, error) {
	lib := e.library()
	if lib == nil {
		return nil, fmt.Errorf("%w: this simulator has no library", sim.ErrUnsupported)
	}
	list, failed := lib.Spawnables(c.Sources)
	return sim.Spawnables{List: list, Failed: failed}, nil
}

// measure compiles a model as spawning does, which then finds it done.
func (e *Engine) measure(ctx context.Context, c sim.Measure) (sim.Reply, error) {
	m := e.reader.Load().model(ctx, c.Resource)
	if m.err != nil {
		return nil, m.err
	}
	f, err := footprintOf(m.model)
	if err != nil {
		return nil, err
	}
	return sim.Measured{Footprint: f}, nil
}

// footprintOf takes the convex collision shapes of a model, with its joints at zero.
func footprintOf(m *model.Model) (*sim.Footprint, error) {
	var shapes []sim.PlacedShape
	bodies := m.BodyPoses(r3.IdentityPose(), func(int) float64 { return 0 })
	for b := range m.Bodies {
		for g := range m.Bodies[b].Geoms {
			def := &m.Bodies[b].Geoms[g].Def
			if convex, ok := def.Shape.(shape.Convex); ok {
				shapes = append(shapes, sim.PlacedShape{Shape: convex, Pose: bodies[b].Mul(def.Pose)})
			}
		}
	}
	return sim.NewFootprint(m.Spec.Name, shapes)
}

func (e *Engine) listWorlds(c sim.ListWorlds) (sim.Reply, error) {
	lib := e.library()
	if lib == nil {
		return nil, fmt.Errorf("%w: this simulator has no library", sim.ErrUnsupported)
	}
	list, failed := lib.Worlds(c.Sources)
	return sim.Worlds{List: list, Failed: failed}, nil
}

// send hands a command to the loop and waits for its answer.
func (e *Engine) send(ctx context.Context, c sim.Command, l Loaded) (sim.Reply, error) {
	return e.enqueue(&call{ctx: ctx, command: c, loaded: l, sender: sim.Sender(ctx),
		answer: make(chan reply, 1)})
}

func (e *Engine) enqueue(k *call) (sim.Reply, error) {
	ctx := k.ctx
	select {
	case e.calls <- k:
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-e.ended:
		return nil, k.expired()
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
		return nil, k.expired()
	}
}

// expired says that the engine has ended before it could do a call.
func (k *call) expired() error {
	what := "a recording"
	if k.command != nil {
		what = sim.Describe(k.command)
	}
	return fmt.Errorf("%w: %s came too late", sim.ErrClosed, what)
}

// maxCommandsPerStep bounds the commands that a step waits for.
const maxCommandsPerStep = 4096

// acceptAll applies the calls that wait at this step boundary, also those for which the queue had no room. A
// thousand robots get their commands before the next step, which may be a long one. Each caller waits for its
// reply, so that none can call twice.
func (e *Engine) acceptAll() {
	for range maxCommandsPerStep {
		select {
		case k := <-e.calls:
			e.accept(k)
		default:
			return
		}
	}
}

// accept carries out a call at this step boundary.
func (e *Engine) accept(k *call) {
	if !k.claimed.CompareAndSwap(false, true) {
		return
	}
	if k.record != nil {
		e.pendingReplies = append(e.pendingReplies,
			reply{k, sim.Done{}, e.changeRecording(k.record, k.sender)})
		e.publication.replyPending = true
		return
	}
	r, err := e.perform(k.command, k.loaded, k.sender)
	if _, steps := k.command.(sim.StepWorld); steps && err == nil && r == nil {
		e.stepCall = k
		return
	}
	e.pendingReplies = append(e.pendingReplies, reply{k, r, err})
	e.publication.replyPending = e.publication.replyPending || err != nil || !sim.AtHighRate(k.command)
	e.endSteps() // k may have ended them, and the next call of this round may begin others
}

// perform applies a command and writes it down.
func (e *Engine) perform(c sim.Command, l Loaded, sender string) (sim.Reply, error) {
	if discardsSamples(c) {
		e.drainSamples()
	}
	before, at := e.world.position(), e.world.Time()
	r, err := e.world.Apply(c, l)
	e.seq++
	e.publication.dirty = true
	switch {
	case err != nil:
		e.refused++
		e.world.report(sim.Warn, sender, "%s refused: %v", sim.Describe(c), err)
	case sim.AtHighRate(c):
		e.publication.targetsChanged = true
	default:
		e.lockstep.Revoke()
		e.publication.structureChanged = true
		e.world.report(sim.Info, sender, "%s", sim.Describe(c))
		if !sim.OnlyPaces(c) && !sim.ReplacesWorld(c) {
			e.world.history.mark(sim.MarkCommand, sim.Describe(c))
		}
	}
	if back, is := r.(sim.Rewound); is { // a recording says how far it went
		c = sim.Rewind{Back: back.Back}
	}
	e.recordCommand(sim.LogEntry{Step: before.Steps, Seq: e.seq, Time: at, Sender: sender, Command: c,
		Err: err})
	return r, err
}

// discardsSamples reports whether a command may remove sensors. Samples that they were due for are published
// first, however long they take, so that readers get the same samples at any speed.
func discardsSamples(c sim.Command) bool {
	switch c.(type) {
	case sim.Reset, sim.Delete, sim.SetState, sim.LoadWorld, sim.UnloadWorld, sim.Rewind, sim.Restore:
		return true
	}
	return false
}

// cancelAbandonedSteps cancels a StepWorld whose caller has gone.
func (e *Engine) cancelAbandonedSteps() {
	if e.stepCall != nil && e.world.Stepping() && e.stepCall.ctx.Err() != nil {
		_, _ = e.perform(sim.CancelSteps{}, Loaded{}, e.stepCall.sender) // never refused
	}
}

// endSteps answers a StepWorld that is done.
func (e *Engine) endSteps() {
	if e.stepCall == nil || e.world.Stepping() {
		return
	}
	r, err := e.world.Outcome()
	if err != nil && e.stepCall.ctx.Err() != nil {
		err = e.stepCall.ctx.Err()
	}
	e.pendingReplies = append(e.pendingReplies, reply{e.stepCall, r, err})
	e.stepCall = nil
	e.publication.structureChanged, e.publication.replyPending = true, true
}

// reply answers the calls of this round, after the snapshot that shows what they changed.
func (e *Engine) reply() {
	for _, r := range e.pendingReplies {
		r.to.answer <- r
	}
	clear(e.pendingReplies)
	e.pendingReplies = e.pendingReplies[:0]
}
