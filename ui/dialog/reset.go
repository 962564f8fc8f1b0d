package dialog

import (
	"fmt"

	"simdeck/sim"
	"simdeck/ui/canvas"
	"simdeck/ui/theme"
)

// Reset asks which scopes to reset.
type Reset struct {
	buttons
	on     [3]bool
	cursor int
}

var _ Dialog = (*Reset)(nil)

// NewReset offers all scopes, ticked.
func NewReset() *Reset {
	return &Reset{buttons: buttons{accept: "Reset"}, on: [3]bool{true, true, true}}
}

func scopes() [3]struct {
	scope      sim.ResetScope
	name, what string
} {
	return [3]struct {
		scope      sim.ResetScope
		name, what string
	}{
		{sim.ResetSpawned, "spawned entities", "delete spawned entities"},
		{sim.ResetState, "states", "poses, velocities and joints as loaded"},
		{sim.ResetTime, "time", "the clock to zero"},
	}
}

// Title names the dialog.
func (r *Reset) Title() string { return "Reset" }

// Size is the size that it wants, in cells.
func (r *Reset) Size() (w, h int) { return 64, 6 }

// Scope is the ticked scope.
func (r *Reset) Scope() sim.ResetScope {
	if r.on == [3]bool{true, true, true} {
		return sim.ResetAll
	}
	var s sim.ResetScope
	for i, c := range scopes() {
		if r.on[i] {
			s |= c.scope
		}
	}
	return s
}

// Draw fills the area.
func (r *Reset) Draw(a canvas.Area) {
	for i, c := range scopes() {
		mark := "[ ]"
		if r.on[i] {
			mark = "[x]"
		}
		x := a.Text(3, 1+i, fmt.Sprintf("%s %-17s", mark, c.name), theme.Strong)
		a.Clip(x, 1+i, a.W()-x-1, c.what, theme.Dim)
		if i == r.cursor {
			a.Put(1, 1+i, '>', theme.Strong)
			a.Sub(1, 1+i, a.W()-2, 1).Role(0, theme.Chosen)
		}
	}
	r.buttons.draw(a, r.Scope() != 0)
}

// Key moves, ticks, accepts or closes.
func (r *Reset) Key(k Key) Outcome {
	switch k.Action {
	case Cancel:
		return Outcome{Close: true}
	case Accept:
		if s := r.Scope(); s != 0 {
			return Outcome{Close: true, Do: sim.Reset{Scope: s}, Done: "Simulation reset"}
		}
	case Toggle:
		r.on[r.cursor] = !r.on[r.cursor]
	case Next, Down:
		r.cursor = (r.cursor + 1) % 3
	case Prev, Up:
		r.cursor = (r.cursor + 2) % 3
	}
	return Outcome{}
}

// Click ticks a box or presses a button.
func (r *Reset) Click(x, y int) Outcome {
	if y >= 1 && y <= 3 {
		r.cursor = y - 1
		return r.Key(Key{Action: Toggle})
	}
	return r.Key(Key{Action: r.press(x, y)})
}

// Wheel moves the cursor.
func (r *Reset) Wheel(rows int) { r.cursor = max(0, min(2, r.cursor+rows)) }

// Hints are the actions that mean something to it.
func (r *Reset) Hints() []string { return []string{Toggle, Up, Down} }
