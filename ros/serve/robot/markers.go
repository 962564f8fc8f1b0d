package robot

import (
	"sync/atomic"

	"simdeck/ros/msgs/stdmsgs"
	"simdeck/ros/msgs/visualizationmsgs"
	"simdeck/ros/node"
	"simdeck/sim"
	"simdeck/sim/r3"
)

// markersEvery is the number of looks between two messages of the world.
const markersEvery = 5

// Default appearances.
var (
	fixedColour = stdmsgs.ColorRGBA{R: 0.55, G: 0.57, B: 0.6, A: 1}
	looseColour = stdmsgs.ColorRGBA{R: 0.8, G: 0.6, B: 0.35, A: 1}
	robotColour = stdmsgs.ColorRGBA{R: 0.35, G: 0.55, B: 0.8, A: 1}
)

// markers publish the world for viewers on /world_markers, latched: static parts in the frame world, robots
// in their links' frames. The message is always that of the whole world. It is published again after
// additions, removals or motion without tf, and for new viewers: RViz requests no earlier samples.
type markers struct {
	pub   *node.Publisher[visualizationmsgs.MarkerArray]
	on    atomic.Bool
	looks int
	root  string // frame of the world

	shown *sim.Model // published model; nil: none
	loose []r3.Pose  // links that move without tf, as they were published
	told  audience   // when it last looked
}

// look publishes the world when it looks different. robots is aligned with the
// entities of the picture.
func (m *markers) look(s *sim.Snapshot, robots []*robot) error {
	if m.looks%markersEvery != 0 || s == nil || len(robots) != len(s.Model.Entities) {
		return nil
	}
	if !m.on.Load() {
		if m.shown == nil {
			return nil
		}
		m.shown = nil
		wiped := []visualizationmsgs.Marker{wipe(m.root)}
		return m.pub.Publish(&visualizationmsgs.MarkerArray{Markers: wiped})
	}
	other, viewers := s.Model != m.shown, m.pub.Subscribers()
	came := m.told.grew(viewers)
	if !other && !came && (viewers == 0 || !m.moved(s, robots)) {
		return nil
	}
	a := &visualizationmsgs.MarkerArray{}
	if other {
		a.Markers = append(a.Markers, wipe(m.root)) // also what is not there any more
	}
	m.draw(a, s, robots)
	m.shown = s.Model
	return m.pub.Publish(a)
}

// wipe removes every marker.
func wipe(root string) visualizationmsgs.Marker {
	m := *visualizationmsgs.NewMarker()
	m.Header.FrameID, m.Action = root, visualizationmsgs.MarkerDeleteall
	return m
}

// isLoose reports whether an entity moves and has no frames in tf.
func isLoose(s *sim.Snapshot, i int, robots []*robot) bool {
	return robots[i] == nil && !s.Model.Entities[i].Static
}

// moved reports whether something stands elsewhere than in the last picture.
func (m *markers) moved(s *sim.Snapshot, robots []*robot) bool {
	n := 0
	for i := range s.Model.Entities {
		if !isLoose(s, i, robots) {
			continue
		}
		for _, l := range s.LinksOf(i) {
			if n >= len(m.loose) || m.loose[n] != l.Pose {
				return true
			}
			n++
		}
	}
	return false
}

// draw adds everything there is.
func (m *markers) draw(a *visualizationmsgs.MarkerArray, s *sim.Snapshot, robots []*robot) {
	budget, next := allTriangles, int32(0)
	m.loose = m.loose[:0]
	for i := range s.Model.Entities {
		e := &s.Model.Entities[i]
		links := s.LinksOf(i)
		for k := range e.Spec.Links {
			link := &e.Spec.Links[k]
			b := brush{to: a, triangles: &budget, space: e.Name + "/" + link.Name, next: next, frame: m.root,
				at: links[k].Pose, colour: fixedColour}
			switch {
			case robots[i] != nil:
				b.frame, b.at, b.colour = framed(robots[i].prefix, link.Name), r3.IdentityPose(), robotColour
			case !e.Static:
				b.colour = looseColour
				m.loose = append(m.loose, links[k].Pose)
			}
			geoms := link.Visuals
			if len(geoms) == 0 {
				geoms, b.solid = link.Collisions, true
			}
			for g := range geoms {
				b.draw(&geoms[g])
			}
			next = b.next
		}
	}
}
