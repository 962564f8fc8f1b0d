package physics

import (
	"math"
	"runtime"
	"testing"
	"time"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// crewed is a scene that steps with so many hands, however little there is to do.
func crewed(t testing.TB, build func() (*scene, float64, int), hands int) (*scene, float64) {
	s, dt, _ := build()
	s.World.cfg.Crew = NewCrew(hands, nil)
	s.World.cfg.Crew.eager = true
	s.World.cfg.Crew.Start()
	t.Cleanup(s.World.cfg.Crew.Stop)
	return s, dt
}

// TestAnyNumberOfHandsGivesTheSameBits steps the golden scenes with every stage shared between 2, 3 and 8
// hands, in assembly and in Go, which the race detector sees.
func TestAnyNumberOfHandsGivesTheSameBits(t *testing.T) {
	steps := 200
	if testing.Short() {
		steps = 30
	}
	for name, build := range goldenScenes(t) {
		alone, dt, _ := build()
		var crews []*scene
		for _, hands := range []int{2, 3, 8} {
			s, _ := crewed(t, build, hands)
			crews = append(crews, s)
		}
		crews[1].solver.wide = false
		for i := range steps {
			alone.step(dt, 1)
			for _, s := range crews {
				s.step(dt, 1)
				if s.Hash() != alone.Hash() {
					t.Fatalf("%s: %d hands differ from one from step %d on", name, s.World.cfg.Crew.size, i+1)
				}
			}
		}
		for _, s := range crews {
			if err := s.Validate(); err != nil {
				t.Error(err)
			}
			s.World.cfg.Crew.Stop()
		}
	}
}

func TestACrewServesSeveralWorldsAndAnIdleOneSleeps(t *testing.T) {
	before := runtime.NumGoroutine()
	c := NewCrew(4, nil)
	if runtime.NumGoroutine() != before {
		t.Error("NewCrew started something")
	}
	c.eager = true
	for range 2 {
		c.Start()
		var hashes []uint64
		for _, crew := range []*Crew{c, c, nil} {
			s := fallingBoxes(t, 3, 3, 3, earth())
			s.World.cfg.Crew = crew
			s.step(1.0/60, 60)
			hashes = append(hashes, s.Hash())
		}
		if hashes[0] != hashes[2] || hashes[1] != hashes[2] {
			t.Errorf("hashes %x", hashes)
		}
		deadline := time.Now().Add(10 * time.Second)
		for i := 1; i < len(c.berths); i++ {
			for !c.berths[i].asleep.Load() {
				if time.Now().After(deadline) {
					t.Fatal("a hand with nothing to do does not sleep")
				}
				time.Sleep(time.Millisecond)
			}
		}
		c.Stop()
		for runtime.NumGoroutine() > before {
			if time.Now().After(deadline) {
				t.Fatalf("%d goroutines after Stop, %d before Start", runtime.NumGoroutine(), before)
			}
			runtime.Gosched()
		}
	}
}

func TestSmallWorldsAreSteppedByOneHand(t *testing.T) {
	c := NewCrew(4, nil)
	c.Start()
	defer c.Stop()
	s := fallingBoxes(t, 3, 3, 3, earth())
	s.World.cfg.Crew = c
	s.step(1.0/60, 120)
	if n := c.ticket.Load() >> 32; n != 0 {
		t.Errorf("27 boxes: the others were called %d times", n)
	}
	s = newScene(t, 0.5, earth())
	s.ground()
	for i := range 800 {
		s.body(shape.Box{Half: r3.V(0.1, 0.1, 0.1)}, 1, at(float64(i%30), float64(i/30), 0.1), 0)
	}
	s.World.cfg.Crew = c
	s.step(1.0/60, 10)
	if c.ticket.Load()>>32 == 0 {
		t.Error("800 boxes: nobody was called")
	}
}

func TestAStepOfACrewAllocatesNothing(t *testing.T) {
	s, dt := crewed(t, func() (*scene, float64, int) { return fallingBoxes(t, 6, 6, 6, earth()), 1.0 / 60, 0 }, 2)
	s.step(dt, 300)
	if n := testing.AllocsPerRun(50, func() { s.step(dt, 1) }); n > 0 {
		t.Errorf("%v allocations per step", n)
	}
}

// TestAPanicOfAHandIsTheCallers, so that whoever steps a world can catch it, and the program goes on.
func TestAPanicOfAHandIsTheCallers(t *testing.T) {
	s, dt := crewed(t, func() (*scene, float64, int) { return fallingBoxes(t, 4, 4, 4, earth()), 1.0 / 60, 0 }, 2)
	s.step(dt, 100)
	for i := range s.contacts.all {
		s.contacts.all[i].a = math.MaxInt32
	}
	defer func() {
		if recover() == nil {
			t.Error("a contact of a geom that there is not was computed")
		}
	}()
	_ = s.Step(dt)
}

// trying is a world whose crew is told times by a clock that goes faster in steps of one kind, and the world's work by
// the test.
type trying struct {
	*Crew
	world *World
	now   int64
	slow  bool // the crew is slower than the caller alone
}

func newTrying(t *testing.T) *trying {
	y := &trying{world: fallingBoxes(t, 3, 3, 3, earth()).World}
	y.Crew = NewCrew(2, func() int64 { return y.now })
	y.world.cfg.Crew = y.Crew
	y.Start()
	t.Cleanup(y.Stop)
	return y
}

// alone is in how many of some steps of so much work the caller is alone.
func (y *trying) alone(steps, work int) (n int) {
	for range steps {
		y.world.stats.Touching = work
		y.begin(y.world)
		if y.parts(1000, 1) == 1 {
			n++
		}
		y.now += 1000
		if y.trial.alone != y.slow {
			y.now += 300
		}
		y.end()
	}
	return n
}

func TestACrewRestsWhereTheCallerAloneIsFaster(t *testing.T) {
	y := newTrying(t)
	if n := y.alone(trialEvery, 0); n != trialSteps {
		t.Errorf("where all are faster, the caller was alone in %d steps of %d, want %d for a trial", n, trialEvery, trialSteps)
	}
	y.slow = true
	if n := y.alone(trialEvery, 0); n != trialEvery-trialSteps {
		t.Errorf("where the caller is faster, it was alone in %d steps of %d, want all but %d", n, trialEvery, trialSteps)
	}
	if err := y.world.Step(1.0 / 60); err != nil {
		t.Fatal(err)
	}
	if y.world.trial.steps != 1 {
		t.Errorf("steps of a world are not counted: %d", y.world.trial.steps)
	}
}

// TestACrewIsTriedAgainWhenTheWorkHasChanged: what fell has become a heap, long before the next trial is due.
func TestACrewIsTriedAgainWhenTheWorkHasChanged(t *testing.T) {
	y := newTrying(t)
	y.slow = true
	if n := y.alone(trialSoon, 0); n != trialSoon-trialSteps {
		t.Errorf("slower at nothing: alone in %d steps of %d, want all but %d", n, trialSoon, trialSteps)
	}
	y.slow = false
	if n := y.alone(trialSoon, 10*trialLeast); n != trialSteps {
		t.Errorf("faster at a heap: alone in %d steps of %d, want %d for a trial", n, trialSoon, trialSteps)
	}
	if n := y.alone(trialEvery-trialSoon, 15*trialLeast); n != 0 {
		t.Errorf("half as much more work: alone in %d steps, want no trial yet", n)
	}
}

// TestEachWorldOfACrewHasItsOwnTrial: a small one does not send the hands of a large one home.
func TestEachWorldOfACrewHasItsOwnTrial(t *testing.T) {
	y := newTrying(t)
	small, large := y.world, fallingBoxes(t, 4, 4, 4, earth()).World
	for range trialSoon {
		y.world, y.slow = small, true
		y.alone(1, 0)
		y.world, y.slow = large, false
		y.alone(1, 1000)
	}
	if !small.trial.alone || large.trial.alone {
		t.Errorf("the small world is computed alone: %v, want true; the large one: %v, want false", small.trial.alone, large.trial.alone)
	}
}
