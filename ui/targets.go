package ui

import (
	"fmt"
	"math"
	"strings"

	tea "charm.land/bubbletea/v2"

	"simdeck/sim"
	"simdeck/ui/dialog"
	"simdeck/ui/escape"
	"simdeck/ui/pane"
	"simdeck/ui/theme"
)

// selection is the entities of a snapshot that an action is done to.
type selection struct {
	snap     *sim.Snapshot
	selected string
	marks    []string // in place of the selected one, where there are any
}

// selection is what is selected and marked in the snapshot that is shown.
func (m *Model) selection() selection {
	return selection{m.view.snap, m.entities.Selected(), m.entities.Marked()}
}

// targets are the entities that an action is done to, as indices into the
// model that is shown: the marked ones, else the selected one.
func (sel selection) targets() []int {
	names := sel.marks
	if len(names) == 0 {
		names = []string{sel.selected}
	}
	var list []int
	for _, n := range names {
		if i, ok := pane.Find(sel.snap.Model, n); ok && i < len(sel.snap.Entities) {
			list = append(list, i)
		}
	}
	return list
}

// members are the targets as dialogs that move them want them.
func (sel selection) members() []dialog.Member {
	var who []dialog.Member
	for _, i := range sel.targets() {
		e, low := &sel.snap.Model.Entities[i], math.Inf(1)
		if !e.Bounds.IsEmpty() {
			low = e.Bounds.Min.Z
		}
		who = append(who, dialog.Member{Name: e.Name, Pose: sel.snap.Entities[i].Pose, Low: low})
	}
	return who
}

// deletable are the names of the targets that may be deleted, how many of
// them can be brought back, and the names of the rest.
func (sel selection) deletable() (names []string, restored int, stay []string) {
	for _, i := range sel.targets() {
		e := &sel.snap.Model.Entities[i]
		if !e.Deletable {
			stay = append(stay, e.Name)
			continue
		}
		names = append(names, e.Name)
		if restorable(e) {
			restored++
		}
	}
	return names, restored, stay
}

func undeletable(m *Model) string {
	switch names, _, stay := m.selection().deletable(); {
	case len(names) > 0:
		return ""
	case len(stay) == 1:
		return stay[0] + " belongs to the world"
	case len(stay) > 1:
		return fmt.Sprintf("all %d belong to the world", len(stay))
	}
	return "no entity is selected"
}

// askDelete asks before it deletes the targets.
func (m *Model) askDelete() tea.Cmd {
	names, restored, stay := m.selection().deletable()
	key, after := m.keys.Key("entity.undo"), "This cannot be undone."
	what, done := names[0], names[0]+" is deleted"
	if len(names) > 1 {
		what = fmt.Sprintf("%d entities", len(names))
		done = what + " are deleted"
	}
	switch {
	case restored == 1 && len(names) == 1:
		after = key + " brings it back where it stands, its joints as at first."
	case restored == len(names):
		after = key + " brings them back where they stand."
	case restored > 0:
		after = fmt.Sprintf("%s brings %d of them back.", key, restored)
	}
	if len(stay) > 0 {
		after += fmt.Sprintf(" %d of the world stay.", len(stay))
	}
	return m.dialogs.push(dialog.NewConfirm("Delete", "Delete "+what+"?", after, "Delete",
		sim.Delete{Names: names}, done))
}

// copyPoses gives the terminal's clipboard names and poses, a line each: a name brings no line feed to where
// it is pasted.
func (m *Model) copyPoses() tea.Cmd {
	sel := m.selection()
	var lines []string
	for _, i := range sel.targets() {
		p, q := sel.snap.Entities[i].Pose.Pos, sel.snap.Entities[i].Pose.Rot
		lines = append(lines, fmt.Sprintf("%s: {position: {x: %v, y: %v, z: %v}, orientation: {x: %v, y: %v, z: %v, w: %v}}",
			escape.Line(sel.snap.Model.Entities[i].Name), p.X, p.Y, p.Z, q.X, q.Y, q.Z, q.W))
	}
	said := lines[0]
	if len(lines) > 1 {
		said = fmt.Sprintf("%d poses", len(lines))
	}
	return tea.Batch(tea.SetClipboard(strings.Join(lines, "\n")), m.say(theme.Good, "copied %s", said))
}
