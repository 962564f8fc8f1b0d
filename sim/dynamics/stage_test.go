package dynamics

import (
	"math"
	"strings"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// follow applies the stages of a table to the conditions before it. It reports the first stage that lacks
// one.
func follow(table []stage, have conditions) (after conditions, lacks string) {
	for i := range table {
		st := &table[i]
		if lack := st.needs &^ have; lack != 0 && lacks == "" {
			lacks = st.name + " lacks " + lack.String()
		}
		have = have&^st.breaks | st.leaves
	}
	return have, lacks
}

// TestEachStageNeedsWhatAnEarlierOneLeaves follows a step of three substeps.
func TestEachStageNeedsWhatAnEarlierOneLeaves(t *testing.T) {
	at := 0
	for stepStages[at].name != "run substeps" {
		at++
	}
	have, lacks := follow(stepStages[:at], 0)
	if lacks != "" {
		t.Error(lacks)
	}
	if lack := substepStart &^ have; lack != 0 {
		t.Errorf("a substep begins without %v", lack)
	}
	for range 3 {
		if have, lacks = follow(substepStages, have&^ofOneSubstep); lacks != "" {
			t.Error(lacks)
		}
		if lack := (substepStart | stepStages[at].leaves) &^ have; lack != 0 {
			t.Errorf("a substep ends without %v", lack)
		}
	}
	if _, lacks = follow(stepStages[at+1:], have); lacks != "" {
		t.Error(lacks)
	}
}

// TestNoStageCouldChangePlacesWithItsNeighbour: the conditions are the whole reason of the order.
func TestNoStageCouldChangePlacesWithItsNeighbour(t *testing.T) {
	for name, table := range map[string][]stage{"step": stepStages, "substep": substepStages} {
		start := conditions(0)
		if name == "substep" {
			start = substepStart
		}
		for i := range len(table) - 1 {
			have, _ := follow(table[:i], start)
			if _, lacks := follow([]stage{table[i+1], table[i]}, have); lacks == "" {
				t.Errorf("%s: %q and %q could change places", name, table[i].name, table[i+1].name)
			}
		}
	}
}

// TestEveryConditionIsLeftAndNeeded, or it would say nothing; but for the last of a table, which the caller
// needs.
func TestEveryConditionIsLeftAndNeeded(t *testing.T) {
	var left, needed conditions
	for _, st := range append(append([]stage{}, stepStages...), substepStages...) {
		left, needed = left|st.leaves, needed|st.needs
	}
	all := conditions(1<<len(conditionTable) - 1)
	if left != all {
		t.Errorf("nothing leaves %v", all&^left)
	}
	if unused := all &^ (needed | islandsAsleep | rowImpulsesStored); unused != 0 {
		t.Errorf("nothing needs %v", unused)
	}
}

// TestStagesLeaveWhatTheySay checks every condition after every stage of the scenes that hold the bits.
func TestStagesLeaveWhatTheySay(t *testing.T) {
	for name, build := range goldenScenes(t) {
		s, dt, _ := build()
		seen := map[string]int{}
		c := new(stageChecker)
		s.solver.inspect = func(w *World, st *stage) {
			seen[st.name]++
			c.after(w, st)
		}
		s.step(dt, 60)
		for _, st := range append(append([]stage{}, stepStages...), substepStages...) {
			if seen[st.name] < 60 {
				t.Errorf("%s: stage %q ran %d times in 60 steps", name, st.name, seen[st.name])
			}
		}
	}
}

// TestACheckerFindsWhatAStageHasBroken breaks conditions by hand.
func TestACheckerFindsWhatAStageHasBroken(t *testing.T) {
	for name, spoil := range map[string]func(s *solver){
		"after stage \"solve with bias\": bias solved":             func(s *solver) { s.rows[0].impulse[0] = -1 },
		"after stage \"solve with bias\": bodies loaded":           func(s *solver) { s.slots[1]++ },
		"after stage \"solve with bias\": contact rows built":      func(s *solver) { s.rows[0].mass[0] = -1 },
		"after stage \"solve with bias\": substep chosen":          func(s *solver) { s.h *= 2 },
		"after stage \"solve with bias\": contacts colored":        func(s *solver) { s.packs[0].constraintIndex[0] = -1 },
		"after stage \"solve with bias\": forces applied: entry 1": func(s *solver) { s.states[1].v.X = math.NaN() },
	} {
		s := newScene(t, 0.5, earth())
		s.ground()
		s.body(shape.Box{Half: r3.V(0.1, 0.1, 0.1)}, 1, at(0, 0, 0.1), 0)
		s.step(0.01, 2)
		c := new(stageChecker)
		s.solver.inspect = func(w *World, st *stage) {
			if st.name == "solve with bias" {
				spoil(&w.solver)
			}
			c.after(w, st)
		}
		func() {
			defer func() {
				if p, _ := recover().(string); !strings.HasPrefix(p, name) {
					t.Errorf("%s: panicked with %q", name, p)
				}
			}()
			_ = s.Step(0.01)
		}()
	}
}

// TestACheckerFindsAFaultThatIsNotContained: in a world that contains, a lost motion is no error of a stage.
// It is one when containment overlooks it, when it comes after containment, and when structure is broken too.
func TestACheckerFindsAFaultThatIsNotContained(t *testing.T) {
	lose := func(w *World) { w.solver.states[1].v.X = math.NaN() }
	for _, c := range []struct {
		lost, spoiled string
		spoil         func(w *World)
		want          string
	}{
		{"solve with bias", "", nil, ""},
		{"solve with bias", "solve with bias", func(w *World) { w.solver.slots[1]++ },
			`after stage "solve with bias": bodies loaded`},
		{"solve with bias", "write bodies", func(w *World) { w.containment.found = false },
			`after stage "write bodies": motions were lost: true; containment found some: false`},
		{"", "write bodies", func(w *World) { w.containment.found = true },
			`after stage "write bodies": motions were lost: false; containment found some: true`},
		{"", "measure joints", lose, `after stage "measure joints": forces applied: entry 1`},
		{"solve with bias", "measure joints",
			func(w *World) { w.contacts.manifolds[0].impulses[0] = math.NaN() },
			`after stage "measure joints": manifolds found`},
	} {
		s := newScene(t, 0.5, containing())
		s.ground()
		s.body(shape.Box{Half: r3.V(0.1, 0.1, 0.1)}, 1, at(0, 0, 0.1), 0)
		s.step(0.01, 2)
		var checker stageChecker
		lost, spoiled := false, false
		s.solver.inspect = func(w *World, st *stage) {
			if st.name == c.lost && !lost {
				lost = true
				lose(w)
			}
			if st.name == c.spoiled && !spoiled {
				spoiled = true
				c.spoil(w)
			}
			checker.after(w, st)
		}
		func() {
			defer func() {
				if p, _ := recover().(string); !strings.HasPrefix(p, c.want) || (p == "") != (c.want == "") {
					t.Errorf("lost in %q, spoiled in %q: panicked with %q, not %q", c.lost, c.spoiled, p, c.want)
				}
			}()
			s.check(s.Step(0.01))
		}()
	}
}

// TestRelaxingTakesTheVelocityOfBiasOutAgain: a ball 2 cm deep in the ground is pushed out by positions.
// Relaxation takes the velocity of the bias out again.
func TestRelaxingTakesTheVelocityOfBiasOutAgain(t *testing.T) {
	s := newScene(t, 0.5, Config{NoSleep: true, Substeps: 4})
	s.ground()
	s.body(shape.Sphere{Radius: 0.1}, 1, at(0, 0, 0.08), 0)
	biased, relaxed := 0.0, 0.0
	s.solver.inspect = func(w *World, st *stage) {
		switch st.name {
		case "solve with bias":
			biased = w.solver.states[1].v.Z
		case "relax":
			relaxed = w.solver.states[1].v.Z
		}
	}
	s.step(0.01, 1)
	if !(biased > 0.1) || !(math.Abs(relaxed) < 1e-9) {
		t.Errorf("%v m/s with bias, %v m/s relaxed", biased, relaxed)
	}
}
