package ui

import (
	"fmt"
	"io"
)

// Shot writes the frame that a console of width by height cells shows now, as
// an SVG picture.
func Shot(c Config, width, height int, w io.Writer) error {
	m, err := New(c)
	if err != nil {
		return err
	}
	m.resize(width, height)
	m.draw()
	if err := m.grid.SVG(w, m.theme); err != nil {
		return fmt.Errorf("ui: drawing a frame: %w", err)
	}
	return nil
}
