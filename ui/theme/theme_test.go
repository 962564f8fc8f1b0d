package theme

import (
	"math"
	"regexp"
	"strings"
	"testing"
)

func TestEveryThemeShowsEveryMeaningWithoutColour(t *testing.T) {
	for _, name := range Names() {
		th, err := New(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, role := range []Role{Chosen, Caret, Cursor} {
			if s := th.Style(role); !s.Reverse {
				t.Errorf("%s: what is chosen is told by colour alone: %+v", name, s)
			}
		}
		for role := range inks {
			if !strings.HasPrefix(th.SGR(role), "\x1b[0") {
				t.Errorf("%s: style role %d does not start from nothing: %q", name, role, th.SGR(role))
			}
		}
	}
}

func TestMonoSendsNoColour(t *testing.T) {
	th, _ := New("mono")
	for role := range inks {
		if regexp.MustCompile(`[;\[](3|4|9|10)[0-9]`).MatchString(th.SGR(role)) {
			t.Errorf("style role %d is %q", role, th.SGR(role))
		}
	}
}

func TestColoursAreWrittenAsTerminalsReadThem(t *testing.T) {
	for want, s := range map[string]Style{
		"\x1b[0m":                   {Fg: None, Bg: None},
		"\x1b[0;1;31m":              {Fg: 1, Bg: None, Bold: true},
		"\x1b[0;2;4;7;92;104m":      {Fg: 10, Bg: 12, Faint: true, Underline: true, Reverse: true},
		"\x1b[0;38;5;214;48;5;232m": {Fg: 214, Bg: 232},
	} {
		if got := s.sequence(); got != want {
			t.Errorf("%+v is %q, want %q", s, got, want)
		}
	}
}

func TestAnUnknownThemeIsAnErrorThatNamesTheOthers(t *testing.T) {
	if _, err := New("pink"); err == nil || !strings.Contains(err.Error(), "contrast") {
		t.Errorf("got %v", err)
	}
}

// luminance of one of the 256 fixed colours (WCAG 2.1, relative luminance).
func luminance(c Colour) float64 {
	level := func(n int) float64 { return [6]float64{0, 95, 135, 175, 215, 255}[n] }
	var rgb [3]float64
	if n := int(c) - 16; n < 216 {
		rgb = [3]float64{level(n / 36), level(n / 6 % 6), level(n % 6)}
	} else {
		v := float64(8 + 10*(n-216))
		rgb = [3]float64{v, v, v}
	}
	sum := 0.0
	for i, v := range rgb {
		if v /= 255; v <= 0.03928 {
			v /= 12.92
		} else {
			v = math.Pow((v+0.055)/1.055, 2.4)
		}
		sum += v * [3]float64{0.2126, 0.7152, 0.0722}[i]
	}
	return sum
}

func TestFixedColoursStandOutFromTheirBackground(t *testing.T) {
	for _, c := range []struct {
		name  string
		light bool
		least float64 // contrast, of 1 to 21
	}{{"safe", false, 4.5}, {"safe", true, 4.5}, {"contrast", true, 7}} {
		th, err := NewOn(c.name, c.light)
		if err != nil {
			t.Fatal(err)
		}
		for i := range inks {
			s := th.Style(i)
			if s.Fg < 16 || i == Placed {
				continue
			}
			back := map[bool]float64{false: 0, true: 1}[c.light]
			a, b := luminance(s.Fg)+0.05, back+0.05
			if ratio := max(a, b) / min(a, b); ratio < c.least {
				t.Errorf("%s on light %v: style role %d has a contrast of %.1f, want %.1f", c.name, c.light,
					i, ratio, c.least)
			}
		}
	}
}
