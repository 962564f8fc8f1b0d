package dynamics

import (
	"fmt"
	"reflect"
	"testing"
)

// between is a world without the fields that have a meaning only within a step.
func between(w *World) *World {
	c := *w
	c.solver, c.islands, c.scratch = solver{}, islandBuilder{}, nil
	c.contacts.compaction = compactScratch{}
	c.geoms.escaped, c.geoms.adjacency.near = nil, nil
	c.articulations = withoutScratch(w.articulations)
	c.contacts.pairs.spare, c.contacts.pairs.found = nil, nil
	return &c
}

// shared are the immutable types that two worlds may point to together.
var shared = map[string]bool{"shape.Shape": true, "*shape.Hull": true, "*shape.Mesh": true,
	"*dynamics.staticScene": true, "*dynamics.Workers": true, "shape.Proxy": true, "*[3]shape.Proxy": true,
	"shape.Surface": true, "*shape.Field": true}

// memory calls f with the name and address of every mutable piece of memory that v reaches.
func memory(v reflect.Value, name string, f func(name string, at uintptr)) {
	if shared[v.Type().String()] {
		return
	}
	switch v.Kind() {
	case reflect.Slice:
		if v.Cap() > 0 {
			f(name, v.Pointer())
		}
		for i := range min(v.Len(), 50) {
			memory(v.Index(i), fmt.Sprintf("%s[%d]", name, i), f)
		}
	case reflect.Array:
		for i := range v.Len() {
			memory(v.Index(i), fmt.Sprintf("%s[%d]", name, i), f)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			memory(v.Field(i), name+"."+v.Type().Field(i).Name, f)
		}
	case reflect.Pointer, reflect.Map, reflect.Chan, reflect.UnsafePointer:
		if !v.IsNil() {
			f(name, v.Pointer())
		}
	}
}

func TestACopyIsEqualAndSharesNothingThatChanges(t *testing.T) {
	for name, build := range goldenScenes(t) {
		s, dt, steps := build()
		s.step(dt, steps/2)
		// The copy goes into a world that held something else, larger and smaller.
		for _, used := range []*World{pyramid(t, 9, earth()).World, newScene(t, 0.5, earth()).World} {
			_ = used.Step(dt)
			used.CopyFrom(s.World)
			if err := used.Validate(); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			a, b := reflect.ValueOf(between(s.World)).Elem(), reflect.ValueOf(between(used)).Elem()
			for i := range a.NumField() {
				if x, y := fmt.Sprintf("%v", a.Field(i)), fmt.Sprintf("%v", b.Field(i)); x != y {
					t.Errorf("%s: %s is not copied", name, a.Type().Field(i).Name)
				}
			}
			theirs := map[uintptr]string{}
			memory(a, "World", func(name string, at uintptr) { theirs[at] = name })
			memory(b, "World", func(mine string, at uintptr) {
				if other, both := theirs[at]; both {
					t.Errorf("%s: %s is the memory of %s", name, mine, other)
				}
			})
		}
	}
}

func TestACopyGoesOnLikeTheOriginalAndGivesItsStateBack(t *testing.T) {
	for name, build := range goldenScenes(t) {
		s, dt, steps := build()
		s.step(dt, steps/2)
		var past, other World
		past.CopyFrom(s.World)
		other.CopyFrom(s.World)
		var want []uint64
		for range steps / 2 {
			s.step(dt, 1)
			want = append(want, s.Hash())
			if err := other.Step(dt); err != nil {
				t.Fatal(err)
			}
			if other.Hash() != s.Hash() {
				t.Fatalf("%s: the copy diverges at step %d", name, s.Steps())
			}
		}
		if err := s.RemoveBody(s.added[len(s.added)/2]); err != nil {
			t.Fatal(err)
		}
		s.step(dt, 10)
		s.CopyFrom(&past)
		if err := s.Validate(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for i, h := range want {
			s.step(dt, 1)
			if s.Hash() != h {
				t.Fatalf("%s: taken back, it diverges after %d steps", name, i+1)
			}
		}
	}
}

func TestACopyTakenAgainAllocatesNothing(t *testing.T) {
	s := fallingBoxes(t, 6, 6, 6, earth())
	s.step(1.0/60, 120)
	var past World
	past.CopyFrom(s.World)
	if n := testing.AllocsPerRun(20, func() { past.CopyFrom(s.World) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// BenchmarkCopy compares a copy with a step.
func BenchmarkCopy(b *testing.B) {
	s := fallingBoxes(b, 10, 10, 10, earth())
	s.step(1.0/60, 300)
	var past World
	b.Run("copy", func(b *testing.B) {
		for range b.N {
			past.CopyFrom(s.World)
		}
		b.ReportMetric(float64(past.Size()), "bytes/copy")
	})
	b.Run("step", func(b *testing.B) {
		for range b.N {
			_ = s.Step(1.0 / 60)
		}
	})
}
