// Package ui is the console: one Bubble Tea model over any sim.Deck. It looks
// at the world through snapshots and changes it through commands, so it works
// the same on the engine in its own process, on a simulator across the
// network and on the double that tests use.
//
// update.go has a method for each message, view.go draws the panes that
// layout.go gives places to, and the action tables say everything that a key,
// a mouse button or the palette can do, and why not when it cannot be done.
package ui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"simdeck/sim"
	"simdeck/ui/canvas"
	"simdeck/ui/dialog"
	"simdeck/ui/keymap"
	"simdeck/ui/pane"
	"simdeck/ui/theme"
)

// Config is what a console needs. The zero value of a field is the default
// that its comment names.
type Config struct {
	Worlds       []World               // that can be switched between, the first one first; nil: Backend, Capabilities and Preferences are the only one
	Backend      sim.Backend           // required, without Worlds
	Capabilities sim.Capabilities      // of the backend, with what surrounds it: the graph, a recorder, viewers
	Keymap       *keymap.Map           // required
	Theme        string                // see theme.Names; "ansi", or "mono" where NO_COLOR is set
	Back         string                // the terminal's background: "auto", "dark", "light"
	Symbols      string                // "braille", "block", "ascii"
	Color        string                // "auto", "never", "16", "256", "true"
	Pictures     string                // "auto", "blocks", "kitty", "sixel"
	Plain        bool                  // lines instead of a screen; for screen readers, pipes and files
	ReadOnly     bool                  // a viewer, who changes nothing
	Viewer       func() bool           // whether it is a viewer's now; nil: as ReadOnly says. Must not block
	Preferences  Preferences           // keeps pictures and choices; nil: nothing is kept
	Seed         uint64                // of the simulator, to show
	User         string                // sender of commands in the log; "console"
	Sizes        <-chan Size           // of a terminal that is elsewhere, as they come; nil: the terminal's own
	FlowControl  func(context.Context) // waits until the terminal has taken the last frame; nil: it always has
	Period       func() time.Duration  // frames are at least so far apart, where that is more than usual; nil: it never is. Must not block
	Input        io.Reader             // the terminal
	Output       io.Writer             // the terminal
	Environ      []string              // os.Environ()
	Now          func() time.Time
}

// Size of a terminal.
type Size struct {
	Columns, Rows int
	Width, Height int // pixels; 0: not known
}

// Model is the console. It is its one tea.Model: panes and dialogs are
// structs that it calls.
type Model struct {
	cfg     Config
	ctx     context.Context
	sub     *sim.Subscription
	hears   atomic.Pointer[sim.Subscription] // sub, for who ends the console
	keys    *keymap.Map
	theme   *theme.Theme
	actions []action
	index   map[string]int

	w, h     int
	size     tea.WindowSizeMsg // of a terminal elsewhere, as it was last told
	layout   layout
	focus    paneID
	zoomed   bool
	recent   [paneCount]int // when each pane was last in focus
	visits   int
	symbols  canvas.Symbols
	mouseOff bool

	snap      *sim.Snapshot // what is shown
	frozen    bool
	drawn     time.Time         // when snap was last shown
	keyed     time.Time         // when a key or the wheel last moved something
	cameras   bool              // some entity has a camera
	held      bool              // snap waits for what that did to be written first
	late      []tea.KeyPressMsg // keys that wait for what is new to be written first
	link      sim.Connection
	recording sim.Recording
	viewer    bool      // the role that the header shows
	linked    time.Time // when role, link and recording were read
	graphed   time.Time // when the graph was

	panes
	turn int    // which of Config.Worlds is shown
	seen []seen // of each of them

	dialogs  []dialog.Dialog
	boxes    []box         // where each dialog was drawn
	retry    *dialog.Spawn // what to open again when its spawn fails
	typing   *dialog.Line  // the filter that is being typed
	typed    paneID        // the pane that it filters
	drive    driving
	flash    flash
	drag     drag
	pending  int  // commands that are not answered yet
	stepping bool // one of them does many steps
	progress *progress
	undos    []undo

	pics    pictures
	line    line
	asks    bool // there is a terminal that may be asked what it can do
	leaving bool
	frames  int

	grid  *canvas.CellBuffer
	hits  []hit
	frame string
	dirty bool
	draws int
	crash *Crash // set when the console broke; it ends then
}

