package ui

import (
	"image"
	"time"

	tea "charm.land/bubbletea/v2"
)

// drag is a press of the mouse that may become more.
type drag struct {
	on     bool // on the map, with the button down
	at     image.Point
	last   image.Point // of the press before, for double clicks
	lastAt time.Time
}

const doubleClick = 400 * time.Millisecond

// onClick routes a press of a button: to the dialog on top, to what can be
// pressed in frames and lines, else to the pane under it.
func (m *Model) onClick(e tea.Mouse) tea.Cmd {
	if e.Button != tea.MouseLeft {
		return nil
	}
	p := image.Pt(e.X, e.Y)
	m.dirty = true
	if d := m.top(); d != nil {
		if n := len(m.boxes); n > 0 && p.In(m.boxes[n-1].frame) {
			in := p.Sub(m.boxes[n-1].inside.Min)
			return m.decide(d.Click(in.X, in.Y))
		}
		return nil
	}
	for _, h := range m.hits {
		if p.In(h.rect) {
			return m.run(h.action)
		}
	}
	for _, s := range m.layout.slots {
		if p.In(s.rect) {
			return m.clickPane(m.shown(s), s.inside(), p, e.Mod.Contains(tea.ModCtrl))
		}
	}
	return nil
}

func (m *Model) clickPane(id paneID, inside image.Rectangle, p image.Point, mark bool) tea.Cmd {
	now := m.cfg.Now()
	again := p == m.drag.last && now.Sub(m.drag.lastAt) < doubleClick
	m.drag = drag{last: p, lastAt: now}
	m.goTo(id)
	if !p.In(inside) {
		return nil
	}
	in := p.Sub(inside.Min)
	if id == mapPane {
		m.drag.on, m.drag.at = true, p
		if name := m.world.Click(in.X, in.Y, m.snap); name != "" {
			m.entities.Select(name)
		}
		return nil
	}
	if id == cameraPane {
		m.drag.on, m.drag.at = true, p
		return nil
	}
	if id == entitiesPane && in.Y == 0 {
		m.entities.ClickTitle(in.X)
		m.entities.Feed(m.snap)
		return nil
	}
	hit := m.list(id).Click(in.Y)
	if hit && mark && id == entitiesPane {
		m.entities.Toggle(m.entities.Selected())
		return nil
	}
	if hit && again && m.disabledReason("list.open") == "" {
		return m.run("list.open")
	}
	return nil
}

// onMotion drags the map, or goes round what the camera looks at.
func (m *Model) onMotion(e tea.Mouse) {
	if !m.drag.on || len(m.dialogs) > 0 {
		return
	}
	if d := image.Pt(e.X, e.Y).Sub(m.drag.at); d != (image.Point{}) {
		if m.focus == cameraPane {
			m.camera.Turn(-0.03*float64(d.X), 0.06*float64(d.Y))
		} else {
			m.world.Pan(-d.X, -d.Y)
		}
		m.drag.at, m.dirty = image.Pt(e.X, e.Y), true
	}
}

// onWheel scrolls what is under the pointer, or zooms the map there.
func (m *Model) onWheel(e tea.Mouse) {
	rows := 0
	switch e.Button {
	case tea.MouseWheelUp:
		rows = -1
	case tea.MouseWheelDown:
		rows = 1
	default:
		return
	}
	m.dirty = true
	if d := m.top(); d != nil {
		d.Wheel(3 * rows)
		return
	}
	p := image.Pt(e.X, e.Y)
	for _, s := range m.layout.slots {
		id := m.shown(s)
		switch in := p.Sub(s.inside().Min); {
		case !p.In(s.inside()):
		case id == cameraPane:
			m.camera.Zoom(map[int]float64{-1: 1.15, 1: 1 / 1.15}[rows])
		case id == mapPane:
			m.world.ZoomAt(map[int]float64{-1: 1.25, 1: 0.8}[rows], in.X, in.Y)
		default:
			m.list(id).Wheel(3 * rows)
		}
	}
}
