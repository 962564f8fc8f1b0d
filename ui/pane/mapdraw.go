package pane

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/ui/canvas"
	"simdeck/ui/theme"
)

// Draw fills the area: the picture, and a line with the scale and the cursor.
func (m *Map) Draw(a canvas.Area, v *View) {
	m.view.w, m.view.h, m.view.symbol = a.W(), a.H()-1, v.Symbols
	if m.view.w < 2 || m.view.h < 1 {
		return
	}
	m.fit(v.Snap)
	m.approach(v.Snap)
	m.view.bound()
	picture := a.Sub(0, 0, m.view.w, m.view.h)
	m.drawGrid(picture)
	m.drawWalls()
	m.drawRegions(v.Snap)
	m.drawTrajectories()
	m.drawEntities(v)
	m.drawReturns(v)
	m.drawPhysics(v.Snap)
	m.drawMeasure()
	m.drawPreviews()
	m.dots.Draw(picture)
	m.labels.reset()
	m.drawPlaces(picture, v.Snap)
	m.drawRobots(picture, v)
	m.labels.draw(picture)
	m.drawEnds(picture)
	if v.Focused {
		cx, cy := m.view.cell(m.cursorX, m.cursorY)
		picture.Put(int(cx), int(cy), '┼', theme.Cursor)
	}
	m.drawScale(a.Sub(0, a.H()-1, a.W(), 1), v)
}

// fit shows the whole world until the operator chooses. The first drawing has the scale of the whole world,
// also where the place was chosen before.
func (m *Map) fit(s *sim.Snapshot) {
	first, chosen := m.fitted.w == 0, m.chosen || m.Follow != ""
	if !first && (chosen || !m.refit && m.fitted.w == m.view.w && m.fitted.h == m.view.h) {
		return
	}
	x, y := m.view.x, m.view.y
	m.view.fit(extent(s))
	m.fitted, m.refit = m.view, false
	switch {
	case chosen:
		m.view.x, m.view.y = x, y
	case first:
		m.cursorX, m.cursorY = m.view.x, m.view.y
	}
}

// Of a map that follows an entity.
const (
	followLengths = 12.0 // of the entity, from left to right
	leastFollowed = 16.0 // m
)

// approach shows what is about an entity when it begins to follow it, and the whole world again when it ends,
// unless the operator chose a view in between.
func (m *Map) approach(s *sim.Snapshot) {
	if m.Follow == m.followed {
		return
	}
	m.followed = m.Follow
	i, ok := Find(s.Model, m.Follow)
	switch {
	case m.chosen:
	case ok:
		across := leastFollowed
		if b := s.Model.Entities[i].Bounds; !b.IsEmpty() && b.Size().MaxAbs() < boundsTooFar {
			across = max(across, followLengths*max(b.Size().X, b.Size().Y))
		}
		m.view.scale = min(m.view.scale, across/float64(max(1, m.view.w)))
	default:
		m.refit = true
		m.fit(s)
	}
}

func (m *Map) drawGrid(a canvas.Area) {
	step := m.view.gridStep(8)
	x0, y0 := m.view.ground(0, m.view.h-1)
	x1, y1 := m.view.ground(m.view.w-1, 0)
	// Lines are counted: far out, where a step is less than the distance between two numbers, adding it
	// changes nothing.
	column, row := math.Ceil(x0/step), math.Ceil(y0/step)
	for j := range m.view.h {
		y := (row + float64(j)) * step
		for i := range m.view.w {
			x := (column + float64(i)) * step
			if !(x <= x1 && y <= y1) {
				break
			}
			cx, cy := m.view.cell(x, y)
			a.Put(int(cx), int(cy), '·', theme.Ground)
		}
	}
}

// drawWalls draws fixed geometry once for a viewport and copies it afterwards.
func (m *Map) drawWalls() {
	if m.drawn != m.view {
		m.drawn = m.view
		m.ground.Reset(m.view.symbol, m.view.w, m.view.h)
		for _, s := range m.walls {
			m.line(&m.ground, s, theme.Wall)
		}
	}
	m.dots.Copy(&m.ground)
}

func (m *Map) line(d *canvas.Dots, s segment, role theme.Role) {
	px, py := d.Pitch()
	x0, y0 := m.view.cell(s.a.x, s.a.y)
	x1, y1 := m.view.cell(s.b.x, s.b.y)
	d.Line(x0/px-0.5, y0*2/py-0.5, x1/px-0.5, y1*2/py-0.5, role)
}

func (m *Map) dot(x, y float64, role theme.Role) {
	px, py := m.dots.Pitch()
	cx, cy := m.view.cell(x, y)
	if cx >= 0 && cy >= 0 && cx < float64(m.view.w) && cy < float64(m.view.h) {
		m.dots.Set(int(cx/px), int(cy*2/py), role)
	}
}

