package dynamics

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// stepsPerTurn is the number of steps that one of two worlds takes before the other's turn, so that other
// load of the machine meets both.
const stepsPerTurn = 10

// wall is the wall clock, ns.
func wall() int64 { return time.Now().UnixNano() }

// withWorkers steps two worlds of the scene in turns, one by the caller alone and one by two workers. It
// returns the median times of their steps, ms on the wall clock; both must come to the same state.
func (ps *peerScene) withWorkers(t testing.TB, build func(testing.TB) *scene, steps int) (one, two float64) {
	workers := NewWorkers(2, wall)
	workers.Start()
	defer workers.Stop()
	worlds := [2]*scene{build(t), build(t)}
	worlds[1].World.cfg.Workers = workers
	var times [2][]float64
	for done := 0; done < steps; done += stepsPerTurn {
		for k, s := range worlds {
			for range stepsPerTurn {
				start := wall()
				s.step(ps.dt, 1)
				times[k] = append(times[k], float64(wall()-start)/1e6)
			}
		}
	}
	if worlds[0].Hash() != worlds[1].Hash() {
		t.Errorf("%s: two workers come to another world than one", ps.name)
	}
	return median(times[0]), median(times[1])
}

func median(list []float64) float64 {
	slices.Sort(list)
	return list[len(list)/2]
}

// castBy casts all rays with so many workers, each of which takes the next fan. It returns the time on the
// wall clock, ms.
func (c *raysScene) castBy(view *QueryScene, workers int, out []float64) float64 {
	var next atomic.Int64
	work := func() {
		for {
			k := int(next.Add(1)-1) * c.fan
			if k >= len(c.dirs) {
				return
			}
			view.CastPacket(c.origin, c.dirs[k:k+c.fan], 100, BodyID{}, out[k:k+c.fan])
		}
	}
	start := wall()
	var all sync.WaitGroup
	for range workers - 1 {
		all.Go(work)
	}
	work()
	all.Wait()
	return float64(wall()-start) / 1e6
}

// castWithWorkers returns the median times of passes by one worker and by two, in turns. Both must find the
// same distances.
func (c *raysScene) castWithWorkers(t testing.TB, view *QueryScene, passes int) (one, two float64) {
	var times [2][]float64
	var out [2][]float64
	for k := range out {
		out[k] = make([]float64, len(c.dirs))
	}
	for range passes {
		for k := range out {
			times[k] = append(times[k], c.castBy(view, k+1, out[k]))
		}
	}
	for i, d := range out[0] {
		if math.Float64bits(d) != math.Float64bits(out[1][i]) {
			t.Fatalf("%s: ray %d comes %v m with two workers, %v with one", c.name, i, out[1][i], d)
		}
	}
	return median(times[0]), median(times[1])
}

// workersLine is a line of the table, in time on the wall clock; the other lines are in thread time.
func workersLine(name string, one, two float64) string {
	return fmt.Sprintf("%-10s 2 workers  %9.3f ms  1 worker, on the wall too: %.3f ms, ×%.2f as fast\n", name,
		two, one, one/two)
}

// apartNs returns the least and the largest round trip of a word between two threads, ns. The gain of two
// workers depends on it, and on a rented machine it changes from minute to minute. Two workers solve a heap
// of 10,000 boxes 1.4 times as fast at 130 ns, and no faster at 570 ns.
func apartNs() (near, far float64) {
	const tries, rounds = 20, 20_000
	var there, back struct {
		atomic.Int64
		_ [120]byte
	}
	var other sync.WaitGroup
	other.Go(func() {
		for i := int64(1); i <= tries*rounds; i++ {
			for there.Load() != i {
			}
			back.Store(i)
		}
	})
	near = math.Inf(1)
	for try := range int64(tries) {
		start := wall()
		for i := try*rounds + 1; i <= (try+1)*rounds; i++ {
			there.Store(i)
			for back.Load() != i {
			}
		}
		ns := float64(wall()-start) / rounds
		near, far = min(near, ns), max(far, ns)
	}
	other.Wait()
	return near, far
}

// TestTwoWorkersGiveTheResultsOfOne in the steps of the comparison's scenes and in ray casts. With -engines
// they run at full length, and a table shows the gain.
func TestTwoWorkersGiveTheResultsOfOne(t *testing.T) {
	if testing.Short() {
		t.Skip("measures time")
	}
	full := *engines != ""
	for _, ps := range peerScenes() {
		build, steps := ps.short, 60
		if full {
			build, steps = ps.build, ps.steps
		}
		one, two := ps.withWorkers(t, build, steps)
		if full {
			fmt.Print(workersLine(ps.name, one, two))
		}
	}
	cells, passes := 40, 2
	if full {
		cells, passes = 224, 15
	}
	for _, c := range raysScenes(cells) {
		one, two := c.castWithWorkers(t, c.world(t).QueryScene(), passes)
		if full {
			fmt.Print(workersLine(c.name, one, two))
		}
	}
	if full {
		near, far := apartNs()
		fmt.Printf("on %d processors, from one to the other and back %.0f to %.0f ns\n", runtime.NumCPU(),
			near, far)
	}
}
