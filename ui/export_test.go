package ui

import (
	"simdeck/ui/canvas"
	"simdeck/ui/gamepad"
)

// Title is the word or two that the palette shows of an action.
func (m *Model) Title(id string) string { return m.action(id).title }

// SetPad has another gamepad opened than that of this machine.
func (m *Model) SetPad(open func() (*gamepad.Pad, error)) { m.openPad = open }

// MosaicOn is the division of cells on a terminal with such an environment.
func (p Pictures) MosaicOn(environ []string) (canvas.Mosaic, error) { return p.mosaic(environ) }
