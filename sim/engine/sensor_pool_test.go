package engine

import (
	"runtime"
	"testing"
	"testing/synctest"
)

func TestTheSensorPoolLeavesAProcessorToTheLoop(t *testing.T) {
	before := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(before)
	for procs, want := range map[int]int{1: 1, 2: 1, 3: 2, 5: 4, 64: 4} {
		runtime.GOMAXPROCS(procs)
		if got := sensorWorkerCount(); got != want {
			t.Errorf("%d goroutines for %d processors, want %d", got, procs, want)
		}
	}
}

func TestASensorPoolEndsWhateverItHasToDo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // which fails when a goroutine is left
		c := newSensorPool()
		c.start(3)
		w := cloudYard(t)
		w.submit = c.submit
		for range 100 {
			_ = w.Step()
		}
		c.stop()
		c.submit(&sensorJob{})
		w.drainSamples() // the loop finishes alone what the workers left
		if got := scanOf(t, w); got.Seq != 2 {
			t.Errorf("sample %d after 400 ms at 5 Hz, want the second", got.Seq)
		}
	})
}
