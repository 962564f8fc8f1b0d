package pane

import (
	"math"
	"strings"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// column of the table of entities. Where the pane is narrow, those with the
// greatest drop go first; 0 stays.
type column struct {
	title string
	width int
	drop  int
	right bool
	live  bool                             // its value changes with every step
	past  bool                             // a curve of the last seconds
	key   func(*sim.Snapshot, int) float64 // of an entity; nil: sorted by its text
	text  func(*sim.Snapshot, int) string
}

// columns of the table; the first is the name and takes what is left.
func columns() []column {
	number := func(decimals int, f func(*sim.Snapshot, int) float64) func(*sim.Snapshot, int) string {
		return func(s *sim.Snapshot, i int) string { return Number(f(s, i), decimals) }
	}
	x := func(s *sim.Snapshot, i int) float64 { return s.Entities[i].Pose.Pos.X }
	y := func(s *sim.Snapshot, i int) float64 { return s.Entities[i].Pose.Pos.Y }
	z := func(s *sim.Snapshot, i int) float64 { return s.Entities[i].Pose.Pos.Z }
	yaw := func(s *sim.Snapshot, i int) float64 { return Degrees(heading(s.Entities[i].Pose.Rot)) }
	category := func(s *sim.Snapshot, i int) scene.Category { return s.Model.Entities[i].Info.Category }
	return []column{
		{title: "name", width: 10},
		{title: "kind", width: 7, drop: 1,
			key:  func(s *sim.Snapshot, i int) float64 { return float64(category(s, i)) },
			text: func(s *sim.Snapshot, i int) string { return Kind(category(s, i)) }},
		{title: "state", width: 6, drop: 6, live: true, key: liveliness, text: motion},
		{title: "x m", width: 8, drop: 3, right: true, live: true, key: x, text: number(3, x)},
		{title: "y m", width: 8, drop: 3, right: true, live: true, key: y, text: number(3, y)},
		{title: "z m", width: 7, drop: 5, right: true, live: true, key: z, text: number(3, z)},
		{title: "yaw °", width: 6, drop: 4, right: true, live: true, key: yaw, text: number(1, yaw)},
		{title: "m/s", width: 6, right: true, live: true, key: speed, text: number(2, speed)},
		{title: "last 10 s", width: pastSamples, drop: 2, past: true},
		{title: "tags", width: 16, drop: 7,
			text: func(s *sim.Snapshot, i int) string {
				return strings.Join(s.Model.Entities[i].Info.Tags, " ")
			}},
		{title: "model", width: 14, drop: 8, text: func(s *sim.Snapshot, i int) string {
			if spec := s.Model.Entities[i].Spec; spec != nil {
				return spec.Name
			}
			return ""
		}},
	}
}

// Of what moves.
const (
	restingSpeed = 0.01 // m/s and rad/s
	restingPast  = 0.01 // m/s: slower ones draw no curve
)

// speed is that of the fastest link of an entity, in m/s: an arm moves though its base stands.
func speed(s *sim.Snapshot, i int) float64 {
	most := s.Entities[i].Twist.Linear.Len2()
	links := linksOf(s, i)
	for k := range links {
		most = max(most, links[k].Twist.Linear.Len2())
	}
	return math.Sqrt(most)
}

// linksOf are the links of an entity; none of one that a simulator elsewhere serves without its parts.
func linksOf(s *sim.Snapshot, i int) []sim.LinkState {
	if s.Model.Entities[i].Spec == nil {
		return nil
	}
	return s.LinksOf(i)
}

// motion says in a word whether an entity can move and does, or drives by itself.
func motion(s *sim.Snapshot, i int) string {
	m, e := &s.Model.Entities[i], &s.Entities[i]
	switch {
	case e.Fault != nil:
		return "!fault"
	case e.Signal != nil:
		return e.Signal.Aspect.String()
	case m.Static:
		return "fixed"
	case e.Asleep:
		return "asleep"
	case e.Patrol.Going():
		return "patrol"
	case moves(s, i):
		return "moving"
	}
	return "still"
}

// moves reports that an entity moves or turns, or a link of it.
func moves(s *sim.Snapshot, i int) bool {
	const least = restingSpeed * restingSpeed
	fast := func(t *r3.Twist) bool { return t.Linear.Len2() > least || t.Angular.Len2() > least }
	if fast(&s.Entities[i].Twist) {
		return true
	}
	links := linksOf(s, i)
	for k := range links {
		if fast(&links[k].Twist) {
			return true
		}
	}
	return false
}

// liveliness orders what motion says: what moves comes first.
func liveliness(s *sim.Snapshot, i int) float64 {
	switch motion(s, i) {
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
