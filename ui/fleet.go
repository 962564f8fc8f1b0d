package ui

import (
	"context"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"simdeck/sim"
	"simdeck/ui/canvas"
	"simdeck/ui/dialog"
	"simdeck/ui/keymap"
	"simdeck/ui/pane"
	"simdeck/ui/theme"
)

// Fleet is the console of many simulators: a table of all, from which one is
// opened in a console of its own. It is a tea.Model.
type Fleet struct {
	cfg    Config
	fleet  sim.Fleet
	keys   *keymap.Map
	theme  *theme.Theme
	table  pane.Fleet
	help   *dialog.Page // nil: not open
	typing *dialog.Line // nil: no filter is being typed

	w, h    int
	cells   *canvas.CellBuffer
	hits    []hit
	flash   flash
	pending int    // commands that are not answered yet
	opened  string // id of the simulator to look at; empty: leave
	ctx     context.Context
}

var _ tea.Model = (*Fleet)(nil)

// fleetPeriod is the time between looks at the fleet.
const fleetPeriod = 250 * time.Millisecond

// fleetMsg asks for the next look.
type fleetMsg struct{}

// fleetReply is what came of a command to several.
type fleetReply struct {
	done string
	err  error
}

// NewFleet makes a console of a fleet. Of Config it wants no Backend.
func NewFleet(c Config, f sim.Fleet) (*Fleet, error) {
	t, err := theme.NewOn(c.Theme, c.Back == "light")
	if err != nil {
		return nil, fmt.Errorf("ui: %w", err)
	}
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
	m := &Fleet{cfg: c, fleet: f, keys: c.Keymap, theme: t, cells: canvas.NewCellBuffer(0, 0),
		ctx: context.Background()}
	m.cells.ASCII = symbols == canvas.ASCII
	m.look()
	return m, nil
}

// Init asks for the first look.
func (m *Fleet) Init() tea.Cmd { return m.next() }

func (m *Fleet) next() tea.Cmd {
	return tea.Tick(fleetPeriod, func(time.Time) tea.Msg { return fleetMsg{} })
}

// look takes what is known of the fleet.
func (m *Fleet) look() {
	now := m.cfg.Now()
	m.table.Take(m.fleet.Members(), now)
	if m.flash.text != "" && now.After(m.flash.until) {
		m.flash = flash{}
	}
}

// Update takes a message.
func (m *Fleet) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case fleetMsg:
		m.look()
		return m, m.next()
	case fleetReply:
		m.onReply(msg)
	case tea.WindowSizeMsg:
		m.w, m.h = msg.Width, msg.Height
		m.cells.Resize(m.w, m.h)
	case tea.KeyPressMsg:
		return m, m.onKey(msg)
	case tea.MouseClickMsg:
		return m, m.onClick(msg.Mouse())
	case tea.MouseWheelMsg:
		m.onWheel(msg.Mouse())
	case tea.BackgroundColorMsg:
		if auto := m.cfg.Back == "" || m.cfg.Back == "auto"; auto {
			if t, err := theme.NewOn(m.theme.Name, !msg.IsDark()); err == nil {
				m.theme = t
			}
		}
	}
	return m, nil
}

// onReply tells what came of a command.
func (m *Fleet) onReply(r fleetReply) {
	m.pending--
	m.look()
	if r.err != nil {
		m.say(theme.Bad, "%s", r.err)
	} else if m.flash.role != theme.Bad {
		m.say(theme.Good, "%s", r.done)
	}
}

func (m *Fleet) say(role theme.Role, format string, args ...any) {
	m.flash = newFlash(m.cfg.Now(), role, format, args...)
}

// onKey gives a key to the help, to the filter that is being typed, or does its
// action.
func (m *Fleet) onKey(msg tea.KeyPressMsg) tea.Cmd {
	name := msg.String()
	inDialog := dialog.Key{Action: m.keys.Action(keymap.InDialog, name),
		List: m.keys.Action(keymap.OnFleet, name), Name: name, Text: msg.Text}
	switch {
	case m.help != nil:
		if inDialog.List == "fleet.quit" || inDialog.List == "fleet.help" || m.help.Key(inDialog).Close {
			m.help = nil
		}
	case m.typing != nil:
		m.onFilter(inDialog)
	default:
		return m.run(inDialog.List)
	}
	return nil
}

func (m *Fleet) onFilter(k dialog.Key) {
	switch k.Action {
	case dialog.Cancel:
		m.table.SetFilter("")
		m.typing = nil
	case dialog.Accept:
		m.typing = nil
	case dialog.Up:
		m.table.Walk(func(r *pane.Rows) { r.Move(-1) })
	case dialog.Down:
		m.table.Walk(func(r *pane.Rows) { r.Move(1) })
	default:
		if m.typing.Key(k) {
			m.table.SetFilter(m.typing.Text())
		}
	}
}

// run does an action, or says why it cannot be done.
func (m *Fleet) run(id string) tea.Cmd {
	for _, a := range fleetActions() {
		if a.id != id {
			continue
		}
		if why := a.disabledReason(m); why != "" {
			m.say(theme.Warn, "%s: %s", a.title, why)
			return nil
		}
		m.flash = flash{}
		return a.run(m)
	}
	return nil
}
