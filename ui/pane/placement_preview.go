package pane

import (
	"simdeck/sim/r3"
	"simdeck/ui/theme"
)

// PlacementPreview is the outline of a model where it would be spawned.
type PlacementPreview struct {
	Shapes  [][]r3.Vec // points whose convex hulls it is made of, in its frame
	At      r3.Pose
	Blocked bool // something is in its way
}

// Look shows at least so many metres about a place, in a picture of w by h cells.
func (m *Map) Look(at r3.Vec, metres float64, w, h int) {
	m.view.x, m.view.y, m.chosen, m.Follow = at.X, at.Y, true, ""
	m.view.scale = max(closest, min(furthest, max(metres/float64(max(1, w)), metres/float64(2*max(1, h)))))
}

func (m *Map) drawPreviews() {
	for _, g := range m.Previews {
		role := theme.Good
		if g.Blocked {
			role = theme.Bad
		}
		for _, points := range g.Shapes {
			m.buf = outline(m.buf[:0], points, g.At)
			for _, s := range m.buf {
				m.line(&m.dots, s, role)
			}
		}
	}
}
