package theme

import (
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
		for _, ink := range []Ink{Chosen, Caret, Cursor} {
			if s := th.Style(ink); !s.Reverse {
				t.Errorf("%s: what is chosen is told by colour alone: %+v", name, s)
			}
		}
		for ink := range inks {
			if !strings.HasPrefix(th.SGR(ink), "\x1b[0") {
				t.Errorf("%s: ink %d does not start from nothing: %q", name, ink, th.SGR(ink))
			}
		}
	}
}

func TestMonoSendsNoColour(t *testing.T) {
	th, _ := New("mono")
	for ink := range inks {
		if regexp.MustCompile(`[;\[](3|4|9|10)[0-9]`).MatchString(th.SGR(ink)) {
			t.Errorf("ink %d is %q", ink, th.SGR(ink))
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
