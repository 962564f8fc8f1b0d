package ui

import (
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

// undoOf is what takes a command back, if it were done now.
func (m *Model) undoOf(c sim.Command) undo {
	s := m.now()
	at := func(name string) int {
		if i, ok := pane.Find(s.Model, name); ok && i < len(s.Entities) {
			return i
		}
		return -1
	}
	switch c := c.(type) {
	case sim.Delete:
		if len(c.Names) != 1 {
			break
		}
		i := at(c.Names[0])
		if i < 0 || !restorable(&s.Model.Entities[i]) {
			break
		}
		e := &s.Model.Entities[i]
		return undo{sim.Spawn{Name: e.Name, Resource: sim.Resource{URI: e.Spec.Source}, Namespace: e.Namespace, Pose: sim.FramedPose{Pose: s.Entities[i].Pose}},
			e.Name + " is back"}
	case sim.SetEntityState:
		if i := at(c.Name); i >= 0 && c.Pose != nil && c.Frame == "" {
			pose := s.Entities[i].Pose
			back := sim.SetEntityState{Name: c.Name, Pose: &pose}
			if c.Twist != nil {
				twist := s.Entities[i].Twist
				back.Twist = &twist
			}
			return undo{back, c.Name + " is back where it was"}
		}
	}
	return undo{}
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
