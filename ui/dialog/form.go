package dialog

import (
	"fmt"
	"strconv"
	"strings"

	"simdeck/ui/canvas"
	"simdeck/ui/pane"
	"simdeck/ui/theme"
)

// form is a row or more of named fields.
type form struct {
	fields []field
	focus  int // index of the field that is typed in; -1: none
}

type field struct {
	label string
	line  Line
	unit  string
	x, y  int // where it was drawn, for clicks
	w     int
}

func newForm(fields ...field) form { return form{fields: fields, focus: -1} }

// number reads a field; the error says which and what it holds.
func (f *form) number(i int) (float64, error) {
	text := strings.TrimSpace(f.fields[i].line.Text())
	if text == "" {
		return 0, nil
	}
	v, err := strconv.ParseFloat(strings.Replace(text, ",", ".", 1), 64)
	if err != nil || v-v != 0 {
		return 0, fmt.Errorf("%s: %q is not a number", strings.TrimSpace(f.fields[i].label), text)
	}
	return v, nil
}

// numbers reads several fields.
func (f *form) numbers(from, n int) ([]float64, error) {
	out := make([]float64, n)
	for i := range out {
		v, err := f.number(from + i)
		if err != nil {
			return nil, err
		}
		out[i] = v
	}
	return out, nil
}

// step goes to the next or previous field; n more stops lie before the first.
func (f *form) step(by, stops int) {
	n := len(f.fields) + stops
	f.focus = (f.focus+stops+by+n)%n - stops
}

// draw puts fields from…to into a line, each w columns wide.
func (f *form) draw(a canvas.Area, x, y, w, from, to int) {
	for i := from; i < to; i++ {
		d := &f.fields[i]
		x = a.Text(x, y, d.label, theme.Label) + 1
		d.x, d.y, d.w = x, y, w
		d.line.Draw(a, x, y, w, f.focus == i)
		x = a.Text(x+w+1, y, d.unit, theme.Dim) + 2
	}
}

// click goes to the field at a place; false when there is none.
func (f *form) click(x, y int) bool {
	for i := range f.fields {
		if d := &f.fields[i]; y == d.y && x >= d.x-canvas.TextWidth(d.label)-1 && x < d.x+d.w {
			f.focus = i
			return true
		}
	}
	return false
}

// key edits the field in focus; true when it changed its text.
func (f *form) key(k Key) bool {
	if f.focus < 0 || f.focus >= len(f.fields) {
		return false
	}
	before := f.fields[f.focus].line.Text()
	f.fields[f.focus].line.Key(k)
	return f.fields[f.focus].line.Text() != before
}

// answer handles a key in a form with buttons: it moves among the fields, which stand in rows, edits, closes,
// or accepts.
func (f *form) answer(k Key, row int, accept func() Outcome) Outcome {
	rows := (len(f.fields) + row - 1) / row
	switch k.Action {
	case Cancel:
		return Outcome{Close: true}
	case Accept:
		return accept()
	case Next:
		f.step(1, 0)
	case Prev:
		f.step(-1, 0)
	case Up, Down:
		y := (f.focus/row + rows + map[string]int{Up: -1, Down: 1}[k.Action]) % rows
		f.focus = min(y*row+f.focus%row, len(f.fields)-1)
	default:
		f.key(k)
	}
	return Outcome{}
}

// short writes a number without the zeros that say nothing.
func short(v float64) string {
	s := pane.Number(v, 3)
	if strings.Contains(s, ".") && !strings.Contains(s, "e") {
		s = strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
	}
	return s
}
