package dynamics

import (
	"math"
	"runtime"
	"testing"
	"time"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// withWorkersStarted is a scene whose workers split every stage, however little work it has.
func withWorkersStarted(t testing.TB, build func() (*scene, float64, int), workers int) (*scene, float64) {
	s, dt, _ := build()
	s.World.cfg.Workers = NewWorkers(workers, nil)
	s.World.cfg.Workers.alwaysSplit = true
	s.World.cfg.Workers.Start()
	t.Cleanup(s.World.cfg.Workers.Stop)
	return s, dt
}

// TestAnyNumberOfWorkersGivesTheSameBits: the golden scenes have one hash with 2, 3 and 8 workers, by the
// assembly and the Go kernel, which the race detector sees.
func TestAnyNumberOfWorkersGivesTheSameBits(t *testing.T) {
	steps := 200
	if testing.Short() {
		steps = 30
	}
	for name, build := range goldenScenes(t) {
		alone, dt, _ := build()
		var parallel []*scene
		for _, workers := range []int{2, 3, 8} {
			s, _ := withWorkersStarted(t, build, workers)
			parallel = append(parallel, s)
		}
		parallel[1].solver.useSIMD = false
		for i := range steps {
			alone.step(dt, 1)
			for _, s := range parallel {
				s.step(dt, 1)
				if s.Hash() != alone.Hash() {
					t.Fatalf("%s: %d workers differ from one from step %d on", name, s.World.cfg.Workers.size,
						i+1)
				}
			}
		}
		for _, s := range parallel {
			if err := s.Validate(); err != nil {
				t.Error(err)
			}
			s.World.cfg.Workers.Stop()
		}
	}
}

func TestWorkersServeSeveralWorldsAndSleepWhenIdle(t *testing.T) {
	if testing.Short() {
		t.Skip("waits on the real clock")
	}
	before := runtime.NumGoroutine()
	c := NewWorkers(4, nil)
	if runtime.NumGoroutine() != before {
		t.Error("NewWorkers started something")
	}
	c.alwaysSplit = true
	for range 2 {
		c.Start()
		var hashes []uint64
		for _, workers := range []*Workers{c, c, nil} {
			s := fallingBoxes(t, 3, 3, 3, earth())
			s.World.cfg.Workers = workers
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
					t.Fatal("a worker with nothing to do does not sleep")
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

func TestSmallWorldsAreSteppedByOneWorker(t *testing.T) {
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

func TestAStepWithWorkersAllocatesNothing(t *testing.T) {
	s, dt := withWorkersStarted(t,
		func() (*scene, float64, int) { return fallingBoxes(t, 6, 6, 6, earth()), 1.0 / 60, 0 }, 2)
	s.step(dt, 300)
	if n := testing.AllocsPerRun(50, func() { s.step(dt, 1) }); n > 0 {
		t.Errorf("%v allocations per step", n)
	}
}

// TestAPanicOfAWorkerIsTheCallers: it is raised in the goroutine that steps the world, where it can be
// recovered.
func TestAPanicOfAWorkerIsTheCallers(t *testing.T) {
	s, dt := withWorkersStarted(t,
		func() (*scene, float64, int) { return fallingBoxes(t, 4, 4, 4, earth()), 1.0 / 60, 0 }, 2)
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

// tuned is a world whose workers have a false clock, which runs slower in steps of all modes but the best
// one. The test sets the amount of work.
type tuned struct {
	*Workers
	world *World
	now   int64
	best  parallelMode
}

func newTuned(t *testing.T) *tuned {
	y := &tuned{world: fallingBoxes(t, 3, 3, 3, earth()).World}
	y.Workers = NewWorkers(2, func() int64 { return y.now })
	y.world.cfg.Workers = y.Workers
	y.Start()
	t.Cleanup(y.Stop)
	return y
}

// alone takes so many steps with so much work. It counts the steps that the caller computes alone, and those
// in which it computes only the iterations alone.
func (y *tuned) alone(steps, work int) (all, passes int) {
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

func TestWorkersWorkTheWayThatIsFastest(t *testing.T) {
	y := newTuned(t)
	for best, want := range [parallelModeCount][2]int{
		parallelAll:          {tunerStepsPerMode, tunerStepsPerMode},
		parallelExceptSolver: {tunerStepsPerMode, tunerInterval - 2*tunerStepsPerMode},
		serial:               {tunerInterval - 2*tunerStepsPerMode, tunerStepsPerMode},
	} {
		y.best = parallelMode(best)
		if all, passes := y.alone(tunerInterval, 0); all != want[0] || passes != want[1] {
			t.Errorf("fastest is mode %d: of %d steps the caller did %d alone and the passes of %d, want %v",
				best, tunerInterval, all, passes, want)
		}
	}
	if err := y.world.Step(1.0 / 60); err != nil {
		t.Fatal(err)
	}
	if y.world.tuner.steps != 1 {
		t.Errorf("steps of a world are not counted: %d", y.world.tuner.steps)
	}
}

// TestWorkersAreTriedAgainWhenTheWorkHasChanged: falling bodies have become a heap long before the tuner's
// next interval.
func TestWorkersAreTriedAgainWhenTheWorkHasChanged(t *testing.T) {
	y := newTuned(t)
	y.best = serial
	if n, _ := y.alone(tunerMinInterval, 0); n != tunerMinInterval-2*tunerStepsPerMode {
		t.Errorf("slower at nothing: alone in %d steps of %d, want all but %d", n, tunerMinInterval,
			2*tunerStepsPerMode)
	}
	y.best = parallelAll
	if n, _ := y.alone(tunerMinInterval, 10*tunerMinContacts); n != tunerStepsPerMode {
		t.Errorf("faster at a heap: alone in %d steps of %d, want %d for tuning", n, tunerMinInterval,
			tunerStepsPerMode)
	}
	if n, _ := y.alone(tunerInterval-tunerMinInterval, 15*tunerMinContacts); n != 0 {
		t.Errorf("half as much more work: alone in %d steps, want no tuning yet", n)
	}
}

// TestEachWorldOfWorkersHasItsOwnTuner: a small world does not make the workers of a large one idle.
func TestEachWorldOfWorkersHasItsOwnTuner(t *testing.T) {
	y := newTuned(t)
	small, large := y.world, fallingBoxes(t, 4, 4, 4, earth()).World
	for range tunerMinInterval {
		y.world, y.best = small, serial
		y.alone(1, 0)
		y.world, y.best = large, parallelAll
		y.alone(1, 1000)
	}
	if small.tuner.mode != serial || large.tuner.mode != parallelAll {
		t.Errorf("the small world is computed in mode %d, want %d; the large one in mode %d, want %d",
			small.tuner.mode, serial, large.tuner.mode, parallelAll)
	}
}

// jobsOf counts the tasks of a step that workers share, in a world with so many boxes over the ground. Each
// box has a geom that has moved and a body. Where the gap is small, it has a contact.
func jobsOf(t *testing.T, boxes int, gap float64) uint64 {
	t.Helper()
	c := NewWorkers(4, nil)
	c.Start()
	defer c.Stop()
	s := newScene(t, 0.5, Config{Substeps: 1})
	s.ground()
	for i := range boxes {
		s.body(shape.Box{Half: r3.V(0.1, 0.1, 0.1)}, 1, at(float64(i%30), float64(i/30), 0.1+gap), 0)
	}
	s.World.cfg.Workers = c
	s.step(1.0/60, 1)
	return c.jobTicket.Load() >> 32
}

// TestTasksAreSharedFromTwoPartsOfWorkOn: a little more than twice the least work of a part makes a step
// share more of its tasks than a little less does.
func TestTasksAreSharedFromTwoPartsOfWorkOn(t *testing.T) {
	const away, near, touching = 1, 0.012, 0
	more := func(boxes int, gap float64) uint64 {
		return jobsOf(t, boxes+boxes/20, gap) - jobsOf(t, boxes-boxes/20, gap)
	}
	if n := more(64, away); n != 1 {
		t.Errorf("64 geoms that move: %d tasks more, want the search for pairs", n)
	}
	if n := more(128, touching) - more(128, near); n < 1 {
		t.Errorf("32 batches of contacts of one color: %d tasks more, want those of the iterations", n)
	}
	narrow := more(256, near)
	if narrow != 1 {
		t.Errorf("256 contacts: %d tasks more, want the narrow phase", narrow)
	}
	if n := more(256, touching) - narrow; n != 2 {
		t.Errorf("64 batches of contacts: %d tasks more, want their building and the storing of impulses", n)
	}
	if n := more(512, away); n < 2 {
		t.Errorf("512 bodies: %d tasks more, want their loading and the writing of poses", n)
	}
}

// TestAPoolHasAsManyWorkersAsAskedForUpToItsBound: a task that is cut for all of them gives each three parts.
// A worker that is three times as fast as the others computes three times as much.
func TestAPoolHasAsManyWorkersAsAskedForUpToItsBound(t *testing.T) {
	for asked, want := range map[int]int{1: 1, 50: 50, 100: 64, 1000: 64} {
		c := NewWorkers(asked, nil)
		c.Start()
		if c.size != want {
			t.Errorf("of %d workers %d are started, want %d", asked, c.size, want)
		}
		if parts := int(c.parts(1_000_000, 1)); want > 1 && parts != 3*c.size {
			t.Errorf("a large task of %d workers has %d parts, want three for each", c.size, parts)
		}
		if parts := int(c.partsOfFew(100_000)); want > 1 && parts != 8*c.size {
			t.Errorf("a hundred thousand islands of %d workers have %d parts, want eight for each", c.size,
				parts)
		}
		c.Stop()
	}
}

// robotsApart is robots of two links on the ground, each an island.
func robotsApart(t testing.TB, count int) *scene {
	s := newScene(t, 0.6, Config{Gravity: r3.V(0, 0, -9.81)})
	s.ground()
	for i := range count {
		from := at(float64(i), 0, 0.05)
		body := s.body(shape.BoxOf(r3.V(0.2, 0.1, 0.1)), 1, from, int32(1+i))
		arm := s.body(shape.BoxOf(r3.V(0.3, 0.04, 0.04)), 0.3, from.Mul(at(0.25, 0, 0)), int32(1+i))
		hinge := must[JointID](s)(s.AddJoint(JointDef{Type: Revolute, Parent: body, Child: arm,
			ParentFrame: at(0.1, 0, 0), ChildFrame: at(-0.15, 0, 0), Axis: r3.V(0, 1, 0)}))
		s.check(s.Articulate([]JointID{hinge}))
		s.check(s.Body(body).SetTwist(r3.Twist{Linear: r3.V(0.1*float64(i), 0.2, 0)}))
	}
	return s
}

func TestIslandsOfNewtonsMethodGiveTheSameBitsOnAnyNumberOfWorkers(t *testing.T) {
	const robots, dt = 9, 0.004
	build := func() (*scene, float64, int) { return robotsApart(t, robots), dt, 0 }
	alone, _, _ := build()
	var parallel []*scene
	for _, workers := range []int{2, 3, 8} {
		s, _ := withWorkersStarted(t, build, workers)
		parallel = append(parallel, s)
	}
	most := 0
	for i := range 200 {
		alone.step(dt, 1)
		most = max(most, len(alone.solver.newtonIslands))
		for _, s := range parallel {
			if s.step(dt, 1); s.Hash() != alone.Hash() {
				t.Fatalf("%d workers differ from one from step %d on", s.World.cfg.Workers.size, i+1)
			}
		}
	}
	if most != robots {
		t.Errorf("at most %d islands at once, want one for each of %d robots", most, robots)
	}
}

func TestRobotsAreSharedAmongWorkers(t *testing.T) {
	jobs := func(robots int) uint64 {
		s := robotsApart(t, robots)
		s.World.cfg.Workers = NewWorkers(2, nil)
		s.World.cfg.Workers.tuner.mode = parallelAll
		s.World.cfg.Workers.Start()
		defer s.World.cfg.Workers.Stop()
		s.step(0.004, 5)
		before := s.World.cfg.Workers.jobTicket.Load() >> 32
		s.step(0.004, 1)
		return s.World.cfg.Workers.jobTicket.Load()>>32 - before
	}
	if n := jobs(2) - jobs(1); n != 1 {
		t.Errorf("two robots: %d tasks more, want the solving of their islands", n)
	}
	if n := jobs(9) - jobs(7); n != 1 {
		t.Errorf("nine robots: %d tasks more than seven, want the writing of their links", n)
	}
}

// TestTuningCostsLittle: at most a thirtieth of the steps run in a slower mode where nothing changes. Work
// that doubles or halves all the time makes it a fifth. Fewer than 64 contacts may change as they like.
func TestTuningCostsLittle(t *testing.T) {
	for _, c := range []struct {
		what  string
		works [2]int
		most  float64
	}{
		{"nothing changes", [2]int{1000, 1000}, 1.0 / 30},
		{"a heap comes and goes", [2]int{500, 1000}, 0.2},
		{"few contacts come and go", [2]int{10, 50}, 1.0 / 30},
		{"some contacts come and go", [2]int{10, 100}, 0.2},
	} {
		y := newTuned(t)
		y.best = parallelAll
		slow := 0
		for step := range 4 * 512 {
			alone, passes := y.alone(1, c.works[step/32%2])
			slow += alone + passes
		}
		if part := float64(slow) / (4 * 512); slow == 0 || part > c.most {
			t.Errorf("%s: %v of the steps are in a slower mode, want some, at most %v", c.what, part, c.most)
		}
	}
}
