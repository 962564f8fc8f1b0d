package pane

import (
	"fmt"
	"slices"
	"testing"

	"simdeck/sim"
	"simdeck/sim/scene"
)

// tenOf is a table of e0 … e9, of which the even ones are tagged.
func tenOf() (*Entities, *sim.Snapshot) {
	s := &sim.Snapshot{Model: &sim.Model{}, Entities: make([]sim.EntityState, 10)}
	for i := range 10 {
		m := sim.EntityModel{Name: fmt.Sprintf("e%d", i)}
		if i%2 == 0 {
			m.Info = scene.Info{Tags: []string{"even"}}
		}
		s.Model.Entities = append(s.Model.Entities, m)
	}
	e := NewEntities()
	e.fit(10, 20)
	e.Feed(s)
	return e, s
}

func TestMarksAreSetByRowByRangeAndByFilter(t *testing.T) {
	for name, c := range map[string]struct {
		do   func(e *Entities)
		want []string
	}{
		"a row, and the next": {func(e *Entities) { e.Top(); e.Mark(); e.Mark() }, []string{"e0", "e1"}},
		"a row twice":         {func(e *Entities) { e.Top(); e.Mark(); e.Top(); e.Mark() }, nil},
		"a range downwards": {func(e *Entities) { e.Top(); e.Mark(); e.Move(2); e.MarkRange() },
			[]string{"e0", "e1", "e2", "e3"}},
		"a range upwards": {func(e *Entities) { e.Bottom(); e.Toggle("e9"); e.Move(-2); e.MarkRange() },
			[]string{"e7", "e8", "e9"}},
		"a range from the last": {func(e *Entities) {
			e.Top()
			e.MarkRange()
			e.Move(2)
			e.MarkRange()
		}, []string{"e0", "e1", "e2"}},
		"what a filter shows": {func(e *Entities) { e.SetFilter("tag:even"); e.MarkShown() },
			[]string{"e0", "e2", "e4", "e6", "e8"}},
		"what it shows, and hidden": {func(e *Entities) { e.Toggle("e1"); e.SetFilter("e[23]"); e.MarkShown(); e.SetFilter("") },
			[]string{"e1", "e2", "e3"}},
		"all, and none": {func(e *Entities) { e.MarkShown(); e.MarkShown() }, nil},
		"these and no others": {func(e *Entities) { e.MarkShown(); e.SetMarks("e4", "e5") },
			[]string{"e4", "e5"}},
	} {
		t.Run(name, func(t *testing.T) {
			e, _ := tenOf()
			c.do(e)
			if got := e.Marked(); !slices.Equal(got, c.want) {
				t.Errorf("marked %v, want %v", got, c.want)
			}
		})
	}
}

func TestAMarkGoesWithItsEntity(t *testing.T) {
	e, s := tenOf()
	e.SetMarks("e3", "e4")
	less := &sim.Snapshot{Model: &sim.Model{Entities: slices.Clone(s.Model.Entities[4:])},
		Entities: s.Entities[4:]}
	e.Feed(less)
	e.Feed(s) // one of that name came back: another entity
	if got := e.Marked(); !slices.Equal(got, []string{"e4"}) {
		t.Errorf("marked %v", got)
	}
}

func TestEveryColumnSorts(t *testing.T) {
	e, s := tenOf()
	kinds := []scene.Category{scene.Robot, scene.StaticObject}
	for i := range s.Model.Entities {
		m := &s.Model.Entities[i]
		m.Info.Category = kinds[i%2]
		m.Info.Tags = []string{string(rune('a' + 9 - i))}
		m.Spec = &scene.ModelSpec{Name: string(rune('z' - i))}
		m.Static = i == 5
		s.Entities[i].Asleep = i == 3
		s.Entities[i].Pose.Pos.X, s.Entities[i].Pose.Pos.Y, s.Entities[i].Pose.Pos.Z = float64(-i),
			float64(i%5), float64(i)
	}
	s.Entities[7].Twist.Linear.X = 1
	first := map[string]string{"name": "e0", "kind": "e0", "state": "e7", "x m": "e9", "y m": "e0",
		"z m": "e0", "yaw °": "e0", "m/s": "e0", "tags": "e9", "model": "e9"}
	for range len(first) { // a curve is no order
		title := e.cols[e.sort].title
		e.Feed(s)
		if got := e.model.Entities[e.order[0]].Name; got != first[title] {
			t.Errorf("by %s, %s comes first, want %s", title, got, first[title])
		}
		delete(first, title)
		e.SortBy(1)
	}
	if len(first) > 0 {
		t.Errorf("never sorted by %v", first)
	}
}
