package ui

import (
	"fmt"
	"io"
)

// Shot writes the frame that a console of width by height cells shows after
// some actions, as an SVG picture. Actions that wait for an answer show none.
func Shot(c Config, width, height int, actions []string, w io.Writer) error {
	m, err := New(c)
	if err != nil {
		return err
	}
	m.resize(width, height)
	for _, id := range actions {
		if why := m.why(id); why != "" {
			return fmt.Errorf("ui: %s: %s; simdeck keys lists the actions", id, why)
		}
		m.run(id)
	}
	m.draw()
	if err := m.grid.SVG(w, m.theme); err != nil {
		return fmt.Errorf("ui: drawing a frame: %w", err)
	}
	return nil
}
