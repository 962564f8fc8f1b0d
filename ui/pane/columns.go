package pane

import (
	"strings"

	"simdeck/sim"
)

// column of the table of entities. Where the pane is narrow, those with the
// greatest drop go first; 0 stays.
type column struct {
	title string
	width int
	drop  int
	right bool
	live  bool                                             // its value changes with every step
	past  bool                                             // a curve of the last seconds
	key   func(*sim.EntityModel, *sim.EntityState) float64 // nil: sorted by its text
	text  func(*sim.EntityModel, *sim.EntityState) string
}

// columns of the table; the first is the name and takes what is left.
func columns() []column {
	number := func(decimals int, f func(*sim.EntityModel, *sim.EntityState) float64) func(*sim.EntityModel,
		*sim.EntityState) string {
		return func(m *sim.EntityModel, s *sim.EntityState) string { return Number(f(m, s), decimals) }
	}
	x := func(_ *sim.EntityModel, s *sim.EntityState) float64 { return s.Pose.Pos.X }
	y := func(_ *sim.EntityModel, s *sim.EntityState) float64 { return s.Pose.Pos.Y }
	z := func(_ *sim.EntityModel, s *sim.EntityState) float64 { return s.Pose.Pos.Z }
	yaw := func(_ *sim.EntityModel, s *sim.EntityState) float64 { return Degrees(heading(s.Pose.Rot)) }
	speed := func(_ *sim.EntityModel, s *sim.EntityState) float64 { return s.Twist.Linear.Len() }
	return []column{
		{title: "name", width: 10},
		{title: "kind", width: 7, drop: 1,
			key:  func(m *sim.EntityModel, _ *sim.EntityState) float64 { return float64(m.Info.Category) },
			text: func(m *sim.EntityModel, _ *sim.EntityState) string { return Kind(m.Info.Category) }},
		{title: "state", width: 6, drop: 6, live: true, key: liveliness, text: motion},
		{title: "x m", width: 8, drop: 3, right: true, live: true, key: x, text: number(3, x)},
		{title: "y m", width: 8, drop: 3, right: true, live: true, key: y, text: number(3, y)},
		{title: "z m", width: 7, drop: 5, right: true, live: true, key: z, text: number(3, z)},
		{title: "yaw °", width: 6, drop: 4, right: true, live: true, key: yaw, text: number(1, yaw)},
		{title: "m/s", width: 6, right: true, live: true, key: speed, text: number(2, speed)},
		{title: "last 10 s", width: pastSamples, drop: 2, past: true},
		{title: "tags", width: 16, drop: 7,
			text: func(m *sim.EntityModel,
				_ *sim.EntityState) string {
				return strings.Join(m.Info.Tags, " ")
			}},
		{title: "model", width: 14, drop: 8, text: func(m *sim.EntityModel, _ *sim.EntityState) string {
			if m.Spec == nil {
				return ""
			}
			return m.Spec.Name
		}},
	}
}

// motion says in a word whether an entity can move and does, or drives by itself.
func motion(m *sim.EntityModel, s *sim.EntityState) string {
	switch {
	case s.Fault != nil:
		return "!fault"
	case s.Signal != nil:
		return s.Signal.Aspect.String()
	case m.Static:
		return "fixed"
	case s.Asleep:
		return "asleep"
	case s.Patrol.Going():
		return "patrol"
	case s.Twist.Linear.Len2() > 1e-4 || s.Twist.Angular.Len2() > 1e-4:
		return "moving"
	}
	return "still"
}

// liveliness orders what motion says: what moves comes first.
func liveliness(m *sim.EntityModel, s *sim.EntityState) float64 {
	switch motion(m, s) {
	case "!fault":
		return -1
	case "moving", "patrol":
		return 0
	case "still":
		return 1
	case "asleep":
		return 2
	}
	return 3
}

// place chooses the columns that fit into w and gives each its width; 0: not
// shown. The name has at least 10 columns and takes what is left.
func place(cols []column, w int) []int {
	widths := make([]int, len(cols))
	used := 2
	for i, c := range cols {
		widths[i] = c.width
		used += c.width + 1
	}
	for used > w {
		worst := 0
		for i, c := range cols {
			if widths[i] > 0 {
				worst = max(worst, c.drop)
			}
		}
		if worst == 0 {
			break
		}
		for i, c := range cols { // x says nothing without y
			if widths[i] > 0 && c.drop == worst {
				used -= widths[i] + 1
				widths[i] = 0
			}
		}
	}
	widths[0] = max(1, widths[0]+w-used)
	return widths
}
