package theme

import (
	"fmt"
	"strconv"
	"strings"
)

// Colour is a terminal colour: 0…15 of the terminal's own palette, 16…255 of
// the fixed one, or None.
type Colour int16

// None is the terminal's default colour.
const None Colour = -1

// Style is the appearance of a role.
type Style struct {
	Fg, Bg                          Colour
	Bold, Faint, Reverse, Underline bool
}

// Theme is a style for every role.
type Theme struct {
	Name   string
	Light  bool // for a light background
	styles [inks]Style
	sgr    [inks]string
}

// Names of the themes: the terminal's own 16 colours, blue and orange for any colour vision, high contrast,
// and no colour.
func Names() []string { return []string{"ansi", "safe", "contrast", "mono"} }

// New makes the theme of a name for a dark background; empty is "ansi".
func New(name string) (*Theme, error) { return NewOn(name, false) }

// NewOn makes the theme of a name for a light or a dark background.
func NewOn(name string, light bool) (*Theme, error) {
	if name == "" {
		name = "ansi"
	}
	t := &Theme{Name: name, Light: light}
	for i := range t.styles {
		t.styles[i] = Style{Fg: None, Bg: None}
	}
	for role, s := range shapes() {
		t.styles[role] = s
	}
	switch name {
	case "ansi":
		t.colour(map[bool]func() map[Role]Style{false: ansiColours, true: ansiOnLight}[light]())
	case "safe":
		t.colour(map[bool]func() map[Role]Style{false: safeColours, true: safeOnLight}[light]())
	case "contrast":
		t.colour(map[bool]func() map[Role]Style{false: contrastColours, true: contrastOnLight}[light]())
	case "mono":
	default:
		return nil, fmt.Errorf("theme %q is not known; there are %s", name, strings.Join(Names(), ", "))
	}
	if name != "mono" { // a picture's number is the colour of its cells
		t.styles[Placed], t.styles[Under] = fg(83), Style{Fg: None, Bg: 16}
	}
	for i, s := range t.styles {
		t.sgr[i] = s.sequence()
	}
	return t, nil
}

// Style is the appearance of a role.
func (t *Theme) Style(i Role) Style {
	if i < inks {
		return t.styles[i]
	}
	return t.styles[Plain]
}

// SGR is the escape sequence that switches to a role from any other.
func (t *Theme) SGR(i Role) string {
	if i < inks {
		return t.sgr[i]
	}
	return t.sgr[Plain]
}

// Blank reports whether a space in a role looks like one in any other such role.
func (t *Theme) Blank(i Role) bool {
	s := t.Style(i)
	return i != Placed && i != Under && i != Picture && s.Bg == None && !s.Reverse && !s.Underline
}

func (t *Theme) colour(c map[Role]Style) {
	for role, s := range c {
		s.Bold = s.Bold || t.styles[role].Bold
		s.Faint = s.Faint || t.styles[role].Faint
		s.Reverse = s.Reverse || t.styles[role].Reverse
		s.Underline = s.Underline || t.styles[role].Underline
		t.styles[role] = s
	}
}

func (s Style) sequence() string {
	b := []byte("\x1b[0")
	for _, a := range []struct {
		on   bool
		code int
	}{{s.Bold, 1}, {s.Faint, 2}, {s.Underline, 4}, {s.Reverse, 7}} {
		if a.on {
			b = strconv.AppendInt(append(b, ';'), int64(a.code), 10)
		}
	}
	b = appendColour(b, s.Fg, 30, 90, 38)
	b = appendColour(b, s.Bg, 40, 100, 48)
	return string(append(b, 'm'))
}

func appendColour(b []byte, c Colour, low, high, extended int) []byte {
	switch {
	case c < 0:
		return b
	case c < 8:
		return strconv.AppendInt(append(b, ';'), int64(low+int(c)), 10)
	case c < 16:
		return strconv.AppendInt(append(b, ';'), int64(high+int(c)-8), 10)
	}
	b = strconv.AppendInt(append(b, ';'), int64(extended), 10)
	b = append(b, ";5;"...)
	return strconv.AppendInt(b, int64(c), 10)
}
