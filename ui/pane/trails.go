package pane

import (
	"math"
	"time"

	"simdeck/sim"
	"simdeck/ui/theme"
)

// trails are the ways that robots went lately.
type trails struct {
	of   map[uint64]*trail // by EntityModel.ID
	time time.Duration
}

// trail is the way of one robot, the oldest point first; a point that is not a
// number parts what was before from what came after a jump.
type trail struct{ points []point }

const (
	mostTrails = 64   // robots whose ways are kept
	trailLong  = 600  // points of each
	trailStep  = 0.05 // m between points
	trailJump  = 1.0  // m in one picture that nobody drives
)

// feed keeps where the robots, which are given as indices, are now. A clock that was set back ends all ways.
func (t *trails) feed(s *sim.Snapshot, robots []int) {
	if t.of == nil || s.Time < t.time {
		t.of = map[uint64]*trail{}
	}
	t.time = s.Time
	for _, i := range robots[:min(len(robots), mostTrails)] {
		if i >= len(s.Entities) || !s.Entities[i].Pose.Pos.IsFinite() {
			continue
		}
		e, p := &s.Model.Entities[i], s.Entities[i].Pose.Pos
		way := t.of[e.ID]
		if way == nil {
			if len(t.of) >= 2*mostTrails { // of robots that are no more
				clear(t.of)
			}
			way = &trail{}
			t.of[e.ID] = way
		}
		way.add(point{p.X, p.Y})
	}
}

func (t *trail) add(p point) {
	if n := len(t.points); n > 0 {
		last := t.points[n-1]
		switch away := math.Hypot(p.x-last.x, p.y-last.y); {
		case away < trailStep:
			return
		case away > trailJump:
			t.points = append(t.points, point{math.NaN(), math.NaN()})
		}
	}
	t.points = append(t.points, p)
	if over := len(t.points) - trailLong; over > 0 {
		t.points = append(t.points[:0], t.points[over:]...)
	}
}

// drawTrails draws the ways from their oldest point to where the robots are.
func (m *Map) drawTrails() {
	if !m.Trails {
		return
	}
	for _, i := range m.robots {
		way := m.trails.of[m.model.Entities[i].ID]
		if way == nil {
			continue
		}
		for k := 1; k < len(way.points); k++ { // a line to or from a jump is not finite and not drawn
			m.line(&m.dots, segment{way.points[k-1], way.points[k]}, theme.Trail)
		}
	}
}
