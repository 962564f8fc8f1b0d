// Package ui is the console: one Bubble Tea model over any sim.Backend. It reads the world by snapshots and
// changes it by commands. The engine in its process, a simulator on the network and the double of the tests
// are the same to it.
//
// update.go has a method for each message, view.go draws the panes that layout.go places. The action tables
// hold every action of a key, a mouse button or the palette, with the reason where it is disabled.
package ui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"simdeck/sim"
	"simdeck/ui/canvas"
	"simdeck/ui/dialog"
	"simdeck/ui/gamepad"
	"simdeck/ui/keymap"
	"simdeck/ui/pane"
	"simdeck/ui/theme"
	"simdeck/ui/tour"
)

// Config is the configuration of a console. The zero value of a field is the default
// that its comment names.
type Config struct {
	// that can be switched between, the first one first; nil: Backend, Capabilities and Preferences are the
	// only one
	Worlds  []World
	Backend sim.Backend // required, without Worlds
	// of the backend, with what surrounds it: the graph, a recorder, viewers
	Capabilities sim.Capabilities
	Keymap       *keymap.Map // required
	Start        sim.State   // in which a world begins that an operator loads
	// completes what is typed of a path to a world file; folders end in a slash. nil: no files are to be seen
	Paths       func(typed string) []string
	Theme       string // see theme.Names; "ansi", or "mono" where NO_COLOR is set
	Back        string // the terminal's background: "auto", "dark", "light"
	Symbols     string // "braille", "block", "ascii"
	Color       string // "auto", "never", "16", "256", "true"
	Pictures    Pictures
	Plain       bool        // lines instead of a screen; for screen readers, pipes and files
	ReadOnly    bool        // a viewer, who changes nothing
	EndsAll     bool        // the simulator ends with it: who leaves is asked where others lose by that
	Viewer      func() bool // whether it is a viewer's now; nil: as ReadOnly says. Must not block
	Preferences Preferences // keeps pictures and choices; nil: nothing is kept
	Tour        bool        // begin with the tour of who sees it first
	Seed        uint64      // of the simulator, to show
	User        string      // sender of commands in the log; "console"
	Far                     // of a terminal that is elsewhere
	Input       io.Reader   // the terminal
	Output      io.Writer   // the terminal
	Environ     []string    // os.Environ()
	Now         func() time.Time
}

// Far is the state of a terminal that is elsewhere, and of the way to it.
type Far struct {
	// Sizes come as they change; nil: the terminal is this process's own.
	Sizes <-chan Size
	// FlowControl waits until the terminal has taken the last frame; nil: it always has.
	FlowControl func(context.Context)
	// Period is the least time between frames, where that is more than usual; nil: it never is. It must not
	// block.
	Period func() time.Duration
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
	keys    *keymap.Map
	actions []action
	index   map[string]int

	panes
	view     worldView
	window   window
	screen   screen
	dialogs  dialogStack
	keyboard keyboard
	mouse    mouse
	drive    driving
	typed    controllerKeys
	undo     undoStack
	requests requests
	timeline timeline
	worlds   worldTurn
	feed     feed
	around   surroundings
	pics     pictures
	line     line
	tour     tour.Tour

	// of this machine; another one in tests
	openPad func() (*gamepad.Pad, error)

	leaving bool
	crash   *Crash // set when the console broke; it ends then
}

// own lets the parts of a console reach it.
func (m *Model) own() {
	m.view.m, m.screen.m, m.keyboard.m, m.mouse.m, m.drive.m = m, m, m, m, m
	m.requests.m, m.worlds.m, m.feed.m, m.around.m, m.pics.m, m.line.m = m, m, m, m, m, m
	m.typed.m, m.timeline.m = m, m
	m.dialogs.screen, m.window.screen = &m.screen, &m.screen
}

// flash is a line that takes the footer's place for a while.
type flash struct {
	text  string
	role  theme.Role
	until time.Time
}

// newFlash is a message of now; errors stay longer.
func newFlash(now time.Time, role theme.Role, format string, args ...any) flash {
	hold := 3 * time.Second
	if role == theme.Bad {
		hold = 8 * time.Second
	}
	return flash{fmt.Sprintf(format, args...), role, now.Add(hold)}
}