// flash is a line that takes the footer's place for a while.
type flash struct {
	text  string
	ink   theme.Ink
	until time.Time
}

// newFlash is what is said now; what is wrong stays longer.
func newFlash(now time.Time, ink theme.Ink, format string, args ...any) flash {
	hold := 3 * time.Second
	if ink == theme.Bad {
		hold = 8 * time.Second
	}
	return flash{fmt.Sprintf(format, args...), ink, now.Add(hold)}
}

// draw puts it onto the line at the bottom.
func (f *flash) draw(a canvas.Area) {
	sign := "✓ "
	if f.ink != theme.Good {
		sign = "! "
	}
	a.Clip(1, 0, a.W()-2, sign+f.text, f.ink)
}

// New makes a console. It starts nothing and asks the deck for nothing but a
// snapshot.
func New(c Config) (*Model, error) {
	if len(c.Worlds) > 0 {
		c.show(c.Worlds[0])
	}
	if c.Backend == nil || c.Keymap == nil {
		return nil, errors.New("ui: Config wants a Deck and a Keymap")
	}
	t, err := theme.NewOn(c.Theme, c.Back == "light")
	if err != nil {
		return nil, fmt.Errorf("ui: %w", err)
	}
	remembered(&c)
	symbols, err := canvas.ParseSymbols(c.Symbols)
	if err != nil {
		return nil, fmt.Errorf("ui: %w", err)
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.User == "" {
		c.User = "console"
	}
	m := &Model{
		cfg: c, ctx: context.Background(), keys: c.Keymap, theme: t, symbols: symbols, index: map[string]int{},
		panes: newPanes(), seen: make([]seen, len(c.Worlds)), grid: canvas.NewCellBuffer(0, 0), dirty: true,
	}
	m.actions = actions()
	for i, a := range m.actions {
		m.index[a.id] = i
	}
	m.look()
	return m, nil
}

// Actions lists the ids of everything that the console can do.
func (m *Model) Actions() []string {
	var ids []string
	for _, a := range m.actions {
		ids = append(ids, a.id)
	}
	return ids
}

// pane is the pane of an id.
func (m *Model) pane(id paneID) pane.Pane {
	return [paneCount]pane.Pane{m.entities, m.world, m.detail, m.poses, m.state, m.log, m.notes, m.camera, m.charts, m.graph}[id]
}

// list is the pane of an id when it has rows; nil for the map.
func (m *Model) list(id paneID) pane.List {
	l, _ := m.pane(id).(pane.List)
	return l
}

// readOnly says whether the operator may change nothing now.
func (c *Config) readOnly() bool { return c.ReadOnly || c.Viewer != nil && c.Viewer() }

// role is what the operator may do, in a word.
func (m *Model) role() string {
	if m.cfg.readOnly() {
		return "viewer"
	}
	return "operator"
}

// entity is the selected entity in the picture that is shown; nil when there
// is none.
func (m *Model) entity() (*sim.EntityModel, *sim.EntityState) {
	i, ok := pane.Find(m.snap.Model, m.entities.Selected())
	if !ok || i >= len(m.snap.Entities) {
		return nil, nil
	}
	return &m.snap.Model.Entities[i], &m.snap.Entities[i]
}

// say shows a line in place of the footer for a while.
func (m *Model) say(ink theme.Ink, format string, args ...any) tea.Cmd {
	m.flash, m.dirty = newFlash(m.cfg.Now(), ink, format, args...), true
	return nil
}

// push opens a dialog over what is there.
func (m *Model) push(d dialog.Dialog) tea.Cmd {
	m.dialogs, m.dirty = append(m.dialogs, d), true
	return nil
}

func (m *Model) pop() {
	if n := len(m.dialogs); n > 0 {
		m.dialogs, m.dirty = m.dialogs[:n-1], true
	}
}

// context is what keys mean now.
func (m *Model) context() keymap.Context {
	switch {
	case len(m.dialogs) > 0 || m.typing != nil:
		return keymap.InDialog
	case m.drive.on:
		return keymap.Driving
	case m.focus == mapPane:
		return keymap.OnMap
	case m.focus == cameraPane:
		return keymap.OnCamera
	}
	return keymap.InList
}
