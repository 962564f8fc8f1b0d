package dialog

import (
	"slices"
	"strings"

	"simdeck/ui/canvas"
	"simdeck/ui/theme"
)

// Line is a line of text that is being typed.
type Line struct {
	text  []rune
	caret int
	Hint  string // shown while it is empty
}

// limit of what can be typed, in runes: names and expressions are short, and
// a clipboard is not.
const limit = 512

// Text is the typed text.
func (l *Line) Text() string { return string(l.text) }

// Set replaces the text.
func (l *Line) Set(s string) {
	l.text, l.caret = nil, 0
	l.Type(s)
}

// Type inserts a text; what cannot be drawn is left out.
func (l *Line) Type(s string) {
	for _, r := range canvas.Clean(s) {
		if len(l.text) < limit {
			l.text = slices.Insert(l.text, l.caret, r)
			l.caret++
		}
	}
}

// Key edits the line; false when the key means nothing to it.
func (l *Line) Key(k Key) bool {
	switch k.Name {
	case "backspace":
		l.cut(l.caret-1, l.caret)
	case "delete", "ctrl+d":
		l.cut(l.caret, l.caret+1)
	case "left", "ctrl+b":
		l.caret = max(0, l.caret-1)
	case "right", "ctrl+f":
		l.caret = min(len(l.text), l.caret+1)
	case "home", "ctrl+a":
		l.caret = 0
	case "end", "ctrl+e":
		l.caret = len(l.text)
	case "ctrl+u":
		l.cut(0, l.caret)
	case "ctrl+w":
		head := strings.TrimRight(string(l.text[:l.caret]), " ")
		l.cut(len([]rune(head[:strings.LastIndex(head, " ")+1])), l.caret)
	default:
		if k.Text == "" {
			return false
		}
		l.Type(k.Text)
	}
	return true
}

func (l *Line) cut(from, to int) {
	from, to = max(from, 0), min(to, len(l.text))
	if from < to {
		l.text = slices.Delete(l.text, from, to)
		l.caret = from
	}
}

// Draw draws the line in w columns, the end of a long one; the caret shows
// where focused.
func (l *Line) Draw(a canvas.Area, x, y, w int, focused bool) {
	if w <= 0 {
		return
	}
	for i := range w {
		a.Put(x+i, y, ' ', theme.Input)
	}
	if len(l.text) == 0 {
		a.Clip(x, y, w, l.Hint, theme.Dim)
	}
	first, under := 0, 1 // the caret is as wide as what is under it
	if l.caret < len(l.text) {
		under = canvas.Width(l.text[l.caret])
	}
	for first < l.caret && canvas.TextWidth(string(l.text[first:l.caret])) > w-under {
		first++
	}
	at, sub := 0, a.Sub(x, y, w, 1)
	for i := first; i <= len(l.text); i++ {
		r := ' '
		if i < len(l.text) {
			r = l.text[i]
		} else if i == 0 && l.Hint != "" && focused {
			r = []rune(l.Hint)[0]
		}
		switch {
		case focused && i == l.caret:
			at = sub.Put(at, 0, r, theme.Caret)
		case i < len(l.text):
			at = sub.Put(at, 0, r, theme.Input)
		}
	}
}
