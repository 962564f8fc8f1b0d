package dialog

import (
	"strings"
	"testing"

	"simdeck/ui/canvas"
	"simdeck/ui/theme"
)

func typed(l *Line, keys ...string) string {
	for _, k := range keys {
		if len([]rune(k)) == 1 {
			l.Key(Key{Name: k, Text: k})
		} else {
			l.Key(Key{Name: k})
		}
	}
	return l.Text()
}

func TestALineIsEditedAsShellsDo(t *testing.T) {
	for _, c := range []struct {
		start string
		keys  []string
		want  string
	}{
		{"", []string{"a", "b", "left", "c"}, "acb"},
		{"abc", []string{"backspace", "home", "delete"}, "b"},
		{"abc", []string{"home", "backspace", "end", "delete", "x"}, "abcx"},
		{"one two  ", []string{"ctrl+w"}, "one "},
		{"one two", []string{"ctrl+w", "ctrl+w", "ctrl+w", "z"}, "z"},
		{"abcdef", []string{"left", "left", "ctrl+u"}, "ef"},
		{"字é", []string{"left", "backspace"}, "é"},
	} {
		var l Line
		l.Set(c.start)
		if got := typed(&l, c.keys...); got != c.want {
			t.Errorf("%q with %v is %q, want %q", c.start, c.keys, got, c.want)
		}
	}
	var l Line
	if l.Key(Key{Name: "f5"}) {
		t.Error("f5 edits a line")
	}
}

func TestALineTakesNoMoreThanItsLimitAndNothingThatIsNotDrawn(t *testing.T) {
	var l Line
	l.Type("a\x1b[31m\x00b\u202e" + strings.Repeat("x", 10*limit))
	if n := len([]rune(l.Text())); n != limit || !strings.HasPrefix(l.Text(), "a[31mb") {
		t.Errorf("%d runes: %.20q", n, l.Text())
	}
}

func TestTheCaretIsAlwaysInSight(t *testing.T) {
	var l Line
	l.Set("abcdefghij字字字字klmnop")
	for range 20 {
		g := canvas.NewCellBuffer(8, 1)
		l.Draw(g.All(), 0, 0, 8, true)
		found := false
		for x := range 8 {
			found = found || g.At(x, 0).Role == theme.Caret
		}
		if !found {
			t.Fatalf("caret at %d is not in %q", l.caret, g.Plain())
		}
		l.Key(Key{Name: "left"})
	}
}
