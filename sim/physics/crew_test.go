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

// TestACrewRestsWhereTheCallerAloneIsFaster tells it times by a clock that goes faster in steps of one kind.
func TestACrewRestsWhereTheCallerAloneIsFaster(t *testing.T) {
	now, slow := int64(0), false
	c := NewCrew(2, func() int64 { return now })
	c.Start()
	defer c.Stop()
	s := fallingBoxes(t, 3, 3, 3, earth())
	s.World.cfg.Crew = c
	alone := func(steps int) (n int) {
		for range steps {
			c.begin()
			if c.parts(1000, 1) == 1 {
				n++
			}
			now += 1000
			if c.trial.alone != slow {
				now += 300
			}
			c.end()
		}
		return n
	}
	if n := alone(trialEvery); n != trialSteps {
		t.Errorf("where all are faster, the caller was alone in %d steps of %d, want %d for a trial", n, trialEvery, trialSteps)
	}
	slow = true
	if n := alone(trialEvery); n != trialEvery-trialSteps {
		t.Errorf("where the caller is faster, it was alone in %d steps of %d, want all but %d", n, trialEvery, trialSteps)
	}
	s.step(1.0/60, 2)
	if c.trial.steps != 2*trialEvery+2 {
		t.Errorf("steps of a world are not counted: %d", c.trial.steps)
	}
}
