package pane

import (
	"math"
	"strings"
	"testing"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/ui/canvas"
	"simdeck/ui/theme"
)

func block(name string, x, y, size float64) (sim.EntityModel, sim.EntityState) {
	half := r3.V(size/2, size/2, size/2)
	spec := &scene.ModelSpec{Links: []scene.Link{{Collisions: []scene.Geom{{Kind: scene.Box,
		Pose: r3.IdentityPose(), Size: half.Scale(2)}}}}}
	return sim.EntityModel{Name: name, Spec: spec, Bounds: r3.Box{Min: half.Neg(), Max: half}},
		sim.EntityState{Pose: r3.PoseRPY(x, y, size/2, 0, 0, 0)}
}

func two() *sim.Snapshot {
	s := &sim.Snapshot{Model: &sim.Model{}}
	for i, at := range [][3]float64{{-4, -4, 1}, {4, 4, 2}} {
		m, e := block(string(rune('a'+i)), at[0], at[1], at[2])
		m.FirstLink = i
		s.Model.Entities, s.Entities = append(s.Model.Entities, m), append(s.Entities, e)
		s.Links = append(s.Links, sim.LinkState{Pose: e.Pose})
	}
	return s
}

func drawMap(m *Map, s *sim.Snapshot, w, h int) (*canvas.CellBuffer, string) {
	g := canvas.NewCellBuffer(w, h)
	m.Feed(s)
	m.Draw(g.All(), &View{Snap: s, Entity: -1, Focused: true})
	return g, g.Plain()
}

func TestTheWholeWorldIsSeenUntilTheOperatorChooses(t *testing.T) {
	m, s := NewMap(), two()
	drawMap(m, s, 60, 20)
	for _, p := range [][2]float64{{-4.5, -4.5}, {5, 5}} {
		if x, y := m.view.cell(p[0], p[1]); x < 0 || y < 0 || x > 60 || y > 19 {
			t.Errorf("%v is drawn at %.1f, %.1f", p, x, y)
		}
	}
	scale := m.view.scale
	drawMap(m, s, 120, 40)
	if m.view.scale >= scale {
		t.Error("a larger window does not show the world larger")
	}
	m.Zoom(2)
	zoomed := m.view
	drawMap(m, s, 60, 20)
	if m.view.scale != zoomed.scale {
		t.Error("a chosen scale was changed by the window")
	}
	m.Fit()
	drawMap(m, s, 60, 20)
	if math.Abs(m.view.scale-scale) > 1e-9 {
		t.Error("fit does not fit the whole world again")
	}
}

func TestZoomingKeepsWhatIsUnderThePointer(t *testing.T) {
	v := viewport{x: 1, y: 2, scale: 0.1, w: 80, h: 24}
	for _, at := range [][2]int{{0, 0}, {79, 23}, {40, 12}, {7, 19}} {
		for _, f := range []float64{1.25, 0.8, 100, 1e-9, 1e12} {
			u := v
			x, y := u.ground(at[0], at[1])
			u.zoom(f, at[0], at[1])
			if cx, cy := u.cell(x, y); int(math.Floor(cx+1e-6)) != at[0] ||
				int(math.Floor(cy+1e-6)) != at[1] {
				t.Errorf("zoom %v about %v moved it to %.2f, %.2f", f, at, cx, cy)
			}
			if u.scale < closest || u.scale > furthest {
				t.Errorf("zoom %v gives %v m a cell", f, u.scale)
			}
		}
	}
}

func TestAClickFindsTheSmallestThingThere(t *testing.T) {
	s := two()
	m := NewMap()
	drawMap(m, s, 60, 20)
	x, y := m.view.cell(4.8, 4.8)
	if got := m.Click(int(x), int(y), s); got != "b" {
		t.Errorf("inside b the click found %q", got)
	}
	x, y = m.view.cell(0, 0)
	if got := m.Click(int(x), int(y), s); got != "" {
		t.Errorf("where nothing is the click found %q", got)
	}
	small, state := block("c", 4.8, 4.8, 0.3)
	small.FirstLink = 2
	s.Model.Entities, s.Entities, s.Links = append(s.Model.Entities, small), append(s.Entities, state),
		append(s.Links, sim.LinkState{Pose: state.Pose})
	x, y = m.view.cell(4.8, 4.8)
	if got := m.Click(int(x), int(y), s); got != "c" {
		t.Errorf("on c, which stands on b, the click found %q", got)
	}
}

func TestTheMapFollowsAndTheCursorPullsTheView(t *testing.T) {
	s := two()
	m := NewMap()
	drawMap(m, s, 60, 20)
	m.Follow = "b"
	s.Entities[1].Pose.Pos = r3.V(100, -50, 0)
	m.Feed(s)
	if m.view.x != 100 || m.view.y != -50 {
		t.Errorf("the view is at %v, %v", m.view.x, m.view.y)
	}
	m.SetCursor(0, 0)
	if x, y := m.view.cell(0, 0); x < 0 || y < 0 || x > 60 || y > 19 || m.Follow != "" {
		t.Errorf("the cursor is at %.1f, %.1f, following %q", x, y, m.Follow)
	}
	for range 200 {
		m.Step(1, 1)
		if x, y := m.view.cell(m.Cursor()); x < 0 || y < 0 || x >= 60 || y >= 19 {
			t.Fatalf("the cursor left the view: %.1f, %.1f", x, y)
		}
	}
}

