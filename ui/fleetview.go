package ui

import (
	"fmt"
	"image"
	"slices"

	tea "charm.land/bubbletea/v2"

	"simdeck/sim"
	"simdeck/ui/canvas"
	"simdeck/ui/pane"
	"simdeck/ui/theme"
)

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
		all.Clip(0, max(0, m.h/2), m.w,
			fmt.Sprintf("%d×%d is too small; simdeck wants %d×%d", m.w, m.h, minWidth, minHeight), theme.Warn)
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

// drawHeader says what an operator must know of all of them.
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

// drawFooter says what was just done, what is being typed, or the keys.
func (m *Fleet) drawFooter(a canvas.Area) {
	switch {
	case m.typing != nil:
		x := a.Text(1, 0, "/", theme.Key)
		m.typing.Draw(a, x+1, 0, min(40, a.W()/2), true)
		return
	case m.flash.text != "":
		m.flash.draw(a)
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
