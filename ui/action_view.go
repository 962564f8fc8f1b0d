package ui

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"simdeck/sim"
	"simdeck/ui/dialog"
	"simdeck/ui/keymap"
	"simdeck/ui/theme"
)

// paneActions go to panes.
func paneActions() []action {
	to := func(p paneID, tip string) action {
		return action{id: p.action(), title: p.String(), tip: tip,
			run: simple(func(m *Model) { m.window.goTo(p) })}
	}
	return []action{
		to(entitiesPane, "go to the entities"),
		to(mapPane, "go to the map"),
		to(detailPane, "go to the detail of the selected entity"),
		to(posesPane, "go to the named poses"),
		to(statePane, "go to the state of the simulation"),
		to(logPane, "go to the log"),
		to(notesPane, "go to the notes on loading: missing, unsupported, assumed"),
		to(cameraPane, "go to the camera: the world in 3D, or a robot's camera"),
		to(chartsPane, "go to the charts of the selected entity"),
		to(graphPane, "go to the nodes, topics and services of the ROS graph"),
		{id: "view.next", title: "next pane", tip: "go to the next pane",
			run: simple(func(m *Model) { m.window.goTo((m.window.focus + 1) % paneCount) })},
		{id: "view.prev", title: "previous pane", tip: "go to the previous pane",
			run: simple(func(m *Model) { m.window.goTo((m.window.focus + paneCount - 1) % paneCount) })},
	}
}

// viewActions change how things are shown, and no more.
func viewActions() []action {
	return []action{
		{id: "view.zoom", title: "zoom", tip: "maximize or restore this pane",
			run: simple(func(m *Model) {
				m.window.zoomed = !m.window.zoomed
				m.window.resize(m.window.w, m.window.h)
			})},
		{id: "view.layout", title: "layout", tip: "choose an arrangement of the panes, or save this one",
			run: (*Model).openLayouts},
		{id: "view.freeze", title: "freeze", tip: "freeze the display; the simulation continues",
			run: func(m *Model) tea.Cmd {
				m.view.frozen = !m.view.frozen
				m.view.look()
				if m.view.frozen {
					return m.say(theme.Good, "Display: frozen; the simulation continues")
				}
				return m.say(theme.Good, "Display: live")
			}},
		{id: "view.mouse", title: "mouse", tip: "switch the mouse between simdeck and the terminal",
			run: func(m *Model) tea.Cmd {
				m.mouse.off = !m.mouse.off
				if m.mouse.off {
					return m.say(theme.Good, "Mouse: the terminal selects text")
				}
				return m.say(theme.Good, "Mouse: simdeck")
			}},
		{id: "view.theme", title: "theme", tip: "switch to the next colour theme", run: func(m *Model) tea.Cmd {
			names := theme.Names()
			t, err := theme.NewOn(names[(slices.Index(names, m.screen.theme.Name)+1)%len(names)],
				m.screen.theme.Light)
			if err != nil {
				return m.say(theme.Bad, "%s", err)
			}
			m.screen.theme = t
			return m.say(theme.Good, "Theme: %s", t.Name)
		}},
		{id: "view.symbols", title: "symbols", tip: "switch the symbols of the map: braille, block, ascii",
			run: (*Model).nextSymbols},
		{id: "view.save", title: "screenshot", tip: "save a screenshot as a picture and as text",
			disabled: needsPreferences, run: (*Model).savePicture},
		{id: "app.help", title: "help", tip: "show the keys and actions of this pane",
			run: func(m *Model) tea.Cmd {
				return m.dialogs.push(dialog.NewPage("Help", m.help()))
			}},
		{id: "app.palette", title: "palette", tip: "find an action by name and run it",
			run: (*Model).openPalette},
		{id: "app.tour", title: "tour", tip: "begin the tour of the console, or go to its next step",
			run: simple(func(m *Model) { m.tour.Next() })},
		{id: "app.back", title: "clear",
			tip:      "clear pending steps, the filter, the measurement, marks, zoom, freeze, the tour, follow",
			silent:   true,
			disabled: (*Model).nothingBack, run: (*Model).back},
		{id: "app.suspend", title: "suspend", tip: "suspend simdeck and its simulation; fg continues them",
			disabled: func(m *Model) string {
				if m.cfg.Input != nil {
					return "this console is no job of a shell"
				}
				return ""
			}, run: func(*Model) tea.Cmd { return tea.Suspend }},
		{id: "app.quit", title: "quit", tip: "quit simdeck", run: (*Model).leave},
	}
}