// drawEntities draws movable entities: by their shapes where those are large enough, by their bounds where
// they are small, and else as a dot.
func (m *Map) drawEntities(v *View) {
	px, _ := m.dots.Pitch()
	for i := range min(len(v.Snap.Entities), len(m.model.Entities)) {
		e := &m.model.Entities[i]
		if e.Static && i != v.Entity {
			continue
		}
		pose := v.Snap.Entities[i].Pose
		radius := math.Hypot(e.Bounds.Size().X, e.Bounds.Size().Y) / 2 / m.view.scale // cells
		if e.Bounds.IsEmpty() || radius-radius != 0 {
			radius = 0
		}
		cx, cy := m.view.cell(pose.Pos.X, pose.Pos.Y)
		if !(cx+radius >= 0 && cy+radius >= 0 && cx-radius <= float64(m.view.w) &&
			cy-radius <= float64(m.view.h)) {
			continue
		}
		role := entityInk(e, i == v.Entity)
		switch {
		case e.Static && radius > 100:
		case radius < 1.2*px:
			m.dot(pose.Pos.X, pose.Pos.Y, role)
		case radius < 2 && e.Info.Category != scene.Robot:
			m.bounds(e.Bounds, pose, role)
		default:
			m.shape(v.Snap, e, role)
		}
	}
}

func entityInk(e *sim.EntityModel, selected bool) theme.Role {
	switch {
	case selected:
		return theme.Selected
	case e.Info.Category == scene.Robot:
		return theme.Robot
	case e.Static:
		return theme.Wall
	}
	return theme.Thing
}

func (m *Map) bounds(b r3.Box, at r3.Pose, role theme.Role) {
	z := b.Centre().Z
	var p [4]point
	for i, c := range [4]r3.Vec{r3.V(b.Min.X, b.Min.Y, z), r3.V(b.Max.X, b.Min.Y, z),
		r3.V(b.Max.X, b.Max.Y, z), r3.V(b.Min.X, b.Max.Y, z)} {
		w := at.Apply(c)
		p[i] = point{w.X, w.Y}
	}
	for i := range p {
		m.line(&m.dots, segment{p[i], p[(i+1)%4]}, role)
	}
}

func (m *Map) shape(s *sim.Snapshot, e *sim.EntityModel, role theme.Role) {
	m.buf = m.buf[:0]
	for _, part := range m.solids[e.Spec] {
		if at, ok := linkPose(s, e, part.link); ok {
			if e.Static {
				m.buf = part.wall(m.buf, at)
			} else {
				m.buf = outline(m.buf, part.corners, at)
			}
		}
	}
	for _, seg := range m.buf {
		m.line(&m.dots, seg, role)
	}
}

// drawReturns draws where the rays of the selected entity's lidars ended.
func (m *Map) drawReturns(v *View) {
	e, _ := v.entity()
	if e == nil || !m.Lidar {
		return
	}
	for i := range e.Sensors {
		k := e.FirstSensor + i
		if k >= len(v.Snap.Samples) {
			break
		}
		scan, ok := v.Snap.Samples[k].Data.(*sim.LidarScan)
		if !ok || scan.Spec == nil || scan.Spec.Columns < 1 || scan.Spec.Rows < 1 {
			continue
		}
		m.returns(scan, v.Snap.Samples[k].Frame)
	}
}

func (m *Map) returns(scan *sim.LidarScan, at r3.Pose) {
	l := scan.Spec
	for row := range l.Rows {
		se, ce := math.Sincos(l.Elevation(row))
		for col := range l.Columns {
			i := row*l.Columns + col
			if i >= len(scan.Ranges) {
				return
			}
			r := float64(scan.Ranges[i])
			if r-r != 0 {
				continue
			}
			sa, ca := math.Sincos(l.Azimuth(col))
			p := at.Apply(r3.V(r*ce*ca, r*ce*sa, r*se))
			m.dot(p.X, p.Y, theme.Return)
		}
	}
}

// drawRegions draws the bounds of named poses, where they are boxes or balls.
func (m *Map) drawRegions(s *sim.Snapshot) {
	for i := range s.Model.NamedPoses {
		n := &s.Model.NamedPoses[i]
		p := n.Bounds.Points
		switch {
		case n.Bounds.Kind == scene.BoxBounds && len(p) == 2:
			m.bounds(r3.Box{Min: p[0].Min(p[1]), Max: p[0].Max(p[1])}, n.Pose, theme.Region)
		case n.Bounds.Kind == scene.SphereBounds && len(p) == 2:
			m.buf = outline(m.buf[:0], ball(p[0], p[1].X), n.Pose)
		case n.Bounds.Kind == scene.HullBounds:
			m.buf = outline(m.buf[:0], p, n.Pose)
		}
		if n.Bounds.Kind == scene.SphereBounds || n.Bounds.Kind == scene.HullBounds {
			for _, seg := range m.buf {
				m.line(&m.dots, seg, theme.Region)
			}
		}
	}
}

