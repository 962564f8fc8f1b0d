package pane

import (
	"fmt"
	"math"

	"simdeck/ui/canvas"
	"simdeck/ui/theme"
)

// measure is a distance that is taken on the map: from one place to the
// cursor, or to another place.
type measure struct {
	ends int // places that are set
	at   [2]point
}

// Measure sets the first place of a measurement at the cursor, then the
// second, then ends it.
func (m *Map) Measure() {
	if m.measure.ends == 2 {
		m.EndMeasure()
		return
	}
	m.measure.at[m.measure.ends] = point{m.cursorX, m.cursorY}
	m.measure.ends++
}

// EndMeasure takes the measurement away.
func (m *Map) EndMeasure() { m.measure = measure{} }

// Measuring reports that a measurement is shown.
func (m *Map) Measuring() bool { return m.measure.ends > 0 }

// measured is from where to where.
func (m *Map) measured() (a, b point) {
	b = m.measure.at[1]
	if m.measure.ends < 2 {
		b = point{m.cursorX, m.cursorY}
	}
	return m.measure.at[0], b
}

// Measured is the distance and, as robots count it, the bearing: from the x
// axis to the left. Empty when nothing is measured.
func (m *Map) Measured() string {
	if m.measure.ends == 0 {
		return ""
	}
	a, b := m.measured()
	dx, dy := b.x-a.x, b.y-a.y
	return fmt.Sprintf("%s m at %s°  (x %s, y %s)", Number(math.Hypot(dx, dy), 3),
		Number(Degrees(math.Atan2(dy, dx)), 1), Number(dx, 3), Number(dy, 3))
}

// drawMeasure draws the line, and drawEnds its ends over everything else.
func (m *Map) drawMeasure() {
	if m.measure.ends > 0 {
		a, b := m.measured()
		m.line(&m.dots, segment{a, b}, theme.Measure)
	}
}

func (m *Map) drawEnds(a canvas.Area) {
	for _, p := range m.measure.at[:m.measure.ends] {
		cx, cy := m.view.cell(p.x, p.y)
		a.Put(int(math.Floor(cx)), int(math.Floor(cy)), '×', theme.Measure)
	}
}
