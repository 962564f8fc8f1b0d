package dialog

import (
	"slices"
	"strings"

	"simdeck/ui/canvas"
	"simdeck/ui/pane"
	"simdeck/ui/theme"
)

// Item is a row to pick from.
type Item struct {
	Name   string
	Detail string
	Key    string // shown at the right
	Words  string // more words that find it, not shown
	Off    string // why it cannot be picked; empty: it can
}

// picker is a list with a line that filters it by words: each is found in a row literally, else by its
// letters.
type picker struct {
	line   Line
	items  []Item
	shown  []int
	cursor int
	first  int
	height int
	top    int // line of the first row in the area of the last Draw
}

func (p *picker) set(items []Item) {
	p.items = items
	p.refilter()
}

func (p *picker) refilter() {
	words := strings.Fields(strings.ToLower(p.line.Text()))
	p.shown, p.cursor, p.first = p.shown[:0], 0, 0
	holds := func(t, w string) bool { return strings.Contains(strings.ToLower(t), w) }
	letters := func(t, w string) bool { return pane.Letters(w, t) }
	// Rows with all words in the name come first, then with synonyms, then anywhere; only without any, those
	// that have their letters.
	for _, fits := range []func(it *Item, w string) bool{
		func(it *Item, w string) bool { return holds(it.Name, w) },
		func(it *Item, w string) bool { return holds(it.Name, w) || holds(it.Words, w) },
		func(it *Item, w string) bool { return holds(it.Name+" "+it.Words+" "+it.Detail, w) },
		func(it *Item, w string) bool { return len(p.shown) == 0 && letters(it.Name, w) },
	} {
		var more []int
		for i := range p.items {
			ok := !slices.Contains(p.shown, i)
			for _, w := range words {
				ok = ok && fits(&p.items[i], w)
			}
			if ok {
				more = append(more, i)
			}
		}
		p.shown = append(p.shown, more...)
	}
}

// selected is the index of the chosen item; -1 when there is none.
func (p *picker) selected() int {
	if p.cursor < 0 || p.cursor >= len(p.shown) {
		return -1
	}
	return p.shown[p.cursor]
}

func (p *picker) move(rows int) {
	p.cursor = max(0, min(p.cursor+rows, len(p.shown)-1))
}

// key edits the line or moves the cursor; false when it does neither.
func (p *picker) key(k Key) bool {
	if rows := rowsOf(k.Action, max(1, p.height-1)); rows != 0 {
		p.move(rows)
		return true
	}
	if p.line.Key(k) {
		p.refilter()
		return true
	}
	return false
}

// click selects the row at a line of the area; false when none is there.
func (p *picker) click(y int) bool {
	row := p.first + y - p.top
	if y < p.top || y >= p.top+p.height || row >= len(p.shown) {
		return false
	}
	p.cursor = row
	return true
}

// draw puts the line at y and the rows below it.
func (p *picker) draw(a canvas.Area, label string, y, rows int, focused bool) {
	x := a.Text(1, y, label, theme.Label) + 1
	p.line.Draw(a, x, y, a.W()-x-1, focused)
	p.top, p.height = y+1, rows
	p.first = max(0, max(p.cursor-rows+1, min(p.first, p.cursor)))
	if len(p.shown) == 0 {
		a.Clip(3, p.top, a.W()-4, "no matches", theme.Dim)
	}
	for i := range min(rows, len(p.shown)-p.first) {
		it := &p.items[p.shown[p.first+i]]
		p.row(a.Sub(0, p.top+i, a.W(), 1), it, p.first+i == p.cursor, focused)
	}
	if p.first+rows < len(p.shown) {
		a.Put(a.W()-1, p.top+rows-1, '↓', theme.Key)
	}
	if p.first > 0 {
		a.Put(a.W()-1, p.top, '↑', theme.Key)
	}
}

func (p *picker) row(a canvas.Area, it *Item, chosen, focused bool) {
	name, detail := theme.Strong, theme.Dim
	if it.Off != "" {
		name = theme.Dim
	}
	w := a.W() - 2
	end := a.Right(w, 0, it.Key, theme.Key) - 1
	x := a.Clip(3, 0, min(canvas.TextWidth(it.Name), end-3), it.Name, name) + 2
	text := it.Detail
	if it.Off != "" {
		text = "off: " + it.Off
	}
	a.Clip(x, 0, end-x, text, detail)
	if chosen {
		a.Put(1, 0, '>', theme.Strong)
		if focused {
			a.Sub(1, 0, w, 1).Role(0, theme.Chosen)
		}
	}
}