func (m *Model) nothingBack() string {
	if m.requests.stepping || m.filtered() || m.selection().marked() || m.measuring() || m.window.zoomed ||
		m.view.frozen || m.tour.On() || m.world.Follow != "" {
		return ""
	}
	return "nothing to clear"
}

func (m *Model) filtered() bool {
	l := m.list(m.window.focus)
	return l != nil && l.Filter() != nil && l.Filter().Text() != ""
}

func (sel selection) marked() bool { return len(sel.marks) > 0 }

func (m *Model) measuring() bool { return m.window.focus == mapPane && m.world.Measuring() }

// back takes back the last of what narrows the view, and before that steps
// that are not done yet.
func (m *Model) back() tea.Cmd {
	switch {
	case m.requests.stepping && !m.cfg.readOnly():
		return m.requests.send(sim.CancelSteps{}, "")
	case m.filtered():
		m.list(m.window.focus).SetFilter("")
		m.list(m.window.focus).Feed(m.view.snap)
	case m.measuring():
		m.world.EndMeasure()
	case m.selection().marked():
		m.entities.SetMarks()
	case m.window.zoomed:
		m.window.zoomed = false
		m.window.resize(m.window.w, m.window.h)
	case m.view.frozen:
		m.view.frozen = false
		m.view.look()
	case m.tour.On():
		m.tour.End()
	default:
		m.world.Follow = ""
	}
	return nil
}

// help lists the actions of this pane and of everywhere: what can be done,
// and why the rest cannot.
func (m *Model) help() []dialog.PageLine {
	here, more := m.context(), synonyms()
	var lines []dialog.PageLine
	for _, c := range []keymap.Context{here, keymap.Everywhere} {
		heading := map[keymap.Context]string{
			keymap.InList: "In " + m.window.focus.String(), keymap.OnMap: "On the map",
			keymap.OnCamera: "In the camera", keymap.Driving: "Driving",
			keymap.Controlling: "Keys to controllers", keymap.Everywhere: "Everywhere",
		}[c]
		lines = append(lines, dialog.PageLine{Text: heading, Head: true})
		for _, b := range m.keys.Bindings() {
			if b.Context != c {
				continue
			}
			l := dialog.PageLine{Left: keymap.DisplayAll(b.Keys), Text: m.action(b.Action).tip,
				Words: m.action(b.Action).title + " " + more[b.Action]}
			if why := m.disabledReason(b.Action); why != "" {
				l.Dim, l.Text = true, l.Text+" (not now: "+why+")"
			}
			lines = append(lines, l)
		}
		lines = append(lines, dialog.PageLine{})
	}
	return append(lines, dialog.PageLine{Text: "Find: / and a word. Mouse: click panes, rows, column titles, tabs and the keys at the bottom; drag and scroll on the map and in the camera."})
}

// openPalette offers every action that has a meaning here.
func (m *Model) openPalette() tea.Cmd {
	here := m.context()
	var ids []string
	var items []dialog.Item
	more := synonyms()
	for _, b := range m.keys.Bindings() {
		if b.Context != keymap.Everywhere && b.Context != here || b.Action == "app.palette" {
			continue
		}
		a := m.action(b.Action)
		ids = append(ids, b.Action)
		items = append(items, dialog.Item{Name: a.title, Detail: a.tip, Key: m.keys.Key(b.Action),
			Words: more[b.Action], Off: m.disabledReason(b.Action)})
	}
	return m.dialogs.push(dialog.NewPalette(ids, items))
}

// pageOf is the whole of a row that may be cut off in its pane.
func pageOf(title string, pairs ...string) *dialog.Page {
	var lines []dialog.PageLine
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			lines = append(lines, dialog.PageLine{Left: pairs[i], Text: fmt.Sprint(pairs[i+1])})
		}
	}
	return dialog.NewPage(title, lines)
}
