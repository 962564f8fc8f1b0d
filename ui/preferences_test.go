package ui_test

import (
	"bytes"
	"errors"
	"image/png"
	"strings"
	"testing"

	"simdeck/ui"
	"simdeck/ui/uitest"
)

// drawer is a desk in memory.
type drawer struct {
	symbols map[string]string
	png     []byte
	text    string
	broken  bool
}

func (d *drawer) Symbols(term string) string { return d.symbols[term] }

func (d *drawer) KeepSymbols(term, symbols string) error {
	if d.broken {
		return errors.New("the disk is full")
	}
	d.symbols[term] = symbols
	return nil
}

func (d *drawer) SavePicture(png []byte, text string) (string, error) {
	if d.broken {
		return "", errors.New("the disk is full")
	}
	d.png, d.text = png, text
	return "pictures/room.png", nil
}

func withDesk(t *testing.T, desk *drawer, test func(*uitest.Driver)) {
	set := func(c *ui.Config) { c.Preferences, c.Environ = desk, []string{"TERM=vt340"} }
	uitest.Open(t, uitest.Room(), 120, 40, shipped(t), set, test)
}

func TestAFrameIsSavedAsPictureAndText(t *testing.T) {
	desk := &drawer{symbols: map[string]string{}}
	withDesk(t, desk, func(d *uitest.Driver) {
		d.Press("view.save")
		d.Shows("saved pictures/room.png")
		if img, err := png.Decode(bytes.NewReader(desk.png)); err != nil || img.Bounds().Dx() != 1220 {
			d.T.Errorf("the picture: %v", err)
		}
		if lines := strings.Split(strings.TrimSuffix(desk.text, "\n"), "\n"); len(lines) != 40 || !strings.Contains(desk.text, "burger_1") {
			d.T.Errorf("%d lines of text:\n%s", len(lines), desk.text)
		}
		desk.broken = true
		d.Press("view.save")
		d.Shows("the disk is full")
	})
	open(t, func(d *uitest.Driver) {
		d.Press("view.save")
		d.Shows("there is nowhere to save it")
	})
}

func TestSymbolsAreRememberedByTerminal(t *testing.T) {
	desk := &drawer{symbols: map[string]string{"vt340": "ascii", "xterm": "block"}}
	withDesk(t, desk, func(d *uitest.Driver) {
		if strings.ContainsAny(d.Text(), "┌│⠒") {
			d.T.Errorf("a terminal that wants ASCII gets\n%s", d.Text())
		}
		d.Press("view.symbols")
		if desk.symbols["vt340"] != "braille" || desk.symbols["xterm"] != "block" {
			d.T.Errorf("remembered: %v", desk.symbols)
		}
		desk.broken = true
		d.Press("view.symbols")
		d.Shows("the disk is full")
	})
	asked := func(c *ui.Config) {
		c.Preferences, c.Environ, c.Symbols = &drawer{symbols: map[string]string{"vt340": "ascii"}}, []string{"TERM=vt340"}, "braille"
	}
	uitest.Open(t, uitest.Room(), 120, 40, shipped(t), asked, func(d *uitest.Driver) {
		d.Shows("┌")
	})
}
