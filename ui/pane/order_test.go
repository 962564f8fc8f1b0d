package pane

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// TestRepairingAnOrderGivesWhatSortingGives moves entities little and much;
// the repaired order must be the sorted one either way.
func TestRepairingAnOrderGivesWhatSortingGives(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, reverse := range []bool{false, true} {
		s := &sim.Snapshot{Model: &sim.Model{Entities: make([]sim.EntityModel, 300)},
			Entities: make([]sim.EntityState, 300)}
		e := NewEntities()
		for e.cols[e.sort].title != "x m" {
			e.SortBy(1)
		}
		e.reverse = reverse
		for round := range 40 {
			for i := range s.Entities {
				step := 0.01
				if round%10 == 0 {
					step = 100
				}
				s.Entities[i].Pose.Pos.X += (random.Float64() - 0.5) * step
				if i%97 == 0 {
					s.Entities[i].Pose.Pos.X = math.NaN()
				}
				if i%50 == 0 {
					s.Entities[i].Pose.Pos.X = 1 // equal ones stay in the order of names
				}
			}
			e.Feed(s)
			want := slices.Clone(e.order)
			slices.Sort(want)
			slices.SortStableFunc(want, func(a, b int32) int {
				switch {
				case e.before(a, b):
					return -1
				case e.before(b, a):
					return 1
				}
				return 0
			})
			if !slices.Equal(e.order, want) {
				t.Fatalf("round %d: the order is not that of sorting", round)
			}
		}
	}
}

func TestInsertionGivesUpWithAPermutation(t *testing.T) {
	list := []int32{9, 8, 7, 6, 5, 4, 3, 2, 1, 0}
	if insertion(list, func(a, b int32) bool { return a < b }, 10) {
		t.Error("45 moves were done for 10")
	}
	slices.Sort(list)
	for i, v := range list {
		if int(v) != i {
			t.Fatalf("the list lost something: %v", list)
		}
	}
}

func TestAHeldOrderDoesNotFollowTheValues(t *testing.T) {
	s := &sim.Snapshot{Model: &sim.Model{Entities: []sim.EntityModel{{Name: "a"}, {Name: "b"}}},
		Entities: make([]sim.EntityState, 2)}
	e := NewEntities()
	for e.cols[e.sort].title != "x m" {
		e.SortBy(1)
	}
	s.Entities[0].Pose.Pos = r3.V(1, 0, 0)
	e.Feed(s)
	if !slices.Equal(e.order, []int32{1, 0}) {
		t.Fatalf("the order is %v", e.order)
	}
	e.Hold()
	s.Entities[0].Pose.Pos = r3.V(-1, 0, 0)
	e.Feed(s)
	if !slices.Equal(e.order, []int32{1, 0}) {
		t.Errorf("the held order became %v", e.order)
	}
	e.Hold()
	e.Feed(s)
	if !slices.Equal(e.order, []int32{0, 1}) {
		t.Errorf("let go, the order is %v", e.order)
	}
}

func TestColumnsGoFromTheLeastImportant(t *testing.T) {
	cols := columns()
	for w := 12; w < 160; w++ {
		widths := place(cols, w)
		total, dropped := 2, 99
		for i, n := range widths {
			if n > 0 {
				total += n + 1
			} else {
				dropped = min(dropped, cols[i].drop)
			}
		}
		for i, n := range widths {
			if n > 0 && cols[i].drop > dropped {
				t.Errorf("in %d columns %s is shown and something more important is not", w, cols[i].title)
			}
		}
		if total > w+1 && w > 32 {
			t.Errorf("in %d columns the table takes %d", w, total)
		}
	}
}

func TestWhatMovesByItsJointsMoves(t *testing.T) {
	s := gallery()
	if got := motion(s, 1); got != "still" || speed(s, 1) != 0 {
		t.Errorf("at rest it is %s, at %v m/s", got, speed(s, 1))
	}
	s.Links[1].Twist.Linear.X = 0.5
	if got := motion(s, 1); got != "moving" || speed(s, 1) != 0.5 {
		t.Errorf("with a link at 0.5 m/s it is %s, at %v m/s", got, speed(s, 1))
	}
	s.Links[1].Twist = r3.Twist{Angular: r3.V(0, 0, 1)}
	if got := motion(s, 1); got != "moving" {
		t.Errorf("with a link that turns it is %s", got)
	}
}

func TestTheFirstSelectionIsARobotThatCanBeDriven(t *testing.T) {
	m := &sim.Model{}
	for i, name := range []string{"arm", "crate", "rover", "scout"} {
		e := sim.EntityModel{Name: name, Spec: &scene.ModelSpec{}, Info: scene.Info{Category: scene.Robot}}
		if i == 1 {
			e.Info.Category = scene.DynamicObject
		}
		if i > 1 {
			e.Spec.Drives = make([]scene.Drive, 1)
		}
		m.Entities = append(m.Entities, e)
	}
	for n, want := range map[int]string{0: "", 1: "arm", 2: "arm", 4: "rover"} {
		if got := firstRobot(&sim.Model{Entities: m.Entities[:n]}); got != want {
			t.Errorf("of %d entities %q is selected, want %q", n, got, want)
		}
	}
}
