package ui

import (
	"context"
	"fmt"
	"image"
	"io"
	"os"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"simdeck/sim"
	"simdeck/ui/canvas"
	"simdeck/ui/dialog"
	"simdeck/ui/escape"
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

// fleetReply is the result of a command to several simulators.
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

// onReply shows the result of a command.
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

// RunFleet shows the table of a fleet until the operator leaves or ctx ends. open shows one simulator in a
// console; the table follows when it returns. Config needs no Backend.
func RunFleet(ctx context.Context, c Config, f sim.Fleet,
	open func(ctx context.Context, id string) error) error {
	if c.Environ == nil {
		c.Environ = os.Environ()
	}
	if c.Plain {
		return tellFleet(ctx, c, f)
	}
	if err := needsTerminal(c, os.Stdin, os.Stdout); err != nil {
		return err
	}
	profile, chosen, err := colours(c)
	if err != nil {
		return err
	}
	c.Theme = chosen
	m, err := NewFleet(c, f)
	if err != nil {
		return err
	}
	m.ctx = ctx
	for {
		rests, err := operate(ctx, m, c, profile, m.keys)
		if err != nil || !rests || m.opened == "" || ctx.Err() != nil {
			return err
		}
		if err := open(ctx, m.opened); err != nil && ctx.Err() == nil {
			m.say(theme.Bad, "%s", err)
		}
		m.opened = ""
		m.look()
	}
}

// tellFleet writes a line for every simulator that comes, goes or changes its
// state or world, until ctx is done.
func tellFleet(ctx context.Context, c Config, f sim.Fleet) error {
	out := c.output()
	told := map[string]string{}
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		for _, m := range f.Members() {
			line := fleetLine(&m)
			if told[m.ID] == line {
				continue
			}
			told[m.ID] = line
			if _, err := io.WriteString(out, line+"\n"); err != nil {
				return fmt.Errorf("console: %w", err)
			}
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

func fleetLine(m *sim.Member) string {
	_, word, _ := pane.Condition(m)
	line := fmt.Sprintf("%s on %s: %s", m.Name, m.Host, word)
	if m.World != "" && !m.Lost {
		line += " in " + m.World
	}
	if m.Entities >= 0 && !m.Lost {
		line += fmt.Sprintf(", %d entities", m.Entities)
	}
	if m.Fault != "" && !m.Lost {
		line += " (" + m.Fault + ")"
	}
	return escape.Line(line)
}

// View is the frame.
func (m *Fleet) View() (v tea.View) {
	m.draw()
	v = tea.NewView(m.cells.Styled(m.theme))
	v.AltScreen, v.WindowTitle, v.MouseMode = true, "simdeck fleet", tea.MouseModeCellMotion
	return v
}

// Text is the frame without colours.
func (m *Fleet) Text() string {
	m.draw()
	return m.cells.Plain()
}

func (m *Fleet) draw() {
	m.cells.Clear()
	m.hits = m.hits[:0]
	all := m.cells.All()
	if m.w < minWidth || m.h < minHeight {
		drawTooSmall(all)
		return
	}
	m.drawHeader(all.Sub(0, 0, m.w, 1))
	frame := all.Sub(0, 1, m.w, m.h-2)
	inside := frame.Frame(theme.Focus)
	frame.Clip(2, 0, 12, " Simulators ", theme.Title)
	shown, count, marked := m.table.Count()
	note := fmt.Sprintf("%d", count)
	if shown != count {
		note = fmt.Sprintf("%d of %d", shown, count)
	}
	if marked > 0 {
		note += fmt.Sprintf("  %d marked", marked)
	}
	frame.Right(m.w-2, 0, " "+note+"  by "+m.table.Sorting()+" ", theme.Dim)
	m.table.Draw(inside)
	m.drawFooter(all.Sub(0, m.h-1, m.w, 1))
	if m.help != nil {
		w, h := m.help.Size()
		w, h = min(w+2, m.w), min(h+2, m.h-2)
		a := all.Sub((m.w-w)/2, (m.h-h)/2, w, h)
		a.Fill(' ', theme.Plain)
		in := a.Frame(theme.Focus)
		a.Clip(2, 0, w-4, " "+m.help.Title()+" ", theme.Title)
		m.help.Draw(in)
	}
}

// drawHeader draws the state of all of them in a line.
func (m *Fleet) drawHeader(a canvas.Area) {
	var playing, silent, lost int
	for _, s := range m.fleet.Members() {
		switch {
		case s.Lost:
			lost++
		case s.Fault != "":
			silent++
		case s.State == sim.Playing:
			playing++
		}
	}
	_, count, _ := m.table.Count()
	parts := []part{
		{text: "fleet", role: theme.Header},
		{label: "simulators", text: fmt.Sprint(count), short: fmt.Sprintf("%d", count), role: theme.Header},
		{label: "playing", text: fmt.Sprint(playing), short: fmt.Sprintf("▶ %d", playing), role: theme.Header,
			drop: 1},
	}
	if silent > 0 {
		parts = append(parts, part{text: fmt.Sprintf("%d SILENT", silent), role: theme.Warn})
	}
	if lost > 0 {
		parts = append(parts, part{text: fmt.Sprintf("%d LOST", lost), role: theme.Bad})
	}
	if m.pending > 0 {
		parts = append(parts, part{text: "…", role: theme.Warn})
	}
	if m.cfg.Capabilities.Connection != nil {
		l := m.cfg.Capabilities.Connection()
		parts = append(parts, part{label: "ros", text: fmt.Sprintf("%d · %s", l.Domain, pane.PeerCount(l)),
			short: fmt.Sprintf("ros %d", l.Domain), role: theme.Header, drop: 3, right: true})
	}
	drawParts(a, squeeze(parts, a.W()))
}

// drawFooter draws the last message, the text being typed, or the keys.
func (m *Fleet) drawFooter(a canvas.Area) {
	switch {
	case m.typing != nil:
		x := a.Text(1, 0, "/", theme.Key)
		m.typing.Draw(a, x+1, 0, min(40, a.W()/2), true)
		return
	case m.flash.text != "":
		m.flash.draw(m.cells.All())
		return
	}
	x, end := 1, a.W()
	actions := fleetActions()
	for _, id := range fleetFooter {
		act := actions[slices.IndexFunc(actions, func(a fleetAction) bool { return a.id == id })]
		key := m.keys.Key(id)
		if key == "" || act.disabledReason(m) != "" {
			continue
		}
		n := canvas.TextWidth(key + " " + act.title)
		if x+n > end {
			break
		}
		at := a.Text(x, 0, key, theme.Key)
		a.Text(at+1, 0, act.title, theme.Footer)
		m.hits = append(m.hits, hit{image.Rect(x, 0, x+n, 1).Add(a.Rect().Min), act.id})
		x += n + 2
	}
}

// fleetFooter are the actions that the footer shows, the most wanted first.
var fleetFooter = []string{"fleet.open", "fleet.toggle", "fleet.mark", "fleet.forget", "fleet.help",
	"fleet.quit", "fleet.filter", "fleet.mark_all", "fleet.sort_next", "fleet.reverse", "fleet.back"}

// onClick selects a row, opens it when it is clicked twice, or presses a key of
// the footer.
func (m *Fleet) onClick(e tea.Mouse) tea.Cmd {
	if e.Button != tea.MouseLeft || m.help != nil {
		m.help = nil
		return nil
	}
	p := image.Pt(e.X, e.Y)
	for _, h := range m.hits {
		if p.In(h.rect) {
			return m.run(h.action)
		}
	}
	was := m.table.Selected()
	hit := false
	m.table.Walk(func(r *pane.Rows) { hit = r.Click(e.Y - 2) })
	if now := m.table.Selected(); hit && was != nil && now.ID == was.ID {
		return m.run("fleet.open")
	}
	return nil
}

func (m *Fleet) onWheel(e tea.Mouse) {
	rows := 3
	if e.Button == tea.MouseWheelUp {
		rows = -3
	}
	if m.help != nil {
		m.help.Wheel(rows)
		return
	}
	m.table.Walk(func(r *pane.Rows) { r.Wheel(rows) })
}
