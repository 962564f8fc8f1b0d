package ui

import (
	"bytes"

	tea "charm.land/bubbletea/v2"

	"simdeck/ui/canvas"
	"simdeck/ui/theme"
)

// Preferences is the store of a console's choices and pictures, on the machine that it runs
// on. It is safe from any goroutine.
type Preferences interface {
	// Symbols is the last choice on terminals of a TERM; empty: none.
	Symbols(term string) string
	KeepSymbols(term, symbols string) error
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
	return m.say(theme.Good, "Screenshot saved: %s", msg.path)
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

// remembered are the symbols to begin with, where nobody asks for any.
func remembered(c *Config) {
	if c.Symbols != "" || c.Preferences == nil {
		return
	}
	name := c.Preferences.Symbols(lookup(c.Environ, "TERM"))
	if _, err := canvas.ParseSymbols(name); err == nil {
		c.Symbols = name
	}
}
