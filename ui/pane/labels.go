package pane

import (
	"cmp"
	"image"
	"slices"

	"simdeck/ui/canvas"
	"simdeck/ui/theme"
)

// label is a name beside a sign on the map.
type label struct {
	x, y int // of the sign
	text string
	role theme.Role
	rank int // the least is placed first; 0: always drawn
}

// labels are names that find themselves room: none stands on a sign or on
// another name.
type labels struct {
	list  []label
	taken []image.Rectangle
}

func (l *labels) reset() { l.list, l.taken = l.list[:0], l.taken[:0] }

// add puts a sign's place aside and a name beside it.
func (l *labels) add(x, y int, text string, role theme.Role, rank int) {
	l.taken = append(l.taken, image.Rect(x, y, x+1, y+1))
	if text = canvas.Clean(text); text != "" {
		l.list = append(l.list, label{x, y, text, role, rank})
	}
}

// draw places each name at the right of its sign, else at the left, below or above, and omits names without
// room.
func (l *labels) draw(a canvas.Area) {
	slices.SortStableFunc(l.list, func(p, q label) int { return cmp.Compare(p.rank, q.rank) })
	all := image.Rect(0, 0, a.W(), a.H())
	for _, n := range l.list {
		w := canvas.TextWidth(n.text)
		for i, at := range [...]image.Point{{n.x + 2, n.y}, {n.x - 1 - w, n.y}, {n.x - w/2, n.y + 1},
			{n.x - w/2, n.y - 1}, {n.x + 2, n.y}} {
			r := image.Rect(at.X, at.Y, at.X+w, at.Y+1)
			if forced := i == 4 && n.rank == 0; !forced && (i == 4 || !r.In(all) || l.meets(r)) {
				continue
			}
			a.Text(at.X, at.Y, n.text, n.role)
			l.taken = append(l.taken, r)
			break
		}
	}
}

func (l *labels) meets(r image.Rectangle) bool {
	return slices.ContainsFunc(l.taken, r.Overlaps)
}