func (m *Map) drawPlaces(a canvas.Area, s *sim.Snapshot) {
	for i := range s.Model.NamedPoses {
		n := &s.Model.NamedPoses[i]
		x, y, ok := m.at(n.Pose.Pos)
		if !ok {
			continue
		}
		a.Put(x, y, '◇', theme.Place)
		name := ""
		if a.W() >= 40 {
			name = n.Name
		}
		m.labels.add(x, y, name, theme.Place, 3)
	}
}

// at is the cell that shows a place; false when it is not in view.
func (m *Map) at(p r3.Vec) (x, y int, ok bool) {
	cx, cy := m.view.cell(p.X, p.Y)
	ok = cx >= 0 && cy >= 0 && cx < float64(m.view.w) && cy < float64(m.view.h)
	return int(cx), int(cy), ok
}

// mostNames is the number of robots that are named beside their arrows.
const mostNames = 40

// drawRobots puts an arrow onto every robot, with its name where there are
// few, and the name of what is selected.
func (m *Map) drawRobots(a canvas.Area, v *View) {
	named, list := 0, m.robots
	if e, _ := v.entity(); e != nil && e.Info.Category != scene.Robot {
		list = append(slices.Clip(m.robots), v.Entity)
	}
	for _, i := range list {
		if i >= len(v.Snap.Entities) {
			continue
		}
		e := &m.model.Entities[i]
		robot := e.Info.Category == scene.Robot
		pose := v.Snap.Entities[i].Pose
		x, y, ok := m.at(pose.Pos)
		if !ok {
			continue
		}
		role := entityInk(e, i == v.Entity)
		if robot {
			a.Put(x, y, Arrow(heading(pose.Rot)), role)
		}
		switch named++; {
		case i == v.Entity:
			m.labels.add(x, y, e.Name, role, 0)
		case named <= mostNames:
			m.labels.add(x, y, e.Name, role, 2)
		}
	}
}

// Arrow points where a heading does, in radians from the right, counter-clockwise.
func Arrow(yaw float64) rune {
	if yaw != yaw {
		return '?'
	}
	return [8]rune{'→', '↗', '↑', '↖', '←', '↙', '↓', '↘'}[int(math.Round(yaw/(math.Pi/4))+16)%8]
}

func (m *Map) drawScale(a canvas.Area, v *View) {
	step := m.view.gridStep(8)
	n := int(math.Round(step / m.view.scale))
	x := a.Put(0, 0, '├', theme.Dim)
	for ; x < n; x = a.Put(x, 0, '─', theme.Dim) {
	}
	x = a.Put(x, 0, '┤', theme.Dim)
	unit := Number(step, max(0, -int(math.Floor(math.Log10(step))))) + " m"
	x = a.Text(x+1, 0, unit, theme.Dim)
	var said []string
	if text := m.Measured(); text != "" {
		said = append(said, text)
	}
	if text := m.drawing(v.Snap); text != "" {
		said = append(said, text)
	}
	if v.Focused {
		said = append(said, fmt.Sprintf("cursor %s, %s", Number(m.cursorX, 2), Number(m.cursorY, 2)))
	}
	if m.Follow != "" {
		said = append(said, "following "+m.Follow)
	}
	text := strings.Join(said, "  ")
	a.Clip(x+3, 0, a.W()-x-3, text, theme.Label)
	m.drawLegend(a, x+3+canvas.TextWidth(text), v)
}

// drawLegend names at the right of the scale the marks that the map draws now. Column from is the first that
// it may use; the last marks have their place before the others.
func (m *Map) drawLegend(a canvas.Area, from int, v *View) {
	type mark struct {
		off  bool
		rune rune
		role theme.Role
		word string
	}
	marks := slices.DeleteFunc([]mark{
		{len(m.robots) == 0, '→', theme.Robot, "robot"},
		{len(v.Snap.Model.NamedPoses) == 0, '◇', theme.Place, "pose"},
		{!m.Trajectories || len(m.robots) == 0, '•', theme.Trajectory, "trail"},
		{!m.Lidar || !m.scans(v), '•', theme.Return, "lidar"},
	}, func(k mark) bool { return k.off })
	x := a.W()
	for i := len(marks) - 1; i >= 0; i-- {
		k := marks[i]
		if x -= 4 + canvas.TextWidth(k.word); x+1 < from {
			return
		}
		a.Put(x+2, 0, k.rune, k.role)
		a.Text(x+4, 0, k.word, theme.Dim)
	}
}

// scans reports that the selected entity has a lidar.
func (m *Map) scans(v *View) bool {
	e, _ := v.entity()
	return e != nil && slices.ContainsFunc(e.Sensors, func(s sim.SensorModel) bool {
		return s.Spec.Kind == scene.Lidar
	})
}
