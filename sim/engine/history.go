package engine

import (
	"slices"
	"time"

	"simdeck/sim"
	"simdeck/sim/dynamics"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

const (
	// checkpointInterval is the initial number of steps between two checkpoints, and maxCheckpointInterval
	// the largest. A rewind recomputes the steps between them.
	checkpointInterval    = 64
	maxCheckpointInterval = 512
	// maxCheckpoints bounds the bytes of copies, maxHistoryEntries the number of commands.
	maxCheckpoints    = 48 << 20
	maxHistoryEntries = 1 << 16
)

// history is the past of a world since it was loaded: copies of itself now and then (checkpoints), and every
// command that took effect. From the checkpoint before a step, the commands
// and steps after it give that step again, bit for bit.
type history struct {
	steps       uint64 // length of the history, in steps; 0: none is kept
	stepSize    time.Duration
	age         uint64 // steps since the world was loaded; going back takes it back
	interval    uint64
	checkpoints []checkpoint   // by age
	entries     []historyEntry // since the oldest mark
	dropped     int            // acts before those
	spare       []*worldState
	left        leftPast
	marks       []sim.Mark        // by age; published ones never change
	touched     map[uint64]uint64 // age of the last collision of robots, by their numbers
}

// leftPast is the part of the history after the present that a rewind left. It is kept until the world goes on
// another way.
type leftPast struct {
	age         uint64 // of its end; 0: nothing was left
	acts        int    // commands that came before it
	entries     []historyEntry
	checkpoints []checkpoint
}

type checkpoint struct {
	age     uint64
	entries int // commands that came before
	*worldState
}

type historyEntry struct {
	age     uint64
	command sim.Command
	loaded  Loaded
}

// worldState is a copy of all state of a world but its journal and the count of its steps.
type worldState struct {
	physics  dynamics.World
	entities []entity
	poses    []scene.NamedPose
	state    sim.State
	gravity  r3.Vec
	pace     float64
	time     time.Duration
	step     uint64
	attached []attachment
	lastID   uint64
	groups   int32
	job      stepJob
	onFault  sim.FaultPolicy
}

// begin forgets everything: a world was loaded, or none is any more.
func (p *history) begin(reach, stepSize time.Duration) {
	*p = history{stepSize: stepSize, interval: checkpointInterval, spare: p.spare}
	if stepSize > 0 && reach > 0 {
		p.steps = uint64((reach + stepSize - 1) / stepSize)
	}
}

// record keeps a command that took effect on the world that stands.
func (p *history) record(w *World, c sim.Command, l Loaded) {
	if p.steps == 0 {
		return
	}
	if _, back := c.(sim.Rewind); back || sim.ReplacesWorld(c) {
		return
	}
	if !sim.OnlyPaces(c) && !sim.AtHighRate(c) {
		p.forget()
	}
	p.entries = append(p.entries, historyEntry{p.age, c, l})
	if len(p.entries) <= maxHistoryEntries {
		return
	}
	if len(p.checkpoints) == 1 { // a paused world is flooded with commands: its past begins now
		p.forget()
		p.checkpoint(w)
	}
	if len(p.checkpoints) > 1 {
		p.dropOldest(1)
	}
}

// advance notes a step of the world, and makes a checkpoint when one is due.
func (p *history) advance(w *World) {
	if p.steps == 0 {
		return
	}
	p.forget()
	p.age++
	if p.age%p.interval == 0 {
		p.checkpoint(w)
	}
}

// checkpoint keeps a copy of the world, and drops what is too old or too much.
func (p *history) checkpoint(w *World) {
	if p.steps == 0 {
		return
	}
	m := &worldState{}
	if n := len(p.spare); n > 0 {
		m, p.spare = p.spare[n-1], p.spare[:n-1]
	}
	w.saveState(m)
	p.checkpoints = append(p.checkpoints, checkpoint{p.age, p.dropped + len(p.entries), m})
	old := 0
	for old+1 < len(p.checkpoints) && p.checkpoints[old+1].age+p.steps <= p.age {
		old++
	}
	p.dropOldest(old)
	for p.size() > maxCheckpoints && len(p.checkpoints) > 1 {
		if p.interval < maxCheckpointInterval {
			p.thinCheckpoints()
		} else {
			p.dropOldest(1)
		}
	}
}

// dropOldest drops the n oldest marks, and the acts before those that stay.
func (p *history) dropOldest(n int) {
	if n == 0 {
		return
	}
	for _, m := range p.checkpoints[:n] {
		p.release(m)
	}
	p.checkpoints = slices.Delete(p.checkpoints, 0, n)
	before := p.checkpoints[0].entries - p.dropped
	p.entries = slices.Delete(p.entries, 0, before)
	p.dropped += before
}

// thinCheckpoints drops every other mark, and makes new ones half as often.
func (p *history) thinCheckpoints() {
	p.interval *= 2
	kept := p.checkpoints[:1]
	for _, m := range p.checkpoints[1:] {
		if m.age%p.interval == 0 {
			kept = append(kept, m)
		} else {
			p.release(m)
		}
	}
	clear(p.checkpoints[len(kept):])
	p.checkpoints = kept
}

// newest is the age of the last step that can be gone to.
func (p *history) newest() uint64 { return max(p.age, p.left.age) }

// leave puts aside what came after an age, and after a number of commands: the world has gone back there.
func (p *history) leave(age uint64, acts int) {
	if age == p.age {
		return
	}
	n := len(p.checkpoints)
	for n > 0 && p.checkpoints[n-1].age > age {
		n--
	}
	p.left = leftPast{p.age, acts, slices.Clone(p.entries[acts-p.dropped:]), slices.Clone(p.checkpoints[n:])}
	clear(p.checkpoints[n:])
	clear(p.entries[acts-p.dropped:])
	p.checkpoints, p.entries, p.age = p.checkpoints[:n], p.entries[:acts-p.dropped], age
}

// rejoin makes what was left the history again. It returns the commands that were done instead.
func (p *history) rejoin() (instead []historyEntry) {
	if p.left.age == 0 {
		return nil
	}
	at := p.left.acts - p.dropped
	instead = slices.Clone(p.entries[at:])
	p.entries = append(p.entries[:at], p.left.entries...)
	p.checkpoints = append(p.checkpoints, p.left.checkpoints...)
	p.age, p.left = p.left.age, leftPast{}
	return instead
}

// forget drops what was left: the world goes on another way.
func (p *history) forget() {
	if p.left.age == 0 {
		return
	}
	for _, m := range p.left.checkpoints {
		p.release(m)
	}
	p.left = leftPast{}
	p.trimMarks()
}

// release keeps the memory of a mark for the next, but not for many.
func (p *history) release(m checkpoint) {
	if len(p.spare) < 2 {
		p.spare = append(p.spare, m.worldState)
	}
}

func (p *history) size() (bytes int) {
	for i := range p.checkpoints {
		bytes += p.checkpoints[i].physics.Size() + len(p.checkpoints[i].entities)*512
	}
	return bytes
}

// saveState copies the world's state.
func (w *World) saveState(m *worldState) {
	m.physics.CopyFrom(w.physics)
	m.entities, m.lastID, m.groups = w.entities.copyTo(m.entities), w.entities.lastID, w.entities.groups
	m.attached = w.entities.attached
	m.poses, m.state, m.gravity, m.pace = w.poses, w.state.now, w.gravity, w.clock.realTimeFactor
	m.time, m.step, m.job, m.onFault = w.clock.time, w.clock.step, w.job, w.onFault
}

// restoreState puts a copy back; the checkpoint stays as it is.
func (w *World) restoreState(m *worldState) {
	w.physics.CopyFrom(&m.physics)
	w.entities.copyFrom(m.entities)
	w.entities.lastID, w.entities.groups, w.entities.attached = m.lastID, m.groups, m.attached
	w.state.set(m.state)
	w.poses, w.gravity, w.clock.realTimeFactor = m.poses, m.gravity, m.pace
	w.clock.time, w.clock.step, w.job, w.onFault = m.time, m.step, m.job, m.onFault
	w.awake = w.physics.Stats().Awake
	w.sensing.Forget()
	w.onStructureChanged()
}

// copyFrom makes an entity what another is, with all that changes of its own, in the memory that it has.
func (e *entity) copyFrom(o *entity) {
	controller, sensors := e.control, e.sensors
	*e = *o
	e.control, e.sensors = controller, sensors
	e.control.CopyFrom(&o.control)
	e.sensors.CopyFrom(&o.sensors)
}
