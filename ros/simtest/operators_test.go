package simtest

import (
	"math/rand/v2"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"simdeck/sim"
	"simdeck/ui"
	"simdeck/ui/canvas"
	"simdeck/ui/keymap"
	"simdeck/ui/uitest"
)

// operator is a console without a terminal.
type operator struct {
	w       *world
	name    string
	d       *uitest.Driver
	columns int
	rows    int
	left    bool // it has ended
}

// sit opens a console.
func (w *world) sit(name string, columns, rows int) {
	c := ui.Config{Backend: w.backend, Keymap: w.keys, User: name,
		Capabilities: sim.Capabilities{Recorder: w.recorder,
			Connection: func() sim.Connection {
				s := w.bridge.Status()
				return sim.Connection{On: true, Peers: s.Peers, Name: s.Name, Fault: s.Fault}
			},
			Graph: func() sim.Graph { return sim.Graph{Nodes: w.bridge.Graph().Nodes} }}}
	m, err := ui.New(c)
	if err != nil {
		w.t.Fatal(err)
	}
	o := &operator{w: w, name: name, d: uitest.Drive(w.t, m, w.keys), columns: columns, rows: rows}
	o.d.Resize(columns, rows)
	w.operators = append(w.operators, o)
}

// pressable are the keys that operators press, and some that mean nothing.
func pressable(keys *keymap.Map) []string {
	var names []string
	for _, b := range keys.Bindings() {
		if b.Action != "app.quit" && b.Context != keymap.OnFleet {
			names = append(names, b.Keys...)
		}
	}
	quits := keys.Keys("app.quit")
	names = slices.DeleteFunc(names, func(k string) bool { return slices.Contains(quits, k) })
	return append(names, "a", "é", "字", "1", "2", "backspace", "home", "end")
}

// act has an operator do something: press a key mostly.
func (o *operator) act(r *rand.Rand) {
	if o.left {
		return
	}
	switch k := r.IntN(24); {
	case k == 0:
		o.columns, o.rows = 1+r.IntN(200), 1+r.IntN(60)
		o.w.trace.add(o.name, "%d by %d", o.columns, o.rows)
		o.d.Resize(o.columns, o.rows)
	case k == 1:
		x, y := r.IntN(o.columns+1), r.IntN(o.rows+1)
		o.w.trace.add(o.name, "clicks at %d %d", x, y)
		o.d.Send(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})
	case k == 2:
		o.w.trace.add(o.name, "pastes")
		o.d.Send(tea.PasteMsg{Content: "\x1b]0;x\x07\t字\u202e" + strings.Repeat("9", r.IntN(9))})
	case k == 3 && r.IntN(10) == 0:
		o.w.trace.add(o.name, "leaves")
		o.d.Run("app.quit")
		return
	default:
		key := o.w.pressable[r.IntN(len(o.w.pressable))]
		if r.IntN(5) == 0 { // a change
			actions := []string{"entity.spawn", "entity.delete", "sim.toggle", "sim.reset", "sim.record",
				"sim.load", "sim.rewind", "dialog.accept", "entity.undo", "entity.drive"}
			key = o.w.keys.Keys(actions[r.IntN(len(actions))])[0]
		}
		o.w.trace.add(o.name, "presses %s", key)
		o.d.Send(uitest.KeyPress(key))
	}
	o.check()
}

// check holds the frame to its window.
func (o *operator) check() {
	if o.left {
		return
	}
	if c := o.d.Model.Crash(); c != nil {
		o.w.fail("the console of %s broke: %v\n%s", o.name, c, c.Report())
		o.left = true
		return
	}
	if o.d.Quit() { // by the palette or the mouse, too
		o.left = true
		return
	}
	lines := strings.Split(o.d.Text(), "\n")
	if len(lines) != o.rows {
		o.w.fail("the frame of %s has %d lines in a window of %d by %d", o.name, len(lines), o.columns,
			o.rows)
	}
	for y, l := range lines {
		if n := canvas.TextWidth(l); n != o.columns {
			o.w.fail("line %d of %s has %d columns in a window of %d by %d: %q", y+1, o.name, n, o.columns,
				o.rows, l)
			return
		}
	}
	if view := o.d.Model.View().Content; strings.ContainsAny(view, "\x07\t\r") ||
		strings.Contains(view, "\x1b]") {
		o.w.fail("the frame of %s holds a command to the terminal", o.name)
	}
}
