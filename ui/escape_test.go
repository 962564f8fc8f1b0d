package ui

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"simdeck/sim"
	"simdeck/ui/escape"
)

func TestTheWindowsTitleHoldsNothingThatATerminalTakesAsACommand(t *testing.T) {
	for _, name := range []string{"a\x1b]0;pwned\x07\x1b[2J", "b\x9b31m", "\u009d0;x\u009c", "\u202egnp",
		"\xff\xfe", strings.Repeat("long", 1000)} {
		m := newModel(t, Config{})
		m.view.snap = &sim.Snapshot{Model: &sim.Model{World: sim.WorldInfo{Name: name}}}
		title := m.View().WindowTitle
		if !utf8.ValidString(title) ||
			strings.ContainsFunc(title, func(r rune) bool {
				return unicode.Is(unicode.Cc, r) ||
					unicode.Is(unicode.Cf, r)
			}) {
			t.Errorf("world %q makes the title %q", name, title)
		}
		if n := utf8.RuneCountInString(title); n > 100 {
			t.Errorf("a name of %d bytes makes a title of %d characters", len(name), n)
		}
	}
}

func TestAFleetThatIsToldInLinesHasALinePerSimulator(t *testing.T) {
	s := "x\nok\x1b]52;c;aGFja2Vk\x07\u009b\u202e\xff"
	line := fleetLine(&sim.Member{ID: s, Name: s, Host: s, World: s, Fault: s, Entities: 1})
	if escape.Line(line) != line {
		t.Errorf("the line is %q", line)
	}
}
