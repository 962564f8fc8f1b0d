package pane

import (
	"fmt"
	"math"

	"simdeck/sim"
	"simdeck/ui/theme"
)

// overlay is one of the things that the physics can draw onto the map.
type overlay struct {
	name  string
	flags sim.DrawFlags
}

// overlays in the order of the key; the first is none.
func overlays() []overlay {
	return []overlay{
		{}, {"contacts and forces", sim.DrawContacts | sim.DrawForces}, {"bounds", sim.DrawBounds},
		{"what sleeps", sim.DrawSleep},
		{"frames of bodies", sim.DrawFrames}, {"joints", sim.DrawJoints}, {"islands", sim.DrawIslands},
	}
}

// forceLength is the force that is drawn as long as a cell is wide, N.
const forceLength = 2.0

// NextDrawing goes on to the next thing that the physics draws and gives its
// name; empty for none.
func (m *Map) NextDrawing() string {
	m.overlay = (m.overlay + 1) % len(overlays())
	return overlays()[m.overlay].name
}

// Drawing is the set of flags for the map's Snapshot.Drawing.
func (m *Map) Drawing() sim.DrawFlags { return overlays()[m.overlay].flags }

// drawPhysics draws what the physics sees. A force is as long as it is great
// along the ground, whatever the scale; most point upwards and are a dot.
func (m *Map) drawPhysics(s *sim.Snapshot) {
	for i := range s.Drawing {
		l := &s.Drawing[i]
		if l.Kind&m.Drawing() == 0 {
			continue
		}
		a, b := point{l.A.X, l.A.Y}, point{l.B.X, l.B.Y}
		switch l.Kind {
		case sim.DrawContacts:
			m.dot(a.x, a.y, theme.Contact)
			continue
		case sim.DrawForces:
			long := l.B.Sub(l.A).Len()
			if long == 0 || math.Hypot(b.x-a.x, b.y-a.y) < 0.1*long {
				continue
			}
			k := l.Value / forceLength * m.view.scale / long
			b = point{a.x + k*(b.x-a.x), a.y + k*(b.y-a.y)}
			m.line(&m.dots, segment{a, b}, theme.Contact)
			continue
		}
		m.line(&m.dots, segment{a, b}, theme.Drawn)
	}
}

// drawing says in words what is drawn of the physics.
func (m *Map) drawing(s *sim.Snapshot) string {
	o := overlays()[m.overlay]
	if o.flags != sim.DrawContacts|sim.DrawForces {
		return o.name
	}
	points, force := 0, 0.0
	for i := range s.Drawing {
		switch l := &s.Drawing[i]; l.Kind {
		case sim.DrawContacts:
			points++
		case sim.DrawForces:
			force = max(force, l.Value)
		}
	}
	return fmt.Sprintf("contacts: %d, up to %s N", points, Number(force, 1))
}
