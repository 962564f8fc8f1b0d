package pane

import (
	"math"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/ui/canvas"
)

// Map is the world from above. It shows collision shapes of fixed geometry and objects, robots with heading
// and path, named poses, the selected robot's lidar, and debug drawing. Its cursor is the place at which a
// spawn dialog puts things.
type Map struct {
	Follow       string // entity to keep in the middle; empty: none
	Lidar        bool   // show the selected robot's returns
	Trajectories bool   // show where robots went
	Previews     []PlacementPreview

	view     viewport
	chosen   bool     // the operator chose what is seen; else the whole world is
	fitted   viewport // as it was made to show the whole world
	refit    bool     // the world changed since
	followed string   // whose surroundings are shown
	cursorX  float64
	cursorY  float64

	model  *sim.Model
	solids map[*scene.ModelSpec][]solid
	walls  []segment   // fixed geometry
	fixed  []r3.Pose   // poses of the fixed entities that walls were made of
	ground canvas.Dots // walls as drawn for drawn
	drawn  viewport
	dots   canvas.Dots
	buf    []segment

	overlay      int   // index into overlays
	robots       []int // indices into the model's entities
	trajectories trajectories
	measure      measure
	labels       labels
}

var _ Pane = (*Map)(nil)

// NewMap makes a map that shows the whole world once it sees one.
func NewMap() *Map { return &Map{Lidar: true} }

// Cursor is the place of the cursor on the ground, in metres.
func (m *Map) Cursor() (x, y float64) { return m.cursorX, m.cursorY }

// SetCursor puts the cursor onto a place and shows it.
func (m *Map) SetCursor(x, y float64) {
	m.cursorX, m.cursorY = x, y
	m.reveal()
}

// Step moves the cursor by cells; the view follows at the edges.
func (m *Map) Step(dx, dy int) {
	m.cursorX += float64(dx) * m.view.scale
	m.cursorY -= float64(dy) * 2 * m.view.scale
	m.reveal()
}

func (m *Map) reveal() {
	cx, cy := m.view.cell(m.cursorX, m.cursorY)
	over := func(c float64, n int) float64 { return min(c-1, 0) + max(c-float64(n)+1, 0) }
	if dx, dy := over(cx, m.view.w), over(cy, m.view.h); dx != 0 || dy != 0 {
		m.view.x += dx * m.view.scale
		m.view.y -= dy * 2 * m.view.scale
		m.Follow, m.chosen = "", true
	}
}

// Pan moves the view by cells.
func (m *Map) Pan(dx, dy int) {
	m.view.x += float64(dx) * m.view.scale
	m.view.y -= float64(dy) * 2 * m.view.scale
	m.Follow, m.chosen = "", true
}

// Zoom looks closer by a factor, about the cursor where it is in view.
func (m *Map) Zoom(factor float64) {
	cx, cy := m.view.cell(m.cursorX, m.cursorY)
	if m.Follow != "" || cx < 0 || cy < 0 || cx >= float64(m.view.w) || cy >= float64(m.view.h) {
		cx, cy = float64(m.view.w)/2, float64(m.view.h)/2
	}
	m.ZoomAt(factor, int(cx), int(cy))
}

// ZoomAt looks closer by a factor about a cell of the pane.
func (m *Map) ZoomAt(factor float64, cx, cy int) {
	m.view.zoom(factor, cx, cy)
	m.chosen = true
}

// Centre puts a place into the middle.
func (m *Map) Centre(x, y float64) {
	m.view.x, m.view.y, m.chosen = x, y, true
	m.cursorX, m.cursorY = x, y
}

// Fit shows the whole world, and again when the world or the window changes.
func (m *Map) Fit() { m.chosen, m.Follow, m.refit = false, "", true }

// Click puts the cursor onto a cell of the pane and gives the name of the
// entity there; empty when there is none near.
func (m *Map) Click(cx, cy int, s *sim.Snapshot) string {
	m.cursorX, m.cursorY = m.view.ground(cx, cy)
	return m.Nearest(s)
}

