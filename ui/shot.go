package ui

import (
	"fmt"
	"io"
)

// Shot writes the frame that a console of width by height cells shows after
// some actions: as a picture, "svg" or "png", as "txt" or, with its colours, as "ansi".
// Actions that wait for an answer show none.
func Shot(c Config, width, height int, actions []string, format string, w io.Writer) error {
	m, err := New(c)
	if err != nil {
		return err
	}
	m.resize(width, height)
	for _, id := range actions {
		if why := m.disabledReason(id); why != "" {
			return fmt.Errorf("ui: %s: %s; simdeck keys lists the actions", id, why)
		}
		m.run(id)
	}
	m.draw()
	switch format {
	case "txt":
		_, err = fmt.Fprintln(w, m.grid.Plain())
	case "png":
		err = m.grid.PNG(w, m.theme)
	case "ansi":
		_, err = fmt.Fprintln(w, m.grid.Styled(m.theme))
	default:
		err = m.grid.SVG(w, m.theme)
	}
	if err != nil {
		return fmt.Errorf("ui: drawing a frame: %w", err)
	}
	return nil
}
