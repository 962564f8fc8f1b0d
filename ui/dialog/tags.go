package dialog

import (
	"fmt"
	"slices"
	"strings"

	"simdeck/sim"
	"simdeck/sim/scene"
	"simdeck/ui/canvas"
	"simdeck/ui/theme"
)

// Tagged is an entity whose tags a dialog changes.
type Tagged struct {
	Name string
	Info scene.Info
}

// Tags asks for the tags of entities: their common ones stand in the line; additions go to all, removals hold
// for all.
type Tags struct {
	buttons
	who    []Tagged
	common []string
	line   Line
}

var _ Dialog = (*Tags)(nil)

// NewTags starts from the tags that all have.
func NewTags(who []Tagged) *Tags {
	t := &Tags{who: who, buttons: buttons{accept: "Tag"}}
	for _, tag := range who[0].Info.Tags {
		if !slices.ContainsFunc(who, func(w Tagged) bool { return !slices.Contains(w.Info.Tags, tag) }) {
			t.common = append(t.common, tag)
		}
	}
	t.line.Hint = "words separated by spaces"
	t.line.Set(strings.Join(t.common, " "))
	return t
}

// Title names the dialog.
func (t *Tags) Title() string {
	if len(t.who) == 1 {
		return "Tags of " + t.who[0].Name
	}
	return fmt.Sprintf("Tags that %d entities have in common", len(t.who))
}

// Size is the size that it wants, in cells.
func (t *Tags) Size() (w, h int) { return 58, 5 }

// Draw fills the area.
func (t *Tags) Draw(a canvas.Area) {
	x := a.Text(1, 1, "tags", theme.Label) + 1
	t.line.Draw(a, x, 1, a.W()-x-1, true)
	a.Clip(1, 2, a.W()-2, "Kept until the state is reset. Filter: / tag:word", theme.Dim)
	t.buttons.draw(a, true)
}

// of is the tags that one of them has then.
func (t *Tags) of(w Tagged, typed []string) []string {
	var tags []string
	for _, tag := range w.Info.Tags {
		if !slices.Contains(t.common, tag) || slices.Contains(typed, tag) {
			tags = append(tags, tag)
		}
	}
	for _, tag := range typed {
		if !slices.Contains(tags, tag) {
			tags = append(tags, tag)
		}
	}
	return tags
}

// Key edits the line, accepts or closes.
func (t *Tags) Key(k Key) Outcome {
	switch k.Action {
	case Cancel:
		return Outcome{Close: true}
	case Accept:
		var all []sim.SetEntityInfo
		typed := strings.Fields(t.line.Text())
		for _, w := range t.who {
			info := w.Info
			if info.Tags = t.of(w, typed); slices.Equal(info.Tags, w.Info.Tags) {
				continue
			}
			all = append(all, sim.SetEntityInfo{Name: w.Name, Info: info})
		}
		switch len(all) {
		case 0:
			return Outcome{Close: true}
		case 1:
			return Outcome{Close: true, Do: all[0], Done: "tagged " + all[0].Name}
		}
		return Outcome{Close: true, Do: sim.SetEntityInfos{Infos: all},
			Done: fmt.Sprintf("Tags of %d entities changed", len(all))}
	}
	t.line.Key(k)
	return Outcome{}
}

// Click presses a button.
func (t *Tags) Click(x, y int) Outcome { return t.Key(Key{Action: t.press(x, y)}) }

// Wheel does nothing.
func (t *Tags) Wheel(int) {}

// Hints are the actions that mean something to it.
func (t *Tags) Hints() []string { return nil }
