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

// drawer is Preferences in memory.
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

func withDesk(t *testing.T, preferences *drawer, test func(*uitest.Driver)) {
	set := func(c *ui.Config) { c.Preferences, c.Environ = preferences, []string{"TERM=vt340"} }
	uitest.Open(t, uitest.Room(), 120, 40, shipped(t), set, test)
}

func TestAFrameIsSavedAsPictureAndText(t *testing.T) {
	preferences := &drawer{symbols: map[string]string{}}
	withDesk(t, preferences, func(d *uitest.Driver) {
		d.Press("view.save")
		d.Shows("Screenshot saved: pictures/room.png")
		if img, err := png.Decode(bytes.NewReader(preferences.png)); err != nil || img.Bounds().Dx() != 1220 {
			d.T.Errorf("the picture: %v", err)
		}
		if lines := strings.Split(strings.TrimSuffix(preferences.text, "\n"), "\n"); len(lines) != 40 ||
			!strings.Contains(preferences.text, "burger_1") {
			d.T.Errorf("%d lines of text:\n%s", len(lines), preferences.text)
		}
		preferences.broken = true
		d.Press("view.save")
		d.Shows("the disk is full")
	})
	open(t, func(d *uitest.Driver) {
		d.Press("view.save")
		d.Shows("this console has no folder for screenshots")
	})
}

func TestSymbolsAreRememberedByTerminal(t *testing.T) {
	preferences := &drawer{symbols: map[string]string{"vt340": "ascii", "xterm": "block"}}
	withDesk(t, preferences, func(d *uitest.Driver) {
		if strings.ContainsAny(d.Text(), "┌│⠒") {
			d.T.Errorf("a terminal that wants ASCII gets\n%s", d.Text())
		}
		d.Press("view.symbols")
		if preferences.symbols["vt340"] != "braille" || preferences.symbols["xterm"] != "block" {
			d.T.Errorf("remembered: %v", preferences.symbols)
		}
		preferences.broken = true
		d.Press("view.symbols")
		d.Shows("the disk is full")
	})
	asked := func(c *ui.Config) {
		c.Preferences, c.Environ, c.Symbols = &drawer{symbols: map[string]string{"vt340": "ascii"}},
			[]string{"TERM=vt340"}, "braille"
	}
	uitest.Open(t, uitest.Room(), 120, 40, shipped(t), asked, func(d *uitest.Driver) {
		d.Shows("┌")
	})
}
