package ui

import (
	"fmt"
	"image"

	"simdeck/sim"
	"simdeck/ui/canvas"
	"simdeck/ui/dialog"
	"simdeck/ui/keymap"
	"simdeck/ui/pane"
	"simdeck/ui/theme"
)

// drawFooter draws the bottom line: the last message, the text being typed, the progress of loading, or the
// keys that apply here. Each key can be clicked.
func (sc *screen) drawFooter(a canvas.Area) {
	c := sc.m.context()
	switch {
	case sc.m.keyboard.typing != nil:
		x := a.Text(1, 0, "/", theme.Key)
		x += 1
		sc.m.keyboard.typing.Draw(a, x, 0, min(40, a.W()/2), true)
		sc.drawKeys(a.Sub(min(40, a.W()/2)+x+1, 0, a.W(), 1), []string{dialog.Accept, dialog.Cancel}, false)
		return
	case sc.flash.text != "" && (sc.flash.role == theme.Bad || !sc.loads()):
		sc.flash.draw(sc.cells.All())
		return
	case sc.loads():
		text := sc.m.view.snap.Loading.String() + " "
		x := a.Clip(1, 0, min(canvas.TextWidth(text), a.W()-16), text, theme.Warn)
		sc.drawKeys(a.Sub(x, 0, a.W()-x, 1), footerKeys(c, sc.m.window.focus), true)
		return
	case c == keymap.Controlling:
		text := sc.m.typed.text()
		x := a.Clip(1, 0, min(canvas.TextWidth(text), a.W()-16), text, theme.Warn)
		sc.drawKeys(a.Sub(x, 0, a.W()-x, 1), footerKeys(c, sc.m.window.focus), false)
		return
	case c == keymap.Driving:
		d := &sc.m.drive
		text := fmt.Sprintf("DRIVE %s  %s m/s  %s rad/s ", canvas.Clean(d.name), pane.Number(d.target[ahead], 2),
			pane.Number(d.target[turning], 2))
		x := a.Clip(1, 0, min(canvas.TextWidth(text), a.W()-16), text, theme.Warn)
		sc.drawKeys(a.Sub(x, 0, a.W()-x, 1), footerKeys(c, sc.m.window.focus), false)
		return
	}
	if d := sc.m.dialogs.top(); d != nil {
		sc.drawKeys(a, append([]string{dialog.Accept, dialog.Cancel}, d.Hints()...), false)
		return
	}
	sc.drawKeys(a, footerKeys(c, sc.m.window.focus), true)
}

// loads reports that a command reads a world or model now.
func (sc *screen) loads() bool { return sc.m.view.snap.Loading != sim.Loading{} }

// drawKeys draws as many as there is room for; help, where it is asked for,
// always has its place at the right.
func (sc *screen) drawKeys(a canvas.Area, ids []string, help bool) {
	end := a.W()
	if help {
		end -= sc.button(a, end, "app.help", true) + 3
	}
	x := 1
	for _, id := range ids {
		if sc.m.disabledReason(id) != "" {
			continue
		}
		n := canvas.TextWidth(sc.label(id))
		if n == 0 {
			continue
		}
		if x+n > end {
			break
		}
		sc.button(a, x, id, false)
		x += n + 2
	}
}

// label is a key and its action as the footer writes them; empty when the
// action has no key.
func (sc *screen) label(id string) string {
	key := sc.m.keys.Key(id)
	if key == "" {
		return ""
	}
	return key + " " + sc.m.action(id).title
}

// button draws a key and its action from x on, or ending before x, and makes
// it a place to click. It returns its width.
func (sc *screen) button(a canvas.Area, x int, id string, left bool) int {
	n := canvas.TextWidth(sc.label(id))
	if left {
		x -= n + 1
	}
	end := a.Text(x, 0, sc.m.keys.Key(id), theme.Key)
	a.Text(end+1, 0, sc.m.action(id).title, theme.Footer)
	sc.hits = append(sc.hits, hit{image.Rect(x, 0, x+n, 1).Add(a.Rect().Min), id})
	return n
}

// footerKeys are the actions that the footer shows, the most wanted first.
func footerKeys(c keymap.Context, focus paneID) []string {
	switch c {
	case keymap.Controlling:
		return []string{"keys.leave"}
	case keymap.Driving:
		return []string{"drive.stop", "drive.leave", "drive.forward", "drive.back", "drive.left",
			"drive.right", "drive.up", "drive.down", "drive.aside_left", "drive.aside_right", "drive.faster",
			"drive.slower", "drive.gamepad"}
	case keymap.OnMap:
		return []string{
			"app.back", "sim.toggle", "sim.step", "entity.spawn", "map.zoom_in", "map.zoom_out", "map.fit",
			"map.measure", "entity.drive", "entity.keys",
			"entity.follow", "entity.delete", "map.select", "view.next", "app.palette", "sim.reset",
			"app.quit",
		}
	case keymap.OnCamera:
		return []string{
			"app.back", "sim.toggle", "sim.step", "camera.next", "camera.sight", "camera.zoom_in",
			"camera.zoom_out", "camera.fit", "camera.centre",
			"entity.follow", "entity.drive", "entity.keys",
			"view.next", "view.zoom", "app.palette", "app.quit",
		}
	}
	switch focus {
	case entitiesPane:
		return []string{
			"app.back", "sim.toggle", "sim.step", "entity.spawn", "entity.delete", "entity.drive",
			"entity.keys", "list.filter", "view.next", "list.mark",
			"sim.reset", "entity.goto", "entity.follow", "list.sort_next", "view.zoom", "app.palette",
			"app.quit",
		}
	case posesPane:
		return []string{"app.back", "sim.toggle", "sim.step", "list.open", "entity.spawn", "list.filter",
			"entity.goto", "view.next", "app.palette", "app.quit"}
	}
	return []string{"app.back", "sim.toggle", "sim.step", "list.filter", "list.open", "view.next",
		"view.zoom", "entity.spawn", "sim.reset", "app.palette", "app.quit"}
}
