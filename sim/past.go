package sim

import (
	"slices"
	"time"

	"simdeck/sim/physics"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

const (
	// markEvery is how many steps lie between two marks at first, markRarely at most: what lies between is
	// computed again when somebody goes back there.
	markEvery  = 64
	markRarely = 512
	// mostMarks is how many bytes of copies are kept; mostActs, how many commands.
	mostMarks = 48 << 20
	mostActs  = 1 << 16
)

// past is what a world remembers of its way since it was loaded: copies of itself now and then (marks),
// and every command that took effect (acts). From the mark before a step, the acts and the steps that
// followed give that step again, bit for bit.
type past struct {
	steps uint64 // how far the past reaches, in steps; 0: nothing is kept
	age   uint64 // steps since the world was loaded; going back takes it back
	every uint64
	marks []mark // by age
	acts  []act  // since the oldest mark
	gone  int    // acts before those
	spare []*memento
}

type mark struct {
	age  uint64
	acts int // commands that came before
	*memento
}

type act struct {
	age     uint64
	command Command
	loaded  Loaded
}

// memento is a copy of all state of a world but its journal and the count of its steps.
type memento struct {
	physics  physics.World
	entities []entity
	poses    []scene.NamedPose
	state    State
	gravity  r3.Vec
	pace     float64
	time     time.Duration
	step     uint64
	lastID   uint64
	groups   int32
	job      stepJob
	onFault  FaultPolicy
}

// begin forgets everything: a world was loaded, or none is any more.
func (p *past) begin(reach, stepSize time.Duration) {
	*p = past{every: markEvery, spare: p.spare}
	if stepSize > 0 && reach > 0 {
		p.steps = uint64((reach + stepSize - 1) / stepSize)
	}
}

// note keeps a command that took effect on the world that stands.
func (p *past) note(c Command, l Loaded) {
	if p.steps == 0 {
		return
	}
	switch c.(type) {
	case LoadWorld, UnloadWorld, BeginLoad, Rewind, Resume:
		return // they are where a past begins or ends
	}
	p.acts = append(p.acts, act{p.age, c, l})
	if len(p.acts) > mostActs && len(p.marks) > 1 {
		p.forget(1)
	}
}

// pass notes that the world has stepped, and marks where it is when that is due.
func (p *past) pass(w *World) {
	if p.steps == 0 {
		return
	}
	p.age++
	if p.age%p.every == 0 {
		p.mark(w)
	}
}

// mark keeps a copy of the world, and drops what is too old or too much.
func (p *past) mark(w *World) {
	if p.steps == 0 {
		return
	}
	m := &memento{}
	if n := len(p.spare); n > 0 {
		m, p.spare = p.spare[n-1], p.spare[:n-1]
	}
	w.remember(m)
	p.marks = append(p.marks, mark{p.age, p.gone + len(p.acts), m})
	old := 0
	for old+1 < len(p.marks) && p.marks[old+1].age+p.steps <= p.age {
		old++
	}
	p.forget(old)
	for p.size() > mostMarks && len(p.marks) > 1 {
		if p.every < markRarely {
			p.thin()
		} else {
			p.forget(1)
		}
	}
}

// forget drops the n oldest marks, and the acts before those that stay.
func (p *past) forget(n int) {
	if n == 0 {
		return
	}
	for _, m := range p.marks[:n] {
		p.reuse(m)
	}
	p.marks = slices.Delete(p.marks, 0, n)
	before := p.marks[0].acts - p.gone
	p.acts = slices.Delete(p.acts, 0, before)
	p.gone += before
}

// thin drops every other mark, and makes new ones half as often.
func (p *past) thin() {
	p.every *= 2
	kept := p.marks[:1]
	for _, m := range p.marks[1:] {
		if m.age%p.every == 0 {
			kept = append(kept, m)
		} else {
			p.reuse(m)
		}
	}
	clear(p.marks[len(kept):])
	p.marks = kept
}

// cut drops what came after an age: the world has gone back there.
func (p *past) cut(age uint64, acts int) {
	for n := len(p.marks); n > 0 && p.marks[n-1].age > age; n = len(p.marks) {
		p.reuse(p.marks[n-1])
		p.marks = p.marks[:n-1]
	}
	clear(p.acts[acts-p.gone:])
	p.acts = p.acts[:acts-p.gone]
	p.age = age
}

// reuse keeps the memory of a mark for the next, but not for many.
func (p *past) reuse(m mark) {
	if len(p.spare) < 2 {
		p.spare = append(p.spare, m.memento)
	}
}

func (p *past) size() (bytes int) {
	for i := range p.marks {
		bytes += p.marks[i].physics.Size() + len(p.marks[i].entities)*512
	}
	return bytes
}

// remember copies the world's state.
func (w *World) remember(m *memento) {
	m.physics.CopyFrom(w.physics)
	m.entities = slices.Grow(m.entities[:0], len(w.entities))[:len(w.entities)]
	for i, e := range w.entities {
		m.entities[i].copyFrom(e)
	}
	m.poses, m.state, m.gravity, m.pace = w.poses, w.state, w.gravity, w.pace
	m.time, m.step, m.lastID, m.groups, m.job, m.onFault = w.time, w.step, w.lastID, w.groups, w.job, w.onFault
}

// recall puts a copy back; the memento stays as it is.
func (w *World) recall(m *memento) {
	w.physics.CopyFrom(&m.physics)
	all := make([]entity, len(m.entities))
	w.entities = make([]*entity, len(all))
	for i := range all {
		all[i].copyFrom(&m.entities[i])
		w.entities[i] = &all[i]
	}
	w.poses, w.state, w.gravity, w.pace = m.poses, m.state, m.gravity, m.pace
	w.time, w.step, w.lastID, w.groups, w.job, w.onFault = m.time, m.step, m.lastID, m.groups, m.job, m.onFault
	w.halted = ""
	w.awake = w.physics.Stats().Awake
	w.view = nil
	w.structured()
}

// copyFrom makes an entity what another is, with all that changes of its own, in the memory that it has. A sample is
// not kept: it is of a time that may not come again, and may be large.
func (e *entity) copyFrom(o *entity) {
	motors, tracks, drives, sensors := e.motors[:0], e.tracks[:0], e.drives[:0], e.sensors[:0]
	*e = *o
	e.motors, e.tracks, e.drives = append(motors, o.motors...), append(tracks, o.tracks...), append(drives, o.drives...)
	for i := range o.sensors {
		s := &o.sensors[i]
		sensors = append(sensors, measuring{schedule: s.schedule, seq: s.seq, channels: s.channels})
	}
	e.sensors = sensors
}
