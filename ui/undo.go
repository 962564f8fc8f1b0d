package ui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"simdeck/sim"
	"simdeck/ui/pane"
)

// mostUndos bounds the commands that can be undone.
const mostUndos = 50

// undo takes a deed back.
type undo struct {
	command sim.Command // nil: nothing takes it back
	done    string      // message after it
}

// undoStack holds how what was done can be undone, the last on top.
type undoStack struct{ stack []undo }

// undoOf is the undo of a command, if it was done on a snapshot.
func undoOf(s *sim.Snapshot, c sim.Command) undo { return undoBy(invert(s, c)) }

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

// invert is the command that undoes another; nil where none does.
func invert(s *sim.Snapshot, c sim.Command) sim.Command {
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
				all = append(all, sim.Spawn{Name: e.Name, Resource: sim.Resource{URI: e.Spec.Source},
					Namespace: e.Namespace, Pose: sim.FramedPose{Pose: s.Entities[i].Pose}})
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
		if back, ok := undoEach(s, c.Moves); ok {
			return sim.MoveEntities{Moves: back}
		}
	case sim.Attach:
		return sim.Detach(c)
	case sim.Detach:
		return sim.Attach(c)
	case sim.SetEntityInfo:
		if i := at(c.Name); i >= 0 {
			return sim.SetEntityInfo{Name: c.Name, Info: s.Model.Entities[i].Info}
		}
	case sim.SetEntityInfos:
		if back, ok := undoEach(s, c.Infos); ok {
			return sim.SetEntityInfos{Infos: back}
		}
	}
	return nil
}

// undoEach takes back what is done to each of several, with the same kind of command; false: it cannot for
// all.
func undoEach[C sim.Command](s *sim.Snapshot, list []C) (back []C, ok bool) {
	for _, c := range list {
		one, ok := invert(s, c).(C)
		if !ok {
			return nil, false
		}
		back = append(back, one)
	}
	return back, true
}

// mostReplaced bounds the replaced worlds that can be taken up again: each is as large as its state.
const mostReplaced = 4

// keepReplaced remembers how to go back to the world that a load replaced. Commands of that world can be
// undone after that.
func (h *undoStack) keepReplaced(before *sim.Snapshot, loaded sim.WorldLoaded) {
	name := before.Model.World.Name
	switch {
	case loaded.Before != nil:
		h.keep(undo{*loaded.Before, name + " restored"})
	case before.Model.World.URI != "":
		h.keep(undo{sim.LoadWorld{Resource: sim.Resource{URI: before.Model.World.URI},
			IgnoreMissingAssets: true}, name + " loaded again"})
	default:
		h.stack = nil // of a world that does not come back
		return
	}
	for i, kept := len(h.stack)-1, 0; i >= 0; i-- {
		if _, replaced := h.stack[i].command.(sim.Restore); replaced {
			kept++
		}
		if kept > mostReplaced {
			h.stack = h.stack[i+1:]
			return
		}
	}
}

// restored is the message after an undo.
func restored(back sim.Command) string {
	switch c := back.(type) {
	case sim.Spawn:
		return c.Name + " restored"
	case sim.SpawnBatch:
		return fmt.Sprintf("%d entities restored", len(c.Spawns))
	case sim.SetEntityState:
		return c.Name + " moved back"
	case sim.MoveEntities:
		return fmt.Sprintf("%d entities moved back", len(c.Moves))
	case sim.SetEntityInfo:
		return c.Name + ": tags restored"
	case sim.SetEntityInfos:
		return fmt.Sprintf("%d entities: tags restored", len(c.Infos))
	}
	return ""
}

// restorable reports that an entity can be brought back: it is known where it
// came from.
func restorable(e *sim.EntityModel) bool { return e.Spec != nil && e.Spec.Source != "" }

// keep remembers how to take back what has been done.
func (h *undoStack) keep(u undo) {
	if u.command == nil {
		return
	}
	h.stack = append(h.stack, u)
	if len(h.stack) > mostUndos {
		h.stack = h.stack[1:]
	}
}

// pop takes the last undo off the stack, which must not be empty.
func (h *undoStack) pop() undo {
	u := h.stack[len(h.stack)-1]
	h.stack = h.stack[:len(h.stack)-1]
	return u
}

// undoLast sends the command that undoes the last one.
func (m *Model) undoLast() tea.Cmd {
	u := m.undo.pop()
	m.requests.pending++
	m.screen.dirty = true
	return m.requests.do(replyMsg{command: u.command, done: u.done, counted: true, undoing: true})
}
