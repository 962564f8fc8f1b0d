package ui

import (
	"image"
	"time"

	tea "charm.land/bubbletea/v2"
)

// drag is a press of the mouse that may become more.
type drag struct {
	on     bool // on the map, with the button down
	strip  bool // on the time strip
	at     image.Point
	last   image.Point // of the press before, for double clicks
	lastAt time.Time
}

const doubleClick = 400 * time.Millisecond

// mouse is the state of the mouse: clicks and drags.
type mouse struct {
	m    *Model
	drag drag
	off  bool
}

// onClick routes the press of a button: to the dialog on top, to buttons in frames and lines, else to the
// pane under it.
func (o *mouse) onClick(e tea.Mouse) tea.Cmd {
	if e.Button != tea.MouseLeft {
		return nil
	}
	p := image.Pt(e.X, e.Y)
	o.m.screen.dirty = true
	if d := o.m.dialogs.top(); d != nil {
		if n := len(o.m.screen.boxes); n > 0 && p.In(o.m.screen.boxes[n-1].frame) {
			in := p.Sub(o.m.screen.boxes[n-1].inside.Min)
			return o.m.decide(d.Click(in.X, in.Y))
		}
		return nil
	}
	for _, h := range o.m.screen.hits {
		if p.In(h.rect) {
			return o.m.run(h.action)
		}
	}
	if p.In(o.m.window.layout.strip) {
		o.drag = drag{strip: true, at: p}
		return o.m.timeline.click(p.X)
	}
	for _, s := range o.m.window.layout.slots {
		if p.In(s.rect) {
			return o.clickPane(o.m.window.shown(s), s.inside(), p, e.Mod.Contains(tea.ModCtrl))
		}
	}
	return nil
}

func (o *mouse) clickPane(id paneID, inside image.Rectangle, p image.Point, mark bool) tea.Cmd {
	now := o.m.cfg.Now()
	again := p == o.drag.last && now.Sub(o.drag.lastAt) < doubleClick
	o.drag = drag{last: p, lastAt: now}
	o.m.window.goTo(id)
	if !p.In(inside) {
		return nil
	}
	in := p.Sub(inside.Min)
	if id == mapPane {
		o.drag.on, o.drag.at = true, p
		if name := o.m.world.Click(in.X, in.Y, o.m.view.snap); name != "" {
			o.m.entities.Select(name)
		}
		return nil
	}
	if id == cameraPane {
		o.drag.on, o.drag.at = true, p
		return nil
	}
	if id == entitiesPane && in.Y == 0 {
		o.m.entities.ClickTitle(in.X)
		o.m.entities.Feed(o.m.view.snap)
		return nil
	}
	hit := o.m.list(id).Click(in.Y)
	if id == entitiesPane && o.m.entities.OnFold() {
		o.m.refeedTable()
		return nil
	}
	if hit && mark && id == entitiesPane {
		o.m.entities.Toggle(o.m.entities.Selected())
		return nil
	}
	if hit && again && o.m.disabledReason("list.open") == "" {
		return o.m.run("list.open")
	}
	return nil
}

// onMotion drags the map or the present on the time strip, or goes round what the camera looks at.
func (o *mouse) onMotion(e tea.Mouse) tea.Cmd {
	if len(o.m.dialogs.open) > 0 {
		return nil
	}
	if o.drag.strip && e.X != o.drag.at.X {
		o.drag.at.X = e.X
		return o.m.timeline.click(e.X)
	}
	if !o.drag.on {
		return nil
	}
	if d := image.Pt(e.X, e.Y).Sub(o.drag.at); d != (image.Point{}) {
		if o.m.window.focus == cameraPane {
			o.m.camera.Turn(-0.03*float64(d.X), 0.06*float64(d.Y))
		} else {
			o.m.world.Pan(-d.X, -d.Y)
		}
		o.drag.at, o.m.screen.dirty = image.Pt(e.X, e.Y), true
	}
	return nil
}

// onWheel scrolls what is under the pointer, or zooms the map there.
func (o *mouse) onWheel(e tea.Mouse) {
	rows := 0
	switch e.Button {
	case tea.MouseWheelUp:
		rows = -1
	case tea.MouseWheelDown:
		rows = 1
	default:
		return
	}
	o.m.screen.dirty = true
	if d := o.m.dialogs.top(); d != nil {
		d.Wheel(3 * rows)
		return
	}
	p := image.Pt(e.X, e.Y)
	for _, s := range o.m.window.layout.slots {
		id := o.m.window.shown(s)
		switch in := p.Sub(s.inside().Min); {
		case !p.In(s.inside()):
		case id == cameraPane:
			o.m.camera.Zoom(map[int]float64{-1: 1.15, 1: 1 / 1.15}[rows])
		case id == mapPane:
			o.m.world.ZoomAt(map[int]float64{-1: 1.25, 1: 0.8}[rows], in.X, in.Y)
		default:
			o.m.list(id).Wheel(3 * rows)
		}
	}
}
