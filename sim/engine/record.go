package engine

import (
	"context"
	"fmt"
	"time"

	"simdeck/sim"
)

func (w *World) position() sim.RecordPosition {
	return sim.RecordPosition{Steps: w.clock.total, ID: w.entities.lastID}
}

// recording is the recording that is made of an engine.
type recording struct {
	recorder      sim.Recorder // nil: nobody
	lastStateStep uint64       // steps when it was given the state last, or began
	beganLate     bool         // with the state of a world, and no world was loaded since
	completes     bool         // readers with a Hold are there: samples belong to the step that they are of
}

// recordCommand writes down what was done; the hash costs a look at the whole world. In a recording that
// began late, a rewind is written as the state to which it led. That may be from before the recording.
func (e *Engine) recordCommand(l sim.LogEntry) {
	if e.recorder == nil {
		return
	}
	switch l.Command.(type) {
	case sim.LoadWorld, sim.Restore:
		e.beganLate = e.beganLate && l.Err != nil
	case sim.Rewind:
		if c, err := e.world.Restorable(); err == nil && l.Err == nil && e.beganLate {
			l.Command = c
		}
	}
	l.Hash = e.world.Hash()
	e.recorder.Command(l)
}

// recordStep writes down a step.
func (e *Engine) recordStep(before sim.RecordPosition, err error) {
	switch {
	case e.world.clock.total != before.Steps:
		if e.recorder != nil {
			e.recorder.Step(e.world.clock.total, e.world.Hash())
			e.recordState()
		}
	case err != nil:
		e.recordCommand(sim.LogEntry{Step: before.Steps, Seq: e.seq, Time: e.world.clock.time,
			Sender: "engine", Err: err})
	}
}

// recordState gives a recording the state of the world when that is due.
func (e *Engine) recordState() {
	if time.Duration(e.world.clock.total-e.lastStateStep)*e.world.clock.stepSize < sim.StatePeriod {
		return
	}
	e.lastStateStep = e.world.clock.total
	if c, err := e.world.Restorable(); err == nil { // there is a world: it has just stepped
		e.recorder.State(e.world.clock.total, e.world.clock.stepSize, c)
	}
}

// Record begins a recording at the next step boundary, or ends the one that is made when r is nil. The
// log says that the context's sender did it, and to where. It begins with the state of the world; see
// Restore.
func (e *Engine) Record(ctx context.Context, r sim.Recorder, to string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	_, err := e.enqueue(&call{ctx: ctx, record: &recordingChange{r, to}, sender: sim.Sender(ctx),
		answer: make(chan reply, 1)})
	return err
}

// LeaveOutLateSamples says whether a sample of a lidar or camera is left out when the one before it is not
// complete, at a target speed. Else a step waits for it. Nothing in the world depends on samples.
func (e *Engine) LeaveOutLateSamples(on bool) { e.sensorPool.LeavesOut.Store(on) }

// recordingChange is another recorder, or none.
type recordingChange struct {
	recorder sim.Recorder
	to       string
}

// changeRecording begins or ends a recording.
func (e *Engine) changeRecording(c *recordingChange, sender string) error {
	switch {
	case c.recorder == nil && e.recorder == nil:
		return fmt.Errorf("%w: nothing is recorded", sim.ErrIncorrectState)
	case c.recorder == nil:
		e.stopRecording()
		e.world.report(sim.Info, sender, "the recording ends")
	case e.recorder != nil:
		return fmt.Errorf("%w: a recording is being made already", sim.ErrIncorrectState)
	default:
		now := e.world.position()
		var before []sim.LogEntry
		for _, c := range e.world.whatItIs() {
			before = append(before, sim.LogEntry{Step: now.Steps, Seq: e.seq, Time: e.world.Time(),
				Sender: "engine", Command: c})
		}
		e.recorder, e.lastStateStep, e.beganLate = c.recorder, now.Steps, true
		e.recorder.Begin(now, before, now.Steps)
		e.world.report(sim.Info, sender, "a recording begins: %s", c.to)
	}
	e.publication.dirty, e.publication.structureChanged = true, true
	return nil
}

// stopRecording ends what is recorded, if anything is.
func (e *Engine) stopRecording() {
	if e.recorder != nil {
		e.recorder.End()
		e.recorder = nil
	}
}
