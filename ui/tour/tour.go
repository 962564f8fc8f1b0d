// Package tour leads who sees the console first through it, in five steps. Each asks for a few keys of the
// keymap and ends with an action; the console stays what it is meanwhile.
package tour

import (
	"fmt"
	"slices"
	"strings"

	"simdeck/ui/canvas"
	"simdeck/ui/theme"
)

// step is a part of the tour.
type step struct {
	title string
	text  string   // with actions in braces, in whose place their keys are shown
	ends  []string // the actions of which one ends it
}

var steps = [...]step{
	{"Look around", "{list.down} and {list.up} choose an entity, {list.open} shows all of it. Go to the camera: {view.camera}.",
		[]string{"view.camera"}},
	{"Look at a robot", "{camera.sight} looks from behind it, from its top, from above; {camera.left} and {camera.right} turn. Press {camera.sight}.",
		[]string{"camera.sight"}},
	{"Drive it", "{entity.drive} gives it the arrow keys. Beside the view are the map, its speed, collisions and what its lidar sees. Leave: {drive.leave}.",
		[]string{"drive.leave"}},
	{"Change the world", "{entity.spawn} spawns a model where the map has its cursor, {entity.delete} deletes what is selected. {entity.undo} undoes that.",
		[]string{"entity.undo"}},
	{"Find the rest", "{sim.toggle} pauses and plays, {sim.rewind} rewinds by a second. {app.palette} finds an action by a word, {app.help} lists those of a pane.",
		[]string{"app.palette", "app.help"}},
}

// Steps is the number of steps.
const Steps = len(steps)

// Tour is a step of the tour. The zero value is off.
type Tour struct{ at int }

// On reports that a step is shown.
func (t *Tour) On() bool { return t.at > 0 }

// Next begins the tour, or goes to its next step; after the last it ends.
func (t *Tour) Next() { t.at = (t.at + 1) % (Steps + 1) }

// End ends it.
func (t *Tour) End() { t.at = 0 }

// Did tells that an action was done, which may end a step.
func (t *Tour) Did(action string) {
	if t.On() && slices.Contains(steps[t.at-1].ends, action) {
		t.Next()
	}
}

// Actions are all actions that the tour names.
func Actions() (all []string) {
	for _, s := range steps {
		all = append(all, s.ends...)
		for _, part := range strings.Split(s.text, "{")[1:] {
			all = append(all, part[:strings.Index(part, "}")])
		}
	}
	return all
}

const (
	width = 74
	lines = 2 // of text
)

// Draw draws the step at the bottom of an area; key is the key of an action.
func (t *Tour) Draw(a canvas.Area, key func(action string) string) {
	if !t.On() {
		return
	}
	s := steps[t.at-1]
	w := min(width, a.W())
	text := canvas.Wrap(spoken(s.text, key), w-4)
	h := max(lines, len(text)) + 3
	box := a.Sub((a.W()-w)/2, max(0, a.H()-h), w, h)
	box.Fill(' ', theme.Plain)
	inside := box.Frame(theme.Focus)
	box.Clip(2, 0, w-4, fmt.Sprintf(" Tour %d/%d: %s ", t.at, Steps, s.title), theme.Title)
	for y, line := range text {
		inside.Text(1, y, line, theme.Plain)
	}
	hint := fmt.Sprintf("%s next step  %s ends the tour", key("app.tour"), key("app.back"))
	inside.Right(inside.W()-1, h-3, hint, theme.Dim)
}

// spoken is a text with keys in place of actions.
func spoken(text string, key func(string) string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "{")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		action, after, _ := strings.Cut(rest, "}")
		b.WriteString(key(action))
		text = after
	}
}
