package ui

import (
	"fmt"
	"io"
)

// Shot writes the frame that a console of width by height cells shows after
// some actions: as a picture, "svg" or "png", as "txt" or, with its colours, as "ansi".
// Actions that wait for an answer show none.
func Screenshot(c Config, width, height int, actions []string, format string, w io.Writer) error {
	m, err := New(c)
	if err != nil {
		return err
	}
	m.window.resize(width, height)
	for _, id := range actions {
		if why := m.disabledReason(id); why != "" {
			return fmt.Errorf("ui: %s: %s; simdeck keys lists the actions", id, why)
		}
		m.run(id)
	}
	m.screen.draw()
	switch format {
	case "txt":
		_, err = fmt.Fprintln(w, m.screen.cells.Plain())
	case "png":
		err = m.screen.cells.PNG(w, m.screen.theme)
	case "ansi":
		_, err = fmt.Fprintln(w, m.screen.cells.Styled(m.screen.theme))
	default:
		err = m.screen.cells.SVG(w, m.screen.theme)
	}
	if err != nil {
		return fmt.Errorf("ui: drawing a frame: %w", err)
	}
	return nil
}
