package pane

import (
	"math"
	"time"

	"simdeck/sim"
	"simdeck/ui/theme"
)

// trajectories are the ways that robots went lately.
type trajectories struct {
	of   map[uint64]*trajectory // by EntityModel.ID
	time time.Duration
}

// trajectory is the way of one robot, the oldest point first; a point of NaN marks a jump.
type trajectory struct{ points []point }

const (
	maxTrajectories  = 64   // robots whose ways are kept
	trajectoryLength = 600  // points of each
	trajectoryStep   = 0.05 // m between points
	trajectoryJump   = 1.0  // m in one picture that nobody drives
)

// feed keeps where the robots, which are given as indices, are now. A clock that was set back ends all ways.
func (t *trajectories) feed(s *sim.Snapshot, robots []int) {
	if t.of == nil || s.Time < t.time {
		t.of = map[uint64]*trajectory{}
	}
	t.time = s.Time
	for _, i := range robots[:min(len(robots), maxTrajectories)] {
		if i >= len(s.Entities) || !s.Entities[i].Pose.Pos.IsFinite() {
			continue
		}
		e, p := &s.Model.Entities[i], s.Entities[i].Pose.Pos
		way := t.of[e.ID]
		if way == nil {
			if len(t.of) >= 2*maxTrajectories { // of robots that are no more
				clear(t.of)
			}
			way = &trajectory{}
			t.of[e.ID] = way
		}
		way.add(point{p.X, p.Y})
	}
}

func (t *trajectory) add(p point) {
	if n := len(t.points); n > 0 {
		last := t.points[n-1]
		switch away := math.Hypot(p.x-last.x, p.y-last.y); {
		case away < trajectoryStep:
			return
		case away > trajectoryJump:
			t.points = append(t.points, point{math.NaN(), math.NaN()})
		}
	}
	t.points = append(t.points, p)
	if over := len(t.points) - trajectoryLength; over > 0 {
		t.points = append(t.points[:0], t.points[over:]...)
	}
}

// drawTrajectories draws the ways from their oldest point to where the robots are.
func (m *Map) drawTrajectories() {
	if !m.Trajectories {
		return
	}
	for _, i := range m.robots {
		way := m.trajectories.of[m.model.Entities[i].ID]
		if way == nil {
			continue
		}
		for k := 1; k < len(way.points); k++ { // a line to or from a jump is not finite and not drawn
			m.line(&m.dots, segment{way.points[k-1], way.points[k]}, theme.Trajectory)
		}
	}
}
