package ui

import (
	"fmt"
	"math"
	"strconv"
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

// selection is the selected and the marked entities of the shown snapshot.
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
		return stay[0] + " is part of the world file"
	case len(stay) > 1:
		return fmt.Sprintf("all %d are part of the world file", len(stay))
	}
	return "no entity is selected"
}

// askDelete asks before it deletes the targets.
func (m *Model) askDelete() tea.Cmd {
	names, restored, stay := m.selection().deletable()
	key, after := m.keys.Key("entity.undo"), "This cannot be undone."
	what, done := names[0], names[0]+" deleted"
	if len(names) > 1 {
		what = fmt.Sprintf("%d entities", len(names))
		done = what + " deleted"
	}
	switch {
	case restored == 1 && len(names) == 1:
		after = key + " restores its pose; its joints start as loaded."
	case restored == len(names):
		after = key + " restores them at their poses."
	case restored > 0:
		after = fmt.Sprintf("%s restores %d of them.", key, restored)
	}
	if len(stay) > 0 {
		after += fmt.Sprintf(" %d are part of the world file and stay.", len(stay))
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
		lines = append(lines, fmt.Sprintf("%s: {position: {x: %s, y: %s, z: %s}, orientation: {x: %s, y: %s, z: %s, w: %s}}",
			escape.Line(sel.snap.Model.Entities[i].Name), copied(p.X), copied(p.Y), copied(p.Z),
			copied(q.X), copied(q.Y), copied(q.Z), copied(q.W)))
	}
	said := lines[0]
	if len(lines) > 1 {
		said = fmt.Sprintf("%d poses", len(lines))
	}
	return tea.Batch(tea.SetClipboard(strings.Join(lines, "\n")), m.say(theme.Good, "Copied: %s", said))
}

// copied is a coordinate as it is pasted: to a micrometre, without zeros at the end.
func copied(v float64) string {
	return strconv.FormatFloat(math.Round(v*1e6)/1e6+0, 'f', -1, 64)
}