func TestLidarReturnsAreDrawnWhereTheyWereMeasured(t *testing.T) {
	s := two()
	spec := &scene.LidarSpec{Columns: 4, Rows: 1, MinAngle: 0, MaxAngle: 3 * math.Pi / 2, MaxRange: 10}
	s.Model.Entities[0].Sensors = []sim.SensorModel{{Spec: &scene.Sensor{Kind: scene.Lidar, Lidar: *spec}}}
	inf := float32(math.Inf(1))
	s.Samples = []sim.Sample{{Data: &sim.LidarScan{Spec: spec,
		Ranges: []float32{3, inf, float32(math.NaN()), -inf}}, Frame: r3.PoseRPY(0, 0, 0, 0, 0, math.Pi/2)}}
	m := NewMap()
	g := canvas.NewCellBuffer(60, 20)
	m.Feed(s)
	m.Draw(g.All(), &View{Snap: s, Entity: 0, Symbols: canvas.ASCII})
	if n := strings.Count(g.Plain(), "*"); n != 1 {
		t.Fatalf("%d returns are drawn, want 1\n%s", n, g.Plain())
	}
	x, y := m.view.cell(0, 3)
	if c := g.At(int(x), int(y)); c.Role != theme.Return {
		t.Errorf("at 0, 3 stands %c", c.Rune)
	}
	m.Lidar = false
	g.Clear()
	m.Draw(g.All(), &View{Snap: s, Entity: 0, Symbols: canvas.ASCII})
	if strings.Contains(g.Plain(), "*") {
		t.Error("hidden returns are drawn")
	}
}

func TestTheGridIsOfRoundSteps(t *testing.T) {
	for scale := 0.003; scale < 1000; scale *= 1.7 {
		v := viewport{scale: scale}
		step := v.gridStep(8)
		lead := step / math.Pow(10, math.Floor(math.Log10(step)+1e-9))
		if step < 8*scale || step > 8*scale*2.6 ||
			math.Min(math.Abs(lead-1), math.Min(math.Abs(lead-2), math.Abs(lead-5))) > 1e-6 {
			t.Errorf("at %v m a cell the grid has %v m", scale, step)
		}
	}
}

func TestAMapThatFollowsOrIsCentredBeforeItIsDrawnHasTheScaleOfTheWorld(t *testing.T) {
	whole, s := NewMap(), two()
	drawMap(whole, s, 80, 22)
	for what, choose := range map[string]func(*Map){
		"follow": func(m *Map) { m.Follow = "b" }, "a pose": func(m *Map) { m.Centre(4, 4) },
	} {
		m := NewMap()
		m.Feed(s)
		choose(m)
		drawMap(m, s, 80, 22)
		if m.view.scale != whole.view.scale || m.view.x != 4 || m.view.y != 4 {
			t.Errorf("%s: %+v, want the scale %v about 4, 4", what, m.view, whole.view.scale)
		}
		m.Zoom(2)
		zoomed := m.view.scale
		if drawMap(m, s, 80, 22); m.view.scale != zoomed {
			t.Errorf("%s: the scale %v that was chosen became %v", what, zoomed, m.view.scale)
		}
	}
}

func TestAnotherWorldIsSeenWholeAlsoWhereAnEntityOfTheLastWasFollowed(t *testing.T) {
	m, s := NewMap(), two()
	m.Follow = "b"
	drawMap(m, s, 80, 22)
	m.Zoom(8)
	next := two()
	next.Model.World.Name = "next"
	next.Model.Entities[1].Name = "c"
	whole := NewMap()
	drawMap(whole, next, 80, 22)
	if drawMap(m, next, 80, 22); m.view != whole.view || m.Follow != "" {
		t.Errorf("%+v following %q, want %+v", m.view, m.Follow, whole.view)
	}
}

func TestFollowingShowsWhatIsNearAndItsEndTheWholeWorld(t *testing.T) {
	s, m := gallery(), NewMap()
	g := canvas.NewCellBuffer(80, 20)
	draw := func() float64 {
		m.Feed(s)
		m.Draw(g.All(), &View{Snap: s, Entity: 1})
		return m.view.scale
	}
	s.Entities[2].Pose.Pos.X = 90
	whole := draw()
	m.Follow = "green"
	if near := draw(); near*80 > 16.01 || whole*80 < 90 {
		t.Errorf("following shows %.1f m, before that %.1f m", near*80, whole*80)
	}
	m.Follow = ""
	if got := draw(); got != whole {
		t.Errorf("after following a cell is %v m, before it %v m", got, whole)
	}
	m.Follow = "green"
	draw()
	m.Zoom(2)
	chosen := draw()
	m.Follow = ""
	if got := draw(); got != chosen {
		t.Errorf("the operator's scale became %v m, from %v m", got, chosen)
	}
}
