package pane

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/ui/canvas"
)

// yard is a world of a robot, two boxes and fixed things, whose names mix.
func yard(statics int) *sim.Snapshot {
	s := &sim.Snapshot{Model: &sim.Model{}, State: sim.Playing}
	add := func(name string, static bool, category scene.Category) {
		m := sim.EntityModel{Name: name, Static: static}
		m.Info.Category = category
		s.Model.Entities = append(s.Model.Entities, m)
	}
	add("box_1", false, scene.DynamicObject)
	for i := range statics {
		add(fmt.Sprintf("box_2_wall_%d", i), true, scene.StaticObject)
	}
	add("box_3", false, scene.DynamicObject)
	add("rover", false, scene.Robot)
	for range s.Model.Entities {
		s.Entities = append(s.Entities, sim.EntityState{Pose: r3.IdentityPose()})
	}
	return s
}

// table draws the table without its titles.
func table(e *Entities, s *sim.Snapshot) []string {
	g := canvas.NewCellBuffer(60, 12)
	e.Draw(g.All(), &View{Snap: s, Entity: -1, Focused: true})
	var rows []string
	for _, line := range strings.Split(g.Plain(), "\n")[1:] {
		if words := strings.Fields(strings.TrimLeft(line, "> ")); len(words) > 0 {
			rows = append(rows, words[0])
		}
	}
	return rows
}

func TestFixedEntitiesShareARowThatOpens(t *testing.T) {
	s, e := yard(4), NewEntities()
	e.Feed(s)
	closed := []string{"box_1", "box_3", "rover", "▸"}
	if got := table(e, s); !slices.Equal(got, closed) || e.Selected() != "rover" || e.Wanted() != 4 {
		t.Fatalf("at first %v, selected %q, wants %d rows", got, e.Selected(), e.Wanted())
	}
	if shown, all := e.Count(); shown != 7 || all != 7 {
		t.Errorf("%d of %d are counted", shown, all)
	}
	e.Move(1)
	if !e.OnFold() || e.Selected() != "" {
		t.Fatalf("below the last robot is %q", e.Selected())
	}
	e.Feed(s)
	if !e.OnFold() {
		t.Error("a picture of the world moved the cursor")
	}
	e.Fold()
	e.Feed(s)
	open := []string{"box_1", "box_3", "rover", "▾", "box_2_wall_0", "box_2_wall_1", "box_2_wall_2",
		"box_2_wall_3"}
	if got := table(e, s); !slices.Equal(got, open) || !e.OnFold() || e.Wanted() != 8 {
		t.Fatalf("open: %v, wants %d rows", got, e.Wanted())
	}
	e.Move(2)
	if e.Selected() != "box_2_wall_1" {
		t.Errorf("two rows further is %q", e.Selected())
	}
	e.Reverse()
	e.Feed(s)
	if got := table(e, s); !slices.Equal(got, []string{"rover", "box_3", "box_1", "▾", "box_2_wall_3",
		"box_2_wall_2", "box_2_wall_1", "box_2_wall_0"}) || e.Selected() != "box_2_wall_1" {
		t.Errorf("reversed: %v, selected %q", got, e.Selected())
	}
	if !e.Click(4) {
		t.Error("the row was not hit")
	}
	e.Feed(s)
	if got := table(e, s); len(got) != 4 || !e.OnFold() {
		t.Errorf("a click left it open: %v", got)
	}
}

func TestWhatIsSelectedElsewhereIsUnfolded(t *testing.T) {
	s, e := yard(4), NewEntities()
	e.Feed(s)
	e.Select("box_2_wall_2")
	e.Feed(s)
	if got := table(e, s); !slices.Contains(got, "box_2_wall_2") || e.Selected() != "box_2_wall_2" {
		t.Errorf("%v, selected %q", got, e.Selected())
	}
}

func TestAFilterFindsWhatIsFolded(t *testing.T) {
	s, e := yard(4), NewEntities()
	e.Feed(s)
	e.SetFilter("wall_3")
	e.Feed(s)
	if got := table(e, s); !slices.Equal(got, []string{"box_2_wall_3"}) || e.Selected() != "box_2_wall_3" ||
		e.Wanted() != 4 {
		t.Errorf("%v, selected %q, wants %d", got, e.Selected(), e.Wanted())
	}
	e.SetFilter("")
	e.Feed(s)
	if got := table(e, s); len(got) != 4 {
		t.Errorf("without a filter: %v", got)
	}
}

func TestFewFixedEntitiesOrOnlySuchAreNotFolded(t *testing.T) {
	s, e := yard(2), NewEntities()
	e.Feed(s)
	if got := table(e, s); !slices.Equal(got, []string{"box_1", "box_2_wall_0", "box_2_wall_1", "box_3",
		"rover"}) {
		t.Errorf("%v", got)
	}
	s = &sim.Snapshot{Model: &sim.Model{}}
	for i := range 5 {
		s.Model.Entities = append(s.Model.Entities,
			sim.EntityModel{Name: fmt.Sprint("wall_", i), Static: true})
		s.Entities = append(s.Entities, sim.EntityState{Pose: r3.IdentityPose()})
	}
	e = NewEntities()
	e.Feed(s)
	if got := table(e, s); len(got) != 5 {
		t.Errorf("a world of walls: %v", got)
	}
}

func TestACurveShowsTheSpeedsOfTheLastTenSeconds(t *testing.T) {
	s, e := yard(0), NewEntities()
	for i := range 13 {
		now := *s
		now.Time = time.Duration(i) * time.Second
		now.Entities = slices.Clone(s.Entities)
		now.Entities[0].Twist.Linear = r3.V(float64(i)/12, 0, 0)
		e.Feed(&now)
	}
	if got := e.past.bars(0, 10); got != "▂▃▄▄▅▆▆▇██" {
		t.Errorf("got %q", got)
	}
	if got := e.past.bars(1, 10); got != "" {
		t.Errorf("what rests has %q", got)
	}
	s.Model = &sim.Model{Entities: s.Model.Entities[:1]} // another model, and an earlier time
	e.Feed(s)
	if got := e.past.bars(0, 10); got != "" {
		t.Errorf("after a reset: %q", got)
	}
}

func TestARobotThatRunsIntoSomethingIsMarked(t *testing.T) {
	s := yard(0)
	s.Contacts = []sim.ContactPoint{{A: 2, B: 0, Normal: r3.V(0, 0, 1)}}
	if got := collisions(nil, s); len(got) != 0 {
		t.Errorf("the ground that carries it counts: %v", got)
	}
	s.Contacts = append(s.Contacts, sim.ContactPoint{A: 0, B: 2, Normal: r3.V(1, 0, 0)})
	if got := collisions(nil, s); len(got) != 1 || !got[2] {
		t.Errorf("collided: %v", got)
	}
	n := &Instruments{}
	n.Drive("rover")
	n.Feed(s)
	n.Feed(s)
	if n.hits != 1 || n.with != "box_1" {
		t.Errorf("%d collisions, with %q", n.hits, n.with)
	}
	s.Contacts = nil
	n.Feed(s)
	s.Contacts = []sim.ContactPoint{{A: 1, B: 2, Normal: r3.V(0, 1, 0)}}
	if n.Feed(s); n.hits != 2 || n.with != "box_3" {
		t.Errorf("%d collisions, with %q", n.hits, n.with)
	}
}
