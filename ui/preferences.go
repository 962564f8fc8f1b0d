package ui

import (
	"bytes"
	"cmp"
	"maps"
	"os"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"simdeck/ui/canvas"
	"simdeck/ui/dialog"
	"simdeck/ui/theme"
)

// Preferences is the store of a console's choices and pictures, on the machine that it runs
// on. It is safe from any goroutine.
type Preferences interface {
	// Symbols is the last choice on terminals of a TERM; empty: none.
	Symbols(term string) string
	KeepSymbols(term, symbols string) error
	// Layouts are the arrangements of panes that were saved, by name.
	Layouts() map[string]string
	KeepLayout(name, layout string) error
	// SavePicture writes a frame as PNG and as text, and says where.
	SavePicture(png []byte, text string) (path string, err error)
}

// savedMsg is the path of a frame that was written.
type savedMsg struct {
	path string
	err  error
}

func needsPreferences(m *Model) string {
	switch {
	case m.cfg.Preferences == nil && m.cfg.ReadOnly, m.cfg.Viewer != nil && m.cfg.Viewer():
		return m.cfg.readOnlyReason()
	case m.cfg.Preferences == nil:
		return "this console has no folder for screenshots"
	}
	return ""
}

// savePicture writes the frame as it is shown, with a camera's picture in
// blocks: what a terminal was given besides is not in the cells.
func (m *Model) savePicture() tea.Cmd {
	may := m.pics.may
	m.pics.may = false
	m.screen.draw()
	m.pics.may, m.screen.dirty = may, true
	cells, look, preferences := m.screen.cells.Clone(), m.screen.theme, m.cfg.Preferences
	_ = m.say(theme.Good, "Saving the screenshot …")
	return guarded(func() tea.Msg {
		var png bytes.Buffer
		err := cells.PNG(&png, look)
		path := ""
		if err == nil {
			path, err = preferences.SavePicture(png.Bytes(), cells.Plain()+"\n")
		}
		return savedMsg{path, err}
	})
}

func (m *Model) onSaved(msg savedMsg) tea.Cmd {
	if msg.err != nil {
		return m.say(theme.Bad, "%s", msg.err)
	}
	return m.say(theme.Good, "Screenshot saved: %s", m.place(msg.path))
}

// openLayouts offers the arrangements of panes.
func (m *Model) openLayouts() tea.Cmd {
	var all []dialog.Layout
	for _, s := range styles {
		all = append(all, dialog.Layout{Name: string(s.name), Detail: s.detail})
	}
	own := savedLayouts(m)
	for _, name := range slices.Sorted(maps.Keys(own)) {
		all = append(all, dialog.Layout{Name: name, Detail: "saved", Own: true})
	}
	return m.dialogs.push(dialog.NewLayouts(all, needsPreferences(m) == ""))
}

// savedLayouts are the arrangements of this operator.
func savedLayouts(m *Model) map[string]string {
	if m.cfg.Preferences == nil {
		return nil
	}
	return m.cfg.Preferences.Layouts()
}

// words are the arrangement of now: its style, and the panes from the one that was longest not in
// focus to the one that is.
func (win *window) words() string {
	all := []string{cmp.Or(string(win.style), string(styles[0].name))}
	order := make([]paneID, paneCount)
	for p := range order {
		order[p] = paneID(p)
	}
	slices.SortStableFunc(order, func(a, b paneID) int { return cmp.Compare(win.recent[a], win.recent[b]) })
	for _, p := range order {
		if win.recent[p] > 0 {
			all = append(all, strings.ToLower(p.String()))
		}
	}
	return strings.Join(all, " ")
}

// take arranges the panes as words say. Unknown words are skipped.
func (win *window) take(words string) {
	all := strings.Fields(words)
	if len(all) == 0 {
		return
	}
	win.style, win.zoomed, win.recent = style(all[0]), false, [paneCount]int{}
	for _, word := range all[1:] {
		for p := range paneCount {
			if strings.EqualFold(word, p.String()) {
				win.goTo(p)
			}
		}
	}
	if len(all) == 1 {
		main, _ := win.style.pane()
		win.goTo(main) // the table's, where none has more room
	}
	win.arrange()
}

// showLayout shows a layout by its name.
func (m *Model) showLayout(name string) tea.Cmd {
	words := name
	if own, ok := savedLayouts(m)[name]; ok {
		words = own
	}
	m.window.take(words)
	return m.say(theme.Good, "Layout: %s", name)
}

// keepLayout saves the layout of now.
func (m *Model) keepLayout(name string) tea.Cmd {
	preferences, words := m.cfg.Preferences, m.window.words()
	_ = m.say(theme.Good, "Layout saved: %s", name)
	return guarded(func() tea.Msg {
		if err := preferences.KeepLayout(name, words); err != nil {
			return savedMsg{err: err}
		}
		return nil
	})
}

// place is a path on this machine. To an operator by SSH it has the machine's name before it, as scp takes
// it.
func (m *Model) place(path string) string {
	host, err := os.Hostname()
	if lookup(m.cfg.Environ, "SSH_TTY") == "" || err != nil {
		return path
	}
	return host + ":" + path
}

// nextSymbols changes what the map is drawn with, for this kind of terminal
// from now on.
func (m *Model) nextSymbols() tea.Cmd {
	m.screen.symbols = (m.screen.symbols + 1) % (canvas.ASCII + 1)
	said := m.say(theme.Good, "Symbols: %s", m.screen.symbols)
	if preferences := m.cfg.Preferences; preferences != nil {
		term, name := lookup(m.cfg.Environ, "TERM"), m.screen.symbols.String()
		return guarded(func() tea.Msg {
			if err := preferences.KeepSymbols(term, name); err != nil {
				return savedMsg{err: err}
			}
			return nil
		})
	}
	return said
}

// remembered are the symbols to begin with, where no others are asked for.
func remembered(c *Config) {
	term := lookup(c.Environ, "TERM")
	if c.Symbols == "" && c.Preferences != nil {
		name := c.Preferences.Symbols(term)
		if _, err := canvas.ParseSymbols(name); err == nil {
			c.Symbols = name
		}
	}
	if c.Symbols == "" && term == "linux" { // the kernel's console, whose fonts have no braille
		c.Symbols = canvas.Block.String()
	}
}
