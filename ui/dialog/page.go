package dialog

import (
	"slices"
	"strings"

	"simdeck/ui/canvas"
	"simdeck/ui/theme"
)

// Page shows a text that is longer than a line, wrapped and scrolled.
type Page struct {
	buttons
	title string
	lines []PageLine
	first int
	rows  int
	count int
	find  *Line // input of the search for lines; nil: all are shown
}

// PageLine is a line of a page: what is at its left, and a text that wraps.
type PageLine struct {
	Left string
	Text string
	Head bool // a heading
	Dim  bool
	// Words are more words that find it, not shown.
	Words string
}

var _ Dialog = (*Page)(nil)

// NewPage shows lines under a title.
func NewPage(title string, lines []PageLine) *Page { return &Page{title: title, lines: lines} }

// Title names the dialog.
func (p *Page) Title() string { return p.title }

// Size is the size that it wants, in cells.
func (p *Page) Size() (w, h int) { return 90, len(p.lines) + 4 }

// Draw fills the area.
func (p *Page) Draw(a canvas.Area) {
	left := 0
	lines, whole := p.found(), a
	if p.find != nil {
		x := a.Text(1, 0, "/", theme.Key)
		p.find.Draw(a, x+1, 0, a.W()-x-2, true)
		a = a.Sub(0, 1, a.W(), a.H()-1)
	}
	for _, l := range lines {
		left = max(left, min(canvas.TextWidth(l.Left), a.W()/3))
	}
	p.rows = a.H() - 2
	y := -p.first
	for _, l := range lines {
		y = p.line(a.Sub(1, 0, a.W()-2, p.rows), y, left, l)
	}
	p.count = y + p.first
	p.scroll(0)
	if p.first+p.rows < p.count {
		a.Put(a.W()-1, p.rows-1, '↓', theme.Key)
	}
	if p.first > 0 {
		a.Put(a.W()-1, 0, '↑', theme.Key)
	}
	p.buttons.draw(whole, true)
}

func (p *Page) line(a canvas.Area, y, left int, l PageLine) int {
	text, key := theme.Plain, theme.Key
	switch {
	case l.Head:
		a.Clip(0, y, a.W(), l.Text, theme.Title)
		return y + 1
	case l.Dim:
		text, key = theme.Dim, theme.Dim
	}
	indent := 0
	if left > 0 {
		indent = left + 2
	}
	a.Clip(0, y, left, l.Left, key)
	for _, part := range canvas.Wrap(l.Text, a.W()-indent) {
		a.Text(indent, y, part, text)
		y++
	}
	return y
}

func (p *Page) scroll(rows int) { p.first = max(0, min(p.first+rows, p.count-p.rows)) }

// found are the lines that hold every word that is typed to find them; without one, all.
func (p *Page) found() []PageLine {
	words := []string{}
	if p.find != nil {
		words = strings.Fields(strings.ToLower(p.find.Text()))
	}
	if len(words) == 0 {
		return p.lines
	}
	var lines []PageLine
	for _, l := range p.lines {
		text := strings.ToLower(l.Left + " " + l.Text + " " + l.Words)
		holds := func(w string) bool { return strings.Contains(text, w) }
		if !l.Head && !slices.ContainsFunc(words, func(w string) bool { return !holds(w) }) {
			lines = append(lines, l)
		}
	}
	if len(lines) == 0 {
		return []PageLine{{Text: "no matches", Dim: true}}
	}
	return lines
}

// Key scrolls, finds or closes.
func (p *Page) Key(k Key) Outcome {
	if p.find == nil && k.Text == "/" {
		p.find, p.first = &Line{Hint: "type to find"}, 0
		return Outcome{}
	}
	if p.find != nil && k.Action != Cancel && k.Action != Accept && p.find.Key(k) {
		p.first = 0
		return Outcome{}
	}
	switch k.Action {
	case Cancel, Accept:
		return Outcome{Close: true}
	case Toggle:
		k.Action = PageDown
	}
	switch k.List {
	case "app.quit", "app.help":
		return Outcome{Close: true}
	case "list.top":
		p.scroll(-p.count)
	case "list.bottom":
		p.scroll(p.count)
	}
	if rows := rowsOf(k.Action, max(1, p.rows-1)); rows != 0 {
		p.scroll(rows)
	} else {
		p.scroll(rowsOf(k.List, max(1, p.rows-1)))
	}
	return Outcome{}
}

// Click presses the button.
func (p *Page) Click(x, y int) Outcome { return p.Key(Key{Action: p.press(x, y)}) }

// Wheel scrolls.
func (p *Page) Wheel(rows int) { p.scroll(rows) }

// Hints are the actions that mean something to it.
func (p *Page) Hints() []string { return []string{Up, Down, PageUp, PageDown} }
