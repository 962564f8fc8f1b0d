package dynamics

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
	s.World.cfg.Workers = NewWorkers(hands, nil)
	s.World.cfg.Workers.alwaysSplit = true
	s.World.cfg.Workers.Start()
	t.Cleanup(s.World.cfg.Workers.Stop)
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
		crews[1].solver.useSIMD = false
		for i := range steps {
			alone.step(dt, 1)
			for _, s := range crews {
				s.step(dt, 1)
				if s.Hash() != alone.Hash() {
					t.Fatalf("%s: %d hands differ from one from step %d on", name, s.World.cfg.Workers.size, i+1)
				}
			}
		}
		for _, s := range crews {
			if err := s.Validate(); err != nil {
				t.Error(err)
			}
			s.World.cfg.Workers.Stop()
		}
	}
}

func TestACrewServesSeveralWorldsAndAnIdleOneSleeps(t *testing.T) {
	before := runtime.NumGoroutine()
	c := NewWorkers(4, nil)
	if runtime.NumGoroutine() != before {
		t.Error("NewCrew started something")
	}
	c.alwaysSplit = true
	for range 2 {
		c.Start()
		var hashes []uint64
		for _, crew := range []*Workers{c, c, nil} {
			s := fallingBoxes(t, 3, 3, 3, earth())
			s.World.cfg.Workers = crew
			s.step(1.0/60, 60)
			hashes = append(hashes, s.Hash())
		}
		if hashes[0] != hashes[2] || hashes[1] != hashes[2] {
			t.Errorf("hashes %x", hashes)
		}
		deadline := time.Now().Add(10 * time.Second)
		for i := 1; i < len(c.parking); i++ {
			for !c.parking[i].asleep.Load() {
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
	c := NewWorkers(4, nil)
	c.Start()
	defer c.Stop()
	s := fallingBoxes(t, 3, 3, 3, earth())
	s.World.cfg.Workers = c
	s.step(1.0/60, 120)
	if n := c.jobTicket.Load() >> 32; n != 0 {
		t.Errorf("27 boxes: the others were called %d times", n)
	}
	s = newScene(t, 0.5, earth())
	s.ground()
	for i := range 800 {
		s.body(shape.Box{Half: r3.V(0.1, 0.1, 0.1)}, 1, at(float64(i%30), float64(i/30), 0.1), 0)
	}
	s.World.cfg.Workers = c
	s.step(1.0/60, 10)
	if c.jobTicket.Load()>>32 == 0 {
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

// trying is a world whose crew is told times by a clock that goes slower in steps of one kind, and the world's work by
// the test.
type trying struct {
	*Workers
	world *World
	now   int64
	best  parallelMode
}

func newTrying(t *testing.T) *trying {
	y := &trying{world: fallingBoxes(t, 3, 3, 3, earth()).World}
	y.Workers = NewWorkers(2, func() int64 { return y.now })
	y.world.cfg.Workers = y.Workers
	y.Start()
	t.Cleanup(y.Stop)
	return y
}

// alone is in how many of some steps of so much work the caller is alone, and in how many besides it does the passes.
func (y *trying) alone(steps, work int) (all, passes int) {
	for range steps {
		y.world.stats.Touching = work
		y.begin(y.world)
		if y.parts(1000, 1) == 1 {
			all++
		} else if y.partsOfIteration(1000, 1) == 1 {
			passes++
		}
		y.now += 1000
		if y.tuner.mode != y.best {
			y.now += 300
		}
		y.end()
	}
	return all, passes
}

func TestACrewWorksTheWayThatIsFastest(t *testing.T) {
	y := newTrying(t)
	for best, want := range [parallelModeCount][2]int{
		parallelAll:          {tunerStepsPerMode, tunerStepsPerMode},
		parallelExceptSolver: {tunerStepsPerMode, tunerInterval - 2*tunerStepsPerMode},
		serial:               {tunerInterval - 2*tunerStepsPerMode, tunerStepsPerMode},
	} {
		y.best = parallelMode(best)
		if all, passes := y.alone(tunerInterval, 0); all != want[0] || passes != want[1] {
			t.Errorf("fastest is way %d: of %d steps the caller did %d alone and the passes of %d, want %v", best, tunerInterval, all, passes, want)
		}
	}
	if err := y.world.Step(1.0 / 60); err != nil {
		t.Fatal(err)
	}
	if y.world.tuner.steps != 1 {
		t.Errorf("steps of a world are not counted: %d", y.world.tuner.steps)
	}
}

// TestACrewIsTriedAgainWhenTheWorkHasChanged: what fell has become a heap, long before the next trial is due.
func TestACrewIsTriedAgainWhenTheWorkHasChanged(t *testing.T) {
	y := newTrying(t)
	y.best = serial
	if n, _ := y.alone(tunerMinInterval, 0); n != tunerMinInterval-2*tunerStepsPerMode {
		t.Errorf("slower at nothing: alone in %d steps of %d, want all but %d", n, tunerMinInterval, 2*tunerStepsPerMode)
	}
	y.best = parallelAll
	if n, _ := y.alone(tunerMinInterval, 10*tunerMinContacts); n != tunerStepsPerMode {
		t.Errorf("faster at a heap: alone in %d steps of %d, want %d for a trial", n, tunerMinInterval, tunerStepsPerMode)
	}
	if n, _ := y.alone(tunerInterval-tunerMinInterval, 15*tunerMinContacts); n != 0 {
		t.Errorf("half as much more work: alone in %d steps, want no trial yet", n)
	}
}

// TestEachWorldOfACrewHasItsOwnTrial: a small one does not send the hands of a large one home.
func TestEachWorldOfACrewHasItsOwnTrial(t *testing.T) {
	y := newTrying(t)
	small, large := y.world, fallingBoxes(t, 4, 4, 4, earth()).World
	for range tunerMinInterval {
		y.world, y.best = small, serial
		y.alone(1, 0)
		y.world, y.best = large, parallelAll
		y.alone(1, 1000)
	}
	if small.tuner.mode != serial || large.tuner.mode != parallelAll {
		t.Errorf("the small world is computed in way %d, want %d; the large one in way %d, want %d", small.tuner.mode, serial, large.tuner.mode, parallelAll)
	}
}
