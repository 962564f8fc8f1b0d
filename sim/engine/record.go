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

// commandHistory holds the commands since the world was loaded, for a recording that begins later.
type commandHistory struct {
	limit     int
	start     sim.RecordPosition
	entries   []sim.LogEntry
	truncated bool // there was more than is kept
}

// add keeps what was done at a time when the world was at an origin.
func (c *commandHistory) add(at sim.RecordPosition, l sim.LogEntry) {
	switch l.Command.(type) {
	case sim.LoadWorld, sim.Restore:
		if l.Err == nil {
			*c = commandHistory{limit: c.limit, start: at}
		}
	}
	switch {
	case c.truncated:
	case len(c.entries) >= c.limit:
		c.entries, c.truncated = nil, true
	default:
		c.entries = append(c.entries, l)
	}
}

// recordCommand writes down what was done; the hash costs a look at the whole world.
func (e *Engine) recordCommand(at sim.RecordPosition, l sim.LogEntry) {
	e.history.add(at, l)
	if e.recorder != nil {
		l.Hash = e.world.Hash()
		e.recorder.Command(l)
	}
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
		e.recordCommand(before, sim.LogEntry{Step: before.Steps, Seq: e.seq, Time: e.world.clock.time,
			Sender: "engine",
			Err:    err})
	}
}

// recordState gives a recording the state of the world when that is due.
func (e *Engine) recordState() {
	if time.Duration(e.world.clock.total-e.lastStateStep)*e.world.clock.stepSize < sim.StatePeriod {
		return
	}
	e.lastStateStep = e.world.clock.total
	if c, err := e.world.RestorableAtRest(); err == nil { // there is a world: it has just stepped
		e.recorder.State(e.world.clock.total, e.world.clock.stepSize, c)
	}
}

// Record begins a recording at the next step boundary, or ends the one that is made when r is nil. The
// log says that the context's sender did it, and to where. Of a world to which more was done since it was
// loaded than Config.CommandHistory, the recording holds the state to begin with, see Restore.
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
		if err := e.replayHistory(); err != nil {
			return err
		}
		e.recorder, e.lastStateStep = c.recorder, e.world.clock.total
		e.recorder.Begin(e.history.start, e.history.entries[:len(e.history.entries):len(e.history.entries)],
			e.world.clock.total)
		e.world.report(sim.Info, sender, "a recording begins: %s", c.to)
	}
	e.publication.dirty, e.publication.structureChanged = true, true
	return nil
}

// replayHistory lets the command history begin here, with the state as it is, where it has lost what was
// done.
func (e *Engine) replayHistory() error {
	if !e.history.truncated {
		return nil
	}
	e.drainSamples()
	before, at := e.world.position(), e.world.Time()
	c, err := e.world.Restorable()
	if err == nil {
		e.history = commandHistory{limit: e.history.limit, start: before}
		e.seq++
		e.history.add(before, sim.LogEntry{Step: before.Steps, Seq: e.seq, Time: at, Sender: "engine",
			Command: c})
		e.world.report(sim.Info, "engine",
			"more than %d commands were done since the world was loaded: the recording begins with the present state, and earlier states cannot be rewound to",
			e.history.limit)
	}
	return err
}

// stopRecording ends what is recorded, if anything is.
func (e *Engine) stopRecording() {
	if e.recorder != nil {
		e.recorder.End()
		e.recorder = nil
	}
}
