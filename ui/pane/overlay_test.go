package pane

import (
	"fmt"
	"image"
	"math"
	"strings"
	"testing"
	"time"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/ui/canvas"
	"simdeck/ui/theme"
)

// cellsOf are the cells of a grid that have a role.
func cellsOf(g *canvas.CellBuffer, role theme.Role) (cells []image.Point) {
	w, h := g.Size()
	for y := range h {
		for x := range w {
			if c := g.At(x, y); c.Role == role && c.Rune != ' ' {
				cells = append(cells, image.Pt(x, y))
			}
		}
	}
	return cells
}

func TestTheMapDrawsWhatThePhysicsSees(t *testing.T) {
	s := two()
	s.Drawing = []sim.DebugLine{
		{Kind: sim.DrawContacts, A: r3.V(0, 0, 0), B: r3.V(0, 0, 0.1)},
		{Kind: sim.DrawForces, A: r3.V(0, 0, 0), B: r3.V(0.1, 0, 0), Value: 20},
		// upwards: its contact's dot
		{Kind: sim.DrawForces, A: r3.V(2, 2, 0), B: r3.V(2, 2, 0.1), Value: 7.5},
		{Kind: sim.DrawBounds, A: r3.V(-3, 1, 0), B: r3.V(-1, 1, 0)},
	}
	m := NewMap()
	g, _ := drawMap(m, s, 60, 20)
	if n := len(cellsOf(g, theme.Contact)) + len(cellsOf(g, theme.Drawn)); n > 0 || m.Drawing() != 0 {
		t.Errorf("%d cells are drawn before anybody asked", n)
	}
	m.NextDrawing()
	g, text := drawMap(m, s, 60, 20)
	if m.Drawing() != sim.DrawContacts|sim.DrawForces ||
		!strings.Contains(text, "contacts: 1, up to 20.0 N") {
		t.Errorf("wants %b and says\n%s", m.Drawing(), text)
	}
	cells := cellsOf(g, theme.Contact) // 20 N are 10 cells to the right of the contact
	if n := len(cells); n < 10 || n > 12 || cells[0].Y != cells[n-1].Y || cells[n-1].X-cells[0].X < 9 {
		t.Errorf("a force of 20 N is drawn in %v", cells)
	}
	if n := len(cellsOf(g, theme.Drawn)); n > 0 {
		t.Errorf("bounds are drawn in %d cells and were not asked for", n)
	}
	m.NextDrawing()
	if g, _ = drawMap(m, s, 60, 20); len(cellsOf(g, theme.Drawn)) < 3 || len(cellsOf(g, theme.Contact)) > 0 {
		t.Errorf("bounds in %v, contacts in %v", cellsOf(g, theme.Drawn), cellsOf(g, theme.Contact))
	}
	for range len(overlays()) - 2 {
		m.NextDrawing()
	}
	if m.Drawing() != 0 {
		t.Error("after all of them comes not nothing")
	}
}

// walk is a world with a robot that went through places, a second each.
func walk(m *Map, places ...r3.Vec) *sim.Snapshot {
	e, st := block("robot", 0, 0, 0.2)
	e.Info.Category, e.ID = scene.Robot, 7
	model := &sim.Model{Entities: []sim.EntityModel{e}}
	var s *sim.Snapshot
	for i, p := range places {
		st.Pose.Pos = p
		s = &sim.Snapshot{Model: model, Time: time.Duration(i) * time.Second, Entities: []sim.EntityState{st},
			Links: []sim.LinkState{{Pose: st.Pose}}}
		m.Feed(s)
	}
	return s
}