// Nearest is the entity at the cursor: the smallest whose bounds hold it, or
// one within two cells; empty when there is none.
func (m *Map) Nearest(s *sim.Snapshot) string {
	name, best := "", math.Inf(1)
	for i := range min(len(s.Entities), len(s.Model.Entities)) {
		e := &s.Model.Entities[i]
		p := s.Entities[i].Pose.Pos
		away := math.Hypot(p.X-m.cursorX, p.Y-m.cursorY)
		size := away
		if b := e.Bounds; !b.IsEmpty() && e.Bounds.Size().MaxAbs() < 500 {
			moved := b.Moved(s.Entities[i].Pose)
			if moved.Min.X <= m.cursorX && m.cursorX <= moved.Max.X && moved.Min.Y <= m.cursorY &&
				m.cursorY <= moved.Max.Y && moved.Max.Z > floorHeight {
				away = 0
				size = moved.Size().X + moved.Size().Y
			}
		}
		if away <= 2*m.view.scale && size < best {
			name, best = e.Name, size
		}
	}
	return name
}

// Feed takes a new picture of the world.
func (m *Map) Feed(s *sim.Snapshot) {
	if s.Model != m.model {
		if m.model == nil || m.model.World.Name != s.Model.World.Name ||
			m.model.World.URI != s.Model.World.URI {
			m.chosen, m.solids, m.measure, m.trajectories = false, nil, measure{}, trajectories{}
			m.fitted = viewport{}
			if _, stays := Find(s.Model, m.Follow); !stays {
				m.Follow = ""
			}
		}
		m.model, m.refit = s.Model, true
		m.prepare()
		m.fixed = nil
	}
	if m.moved(s) {
		m.build(s)
	}
	m.trajectories.feed(s, m.robots)
	if i, ok := Find(s.Model, m.Follow); ok && m.Follow != "" && i < len(s.Entities) {
		if p := s.Entities[i].Pose.Pos; p.IsFinite() {
			m.view.x, m.view.y = p.X, p.Y
		}
	}
}

// prepare works out which entities are robots, and the solids of every model
// that it has not met.
func (m *Map) prepare() {
	if m.solids == nil {
		m.solids = map[*scene.ModelSpec][]solid{}
	}
	m.robots = m.robots[:0]
	for i := range m.model.Entities {
		if m.model.Entities[i].Info.Category == scene.Robot {
			m.robots = append(m.robots, i)
		}
		spec := m.model.Entities[i].Spec
		if _, known := m.solids[spec]; !known && spec != nil {
			m.solids[spec] = solids(spec)
		}
	}
}

// moved reports that the walls must be made anew: they are never moved but by
// hand.
func (m *Map) moved(s *sim.Snapshot) bool {
	if m.fixed == nil {
		return true
	}
	n := 0
	for i := range m.model.Entities {
		if m.model.Entities[i].Static && i < len(s.Entities) {
			if n >= len(m.fixed) || m.fixed[n] != s.Entities[i].Pose {
				return true
			}
			n++
		}
	}
	return n != len(m.fixed)
}

// build makes the walls of all fixed entities.
func (m *Map) build(s *sim.Snapshot) {
	m.walls, m.fixed, m.drawn = m.walls[:0], []r3.Pose{}, viewport{}
	for i := range m.model.Entities {
		e := &m.model.Entities[i]
		if !e.Static || i >= len(s.Entities) {
			continue
		}
		m.fixed = append(m.fixed, s.Entities[i].Pose)
		for _, part := range m.solids[e.Spec] {
			if at, ok := linkPose(s, e, part.link); ok && !isFloor(part.corners, at) {
				m.walls = part.wall(m.walls, at)
			}
		}
	}
}

func linkPose(s *sim.Snapshot, e *sim.EntityModel, link int) (r3.Pose, bool) {
	if k := e.FirstLink + link; k < len(s.Links) && s.Links[k].Pose.IsFinite() {
		return s.Links[k].Pose, true
	}
	return r3.Pose{}, false
}
