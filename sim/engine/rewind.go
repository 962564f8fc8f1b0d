package engine

import (
	"fmt"
	"time"

	"simdeck/sim"
)

// rewindTo brings the world back to an earlier step, or forward again to one that a rewind left, bit for bit, and
// pauses it there. It ends where the past that is kept begins, and where the rewind came from. Spawned, deleted, moved and reset things are as they were; the log is not, and
// numbers once given to entities are not given again.
func (w *World) rewindTo(c sim.Rewind) (sim.Reply, error) {
	p := &w.history
	switch {
	case p.steps == 0:
		return nil, fmt.Errorf("%w: this simulator keeps no past; start it with a --rewind above 0",
			sim.ErrUnsupported)
	case w.state.now != sim.Playing && w.state.now != sim.Paused:
		return nil, fmt.Errorf("%w: %s; playing and paused worlds can go back", sim.ErrIncorrectState,
			w.state.now)
	}
	from, to := p.age, c.Target(p.checkpoints[0].age, p.age, p.newest(), p.stepSize)
	w.job.stop("the simulation was rewound")
	// of a StepWorld that was ended just now
	pace, onFault, outcome := w.clock.realTimeFactor, w.onFault, w.job
	if to != from {
		if err := w.travel(to); err != nil {
			return nil, err
		}
	}
	w.pauseAfterRewind(pace, onFault)
	w.job = outcome
	return sim.Rewound{Time: w.clock.time, Back: p.at(from) - p.at(to)}, nil
}

// travel brings the world to another age of its past, or of that which was left.
func (w *World) travel(to uint64) error {
	p := &w.history
	from, acts := p.age, p.dropped+len(p.entries)
	if p.left.age > 0 {
		acts = p.left.acts
	}
	instead := p.rejoin()
	at, err := w.restoreCheckpoint(to)
	if err != nil {
		p.leave(from, acts)
		p.entries = append(p.entries, instead...)
		return err
	}
	p.leave(to, at)
	return nil
}

// pauseAfterRewind pauses a world that has gone back, with the factor and the fault policy of the present. It
// is part of the past from now on. None can be refused.
func (w *World) pauseAfterRewind(pace float64, onFault sim.FaultPolicy) {
	_, _ = w.Apply(sim.CancelSteps{}, Loaded{})
	if w.state.now != sim.Paused {
		_, _ = w.Apply(sim.SetState{State: sim.Paused}, Loaded{})
	}
	_, _ = w.Apply(sim.SetPacing{RealTime: pace}, Loaded{})
	if w.onFault != onFault {
		_, _ = w.Apply(sim.SetFaultPolicy{Policy: onFault}, Loaded{})
	}
}

const (
	// leadTime is the time before its target at which a rewind starts to compute, so that requested sensors
	// have their last samples. maxLeadSteps bounds the steps that it computes for their sake alone.
	leadTime     = 250 * time.Millisecond
	maxLeadSteps = 128
)

// restoreCheckpoint brings the world to an age of its past, with what its sensors had measured last then. It
// returns the number of commands before that. When that fails everything is as it was, but for those samples.
func (w *World) restoreCheckpoint(age uint64) (acts int, err error) {
	p := &w.history
	lead := uint64(0)
	if w.entities.watched(&w.sensing) {
		lead = min(maxLeadSteps, uint64(leadTime/w.clock.stepSize))
	}
	at := len(p.checkpoints) - 1
	for p.checkpoints[at].age > age || at > 0 && p.checkpoints[at].age+lead > age {
		at--
	}
	var present worldState
	w.saveState(&present)
	total, journal, lastID := w.clock.total, w.events, w.entities.lastID
	reach := p.steps
	p.steps = 0 // nothing of this is kept
	w.restoreState(p.checkpoints[at].worldState)
	acts, err = w.replay(p.checkpoints[at].age, age, p.checkpoints[at].entries)
	if err == nil && age == p.age { // the end, with what was done there
		acts, err = w.replayCommands(age, acts)
	}
	p.steps, w.sensing.Ahead = reach, 0
	w.clock.total, w.events, w.entities.lastID = total, journal, lastID
	w.snapshots.sampleStep++
	if err != nil {
		w.restoreState(&present)
		return 0, err
	}
	w.onStructureChanged()
	return acts, nil
}

// replayCommands does the commands of an age, beginning with an act. It returns the number of commands before
// the next age.
func (w *World) replayCommands(age uint64, next int) (acts int, err error) {
	p := &w.history
	for i := next - p.dropped; i < len(p.entries) && p.entries[i].age == age; i++ {
		if _, err := w.apply(p.entries[i].command, p.entries[i].loaded); err != nil {
			return 0, fmt.Errorf("%w: going back: %s is refused now: %w", sim.ErrFault,
				sim.Describe(p.entries[i].command), err)
		}
		next++
	}
	return next, nil
}

// replay does what was done from one age to another, beginning with an act. It returns the number of commands
// before the end.
func (w *World) replay(from, to uint64, next int) (acts int, err error) {
	p := &w.history
	for from < to {
		if next, err = w.replayCommands(from, next); err != nil {
			return 0, err
		}
		if !w.Due() {
			return 0, fmt.Errorf("%w: going back: %s after %d of %d steps", sim.ErrFault, w.state.now, from, to)
		}
		before := w.clock.total
		w.sensing.Ahead = to - from - 1
		if err := w.Step(); err != nil || w.clock.total == before {
			if next-p.dropped < len(p.entries) && p.entries[next-p.dropped].age == from {
				continue // it was halted then, too, and set going again
			}
			return 0, fmt.Errorf("%w: going back: step %d of %d: %w", sim.ErrFault, from, to, err)
		}
		from++
	}
	return next, nil
}