// mostFlashLines bounds what a message covers.
const mostFlashLines = 4

// draw puts it onto the lowest line of an area, and onto the lines above where it is longer: a path that is cut
// is of no use.
func (f *flash) draw(a canvas.Area) {
	sign := "✓ "
	if f.role != theme.Good {
		sign = "! "
	}
	lines := canvas.Wrap(sign+f.text, max(1, a.W()-2))
	n := min(len(lines), mostFlashLines, a.H())
	if n < len(lines) {
		lines[n-1] = strings.Join(lines[n-1:], " ") // cut after all
	}
	for i, line := range lines[:n] {
		at := a.Sub(0, a.H()-n+i, a.W(), 1)
		at.Fill(' ', f.role)
		at.Clip(1, 0, a.W()-2, line, f.role)
	}
}

// New makes a console. It starts nothing and asks the backend for nothing but a
// snapshot.
func New(c Config) (*Model, error) {
	if len(c.Worlds) > 0 {
		c.show(c.Worlds[0])
	}
	if c.Backend == nil || c.Keymap == nil {
		return nil, errors.New("ui: Config wants a Backend and a Keymap")
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
		cfg: c, ctx: context.Background(), keys: c.Keymap, index: map[string]int{}, panes: newPanes(),
		worlds:  worldTurn{seen: make([]seen, len(c.Worlds))},
		openPad: gamepad.Open,
		screen:  screen{theme: t, symbols: symbols, cells: canvas.NewCellBuffer(0, 0), dirty: true},
	}
	m.own()
	m.actions = actions()
	for i, a := range m.actions {
		m.index[a.id] = i
	}
	m.view.look()
	if c.Tour {
		m.tour.Next()
	}
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
	return [paneCount]pane.Pane{m.entities, m.world, m.detail, m.poses, m.state, m.log, m.notes, m.camera,
		m.charts, m.graph}[id]
}

// list is the pane of an id when it has rows; nil for the map.
func (m *Model) list(id paneID) pane.List {
	l, _ := m.pane(id).(pane.List)
	return l
}

// readOnly reports that the operator may change nothing now.
func (c *Config) readOnly() bool { return c.ReadOnly || c.Viewer != nil && c.Viewer() }

// readOnlyReason says why the operator may change nothing now.
func (c *Config) readOnlyReason() string {
	if c.ReadOnly {
		return "read-only: opened with --read-only"
	}
	return "read-only: your key has the viewer role"
}

// role is the operator's role, in a word.
func (m *Model) role() string {
	if m.cfg.readOnly() {
		return "viewer"
	}
	return "operator"
}

// entity is the selected entity in the picture that is shown; nil when there
// is none.
func (sel selection) entity() (*sim.EntityModel, *sim.EntityState) {
	i, ok := pane.Find(sel.snap.Model, sel.selected)
	if !ok || i >= len(sel.snap.Entities) {
		return nil, nil
	}
	return &sel.snap.Model.Entities[i], &sel.snap.Entities[i]
}

// say shows a line in place of the footer for a while.
func (m *Model) say(role theme.Role, format string, args ...any) tea.Cmd {
	m.screen.flash, m.screen.dirty = newFlash(m.cfg.Now(), role, format, args...), true
	return nil
}

// dialogStack is the open dialogs, the last on top.
type dialogStack struct {
	screen *screen // drawn anew when a dialog opens or closes
	open   []dialog.Dialog
}

// push opens a dialog over what is there.
func (ds *dialogStack) push(d dialog.Dialog) tea.Cmd {
	ds.open, ds.screen.dirty = append(ds.open, d), true
	return nil
}

func (ds *dialogStack) pop() {
	if n := len(ds.open); n > 0 {
		ds.open, ds.screen.dirty = ds.open[:n-1], true
	}
}

// context is the context of key bindings now.
func (m *Model) context() keymap.Context {
	switch {
	case len(m.dialogs.open) > 0 || m.keyboard.typing != nil:
		return keymap.InDialog
	case m.drive.on:
		return keymap.Driving
	case m.typed.on():
		return keymap.Controlling
	}
	return m.window.context()
}
