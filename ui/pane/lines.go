package pane

import (
	"simdeck/ui/canvas"
	"simdeck/ui/theme"
)

// span is a piece of a line in one role.
type span struct {
	text string
	role theme.Role
}

// lines is a page of text: labels and values.
type lines [][]span

// labelWidth is the column where values start.
const labelWidth = 10

// row adds a line with a label.
func (l *lines) row(label string, values ...span) {
	pad := label
	for canvas.TextWidth(pad) < labelWidth {
		pad += " "
	}
	*l = append(*l, append([]span{{pad, theme.Label}}, values...))
}

// head adds an empty line and a heading.
func (l *lines) head(text string, values ...span) {
	*l = append(*l, nil, append([]span{{text, theme.Title}}, values...))
}

// add adds a line as it is.
func (l *lines) add(values ...span) { *l = append(*l, values) }

// wrapped breaks lines that are longer than w columns; what goes on stands
// under the values.
func (l lines) wrapped(w int) lines {
	out := make(lines, 0, len(l))
	for _, line := range l {
		var now []span
		x := 0
		for _, part := range line {
			n := canvas.TextWidth(part.text)
			if x+n <= w {
				now, x = append(now, part), x+n
				continue
			}
			if x > labelWidth {
				out, now, x = append(out, now), []span{{"          ", theme.Plain}}, labelWidth
			}
			for i, piece := range canvas.Wrap(part.text, max(8, w-x)) {
				if i > 0 {
					out, now = append(out, now), []span{{"          ", theme.Plain}}
				}
				now, x = append(now, span{piece, part.role}), labelWidth+canvas.TextWidth(piece)
			}
		}
		out = append(out, now)
	}
	return out
}

// scroll is a window over lines that are made anew with every picture.
type scroll struct {
	first, count, height int
}

func (s *scroll) draw(a canvas.Area, l lines) {
	l = l.wrapped(a.W() - 2)
	s.count, s.height = len(l), a.H()
	s.Move(0)
	for y := range min(a.H(), len(l)-s.first) {
		x := 1
		for _, part := range l[s.first+y] {
			x = a.Text(x, y, part.text, part.role)
		}
	}
	if s.first+a.H() < len(l) {
		a.Put(a.W()-1, a.H()-1, '↓', theme.Key)
	}
	if s.first > 0 {
		a.Put(a.W()-1, 0, '↑', theme.Key)
	}
}

// Move scrolls that many lines down, or up.
func (s *scroll) Move(rows int) { s.first = max(0, min(s.first+rows, s.count-s.height)) }

// Page scrolls pages down, or up.
func (s *scroll) Page(pages float64) { s.Move(int(pages * float64(s.height))) }

// Top goes to the first line.
func (s *scroll) Top() { s.Move(-s.count) }

// Bottom goes to the last line.
func (s *scroll) Bottom() { s.Move(s.count) }

// Click does nothing: a page has no rows to select.
func (s *scroll) Click(int) bool { return false }

// Wheel scrolls.
func (s *scroll) Wheel(rows int) { s.Move(rows) }

// Filter is none.
func (s *scroll) Filter() *Filter { return nil }

// SetFilter does nothing.
func (s *scroll) SetFilter(string) {}
