package ui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"simdeck/sim"
	"simdeck/ui/pane"
)

// mostUndos is how many deeds can be undone.
const mostUndos = 50

// undo takes a deed back.
type undo struct {
	command sim.Command // nil: nothing takes it back
	done    string      // what to say then
}

// undoOf is what takes a command back, if it was done now.
func (m *Model) undoOf(c sim.Command) undo {
	return undoBy(m.undoOne(c))
}

// undoBy is the undo that a command makes.
func undoBy(c sim.Command) undo { return undo{c, restored(c)} }

// first is the undo of the first n commands of a list; none where the list was not done one by one.
func (u undo) first(n int) undo {
	switch c := u.command.(type) {
	case sim.MoveEntities:
		if n == 1 {
			return undoBy(c.Moves[0])
		}
		return undoBy(sim.MoveEntities{Moves: c.Moves[:n]})
	case sim.SetEntityInfos:
		if n == 1 {
			return undoBy(c.Infos[0])
		}
		return undoBy(sim.SetEntityInfos{Infos: c.Infos[:n]})
	}
	return undo{}
}

// undoOne is what takes a command back; nil when nothing does.
func (m *Model) undoOne(c sim.Command) sim.Command {
	s := m.now()
	at := func(name string) int {
		if i, ok := pane.Find(s.Model, name); ok && i < len(s.Entities) {
			return i
		}
		return -1
	}
	switch c := c.(type) {
	case sim.Delete:
		var all []sim.Spawn
		for _, n := range c.Names {
			if i := at(n); i >= 0 && restorable(&s.Model.Entities[i]) {
				e := &s.Model.Entities[i]
				all = append(all, sim.Spawn{Name: e.Name, Resource: sim.Resource{URI: e.Spec.Source}, Namespace: e.Namespace, Pose: sim.FramedPose{Pose: s.Entities[i].Pose}})
			}
		}
		switch len(all) {
		case 0:
			return nil
		case 1:
			return all[0]
		}
		return sim.SpawnBatch{Spawns: all}
	case sim.SetEntityState:
		if i := at(c.Name); i >= 0 && c.Pose != nil && c.Frame == "" {
			pose := s.Entities[i].Pose
			back := sim.SetEntityState{Name: c.Name, Pose: &pose}
			if c.Twist != nil {
				twist := s.Entities[i].Twist
				back.Twist = &twist
			}
			return back
		}
	case sim.MoveEntities:
		if back, ok := undoEach(m, c.Moves); ok {
			return sim.MoveEntities{Moves: back}
		}
	case sim.SetEntityInfo:
		if i := at(c.Name); i >= 0 {
			return sim.SetEntityInfo{Name: c.Name, Info: s.Model.Entities[i].Info}
		}
	case sim.SetEntityInfos:
		if back, ok := undoEach(m, c.Infos); ok {
			return sim.SetEntityInfos{Infos: back}
		}
	}
	return nil
}

// undoEach takes back what is done to each of several, with the same kind of command; false: it cannot for all.
func undoEach[C sim.Command](m *Model, list []C) (back []C, ok bool) {
	for _, c := range list {
		one, ok := m.undoOne(c).(C)
		if !ok {
			return nil, false
		}
		back = append(back, one)
	}
	return back, true
}

// restored is what to say when something was taken back.
func restored(back sim.Command) string {
	switch c := back.(type) {
	case sim.Spawn:
		return c.Name + " is back"
	case sim.SpawnBatch:
		return fmt.Sprintf("%d entities are back", len(c.Spawns))
	case sim.SetEntityState:
		return c.Name + " is back where it was"
	case sim.MoveEntities:
		return fmt.Sprintf("%d entities are back where they were", len(c.Moves))
	case sim.SetEntityInfo:
		return c.Name + ": tags as before"
	case sim.SetEntityInfos:
		return fmt.Sprintf("%d entities: tags as before", len(c.Infos))
	}
	return ""
}

// restorable reports that an entity can be brought back: it is known where it
// came from.
func restorable(e *sim.EntityModel) bool { return e.Spec != nil && e.Spec.Source != "" }

// keepUndo remembers how to take back what has been done.
func (m *Model) keepUndo(u undo) {
	if u.command == nil {
		return
	}
	m.undos = append(m.undos, u)
	if len(m.undos) > mostUndos {
		m.undos = m.undos[1:]
	}
}

// undoLast takes the last deed back.
func (m *Model) undoLast() tea.Cmd {
	u := m.undos[len(m.undos)-1]
	m.undos = m.undos[:len(m.undos)-1]
	m.pending++
	m.dirty = true
	return m.do(replyMsg{command: u.command, done: u.done, counted: true, undoing: true})
}
