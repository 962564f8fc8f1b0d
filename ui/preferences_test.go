package ui_test

import (
	"bytes"
	"errors"
	"image/png"
	"os"
	"strings"
	"testing"
	"time"

	"simdeck/ui"
	"simdeck/ui/uitest"
)

// drawer is Preferences in memory.
type drawer struct {
	symbols map[string]string
	layouts map[string]string
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

func (d *drawer) Layouts() map[string]string { return d.layouts }

func (d *drawer) KeepLayout(name, layout string) error {
	if d.broken {
		return errors.New("the disk is full")
	}
	d.layouts[name] = layout
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

func TestFilesOnTheServerAreNamedWithItForOperatorsBySSH(t *testing.T) {
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	set := func(c *ui.Config) {
		c.Preferences = &drawer{symbols: map[string]string{}}
		c.Environ = []string{"TERM=xterm", "SSH_TTY=simdeck"}
		c.Capabilities.Recorder = &tape{}
	}
	uitest.Open(t, uitest.Room(), 120, 40, shipped(t), set, func(d *uitest.Driver) {
		d.Press("view.save")
		d.Shows("Screenshot saved: " + host + ":pictures/room.png")
		d.Press("sim.record", "dialog.accept")
		d.Shows("Recording to " + host + ":/rec/room")
		d.Press("sim.record")
		d.Shows("Recording saved: " + host + ":/rec/room")
	})
}

func TestALayoutIsChosenSavedAndShownAgain(t *testing.T) {
	preferences := &drawer{layouts: map[string]string{}}
	withDesk(t, preferences, func(d *uitest.Driver) {
		standard := d.Text()
		d.Press("view.layout")
		d.Shows("Layout", "standard", "the camera large")
		d.Type("charts")
		d.Press("dialog.accept")
		d.Shows("Layout: charts", "9 Charts")
		if d.Text() == standard {
			d.T.Error("nothing changed")
		}
		d.Press("view.poses", "view.layout")
		d.Type("night shift")
		d.Shows("Save")
		d.Press("dialog.accept")
		d.Shows("Layout saved: night shift")
		if got := preferences.layouts["night shift"]; got != "charts charts poses" {
			d.T.Errorf("kept %q", got)
		}
		d.Wait(4 * time.Second)
		saved := d.Text()
		d.Press("view.layout")
		d.Type("standard")
		d.Press("dialog.accept")
		d.Wait(4 * time.Second)
		d.Press("view.layout")
		d.Type("night")
		d.Press("dialog.accept")
		d.Shows("Layout: night shift")
		d.Wait(4 * time.Second)
		for _, tab := range []string{"9 Charts", "4 Poses", "dock"} {
			if !strings.Contains(saved, tab) || !strings.Contains(d.Text(), tab) {
				d.T.Errorf("%q is not in\n%s", tab, d.Text())
			}
		}
		preferences.broken = true
		d.Press("view.layout")
		d.Type("another")
		d.Press("dialog.accept")
		d.Shows("the disk is full")
	})
}

func TestAViewerChoosesLayoutsAndSavesNone(t *testing.T) {
	viewer := func(c *ui.Config) { c.ReadOnly = true }
	uitest.Open(t, uitest.Room(), 120, 40, shipped(t), viewer, func(d *uitest.Driver) {
		d.Press("view.layout")
		d.Type("mine")
		d.Hides("[ Save ]")
		d.Press("dialog.cancel", "view.layout")
		d.Type("map")
		d.Press("dialog.accept")
		d.Shows("Layout: map")
	})
}