func TestARobotLeavesATrailThatEndsWhereItIsAndSkipsJumps(t *testing.T) {
	m := NewMap()
	var way []r3.Vec
	for x := 0.0; x <= 3; x += 0.1 {
		way = append(way, r3.V(x, 0, 0))
	}
	way = append(way, r3.V(3, 5, 0), r3.V(3.1, 5, 0)) // put elsewhere by hand
	s := walk(m, way...)
	if m.Trajectories = true; len(m.trajectories.of[7].points) < 30 {
		t.Fatalf("%d points are kept", len(m.trajectories.of[7].points))
	}
	g, _ := drawMap(m, s, 60, 20)
	cells := cellsOf(g, theme.Trajectory)
	rows := map[int]int{}
	for _, c := range cells {
		rows[c.Y]++
	}
	if len(cells) < 8 || len(rows) > 3 {
		t.Errorf("the trajectory is in cells %v: want a level line, and nothing along the jump", cells)
	}
	before := len(m.trajectories.of[7].points)
	for range 100 {
		m.trajectories.feed(s, m.robots)
	}
	if n := len(m.trajectories.of[7].points); n != before {
		t.Errorf("standing still makes %d points", n-before)
	}
	for i := range 10 * trajectoryLength {
		m.trajectories.of[7].add(point{float64(i) * 0.1, 1})
	}
	if n := len(m.trajectories.of[7].points); n > trajectoryLength {
		t.Errorf("%d points of a long way", n)
	}
	back := *s
	back.Time = 0
	if m.trajectories.feed(&back, m.robots); len(m.trajectories.of[7].points) != 1 {
		t.Error("a trajectory outlives a reset of the clock")
	}
}

func TestDistancesAreMeasuredBetweenTwoPlaces(t *testing.T) {
	m := NewMap()
	s := two()
	drawMap(m, s, 60, 20)
	m.SetCursor(0, 0)
	if m.Measured() != "" || m.Measuring() {
		t.Error("something is measured before anybody asked")
	}
	m.Measure()
	for _, c := range []struct {
		x, y float64
		want string
	}{{3, 4, "5.000 m at 53.1°  (x 3.000, y 4.000)"}, {-1, 0, "1.000 m at 180.0°"},
		{0, -2, "2.000 m at -90.0°"}} {
		m.cursorX, m.cursorY = c.x, c.y
		if got := m.Measured(); !strings.HasPrefix(got, c.want) {
			t.Errorf("to %v, %v: %q, want %q", c.x, c.y, got, c.want)
		}
	}
	m.cursorX, m.cursorY = 2, 0
	m.Measure()
	m.cursorX = 50 // the cursor is free again
	g, text := drawMap(m, s, 100, 20)
	if !strings.Contains(text, "2.000 m at 0.0°") || strings.Count(text, "×") != 2 ||
		len(cellsOf(g, theme.Measure)) < 3 {
		t.Errorf("kept:\n%s", text)
	}
	if m.Measure(); m.Measuring() {
		t.Error("a third time does not end it")
	}
}

func TestNamesOnTheMapNeverStandOnEachOther(t *testing.T) {
	var l labels
	g := canvas.NewCellBuffer(40, 9)
	for i := range 9 { // nine signs in a heap
		g.All().Put(18+i%3, 3+i/3, '◇', theme.Place)
		l.add(18+i%3, 3+i/3, fmt.Sprintf("name_%d", i), theme.Place, 3)
	}
	l.add(5, 1, "chosen_one", theme.Selected, 0)
	l.draw(g.All())
	text := g.Plain()
	if strings.Count(text, "◇") != 9 || !strings.Contains(text, "chosen_one") {
		t.Errorf("a sign or the selected name is gone:\n%s", text)
	}
	whole := 0
	for i := range 9 {
		whole += strings.Count(text, fmt.Sprintf("name_%d", i))
	}
	if letters := strings.Count(text, "_"); letters != whole+1 || whole < 6 {
		t.Errorf("%d names of 9 are whole, %d begun:\n%s", whole, letters-1, text)
	}
}

func TestOnlyWhatIsInViewIsNamed(t *testing.T) {
	m := NewMap()
	s := walk(m, r3.V(0, 0, 0))
	s.Model.NamedPoses = []scene.NamedPose{{Name: "nowhere", Pose: r3.PoseRPY(math.NaN(), 0, 0, 0, 0, 0)},
		{Name: "far", Pose: r3.PoseRPY(400, 0, 0, 0, 0, 0)},
		{Name: "near", Pose: r3.PoseRPY(1, 0, 0, 0, 0, 0)}}
	drawMap(m, s, 60, 20)
	m.Centre(0, 0)
	m.view.scale = 0.1
	if _, text := drawMap(m, s, 60, 20); !strings.Contains(text, "near") || strings.Contains(text, "far") ||
		strings.Contains(text, "nowhere") {
		t.Errorf("got\n%s", text)
	}
}
